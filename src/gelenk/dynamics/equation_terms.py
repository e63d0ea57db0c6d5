"""Terms of the equations of motion: gravity, Coriolis, energies, regressor.

Each term of tau = M(q) qdd + c(q, qd) + G(q) is what inverse dynamics returns with the
others switched off (Damken 2023 §5.2.2). The regressor writes the same torques as a
linear function tau = Y(q, qd, qdd) pi of ten parameters per link: mass, mass times
centre, and the inertia tensor about the **link origin** (§5.4.1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.dynamics.crba import mass_matrix
from gelenk.dynamics.inertia import shift_from_com
from gelenk.dynamics.momentum import link_jacobians
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.kinematics.forward import link_motion, link_poses
from gelenk.models.tree import RobotModel
from gelenk.spatial.vectors import skew
from gelenk.typing import ArrayLike, FloatArray


def gravity_torques(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return G(q): what holds the robot still, shape (..., nv).

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).

    Example:
        >>> import gelenk
        >>> from gelenk.dynamics import gravity_torques
        >>> arm = gelenk.load("planar2r")
        >>> print(gravity_torques(arm, [0.0, 0.0]).round(3))  # [N m]
        [46.107 11.772]
    """
    rest = np.zeros((*np.shape(q)[:-1], model.nv))
    return inverse_dynamics(model, q, rest, rest)


def coriolis_torques(model: RobotModel, q: ArrayLike, qd: ArrayLike) -> FloatArray:
    """Return c(q, qd): centrifugal and Coriolis terms, quadratic in qd.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).

    Returns:
        Array of shape (..., nv).

    Example:
        >>> import gelenk
        >>> arm, q, qd = gelenk.load("planar2r"), [0.2, 1.0], [0.5, -0.3]
        >>> parts = coriolis_torques(arm, q, qd) + gravity_torques(arm, q)
        >>> bool(np.allclose(parts, arm.inverse_dynamics(q, qd, [0.0, 0.0])))
        True
    """
    zero = np.zeros_like(model.check_v("qd", qd))
    return inverse_dynamics(model, q, qd, zero, gravity=np.zeros(3))


def coriolis_matrix(model: RobotModel, q: ArrayLike, qd: ArrayLike) -> FloatArray:
    """Return C(q, qd) with C qd = c(q, qd), in Christoffel form.

    c is quadratic, so its symmetric bilinear form follows by polarisation:
    C(q, qd) w = 1/2 (c(qd + w) - c(qd) - c(w)). With a fixed base dM/dt - 2 C is skew;
    a floating base has no coordinates whose derivative qd is, and no such form.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).

    Returns:
        Array of shape (..., nv, nv).

    Example:
        >>> import numpy as np
        >>> import gelenk
        >>> from gelenk.dynamics import coriolis_matrix
        >>> arm, q, qd = gelenk.load("planar2r"), [0.2, 1.0], [0.5, -0.3]
        >>> C = coriolis_matrix(arm, q, qd)
        >>> c = arm.inverse_dynamics(q, qd, [0, 0], gravity=[0, 0, 0])
        >>> bool(np.allclose(C @ qd, c))
        True
    """
    q, qd = model.check_q("q", q), model.check_v("qd", qd)
    batch = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
    shape = (*batch, model.nv, model.nv)
    unit = np.broadcast_to(np.eye(model.nv), shape).copy()
    rows = np.broadcast_to(q[..., None, :], (*shape[:-1], model.nq)).copy()
    both = coriolis_torques(model, rows, qd[..., None, :] + unit)
    alone = coriolis_torques(model, rows, unit)
    own = coriolis_torques(model, q, np.broadcast_to(qd, (*batch, model.nv)).copy())
    return 0.5 * (both - own[..., None, :] - alone).swapaxes(-1, -2)


def mass_matrix_by_columns(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return M(q) by inverse dynamics, one call for each column.

    Column j is what unit acceleration of coordinate j takes, at rest and without
    gravity. n calls of n steps each; `mass_matrix` is faster.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        Array of shape (..., nv, nv).

    Example:
        >>> import gelenk
        >>> arm, q = gelenk.load("puma560"), [0.1] * 6
        >>> bool(np.allclose(mass_matrix_by_columns(arm, q), arm.mass_matrix(q)))
        True
    """
    q = model.check_q("q", q)
    shape = (*q.shape[:-1], model.nv, model.nv)
    unit = np.broadcast_to(np.eye(model.nv), shape).copy()
    rows = np.broadcast_to(q[..., None, :], (*shape[:-1], model.nq)).copy()
    columns = inverse_dynamics(
        model, rows, np.zeros_like(unit), unit, gravity=np.zeros(3)
    )
    return columns.swapaxes(-1, -2)


def kinetic_energy(model: RobotModel, q: ArrayLike, qd: ArrayLike) -> FloatArray:
    """Return 1/2 qd^T M(q) qd [J], shape (...).

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).
    """
    qd = model.check_v("qd", qd)
    return 0.5 * np.vecdot(qd, np.matvec(mass_matrix(model, q), qd))


def potential_energy(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return -sum m g . r_c [J], zero for centres of mass in the origin, shape (...).

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
    """
    poses = link_poses(model, q)
    centre = poses[..., :3, 3] + np.matvec(poses[..., :3, :3], model.com)
    return -np.matvec(centre, model.gravity) @ model.mass


def total_energy(model: RobotModel, q: ArrayLike, qd: ArrayLike) -> FloatArray:
    """Return kinetic plus potential energy [J], shape (...).

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).

    Example:
        >>> import numpy as np
        >>> import gelenk
        >>> from gelenk.dynamics import total_energy
        >>> arm = gelenk.load("planar2r")
        >>> lifted = total_energy(arm, [np.pi / 2, 0.0], [0.0, 0.0])
        >>> bool(lifted > total_energy(arm, [0.0, 0.0], [0.0, 0.0]))
        True
    """
    return kinetic_energy(model, q, qd) + potential_energy(model, q)


_TENSOR = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


def inertial_parameters(
    model: RobotModel, *, links: Sequence[str] | None = None
) -> FloatArray:
    """Return pi: the ten parameters of each link, one after the other.

    Args:
        model: Robot.
        links: Names of the links, by default all.

    Returns:
        Parameters (m, m c, tensor elements xx, xy, xz, yy, yz, zz about the link
        origin), shape (10 * number of links,).

    Example:
        >>> import gelenk
        >>> from gelenk.dynamics import inertial_parameters
        >>> arm = gelenk.load("planar2r")
        >>> inertial_parameters(arm, links=[arm.link_names[1]]).shape
        (10,)
    """
    ids = _link_ids(model, links)
    J = shift_from_com(model.inertia, model.mass, model.com)
    tensor = np.stack([J[:, i, j] for i, j in _TENSOR], axis=1)
    pi = np.concatenate(
        [model.mass[:, None], model.mass[:, None] * model.com, tensor], axis=1
    )
    return pi[ids].ravel()


def regressor(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    *,
    links: Sequence[str] | None = None,
    gravity: ArrayLike | None = None,
) -> FloatArray:
    """Return Y with Y pi = tau, but for rotor inertias.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).
        qdd: Joint accelerations, shape (..., nv).
        links: Names of the links whose parameters pi holds, by default all.
        gravity: Gravitational acceleration in place of the model's [m/s^2], shape (3,).

    Returns:
        Array of shape (..., nv, 10 * number of links).

    Example:
        >>> import numpy as np
        >>> from gelenk.dynamics import inertial_parameters, regressor
        >>> import gelenk
        >>> arm, q, z = gelenk.load("planar2r"), [0.3, 0.5], [0.0, 0.0]
        >>> tau = regressor(arm, q, z, z) @ inertial_parameters(arm).ravel()
        >>> bool(np.allclose(tau, arm.inverse_dynamics(q, z, z)))
        True
    """
    ids = _link_ids(model, links)
    g = model.gravity if gravity is None else np.asarray(gravity, dtype=np.float64)
    twist, acc = link_motion(model, q, qd, qdd)
    twist, acc = twist[..., ids, :], acc[..., ids, :]
    R_link_base = link_poses(model, q)[..., ids, :3, :3].swapaxes(-1, -2)
    a = np.matvec(R_link_base, acc[..., :3] - g)
    alpha = np.matvec(R_link_base, acc[..., 3:])
    omega = np.matvec(R_link_base, twist[..., 3:])
    W = _wrench_of_parameters(a, alpha, omega)  # (..., k, 6, 10), link axes
    J = link_jacobians(model, q)[..., ids, :, :]
    J_link = np.concatenate(
        [R_link_base @ J[..., :3, :], R_link_base @ J[..., 3:, :]], axis=-2
    )
    Y = J_link.swapaxes(-1, -2) @ W  # (..., k, nv, 10)
    return np.moveaxis(Y, -3, -2).reshape(*Y.shape[:-3], model.nv, 10 * len(ids))


def _wrench_of_parameters(
    a: FloatArray, alpha: FloatArray, omega: FloatArray
) -> FloatArray:
    """Return the wrench [f; n] about the link origin that each unit parameter needs."""
    A, B = skew(alpha), skew(omega)
    W = np.zeros((*a.shape[:-1], 6, 10))
    W[..., :3, 0] = a
    W[..., :3, 1:4] = A + B @ B
    W[..., 3:, 1:4] = -skew(a)
    for k, (i, j) in enumerate(_TENSOR):
        unit = np.zeros((3, 3))
        unit[i, j] = unit[j, i] = 1.0
        spin = np.matvec(unit, omega)
        W[..., 3:, 4 + k] = np.matvec(unit, alpha) + np.matvec(B, spin)
    return W


def _link_ids(model: RobotModel, links: Sequence[str] | None) -> list[int]:
    names = model.link_names if links is None else links
    return [model.link_id(name) for name in names]
