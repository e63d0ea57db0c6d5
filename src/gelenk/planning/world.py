"""Regions combined by set operations (CSG), and a room with polygonal obstacles.

Elementary regions are closed sets; `|`, `&`, `-` and `moved` build others. Such a
description is not unique (De Morgan: two trees, one set), points on a boundary may
change sides with the last bit of a number, and a small change of a number moves the
boundary by as much, never more, but may open or close a gap.

The free space of the room is closed: touching an obstacle or the border is allowed
("semi-free"), so that shortest paths exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.geometry import polygon
from gelenk.geometry.polygon import contains, find_crossing, signed_area
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from collections.abc import Iterable


class Region:
    """A set of points in the plane or in space."""

    __slots__ = ()

    def contains(self, points: ArrayLike) -> BoolArray:
        """Return whether points [m], shape (..., n), belong to the set, shape (...)."""
        raise NotImplementedError

    def __or__(self, other: Region) -> Region:
        return RegionUnion(a=self, b=other)

    def __and__(self, other: Region) -> Region:
        return RegionIntersection(a=self, b=other)

    def __sub__(self, other: Region) -> Region:
        return RegionDifference(a=self, b=other)

    def moved(self, matrix: ArrayLike, offset: ArrayLike) -> Region:
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
        return MovedRegion(shape=self, inverse=inverse, offset=b)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BallRegion(Region):
    """A disc or a ball: |p - c| <= r.

    Example:
        A washer:

        >>> disc = BallRegion(center=[0, 0], radius=2.0)
        >>> ring = disc - BallRegion(center=[0, 0], radius=1.0)
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
class BoxRegion(Region):
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
class EllipsoidRegion(Region):
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
class HalfSpaceRegion(Region):
    """All points behind a line or plane: n p <= d."""

    normal: FloatArray
    offset: float

    def contains(self, points: ArrayLike) -> BoolArray:
        height = np.asarray(points, dtype=float) @ np.asarray(self.normal)
        return np.asarray(height <= self.offset)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PolygonRegion(Region):
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
        gap: FloatArray = np.linalg.norm(p - self.nearest(p), axis=-1)
        return np.where(self.contains(p), -gap, gap)

    def away(self, points: ArrayLike) -> FloatArray:
        """Return the gradient of `distance`, unit vectors, shape (..., 2)."""
        p = np.asarray(points, dtype=float)
        offset = p - self.nearest(p)
        norm = np.linalg.norm(offset, axis=-1, keepdims=True)
        sign = np.where(self.contains(p), -1.0, 1.0)[..., None]
        return sign * offset / np.where(norm > 0.0, norm, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RegionUnion(Region):
    """Points of either shape."""

    a: Region
    b: Region

    def contains(self, points: ArrayLike) -> BoolArray:
        return self.a.contains(points) | self.b.contains(points)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RegionIntersection(Region):
    """Points of both shapes."""

    a: Region
    b: Region

    def contains(self, points: ArrayLike) -> BoolArray:
        return self.a.contains(points) & self.b.contains(points)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RegionDifference(Region):
    """Points of the first shape that are not in the second."""

    a: Region
    b: Region

    def contains(self, points: ArrayLike) -> BoolArray:
        return self.a.contains(points) & ~self.b.contains(points)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MovedRegion(Region):
    """A shape under an affine map; `inverse` leads back to the shape's own axes."""

    shape: Region
    inverse: FloatArray
    offset: FloatArray

    def contains(self, points: ArrayLike) -> BoolArray:
        back = (np.asarray(points, dtype=float) - self.offset) @ self.inverse.T
        return self.shape.contains(back)


def unite_regions(shapes: Iterable[Region]) -> Region:
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


TOUCH = 1e-9  # [m]; closer than this is touching: far above rounding, below any robot
_CHUNK = 2_000_000  # numbers at a time


@dataclass(frozen=True, slots=True, eq=False)
class PolygonWorld:
    """A room and what stands in it.

    Attributes:
        obstacles: Simple polygons, anticlockwise, each of shape (k, 2) [m].
        lower: Corner of the room with the smallest coordinates [m], shape (2,).
        upper: The opposite corner [m], shape (2,).
        starts: First ends of all edges, shape (m, 2): obstacles, then the four walls.
        ends: Second ends, shape (m, 2).
        owner: Obstacle of each edge, shape (m,); -1 - k: wall k.

    Example:
        >>> from gelenk.planning import PolygonWorld
        >>> world = PolygonWorld([[[4, 4], [6, 4], [6, 6], [4, 6]]], [0, 0], [10, 10])
        >>> world.are_free([[1, 5], [5, 5]]).tolist()
        [True, False]
        >>> world.are_free_between([1, 4], [9, 4]).item()  # along its lower edge
        True
    """

    obstacles: Sequence[FloatArray]
    lower: FloatArray
    upper: FloatArray
    starts: FloatArray = field(init=False)
    ends: FloatArray = field(init=False)
    owner: IntArray = field(init=False)

    def __post_init__(self) -> None:
        lower = as_finite("lower", self.lower, (2,))
        upper = as_finite("upper", self.upper, (2,))
        if not (lower < upper).all():
            raise ConfigError(f"`lower` {lower} must be below `upper` {upper}")
        obstacles: list[FloatArray] = []
        for k, corners in enumerate(self.obstacles):
            points = as_finite(f"obstacles[{k}]", corners, (2,))
            if find_crossing(points) is not None:
                raise ConfigError(f"`obstacles[{k}]` crosses itself")
            obstacles.append(points if signed_area(points) > 0.0 else points[::-1])
        (x0, y0), (x1, y1) = lower, upper
        walls = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        rings = [*obstacles, walls]
        owners = [np.full(len(ring), k) for k, ring in enumerate(obstacles)]
        values = {
            "obstacles": tuple(obstacles),
            "lower": lower,
            "upper": upper,
            "starts": np.concatenate(rings),
            "ends": np.concatenate([np.roll(ring, -1, axis=0) for ring in rings]),
            "owner": np.concatenate([*owners, -1 - np.arange(4)]),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def free_area(self) -> float:
        """Area of the room less that of the obstacles, which must not overlap [m^2]."""
        room = float(np.prod(self.upper - self.lower))
        return room - sum(signed_area(corners) for corners in self.obstacles)

    def distances(self, points: ArrayLike) -> FloatArray:
        """Return the distance to every edge [m], shape (..., m)."""
        p = np.asarray(points, dtype=float)[..., None, :]
        feet = nearest_on_segments(p, self.starts, self.ends)
        return np.linalg.norm(p - feet, axis=-1)

    def clearance(self, points: ArrayLike) -> FloatArray:
        """Return signed distances to the nearest edge [m], negative if not free."""
        p = np.asarray(points, dtype=float)
        gap: FloatArray = self.distances(p).min(axis=-1)
        return np.where(self._are_outside(p), -gap, gap)

    def are_free(self, points: ArrayLike) -> BoolArray:
        """Return whether points lie in the closed free space, shape (...)."""
        return np.asarray(self.clearance(points) >= -TOUCH)

    def are_free_between(self, starts: ArrayLike, ends: ArrayLike) -> BoolArray:
        """Return whether segments stay in the closed free space, exactly, shape (...).

        A segment is cut wherever it meets an edge; between the cuts it lies on one
        side, and one point of each piece decides.
        """
        a, b = np.broadcast_arrays(
            np.asarray(starts, dtype=float), np.asarray(ends, dtype=float)
        )
        shape = a.shape[:-1]
        a, b = a.reshape(-1, 2), b.reshape(-1, 2)
        size = max(1, _CHUNK // (3 * len(self.starts) ** 2))
        parts = [
            self._are_free_between(a[k : k + size], b[k : k + size])
            for k in range(0, len(a), size)
        ]
        joined = np.concatenate(parts) if parts else np.empty(0, dtype=np.bool_)
        return joined.reshape(shape)

    def _are_free_between(self, a: FloatArray, b: FloatArray) -> BoolArray:
        cuts = np.sort(np.concatenate([self._cuts(a, b), np.ones((len(a), 1))], axis=1))
        cuts = np.concatenate([np.zeros((len(a), 1)), cuts], axis=1)
        middle = 0.5 * (cuts[:, 1:] + cuts[:, :-1])[..., None]
        points = a[:, None] + middle * (b - a)[:, None]
        ends_free = self.are_free(a) & self.are_free(b)
        return ends_free & self.are_free(points).all(axis=-1)

    def _cuts(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Return shares of segments where they meet edges or corners; else 0."""
        along = (b - a)[:, None]
        side = self.ends - self.starts
        offset = self.starts - a[:, None]
        cross = along[..., 0] * side[:, 1] - along[..., 1] * side[:, 0]
        safe = np.where(np.abs(cross) > 0.0, cross, np.inf)
        t = (offset[..., 0] * side[:, 1] - offset[..., 1] * side[:, 0]) / safe
        square = np.maximum((along * along).sum(axis=-1), 1e-300)
        beside = (offset * along).sum(axis=-1) / square
        gap = np.abs(offset[..., 0] * along[..., 1] - offset[..., 1] * along[..., 0])
        beside = np.where(gap <= TOUCH * np.sqrt(square), beside, 0.0)
        return np.clip(np.concatenate([t, beside], axis=1), 0.0, 1.0)

    def _are_outside(self, p: FloatArray) -> BoolArray:
        outside = np.asarray(((p < self.lower) | (p > self.upper)).any(axis=-1))
        for corners in self.obstacles:
            outside = outside | contains(corners, p)
        return np.asarray(outside)


def cast_rays(
    world: PolygonWorld, origin: ArrayLike, headings: ArrayLike, max_range: float
) -> FloatArray:
    """Return the distance at which rays meet the first edge [m].

    Args:
        world: Obstacles and walls.
        origin: Starts of the rays [m], shape (..., 2).
        headings: Directions of the rays [rad], shape (..., k).
        max_range: Range of a ray that meets nothing nearer [m].

    Returns:
        Ranges, shape (..., k).

    Example:
        >>> room = PolygonWorld([], [0, 0], [4, 2])
        >>> cast_rays(room, [1, 1], [0.0, np.pi / 2, np.pi], 10.0).tolist()
        [3.0, 1.0, 1.0]
    """
    p = np.asarray(origin, dtype=float)[..., None, None, :]
    angle = np.asarray(headings, dtype=float)[..., None]
    dx, dy = np.cos(angle), np.sin(angle)
    side = world.ends - world.starts
    offset = world.starts - p
    cross = dx * side[:, 1] - dy * side[:, 0]
    safe = np.where(np.abs(cross) > 1e-15, cross, np.nan)
    t = (offset[..., 0] * side[:, 1] - offset[..., 1] * side[:, 0]) / safe
    u = (offset[..., 0] * dy - offset[..., 1] * dx) / safe
    is_hit = (t >= 0.0) & (u >= -1e-12) & (u <= 1.0 + 1e-12)
    return np.where(is_hit, t, max_range).min(axis=-1, initial=max_range)
