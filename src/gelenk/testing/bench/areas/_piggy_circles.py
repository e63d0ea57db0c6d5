"""Circles in rendered images of balls: found, false, precise, fast; beside OpenCV."""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from gelenk.core.typing import FloatArray
from gelenk.core.vision.circles import CircleCfg, Window, find_circles
from gelenk.testing.ball_images import BallCamera, BallShot, Place, random_shots
from gelenk.testing.ball_places import indoor_place, outdoor_place
from gelenk.testing.bench.harness import Row, Settings

VISIBLE = 0.75  # share of an outline with 12 gray levels of contrast
RECALL, FALSE, CENTER, RADIUS = 98.0, 0.5, 0.25, 0.25  # [%], per image, [px], [px]
WINDOW_MS, SPEEDUP = 0.3, 2.0
STATIC = 0.2  # share of a place's images in which something at rest is seen again
SAME = (2.0, 0.1)  # [px], and share of the radius: one thing seen twice
CFG = CircleCfg(focal=BallCamera().focal)
PLACES = {"indoor": indoor_place, "outdoor": outdoor_place}

Found = FloatArray
"""x, y and radius of each circle [px], (n, 3)."""
Detector = Callable[[BallShot], Found]


def ours(shot: BallShot) -> Found:
    """Search everywhere."""
    found = find_circles(shot.image, CFG)
    return np.column_stack([found.center, found.radius])


def ours_in_window(shot: BallShot) -> Found:
    """Search where a tracker would: 1.5 px and 4 % beside the truth."""
    off = shot.center[0] % 1.0 * 2.0 * np.pi  # any direction, the same in each run
    x, y = shot.center + 1.5 * np.array([np.cos(off), np.sin(off)])
    window = Window(
        center=(float(x), float(y)),
        half_size=4.0 + 0.05 * shot.radius,
        radius=1.04 * shot.radius,
        radius_tolerance=0.12 * shot.radius,
    )
    found = find_circles(shot.image, CFG, windows=[window])
    return np.column_stack([found.center, found.radius])


def _hough(mode: int, dp: float, strong: float, least: float) -> Detector:
    def find(shot: BallShot) -> Found:
        image: Any = shot.image
        if mode == cv2.HOUGH_GRADIENT:
            image = cv2.GaussianBlur(image, (5, 5), 1.0)
        found = cv2.HoughCircles(
            image,
            mode,
            dp,
            12.0,
            param1=strong,
            param2=least,
            minRadius=6,
            maxRadius=54,
        )
        if found is None:
            return np.zeros((0, 3))
        return found.reshape(-1, found.shape[-1])[:, :3].astype(float)

    return find


OPPONENTS: dict[str, Detector] = {
    "GRADIENT 1, 160, 18": _hough(cv2.HOUGH_GRADIENT, 1.0, 160.0, 18.0),
    "GRADIENT 1, 100, 18": _hough(cv2.HOUGH_GRADIENT, 1.0, 100.0, 18.0),
    "GRADIENT 1, 100, 24": _hough(cv2.HOUGH_GRADIENT, 1.0, 100.0, 24.0),
    "GRADIENT 1.5, 160, 24": _hough(cv2.HOUGH_GRADIENT, 1.5, 160.0, 24.0),
    "ALT 1.5, 300, 0.7": _hough(cv2.HOUGH_GRADIENT_ALT, 1.5, 300.0, 0.7),
    "ALT 1.5, 100, 0.85": _hough(cv2.HOUGH_GRADIENT_ALT, 1.5, 100.0, 0.85),
}
"""Settings of `cv2.HoughCircles` that came out best of many; dp, param1, param2."""


@dataclass(slots=True)
class CircleTally:
    """What one detector made of some shots.

    Attributes:
        is_found: Of each visible ball.
        lamps: Circles that are lamps.
        others: Circles that are neither ball nor lamp (x, y, r), of each image of each
            place, by the place's identity.
        images: How many were searched.
        errors: Of balls 2 to 5 m away: x, y, radius [px].
        seconds: CPU time of each image [s].
    """

    is_found: list[bool] = field(default_factory=list)
    lamps: int = 0
    others: dict[int, list[FloatArray]] = field(default_factory=dict)
    images: int = 0
    errors: list[FloatArray] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of visible balls found [%]."""
        return 100.0 * float(np.mean(self.is_found))

    @property
    def milliseconds(self) -> float:
        """Mean CPU time per image of the faster half [ms]; the rest met other load."""
        fast = np.sort(self.seconds)[: (len(self.seconds) + 1) // 2]
        return 1e3 * float(fast.mean())

    def rms(self) -> FloatArray:
        """Return the rms error of x, y and radius, 2 to 5 m away [px], (3,)."""
        return np.sqrt(np.mean(np.square(np.array(self.errors).reshape(-1, 3)), axis=0))

    def add(self, shot: BallShot, found: Found, seconds: float) -> None:
        """Count one image."""
        self.images += 1
        self.seconds.append(seconds)
        away = np.linalg.norm(found[:, :2] - shot.center, axis=1)
        right = (away < 0.35 * shot.radius) & (
            np.abs(found[:, 2] / shot.radius - 1.0) < 0.25
        )
        if shot.visible >= VISIBLE:
            self.is_found.append(bool(right.any()))
            if right.any() and 2.0 <= shot.distance <= 5.0:
                best = found[int(np.argmin(np.where(right, away, np.inf)))]
                self.errors.append(best - np.append(shot.center, shot.radius))
        lamps = shot.place.lamps
        rest = found[away > 1.2 * shot.radius]
        reach = np.linalg.norm(rest[:, None, :2] - lamps[None, :, :2], axis=2)
        is_lamp = (reach < 1.2 * lamps[:, 2] + 3.0).any(axis=1)
        self.lamps += int(is_lamp.sum())
        self.others.setdefault(id(shot.place), []).append(rest[~is_lamp])

    def false(self) -> tuple[float, float]:
        """Return false circles per image, lamps apart: passing ones, and static ones.

        Static is what is seen at the same place in a fifth of a place's images at
        least: round things that a tracker learns to ignore.
        """
        passing, static = 0, 0
        for images in self.others.values():
            often = _sights(images) > max(1.0, STATIC * len(images))
            static += int(often.sum())
            passing += int((~often).sum())
        return passing / self.images, static / self.images


def _sights(images: Sequence[Found]) -> FloatArray:
    """Return for each circle in how many images there is one like it, (n,)."""
    every = np.concatenate(images)
    seen = np.zeros(len(every))
    for other in images:
        away = np.hypot(*(every[:, None, :2] - other[None, :, :2]).transpose(2, 0, 1))
        size = np.abs(other[None, :, 2] / every[:, None, 2] - 1.0)
        seen += ((away < SAME[0]) & (size < SAME[1])).any(axis=1)
    return seen


def measure_detectors(
    detectors: dict[str, Detector], shots: Sequence[BallShot]
) -> dict[str, CircleTally]:
    """Return what detectors find; they take turns on every image, on one thread."""
    tallies = {name: CircleTally() for name in detectors}
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    names = list(detectors)
    try:
        for name in names:
            detectors[name](shots[0])
        for k, shot in enumerate(shots):
            first = k % len(names)
            for name in names[first:] + names[:first]:
                start = time.thread_time()
                found = detectors[name](shot)
                tallies[name].add(shot, found, time.thread_time() - start)
    finally:
        cv2.setNumThreads(threads)
    return tallies


def _shots(kind: str, settings: Settings) -> list[BallShot]:
    rng = np.random.default_rng((settings.seed, 1))
    places: list[Place] = [PLACES[kind](rng) for _ in range(settings.pick(12, 2))]
    return list(random_shots(places, settings.pick(240, 20), rng))


def circle_figures(settings: Settings) -> Iterator[Row]:
    """Recall, false circles, precision and time, ours and OpenCV's best settings."""
    for kind in PLACES:
        shots = _shots(kind, settings)
        tallies = measure_detectors(
            {"ours": ours, "window": ours_in_window, **OPPONENTS}, shots
        )
        yield from _rows(kind, tallies)


def _rows(kind: str, tallies: dict[str, CircleTally]) -> Iterator[Row]:
    mine, window = tallies["ours"], tallies["window"]
    peers = {name: tallies[name] for name in OPPONENTS}
    best = max(peers, key=lambda name: peers[name].recall)
    center = float(mine.rms()[:2].max())
    yield Row(
        name=f"circle_recall_{kind}",
        value=mine.recall,
        unit="%",
        target=RECALL,
        direction=">=",
        peers={f"HoughCircles {name}": t.recall for name, t in peers.items()},
        note=f"{len(mine.is_found)} balls 1 to 6 m away whose outline has 12 gray "
        f"levels of contrast over {100 * VISIBLE:g} %; "
        f"in windows {window.recall:.1f} %",
    )
    false = {f"HoughCircles {name}": t.false() for name, t in peers.items()}
    passing, static = mine.false()
    yield Row(
        name=f"circle_false_transient_{kind}",
        value=passing,
        unit="per image",
        target=FALSE,
        peers={name: counts[0] for name, counts in false.items()},
        note="neither ball nor lamp, and not seen again at the same place in a fifth "
        "of the place's images",
    )
    yield Row(
        name=f"circle_false_static_{kind}",
        value=static,
        unit="per image",
        peers={name: counts[1] for name, counts in false.items()},
        note="round things at rest, which the tracker learns to ignore; round lamps "
        f"apart: {mine.lamps / mine.images:.1f} per image",
    )
    yield Row(
        name=f"circle_center_rms_{kind}",
        value=center,
        unit="px",
        target=CENTER,
        peers={f"HoughCircles {best}": float(peers[best].rms()[:2].max())},
        note="the worse of both axes, 2 to 5 m away, exposure 5 ms in flight",
    )
    yield Row(
        name=f"circle_radius_rms_{kind}",
        value=float(mine.rms()[2]),
        unit="px",
        target=RADIUS,
        peers={f"HoughCircles {best}": float(peers[best].rms()[2])},
    )
    yield Row(
        name=f"circle_time_{kind}",
        value=mine.milliseconds,
        unit="ms",
        peers={f"HoughCircles {name}": t.milliseconds for name, t in peers.items()},
        note="780 x 580, CPU time of one thread, mean of the faster half",
    )
    yield Row(
        name=f"circle_speed_over_hough_{kind}",
        value=peers[best].milliseconds / mine.milliseconds,
        unit="1",
        target=SPEEDUP,
        direction=">=",
        note=f"over the setting with the best recall, {best}; over the fastest "
        f"{min(t.milliseconds for t in peers.values()) / mine.milliseconds:.2f}",
    )
    yield Row(
        name=f"circle_window_time_{kind}",
        value=window.milliseconds,
        unit="ms",
        target=WINDOW_MS,
        note="one window, 4 px + 5 % of the radius around the expectation",
    )


FIGURES = (circle_figures,)
