"""Which parts of an image moving bodies can touch."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from gelenk.sim.bridge.cameras import MovingGeoms
from gelenk.sim.cameras.drawing import View, Window
from gelenk.typing import BoolArray, FloatArray, IntArray

# Drawing one more window costs as much as this many more samples in another one:
# 0.3 ms, where clearing, reading and comparing an empty sample takes 3 to 4 ns.
WINDOW_COST = 80_000
MARGIN = 1  # [samples], around an outline

Box: TypeAlias = tuple[int, int, int, int]
"""First column and row, and those after the last, rows from the top."""


def windows_around(
    view: View, Ts_camera_geom: FloatArray, geoms: MovingGeoms
) -> list[tuple[Window, frozenset[int]]]:
    """Return windows with the geoms in them that together contain all outlines.

    Windows are merged where one large one costs less than two.

    Args:
        view: Through which camera.
        Ts_camera_geom: Poses of the geoms in camera axes, (n, 4, 4).
        geoms: Their bounding spheres and boxes.
    """
    k, near, samples = view.pinhole, view.near, view.samples
    in_front = Ts_camera_geom[:, 2, 3] + geoms.radii > near
    poses, radii = Ts_camera_geom[in_front], geoms.radii[in_front]
    corners = geoms.corners[in_front] @ poses[:, :3, :3].swapaxes(1, 2)
    corners += poses[:, None, :3, 3]
    size = np.array([samples * k.width, samples * k.height])
    boxes = np.empty((len(poses), 4), dtype=np.int64)
    for axis, (f, c) in enumerate(((k.fx, k.cx), (k.fy, k.cy))):
        x, z = poses[:, axis, 3], poses[:, 2, 3]
        low, high = _sphere_extent(x, z, radii, near)
        low_box, high_box = _box_extent(corners[..., axis], corners[..., 2], near)
        low, high = np.maximum(low, low_box), np.minimum(high, high_box)
        first = np.clip(samples * (f * low + c + 0.5), -1e6, 1e6)
        last = np.clip(samples * (f * high + c + 0.5), -1e6, 1e6)
        boxes[:, axis] = np.clip(np.floor(first) - MARGIN, 0, size[axis])
        boxes[:, axis + 2] = np.clip(np.ceil(last) + MARGIN, 0, size[axis])
    is_seen = (boxes[:, 0] < boxes[:, 2]) & (boxes[:, 1] < boxes[:, 3])
    boxes, ids = boxes[is_seen], geoms.ids[in_front][is_seen]
    return [
        (
            Window(x0, int(size[1]) - y1, x1 - x0, y1 - y0),
            frozenset(ids[_touching(boxes, (x0, y0, x1, y1))].tolist()),
        )
        for x0, y0, x1, y1 in _cheapest(boxes, int(size[0]), int(size[1]))
    ]


def _touching(boxes: IntArray, box: Box) -> BoolArray:
    """Return which boxes have samples in common with one."""
    x0, y0, x1, y1 = box
    across = (boxes[:, 0] < x1) & (boxes[:, 2] > x0)
    return across & (boxes[:, 1] < y1) & (boxes[:, 3] > y0)


def _box_extent(
    x: FloatArray, z: FloatArray, near: float
) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and largest x / z of the corners (n, 8) of boxes."""
    is_close = (z <= near).any(axis=1)
    slope = x / np.maximum(z, near)
    low = np.where(is_close, -np.inf, slope.min(axis=1))
    return low, np.where(is_close, np.inf, slope.max(axis=1))


def _sphere_extent(
    x: FloatArray, z: FloatArray, r: FloatArray, near: float
) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and largest x / z of spheres, seen from the origin.

    In the plane y = 0 the tangents stand at angles theta +- asin(r / distance); a
    sphere that reaches the near plane can be anywhere.
    """
    distance = np.hypot(x, z)
    is_close: BoolArray = z - r <= near
    with np.errstate(invalid="ignore", divide="ignore"):
        alpha = np.arcsin(np.clip(r / distance, 0.0, 1.0))
    theta = np.arctan2(x, z)
    low = np.where(is_close, -np.inf, np.tan(theta - alpha))
    high = np.where(is_close, np.inf, np.tan(theta + alpha))
    return low, high


def _cheapest(boxes: IntArray, width: int, height: int) -> list[Box]:
    """Return boxes that cover some others at the least cost: merged, or one for all."""
    merged = _merge([tuple(box) for box in boxes.tolist()])
    cost = sum(_area(box) + WINDOW_COST for box in merged)
    whole = (0, 0, width, height)
    return merged if cost <= _area(whole) + WINDOW_COST else [whole]


def _merge(boxes: list[Box]) -> list[Box]:
    """Join boxes (x0, y0, x1, y1) as long as one window costs less than two."""
    merged: list[Box] = []
    for box in boxes:
        placed = box
        again = True
        while again:
            again = False
            for other in merged:
                union = (
                    min(placed[0], other[0]),
                    min(placed[1], other[1]),
                    max(placed[2], other[2]),
                    max(placed[3], other[3]),
                )
                apart = _area(placed) + _area(other) + WINDOW_COST
                if _area(union) <= apart:
                    merged.remove(other)
                    placed, again = union, True
                    break
        merged.append(placed)
    return merged


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
