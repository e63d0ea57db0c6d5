"""Dry and viscous friction of a joint: sliding, sticking, and the way between.

Signs: these are the torques that friction takes, to be subtracted from the drive.
"""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, FloatArray


def sliding_friction(
    speed: ArrayLike, *, coulomb: ArrayLike, viscous: ArrayLike = 0.0
) -> FloatArray:
    """Return γ_c sign(q̇) + γ_v q̇ [N m]; arguments broadcast.

    Args:
        speed: q̇ [rad/s].
        coulomb: γ_c, friction that does not depend on speed [N m].
        viscous: γ_v, friction per speed [N m s/rad].

    Example:
        >>> sliding_friction([-0.5, 0.0, 0.5], coulomb=2.0, viscous=1.0)
        array([-2.5,  0. ,  2.5])
    """
    speed = np.asarray(speed, np.float64)
    return np.asarray(coulomb) * np.sign(speed) + np.asarray(viscous) * speed


def sticking_friction(
    speed: ArrayLike,
    applied: ArrayLike,
    *,
    static: ArrayLike,
    coulomb: ArrayLike,
    viscous: ArrayLike = 0.0,
) -> FloatArray:
    """Return friction with its three cases: sliding, holding, breaking loose [N m].

    Args:
        speed: q̇ [rad/s]; exactly 0 means at rest.
        applied: Torque that would set the resting joint in motion [N m].
        static: γ_s, the most that friction can hold [N m].
        coulomb: γ_c, friction while sliding [N m].
        viscous: γ_v [N m s/rad].

    Example:
        >>> sticking_friction(0.0, [1.0, 5.0], static=3.0, coulomb=2.0)
        array([1., 3.])
    """
    speed, applied = np.asarray(speed, np.float64), np.asarray(applied, np.float64)
    holding = np.clip(applied, -np.asarray(static), np.asarray(static))
    sliding = sliding_friction(speed, coulomb=coulomb, viscous=viscous)
    return np.where(speed == 0.0, holding, sliding)


@kernel
def stribeck_level(
    speed: float, coulomb: float, static: float, stribeck_speed: float
) -> float:
    """Return the size of dry friction between sticking and sliding [N m].

    γ_c + (γ_s - γ_c) exp(-|q̇ / q̇_s|): the static level at rest, the Coulomb level at
    speeds far above `stribeck_speed`.
    """
    return coulomb + (static - coulomb) * np.exp(-np.abs(speed / stribeck_speed))


def stribeck_friction(
    speed: ArrayLike,
    *,
    coulomb: float,
    static: float,
    stribeck_speed: float,
    viscous: float = 0.0,
) -> FloatArray:
    """Return the friction of a sliding joint after Stribeck [N m], shape of `speed`.

    Example:
        >>> levels = {"coulomb": 1.0, "static": 1.5, "viscous": 0.2}
        >>> stribeck_friction([0.001, 0.2, 1.0], stribeck_speed=0.05, **levels).round(3)
        array([1.49 , 1.049, 1.2  ])
    """
    speed = np.asarray(speed, np.float64)
    level = stribeck_level(speed, coulomb, static, stribeck_speed)
    return level * np.sign(speed) + viscous * speed
