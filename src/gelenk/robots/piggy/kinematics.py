"""Kinematics of the batting unit in closed form; joints (roll, tilt), world axes.

    p = origin + [sin r (l cos t + o), -l sin t, cos r (l cos t + o)]

with bat length l and axis offset o. The rod's direction n is the normal of the surface
on which the sphere's centre moves, and the two columns of the Jacobian are orthogonal
to it and to each other. All functions take leading axes.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.config import CALIBRATED_WEIGHT, UNIT, UnitCfg
from gelenk.typing import ArrayLike, FloatArray


def forward(q: ArrayLike, *, cfg: UnitCfg = UNIT) -> FloatArray:
    """Return the centre of the bat's sphere in the world [m], shape (..., 3).

    Args:
        q: Roll and tilt [rad], shape (..., 2).
        cfg: Geometry.
    """
    return np.array(cfg.origin) + _arm(q, cfg)


def forward_frames(
    q: ArrayLike, *, cfg: UnitCfg = UNIT
) -> tuple[FloatArray, FloatArray]:
    """Return T_world_roll and T_world_tilt by the chain of matrices (4.1) to (4.4).

    Args:
        q: Roll and tilt [rad], shape (..., 2).
        cfg: Geometry.

    Returns:
        Frames that turn with their joint, each (..., 4, 4).
    """
    q = as_array("q", q, (2,))
    T_world_base = np.array(unit.T_HOUSING_ROLL)
    T_world_base[:3, 3] = cfg.origin
    T_roll_mount = np.array(unit.T_ROLL_TILT)
    T_roll_mount[1, 3] = -cfg.axis_offset
    T_world_roll = T_world_base @ _turn_z(q[..., 0])
    return T_world_roll, T_world_roll @ T_roll_mount @ _turn_z(q[..., 1])


def forward_point(
    q: ArrayLike, p_tilt: ArrayLike, *, cfg: UnitCfg = UNIT
) -> FloatArray:
    """Return a point fixed to the bat in world coordinates [m], shape (..., 3).

    Args:
        q: Roll and tilt [rad], shape (..., 2).
        p_tilt: The point in the tilt frame [m], shape (..., 3); the sphere's centre is
            (0, -bat_length, 0).
        cfg: Geometry.
    """
    T = forward_frames(q, cfg=cfg)[1]
    p = as_array("p_tilt", p_tilt, (3,))
    return (T[..., :3, :3] @ p[..., None])[..., 0] + T[..., :3, 3]


def inverse(p_world: ArrayLike, *, cfg: UnitCfg = UNIT) -> FloatArray:
    """Return the angles that bring the sphere's centre nearest to a point.

    Exact for points at any distance, above the roll axis and outside of the circle of
    tilt axes.

    Args:
        p_world: Points [m], shape (..., 3).
        cfg: Geometry.

    Returns:
        Roll and tilt [rad], shape (..., 2); NaN where no nearest pose between the
        singularities exists.
    """
    x, y, z = np.moveaxis(
        as_array("p_world", p_world, (3,)) - np.array(cfg.origin), -1, 0
    )
    radial = np.hypot(x, z) - cfg.axis_offset
    q = np.stack([np.arctan2(x, z), -np.arctan2(y, radial)], axis=-1)
    return np.where(((z > 0.0) & (radial > 0.0))[..., None], q, np.nan)


def normal(q: ArrayLike) -> FloatArray:
    """Return the direction of the rod, normal of the workspace, shape (..., 3)."""
    (sr, cr), (st, ct) = _sines(q)
    return np.stack([sr * ct, -st, cr * ct], axis=-1)


def jacobian(q: ArrayLike, *, cfg: UnitCfg = UNIT) -> FloatArray:
    """Return d(sphere's centre)/dq [m/rad], shape (..., 3, 2)."""
    (sr, cr), (st, ct) = _sines(q)
    reach = cfg.bat_length * ct + cfg.axis_offset
    roll = np.stack([cr * reach, np.zeros_like(reach), -sr * reach], axis=-1)
    tilt = cfg.bat_length * np.stack([-sr * st, -ct, -cr * st], axis=-1)
    return np.stack([roll, tilt], axis=-1)


def bat_velocity(q: ArrayLike, qd: ArrayLike, *, cfg: UnitCfg = UNIT) -> FloatArray:
    """Return the velocity of the sphere's centre [m/s], shape (..., 3).

    Args:
        q: Roll and tilt [rad], shape (..., 2).
        qd: Their rates [rad/s], shape (..., 2).
        cfg: Geometry.
    """
    qd = as_array("qd", qd, (2,))
    return (jacobian(q, cfg=cfg) @ qd[..., None])[..., 0]


def joint_rates(q: ArrayLike, v_world: ArrayLike, *, cfg: UnitCfg = UNIT) -> FloatArray:
    """Return the joint rates whose bat velocity is nearest to the wanted one.

    Exact where the velocity is tangential to the workspace; a part along the rod cannot
    be had and is left out.

    Args:
        q: Roll and tilt [rad], shape (..., 2).
        v_world: Velocity of the sphere's centre [m/s], shape (..., 3).
        cfg: Geometry.

    Returns:
        Rates [rad/s], shape (..., 2).
    """
    J = jacobian(q, cfg=cfg)
    v = as_array("v_world", v_world, (3,))
    # The columns are orthogonal: each rate by itself.
    return (J * v[..., None]).sum(axis=-2) / (J * J).sum(axis=-2)


def gravity_torques(
    q: ArrayLike, *, weight: float = CALIBRATED_WEIGHT, cfg: UnitCfg = UNIT
) -> FloatArray:
    """Return the torques that gravity exerts on both joints, -dU/dq (4.9), (4.10).

    Positive torques drive the bat further down; a controller subtracts them.

    Args:
        q: Roll and tilt [rad], shape (..., 2).
        weight: Of a point mass in the sphere's centre [N].
        cfg: Geometry.

    Returns:
        Torques [N m], shape (..., 2).
    """
    (sr, cr), (st, ct) = _sines(q)
    roll = (cfg.bat_length * ct + cfg.axis_offset) * weight * sr
    return np.stack([roll, cfg.bat_length * weight * cr * st], axis=-1)


def _arm(q: ArrayLike, cfg: UnitCfg) -> FloatArray:
    (sr, cr), (st, ct) = _sines(q)
    reach = cfg.bat_length * ct + cfg.axis_offset
    return np.stack([sr * reach, -cfg.bat_length * st, cr * reach], axis=-1)


def _sines(q: ArrayLike) -> tuple[tuple[FloatArray, ...], tuple[FloatArray, ...]]:
    q = as_array("q", q, (2,))
    s, c = np.sin(q), np.cos(q)
    return (s[..., 0], c[..., 0]), (s[..., 1], c[..., 1])


def _turn_z(angle: FloatArray) -> FloatArray:
    T = np.zeros((*angle.shape, 4, 4))
    T[..., 0, 0] = T[..., 1, 1] = np.cos(angle)
    T[..., 1, 0] = np.sin(angle)
    T[..., 0, 1] = -T[..., 1, 0]
    T[..., 2, 2] = T[..., 3, 3] = 1.0
    return T
