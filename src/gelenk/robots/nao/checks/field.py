"""The field of a game: its lines, and how a robot at a known place should see them.

Field frame: origin at the centre spot, x towards the opponent's goal, y left, z up.
Camera frames look along x, z up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.robots.nao.config import T_MOUNT_CAMERA
from gelenk.spatial.se3 import inverse
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics, project, unproject

NEAREST = 0.2  # [m] ahead of the camera: lines are cut off there (Kastner 2014)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCfg:
    """Sizes of the field [m], Standard Platform League 2012.

    Attributes:
        length, width: Between the middles of the outer lines.
        line: Width of the lines.
        area_depth, area_width: Of the penalty areas.
        circle: Diameter of the centre circle.
        mark: Distance of the penalty marks from the goal lines.
        mark_size: Length of the arms of the penalty marks and of the centre spot.
    """

    length: float = 6.0
    width: float = 4.0
    line: float = 0.05
    area_depth: float = 0.6
    area_width: float = 2.2
    circle: float = 1.2
    mark: float = 1.8
    mark_size: float = 0.1


def field_lines(cfg: FieldCfg | None = None, spacing: float = 0.05) -> list[FloatArray]:
    """Return the middles of all lines as dense polylines in the field [m], (n, 3) each.

    The first five are straight: halfway line, touch lines, goal lines.

    Args:
        cfg: Sizes.
        spacing: Of the points [m].
    """
    k = cfg or FieldCfg()
    x, y = k.length / 2.0, k.width / 2.0
    segments = [
        ((0.0, -y), (0.0, y)),
        ((-x, y), (x, y)),
        ((-x, -y), (x, -y)),
        ((-x, -y), (-x, y)),
        ((x, -y), (x, y)),
    ]
    deep, wide = x - k.area_depth, k.area_width / 2.0
    for s in (-1.0, 1.0):
        segments += [
            ((s * x, wide), (s * deep, wide)),
            ((s * deep, wide), (s * deep, -wide)),
            ((s * deep, -wide), (s * x, -wide)),
        ]
    lines = [_dense(np.array(a), np.array(b), spacing) for a, b in segments]
    count = math.ceil(math.pi * k.circle / spacing)
    angle = np.linspace(0.0, 2.0 * math.pi, count + 1)
    circle = 0.5 * k.circle * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    lines.append(np.column_stack([circle, np.zeros(len(circle))]))
    return lines


def _dense(a: FloatArray, b: FloatArray, spacing: float) -> FloatArray:
    count = math.ceil(float(np.linalg.norm(b - a)) / spacing)
    share = np.linspace(0.0, 1.0, count + 1)[:, None]
    return np.column_stack([a + share * (b - a), np.zeros(count + 1)])


def field_pose(x: float, y: float, heading: float) -> FloatArray:
    """Return `T_field_ground` of a robot at a place [m] with a heading [rad]."""
    c, s = math.cos(heading), math.sin(heading)
    return np.array(
        [[c, -s, 0.0, x], [s, c, 0.0, y], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    )


def project_field(
    points: ArrayLike, T_field_camera: FloatArray, lens: Intrinsics
) -> FloatArray:
    """Return where points of the field appear [px], (n, 2); NaN nearer than `NEAREST`.

    Args:
        points: In the field's frame [m], (n, 3).
        T_field_camera: The camera, x along the optical axis, z up.
        lens: Its lens.
    """
    T_optics_field = inverse(T_field_camera @ T_MOUNT_CAMERA)
    p = np.asarray(points, dtype=np.float64) @ T_optics_field[:3, :3].T
    p = p + T_optics_field[:3, 3]
    pixels = project(lens, np.where(p[:, 2:] > NEAREST, p, np.nan))
    return pixels


def ground_point(
    pixels: ArrayLike, T_field_camera: FloatArray, lens: Intrinsics
) -> FloatArray:
    """Return the points of the ground that pixels show [m], (..., 2).

    NaN above the horizon.

    Args:
        pixels: (..., 2).
        T_field_camera: The camera as it is believed to be.
        lens: Its lens, likewise.
    """
    rays = unproject(lens, pixels) @ (T_field_camera @ T_MOUNT_CAMERA)[:3, :3].T
    with np.errstate(divide="ignore"):
        reach = -T_field_camera[2, 3] / rays[..., 2:]
    reach = np.where(reach > 0.0, reach, np.nan)
    return T_field_camera[:2, 3] + reach * rays[..., :2]


def line_offsets(
    image: np.ndarray,
    pixels: FloatArray,
    *,
    reach: float = 12.0,
    contrast: float = 25.0,
) -> FloatArray:
    """Return how far the white line in an image is from where it should be [px], (n,).

    Across the projected line the image is searched for the middle of what is brighter
    than half of the brightest above the darkest; the signed distance is positive to
    the right of the direction of the line. NaN where no line is seen: outside of the
    image, or where nothing stands out.

    Args:
        image: Gray levels, (rows, columns).
        pixels: Points along one projected line, in order, (n, 2).
        reach: How far to search on each side [px].
        contrast: Least difference of gray levels.
    """
    gray = np.asarray(image, dtype=np.float64)
    steps = np.arange(-reach, reach + 0.25, 0.25)
    along = np.gradient(pixels, axis=0) if len(pixels) > 1 else np.full((1, 2), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        along = along / np.linalg.norm(along, axis=1, keepdims=True)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    at = pixels[:, None] + steps[None, :, None] * across[:, None]
    values = _sample(gray, at)
    offsets = np.full(len(pixels), np.nan)
    for i, profile in enumerate(values):
        if not np.isfinite(profile).all():
            continue
        low, high = float(profile.min()), float(profile.max())
        if high - low < contrast:
            continue
        is_line = profile > 0.5 * (low + high)
        # One stripe, whole: neither cut off nor beside another one.
        edges = int(np.count_nonzero(np.diff(is_line.astype(int))))
        if edges != 2 or is_line[0] or is_line[-1]:
            continue
        weight = np.where(is_line, profile - 0.5 * (low + high), 0.0)
        offsets[i] = float(weight @ steps / weight.sum())
    return offsets


def _sample(gray: FloatArray, at: FloatArray) -> FloatArray:
    """Return the image between its pixels; NaN outside."""
    rows, columns = gray.shape
    with np.errstate(invalid="ignore"):
        inside = (at >= 0.0).all(axis=-1) & (at < (columns - 1, rows - 1)).all(axis=-1)
    u = np.where(inside, at[..., 0], 0.0)
    v = np.where(inside, at[..., 1], 0.0)
    i, j = v.astype(int), u.astype(int)
    a, b = v - i, u - j
    top = (1.0 - b) * gray[i, j] + b * gray[i, j + 1]
    bottom = (1.0 - b) * gray[i + 1, j] + b * gray[i + 1, j + 1]
    return np.where(inside, (1.0 - a) * top + a * bottom, np.nan)


def paint_field(
    cfg: FieldCfg | None = None, *, margin: float = 0.5, pixel: float = 0.01
) -> np.ndarray:
    """Return the field from above as an image, (rows, columns, 3) uint8.

    Its first row lies at the largest y, its first column at the smallest x. Edges are
    smooth: each pixel has the share of paint that covers it.

    Args:
        cfg: Sizes.
        margin: Carpet outside of the lines [m].
        pixel: Edge of a pixel [m].
    """
    k = cfg or FieldCfg()
    columns = round((k.length + 2.0 * margin) / pixel)
    rows = round((k.width + 2.0 * margin) / pixel)
    x = (np.arange(columns) + 0.5) * pixel - (k.length / 2.0 + margin)
    y = (k.width / 2.0 + margin) - (np.arange(rows) + 0.5) * pixel
    X, Y = np.meshgrid(x, y)
    paint = np.zeros(X.shape)

    def add(distance: FloatArray) -> None:
        cover = np.clip((k.line / 2.0 - distance) / pixel + 0.5, 0.0, 1.0)
        np.maximum(paint, cover, out=paint)

    for line in field_lines(k)[:-1]:
        a, b = line[0, :2], line[-1, :2]
        low, high = np.minimum(a, b), np.maximum(a, b)
        away_x = np.maximum(np.maximum(low[0] - X, X - high[0]), 0.0)
        away_y = np.maximum(np.maximum(low[1] - Y, Y - high[1]), 0.0)
        add(np.maximum(away_x, away_y))
    add(np.abs(np.hypot(X, Y) - k.circle / 2.0))
    half = k.mark_size / 2.0
    for middle in (0.0, k.length / 2.0 - k.mark, k.mark - k.length / 2.0):
        ahead, aside = np.abs(X - middle), np.abs(Y)
        add(np.maximum(np.maximum(ahead - half, 0.0), aside))
        if middle != 0.0:
            add(np.maximum(np.maximum(aside - half, 0.0), ahead))
    carpet, white = np.array((40.0, 105.0, 50.0)), np.array((235.0, 235.0, 235.0))
    colour = carpet + paint[..., None] * (white - carpet)
    return np.rint(colour).astype(np.uint8)
