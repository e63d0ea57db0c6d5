"""Shape features that stay the same when an object moves, turns or grows.

    area      A = sum g
    perimeter number of pixels of the outer contour
    holes     C - E, components less Euler number
    moments   m_pq = sum x^p y^q g,  eta_pq = mu_pq / mu_00^(1 + (p + q) / 2)

Central moments mu do not change with the place, eta not with the size, and Hu's seven
combinations of eta not with the direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.image_types import as_binary, as_levels
from gelenk.vision.segmentation import label_components, mask_outline, shifted_pair


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShapeFeatures:
    """Features of one object of a binary image.

    Attributes:
        area: Pixels of the object.
        perimeter: Pixels of its outer contour.
        holes: Number of holes.
        centroid: Centroid (x, y) [px], shape (2,).
        orientation: Direction of the longer axis, from x (down) towards y, -pi/2 to
            pi/2 [rad].
        elongation: Length of the longer over that of the shorter axis of inertia.
        roundness: 4 pi A / P^2 with P the length of all borders [px], 1 for discs.
        hu: Hu's seven moments, shape (7,).
    """

    area: int
    perimeter: int
    holes: int
    centroid: FloatArray
    orientation: float
    elongation: float
    roundness: float
    hu: FloatArray

    @property
    def invariants(self) -> FloatArray:
        """Holes, elongation, roundness and log |hu|: no place, size, direction."""
        logs = np.log10(np.abs(self.hu[:3]) + 1e-6)
        return np.array([float(self.holes), self.elongation, self.roundness, *logs])


def raw_moment(image: ArrayLike, p: int, q: int) -> float:
    """Return m_pq = sum x^p y^q g(x, y) of a gray or binary image."""
    g = as_levels("image", image)
    x, y = np.arange(float(g.shape[0])), np.arange(float(g.shape[1]))
    return float(x**p @ g @ y**q)


def central_moments(image: ArrayLike) -> FloatArray:
    """Return mu_pq for p, q = 0 to 3 about the centroid, shape (4, 4)."""
    g = as_levels("image", image)
    mass = raw_moment(g, 0, 0)
    if not mass > 0.0:
        raise ConfigError("an empty image has no moments")
    x = np.arange(float(g.shape[0])) - raw_moment(g, 1, 0) / mass
    y = np.arange(float(g.shape[1])) - raw_moment(g, 0, 1) / mass
    powers = np.arange(4)[:, None]
    return (x**powers) @ g @ (y**powers).T


def hu_moments(image: ArrayLike) -> FloatArray:
    """Return Hu's seven moments, invariant to place, size and direction, shape (7,).

    The seventh changes its sign in a mirror.
    """
    mu = central_moments(image)
    p, q = np.indices(mu.shape)
    eta = mu / mu[0, 0] ** (1.0 + (p + q) / 2.0)
    a, b = eta[2, 0] - eta[0, 2], 2.0 * eta[1, 1]
    c, d = eta[3, 0] - 3.0 * eta[1, 2], 3.0 * eta[2, 1] - eta[0, 3]
    e, f = eta[3, 0] + eta[1, 2], eta[2, 1] + eta[0, 3]
    u, v = e * (e**2 - 3.0 * f**2), f * (3.0 * e**2 - f**2)
    return np.array(
        [
            eta[2, 0] + eta[0, 2],
            a**2 + b**2,
            c**2 + d**2,
            e**2 + f**2,
            c * u + d * v,
            a * (e**2 - f**2) + 2.0 * b * e * f,
            d * u - c * v,
        ]
    )


def count_holes(image: Any) -> int:
    """Return the holes of a binary image: background that does not reach its border.

    Objects hang together by eight neighbours, so their background by four.

    Example:
        >>> ring = np.ones((5, 7))
        >>> ring[2, 3] = 0
        >>> count_holes(ring)
        1
    """
    ground = np.pad(as_binary(image), 1)
    return label_components(~ground, connectivity=4)[1] - 1


def euler_number(image: Any) -> int:
    """Return objects less holes, counted by 2 x 2 windows alone.

    With Q1, Q3 the windows of one and of three pixels and QD those of two across, the
    number is (Q1 - Q3 - 2 QD) / 4 for eight neighbours.
    """
    g = np.pad(as_binary(image), 1).astype(np.int64)
    total = g[:-1, :-1] + g[1:, :-1] + g[:-1, 1:] + g[1:, 1:]
    is_across = (total == 2) & (g[:-1, :-1] == g[1:, 1:])
    q1, q3 = np.count_nonzero(total == 1), np.count_nonzero(total == 3)
    return int(q1 - q3 - 2 * np.count_nonzero(is_across)) // 4


def shape_features(image: Any) -> ShapeFeatures:
    """Return the features of the one object of a binary image.

    Args:
        image: Image whose pixels other than 0 are the object, shape (rows, columns).

    Raises:
        ConfigError: If there is no object, or more than one.

    Example:
        >>> from gelenk.vision import shape_features
        >>> plate = np.zeros((9, 11))
        >>> plate[2:7, 2:9] = 1
        >>> plate[4, 5] = 0
        >>> found = shape_features(plate)
        >>> found.area, found.holes, found.perimeter
        (34, 1, 20)
    """
    mask = as_binary(image)
    count = label_components(mask)[1]
    if count != 1:
        raise ConfigError(f"expected one object, got {count}; label_components cuts")
    mu = central_moments(mask)
    area = mu[0, 0]
    second = np.array([[mu[2, 0], mu[1, 1]], [mu[1, 1], mu[0, 2]]]) / area
    spread, axes = np.linalg.eigh(second)
    # a pixel is a square, not a point: its own 1/12 keeps lines from zero width
    spread = spread + 1.0 / 12.0
    way = axes[:, 1] if axes[0, 1] >= 0.0 else -axes[:, 1]
    edge = mask_outline(mask)
    length = _contour_length(mask)
    return ShapeFeatures(
        area=int(area),
        perimeter=int(edge.sum()),
        holes=count_holes(mask),
        centroid=np.array([raw_moment(mask, 1, 0), raw_moment(mask, 0, 1)]) / area,
        orientation=float(np.arctan2(way[1], way[0])),
        elongation=float(np.sqrt(spread[1] / spread[0])),
        roundness=float(4.0 * np.pi * (area / length**2)),
        hu=hu_moments(mask),
    )


def mean_color(image: ArrayLike, mask: Any) -> FloatArray:
    """Return the mean colour of an object, shape (channels,)."""
    return np.asarray(image, dtype=float)[as_binary(mask)].mean(axis=0)


_DIRECTIONS = ((0, 1), (1, 2), (1, 1), (2, 1), (1, 0), (2, -1), (1, -1), (1, -2))


def _contour_length(mask: np.ndarray) -> float:
    """Return the length of all borders [px], by Crofton's count of crossings.

    Lines in direction k, 1 / |step| apart, cross a border N_k times; its length is
    pi / 2 times the mean of N_k / |step| over directions. Of our eight each stands for
    the angles nearest to it.
    """
    g = np.pad(mask, 2)
    angles = np.array([np.arctan2(dx, dy) for dx, dy in _DIRECTIONS])
    after = np.append(angles[1:], angles[0] + np.pi)
    before = np.insert(angles[:-1], 0, angles[-1] - np.pi)
    share = (after - before) / (2.0 * np.pi)
    length = 0.0
    for (dx, dy), weight in zip(_DIRECTIONS, share, strict=True):
        here, there = shifted_pair(g.shape, dx, dy)
        length += weight * np.count_nonzero(g[here] != g[there]) / np.hypot(dx, dy)
    return 0.5 * np.pi * float(length)
