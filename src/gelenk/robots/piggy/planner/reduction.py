"""The request in a plane: a frame in which v_in and v_out are three numbers.

e_x points along v_in, e_z along the part of v_out across it, e_y = e_z x e_x. There
v_in = (b_x, 0, 0) and v_out = (c_x, 0, c_z) with c_z >= 0: the printed chain of two
turns and a flip (4.36) to (4.49) in closed form. If v_out lies along v_in, as for a
ball that is sent straight back, every e_z will do.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import cross, dot, norm, scaled, sub
from gelenk.spatial.so3 import rot_x
from gelenk.typing import ArrayLike, FloatArray, Mat3, Vec3

PARALLEL_TOL = 1e-9  # sine of the angle below which two directions are one


def rotation_between(v_from: ArrayLike, v_to: ArrayLike) -> FloatArray:
    """Return the smallest rotation that carries one direction onto another (4.36).

    Opposite directions are half a turn about any axis across them, for which the print
    has the identity.

    Args:
        v_from: Any length but 0, shape (3,).
        v_to: Any length but 0, shape (3,).

    Returns:
        R with R v_from parallel to v_to, shape (3, 3).
    """
    a, b = as_array("v_from", v_from, (3,)), as_array("v_to", v_to, (3,))
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    axis, cosine = np.cross(a, b), float(a @ b)
    if cosine > 0.0:
        # 1 / (1 + cos) = (1 - cos) / sin^2: no division by a small number
        K = _skew(axis)
        return np.eye(3) + K + K @ K / (1.0 + cosine)
    sine = float(np.linalg.norm(axis))
    if sine < PARALLEL_TOL:
        u = _any_perpendicular(a)
        return 2.0 * np.outer(u, u) - np.eye(3)
    u = axis / sine
    return cosine * np.eye(3) + (1.0 - cosine) * np.outer(u, u) + sine * _skew(u)


def plane_frame(v_in: ArrayLike, v_out: ArrayLike) -> FloatArray:
    """Return R_plane_world, whose rows are e_x, e_y, e_z, shape (..., 3, 3).

    Args:
        v_in: Velocity before the contact [m/s], not 0, shape (..., 3).
        v_out: Velocity after it [m/s], shape (..., 3).
    """
    v_in, v_out = np.broadcast_arrays(
        as_array("v_in", v_in, (3,)), as_array("v_out", v_out, (3,))
    )
    out = np.empty((*v_in.shape[:-1], 3, 3))
    _frames(
        np.ascontiguousarray(v_in).reshape(-1, 3),
        np.ascontiguousarray(v_out).reshape(-1, 3),
        out.reshape(-1, 3, 3),
    )
    return out


def printed_frame(v_in: ArrayLike, v_out: ArrayLike) -> FloatArray:
    """Return the same frame by the printed chain (4.41) to (4.46), shape (3, 3).

    For velocities that are not parallel.
    """
    a, c = as_array("v_in", v_in, (3,)), as_array("v_out", v_out, (3,))
    R_y = rotation_between(np.cross(a, c), (0.0, 1.0, 0.0))
    R_yx = rotation_between(R_y @ a, (1.0, 0.0, 0.0)) @ R_y
    return np.diag([1.0, -1.0, -1.0]) @ R_yx if (R_yx @ c)[2] < 0.0 else R_yx


def table_index(v_in: ArrayLike, v_out: ArrayLike) -> FloatArray:
    """Return (b_x, c_x, c_z) (4.49) [m/s], shape (..., 3)."""
    a, c = as_array("v_in", v_in, (3,)), as_array("v_out", v_out, (3,))
    speed = np.linalg.norm(a, axis=-1)
    along = (a * c).sum(axis=-1) / speed
    across = np.linalg.norm(np.cross(a, c), axis=-1) / speed
    return np.stack(np.broadcast_arrays(speed, along, across), axis=-1)


def turned_frames(R_plane_world: ArrayLike, count: int) -> FloatArray:
    """Return the frame turned about its e_x by `count` equal steps, (count, 3, 3)."""
    R = as_array("R_plane_world", R_plane_world, (3, 3))
    return rot_x(2.0 * np.pi / count * np.arange(count)) @ R


def _skew(u: FloatArray) -> FloatArray:
    return np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])


def _any_perpendicular(a: FloatArray) -> FloatArray:
    u = np.zeros(3)
    u[np.abs(a).argmin()] = 1.0
    u -= (u @ a) * a
    return u / np.linalg.norm(u)


@kernel
def frame_of(v_in: Vec3, v_out: Vec3) -> Mat3:
    """Return the frame's nine entries by rows, e_x, e_y, e_z."""
    e_x = scaled(1.0 / norm(v_in), v_in)
    rest = sub(v_out, scaled(dot(v_out, e_x), e_x))
    size = norm(rest)
    if size <= PARALLEL_TOL * norm(v_out):
        k = 0
        for i in range(1, 3):
            if abs(e_x[i]) < abs(e_x[k]):
                k = i
        rest = (1.0 * (k == 0), 1.0 * (k == 1), 1.0 * (k == 2))
        rest = sub(rest, scaled(e_x[k], e_x))
        size = norm(rest)
    e_z = scaled(1.0 / size, rest)
    # Twice: the part across is small where both velocities are nearly parallel.
    e_z = sub(e_z, scaled(dot(e_z, e_x), e_x))
    e_z = scaled(1.0 / norm(e_z), e_z)
    e_y = cross(e_z, e_x)
    return (
        e_x[0], e_x[1], e_x[2], e_y[0], e_y[1], e_y[2], e_z[0], e_z[1], e_z[2]
    )  # fmt: skip


@kernel
def _frames(v_in: FloatArray, v_out: FloatArray, out: FloatArray) -> None:
    for i in range(len(v_in)):
        R = frame_of(
            (v_in[i, 0], v_in[i, 1], v_in[i, 2]),
            (v_out[i, 0], v_out[i, 1], v_out[i, 2]),
        )
        for k in range(9):
            out[i, k // 3, k % 3] = R[k]
