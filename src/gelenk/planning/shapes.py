"""Shapes in the plane and in space, combined by set operations (CSG).

Elementary bodies are closed sets; `|`, `&`, `-` and `moved` build others. What to know
of such a description: it is not unique (De Morgan: two trees, one set), points on a
boundary may change sides with the last bit of a number, and a small change of a number
moves the boundary by as much, never more, but may open or close a gap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.geometry import polygon
from gelenk.typing import ArrayLike, BoolArray, FloatArray

if TYPE_CHECKING:
    from collections.abc import Iterable


class Shape:
    """A set of points in the plane or in space."""

    __slots__ = ()

    def contains(self, points: ArrayLike) -> BoolArray:
        """Return whether points [m], shape (..., n), belong to the set, shape (...)."""
        raise NotImplementedError

    def __or__(self, other: Shape) -> Shape:
        return Union(a=self, b=other)

    def __and__(self, other: Shape) -> Shape:
        return Intersection(a=self, b=other)

    def __sub__(self, other: Shape) -> Shape:
        return Difference(a=self, b=other)

    def moved(self, matrix: ArrayLike, offset: ArrayLike) -> Shape:
        """Return the set of all A p + b: turned, stretched, sheared and shifted.

        Args:
            matrix: A, invertible, shape (n, n).
            offset: b [m], shape (n,).
        """
        A = as_finite("matrix", matrix, ())
        b = as_finite("offset", offset, (A.shape[-1],))
        if A.shape != (len(b), len(b)) or abs(np.linalg.det(A)) < 1e-12:
            raise ConfigError("`matrix` must be square and invertible")
        inverse: FloatArray = np.asarray(np.linalg.inv(A), dtype=np.float64)
        return Moved(shape=self, inverse=inverse, offset=b)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ball(Shape):
    """A disc or a ball: |p - c| <= r.

    Example:
        A washer:

        >>> ring = Ball(center=[0, 0], radius=2.0) - Ball(center=[0, 0], radius=1.0)
        >>> ring.contains([[0.5, 0.0], [1.5, 0.0]]).tolist()
        [False, True]
    """

    center: FloatArray
    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", as_finite("center", self.center, ()))
        if not self.radius > 0.0:
            raise ConfigError(f"`radius` must be positive, got {self.radius}")

    def contains(self, points: ArrayLike) -> BoolArray:
        return np.asarray(self.distance(points) <= 0.0)

    def distance(self, points: ArrayLike) -> FloatArray:
        """Return signed distances [m], negative inside, shape (...)."""
        offset = np.asarray(points, dtype=float) - self.center
        return np.linalg.norm(offset, axis=-1) - self.radius

    def away(self, points: ArrayLike) -> FloatArray:
        """Return the gradient of `distance`, unit vectors, shape (..., n)."""
        offset = np.asarray(points, dtype=float) - self.center
        norm = np.linalg.norm(offset, axis=-1, keepdims=True)
        return offset / np.where(norm > 0.0, norm, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Box(Shape):
    """A rectangle or cuboid along the axes: lower <= p <= upper."""

    lower: FloatArray
    upper: FloatArray

    def __post_init__(self) -> None:
        lower, upper = (np.asarray(v, dtype=float) for v in (self.lower, self.upper))
        if lower.shape != upper.shape or not (lower < upper).all():
            raise ConfigError(f"`lower` {lower} must be below `upper` {upper}")
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    def contains(self, points: ArrayLike) -> BoolArray:
        p = np.asarray(points, dtype=float)
        return np.asarray(((p >= self.lower) & (p <= self.upper)).all(axis=-1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ellipsoid(Shape):
    """An ellipse or ellipsoid along the axes: sum ((p - c) / s)^2 <= 1."""

    center: FloatArray
    semi_axes: FloatArray

    def __post_init__(self) -> None:
        semi_axes = np.asarray(self.semi_axes, dtype=float)
        if not (semi_axes > 0.0).all():
            raise ConfigError(f"`semi_axes` must be positive, got {semi_axes}")
        object.__setattr__(self, "center", np.asarray(self.center, dtype=float))
        object.__setattr__(self, "semi_axes", semi_axes)

    def contains(self, points: ArrayLike) -> BoolArray:
        scaled = (np.asarray(points, dtype=float) - self.center) / self.semi_axes
        return np.asarray((scaled * scaled).sum(axis=-1) <= 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HalfSpace(Shape):
    """All points behind a line or plane: n p <= d."""

    normal: FloatArray
    offset: float

    def contains(self, points: ArrayLike) -> BoolArray:
        height = np.asarray(points, dtype=float) @ np.asarray(self.normal)
        return np.asarray(height <= self.offset)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Polygon(Shape):
    """A simple polygon in the plane, corners in either direction, shape (n, 2)."""

    corners: FloatArray

    def __post_init__(self) -> None:
        corners = polygon.as_polygon("corners", self.corners)
        object.__setattr__(self, "corners", corners)

    def contains(self, points: ArrayLike) -> BoolArray:
        return polygon.contains(self.corners, points)

    def nearest(self, points: ArrayLike) -> FloatArray:
        """Return the points of the boundary nearest to points, shape (..., 2)."""
        p = np.asarray(points, dtype=float)
        a = self.corners
        feet = nearest_on_segments(p[..., None, :], a, np.roll(a, -1, axis=0))
        gaps = np.linalg.norm(p[..., None, :] - feet, axis=-1)
        k = gaps.argmin(axis=-1)
        return np.take_along_axis(feet, k[..., None, None], axis=-2)[..., 0, :]

    def distance(self, points: ArrayLike) -> FloatArray:
        """Return signed distances [m], negative inside, shape (...)."""
        p = np.asarray(points, dtype=float)
        gap = np.linalg.norm(p - self.nearest(p), axis=-1)
        return np.where(self.contains(p), -gap, gap)

    def away(self, points: ArrayLike) -> FloatArray:
        """Return the gradient of `distance`, unit vectors, shape (..., 2)."""
        p = np.asarray(points, dtype=float)
        offset = p - self.nearest(p)
        norm = np.linalg.norm(offset, axis=-1, keepdims=True)
        sign = np.where(self.contains(p), -1.0, 1.0)[..., None]
        return sign * offset / np.where(norm > 0.0, norm, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Union(Shape):
    """Points of either shape."""

    a: Shape
    b: Shape

    def contains(self, points: ArrayLike) -> BoolArray:
        return self.a.contains(points) | self.b.contains(points)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intersection(Shape):
    """Points of both shapes."""

    a: Shape
    b: Shape

    def contains(self, points: ArrayLike) -> BoolArray:
        return self.a.contains(points) & self.b.contains(points)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Difference(Shape):
    """Points of the first shape that are not in the second."""

    a: Shape
    b: Shape

    def contains(self, points: ArrayLike) -> BoolArray:
        return self.a.contains(points) & ~self.b.contains(points)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moved(Shape):
    """A shape under an affine map; `inverse` leads back to the shape's own axes."""

    shape: Shape
    inverse: FloatArray
    offset: FloatArray

    def contains(self, points: ArrayLike) -> BoolArray:
        back = (np.asarray(points, dtype=float) - self.offset) @ self.inverse.T
        return self.shape.contains(back)


def united(shapes: Iterable[Shape]) -> Shape:
    """Return the union of at least one shape."""
    first, *rest = shapes
    for shape in rest:
        first = first | shape
    return first


def nearest_on_segments(
    points: FloatArray, starts: FloatArray, ends: FloatArray
) -> FloatArray:
    """Return the points of segments nearest to points; shapes (..., n) broadcast."""
    along = ends - starts
    square = (along * along).sum(axis=-1)
    share = ((points - starts) * along).sum(axis=-1) / np.where(square > 0, square, 1.0)
    return starts + np.clip(share, 0.0, 1.0)[..., None] * along
