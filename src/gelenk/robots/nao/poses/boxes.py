"""What a robot's bodies touch and hide: boxes that overlap, lines of sight they cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

_PARALLEL = 1e-9  # cross products of unit vectors shorter than this say nothing


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Boxes:
    """The boxes around a robot's bodies, one row each.

    Attributes:
        links: Names of the links that carry them.
        link_ids: Their indices, shape (m,).
        T_link_box: Middle and axes in the link, shape (m, 4, 4).
        half: Half edges [m], shape (m, 3).
    """

    links: tuple[str, ...]
    link_ids: IntArray
    T_link_box: FloatArray
    half: FloatArray

    def poses(self, T_links: FloatArray) -> FloatArray:
        """Return the boxes' poses, (..., m, 4, 4), from those of all links."""
        return T_links[..., self.link_ids, :, :] @ self.T_link_box

    def indices(self, *links: str) -> IntArray:
        """Return the rows of some links."""
        return np.array([i for i, name in enumerate(self.links) if name in links])


def collision_boxes(model: RobotModel) -> Boxes:
    """Return a box around each shape of the model that can be touched."""
    links, ids, frames, halves = [], [], [], []
    for index, (name, shapes) in enumerate(
        zip(model.link_names, model.geometry, strict=True)
    ):
        for shape in shapes:
            if shape.role != "collision":
                continue
            links.append(name)
            ids.append(index)
            frames.append(np.asarray(shape.T_link_geometry, dtype=np.float64))
            halves.append(_half_edges(shape.kind, shape.size))
    return Boxes(
        links=tuple(links),
        link_ids=np.array(ids, dtype=np.int64),
        T_link_box=np.array(frames).reshape(-1, 4, 4),
        half=np.array(halves).reshape(-1, 3),
    )


def _half_edges(kind: str, size: tuple[float, ...]) -> tuple[float, float, float]:
    if kind == "box":
        return size[0] / 2.0, size[1] / 2.0, size[2] / 2.0
    if kind == "ellipsoid":
        return size[0], size[1], size[2]
    radius = size[0]
    if kind == "sphere":
        return radius, radius, radius
    caps = radius if kind == "capsule" else 0.0
    return radius, radius, size[1] / 2.0 + caps


def overlap(
    T_a: ArrayLike,
    half_a: ArrayLike,
    T_b: ArrayLike,
    half_b: ArrayLike,
    margin: float = 0.0,
) -> BoolArray:
    """Return whether boxes come nearer to each other than a margin.

    Two boxes are apart if and only if one of 15 directions separates them: the face
    normals of either, and the cross products of their edges (Gottschalk 1996). Along
    each, `margin` must lie between them.

    Args:
        T_a: Poses of the middles of some boxes, shape (..., 4, 4).
        half_a: Their half edges [m], shape (..., 3).
        T_b: Poses of the others.
        half_b: Their half edges.
        margin: Distance that must be kept [m].

    Returns:
        Shape (...,).
    """
    A, B = as_array("T_a", T_a, (4, 4)), as_array("T_b", T_b, (4, 4))
    a, b = as_array("half_a", half_a, (3,)), as_array("half_b", half_b, (3,))
    R_a, R_b = A[..., :3, :3], B[..., :3, :3]
    between = B[..., :3, 3] - A[..., :3, 3]
    edges = np.cross(
        np.swapaxes(R_a, -1, -2)[..., :, None, :],
        np.swapaxes(R_b, -1, -2)[..., None, :, :],
    )
    edges = edges.reshape(*edges.shape[:-3], 9, 3)
    directions = np.concatenate(
        [np.swapaxes(R_a, -1, -2), np.swapaxes(R_b, -1, -2), edges], axis=-2
    )
    length = np.linalg.norm(directions, axis=-1, keepdims=True)
    is_direction = length[..., 0] > _PARALLEL
    directions = directions / np.where(length > _PARALLEL, length, 1.0)
    reach_a = np.sum(np.abs(directions @ R_a) * a[..., None, :], axis=-1)
    reach_b = np.sum(np.abs(directions @ R_b) * b[..., None, :], axis=-1)
    distance = np.abs(np.einsum("...ij,...j->...i", directions, between))
    separates = is_direction & (distance > reach_a + reach_b + margin)
    return ~np.any(separates, axis=-1)


def hides(
    start: ArrayLike, end: ArrayLike, T_box: ArrayLike, half: ArrayLike
) -> BoolArray:
    """Return whether a box cuts the line from one point to another.

    Args:
        start: Where the lines begin [m], shape (..., 3).
        end: Where they end.
        T_box: Poses of the boxes, shape (..., 4, 4).
        half: Half edges [m], shape (..., 3).

    Returns:
        Shape (...,); a line that ends on a face is not cut.

    Example:
        >>> bool(hides([0, 0, 2], [0, 0, -2], np.eye(4), [1, 1, 1]))
        True
    """
    T = as_array("T_box", T_box, (4, 4))
    R = T[..., :3, :3]
    first = np.einsum(
        "...ji,...j->...i", R, as_array("start", start, (3,)) - T[..., :3, 3]
    )
    last = np.einsum("...ji,...j->...i", R, as_array("end", end, (3,)) - T[..., :3, 3])
    way = last - first
    size = as_array("half", half, (3,))
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (-size - first) / way, (size - first) / way
    inside = np.abs(first) < size
    low = np.where(way == 0.0, np.where(inside, -np.inf, np.inf), np.minimum(one, two))
    high = np.where(way == 0.0, np.where(inside, np.inf, -np.inf), np.maximum(one, two))
    enter = np.max(low, axis=-1).clip(min=0.0)
    leave = np.min(high, axis=-1).clip(max=1.0)
    return leave - enter > 1e-9
