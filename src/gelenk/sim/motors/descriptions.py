"""Motors as data: what a joint's drive can do and what is wrong with it.

All torques, speeds and angles are those of the joint, behind the gear; only
`rotor_inertia` counts at the motor's own shaft. On a sliding joint read N for N m and
m for rad. What is None is the model's: its `max_velocity`, its `max_effort`, and as
inertia of the rotor its `armature`, which a rotor inertia that is given replaces.

| motor | command | second channel |
|---|---|---|
| `IdealMotor` | target value [rad] | share of the top speed, 0..1 |
| `TorqueMotor` | torque [N m] | |
| `VelocityServo` | target speed [rad/s] | |
| `TorqueServo` | share of full voltage, -1..1; or target [rad] | 0; or speed, 0..1 |
| `DCGearMotor` | PWM, -command_range..command_range | hold, 0..command_range |
| `PositionServo` | target value [rad] | stiffness, 0..1 |
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

from gelenk.errors import ConfigError
from gelenk.sim.motors.direct import IdealMotor as IdealMotor
from gelenk.sim.motors.direct import TorqueMotor as TorqueMotor
from gelenk.sim.motors.direct import VelocityServo as VelocityServo
from gelenk.sim.motors.parts import Backlash as Backlash
from gelenk.sim.motors.parts import Friction as Friction
from gelenk.sim.motors.parts import Heating as Heating
from gelenk.sim.motors.parts import check_values


@dataclass(frozen=True, slots=True, kw_only=True)
class TorqueServo:
    """A geared servo whose command is an open voltage: torque falls with speed.

    τ = τ_stall (u V/V_nominal - ω/ω_0), minus friction.

    Attributes:
        stall_torque: τ_stall at nominal voltage [N m].
        no_load_speed: ω_0 at nominal voltage [rad/s].
        nominal_voltage: Voltage at which torque and speed were measured [V].
        supply_voltage: Voltage of the supply [V]; nominal if not given.
        stall_current: Stall current at nominal voltage [A].
        gear_ratio: Motor speed / joint speed.
        rotor_inertia: Moment of inertia at the motor's shaft [kg m^2]; None: the
            model's armature.
        friction: Friction of motor and gear, felt at the joint.
        backlash: Backlash of the gear, if any.
        latency: Time from command to effect [s].
        command_steps: Steps of the command per direction; 0: continuous.
        heating: Warmth of the winding, if it matters.
        position_gain: Gain of the servo's own loop: speed wanted per error [1/s]. Where
            it is above 0 and the second channel too, the command is a target, run to at
            that share of the no-load speed.
        speed_gain: Speed gain of that loop: shares of the full voltage per share of the
            no-load speed that is missing [1].

    Example:
        >>> from gelenk.sim import TorqueServo
        >>> servo = TorqueServo(
        ...     stall_torque=2.0, no_load_speed=6.0, nominal_voltage=12.0
        ... )
        >>> servo.stall_torque * (0.5 - 1.5 / servo.no_load_speed)  # u = 0.5, 1.5 rad/s
        0.5
    """

    stall_torque: float
    no_load_speed: float
    nominal_voltage: float
    supply_voltage: float | None = None
    stall_current: float = 0.0
    gear_ratio: float = 1.0
    rotor_inertia: float | None = None
    friction: Friction = field(default_factory=Friction)
    backlash: Backlash | None = None
    latency: float = 0.0
    command_steps: int = 0
    heating: Heating | None = None
    position_gain: float = 0.0
    speed_gain: float = 0.0

    def __post_init__(self) -> None:
        _check_drive(self)
        check_values(self, "position_gain", "speed_gain", above=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DCGearMotor:
    """A DC motor behind a self-braking gear, switched by a bridge with PWM.

    τ = τ_stall (u - ω/ω_0), i = i_stall |u - ω/ω_0|, u = PWM/range * V/V_nominal.
    The stall torque is what comes out, so friction is already gone in the driving
    direction; against being driven back the gear resists with up to
    `back_drive_torque`. Command 0 opens the bridge (the drive coasts); the second
    channel shorts the motor with that share of the time (it holds).

    Attributes:
        stall_torque: τ_stall at nominal voltage [N m].
        no_load_speed: ω_0 at nominal voltage [rad/s].
        nominal_voltage: Voltage at which the data were measured [V].
        supply_voltage: Voltage of the battery [V]; nominal if not given.
        stall_current: i_stall at nominal voltage [A].
        gear_ratio: Motor speed / joint speed.
        rotor_inertia: Moment of inertia at the motor's shaft [kg m^2]; None: the
            model's armature.
        command_range: PWM value that means "always on".
        command_steps: Steps of the PWM per direction; 0: continuous.
        dead_point: Share of the voltage below which a resting joint stays [1].
        back_drive_torque: Torque from outside that the resting gear resists [N m].
        sliding_share: Share of it that is left once the joint moves [1].
        stribeck_speed: Speed scale of that change [rad/s].
        hold_torque: Additional resistance at full hold [N m].
        backlash: Backlash of the worn gear, if any.
        latency: Time from command to effect [s].
        heating: Warmth of the winding, if it matters.
        spread: Half width of the production spread of no-load speed and stall
            torque at the same voltage [1]; drawn once per motor.

    Example:
        >>> from gelenk.sim import DCGearMotor
        >>> motor = DCGearMotor(
        ...     stall_torque=1.2, no_load_speed=5.0, nominal_voltage=9.0, dead_point=0.1
        ... )
        >>> motor.dead_point * motor.command_range  # least PWM that sets it in motion
        25.5
    """

    stall_torque: float
    no_load_speed: float
    nominal_voltage: float
    supply_voltage: float | None = None
    stall_current: float = 0.0
    gear_ratio: float = 1.0
    rotor_inertia: float | None = None
    command_range: float = 255.0
    command_steps: int = 255
    dead_point: float = 0.0
    back_drive_torque: float = 0.0
    sliding_share: float = 1.0
    stribeck_speed: float = 0.05
    hold_torque: float = 0.0
    backlash: Backlash | None = None
    latency: float = 0.0
    heating: Heating | None = None
    spread: float = 0.0

    def __post_init__(self) -> None:
        _check_drive(self)
        check_values(self, "command_range", "stribeck_speed")
        check_values(
            self, "dead_point", "back_drive_torque", "hold_torque", above=False
        )
        for name in ("dead_point", "sliding_share", "spread"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ConfigError(
                    f"`{name}` of DCGearMotor must lie in [0, 1], "
                    f"got {getattr(self, name)}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionServo:
    """A servo that runs to a position with limited torque and chosen stiffness.

    τ = stiffness (kp (target - θ) - kd ω), bounded by ±torque_limit and, where given,
    by the speed-torque line; θ is the angle on the motor's side of the backlash.
    Stiffness 0 switches the motor off.

    Attributes:
        kp: Torque per error [N m/rad].
        kd: Torque per speed [N m s/rad].
        torque_limit: Largest torque at nominal voltage [N m]; None: the model's.
        no_load_speed: Speed at which no torque is left [rad/s].
        nominal_voltage: Voltage at which the data were measured [V].
        supply_voltage: Voltage of the supply [V]; nominal if not given.
        stall_current: Current at the torque limit [A].
        gear_ratio: Motor speed / joint speed.
        rotor_inertia: Moment of inertia at the motor's shaft [kg m^2]; None: the
            model's armature.
        friction: Friction of motor and gear, felt at the joint.
        backlash: Backlash of the gear, if any.
        latency: Time from command to effect [s].
        heating: Warmth of the winding, if it matters.

    Example:
        >>> from gelenk.sim import PositionServo
        >>> servo = PositionServo(kp=40.0, kd=1.0, torque_limit=10.0)
        >>> servo.torque_limit / servo.kp  # error of the full torque [rad]
        0.25
    """

    kp: float
    kd: float
    torque_limit: float | None = None
    no_load_speed: float = math.inf
    nominal_voltage: float = 1.0
    supply_voltage: float | None = None
    stall_current: float = 0.0
    gear_ratio: float = 1.0
    rotor_inertia: float | None = None
    friction: Friction = field(default_factory=Friction)
    backlash: Backlash | None = None
    latency: float = 0.0
    heating: Heating | None = None

    def __post_init__(self) -> None:
        _check_drive(self)
        check_values(self, "kp", "kd", above=False)

    @property
    def stall_torque(self) -> float:
        """Torque of the blocked joint [N m], named as the other motors do."""
        return math.inf if self.torque_limit is None else self.torque_limit


Motor: TypeAlias = (
    IdealMotor | TorqueMotor | VelocityServo | TorqueServo | DCGearMotor | PositionServo
)


def _check_drive(motor: TorqueServo | DCGearMotor | PositionServo) -> None:
    """Refuse values that no geared electric drive has."""
    is_servo = isinstance(motor, PositionServo)
    if is_servo and motor.torque_limit is not None:
        check_values(motor, "torque_limit")
    if not is_servo:
        check_values(motor, "stall_torque")
    check_values(motor, "nominal_voltage", "gear_ratio")
    check_values(motor, "no_load_speed", inf=is_servo)
    check_values(motor, "stall_current", "latency", above=False)
    for name in ("rotor_inertia", "supply_voltage"):
        if getattr(motor, name) is not None:
            check_values(motor, name, above=False)
    if not isinstance(motor, PositionServo) and motor.command_steps < 0:
        raise ConfigError(
            f"`command_steps` of {type(motor).__name__} must be at least 0, "
            f"got {motor.command_steps}"
        )
    if motor.backlash is not None and not motor.rotor_inertia:
        raise ConfigError(
            f"{type(motor).__name__} with `backlash` needs a `rotor_inertia` above 0: "
            "inside the gap nothing else slows the rotor"
        )
