"""Motors as data: what a joint's drive can do and what is wrong with it.

All torques, speeds and angles are those of the joint, behind the gear; only
`rotor_inertia` counts at the motor's own shaft. On a sliding joint read N for N m and
m for rad.

| motor | command | second channel |
|---|---|---|
| `IdealMotor` | target value [rad] | share of the top speed, 0..1 |
| `TorqueServo` | share of full voltage, -1..1; or target [rad] | 0; or speed, 0..1 |
| `DCGearMotor` | PWM, -command_range..command_range | hold, 0..command_range |
| `PositionServo` | target value [rad] | stiffness, 0..1 |
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

from gelenk.errors import ConfigError


def _check(owner: object, *names: str, above: bool = True, inf: bool = False) -> None:
    """Refuse values that are negative, NaN, or (unless allowed) 0 or infinite."""
    for name in names:
        value = getattr(owner, name)
        is_good = (value > 0.0 if above else value >= 0.0) and (
            inf or math.isfinite(value)
        )
        if not is_good:
            expected = "more than 0" if above else "at least 0"
            raise ConfigError(
                f"`{name}` of {type(owner).__name__} must be {expected}"
                f"{'' if inf else ' and finite'}, got {value}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Friction:
    """Friction of a drive, after Stribeck.

    Attributes:
        coulomb: Dry friction while sliding [N m].
        static: Dry friction at rest [N m]; at least `coulomb`, which it defaults to.
        stribeck_speed: Speed at which 1/e of their difference is left [rad/s].
        viscous: Friction per speed [N m s/rad].

    Example:
        >>> from gelenk.sim.motors import Friction
        >>> Friction(coulomb=0.1, static=0.15).at_rest  # [N m]
        0.15
    """

    coulomb: float = 0.0
    static: float | None = None
    stribeck_speed: float = 0.05
    viscous: float = 0.0

    def __post_init__(self) -> None:
        _check(self, "coulomb", "viscous", above=False)
        _check(self, "stribeck_speed")
        if self.static is not None and not self.coulomb <= self.static < math.inf:
            raise ConfigError(
                f"`static` friction must be at least `coulomb` ({self.coulomb} N m), "
                f"got {self.static}"
            )

    @property
    def at_rest(self) -> float:
        """Dry friction that must be overcome to set the drive in motion [N m]."""
        return self.coulomb if self.static is None else self.static


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlash:
    """Play of a gear: the rotor moves freely between two flanks of the link.

    Attributes:
        half_gap: Free motion to either side of the middle [rad].
        stiffness: Stiffness of the teeth in contact [N m/rad].
        damping: Damping of the teeth in contact [N m s/rad]; teeth push and never pull.

    Example:
        >>> from gelenk.sim import PositionServo
        >>> from gelenk.sim.motors import Backlash
        >>> play = Backlash(half_gap=0.005, stiffness=200.0, damping=0.1)
        >>> servo = PositionServo(
        ...     kp=20.0, kd=1.0, torque_limit=3.0, rotor_inertia=1e-5, backlash=play
        ... )
        >>> servo.backlash.half_gap
        0.005
    """

    half_gap: float
    stiffness: float
    damping: float

    def __post_init__(self) -> None:
        _check(self, "half_gap", "damping", above=False)
        _check(self, "stiffness")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heating:
    """Warmth of a winding: copper loss in, one path to the surroundings.

    Attributes:
        winding_resistance: Makes heat i^2 R of the current [Ohm].
        thermal_resistance: Thermal resistance to the surroundings [K/W].
        time_constant: Time constant of the winding [s].
        ambient: Temperature of the surroundings and at the start [K].
        shut_off: The drive switches itself off above this temperature [K].
        restart: ... and on again below this one [K]; `shut_off` if not given.

    Example:
        >>> from gelenk.sim.motors import Heating
        >>> winding = Heating(
        ...     winding_resistance=2.0, thermal_resistance=5.0, time_constant=30.0
        ... )
        >>> current = 3.0  # [A]
        >>> loss = current**2 * winding.winding_resistance
        >>> winding.ambient + loss * winding.thermal_resistance  # in the long run [K]
        388.15
    """

    winding_resistance: float
    thermal_resistance: float
    time_constant: float
    ambient: float = 298.15
    shut_off: float = math.inf
    restart: float | None = None

    def __post_init__(self) -> None:
        _check(self, "winding_resistance", "thermal_resistance", "time_constant")
        _check(self, "ambient")
        if not self.shut_off > self.ambient:
            raise ConfigError(
                f"`shut_off` must exceed the ambient {self.ambient} K, "
                f"got {self.shut_off}"
            )
        if self.restart is not None and not (
            self.ambient < self.restart <= self.shut_off
        ):
            raise ConfigError(
                f"`restart` must lie between the ambient {self.ambient} K and "
                f"`shut_off` ({self.shut_off} K), got {self.restart}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class IdealMotor:
    """Infinitely strong: runs to its target at limited speed, whatever is in the way.

    Each tick the value moves by clip(target - value, ±share * max_speed * h).

    Attributes:
        max_speed: Top speed [rad/s].
        latency: Time from command to effect [s].

    Example:
        >>> from gelenk.sim import IdealMotor
        >>> IdealMotor(max_speed=2.0, latency=0.01).latency
        0.01
    """

    max_speed: float
    latency: float = 0.0

    def __post_init__(self) -> None:
        _check(self, "max_speed", inf=True)
        _check(self, "latency", above=False)


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
        rotor_inertia: Moment of inertia at the motor's shaft [kg m^2].
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
    rotor_inertia: float = 0.0
    friction: Friction = field(default_factory=Friction)
    backlash: Backlash | None = None
    latency: float = 0.0
    command_steps: int = 0
    heating: Heating | None = None
    position_gain: float = 0.0
    speed_gain: float = 0.0

    def __post_init__(self) -> None:
        _check_drive(self)
        _check(self, "position_gain", "speed_gain", above=False)


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
        rotor_inertia: Moment of inertia at the motor's shaft [kg m^2].
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
    rotor_inertia: float = 0.0
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
        _check(self, "command_range", "stribeck_speed")
        _check(self, "dead_point", "back_drive_torque", "hold_torque", above=False)
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
        torque_limit: Largest torque at nominal voltage [N m].
        no_load_speed: Speed at which no torque is left [rad/s].
        nominal_voltage: Voltage at which the data were measured [V].
        supply_voltage: Voltage of the supply [V]; nominal if not given.
        stall_current: Current at the torque limit [A].
        gear_ratio: Motor speed / joint speed.
        rotor_inertia: Moment of inertia at the motor's shaft [kg m^2].
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
    torque_limit: float
    no_load_speed: float = math.inf
    nominal_voltage: float = 1.0
    supply_voltage: float | None = None
    stall_current: float = 0.0
    gear_ratio: float = 1.0
    rotor_inertia: float = 0.0
    friction: Friction = field(default_factory=Friction)
    backlash: Backlash | None = None
    latency: float = 0.0
    heating: Heating | None = None

    def __post_init__(self) -> None:
        _check_drive(self)
        _check(self, "kp", "kd", above=False)

    @property
    def stall_torque(self) -> float:
        """Torque of the blocked joint [N m], named as the other motors do."""
        return self.torque_limit


Motor: TypeAlias = IdealMotor | TorqueServo | DCGearMotor | PositionServo


def _check_drive(motor: TorqueServo | DCGearMotor | PositionServo) -> None:
    """Refuse values that no geared electric drive has."""
    _check(motor, "stall_torque", "nominal_voltage", "gear_ratio")
    _check(motor, "no_load_speed", inf=isinstance(motor, PositionServo))
    _check(motor, "stall_current", "rotor_inertia", "latency", above=False)
    if motor.supply_voltage is not None:
        _check(motor, "supply_voltage", above=False)
    if not isinstance(motor, PositionServo) and motor.command_steps < 0:
        raise ConfigError(
            f"`command_steps` of {type(motor).__name__} must be at least 0, "
            f"got {motor.command_steps}"
        )
    if motor.backlash is not None and motor.rotor_inertia == 0.0:
        raise ConfigError(
            f"{type(motor).__name__} with `backlash` needs a `rotor_inertia` above 0: "
            "inside the gap nothing else slows the rotor"
        )
