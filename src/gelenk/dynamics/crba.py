"""The joint-space inertia matrix by the composite-rigid-body algorithm.

Spatial quantities are in world axes about one point, the base origin. So composite
inertias add without transformation, and M_ij = S_j . (Ic_i S_i) for every ancestor j
of i (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 6).
"""

from __future__ import annotations

import numpy as np

from gelenk.dynamics.states import (
    as_single_state,
    kernel_constants,
)
from gelenk.kernels.batch import in_pieces
from gelenk.kernels.compile import kernel
from gelenk.kernels.tree import REVOLUTE, body_poses
from gelenk.kernels.tuples import (
    add,
    cross,
    dot,
    put,
    rot,
    scaled,
    sub,
    sym,
    sym_times,
    sym_turned,
    turn,
    vec,
    z_axis,
)
from gelenk.kinematics.states import as_states
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray, IntArray, Mat3, Vec3, Vec6

# Columns of the work space, one row per body (row 0: the base).
MASS, H, INERTIA = 12, 13, 16  # composite mass, mass * centre, inertia about the point
LIN, ANG = 22, 25  # joint motion [v; omega] about the point
CRBA_COLS = 28


@kernel
def spatial_inertia(
    body: FloatArray, i: int, R: Mat3, p: Vec3
) -> tuple[float, Vec3, Vec6]:
    """Return mass, first moment and inertia of a body about the reference point.

    `p` is the body origin relative to that point.
    """
    m = body[i, 12]
    c = add(p, turn(R, vec(body, i, 13)))
    own = sym_turned(R, sym(body, i, 16))
    x, y, z = c
    about = (
        own[0] + m * (y * y + z * z),
        own[1] - m * x * y,
        own[2] - m * x * z,
        own[3] + m * (x * x + z * z),
        own[4] - m * y * z,
        own[5] + m * (x * x + y * y),
    )
    return m, scaled(m, c), about


@kernel
def joint_motion(kind: int, R: Mat3, p: Vec3) -> tuple[Vec3, Vec3]:
    """Return [v; omega] of unit joint speed, v at the reference point."""
    z = z_axis(R)
    if kind == REVOLUTE:
        return cross(p, z), z
    return z, (0.0, 0.0, 0.0)


@kernel
def crba_one(
    body: FloatArray,
    topology: IntArray,
    base: FloatArray,
    is_floating: bool,
    q: FloatArray,
    w: FloatArray,
    M: FloatArray,
) -> None:
    """Write the inertia matrix of one configuration; `w` is work space."""
    column = 6 if is_floating else 0
    body_poses(body, topology, is_floating, q, w)
    point = vec(w, 0, 9)
    for row in range(body.shape[0] + 1):
        R, p = rot(w, row, 0), sub(vec(w, row, 9), point)
        if row == 0:
            m, h, inertia = spatial_inertia(base, 0, R, p)
        else:
            m, h, inertia = spatial_inertia(body, row - 1, R, p)
            lin, ang = joint_motion(topology[row - 1, 1], R, p)
            put(w, row, LIN, lin)
            put(w, row, ANG, ang)
        w[row, MASS] = m
        put(w, row, H, h)
        put(w, row, INERTIA, inertia)

    M[:] = 0.0
    for i in range(body.shape[0] - 1, -1, -1):
        row, parent = i + 1, topology[i, 0] + 1
        lin, ang, h = vec(w, row, LIN), vec(w, row, ANG), vec(w, row, H)
        force = add(scaled(w[row, MASS], lin), cross(ang, h))
        moment = add(sym_times(sym(w, row, INERTIA), ang), cross(h, lin))
        k, scale = column + topology[i, 2], body[i, 22]
        own = dot(lin, force) + dot(ang, moment) + body[i, 24]
        M[k, k] += scale * scale * own
        j = topology[i, 0]
        while j >= 0:
            entry = dot(vec(w, j + 1, LIN), force) + dot(vec(w, j + 1, ANG), moment)
            entry *= scale * body[j, 22]
            m = column + topology[j, 2]
            M[k, m] += entry
            M[m, k] += entry
            j = topology[j, 0]
        if is_floating:
            for c in range(3):
                M[c, k] += scale * force[c]
                M[3 + c, k] += scale * moment[c]
                M[k, c] = M[c, k]
                M[k, 3 + c] = M[3 + c, k]
        for c in range(MASS, LIN):
            w[parent, c] += w[row, c]
    if is_floating:
        _put_base_block(w, M)


@kernel
def _put_base_block(w: FloatArray, M: FloatArray) -> None:
    """Write the composite inertia of the whole robot into M[:6, :6]."""
    m, h, inertia = w[0, MASS], vec(w, 0, H), sym(w, 0, INERTIA)
    for c in range(3):
        M[c, c] = m
    M[0, 4], M[0, 5], M[1, 3] = h[2], -h[1], -h[2]
    M[1, 5], M[2, 3], M[2, 4] = h[0], h[1], -h[0]
    for r in range(3):
        for c in range(3):
            M[3 + c, r] = M[r, 3 + c]
    M[3, 3], M[3, 4], M[3, 5] = inertia[0], inertia[1], inertia[2]
    M[4, 3], M[4, 4], M[4, 5] = inertia[1], inertia[3], inertia[4]
    M[5, 3], M[5, 4], M[5, 5] = inertia[2], inertia[4], inertia[5]


@kernel
def crba_single(
    body: FloatArray,
    topology: IntArray,
    base: FloatArray,
    is_floating: bool,
    gravity: FloatArray,
    q: FloatArray,
    M: FloatArray,
) -> None:
    """Write the inertia matrix of one configuration; gravity plays no part."""
    crba_one(
        body, topology, base, is_floating, q,
        np.empty((body.shape[0] + 1, CRBA_COLS)), M,
    )  # fmt: skip


@kernel
def crba_many(
    body: FloatArray,
    topology: IntArray,
    base: FloatArray,
    is_floating: bool,
    q: FloatArray,
    M: FloatArray,
) -> None:
    """Write the inertia matrix of each row of q."""
    w = np.empty((body.shape[0] + 1, CRBA_COLS))
    for b in range(q.shape[0]):
        crba_one(body, topology, base, is_floating, q[b], w, M[b])


def tree_mass_matrix(model: RobotModel, q: FloatArray) -> FloatArray:
    """Return the inertia matrix of the cut tree for rows of tree coordinates."""
    tree = model.compiled
    nv = q.shape[-1] - (1 if tree.is_floating else 0)
    M = np.empty((len(q), nv, nv))

    def work(part: slice) -> None:
        crba_many(
            tree.body, tree.topology, tree.base.reshape(1, -1), tree.is_floating,
            q[part], M[part],
        )  # fmt: skip

    in_pieces(len(q), work)
    return M


def mass_matrix(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return the joint-space inertia matrix M(q), symmetric and positive definite.

    Args:
        model: Robot. With loops, M is that of the motors: Gamma^T M_tree Gamma.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        M, shape (..., nv, nv) [kg m^2], [kg m] or [kg] by the kinds of its joints.

    Raises:
        ShapeError: If the last axis of `q` does not fit the robot.

    Example:
        >>> import gelenk
        >>> mass_matrix(gelenk.load("planar2r"), [0.0, np.pi / 2]).round(3)
        array([[4.46, 0.96],
               [0.96, 0.96]])
    """
    state = None if model.loops else as_single_state(model, q)
    if state is not None:
        M = np.empty((model.nv, model.nv))
        crba_single(*kernel_constants(model), state[0], M)
        return M
    if model.loops:
        from gelenk.dynamics.closed import closed_mass_matrix

        return closed_mass_matrix(model, q)
    batch, (rows,) = as_states(model, q=q)
    return tree_mass_matrix(model, rows).reshape(*batch, model.nv, model.nv)
