"""Gears and transmissions: screws, belts, planetary and harmonic gears, backlash.

A ratio is input speed over output speed, negative where the sense of rotation changes;
torque grows by it times the efficiency.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


def screw_force(
    torque: ArrayLike, *, lead: float, efficiency: float = 1.0
) -> FloatArray:
    """Return the force of a screw [N]: F = 2 π η τ / p.

    Args:
        torque: Torque τ [N m].
        lead: Lead p, the travel per turn [m].
        efficiency: η; below 0.5 the screw locks itself.

    Example:
        >>> round(float(screw_force(1.0, lead=0.005, efficiency=0.9)), 6)
        1130.973355
    """
    return 2.0 * np.pi * efficiency * np.asarray(torque, np.float64) / lead


def screw_speed(turn_rate: ArrayLike, *, lead: float) -> FloatArray:
    """Return the speed of the nut [m/s]: v = p ω / 2π.

    Example:
        >>> round(float(screw_speed(3000 * 2 * np.pi / 60, lead=0.005)), 9)
        0.25
    """
    return lead * np.asarray(turn_rate, np.float64) / (2.0 * np.pi)


def screw_efficiency(lead: float, diameter: float, friction: float) -> float:
    """Return η of a screw that lifts: tan λ / tan(λ + ρ), tan λ = p / πd, tan ρ = μ."""
    climb, rough = math.atan2(lead, math.pi * diameter), math.atan(friction)
    return math.tan(climb) / math.tan(climb + rough)


def is_self_locking(lead: float, diameter: float, friction: float) -> bool:
    """Return whether a load cannot drive the screw back: λ < ρ, so that η < 0.5."""
    return math.atan2(lead, math.pi * diameter) < math.atan(friction)


def belt_ratio(motor_radius: float, joint_radius: float) -> float:
    """Return r_2 / r_1 of a belt: both pulleys turn the same way.

    Example:
        >>> belt_ratio(0.02, 0.06)
        3.0
    """
    if min(motor_radius, joint_radius) <= 0.0:
        raise ConfigError("radii of pulleys must be > 0")
    return joint_radius / motor_radius


def belt_stiffness(*, modulus_area: float, span: float, joint_radius: float) -> float:
    """Return what an elastic belt is as a spring at the joint [N m/rad].

    Both strands of a belt under tension act: k = 2 (E A / l) r_2².

    Args:
        modulus_area: E A of the belt [N].
        span: Length l of one free strand [m].
        joint_radius: r_2 [m].
    """
    return 2.0 * modulus_area / span * joint_radius**2


def belt_resonance(
    stiffness: float, *, motor_inertia: float, load_inertia: float
) -> float:
    """Return ω of motor against load on an elastic belt [rad/s].

    √(k (1/J_m + 1/J_l)), both inertias seen at the joint.
    """
    return math.sqrt(stiffness * (1.0 / motor_inertia + 1.0 / load_inertia))


def spur_ratio(stages: Sequence[tuple[int, int]]) -> float:
    """Return the ratio of a train of spur gears: Π (-z_2 / z_1).

    Args:
        stages: Teeth (driving, driven) of each stage.

    Example:
        >>> spur_ratio([(20, 60), (15, 45)])
        9.0
    """
    ratio = 1.0
    for driving, driven in stages:
        if min(driving, driven) < 1:
            raise ConfigError("wheels need at least one tooth")
        ratio *= -driven / driving
    return ratio


def mesh_tradeoff(
    clearance: ArrayLike,
    *,
    module: float,
    pressure_angle: float = math.radians(20.0),
    base_friction: float = 0.02,
    press: float = 2.0e-6,
) -> tuple[FloatArray, FloatArray]:
    """Return backlash [m] and friction share of a pair of wheels moved apart.

    Backlash on the pitch circle is 2 c tan α. Wheels pressed together rub on both
    flanks: friction grows as the backlash vanishes. How much is a model with one
    measured number.

    Args:
        clearance: c beyond the exact distance of the axes [m].
        module: Module m of the teeth [m]; teeth leave each other beyond one module.
        pressure_angle: Pressure angle α [rad].
        base_friction: Share of the torque that is lost without any pressing.
        press: Clearance at which pressing doubles that share [m].
    """
    c = np.asarray(clearance, np.float64)
    if np.any((c < 0.0) | (c > module)):
        raise ConfigError(f"clearance must lie between 0 and one module, {module} m")
    backlash = 2.0 * c * math.tan(pressure_angle)
    return backlash, base_friction * (1.0 + press / (c + press))


class Shaft(StrEnum):
    """Shafts of a planetary gear."""

    SUN = "sun"
    RING = "ring"
    CARRIER = "carrier"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanetaryGear:
    """A planetary gear.

    Attributes:
        sun: Teeth z_s.
        ring: Teeth z_r, on the inside.

    Example:
        >>> from gelenk.actuation import PlanetaryGear
        >>> PlanetaryGear(sun=24, ring=72).planet
        24
    """

    sun: int
    ring: int

    def __post_init__(self) -> None:
        if self.sun < 1 or self.ring <= self.sun or (self.ring - self.sun) % 2:
            raise ConfigError(
                "planets need (ring - sun) / 2 teeth, a whole number > 0, got sun "
                f"{self.sun}, ring {self.ring}"
            )

    @property
    def planet(self) -> int:
        """Teeth of a planet: z_r = z_s + 2 z_p."""
        return (self.ring - self.sun) // 2


def third_speed(gear: PlanetaryGear, speeds: dict[Shaft, float]) -> dict[Shaft, float]:
    """Return the speeds of all shafts from two of them, after Willis [rad/s].

    z_s ω_s + z_r ω_r = (z_s + z_r) ω_c.

    Example:
        >>> gear = PlanetaryGear(sun=24, ring=72)
        >>> third_speed(gear, {Shaft.SUN: 4.0, Shaft.RING: 0.0})[Shaft.CARRIER]
        1.0
    """
    if len(speeds) != 2:
        raise ConfigError("two of three speeds determine the third")
    weight = {
        Shaft.SUN: float(gear.sun),
        Shaft.RING: float(gear.ring),
        Shaft.CARRIER: -float(gear.sun + gear.ring),
    }
    (missing,) = set(Shaft) - set(speeds)
    rest = sum(weight[shaft] * speed for shaft, speed in speeds.items())
    return {**speeds, missing: -rest / weight[missing]}


def planetary_ratio(gear: PlanetaryGear, *, driven: Shaft, fixed: Shaft) -> float:
    """Return the ratio of one of the six ways to use a planetary gear.

    Args:
        gear: Teeth.
        driven: Input.
        fixed: Held; the third shaft is the output.

    Example:
        >>> gear = PlanetaryGear(sun=24, ring=72)
        >>> planetary_ratio(gear, driven=Shaft.SUN, fixed=Shaft.RING)
        4.0
    """
    if driven == fixed:
        raise ConfigError("the driven shaft cannot be the fixed one")
    speeds = third_speed(gear, {driven: 1.0, fixed: 0.0})
    (out,) = set(Shaft) - {driven, fixed}
    return 1.0 / speeds[out]


def harmonic_ratio(flex_teeth: int, *, fixed: str = "circular") -> float:
    """Return the ratio of a harmonic drive with two teeth of difference.

    Half a turn of the wave generator shifts the flexspline by one tooth. With the
    circular spline fixed, -z_fs / 2; with the flexspline fixed, (z_fs + 2) / 2. No
    backlash, but the flexspline is the softest part of a joint.

    Args:
        flex_teeth: Number of teeth z_fs of the flexspline.
        fixed: "circular" or "flex" spline.

    Example:
        >>> harmonic_ratio(200), harmonic_ratio(200, fixed="flex")
        (-100.0, 101.0)
    """
    if flex_teeth < 2:
        raise ConfigError(f"`flex_teeth` must be at least 2, got {flex_teeth}")
    match fixed:
        case "circular":
            return -flex_teeth / 2.0
        case "flex":
            return (flex_teeth + 2.0) / 2.0
        case _:
            raise ConfigError(f"`fixed` must be 'circular' or 'flex', got {fixed!r}")


def output_speed(speed: ArrayLike, ratio: ArrayLike) -> FloatArray:
    """Return the speed behind a gear [rad/s]; ratio = input speed / output speed."""
    return np.asarray(speed, np.float64) / np.asarray(ratio, np.float64)


def output_torque(
    torque: ArrayLike, ratio: ArrayLike, *, efficiency: ArrayLike = 1.0
) -> FloatArray:
    """Return the torque behind a gear [N m]; arguments broadcast.

    Example:
        >>> output_torque(0.1, 100.0, efficiency=0.8)
        np.float64(8.0)
    """
    gain = np.asarray(ratio, np.float64) * np.asarray(efficiency, np.float64)
    return np.asarray(torque, np.float64) * gain


def reflected_inertia(inertia: ArrayLike, ratio: ArrayLike) -> FloatArray:
    """Return the inertia of the input as the output feels it [kg m^2]: N^2 J.

    Args:
        inertia: Inertia J at the input [kg m^2], shape (...).
        ratio: Ratio N of input speed to output speed, shape (...).

    Example:
        >>> from gelenk.actuation import reflected_inertia
        >>> print(reflected_inertia(1e-5, 100.0))
        0.1
    """
    return np.asarray(inertia, np.float64) * np.asarray(ratio, np.float64) ** 2


def fastest_ratio(load_inertia: ArrayLike, rotor_inertia: ArrayLike) -> FloatArray:
    """Return the ratio at which a given motor torque accelerates a load most.

    Example:
        >>> fastest_ratio(0.5, 5e-5)  # the reflected rotor weighs as much as the load
        np.float64(100.0)
    """
    load = np.asarray(load_inertia, np.float64)
    return np.sqrt(load / np.asarray(rotor_inertia, np.float64))


def backlash_torque(
    twist: ArrayLike, *, half_gap: ArrayLike, stiffness: ArrayLike
) -> FloatArray:
    """Return the torque that gear teeth with backlash transmit [N m].

    Args:
        twist: Angle of the motor behind the gear minus angle of the link [rad].
        half_gap: Free motion to either side [rad].
        stiffness: Stiffness of the teeth in contact [N m/rad].

    Example:
        >>> from gelenk.actuation import backlash_torque
        >>> backlash_torque([0.0, 0.01, 0.03], stiffness=100.0, half_gap=0.01)
        array([0., 0., 2.])
    """
    twist = np.asarray(twist, np.float64)
    beyond = np.maximum(np.abs(twist) - half_gap, 0.0)
    return np.sign(twist) * np.asarray(stiffness, np.float64) * beyond
