"""Signed distance of two shapes, and whether they are farther apart than a margin."""

from __future__ import annotations

import math

from gelenk.collision._gjk import APART, NEAR, core_distance, simplex_points
from gelenk.collision._penetration import core_penetration
from gelenk.collision._support import (
    BOX,
    EXTENT,
    HALF_SPACE,
    INT_COLS,
    KIND,
    RADIUS,
    SHAPE_COLS,
    support,
)
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, dot, scaled, sub, turn_back
from gelenk.typing import FloatArray, IntArray, Mat3, Vec3

PARALLEL = (
    1e-14  # keeps rounding from parting boxes along the product of parallel edges
)


@kernel
def boxes_are_apart(
    data: FloatArray, i: int, j: int, R: Mat3, p: Vec3, margin: float
) -> bool:
    """Return whether the bounding boxes are apart by a margin; False: unknown.

    The axes of separation (Gottschalk 1996); R, p is the pose of j in i.
    """
    k, m = i * SHAPE_COLS + EXTENT, j * SHAPE_COLS + EXTENT
    a, b, c = data[k] + margin, data[k + 1] + margin, data[k + 2] + margin
    u, v, w = data[m], data[m + 1], data[m + 2]
    r00, r01, r02, r10, r11, r12, r20, r21, r22 = R
    q00, q01, q02 = abs(r00) + PARALLEL, abs(r01) + PARALLEL, abs(r02) + PARALLEL
    q10, q11, q12 = abs(r10) + PARALLEL, abs(r11) + PARALLEL, abs(r12) + PARALLEL
    q20, q21, q22 = abs(r20) + PARALLEL, abs(r21) + PARALLEL, abs(r22) + PARALLEL
    x, y, z = p
    if abs(x) > a + u * q00 + v * q01 + w * q02:
        return True
    if abs(y) > b + u * q10 + v * q11 + w * q12:
        return True
    if abs(z) > c + u * q20 + v * q21 + w * q22:
        return True
    if abs(x * r00 + y * r10 + z * r20) > u + a * q00 + b * q10 + c * q20:
        return True
    if abs(x * r01 + y * r11 + z * r21) > v + a * q01 + b * q11 + c * q21:
        return True
    if abs(x * r02 + y * r12 + z * r22) > w + a * q02 + b * q12 + c * q22:
        return True
    if abs(z * r10 - y * r20) > b * q20 + c * q10 + v * q02 + w * q01:
        return True
    if abs(z * r11 - y * r21) > b * q21 + c * q11 + u * q02 + w * q00:
        return True
    if abs(z * r12 - y * r22) > b * q22 + c * q12 + u * q01 + v * q00:
        return True
    if abs(x * r20 - z * r00) > a * q20 + c * q00 + v * q12 + w * q11:
        return True
    if abs(x * r21 - z * r01) > a * q21 + c * q01 + u * q12 + w * q10:
        return True
    if abs(x * r22 - z * r02) > a * q22 + c * q02 + u * q11 + v * q10:
        return True
    if abs(y * r00 - x * r10) > a * q10 + b * q00 + v * q22 + w * q21:
        return True
    if abs(y * r01 - x * r11) > a * q11 + b * q01 + u * q22 + w * q20:
        return True
    return abs(y * r02 - x * r12) > a * q12 + b * q02 + u * q21 + v * q20


@kernel
def shapes_are_apart(
    data: FloatArray,
    index: IntArray,
    i: int,
    j: int,
    R: Mat3,
    p: Vec3,
    margin: float,
    S: FloatArray,
) -> bool:
    """Return whether two shapes are farther apart than a margin [m].

    R, p is the pose of j in i. A half-space may stand second only.
    """
    kind = index[j * INT_COLS + KIND]
    if kind == HALF_SPACE:
        height, _, _ = _over_plane(data, index, i, R, p)
        return height > margin
    if boxes_are_apart(data, i, j, R, p, margin):
        return True
    if kind == BOX and index[i * INT_COLS + KIND] == BOX and margin == 0.0:
        return False  # a box is its own bounding box
    limit = data[i * SHAPE_COLS + RADIUS] + data[j * SHAPE_COLS + RADIUS] + margin
    state, _, _, _ = core_distance(data, index, i, j, R, p, limit, limit, S)
    return state == APART


@kernel
def _over_plane(
    data: FloatArray,
    index: IntArray,
    i: int,
    R: Mat3,
    p: Vec3,
) -> tuple[float, Vec3, Vec3]:
    """Return height of shape i over the plane z = 0 of R, p; its lowest point; up."""
    up = (R[2], R[5], R[8])
    low = support(data, index, i, scaled(-1.0, up))
    low = sub(low, scaled(data[i * SHAPE_COLS + RADIUS], up))
    return dot(sub(low, p), up), low, up


@kernel
def shape_distance(
    data: FloatArray,
    index: IntArray,
    i: int,
    j: int,
    R: Mat3,
    p: Vec3,
    far: float,
    S: FloatArray,
    V: FloatArray,
    F: FloatArray,
    N: IntArray,
    Q: IntArray,
) -> tuple[float, Vec3, Vec3, Vec3]:
    """Return the signed distance of two shapes.

    Args:
        data: Shapes, see `_support`.
        index: Whole numbers of the shapes.
        i: Number of shape A.
        j: Number of shape B; a half-space may stand here only.
        R: Rotation of B in the frame of A.
        p: Position of B in the frame of A [m].
        far: Distance from which on only a lower bound is wanted [m].
        S: Room for a simplex, see `new_work`.
        V: Room for vertices.
        F: Room for planes of faces.
        N: Room for faces.
        Q: Room for lists.

    Returns:
        Distance, negative where they overlap [m]; unit normal from A to B; points of
        A and of B [m]; all in the frame of A. Beyond `far`: infinity.
    """
    if index[j * INT_COLS + KIND] == HALF_SPACE:
        height, low, up = _over_plane(data, index, i, R, p)
        return height, scaled(-1.0, up), low, sub(low, scaled(height, up))
    r_a, r_b = data[i * SHAPE_COLS + RADIUS], data[j * SHAPE_COLS + RADIUS]
    state, n, v, _ = core_distance(data, index, i, j, R, p, 0.0, far + r_a + r_b, S)
    if state == APART:
        return math.inf, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if state == NEAR:
        length = math.sqrt(dot(v, v))
        normal = scaled(-1.0 / length, v)
        on_a, on_b = simplex_points(S, n)
    else:
        depth, normal, on_a, on_b = core_penetration(
            data, index, i, j, R, p, n, S, V, F, N, Q
        )
        length = -depth
    on_a = add(on_a, scaled(r_a, normal))
    on_b = sub(on_b, scaled(r_b, normal))
    return length - r_a - r_b, normal, on_a, on_b


@kernel
def relative_pose(Ra: Mat3, pa: Vec3, Rb: Mat3, pb: Vec3) -> tuple[Mat3, Vec3]:
    """Return the pose of b in a."""
    R = (
        Ra[0] * Rb[0] + Ra[3] * Rb[3] + Ra[6] * Rb[6],
        Ra[0] * Rb[1] + Ra[3] * Rb[4] + Ra[6] * Rb[7],
        Ra[0] * Rb[2] + Ra[3] * Rb[5] + Ra[6] * Rb[8],
        Ra[1] * Rb[0] + Ra[4] * Rb[3] + Ra[7] * Rb[6],
        Ra[1] * Rb[1] + Ra[4] * Rb[4] + Ra[7] * Rb[7],
        Ra[1] * Rb[2] + Ra[4] * Rb[5] + Ra[7] * Rb[8],
        Ra[2] * Rb[0] + Ra[5] * Rb[3] + Ra[8] * Rb[6],
        Ra[2] * Rb[1] + Ra[5] * Rb[4] + Ra[8] * Rb[7],
        Ra[2] * Rb[2] + Ra[5] * Rb[5] + Ra[8] * Rb[8],
    )
    return R, turn_back(Ra, sub(pb, pa))
