"""Friction of joints: dry and viscous laws, and the motion of robots with them.

Friction torques are those that friction takes, to be subtracted from the drive. Of
joints at rest nobody knows the friction beforehand: it is whatever keeps them at rest,
as long as that is less than the static level. Joints that slide accelerate those that
stick, so that the stuck ones must be found together: (M⁻¹)_SS F_S =
[M⁻¹ (τ - C - G - F_slide)]_S.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.dynamics.crba import mass_matrix
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, BoolArray, FloatArray


def sliding_friction(
    speed: ArrayLike, *, coulomb: ArrayLike, viscous: ArrayLike = 0.0
) -> FloatArray:
    """Return γ_c sign(q̇) + γ_v q̇ [N m]; arguments broadcast.

    Args:
        speed: Joint speed q̇ [rad/s].
        coulomb: Coulomb friction γ_c, which does not depend on speed [N m].
        viscous: Viscous friction γ_v per speed [N m s/rad].

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
        speed: Joint speed q̇ [rad/s]; exactly 0 means at rest.
        applied: Torque that would set the resting joint in motion [N m].
        static: Static level γ_s, the most that friction can hold [N m].
        coulomb: Coulomb friction γ_c while sliding [N m].
        viscous: Viscous friction γ_v [N m s/rad].

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
    level = stribeck_level(
        speed,  # pyright: ignore[reportArgumentType] (compiled for arrays as well)
        coulomb,
        static,
        stribeck_speed,
    )
    return level * np.sign(speed) + viscous * speed


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointFriction:
    """Friction of all joints of a robot.

    Attributes:
        coulomb: Coulomb friction γ_c while sliding [N m] or [N], shape (n,).
        viscous: Viscous friction γ_v [N m s/rad] or [N s/m], shape (n,).
        static: Friction γ_s at rest, at least γ_c, shape (n,); by default γ_c.
        rest_speed: Speed below which a joint counts as resting [rad/s] or [m/s].

    Example:
        >>> from gelenk.dynamics import JointFriction
        >>> friction = JointFriction(coulomb=[0.5, 0.2], viscous=[0.1, 0.1])
        >>> print(friction.static_level)
        [0.5 0.2]
    """

    coulomb: ArrayLike
    viscous: ArrayLike = 0.0
    static: ArrayLike | None = None
    rest_speed: float = 1e-6

    def __post_init__(self) -> None:
        if np.any(self.static_level < np.asarray(self.coulomb)):
            raise ConfigError("static friction must be at least the sliding one")
        if np.any(np.asarray(self.coulomb) < 0.0) or np.any(
            np.asarray(self.viscous) < 0.0
        ):
            raise ConfigError("friction must not drive: levels must be >= 0")

    @property
    def static_level(self) -> FloatArray:
        """γ_s [N m] or [N]."""
        level = self.coulomb if self.static is None else self.static
        return np.asarray(level, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FrictionMotion:
    """Accelerations of the joints, and the friction they meet.

    Attributes:
        qdd: Accelerations [rad/s^2] or [m/s^2], shape (n,).
        friction: Friction torque F [N m] or [N], shape (n,).
        is_stuck: Joint stays at rest, shape (n,).
    """

    qdd: FloatArray
    friction: FloatArray
    is_stuck: BoolArray


def inverse_dynamics_with_friction(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    *,
    friction: JointFriction,
) -> FloatArray:
    """Return τ = M q̈ + C + G + F(q̇) [N m] or [N], shape (..., n).

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> state = ([0.2, 0.1], [0.5, -0.5], [0.0, 0.0])
        >>> rough = inverse_dynamics_with_friction(
        ...     arm, *state, friction=JointFriction(coulomb=1.0, viscous=0.4)
        ... )
        >>> print((rough - arm.inverse_dynamics(*state)).round(9))
        [ 1.2 -1.2]
    """
    losses = sliding_friction(qd, coulomb=friction.coulomb, viscous=friction.viscous)
    return inverse_dynamics(model, q, qd, qdd) + losses


def forward_dynamics_with_friction(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike,
    *,
    friction: JointFriction,
) -> FrictionMotion:
    """Return the accelerations of a robot with dry friction, stuck joints included.

    The joint that exceeds its static level most is released, and the others are solved
    again, until none does.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (n,).
        qd: Joint velocities [rad/s] or [m/s], shape (n,).
        tau: Drive [N m] or [N], shape (n,).
        friction: Friction of the joints.

    Example:
        Pushed with 0.5 N m beyond its weight, against 1 N m, nothing moves.

        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> weight = arm.inverse_dynamics([0.2, 0.1], [0, 0], [0, 0])
        >>> motion = forward_dynamics_with_friction(
        ...     arm, [0.2, 0.1], [0, 0], weight + 0.5, friction=JointFriction(coulomb=1)
        ... )
        >>> print(motion.qdd, motion.friction.round(9))
        [0. 0.] [0.5 0.5]
    """
    q, qd = np.asarray(q, np.float64), np.asarray(qd, np.float64)
    if q.ndim != 1:
        raise ConfigError("dry friction at rest is solved for one state, not a batch")
    push = np.asarray(tau) - inverse_dynamics(model, q, qd, np.zeros(model.nv))
    inverse = np.linalg.inv(mass_matrix(model, q))
    limit = np.broadcast_to(friction.static_level, push.shape)
    is_stuck = np.abs(qd) < friction.rest_speed
    F = sliding_friction(qd, coulomb=friction.coulomb, viscous=friction.viscous)
    F = np.where(is_stuck, 0.0, F)
    while is_stuck.any():
        rest = np.flatnonzero(is_stuck)
        F[rest] = 0.0
        wanted = (inverse @ (push - F))[rest]
        F[rest] = np.linalg.solve(inverse[np.ix_(rest, rest)], wanted)
        excess = np.where(is_stuck, np.abs(F) - limit, -1.0)
        worst = int(np.argmax(excess))
        if excess[worst] <= 1e-12 * max(1.0, limit[worst]):
            break
        is_stuck[worst] = False
        F[worst] = limit[worst] * np.sign(F[worst])
    qdd = inverse @ (push - F)
    return FrictionMotion(
        qdd=np.where(is_stuck, 0.0, qdd), friction=F, is_stuck=is_stuck
    )
