"""Flights kept in a file: what the tracker was told, and every prediction it made.

A recording holds circles instead of images, so it is small, and whoever replays it gets
the same tracks again, bit for bit, or those of another setup.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gelenk.errors import FileFormatError
from gelenk.robots.piggy.config import UNIT
from gelenk.robots.piggy.setup import Setup
from gelenk.robots.piggy.tracker.config import TrackCfg
from gelenk.robots.piggy.tracker.messages import Frame, Track
from gelenk.robots.piggy.tracker.tracker import Tracker
from gelenk.typing import ArrayLike, FloatArray

VERSION = 1
COLUMNS = 13  # of a sample: time, position, velocity, their standard deviations


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prediction:
    """A track as it was published in one frame.

    Attributes:
        id: Of the track.
        samples: Time [s], position [m], velocity [m/s], standard deviations of both,
            (n, 13).
    """

    id: int
    samples: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenFrame:
    """One frame of a recording.

    Attributes:
        stamp: Middle of the exposure [s].
        circles: Left and right, (n, 4) or (n, 7).
        is_sent: Whether each camera sent an image.
        bat: Centre of the bat's sphere [m], (3,); None if it was not known.
        predictions: That were published.
    """

    stamp: float
    circles: tuple[FloatArray, FloatArray]
    is_sent: tuple[bool, bool]
    bat: FloatArray | None
    predictions: tuple[Prediction, ...]


class RecordingTracker(Tracker):
    """A tracker that remembers what it saw and said in `frames`."""

    def reset(self) -> None:
        """Forget all balls, all things at rest, and the recording."""
        super().reset()
        self.frames: list[SeenFrame] = []

    def follow(
        self,
        stamp: float,
        circles: tuple[FloatArray, FloatArray],
        *,
        is_sent: tuple[bool, bool] = (True, True),
        bat: ArrayLike | None = None,
    ) -> Frame:
        """Do what `Tracker.follow` does, and remember it."""
        told = circles[0].copy(), circles[1].copy()
        frame = super().follow(stamp, circles, is_sent=is_sent, bat=bat)
        self.frames.append(
            SeenFrame(
                stamp=stamp,
                circles=told,
                is_sent=is_sent,
                bat=None if bat is None else np.array(bat, dtype=np.float64),
                predictions=tuple(_prediction(track) for track in frame.tracks),
            )
        )
        return frame


def replay(
    frames: Sequence[SeenFrame], cfg: TrackCfg | None = None, setup: Setup | None = None
) -> list[Frame]:
    """Return what a new tracker makes of recorded circles.

    Args:
        frames: Of a recording, in order.
        cfg: Of the tracker.
        setup: What it knows; drawings if None.
    """
    with Tracker(cfg, setup) as tracker:
        return [
            tracker.follow(
                frame.stamp, frame.circles, is_sent=frame.is_sent, bat=frame.bat
            )
            for frame in frames
        ]


def landings(
    frames: Sequence[SeenFrame], *, height: float = UNIT.origin[2]
) -> dict[int, FloatArray]:
    """Return where each ball was going to come down, prediction by prediction.

    Args:
        frames: Of a recording.
        height: At which the place is taken [m].

    Returns:
        By track: stamp [s], x and y [m] of its predictions that come so far, (n, 3).
    """
    found: dict[int, list[tuple[float, float, float]]] = {}
    for frame in frames:
        for prediction in frame.predictions:
            p = prediction.samples[:, 1:4]
            falls = np.flatnonzero((p[:-1, 2] > height) & (p[1:, 2] <= height))
            if len(falls):
                a, b = p[falls[-1]], p[falls[-1] + 1]
                x, y, _ = a + (a[2] - height) / (a[2] - b[2]) * (b - a)
                rows = found.setdefault(prediction.id, [])
                rows.append((frame.stamp, float(x), float(y)))
    return {ball: np.array(rows) for ball, rows in found.items()}


def write_recording(path: str | Path, frames: Sequence[SeenFrame]) -> None:
    """Write a recording as a NumPy archive."""
    none = np.full(3, np.nan)
    said = [(k, p) for k, frame in enumerate(frames) for p in frame.predictions]
    arrays = {
        "version": np.array(VERSION),
        "stamp": np.array([frame.stamp for frame in frames]),
        "is_sent": np.array([frame.is_sent for frame in frames], dtype=np.bool_),
        "bat": np.array([none if f.bat is None else f.bat for f in frames]),
        "said_in": np.array([k for k, _ in said], dtype=np.int64),
        "said_of": np.array([p.id for _, p in said], dtype=np.int64),
        "said_long": np.array([len(p.samples) for _, p in said], dtype=np.int64),
        "said": np.concatenate([np.empty((0, COLUMNS)), *(p.samples for _, p in said)]),
    }
    for side, name in enumerate(("left", "right")):
        circles = [frame.circles[side] for frame in frames]
        width = max((c.shape[1] for c in circles), default=4)
        arrays[f"{name}_count"] = np.array([len(c) for c in circles], dtype=np.int64)
        arrays[name] = np.concatenate([np.empty((0, width)), *circles])
    with Path(path).open("wb") as file:
        np.savez_compressed(file, **arrays)  # pyright: ignore[reportArgumentType]


def read_recording(path: str | Path) -> list[SeenFrame]:
    """Read a recording.

    Raises:
        FileFormatError: If the file cannot be read as one.
    """
    file = Path(path)
    remedy = "record one with: gelenk piggy play --record FILE"
    try:
        with np.load(file, allow_pickle=False) as archive:
            a = {name: archive[name] for name in archive.files}
        if int(a["version"]) != VERSION:
            raise ValueError(f"version {a['version']} instead of {VERSION}")
        return _frames(a)
    except OSError as error:
        raise FileFormatError(
            file, f"{error.strerror or error}", remedy=remedy
        ) from error
    except (KeyError, IndexError, ValueError, zipfile.BadZipFile) as error:
        text = f"is no recording of flights: {error}"
        raise FileFormatError(file, text, remedy=remedy) from error


def _frames(a: dict[str, Any]) -> list[SeenFrame]:
    sides = [
        np.split(a[name], np.cumsum(a[f"{name}_count"])[:-1])
        for name in ("left", "right")
    ]
    spoken = np.split(a["said"], np.cumsum(a["said_long"])[:-1])
    by_frame: dict[int, list[Prediction]] = {}
    for k, ball, samples in zip(a["said_in"], a["said_of"], spoken, strict=False):
        by_frame.setdefault(int(k), []).append(
            Prediction(id=int(ball), samples=samples)
        )
    return [
        SeenFrame(
            stamp=float(stamp),
            circles=(left, right),
            is_sent=(bool(sent[0]), bool(sent[1])),
            bat=None if np.isnan(bat).any() else bat,
            predictions=tuple(by_frame.get(k, ())),
        )
        for k, (stamp, left, right, sent, bat) in enumerate(
            zip(a["stamp"], *sides, a["is_sent"], a["bat"], strict=True)
        )
    ]


def _prediction(track: Track) -> Prediction:
    samples = np.column_stack([track.time, track.position, track.velocity, track.sigma])
    return Prediction(id=track.id, samples=samples)
