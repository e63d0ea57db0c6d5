"""A high hall: white walls, beams, windows, shelves, pictures, round lamps."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.robots.piggy.places.place import (
    Light,
    area_mean,
    clouds,
    pixel_nodes,
    sample_rays,
)
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

_BEHIND, _BELOW = 2.0, 0.75  # [m], from the cameras to rear wall and floor
_WALLS = ((1, 2), (0, 2), (0, 1))  # which axes lie in walls across x, y, z


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel:
    """Something flat on a wall.

    Attributes:
        wall: Axis across the wall.
        corner: Its lower corner in the wall's two coordinates [m].
        size: Width and height [m].
        levels: Its gray levels, bottom row first, (rows, columns).
    """

    wall: int
    corner: tuple[float, float]
    size: tuple[float, float]
    levels: np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True)
class Beam:
    """A beam, pipe or cable along a wall.

    Attributes:
        wall: Axis across the wall.
        axis: Which of the wall's coordinates it crosses.
        middle: There [m].
        half_width: [m].
        factor: On the wall's gray level.
    """

    wall: int
    axis: int
    middle: float
    half_width: float
    factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """A round lamp.

    Attributes:
        position: Of its middle [m].
        radius: [m].
        is_globe: Whether it hangs below the ceiling as a globe, else a disc at it.
        level: Its gray level.
    """

    position: tuple[float, float, float]
    radius: float
    is_globe: bool
    level: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hall:
    """A hall, see `Place`.

    Attributes:
        room: Side wall, front wall and ceiling, from the origin [m], (3,).
        shades: Gray levels of walls across x, y and z, (3,).
        panels, beams, lamps: What is in it.
        light: What falls on things.
    """

    room: FloatArray
    shades: FloatArray
    panels: tuple[Panel, ...]
    beams: tuple[Beam, ...]
    lamps: tuple[Lamp, ...]
    light: Light

    def paint(
        self, lens: Intrinsics, T_place_camera: FloatArray, samples: int
    ) -> np.ndarray:
        """See `Place.paint`."""
        R = T_place_camera[:3, :3].astype(np.float32)
        eye = T_place_camera[:3, 3].astype(np.float32)
        xy = sample_rays(pixel_nodes(lens), samples)
        rays = xy @ R[:, :2].T + R[:, 2]
        rays[np.abs(rays) < 1e-9] = 1e-9  # along a wall: it is met far away
        low = -np.array([self.room[0], _BEHIND, _BELOW], np.float32)
        ends = np.where(rays > 0.0, self.room.astype(np.float32), low)
        times = (ends - eye) / rays
        wall = times.argmin(axis=-1)
        hit = rays * times.min(axis=-1)[..., None] + eye
        del times, ends
        gray = self.shades.astype(np.float32)[wall]
        for side, axes in enumerate(_WALLS):
            spots = np.flatnonzero(wall == side)
            points = hit.reshape(-1, 3)[spots][:, list(axes)]
            self._decorate(gray.ravel(), side, spots, points)
        gray *= self._glow(hit, samples)
        for lamp in self.lamps:
            _hang(gray, rays, hit, wall, eye, lamp)
        return np.clip(area_mean(gray, samples), 0.0, 255.0)

    def _glow(self, hit: np.ndarray, samples: int) -> np.ndarray:
        """Return how bright the lamps make each sample; it varies slowly."""
        middle = samples // 2
        coarse = hit[middle::samples, middle::samples]
        factor = np.ones(coarse.shape[:2], np.float32)
        for lamp in self.lamps:
            top = np.array([*lamp.position[:2], self.room[2] - 0.02], np.float32)
            factor *= 0.93 + 0.25 / (1.0 + ((coarse - top) ** 2).sum(axis=-1))
        return factor.repeat(samples, axis=0).repeat(samples, axis=1)

    def _decorate(
        self, gray: np.ndarray, side: int, spots: np.ndarray, points: np.ndarray
    ) -> None:
        for panel in self.panels:
            if panel.wall != side:
                continue
            st = (points - np.array(panel.corner, np.float32)) / np.array(
                panel.size, np.float32
            )
            inside = ((st > 0.0) & (st < 1.0)).all(axis=1)
            rows, columns = panel.levels.shape
            s, t = st[inside].T
            cells = (t * rows).astype(int), (s * columns).astype(int)
            gray[spots[inside]] = panel.levels[cells]
        for beam in self.beams:
            if beam.wall == side:
                near = np.abs(points[:, beam.axis] - beam.middle) < beam.half_width
                gray[spots[near]] *= beam.factor


def _hang(
    gray: np.ndarray,
    rays: np.ndarray,
    hit: np.ndarray,
    wall: np.ndarray,
    eye: np.ndarray,
    lamp: Lamp,
) -> None:
    """Draw a globe with its rod, or a disc at the ceiling."""
    p = np.array(lamp.position, np.float32)
    if not lamp.is_globe:
        near = np.abs(hit[..., 0] - p[0]) < lamp.radius
        spots = np.nonzero(near & (wall == 2))
        disc = ((hit[spots] - p)[:, :2] ** 2).sum(axis=-1) < lamp.radius**2
        gray[tuple(axis[disc] for axis in spots)] = lamp.level
        return
    to = p - eye
    level = float(np.hypot(to[0], to[1]))
    # Rays towards the upright through the globe: as near to it as the globe is wide.
    across = rays[..., 0] * (to[1] / level) - rays[..., 1] * (to[0] / level)
    ahead = rays[..., 0] * (to[0] / level) + rays[..., 1] * (to[1] / level)
    near = np.abs(across) * level < 1.2 * lamp.radius * ahead
    spots = np.nonzero(near)
    ray = rays[spots]
    # The rod hangs on the ceiling above the globe's middle.
    is_rod = np.abs(across[spots]) * level < 0.012 * ahead[spots]
    is_rod &= ray[:, 2] * level > to[2] * ahead[spots]
    gray[tuple(axis[is_rod] for axis in spots)] = 70.0
    square = (ray * ray).sum(axis=-1)
    along = (ray @ to) / square
    globe = along * along - (to @ to - lamp.radius**2) / square > 0.0
    gray[tuple(axis[globe] for axis in spots)] = lamp.level


def random_hall(rng: np.random.Generator) -> Hall:
    """Return a hall at random."""
    low, high = (3.0, 7.0, 3.0), (6.0, 11.0, 5.0)
    room = rng.uniform(low, high)
    panels = [
        _random_panel(side, room, rng)
        for side in range(3)
        for _ in range(rng.integers(5, 10))
    ]
    beams = [
        Beam(
            wall=side,
            axis=int(rng.integers(2)),
            middle=float(rng.uniform(-2.0, 7.0)),
            half_width=float(rng.choice((0.02, 0.05, 0.2))),
            factor=float(rng.uniform(0.5, 1.15)),
        )
        for side in range(3)
        for _ in range(rng.integers(1, 4))
    ]
    lamps = [_random_lamp(room, rng) for _ in range(rng.integers(2, 6))]
    light = np.array([rng.normal(0.0, 0.3), rng.normal(0.2, 0.3), 1.0])
    return Hall(
        room=room,
        shades=rng.uniform((150.0, 160.0, 110.0), (215.0, 225.0, 190.0)),
        panels=tuple(panels),
        beams=tuple(beams),
        lamps=tuple(lamps),
        light=Light(
            direction=light / np.linalg.norm(light),
            ambient=rng.uniform(110.0, 160.0),
            direct=rng.uniform(40.0, 100.0),
        ),
    )


def _random_lamp(room: FloatArray, rng: np.random.Generator) -> Lamp:
    x, y = rng.uniform((-3.0, 2.0), (3.0, room[1]))
    is_globe = bool(rng.uniform() < 0.6)
    below = rng.uniform(0.2, 1.0) if is_globe else 0.0
    return Lamp(
        position=(float(x), float(y), float(room[2] - 0.02 - below)),
        radius=float(rng.uniform(0.08, 0.25)),
        is_globe=is_globe,
        level=float(rng.uniform(225.0, 255.0)),
    )


def _random_panel(side: int, room: FloatArray, rng: np.random.Generator) -> Panel:
    """Return a window, a shelf, a picture or a plain board."""
    corner = rng.uniform(-room[0], room[1]), rng.uniform(0.3, room.max())
    size = rng.uniform(0.2, 1.5), rng.uniform(0.2, 1.2)
    kind = rng.integers(4)
    if kind == 0:  # a window with bars
        t, s = (np.mgrid[0:60, 0:60] + 0.5) / 60.0
        bars = (np.abs(s * 3 % 1 - 0.5) > 0.44) | (np.abs(t * 2 % 1 - 0.5) > 0.45)
        bright = rng.uniform(190.0, 250.0)
        levels = np.where(bars, rng.uniform(60.0, 220.0), bright)
    elif kind == 1:  # a shelf with books
        levels = rng.uniform(30.0, 200.0, (3, 24))
    elif kind == 2:  # a picture, rough in all sizes
        levels = np.clip(120.0 + 60.0 * clouds(64, 64, rng), 20.0, 230.0)
    else:
        levels = np.full((1, 1), rng.uniform(40.0, 230.0))
    return Panel(
        wall=side,
        corner=(float(corner[0]), float(corner[1])),
        size=(float(size[0]), float(size[1])),
        levels=levels.astype(np.float32),
    )


def level_pose(pitch: float) -> FloatArray:
    """Return the pose of a camera at the origin that looks ahead and up, (4, 4)."""
    c, s = math.cos(pitch), math.sin(pitch)
    T = np.eye(4)
    T[:3, :3] = np.array([[1.0, 0.0, 0.0], [0.0, s, c], [0.0, -c, s]])
    return T
