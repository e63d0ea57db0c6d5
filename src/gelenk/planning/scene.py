"""Scenes of convex obstacles for points and arms, with compiled collision tests.

Obstacles: `planes`, rows (n, b) with n p <= b inside, body k owns rows first[k] to
first[k + 1] - 1; `balls`, rows (center, radius). Robot: `chain` as in
`kinematics.chain`, `cladding`, its collision spheres, rows (moving bodies before it,
center in the last of them, radius); without rows the configuration is itself the point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.errors import ConfigError
from gelenk.geometry.polygon import convex_pieces
from gelenk.kernels.chain import COLS as CHAIN_COLS
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    rot,
    scaled,
    turn,
    turned_about_z,
    vec,
    z_axis,
)
from gelenk.kinematics.chain import CHAIN_P, frame_chain
from gelenk.models.tree import RobotModel
from gelenk.planning.world import PolygonWorld
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray


@kernel
def clearance_at(
    p: FloatArray, planes: FloatArray, first: IntArray, balls: FloatArray
) -> float:
    """Return the distance of a point, shape (d,), to the nearest obstacle.

    Exact for balls; for bodies the largest distance to one of its planes, which is
    exact inside and beside faces and too small off edges and corners: the safe side.
    """
    d = p.shape[0]
    least = np.inf
    for k in range(first.shape[0] - 1):
        gap = -np.inf
        for i in range(first[k], first[k + 1]):
            height = -planes[i, d]
            for j in range(d):
                height += planes[i, j] * p[j]
            gap = max(gap, height)
        least = min(least, gap)
    for k in range(balls.shape[0]):
        square = 0.0
        for j in range(d):
            square += (p[j] - balls[k, j]) ** 2
        least = min(least, math.sqrt(square) - balls[k, d])
    return least


@kernel
def place_cladding(
    q: FloatArray, chain: FloatArray, cladding: FloatArray, out: FloatArray
) -> None:
    """Write the centers of the balls of an arm at q into out, shape (b, 3)."""
    R = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    p = (0.0, 0.0, 0.0)
    for i in range(chain.shape[0]):
        for k in range(cladding.shape[0]):
            if int(cladding[k, 0]) == i:
                center = add(p, turn(R, vec(cladding, k, 1)))
                out[k, 0], out[k, 1], out[k, 2] = center
        if i == chain.shape[0] - 1:
            break
        value = chain[i, 14] * q[int(chain[i, 13])] + chain[i, 15]
        p = add(p, turn(R, vec(chain, i, 9)))
        if chain[i, 12] != 0.0:
            R = chained(R, turned_about_z(rot(chain, i, 0), value))
        else:
            R = chained(R, rot(chain, i, 0))
            p = add(p, scaled(value, z_axis(R)))


@kernel
def configuration_clearance(
    q: FloatArray,
    planes: FloatArray,
    first: IntArray,
    balls: FloatArray,
    chain: FloatArray,
    cladding: FloatArray,
    centers: FloatArray,
) -> float:
    """Return the clearance of a configuration; `centers` is room to work in."""
    if cladding.shape[0] == 0:
        return clearance_at(q, planes, first, balls)
    place_cladding(q, chain, cladding, centers)
    least = np.inf
    for k in range(cladding.shape[0]):
        gap = clearance_at(centers[k], planes, first, balls) - cladding[k, 4]
        least = min(least, gap)
    return least


@kernel
def _point_line_is_free(
    a: FloatArray, b: FloatArray, planes: FloatArray, first: IntArray, balls: FloatArray
) -> bool:
    """Return whether the segment a-b stays out of all obstacles, exactly."""
    d = a.shape[0]
    for k in range(first.shape[0] - 1):
        low, high = 0.0, 1.0
        for i in range(first[k], first[k + 1]):
            at, rate = -planes[i, d], 0.0
            for j in range(d):
                at += planes[i, j] * a[j]
                rate += planes[i, j] * (b[j] - a[j])
            if rate > 0.0:
                high = min(high, -at / rate)
            elif rate < 0.0:
                low = max(low, -at / rate)
            elif at >= 0.0:
                high = -1.0
        if low < high:
            return False
    for k in range(balls.shape[0]):
        square, along = 0.0, 0.0
        for j in range(d):
            square += (b[j] - a[j]) ** 2
            along += (b[j] - a[j]) * (balls[k, j] - a[j])
        share = 0.0 if square == 0.0 else min(max(along / square, 0.0), 1.0)
        gap = 0.0
        for j in range(d):
            gap += (a[j] + share * (b[j] - a[j]) - balls[k, j]) ** 2
        if gap < balls[k, d] ** 2:
            return False
    return True


@kernel
def line_is_free(
    a: FloatArray,
    b: FloatArray,
    planes: FloatArray,
    first: IntArray,
    balls: FloatArray,
    chain: FloatArray,
    cladding: FloatArray,
    resolution: float,
    centers: FloatArray,
    q: FloatArray,
) -> bool:
    """Return whether a straight motion is free; for arms at steps of `resolution`.

    `centers` and `q` are room to work in.
    """
    if cladding.shape[0] == 0:
        return _point_line_is_free(a, b, planes, first, balls)
    square = 0.0
    for j in range(a.shape[0]):
        square += (b[j] - a[j]) ** 2
    count = max(math.ceil(math.sqrt(square) / resolution), 1)
    for i in range(count + 1):
        for j in range(a.shape[0]):
            q[j] = a[j] + i / count * (b[j] - a[j])
        gap = configuration_clearance(q, planes, first, balls, chain, cladding, centers)
        if gap < 0.0:
            return False
    return True


@kernel
def lines_are_free(
    starts: FloatArray,
    ends: FloatArray,
    planes: FloatArray,
    first: IntArray,
    balls: FloatArray,
    chain: FloatArray,
    cladding: FloatArray,
    resolution: float,
    out: BoolArray,
) -> None:
    """Write whether the motions from rows of starts to rows of ends are free."""
    centers, q = np.empty((cladding.shape[0], 3)), np.empty(starts.shape[1])
    for k in range(starts.shape[0]):
        out[k] = line_is_free(
            starts[k],
            ends[k],
            planes,
            first,
            balls,
            chain,
            cladding,
            resolution,
            centers,
            q,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConvexScene:
    """Convex obstacles among which a point, or an arm in collision spheres, moves.

    Attributes:
        lower: Smallest coordinates or joint values, shape (n,).
        upper: Largest, shape (n,).
        planes: Rows (n, b) of bodies {n p <= b}, |n| = 1, shape (p, d + 1) [m].
        first: Body k owns planes first[k] to first[k + 1] - 1, shape (k + 1,).
        balls: Rows (center, radius), shape (m, d + 1) [m].
        chain: Joint chain of the arm, see `kinematics.chain`; no rows: a point.
        cladding: Balls on the arm: rows (moving bodies before it, x, y, z in the last
            of them, radius), shape (b, 5) [m].
        resolution: Longest step at which motions of an arm are tested [rad].
    """

    lower: FloatArray
    upper: FloatArray
    planes: FloatArray
    first: IntArray
    balls: FloatArray
    chain: FloatArray
    cladding: FloatArray
    resolution: float = 0.02

    @property
    def obstacles(self) -> tuple[FloatArray, IntArray, FloatArray]:
        """The obstacles as kernels take them."""
        return self.planes, self.first, self.balls

    @property
    def robot(self) -> tuple[FloatArray, FloatArray, float]:
        """The robot as kernels take it."""
        return self.chain, self.cladding, self.resolution

    def are_free(self, points: ArrayLike) -> BoolArray:
        """Return whether configurations, shape (..., n), are free, shape (...)."""
        p = as_finite("points", points, self.lower.shape)
        inside = ((p >= self.lower) & (p <= self.upper)).all(axis=-1)
        return inside & self.are_free_between(p, p)

    def are_free_between(self, starts: ArrayLike, ends: ArrayLike) -> BoolArray:
        """Return whether straight motions meet no obstacle, shape (...)."""
        n = len(self.lower)
        a, b = np.broadcast_arrays(
            as_finite("starts", starts, (n,)), as_finite("ends", ends, (n,))
        )
        out = np.empty(a.shape[:-1], dtype=np.bool_)
        lines_are_free(
            np.array(a).reshape(-1, n),
            np.array(b).reshape(-1, n),
            *self.obstacles,
            *self.robot,
            out.reshape(-1),
        )
        return out

    def cladding_centers(self, q: ArrayLike) -> FloatArray:
        """Return where the balls of an arm are at q, shape (n,), in the base [m]."""
        centers = np.empty((len(self.cladding), 3))
        place_cladding(as_kernel_array(q), self.chain, self.cladding, centers)
        return centers


def point_scene(
    lower: ArrayLike,
    upper: ArrayLike,
    *,
    boxes: ArrayLike = (),
    balls: ArrayLike = (),
    polygons: Sequence[ArrayLike] = (),
) -> ConvexScene:
    """Return the space of a point in d dimensions.

    Args:
        lower: Smallest coordinates [m], shape (d,).
        upper: Largest [m], shape (d,).
        boxes: Rows (lowest corner, highest corner), shape (k, 2 d) [m].
        balls: Rows (center, radius), shape (m, d + 1) [m].
        polygons: Simple polygons in the plane, each of shape (k, 2) [m].

    Example:
        >>> from gelenk.planning import point_scene
        >>> space = point_scene([0, 0], [10, 10], balls=[[5, 5, 1]])
        >>> space.are_free_between([0, 5], [[10, 5], [10, 10]]).tolist()
        [False, True]
    """
    low, high = np.array(lower, dtype=float), np.array(upper, dtype=float)
    d = len(low)
    if low.shape != high.shape or not (low < high).all():
        raise ConfigError(f"`lower` {low} must be below `upper` {high}")
    bodies = [_box_planes(row[:d], row[d:]) for row in _rows("boxes", boxes, 2 * d)]
    for corners in polygons:
        bodies += [_polygon_planes(piece) for piece in convex_pieces(corners)]
    return _scene(low, high, bodies, _rows("balls", balls, d + 1))


def scene_from_world(world: PolygonWorld) -> ConvexScene:
    """Return a polygon world as a space with compiled tests."""
    return point_scene(world.lower, world.upper, polygons=world.obstacles)


def arm_scene(
    model: RobotModel,
    *,
    lower: ArrayLike,
    upper: ArrayLike,
    boxes: ArrayLike = (),
    balls: ArrayLike = (),
    radius: float = 0.05,
    spacing: float | None = None,
    resolution: float = 0.02,
) -> ConvexScene:
    """Return the configuration space of a serial arm among boxes and balls.

    The arm is covered by spheres along the lines between its joints; they overlap and
    are as thick as the arm is to be taken. The base itself carries none.

    Args:
        model: Serial arm with a fixed base.
        lower: Smallest joint values [rad] or [m], shape (n,).
        upper: Largest, shape (n,).
        boxes: Rows (lowest corner, highest corner) in the base, shape (k, 6) [m].
        balls: Rows (center, radius) in the base, shape (m, 4) [m].
        radius: Radius of the collision spheres [m].
        spacing: Distance between their centers [m]; by default `radius`.
        resolution: Longest step at which motions are tested [rad].

    Example:
        >>> from gelenk.planning import arm_scene
        >>> import gelenk
        >>> arm, turn = gelenk.load("ur5e"), np.full(6, np.pi)
        >>> box = [0.3, -1, 0, 1, 1, 1]
        >>> scene = arm_scene(arm, lower=-turn, upper=turn, boxes=[box])
        >>> scene.are_free([[0.0, -1.57, 0, 0, 0, 0], [3.1, 0, 0, 0, 0, 0]]).tolist()
        [True, False]
    """
    chain = frame_chain(model)
    if model.compiled.is_floating or len(chain) - 1 != model.nq:
        raise ConfigError("`model` must be a serial arm with a fixed base")
    step = radius if spacing is None else spacing
    if not (radius > 0.0 and step > 0.0):
        raise ConfigError("`radius` and `spacing` must be positive")
    rows: list[list[float]] = []
    for i in range(1, len(chain)):
        offset = chain[i, CHAIN_P : CHAIN_P + 3]
        length = float(np.linalg.norm(offset))
        count = int(np.ceil(length / step))
        rows += [[i, *(offset * (k + 1) / count), radius] for k in range(count)]
    bodies = [_box_planes(row[:3], row[3:]) for row in _rows("boxes", boxes, 6)]
    low, high = np.array(lower, dtype=float), np.array(upper, dtype=float)
    base = _scene(low, high, bodies, _rows("balls", balls, 4))
    return ConvexScene(
        lower=base.lower,
        upper=base.upper,
        planes=base.planes,
        first=base.first,
        balls=base.balls,
        chain=as_kernel_array(chain),
        cladding=np.array(rows, dtype=float).reshape(-1, 5),
        resolution=resolution,
    )


def _scene(
    lower: FloatArray, upper: FloatArray, bodies: list[FloatArray], balls: FloatArray
) -> ConvexScene:
    counts = [len(body) for body in bodies]
    width = balls.shape[1]
    return ConvexScene(
        lower=lower,
        upper=upper,
        planes=np.concatenate([np.empty((0, width)), *bodies]),
        first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        balls=balls,
        chain=np.empty((0, CHAIN_COLS)),
        cladding=np.empty((0, 5)),
    )


def _rows(name: str, rows: ArrayLike, width: int) -> FloatArray:
    array = np.array(rows, dtype=float)
    if array.size == 0:
        return np.empty((0, width))
    return as_kernel_array(as_finite(name, array, (width,)).reshape(-1, width))


def _box_planes(low: FloatArray, high: FloatArray) -> FloatArray:
    d = len(low)
    normals = np.concatenate([np.eye(d), -np.eye(d)])
    return np.column_stack([normals, np.concatenate([high, -low])])


def _polygon_planes(corners: FloatArray) -> FloatArray:
    """Return the half-planes of an anticlockwise convex polygon."""
    side = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([side[:, 1], -side[:, 0]], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return np.column_stack([normals, (normals * corners).sum(axis=-1)])
