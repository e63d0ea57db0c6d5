"""The brushed DC motor: equations, speed-torque line, winding temperature.

The equations are u = R i + L di/dt + k_e ω, τ = k_t i, J dω/dt = τ - b ω - τ_load.
A drive is slower than its current, so that simulated gear motors use the line that is
left for L = 0: τ = τ_stall (u / u_nominal - ω / ω_0).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class DCMotor:
    """Constants of a brushed DC motor, at its own shaft.

    Attributes:
        resistance: Resistance of the winding [Ohm].
        inductance: Inductance of the winding [H].
        torque_constant: Torque per current [N m/A].
        voltage_constant: Induced voltage per speed [V s/rad]. The same number as the
            torque constant unless losses are hidden in one of them.
        rotor_inertia: Inertia of everything that turns with the shaft [kg m^2].
        viscous_friction: Torque per speed [N m s/rad].

    Example:
        >>> from gelenk.actuation import DCMotor, steady_state
        >>> motor = DCMotor(
        ...     resistance=1.0,
        ...     inductance=1e-3,
        ...     torque_constant=0.05,
        ...     voltage_constant=0.05,
        ...     rotor_inertia=1e-4,
        ... )
        >>> current, speed = steady_state(motor, 12.0, 0.1)
        >>> print(current.round(6), speed.round(6))  # [A], [rad/s]
        2.0 200.0
    """

    resistance: float
    inductance: float
    torque_constant: float
    voltage_constant: float
    rotor_inertia: float
    viscous_friction: float = 0.0

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            may_vanish = name == "viscous_friction"
            if not (
                math.isfinite(value) and (value > 0 or (may_vanish and value == 0))
            ):
                raise ConfigError(
                    f"`{name}` of a DC motor must be positive and finite, got {value}"
                )


def dc_motor_rates(
    motor: DCMotor,
    current: ArrayLike,
    speed: ArrayLike,
    *,
    voltage: ArrayLike,
    load_torque: ArrayLike = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Return the rates of current [A/s] and speed [rad/s^2]; all arguments (...).

    Args:
        motor: Constants of the motor.
        current: Current in the winding [A], shape (...).
        speed: Speed of the shaft [rad/s], shape (...).
        voltage: Voltage at the terminals [V], shape (...).
        load_torque: Torque of the load [N m], shape (...).

    Example:
        >>> from gelenk.actuation import DCMotor, dc_motor_rates
        >>> motor = DCMotor(
        ...     resistance=1.0,
        ...     inductance=1e-3,
        ...     torque_constant=0.05,
        ...     voltage_constant=0.05,
        ...     rotor_inertia=1e-4,
        ... )
        >>> rates = dc_motor_rates(motor, 0.0, 0.0, voltage=12.0)
        >>> print(rates[0].round(6), rates[1].round(6))
        12000.0 0.0
    """
    i, w = np.asarray(current, np.float64), np.asarray(speed, np.float64)
    u, load = np.asarray(voltage, np.float64), np.asarray(load_torque, np.float64)
    induced = motor.voltage_constant * w
    current_rate = (u - motor.resistance * i - induced) / motor.inductance
    torque = motor.torque_constant * i - motor.viscous_friction * w - load
    return current_rate, torque / motor.rotor_inertia


def steady_state(
    motor: DCMotor, voltage: ArrayLike, load_torque: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return current [A] and speed [rad/s] once both are constant; arguments (...).

    Args:
        motor: Constants of the motor.
        voltage: Voltage at the terminals [V], shape (...).
        load_torque: Torque of the load [N m], shape (...).

    Example:
        >>> from gelenk.actuation import DCMotor, steady_state
        >>> motor = DCMotor(
        ...     resistance=1.0,
        ...     inductance=1e-3,
        ...     torque_constant=0.05,
        ...     voltage_constant=0.05,
        ...     rotor_inertia=1e-4,
        ... )
        >>> current, speed = steady_state(motor, 12.0, 0.1)
        >>> print(round(float(current), 6), round(float(speed), 6))  # [A], [rad/s]
        2.0 200.0
    """
    u, load = np.asarray(voltage, np.float64), np.asarray(load_torque, np.float64)
    k_t, k_e = motor.torque_constant, motor.voltage_constant
    b, R = motor.viscous_friction, motor.resistance
    speed = (k_t * u - R * load) / (k_t * k_e + R * b)
    return (load + b * speed) / k_t, speed


def stall_torque(motor: DCMotor, voltage: ArrayLike) -> FloatArray:
    """Return the torque of the blocked shaft [N m]; argument (...)."""
    u = np.asarray(voltage, np.float64)
    return motor.torque_constant * u / motor.resistance


def motor_poles(motor: DCMotor) -> tuple[complex, complex]:
    """Return the two poles of the motor [1/s], the faster one first."""
    R, L, J = motor.resistance, motor.inductance, motor.rotor_inertia
    b = motor.viscous_friction
    half = 0.5 * (R / L + b / J)
    product = (R * b + motor.torque_constant * motor.voltage_constant) / (L * J)
    root = complex(half * half - product) ** 0.5
    return -half - root, -half + root


@kernel
def line_torque(drive, speed, stall_torque, no_load_speed):
    """Return the torque on the speed-torque line [N m].

    Args:
        drive: Applied share of the nominal voltage, signed.
        speed: Speed of the shaft [rad/s].
        stall_torque: Stall torque at nominal voltage and speed 0 [N m].
        no_load_speed: No-load speed at nominal voltage and torque 0 [rad/s].
    """
    return stall_torque * (drive - speed / no_load_speed)


@kernel
def heat_winding(
    temperature: float,
    power: float,
    dt: float,
    resistance: float,
    time_constant: float,
    ambient: float,
) -> float:
    """Return the temperature after `dt` of constant heating power [K].

    One body with one path to the surroundings: its temperature approaches
    ambient + power * resistance exponentially; exact for any `dt`.

    Args:
        temperature: Temperature at the start [K].
        power: Heat that enters [W].
        dt: Time step [s].
        resistance: Thermal resistance to the surroundings [K/W].
        time_constant: Time constant [s].
        ambient: Temperature of the surroundings [K].
    """
    final = ambient + power * resistance
    return final + (temperature - final) * np.exp(-dt / time_constant)
