"""The dynamics as a linear function of masses and inertias: tau = Y(q, qd, qdd) pi.

Per link ten parameters: mass, mass times centre, and the inertia tensor about the
**link origin** (about the centre of mass it would not be linear). The matrix Y is what
identification and adaptive control need (Damken 2023 §5.4.1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.dynamics.inertia import shift_from_com
from gelenk.dynamics.momentum import link_jacobians
from gelenk.kinematics.forward import link_poses
from gelenk.kinematics.link_motion import link_motion
from gelenk.models.tree import RobotModel
from gelenk.spatial.vectors import skew
from gelenk.typing import ArrayLike, FloatArray

PARAMETER_NAMES = ("m", "mx", "my", "mz", "Jxx", "Jxy", "Jxz", "Jyy", "Jyz", "Jzz")
_TENSOR = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


def inertial_parameters(
    model: RobotModel, *, links: Sequence[str] | None = None
) -> FloatArray:
    """Return pi: the ten parameters of each link, one after the other.

    Args:
        model: Robot.
        links: Names of the links, by default all.

    Returns:
        (m, m c, tensor elements xx, xy, xz, yy, yz, zz about the link origin), shape
        (10 * number of links,).
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
        gravity: In place of the model's [m/s^2], shape (3,).

    Returns:
        Shape (..., nv, 10 * number of links).

    Example:
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
