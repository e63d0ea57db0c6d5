"""Places in which balls fly: a hall with lamps, a meadow with trees; drawn at random.

Both are cast with several rays per pixel, so edges are as soft as a sensor sees them.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.core.kernels.compile import kernel
from gelenk.core.typing import FloatArray
from gelenk.testing.ball_images import BallCamera, Place

_RAYS = 3  # per pixel and axis


def indoor_place(rng: np.random.Generator, camera: BallCamera | None = None) -> Place:
    """Return a hall: white walls, beams, windows, shelves, pictures, round lamps."""
    camera = camera or BallCamera()
    room = np.array(
        [rng.uniform(3.0, 6.0), rng.uniform(7.0, 11.0), rng.uniform(3.0, 5.0)]
    )
    rays = _world_rays(camera)  # x right, y ahead, z up from the camera
    walls = np.where(rays > 0.0, room, -np.array([room[0], 2.0, 0.75], np.float32))
    with np.errstate(divide="ignore"):
        times = walls / rays
    wall = times.argmin(axis=-1)
    hit = rays * times.min(axis=-1)[..., None]
    del times, walls
    shades = rng.uniform((150.0, 160.0, 110.0), (215.0, 225.0, 190.0))
    gray = shades.astype(np.float32)[wall]
    for side, (across, upwards) in enumerate(((1, 2), (0, 2), (0, 1))):
        spots = np.flatnonzero(wall == side)
        u, w = (hit[..., k].ravel()[spots] for k in (across, upwards))
        for _ in range(rng.integers(5, 10)):
            _paint_panel(gray.ravel(), spots, u, w, room, rng)
        for _ in range(rng.integers(1, 4)):  # beams, pipes, cables
            along, middle = (u, w)[rng.integers(2)], rng.uniform(-2.0, 7.0)
            beam = np.abs(along - middle) < rng.choice((0.02, 0.05, 0.2))
            gray.ravel()[spots[beam]] *= rng.uniform(0.5, 1.15)
    lamps = np.zeros((rng.integers(2, 6), 3))
    for lamp in lamps:
        p = rng.uniform((-3.0, 2.0, 0.0), (3.0, room[1], 0.0))
        p[2] = room[2] - 0.02
        gray *= 0.93 + 0.25 / (1.0 + ((hit - p.astype(np.float32)) ** 2).sum(axis=-1))
        lamp[:] = _hang_lamp(gray, rays, hit, wall, p, camera, rng)
    image = _area_mean(gray)
    light = np.array([rng.normal(0.0, 0.3), -0.8, rng.normal(0.2, 0.3)])
    return Place(
        kind="indoor",
        image=np.clip(image, 0.0, 255.0),
        light=light / np.linalg.norm(light),
        ambient=rng.uniform(110.0, 160.0),
        direct=rng.uniform(40.0, 100.0),
        lamps=lamps,
        camera=camera,
    )


def outdoor_place(rng: np.random.Generator, camera: BallCamera | None = None) -> Place:
    """Return a meadow's horizon: sky with clouds, trees of many leaves, a house."""
    camera = camera or BallCamera()
    rows, columns = camera.height * _RAYS, camera.width * _RAYS
    slope = np.linspace(rng.uniform(170.0, 215.0), rng.uniform(195.0, 240.0), rows)
    gray = slope[:, None] + rng.uniform(10.0, 35.0) * _clouds(rows, columns, rng)
    if rng.uniform() < 0.6:
        _build_house(gray, rng)
    for _ in range(rng.integers(3, 7)):
        _plant_tree(gray, rng)
    for _ in range(rng.integers(0, 3)):  # wires
        y0, y1 = rng.uniform(0.0, 0.7 * rows, 2)
        line = y0 + (y1 - y0) * np.arange(columns) / columns
        near = np.abs(np.arange(rows)[:, None] - line) < rng.uniform(1.5, 4.0)
        gray[near] = rng.uniform(20.0, 80.0)
    sun = np.array([rng.normal(0.0, 0.6), -0.8, rng.normal(-0.2, 0.5)])
    return Place(
        kind="outdoor",
        image=np.clip(_area_mean(gray), 0.0, 255.0),
        light=sun / np.linalg.norm(sun),
        ambient=rng.uniform(110.0, 170.0),
        direct=rng.uniform(30.0, 140.0),
        camera=camera,
    )


def _world_rays(camera: BallCamera) -> np.ndarray:
    """Return directions with unit depth, x right, y ahead, z up, (rows, columns, 3)."""
    shift = (np.arange(_RAYS) + 0.5) / _RAYS - 0.5
    x = (np.arange(camera.width)[:, None] + shift).ravel() - camera.axis[0]
    y = (np.arange(camera.height)[:, None] + shift).ravel() - camera.axis[1]
    right, down = np.meshgrid(x / camera.focal, y / camera.focal)
    c, s = math.cos(camera.pitch), math.sin(camera.pitch)
    rays = [right, c + s * down, s - c * down]
    return np.stack(rays, axis=-1).astype(np.float32)


def _paint_panel(
    gray: np.ndarray,
    spots: np.ndarray,
    u: FloatArray,
    w: FloatArray,
    room: FloatArray,
    rng: np.random.Generator,
) -> None:
    """Paint a window, a shelf, a picture or a plain board onto a surface."""
    u0, w0 = rng.uniform(-room[0], room[1]), rng.uniform(0.3, room.max())
    width, height = rng.uniform(0.2, 1.5), rng.uniform(0.2, 1.2)
    inside = (u > u0) & (u < u0 + width) & (w > w0) & (w < w0 + height)
    if not inside.any():
        return
    s, t = (u[inside] - u0) / width, (w[inside] - w0) / height
    s, t = np.clip(s, 0.0, 0.999), np.clip(t, 0.0, 0.999)
    spots = spots[inside]
    kind = rng.integers(4)
    if kind == 0:  # a window with bars
        bars = (np.abs(s * 3 % 1 - 0.5) > 0.44) | (np.abs(t * 2 % 1 - 0.5) > 0.45)
        gray[spots] = np.where(
            bars, rng.uniform(60.0, 220.0), rng.uniform(190.0, 250.0)
        )
    elif kind == 1:  # a shelf with books
        spines = rng.uniform(30.0, 200.0, (3, 24))
        gray[spots] = spines[(t * 3).astype(int), (s * 24).astype(int)]
    elif kind == 2:  # a picture, rough in all sizes
        picture = np.clip(120.0 + 60.0 * _clouds(64, 64, rng), 20.0, 230.0)
        gray[spots] = picture[(t * 64).astype(int), (s * 64).astype(int)]
    else:
        gray[spots] = rng.uniform(40.0, 230.0)


def _hang_lamp(
    gray: np.ndarray,
    rays: np.ndarray,
    hit: np.ndarray,
    wall: np.ndarray,
    p: FloatArray,
    camera: BallCamera,
    rng: np.random.Generator,
) -> tuple[float, float, float]:
    """Draw a globe below or a disc at the ceiling; return its place in the image."""
    is_globe = rng.uniform() < 0.6
    radius = rng.uniform(0.08, 0.25)
    if is_globe:
        p = p - np.array([0.0, 0.0, rng.uniform(0.2, 1.0)])
    c, s = math.cos(camera.pitch), math.sin(camera.pitch)
    depth, down = c * p[1] + s * p[2], s * p[1] - c * p[2]
    x, y = camera.focal * np.array([p[0], down]) / depth + np.array(camera.axis)
    size = camera.focal * radius / depth
    first = [max(int(_RAYS * (v - 1.6 * size)), 0) for v in (y, x)]
    last = [max(int(_RAYS * (v + 1.6 * size)), 0) for v in (y, x)]
    part = np.s_[first[0] : last[0], first[1] : last[1]]
    if is_globe:
        ray = rays[part]
        square = (ray * ray).sum(axis=-1)
        along = (ray @ p) / square
        lamp = along * along - (p @ p - radius * radius) / square > 0.0
        middle = int(_RAYS * x)
        if 2 <= middle < gray.shape[1] - 2:
            gray[: int(max(_RAYS * y, 0)), middle - 2 : middle + 2] = 70.0  # its rod
    else:
        lamp = ((hit[part] - p)[..., :2] ** 2).sum(axis=-1) < radius * radius
        lamp &= wall[part] == 2
    gray[part][lamp] = rng.uniform(225.0, 255.0)
    return float(x), float(y), float(size)


def _build_house(gray: FloatArray, rng: np.random.Generator) -> None:
    rows, columns = gray.shape
    top, left = int(rng.uniform(0.45, 0.8) * rows), int(rng.uniform(0.0, 0.8) * columns)
    right = left + int(rng.uniform(0.2, 0.5) * columns)
    wall, pane = rng.uniform(90.0, 220.0), rng.uniform(30.0, 120.0)
    gray[top:, left:right] = wall
    gray[top : top + 24, left:right] = rng.uniform(40.0, 120.0)
    step = int(rng.uniform(100.0, 200.0))
    for y in range(top + 60, rows, step):
        for x in range(left + 30, right - 60, step):
            gray[y : y + step // 2, x : x + step // 3] = pane
            gray[y : y + step // 2, x + step // 6 : x + step // 6 + 6] = wall


def _plant_tree(gray: FloatArray, rng: np.random.Generator) -> None:
    """Paint a trunk, and leaves in a crown of several lobes, dark ones first."""
    rows, columns = gray.shape
    x = rng.uniform(0.0, columns)
    top = rng.uniform(0.1, 0.75) * rows
    trunk = rng.uniform(12.0, 40.0)
    gray[int(top) :, max(int(x - trunk), 0) : max(int(x + trunk), 1)] = rng.uniform(
        30, 70
    )
    size = rng.uniform(3.0, 8.0)  # a hand of leaves, 8 to 25 m away
    count = int(rng.uniform(1.2e6, 2.0e6) / (size * size))
    lobes = np.stack(
        [x + rng.normal(0.0, 220.0, 9), top + rng.uniform(50.0, rows - top + 100.0, 9)],
        1,
    )
    lobe = rng.integers(0, 9, count)
    xy = lobes[lobe] + rng.normal(0.0, 90.0, (count, 2))
    shade = np.sort(rng.uniform(0.0, 1.0, count))
    dark, spread = rng.uniform(20.0, 60.0), rng.uniform(40.0, 100.0)
    height = np.clip((lobes[lobe, 1] - xy[:, 1]) / 180.0, -1.0, 1.0)
    level = dark + spread * (
        0.45 * shade + 0.25 * height + 0.3 * rng.uniform(size=count)
    )
    axes = size * rng.uniform((0.6, 0.25), (1.6, 0.8), (count, 2))
    _paint_leaves(
        gray, xy, axes, rng.uniform(0.0, math.pi, count), np.clip(level, 8, 235)
    )


@kernel
def _paint_leaves(gray, xy, axes, angle, level):
    rows, columns = gray.shape
    for k in range(len(xy)):
        c, s = np.cos(angle[k]), np.sin(angle[k])
        reach = max(axes[k, 0], axes[k, 1])
        for y in range(
            max(int(xy[k, 1] - reach), 0), min(int(xy[k, 1] + reach) + 2, rows)
        ):
            for x in range(
                max(int(xy[k, 0] - reach), 0), min(int(xy[k, 0] + reach) + 2, columns)
            ):
                u = (c * (x - xy[k, 0]) + s * (y - xy[k, 1])) / axes[k, 0]
                v = (c * (y - xy[k, 1]) - s * (x - xy[k, 0])) / axes[k, 1]
                if abs(u) + abs(v) * (1.0 + 0.3 * u) < 1.0:  # pointed, not round
                    gray[y, x] = level[k]


def _clouds(rows: int, columns: int, rng: np.random.Generator) -> FloatArray:
    """Return noise with structure of all sizes, about -1 to 1, (rows, columns)."""
    out = np.zeros((rows, columns))
    y, x = np.arange(rows) / max(rows, columns), np.arange(columns) / max(rows, columns)
    for octave in range(2, 7):
        cells = 2**octave
        grid = rng.normal(0.0, 1.0, (cells + 2, cells + 2))
        i, j = (y * cells).astype(int), (x * cells).astype(int)
        a, b = (y * cells - i)[:, None], x * cells - j
        a, b = a * a * (3.0 - 2.0 * a), b * b * (3.0 - 2.0 * b)
        upper = grid[np.ix_(i, j)] * (1.0 - b) + grid[np.ix_(i, j + 1)] * b
        lower = grid[np.ix_(i + 1, j)] * (1.0 - b) + grid[np.ix_(i + 1, j + 1)] * b
        out += 0.6**octave * ((1.0 - a) * upper + a * lower)
    return out


def _area_mean(gray: np.ndarray) -> FloatArray:
    rows, columns = gray.shape
    parts = gray.reshape(rows // _RAYS, _RAYS, columns // _RAYS, _RAYS)
    return parts.mean(axis=(1, 3), dtype=np.float64)
