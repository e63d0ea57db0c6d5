"""A meadow's horizon: sky with clouds, trees of many leaves, a house, wires.

Sky, house and wires are far away. Leaves and trunks have a distance, so the two cameras
see them at different places. The picture is painted on a canvas that looks ahead and
up as both cameras do on average, and each camera takes its pixels from there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import map_coordinates

from gelenk.robots.piggy.places.hall import level_pose
from gelenk.robots.piggy.places.place import (
    Light,
    area_mean,
    clouds,
    paint_leaves,
    pixel_nodes,
    sample_rays,
)
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

CANVAS_PITCH = math.radians(35.0)
_HEIGHT = 1740.0  # rows for which sizes below are stated
_WIDTH = 2340.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tree:
    """Trunk and leaves, in the tangents of a canvas that looks up by 35 degrees.

    Attributes:
        distance: From the cameras [m].
        trunk: Left, right and top of the trunk.
        trunk_level: Its gray level.
        xy: Middles of the leaves, the back ones first, (n, 2).
        axes: Their half lengths, (n, 2).
        angle: [rad], (n,).
        level: Gray levels, (n,).
    """

    distance: float
    trunk: tuple[float, float, float]
    trunk_level: float
    xy: FloatArray
    axes: FloatArray
    angle: FloatArray
    level: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class House:
    """A house far away, in tangents as `Tree`.

    Attributes:
        left, right, top: Its outline.
        step: From window to window.
        wall, pane, roof: Gray levels.
    """

    left: float
    right: float
    top: float
    step: float
    wall: float
    pane: float
    roof: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Meadow:
    """A meadow, see `Place`.

    Attributes:
        slope: Gray levels of the sky at the canvas's top and bottom.
        contrast: Of the clouds [gray levels].
        seed: Of the clouds.
        house: If there is one.
        trees: The far ones first.
        wires: Height at the left and right border, half width (tangents), gray level.
        light: What falls on things.
    """

    slope: tuple[float, float]
    contrast: float
    seed: int
    house: House | None
    trees: tuple[Tree, ...]
    wires: tuple[tuple[float, float, float, float], ...]
    light: Light

    def paint(
        self, lens: Intrinsics, T_place_camera: FloatArray, samples: int
    ) -> np.ndarray:
        """See `Place.paint`."""
        T_place_canvas = level_pose(CANVAS_PITCH)
        R = (T_place_canvas[:3, :3].T @ T_place_camera[:3, :3]).astype(np.float32)
        xy = sample_rays(pixel_nodes(lens), samples)
        rays = xy @ R[:, :2].T + R[:, 2]
        xy = rays[..., :2] / rays[..., 2:]
        low, high = xy.min(axis=(0, 1)) - 0.01, xy.max(axis=(0, 1)) + 0.01
        focal = samples * lens.fx
        eye = T_place_canvas[:3, :3].T @ T_place_camera[:3, 3]
        canvas = self._canvas(focal, low.astype(float), high.astype(float), eye)
        at = (xy - low) * np.float32(focal)
        gray = map_coordinates(
            canvas, [at[..., 1], at[..., 0]], order=1, mode="nearest"
        )
        return np.clip(area_mean(gray, samples), 0.0, 255.0)

    def _canvas(
        self, focal: float, low: FloatArray, high: FloatArray, eye: FloatArray
    ) -> np.ndarray:
        """Return a picture of the tangents between two corners, float32."""
        columns, rows = (int(n) for n in np.ceil(focal * (high - low)) + 1)
        across = math.tan(math.radians(45.0))
        sky = clouds(600, 600, np.random.default_rng(self.seed))
        y = (low[1] + np.arange(rows) / focal) / across * 300.0 + 300.0
        x = (low[0] + np.arange(columns) / focal) / across * 300.0 + 300.0
        grid = np.meshgrid(y.astype(np.float32), x.astype(np.float32), indexing="ij")
        lit = self.contrast * map_coordinates(sky, grid, order=1, mode="mirror")
        gray = np.asarray(lit, dtype=np.float32)
        gray += np.linspace(*self.slope, rows, dtype=np.float32)[:, None]
        if self.house is not None:
            _build(gray, self.house, focal, low)
        for tree in self.trees:
            shift = -eye[:2] / tree.distance - low
            left, right, top = tree.trunk
            first, last = (max(int(focal * (x + shift[0])), 0) for x in (left, right))
            gray[max(int(focal * (top + shift[1])), 0) :, first:last] = tree.trunk_level
            middles = focal * (tree.xy + shift)
            paint_leaves(gray, middles, focal * tree.axes, tree.angle, tree.level)
        for left, right, half_width, level in self.wires:
            height = np.linspace(left, right, columns) - low[1]
            for column in range(columns):
                y0 = focal * (height[column] - half_width)
                y1 = focal * (height[column] + half_width) + 1
                gray[max(int(y0), 0) : max(int(y1), 0), column] = level
        return gray


def _build(gray: np.ndarray, house: House, focal: float, low: FloatArray) -> None:
    def column(x: float) -> int:
        return max(int(focal * (x - low[0])), 0)

    def row(y: float) -> int:
        return max(int(focal * (y - low[1])), 0)

    eaves = 24.0 / _WIDTH
    gray[row(house.top) :, column(house.left) : column(house.right)] = house.wall
    gray[
        row(house.top) : row(house.top + eaves),
        column(house.left) : column(house.right),
    ] = house.roof
    step = house.step
    for y in np.arange(house.top + 2.0 * eaves, 1.0, step):
        for x in np.arange(house.left + eaves, house.right - 2.0 * eaves, step):
            pane = slice(row(y), row(y + step / 2.0))
            gray[pane, column(x) : column(x + step / 3.0)] = house.pane
            bar = x + step / 6.0
            gray[pane, column(bar) : column(bar + eaves / 4.0)] = house.wall


def random_meadow(rng: np.random.Generator) -> Meadow:
    """Return a meadow at random."""
    trees = [_random_tree(rng) for _ in range(rng.integers(4, 9))]
    wires = [
        (
            rng.uniform(-0.40, 0.16),
            rng.uniform(-0.40, 0.16),
            rng.uniform(1.5, 4.0) / (3.0 * 718.0),
            rng.uniform(20.0, 80.0),
        )
        for _ in range(rng.integers(0, 3))
    ]
    sun = np.array([rng.normal(0.0, 0.6), rng.normal(-0.2, 0.5), 0.9])
    house = None
    if rng.uniform() < 0.6:
        left = rng.uniform(-0.54, 0.33)
        house = House(
            left=left,
            right=left + rng.uniform(0.2, 0.5),
            top=rng.uniform(-0.04, 0.24),
            step=rng.uniform(0.046, 0.093),
            wall=rng.uniform(90.0, 220.0),
            pane=rng.uniform(30.0, 120.0),
            roof=rng.uniform(40.0, 120.0),
        )
    return Meadow(
        slope=(rng.uniform(170.0, 215.0), rng.uniform(195.0, 240.0)),
        contrast=rng.uniform(10.0, 35.0),
        seed=int(rng.integers(2**31)),
        house=house,
        trees=tuple(sorted(trees, key=lambda tree: -tree.distance)),
        wires=tuple(wires),
        light=Light(
            direction=sun / np.linalg.norm(sun),
            ambient=rng.uniform(110.0, 170.0),
            direct=rng.uniform(30.0, 140.0),
        ),
    )


def _random_tree(rng: np.random.Generator) -> Tree:
    """Return a trunk, and leaves in a crown of several lobes, dark ones first."""
    unit = 1.0 / (3.0 * 718.0)  # tangent of a sample
    x = rng.uniform(-0.75, 0.75) / unit
    top = rng.uniform(0.1 - 0.5, 0.75 - 0.5) * _HEIGHT
    trunk = rng.uniform(12.0, 40.0)
    size = rng.uniform(3.0, 8.0)  # a hand of leaves, 8 to 25 m away
    count = int(rng.uniform(1.2e6, 2.0e6) / (size * size))
    lobes = np.stack(
        [
            x + rng.normal(0.0, 220.0, 9),
            top + rng.uniform(50.0, _HEIGHT / 2.0 - top + 100.0, 9),
        ],
        axis=1,
    )
    lobe = rng.integers(0, 9, count)
    xy = lobes[lobe] + rng.normal(0.0, 90.0, (count, 2))
    shade = np.sort(rng.uniform(0.0, 1.0, count))
    dark, spread = rng.uniform(20.0, 60.0), rng.uniform(40.0, 100.0)
    height = np.clip((lobes[lobe, 1] - xy[:, 1]) / 180.0, -1.0, 1.0)
    grain = rng.uniform(size=count)
    level = dark + spread * (0.45 * shade + 0.25 * height + 0.3 * grain)
    axes = size * rng.uniform((0.6, 0.25), (1.6, 0.8), (count, 2))
    return Tree(
        distance=64.0 / size,  # 8 to 21 m
        trunk=(unit * (x - trunk), unit * (x + trunk), unit * top),
        trunk_level=rng.uniform(30.0, 70.0),
        xy=unit * xy,
        axes=unit * axes,
        angle=rng.uniform(0.0, math.pi, count),
        level=np.clip(level, 8.0, 235.0),
    )
