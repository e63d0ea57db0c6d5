"""Mass matrix: the composite-rigid-body algorithm, and half the matrix mirrored.

Spatial quantities are in world axes about one point, the base origin. So composite
inertias add without transformation, and M_ij = S_j . (Ic_i S_i) for every ancestor j
of i (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 6).

The second method visits only the subtree of each joint: while joint j alone accelerates
from rest, the links before it stay at rest. That gives M_ij for the joints i of the
subtree; the rest follows by symmetry (Walker and Orin 1982, method 2; Damken 2023
§5.5.1).
"""

from __future__ import annotations

import numpy as np

from gelenk.dynamics.rnea import as_single_state, kernel_constants, motion_forces
from gelenk.errors import ConfigError
from gelenk.kernels.batch import in_pieces
from gelenk.kernels.compile import kernel
from gelenk.kernels.tree import PRISMATIC, body_poses
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
from gelenk.kinematics.configuration import as_states, require_open_tree
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
    if kind != PRISMATIC:
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
        k, scale = column + topology[i, 3], body[i, 22]
        own = dot(lin, force) + dot(ang, moment) + body[i, 24]
        M[k, k] += scale * scale * own
        j = topology[i, 0]
        while j >= 0:
            entry = dot(vec(w, j + 1, LIN), force) + dot(vec(w, j + 1, ANG), moment)
            entry *= scale * body[j, 22]
            m = column + topology[j, 3]
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
    nv = q.shape[-1] - tree.num_quaternions
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
        Inertia matrix M, shape (..., nv, nv) [kg m^2], [kg m] or [kg] by the kinds of
        its joints.

    Raises:
        ShapeError: If the last axis of `q` does not fit the robot.

    Example:
        >>> import numpy as np
        >>> from gelenk.dynamics import mass_matrix
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
        from gelenk.dynamics.loop_dynamics import closed_mass_matrix

        return closed_mass_matrix(model, q)
    batch, (rows,) = as_states(model, q=q)
    return tree_mass_matrix(model, rows).reshape(*batch, model.nv, model.nv)


FORCE, MOMENT = 12, 15  # columns of the work space; 0..11 hold the pose
HALF_COLS = 18


@kernel
def _half_one(
    body: FloatArray,
    topology: IntArray,
    end: IntArray,
    q: FloatArray,
    w: FloatArray,
    M: FloatArray,
) -> None:
    """Write the mass matrix; `end[j]` is one past the last body of j's subtree."""
    still = (0.0, 0.0, 0.0)
    body_poses(body, topology, False, q, w)
    M[:] = 0.0
    for j in range(body.shape[0]):
        z = z_axis(rot(w, j + 1, 0))
        turns = topology[j, 1] != PRISMATIC
        # The subtree moves as one rigid body: alpha everywhere the same.
        alpha = z if turns else still
        for i in range(j, end[j]):
            row = i + 1
            arm = sub(vec(w, row, 9), vec(w, j + 1, 9))
            acc = cross(alpha, arm) if turns else z
            force, moment = motion_forces(body, i, rot(w, row, 0), still, alpha, acc)
            put(w, row, FORCE, force)
            put(w, row, MOMENT, moment)
        for i in range(end[j] - 1, j - 1, -1):
            row, parent = i + 1, topology[i, 0] + 1
            force, moment = vec(w, row, FORCE), vec(w, row, MOMENT)
            axis = z_axis(rot(w, row, 0))
            load = (
                dot(axis, force) if topology[i, 1] == PRISMATIC else dot(axis, moment)
            )
            load *= body[i, 22] * body[j, 22]
            a, b = topology[i, 3], topology[j, 3]
            M[a, b] += load
            if i > j:
                M[b, a] += load
                lever = sub(vec(w, row, 9), vec(w, parent, 9))
                moment = add(moment, cross(lever, force))
                put(w, parent, FORCE, add(vec(w, parent, FORCE), force))
                put(w, parent, MOMENT, add(vec(w, parent, MOMENT), moment))
        k = topology[j, 3]
        M[k, k] += body[j, 24] * body[j, 22] * body[j, 22]


@kernel
def half_many(
    body: FloatArray, topology: IntArray, end: IntArray, q: FloatArray, M: FloatArray
) -> None:
    """Write the mass matrix of each row of q."""
    w = np.empty((body.shape[0] + 1, HALF_COLS))
    for b in range(q.shape[0]):
        _half_one(body, topology, end, q[b], w, M[b])


def mass_matrix_by_symmetry(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return M(q), computing one triangle and mirroring it.

    Args:
        model: Robot with a fixed base and no loops.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        Array of shape (..., nv, nv).

    Example:
        >>> import gelenk
        >>> arm, q = gelenk.load("puma560"), [0.1] * 6
        >>> bool(np.allclose(mass_matrix_by_symmetry(arm, q), arm.mass_matrix(q)))
        True
    """
    require_open_tree(model)
    if model.has_floating_base:
        raise ConfigError(f"robot {model.name!r} floats; use `mass_matrix`")
    tree = model.compiled
    batch, (rows,) = as_states(model, q=q)
    M = np.empty((len(rows), model.nv, model.nv))
    end = subtree_ends(tree.topology)

    def work(part: slice) -> None:
        half_many(tree.body, tree.topology, end, rows[part], M[part])

    in_pieces(len(rows), work)
    return M.reshape(*batch, model.nv, model.nv)


def subtree_ends(topology: IntArray) -> IntArray:
    """Return one past the last body of each body's subtree; bodies are depth-first."""
    count = len(topology)
    end = np.arange(1, count + 1)
    for i in range(count - 1, -1, -1):
        parent = int(topology[i, 0])
        if parent >= 0:
            end[parent] = max(end[parent], end[i])
    return end


def body_visits(model: RobotModel) -> tuple[int, int]:
    """Return how many body visits M takes by columns, and by half.

    Each visit is one outward and one inward step of the recursion. By columns that is
    n^2; by half the sum of the sizes of all subtrees.
    """
    topology = model.compiled.topology
    count = len(topology)
    sizes = subtree_ends(topology) - np.arange(count)
    return count * model.nv, int(sizes.sum())
