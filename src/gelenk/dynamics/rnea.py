"""Inverse dynamics: the recursive Newton-Euler algorithm.

All vectors are in world axes. Going outwards, each body inherits the motion of its
parent; going inwards, each joint carries the forces of everything behind it. Gravity is
an upward acceleration of the base (Luh, Walker and Paul 1980; Damken 2023 §5.2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gelenk.checks import as_array, as_kernel_array
from gelenk.kernels.batch import in_pieces
from gelenk.kernels.compile import kernel
from gelenk.kernels.tree import BALL_PART, PRISMATIC, body_poses
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
    turn,
    turn_back,
    vec,
    z_axis,
)
from gelenk.kinematics.configuration import as_states
from gelenk.kinematics.forward import tree_link_poses
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray, IntArray, Mat3, Vec3

NO_WRENCH = np.empty((0, 6))


def kernel_constants(model: RobotModel) -> tuple[Any, Any, Any, Any, Any]:
    """Return body, topology, base, floating flag and gravity as kernels take them."""
    try:
        return model._cache["kernel_constants"]
    except KeyError:
        tree = model.compiled
        constants = (
            tree.body,
            tree.topology,
            tree.base.reshape(1, -1),
            tree.is_floating,
            tree.gravity.reshape(1, 3),
        )
        return model._cached("kernel_constants", lambda: constants)


def as_single_state(model: RobotModel, *arrays: ArrayLike) -> list[FloatArray] | None:
    """Return q and velocities of one state as contiguous rows; None if it is a batch.

    Fast path for control loops, which ask for one state at a time. Wrong shapes are
    left to `as_states`, which says what is wrong.
    """
    out: list[FloatArray] = []
    size = model.nq
    for array in arrays:
        row = as_kernel_array(array)
        if np.ndim(array) != 1 or row.shape[0] != size:
            return None
        out.append(row)
        size = model.nv
    return out


def external_wrenches(
    model: RobotModel,
    batch: tuple[int, ...],
    q_tree: FloatArray,
    wrenches: dict[str, ArrayLike],
) -> FloatArray:
    """Return wrenches on links as [f; n] on each body about its origin.

    Args:
        model: Robot.
        batch: Batch shape of the wrenches.
        q_tree: Tree coordinates, shape (count, n).
        wrenches: Wrenches [f; n] in world axes at the link origin, by link name, (...,
            6) each.

    Returns:
        Array of shape (count, num_bodies + 1, 6), row 0 the base.
    """
    tree = model.compiled
    poses = tree_link_poses(model, q_tree)
    out = np.zeros((len(q_tree), tree.num_bodies + 1, 6))
    for name, value in wrenches.items():
        link = model.link_id(name)
        given = as_array(f"wrenches[{name!r}]", value, (6,))
        wrench = np.broadcast_to(given, (*batch, 6)).reshape(-1, 6)
        # From the link origin to the origin of the body that carries the link.
        arm = np.einsum(
            "nij,j->ni",
            poses[:, link, :3, :3] @ tree.link_placement[link, :9].reshape(3, 3).T,
            tree.link_placement[link, 9:],
        )
        row = tree.link_body[link] + 1
        out[:, row, :3] += wrench[:, :3]
        out[:, row, 3:] += wrench[:, 3:] + np.cross(arm, wrench[:, :3])
    return out


# Columns of the work space, one row per body (row 0: the base).
OMEGA, ALPHA, ACC, FORCE, MOMENT = 12, 15, 18, 21, 24  # 0..11 hold the pose
RNEA_COLS = 27


@kernel
def motion_forces(
    body: FloatArray, i: int, R: Mat3, omega: Vec3, alpha: Vec3, acc: Vec3
) -> tuple[Vec3, Vec3]:
    """Return force and moment (about the body origin) that this motion needs."""
    c = turn(R, vec(body, i, 13))
    acc_com = add(acc, add(cross(alpha, c), cross(omega, cross(omega, c))))
    force = scaled(body[i, 12], acc_com)
    inertia = sym(body, i, 16)
    spin = turn(R, sym_times(inertia, turn_back(R, alpha)))
    momentum = turn(R, sym_times(inertia, turn_back(R, omega)))
    moment = add(add(spin, cross(omega, momentum)), cross(c, force))
    return force, moment


@kernel
def rnea_one(
    body: FloatArray,
    topology: IntArray,
    base: FloatArray,
    is_floating: bool,
    gravity: FloatArray,
    q: FloatArray,
    qd: FloatArray,
    qdd: FloatArray,
    wrench: FloatArray,
    w: FloatArray,
    tau: FloatArray,
) -> None:
    """Write the generalised forces of one state; `w` is work space.

    `wrench` holds [f; n] on each body about its origin, row 0 the base; it may have no
    rows at all.
    """
    column = 6 if is_floating else 0
    body_poses(body, topology, is_floating, q, w)
    omega = alpha = carried = (0.0, 0.0, 0.0)
    acc = scaled(-1.0, vec(gravity, 0, 0))
    if is_floating:
        omega, alpha = (qd[3], qd[4], qd[5]), (qdd[3], qdd[4], qdd[5])
        acc = add(acc, (qdd[0], qdd[1], qdd[2]))
    put(w, 0, OMEGA, omega)
    put(w, 0, ALPHA, alpha)
    put(w, 0, ACC, acc)
    force, moment = motion_forces(base, 0, rot(w, 0, 0), omega, alpha, acc)
    put(w, 0, FORCE, force)
    put(w, 0, MOMENT, moment)

    for i in range(body.shape[0]):
        row, parent = i + 1, topology[i, 0] + 1
        R = rot(w, row, 0)
        z = z_axis(R)
        k = column + topology[i, 3]
        speed = scaled(body[i, 22] * qd[k], z)
        push = scaled(body[i, 22] * qdd[k], z)
        arm = sub(vec(w, row, 9), vec(w, parent, 9))
        omega, alpha = vec(w, parent, OMEGA), vec(w, parent, ALPHA)
        acc = add(vec(w, parent, ACC), cross(alpha, arm))
        acc = add(acc, cross(omega, cross(omega, arm)))
        if topology[i, 1] != BALL_PART:  # those turn with what carries the first
            carried = omega
        if topology[i, 1] != PRISMATIC:
            alpha = add(alpha, add(push, cross(carried, speed)))
            omega = add(omega, speed)
        else:
            acc = add(acc, add(push, scaled(2.0, cross(omega, speed))))
        put(w, row, OMEGA, omega)
        put(w, row, ALPHA, alpha)
        put(w, row, ACC, acc)
        force, moment = motion_forces(body, i, R, omega, alpha, acc)
        put(w, row, FORCE, force)
        put(w, row, MOMENT, moment)

    if wrench.shape[0] > 0:
        for row in range(wrench.shape[0]):
            for c in range(6):
                w[row, FORCE + c] -= wrench[row, c]

    tau[:] = 0.0
    for i in range(body.shape[0] - 1, -1, -1):
        row, parent = i + 1, topology[i, 0] + 1
        force, moment = vec(w, row, FORCE), vec(w, row, MOMENT)
        k = column + topology[i, 3]
        scale = body[i, 22]
        z = z_axis(rot(w, row, 0))
        load = dot(z, moment) if topology[i, 1] != PRISMATIC else dot(z, force)
        tau[k] += scale * (load + body[i, 24] * scale * qdd[k])
        arm = sub(vec(w, row, 9), vec(w, parent, 9))
        put(w, parent, FORCE, add(vec(w, parent, FORCE), force))
        moment = add(moment, cross(arm, force))
        put(w, parent, MOMENT, add(vec(w, parent, MOMENT), moment))
    if is_floating:
        for c in range(6):
            tau[c] = w[0, FORCE + c]


@kernel
def rnea_single(
    body: FloatArray,
    topology: IntArray,
    base: FloatArray,
    is_floating: bool,
    gravity: FloatArray,
    q: FloatArray,
    qd: FloatArray,
    qdd: FloatArray,
    wrench: FloatArray,
    tau: FloatArray,
) -> None:
    """Write the generalised forces of one state."""
    w = np.empty((body.shape[0] + 1, RNEA_COLS))
    rnea_one(
        body, topology, base, is_floating, gravity, q, qd, qdd, wrench, w, tau
    )  # fmt: skip


@kernel
def rnea_many(
    body: FloatArray,
    topology: IntArray,
    base: FloatArray,
    is_floating: bool,
    gravity: FloatArray,
    q: FloatArray,
    qd: FloatArray,
    qdd: FloatArray,
    wrench: FloatArray,
    tau: FloatArray,
) -> None:
    """Write the generalised forces of each row of (q, qd, qdd)."""
    w = np.empty((body.shape[0] + 1, RNEA_COLS))
    for b in range(q.shape[0]):
        rnea_one(
            body, topology, base, is_floating, gravity,
            q[b], qd[b], qdd[b], wrench[b], w, tau[b],
        )  # fmt: skip


def tree_inverse_dynamics(
    model: RobotModel,
    q: FloatArray,
    qd: FloatArray,
    qdd: FloatArray,
    wrench: FloatArray | None = None,
    gravity: FloatArray | None = None,
) -> FloatArray:
    """Return the generalised forces of the cut tree; arguments of shape (n, nq/nv)."""
    tree = model.compiled
    field = (tree.gravity if gravity is None else gravity).reshape(1, 3)
    if wrench is None:
        wrench = np.empty((len(q), 0, 6))
    tau = np.empty_like(qd)

    def work(part: slice) -> None:
        rnea_many(
            tree.body, tree.topology, tree.base.reshape(1, -1), tree.is_floating,
            field, q[part], qd[part], qdd[part], wrench[part], tau[part],
        )  # fmt: skip

    in_pieces(len(q), work)
    return tau


def inverse_dynamics(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    *,
    wrenches: dict[str, ArrayLike] | None = None,
    gravity: ArrayLike | None = None,
) -> FloatArray:
    """Return the generalised forces that produce a motion.

    Solves tau = M(q) qdd + C(q, qd) qd + G(q) - sum J_link^T wrench without forming M.

    Args:
        model: Robot. With loops, the result is the load of the motors alone.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities [rad/s] or [m/s], shape (..., nv). With a floating base the
            first six are the base twist [v; omega], world axes, at the base origin.
        qdd: Joint accelerations [rad/s^2] or [m/s^2], the time derivatives of `qd`,
            shape (..., nv).
        wrenches: External wrenches [f; n] acting on links, by link name, in world axes
            at the link origin [N], [N m], shape (..., 6) each.
        gravity: Gravitational acceleration [m/s^2] in place of the model's, shape (3,).

    Returns:
        `tau` [N m] for revolute and [N] for prismatic joints, shape (..., nv). With a
        floating base the first six are the wrench on the base, world axes.

    Raises:
        ShapeError: If an argument does not fit the robot.
        NameNotFoundError: If `wrenches` names an unknown link.

    Example:
        A planar arm that lies still in the horizontal plane needs no torque.

        >>> from gelenk.dynamics import inverse_dynamics
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> q, rest = [0.3, 0.4], [0.0, 0.0]
        >>> inverse_dynamics(arm, q, rest, rest, gravity=[0, 0, 0]).tolist()
        [0.0, 0.0]
    """
    if wrenches is None and gravity is None and not model.loops:
        state = as_single_state(model, q, qd, qdd)
        if state is not None:
            tau = np.empty(len(state[1]))
            rnea_single(
                *kernel_constants(model), state[0], state[1], state[2], NO_WRENCH, tau
            )
            return tau
    if model.loops:
        from gelenk.dynamics.loop_dynamics import closed_inverse_dynamics

        return closed_inverse_dynamics(
            model, q, qd, qdd, wrenches=wrenches, gravity=gravity
        )
    batch, (q_rows, qd_rows, qdd_rows) = as_states(model, q=q, qd=qd, qdd=qdd)
    loads = external_wrenches(model, batch, q_rows, wrenches) if wrenches else None
    field = None if gravity is None else np.asarray(gravity, dtype=np.float64)
    tau = tree_inverse_dynamics(model, q_rows, qd_rows, qdd_rows, loads, field)
    return tau.reshape(*batch, model.nv)
