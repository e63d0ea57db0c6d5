"""Centre of mass and momentum of a whole robot.

The centroidal momentum matrix A(q) takes qd to [linear momentum; angular momentum about
the centre of mass], world axes (Orin and Goswami 2008). Without external forces both
are conserved; with them, their rates are the total force and moment.
"""

from __future__ import annotations

import numpy as np

from gelenk.errors import ModelError
from gelenk.kinematics.forward import link_poses, link_twists
from gelenk.models.tree import RobotModel
from gelenk.spatial.vectors import cross
from gelenk.typing import ArrayLike, FloatArray


def centre_of_mass(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return the centre of mass of the robot in the base [m], shape (..., 3).

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).

    Raises:
        ModelError: If the robot has no mass.

    Example:
        >>> import gelenk
        >>> from gelenk.dynamics import centre_of_mass
        >>> print(centre_of_mass(gelenk.load("planar2r"), [0.0, 0.0]).round(3))
        [1.343 0.    0.   ]
    """
    centres = _link_centres(model, link_poses(model, q))
    return np.einsum("...ki,k->...i", centres, model.mass) / _total_mass(model)


def link_jacobians(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return the Jacobians of all links, in the order of `link_names`.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        Jacobians with rows [v; omega] of each link origin per unit of `qd`, base axes,
        shape (..., num_links, 6, nv).
    """
    q = model.check_q("q", q)
    twists = link_twists(model, q[..., None, :], np.eye(model.nv))
    return np.moveaxis(twists, -3, -1)


def com_jacobian(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return the Jacobian of the centre of mass, shape (..., 3, nv).

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).

    Example:
        >>> import gelenk
        >>> from gelenk.dynamics import com_jacobian
        >>> arm = gelenk.load("planar2r")
        >>> print(com_jacobian(arm, [0.0, 0.0]).round(3) + 0.0)
        [[0.    0.   ]
         [1.343 0.343]
         [0.    0.   ]]
    """
    return centroidal_momentum_matrix(model, q)[..., :3, :] / _total_mass(model)


def centroidal_momentum_matrix(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return A(q): A qd is momentum and angular momentum about the centre of mass.

    Rotor inertias (`armature`) turn with their joints only and do not count.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        Matrix with rows [p; L], base axes [kg m/s], [kg m^2/s], shape (..., 6, nv).

    Example:
        >>> import gelenk
        >>> from gelenk.dynamics import centroidal_momentum_matrix
        >>> arm = gelenk.load("planar2r")
        >>> A = centroidal_momentum_matrix(arm, [0.3, 0.4])
        >>> A.shape
        (6, 2)
    """
    poses = link_poses(model, q)
    R = poses[..., :3, :3]
    J = link_jacobians(model, q).swapaxes(-1, -2)  # (..., links, nv, 6)
    arm = np.matvec(R, model.com)  # from link origin to its centre
    p = model.mass[:, None, None] * (J[..., :3] + cross(J[..., 3:], arm[..., None, :]))
    inertia = R @ model.inertia @ R.swapaxes(-1, -2)
    lever = _link_centres(model, poses) - centre_of_mass(model, q)[..., None, :]
    spin = np.matvec(inertia[..., None, :, :], J[..., 3:])
    spin = spin + cross(lever[..., None, :], p)
    A = np.concatenate([p, spin], axis=-1).sum(axis=-3)
    return A.swapaxes(-1, -2)


def momentum(model: RobotModel, q: ArrayLike, qd: ArrayLike) -> FloatArray:
    """Return momentum and angular momentum about the centre of mass.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).

    Returns:
        Momentum [p; L], base axes [kg m/s], [kg m^2/s], shape (..., 6).
    """
    A = centroidal_momentum_matrix(model, q)
    return np.matvec(A, model.check_v("qd", qd))


def _total_mass(model: RobotModel) -> float:
    total = float(model.mass.sum())
    if not total > 0.0:
        raise ModelError(f"robot {model.name!r} has no mass, so no centre of mass")
    return total


def _link_centres(model: RobotModel, poses: FloatArray) -> FloatArray:
    return poses[..., :3, 3] + np.matvec(poses[..., :3, :3], model.com)
