"""Motors that are commanded directly: a target value, a torque or a speed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gelenk.sim.motors.parts import Friction, check_values


@dataclass(frozen=True, slots=True, kw_only=True)
class IdealMotor:
    """Infinitely strong: runs to its target at limited speed, whatever is in the way.

    Each tick the value moves by clip(target - value, ±share * max_speed * h): at once
    at full speed, and at rest as soon as it is there. A controller that sends a
    set-point every few milliseconds wants `interpolate` as well.

    Attributes:
        max_speed: Top speed [rad/s]; None: the model's.
        max_acceleration: Largest acceleration [rad/s^2]; infinite: speeds may jump.
        interpolate: Whether the value runs evenly to each new set-point in the time
            between the last two (10 ms after a pause of 0.1 s or more), one such time
            behind them, instead of at top speed.
        latency: Time from command to effect [s].

    Example:
        >>> from gelenk.sim import IdealMotor
        >>> IdealMotor(max_speed=2.0, latency=0.01).latency
        0.01
    """

    max_speed: float | None = None
    max_acceleration: float = math.inf
    interpolate: bool = False
    latency: float = 0.0

    def __post_init__(self) -> None:
        if self.max_speed is not None:
            check_values(self, "max_speed", inf=True)
        check_values(self, "max_acceleration", inf=True)
        check_values(self, "latency", above=False)

    @property
    def is_smooth(self) -> bool:
        """Whether it follows its set-points without leaps of speed."""
        return self.interpolate or math.isfinite(self.max_acceleration)


@dataclass(frozen=True, slots=True, kw_only=True)
class TorqueMotor:
    """A motor whose command is its torque, within a limit.

    Attributes:
        limit: Largest torque [N m]; None: the model's `max_effort`.
        gear_ratio: Motor speed / joint speed.
        rotor_inertia: Moment of inertia at the motor's shaft [kg m^2]; None: the
            model's armature.
        friction: Friction of motor and gear, felt at the joint.
        latency: Time from command to effect [s].

    Example:
        >>> import gelenk
        >>> from gelenk.sim import Robot, TorqueMotor, World
        >>> world, arm = World(), gelenk.load("ur5e")
        >>> _ = world.add(Robot(name="arm", model=arm, motors=TorqueMotor(limit=150.0)))
        >>> q = world.configuration("arm")
        >>> world.command("arm", arm.inverse_dynamics(q, 0 * q, 0 * q))
        >>> world.run(0.1)  # the torques carry the arm's weight
        >>> bool(abs(world.configuration("arm") - q).max() < 1e-9)
        True
    """

    limit: float | None = None
    gear_ratio: float = 1.0
    rotor_inertia: float | None = None
    friction: Friction = field(default_factory=Friction)
    latency: float = 0.0

    def __post_init__(self) -> None:
        if self.limit is not None:
            check_values(self, "limit", inf=True)
        _check_shaft(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class VelocityServo:
    """A servo that keeps a speed with limited torque: what drives wheels.

    τ = kd (target - ω), bounded by ±torque_limit.

    Attributes:
        kd: Torque per error of the speed [N m s/rad].
        torque_limit: Largest torque [N m]; None: the model's `max_effort`.
        gear_ratio: Motor speed / joint speed.
        rotor_inertia: Moment of inertia at the motor's shaft [kg m^2]; None: the
            model's armature.
        friction: Friction of motor and gear, felt at the joint.
        latency: Time from command to effect [s].

    Example:
        >>> from gelenk.sim import VelocityServo
        >>> VelocityServo(kd=5.0, torque_limit=20.0).torque_limit
        20.0
    """

    kd: float
    torque_limit: float | None = None
    gear_ratio: float = 1.0
    rotor_inertia: float | None = None
    friction: Friction = field(default_factory=Friction)
    latency: float = 0.0

    def __post_init__(self) -> None:
        check_values(self, "kd")
        if self.torque_limit is not None:
            check_values(self, "torque_limit", inf=True)
        _check_shaft(self)


def _check_shaft(motor: TorqueMotor | VelocityServo) -> None:
    check_values(motor, "gear_ratio")
    check_values(motor, "latency", above=False)
    if motor.rotor_inertia is not None:
        check_values(motor, "rotor_inertia", above=False)
