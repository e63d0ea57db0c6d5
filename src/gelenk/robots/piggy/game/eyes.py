"""Where people stand, from both images: coarse, and only where both cameras look.

The empty room is remembered. Whatever differs from it is foreground. For every spot on
the two circles it is known beforehand which pixels a person there would cover; a spot
is taken if its pixels are foreground in both images and no person found before explains
them. Nearer people cover farther ones, so the inner circle comes first. The class
follows from the distance alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.game.people import (
    CENTRE,
    HANDS_HEIGHT,
    INNER,
    OUTER,
    Side,
    spot,
)
from gelenk.robots.piggy.setup import CameraSetup
from gelenk.typing import BoolArray, FloatArray, IntArray
from gelenk.vision.camera import project

BORDER = 0.5 * (INNER + OUTER)  # [m], whoever is farther away is a team-mate
RINGS = ((INNER, (-0.2, 0.0, 0.2)), (OUTER, (-0.25, 0.0, 0.25)))  # [m]
SPAN, STEP = math.radians(26.0), math.radians(0.5)  # [rad], azimuths looked at
APART = 0.5  # [m], nobody stands nearer to somebody else
CELL = 4  # [px], foreground is judged on squares
CONTRAST = 6.0  # [grey levels] that foreground differs at least
FULL, FRESH = 0.7, 0.35  # shares of a spot's pixels: foreground, not explained before
CLEAR = 0.7  # share of the pixels beside a spot that must be empty
BODY_HEIGHT = 1.74  # [m], assumed
BEHIND = 0.25  # [m], passes are meant for a point behind their catcher
HEAD, WIDTH = 0.10, 0.09  # [m], where a head and its neighbourhood are probed
ARM = 0.225  # [m], raised arms are this far to each side


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """Somebody the robot sees.

    Attributes:
        place: On the floor [m], (2,).
        side: By the distance from the robot.
        score: Share of the expected pixels that are foreground, 0 to 1.
    """

    place: FloatArray
    side: Side
    score: float

    @property
    def hands(self) -> FloatArray:
        """Where a pass should go [m], (3,): through raised hands to a bit behind.

        Opponents stand before the team, so what comes late and high is out of their
        reach.
        """
        away = self.place - np.array(CENTRE)
        behind = self.place + BEHIND * away / max(float(np.linalg.norm(away)), 1e-9)
        return np.array([*behind, HANDS_HEIGHT * BODY_HEIGHT])


class Eyes:
    """Finds people in pairs of images.

    Args:
        cameras: As calibrated, left and right.
    """

    def __init__(self, cameras: Sequence[CameraSetup]) -> None:
        self.cameras = tuple(cameras)
        self._empty: tuple[FloatArray, ...] | None = None
        self._spots = tuple(_spots(radius, shifts) for radius, shifts in RINGS)
        shapes = [(c.intrinsics.height, c.intrinsics.width) for c in self.cameras]
        self._cells = [(h // CELL, w // CELL) for h, w in shapes]
        self._looks = tuple(
            tuple(self._look(spots, k, radius > BORDER) for k in (0, 1))
            for (radius, _), spots in zip(RINGS, self._spots, strict=True)
        )

    def remember(self, pairs: Sequence[tuple[Any, Any]]) -> None:
        """Take the mean of some pairs of images as the empty room."""
        if not pairs:
            raise ConfigError("the empty room needs at least one pair of images")
        self._empty = tuple(
            np.mean([_cells(pair[k]) for pair in pairs], axis=0) for k in (0, 1)
        )

    def look(self, left: Any, right: Any) -> tuple[Seen, ...]:
        """Return the people in a pair of images, nearest first.

        Raises:
            ConfigError: If the empty room was never seen.
        """
        if self._empty is None:
            raise ConfigError("show the empty room first: `remember`")
        masks = [
            np.abs(_cells(image) - empty) > CONTRAST
            for image, empty in zip((left, right), self._empty, strict=True)
        ]
        explained = [np.zeros_like(mask) for mask in masks]
        found: list[Seen] = []
        for spots, looks in zip(self._spots, self._looks, strict=True):
            self._pick(spots, looks, masks, explained, found)
        return tuple(found)

    def _look(
        self, spots: FloatArray, camera: int, has_arms: bool
    ) -> tuple[IntArray, IntArray]:
        """Return the cells that people at the spots cover, and those beside them."""
        inside, beside = _probes(has_arms)
        return tuple(  # pyright: ignore[reportReturnType]
            self._indices(spots, points, camera) for points in (inside, beside)
        )

    def _indices(self, spots: FloatArray, points: FloatArray, k: int) -> IntArray:
        """Return flat indices of cells, (spots, points); -1 outside of the image."""
        camera, (rows, columns) = self.cameras[k], self._cells[k]
        feet = np.column_stack([spots, np.zeros(len(spots))])
        # People turn to the robot: across is at right angles to the way there.
        away = spots - np.array(CENTRE)
        away /= np.linalg.norm(away, axis=1, keepdims=True)
        across = np.column_stack([away[:, 1], -away[:, 0], np.zeros(len(spots))])
        world = feet[:, None] + points[None, :, :1] * across[:, None]
        world[..., 2] += points[:, 1]
        T = camera.T_camera_world
        pixels = project(camera.intrinsics, world @ T[:3, :3].T + T[:3, 3])
        cell = np.floor((pixels + 0.5) / CELL).astype(np.int64)
        is_in = (cell >= 0).all(axis=-1)
        is_in &= (cell[..., 0] < columns) & (cell[..., 1] < rows)
        return np.where(is_in, cell[..., 1] * columns + cell[..., 0], -1)

    def _pick(
        self,
        spots: FloatArray,
        looks: Sequence[tuple[IntArray, IntArray]],
        masks: Sequence[BoolArray],
        explained: Sequence[BoolArray],
        found: list[Seen],
    ) -> None:
        """Take the best spot until none is good enough."""
        while True:
            full, fresh, clear = _shares(looks, masks, explained)
            good = (full >= FULL) & (fresh >= FRESH) & (clear >= CLEAR)
            score = np.where(good, full + 0.5 * clear, 0.0)
            for seen in found:
                near = np.linalg.norm(spots - seen.place, axis=1) < APART
                score[near] = 0.0
            best = float(score.max())
            if best <= 0.0:
                return
            # Neighbours are nearly as good: their middle is better than the best.
            close = np.linalg.norm(spots - spots[int(score.argmax())], axis=1) < APART
            weight = np.where(close & (score > 0.97 * best), score, 0.0)
            place = (weight[:, None] * spots).sum(axis=0) / weight.sum()
            radius = math.dist(tuple(place), CENTRE)
            side: Side = "team" if radius > BORDER else "opponents"
            found.append(
                Seen(place=place, side=side, score=float(full[score.argmax()]))
            )
            chosen = int(np.argmin(np.linalg.norm(spots - place, axis=1)))
            for k in (0, 1):
                _explain(looks[k][0][chosen], explained[k])


def _spots(radius: float, shifts: Sequence[float]) -> FloatArray:
    angles = np.arange(-SPAN, SPAN + 1e-9, STEP)
    return np.array([spot(radius + s, a) for s in shifts for a in angles])


def _probes(has_arms: bool) -> tuple[FloatArray, FloatArray]:
    """Return points of a person as (across, up) [m], inside and just beside."""
    h = BODY_HEIGHT
    if has_arms:
        ups = np.linspace(0.99 * h, 1.12 * h, 6)
        inside = [(side * ARM, up) for side in (-1.0, 1.0) for up in ups]
        beside = [(side * ARM * s, up) for side in (-1, 1) for s in (0.4, 1.6)
                  for up in ups]  # fmt: skip
    else:
        ups = np.linspace(0.80 * h, 0.97 * h, 6)
        inside = [(x, up) for x in (-0.5 * HEAD, 0.0, 0.5 * HEAD) for up in ups]
        beside = [(side * (HEAD + WIDTH), up) for side in (-1, 1) for up in ups[2:]]
    return np.array(inside), np.array(beside)


def _shares(
    looks: Sequence[tuple[IntArray, IntArray]],
    masks: Sequence[BoolArray],
    explained: Sequence[BoolArray],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return full, fresh and clear shares of all spots, the worse image of both."""
    rows: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    for (inside, beside), mask, known in zip(looks, masks, explained, strict=True):
        flat, old = np.append(mask.ravel(), False), np.append(known.ravel(), False)
        full = flat[inside].mean(axis=1)
        fresh = (flat[inside] & ~old[inside]).mean(axis=1)
        clear = 1.0 - (flat[beside] & ~old[beside]).mean(axis=1)
        rows.append((full, fresh, clear))
    a, b = rows
    return tuple(np.minimum(x, y) for x, y in zip(a, b, strict=True))  # pyright: ignore[reportReturnType]


def _explain(indices: IntArray, explained: BoolArray) -> None:
    """Mark the cells of a person, and those around them, as explained."""
    columns = explained.shape[1]
    for index in indices[indices >= 0]:
        v, u = divmod(int(index), columns)
        explained[max(v - 2, 0) : v + 3, max(u - 3, 0) : u + 4] = True


def _cells(image: Any) -> FloatArray:
    """Return the means of squares of the image."""
    a = np.asarray(image, dtype=np.float64)
    rows, columns = a.shape[0] // CELL, a.shape[1] // CELL
    a = a[: rows * CELL, : columns * CELL]
    return a.reshape(rows, CELL, columns, CELL).mean(axis=(1, 3))
