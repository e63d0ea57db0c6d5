"""Forward dynamics: the articulated-body algorithm.

Spatial quantities are in world axes about one point, the base origin, so that
articulated inertias and bias forces add from body to parent without transformation
(Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7). An articulated inertia is
kept as its blocks: f = A a + B alpha, n = B^T a + C alpha.
"""

from __future__ import annotations

import numpy as np

from gelenk.dynamics.crba import joint_motion, spatial_inertia, tree_mass_matrix
from gelenk.dynamics.rnea import (
    NO_WRENCH,
    as_single_state,
    external_wrenches,
    kernel_constants,
    tree_inverse_dynamics,
)
from gelenk.errors import ModelError
from gelenk.kernels.batch import in_pieces
from gelenk.kernels.compile import kernel
from gelenk.kernels.linear import solve_spd
from gelenk.kernels.tree import BALL, BALL_PART, body_poses
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
)
from gelenk.kinematics.configuration import as_states
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray, IntArray, Vec3, Vec6

# Columns of the work space, one row per body (row 0: the base).
A, B, C, BIAS = 12, 18, 27, 33  # articulated inertia blocks and bias force [f; n]
LIN, ANG = 39, 42  # joint motion [v; omega]
VEL, DRIFT = 45, 51  # body twist; velocity-product acceleration of the joint
U, D, LOAD = 57, 63, 64  # IA S, S . IA S, tau - S . bias
ABA_COLS = 65

NO_MASS = 1e-14  # [kg] or [kg m^2]; a joint that feels less inertia moves nothing


@kernel
def _put_rigid_body(
    w: FloatArray, row: int, m: float, h: Vec3, inertia: Vec6, v: Vec3, omega: Vec3
) -> None:
    """Write the articulated inertia of a lone body and the bias of its motion."""
    put(w, row, A, (m, 0.0, 0.0, m, 0.0, m))
    put(w, row, B, (0.0, h[2], -h[1], -h[2], 0.0, h[0], h[1], -h[0], 0.0))
    put(w, row, C, inertia)
    linear = add(scaled(m, v), cross(omega, h))
    angular = add(cross(h, v), sym_times(inertia, omega))
    put(w, row, BIAS, cross(omega, linear))
    put(w, row, BIAS + 3, add(cross(omega, angular), cross(v, linear)))
    put(w, row, VEL, v)
    put(w, row, VEL + 3, omega)


@kernel
def _outward_motion(
    body: FloatArray,
    topology: IntArray,
    base: FloatArray,
    is_floating: bool,
    q: FloatArray,
    qd: FloatArray,
    w: FloatArray,
) -> None:
    """Fill poses, inertias, velocities and biases from the base outwards."""
    column = 6 if is_floating else 0
    body_poses(body, topology, is_floating, q, w)
    point = vec(w, 0, 9)
    v = omega = v_held = omega_held = (0.0, 0.0, 0.0)
    if is_floating:
        v, omega = (qd[0], qd[1], qd[2]), (qd[3], qd[4], qd[5])
    m, h, inertia = spatial_inertia(base, 0, rot(w, 0, 0), (0.0, 0.0, 0.0))
    _put_rigid_body(w, 0, m, h, inertia, v, omega)
    for i in range(body.shape[0]):
        row, parent = i + 1, topology[i, 0] + 1
        R, p = rot(w, row, 0), sub(vec(w, row, 9), point)
        lin, ang = joint_motion(topology[i, 1], R, p)
        put(w, row, LIN, lin)
        put(w, row, ANG, ang)
        speed = qd[column + topology[i, 3]]
        lin, ang = scaled(speed, lin), scaled(speed, ang)  # pyright: ignore[reportArgumentType]
        v = add(vec(w, parent, VEL), lin)
        omega = add(vec(w, parent, VEL + 3), ang)
        if topology[i, 1] == BALL:  # all its parts turn with what carries the first
            v_held, omega_held = vec(w, parent, VEL), vec(w, parent, VEL + 3)
        elif topology[i, 1] != BALL_PART:
            v_held, omega_held = v, omega
        put(w, row, DRIFT, add(cross(omega_held, lin), cross(v_held, ang)))
        put(w, row, DRIFT + 3, cross(omega_held, ang))
        m, h, inertia = spatial_inertia(body, i, R, p)
        _put_rigid_body(w, row, m, h, inertia, v, omega)


@kernel
def _inward_inertia(
    body: FloatArray, topology: IntArray, column: int, tau: FloatArray, w: FloatArray
) -> int:
    """Accumulate articulated inertias; return the first joint that moves no mass."""
    for i in range(body.shape[0] - 1, -1, -1):
        row, parent = i + 1, topology[i, 0] + 1
        lin, ang = vec(w, row, LIN), vec(w, row, ANG)
        a, b, c = sym(w, row, A), rot(w, row, B), sym(w, row, C)
        uf = add(sym_times(a, lin), turn(b, ang))
        un = add(turn_back(b, lin), sym_times(c, ang))
        d = dot(lin, uf) + dot(ang, un) + body[i, 24]
        if not d > NO_MASS:
            return i
        bias_f, bias_n = vec(w, row, BIAS), vec(w, row, BIAS + 3)
        load = tau[column + topology[i, 3]] - dot(lin, bias_f) - dot(ang, bias_n)
        put(w, row, U, uf)
        put(w, row, U + 3, un)
        w[row, D], w[row, LOAD] = d, load
        s = 1.0 / d
        a = (
            a[0] - s * uf[0] * uf[0], a[1] - s * uf[0] * uf[1],
            a[2] - s * uf[0] * uf[2], a[3] - s * uf[1] * uf[1],
            a[4] - s * uf[1] * uf[2], a[5] - s * uf[2] * uf[2],
        )  # fmt: skip
        b = (
            b[0] - s * uf[0] * un[0], b[1] - s * uf[0] * un[1],
            b[2] - s * uf[0] * un[2], b[3] - s * uf[1] * un[0],
            b[4] - s * uf[1] * un[1], b[5] - s * uf[1] * un[2],
            b[6] - s * uf[2] * un[0], b[7] - s * uf[2] * un[1],
            b[8] - s * uf[2] * un[2],
        )  # fmt: skip
        c = (
            c[0] - s * un[0] * un[0], c[1] - s * un[0] * un[1],
            c[2] - s * un[0] * un[2], c[3] - s * un[1] * un[1],
            c[4] - s * un[1] * un[2], c[5] - s * un[2] * un[2],
        )  # fmt: skip
        df, dn = vec(w, row, DRIFT), vec(w, row, DRIFT + 3)
        bias_f = add(bias_f, add(sym_times(a, df), turn(b, dn)))
        bias_n = add(bias_n, add(turn_back(b, df), sym_times(c, dn)))
        bias_f = add(bias_f, scaled(load * s, uf))
        bias_n = add(bias_n, scaled(load * s, un))
        for k in range(6):
            w[parent, A + k] += a[k]
            w[parent, C + k] += c[k]
        for k in range(9):
            w[parent, B + k] += b[k]
        for k in range(3):
            w[parent, BIAS + k] += bias_f[k]
            w[parent, BIAS + 3 + k] += bias_n[k]
    return -1


@kernel
def _base_acceleration(tau: FloatArray, w: FloatArray, qdd: FloatArray) -> None:
    """Solve the articulated inertia of the base for its spatial acceleration."""
    K = np.empty((6, 6))
    rhs = np.empty(6)
    a, b, c = sym(w, 0, A), rot(w, 0, B), sym(w, 0, C)
    index = ((0, 1, 2), (1, 3, 4), (2, 4, 5))
    for r in range(3):
        for s in range(3):
            K[r, s], K[3 + r, 3 + s] = a[index[r][s]], c[index[r][s]]
            K[r, 3 + s] = K[3 + s, r] = b[3 * r + s]
    for k in range(6):
        rhs[k] = tau[k] - w[0, BIAS + k]
    solve_spd(K, rhs)
    for k in range(6):
        qdd[k] = rhs[k]


@kernel
def aba_one(
    body: FloatArray,
    topology: IntArray,
    base: FloatArray,
    is_floating: bool,
    gravity: FloatArray,
    q: FloatArray,
    qd: FloatArray,
    tau: FloatArray,
    wrench: FloatArray,
    w: FloatArray,
    qdd: FloatArray,
) -> int:
    """Write the accelerations of one state; return a joint that moves no mass or -1."""
    column = 6 if is_floating else 0
    _outward_motion(body, topology, base, is_floating, q, qd, w)
    for row in range(wrench.shape[0]):
        arm = sub(vec(w, row, 9), vec(w, 0, 9))
        force = vec(wrench, row, 0)
        moment = add(vec(wrench, row, 3), cross(arm, force))
        put(w, row, BIAS, sub(vec(w, row, BIAS), force))
        put(w, row, BIAS + 3, sub(vec(w, row, BIAS + 3), moment))
    massless = _inward_inertia(body, topology, column, tau, w)
    if massless >= 0:
        return massless

    # The VEL columns are free now and carry the spatial acceleration outwards. Gravity
    # enters as an upward acceleration of the world.
    g = vec(gravity, 0, 0)
    acc, alpha = scaled(-1.0, g), (0.0, 0.0, 0.0)
    if is_floating:
        _base_acceleration(tau, w, qdd)
        acc, alpha = (qdd[0], qdd[1], qdd[2]), (qdd[3], qdd[4], qdd[5])
        # Back from the acceleration at a fixed point to that of the base origin.
        drift = cross((qd[3], qd[4], qd[5]), (qd[0], qd[1], qd[2]))
        for k in range(3):
            qdd[k] += drift[k] + g[k]
    put(w, 0, VEL, acc)
    put(w, 0, VEL + 3, alpha)
    for i in range(body.shape[0]):
        row, parent = i + 1, topology[i, 0] + 1
        acc = add(vec(w, parent, VEL), vec(w, row, DRIFT))
        alpha = add(vec(w, parent, VEL + 3), vec(w, row, DRIFT + 3))
        held = dot(vec(w, row, U), acc) + dot(vec(w, row, U + 3), alpha)
        value = (w[row, LOAD] - held) / w[row, D]
        qdd[column + topology[i, 3]] = value
        put(w, row, VEL, add(acc, scaled(value, vec(w, row, LIN))))
        put(w, row, VEL + 3, add(alpha, scaled(value, vec(w, row, ANG))))
    return -1


@kernel
def aba_single(
    body: FloatArray,
    topology: IntArray,
    base: FloatArray,
    is_floating: bool,
    gravity: FloatArray,
    q: FloatArray,
    qd: FloatArray,
    tau: FloatArray,
    wrench: FloatArray,
    qdd: FloatArray,
) -> int:
    """Write the accelerations of one state; return a joint that moves no mass or -1."""
    w = np.empty((body.shape[0] + 1, ABA_COLS))
    return aba_one(
        body, topology, base, is_floating, gravity, q, qd, tau, wrench, w, qdd
    )  # fmt: skip


@kernel
def aba_many(
    body: FloatArray,
    topology: IntArray,
    base: FloatArray,
    is_floating: bool,
    gravity: FloatArray,
    q: FloatArray,
    qd: FloatArray,
    tau: FloatArray,
    wrench: FloatArray,
    qdd: FloatArray,
) -> int:
    """Write the accelerations of each row of (q, qd, tau)."""
    w = np.empty((body.shape[0] + 1, ABA_COLS))
    for b in range(q.shape[0]):
        massless = aba_one(
            body, topology, base, is_floating, gravity,
            q[b], qd[b], tau[b], wrench[b], w, qdd[b],
        )  # fmt: skip
        if massless >= 0:
            return massless
    return -1


def tree_forward_dynamics(
    model: RobotModel,
    q: FloatArray,
    qd: FloatArray,
    tau: FloatArray,
    wrench: FloatArray | None = None,
    gravity: FloatArray | None = None,
) -> FloatArray:
    """Return the accelerations of the cut tree; arguments of shape (n, nq/nv).

    Raises:
        ModelError: If a joint moves no mass.
    """
    tree = model.compiled
    if tree.has_mimic:
        # Joints that share a coordinate are no tree of independent articulations.
        zero = np.zeros_like(qd)
        bias = tree_inverse_dynamics(model, q, qd, zero, wrench, gravity)
        M = tree_mass_matrix(model, q)
        qdd = np.linalg.solve(M, (tau - bias)[..., None])[..., 0]
        return np.asarray(qdd, dtype=np.float64)
    field = (tree.gravity if gravity is None else gravity).reshape(1, 3)
    if wrench is None:
        wrench = np.empty((len(q), 0, 6))
    qdd = np.empty_like(qd)
    failed: list[int] = []

    def work(part: slice) -> None:
        massless = aba_many(
            tree.body, tree.topology, tree.base.reshape(1, -1), tree.is_floating,
            field, q[part], qd[part], tau[part], wrench[part], qdd[part],
        )  # fmt: skip
        if massless >= 0:
            failed.append(massless)

    in_pieces(len(q), work)
    if failed:
        raise _no_mass_error(model, failed[0])
    return qdd


def _no_mass_error(model: RobotModel, body: int) -> ModelError:
    joint = model.joint_names_all[int(model.compiled.body_link[body])]
    return ModelError(
        f"joint {joint!r} moves no mass, so its acceleration is undefined; give the "
        "links behind it a mass, or the joint an armature"
    )


def forward_dynamics(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike,
    *,
    wrenches: dict[str, ArrayLike] | None = None,
    gravity: ArrayLike | None = None,
) -> FloatArray:
    """Return the accelerations that generalised forces cause.

    Args:
        model: Robot. With loops, `tau` are the motor loads and the loops stay closed.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities [rad/s] or [m/s], shape (..., nv).
        tau: Generalised forces [N m] or [N], shape (..., nv).
        wrenches: External wrenches [f; n] on links, by name, in world axes at the link
            origin, shape (..., 6) each.
        gravity: Gravitational acceleration [m/s^2] in place of the model's, shape (3,).

    Returns:
        `qdd`, shape (..., nv).

    Raises:
        ShapeError: If an argument does not fit the robot.
        ModelError: If a joint moves no mass.

    Example:
        >>> import numpy as np
        >>> from gelenk.dynamics import forward_dynamics
        >>> import gelenk
        >>> arm, q, qd = gelenk.load("puma560"), [0.1] * 6, [0.2] * 6
        >>> qdd = forward_dynamics(arm, q, qd, np.ones(6))
        >>> arm.inverse_dynamics(q, qd, qdd).round(9)
        array([1., 1., 1., 1., 1., 1.])
    """
    tree = model.compiled
    if not (wrenches or gravity is not None or model.loops or tree.has_mimic):
        state = as_single_state(model, q, qd, tau)
        if state is not None:
            qdd = np.empty(len(state[1]))
            massless = aba_single(
                *kernel_constants(model), state[0], state[1], state[2], NO_WRENCH, qdd
            )
            if massless >= 0:
                raise _no_mass_error(model, massless)
            return qdd
    if model.loops:
        from gelenk.dynamics.loop_dynamics import closed_forward_dynamics

        return closed_forward_dynamics(
            model, q, qd, tau, wrenches=wrenches, gravity=gravity
        )
    batch, (q_rows, qd_rows, tau_rows) = as_states(model, q=q, qd=qd, tau=tau)
    loads = external_wrenches(model, batch, q_rows, wrenches) if wrenches else None
    field = None if gravity is None else np.asarray(gravity, dtype=np.float64)
    qdd = tree_forward_dynamics(model, q_rows, qd_rows, tau_rows, loads, field)
    return qdd.reshape(*batch, model.nv)
