"""Edge pixels linked into contours by likeness of neighbouring gradients.

Two edge pixels near each other belong to one contour if

    | |grad f| - |grad f~| | <= T   and   |angle - angle~| < A  (modulo 2 pi)

The course writes the first condition for the gradients themselves and the angle as an
arctangent; meant are magnitudes, and atan2 (E-28).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.edges import Gradient
from gelenk.vision.neighborhood import neighborhoods
from gelenk.vision.regions import shifted_pair


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contours:
    """Linked edge pixels.

    Attributes:
        labels: Number of the contour, 0 the longest, -1: none; shape (rows, columns).
        count: Number of contours.
    """

    labels: IntArray
    count: int

    def pixels(self, number: int) -> IntArray:
        """Return the pixels (x, y) of one contour, shape (k, 2)."""
        return np.argwhere(self.labels == number)


def edge_candidates(gradient: Gradient, threshold: float) -> BoolArray:
    """Return pixels with steep brightness: the first step, shape (rows, columns)."""
    return np.asarray(gradient.magnitude >= threshold)


def crests(gradient: Gradient, threshold: float) -> BoolArray:
    """Return candidates that no neighbour along the gradient exceeds: thin lines."""
    M = gradient.magnitude
    around = neighborhoods(M, (3, 3))
    turn = np.round(np.arctan2(gradient.y, gradient.x) / (np.pi / 4.0)).astype(int) % 4
    # direction of the gradient, to the nearest 45 degrees: down, down-right, ...
    dx, dy = np.array([1, 1, 0, -1])[turn], np.array([0, 1, 1, 1])[turn]
    i, j = np.indices(M.shape)
    ahead, behind = around[i, j, 1 + dx, 1 + dy], around[i, j, 1 - dx, 1 - dy]
    return np.asarray((threshold <= M) & (ahead <= M) & (behind < M))


def link_edges(
    gradient: Gradient,
    candidates: ArrayLike,
    *,
    max_difference: float,
    max_angle: float,
    reach: int = 1,
) -> Contours:
    """Return contours: edge pixels joined to like ones near them.

    Args:
        gradient: Of the image, (rows, columns).
        candidates: Edge pixels, bool, (rows, columns).
        max_difference: T, of the magnitudes, in their unit.
        max_angle: A, between the directions [rad].
        reach: How far a neighbour may be [px], 1: the eight around; more bridges gaps.

    Example:
        >>> from gelenk.vision.edges import sobel
        >>> disc = 100.0 * (np.hypot(*np.mgrid[-9:10, -9:10]) < 6.0)
        >>> edges = sobel(disc)
        >>> link_edges(edges, edges.magnitude > 150.0,
        ...            max_difference=200.0, max_angle=1.0).count
        1
    """
    if reach < 1:
        raise ConfigError(f"`reach` must be at least 1 px, got {reach}")
    is_edge = np.asarray(candidates, dtype=bool)
    M, angle = gradient.magnitude, gradient.angle
    number = np.full(is_edge.shape, -1, dtype=np.int64)
    number[is_edge] = np.arange(np.count_nonzero(is_edge))
    pairs = [np.zeros((2, 0), dtype=np.int64)]
    for dx in range(reach + 1):
        for dy in range(-reach, reach + 1):
            if dx > 0 or dy > 0:
                a, b = shifted_pair(is_edge.shape, dx, dy)
                is_like = (
                    is_edge[a]
                    & is_edge[b]
                    & (np.abs(M[a] - M[b]) <= max_difference)
                    & (_turn(angle[a], angle[b]) < max_angle)
                )
                pairs.append(np.stack([number[a][is_like], number[b][is_like]]))
    total = int(is_edge.sum())
    first, second = np.concatenate(pairs, axis=1)
    links = coo_matrix((np.ones(len(first)), (first, second)), shape=(total, total))
    count, owner = connected_components(links, directed=False)
    sizes = np.bincount(owner, minlength=count)
    rank = np.empty(count, dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(count)
    labels = np.full(is_edge.shape, -1, dtype=np.int64)
    labels[is_edge] = rank[owner]
    return Contours(labels=labels, count=int(count))


def _turn(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the angle between directions, 0 to pi [rad]."""
    turn = np.mod(np.abs(a - b), 2.0 * np.pi)
    return np.minimum(turn, 2.0 * np.pi - turn)
