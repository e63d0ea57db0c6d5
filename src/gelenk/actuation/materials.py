"""Actuator materials: air muscles, shape memory alloys, electroactive polymers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

VACUUM_PERMITTIVITY = 8.8541878128e-12  # [F/m]


@dataclass(frozen=True, slots=True, kw_only=True)
class AirMuscle:
    """A McKibben muscle: a tube in a braid that shortens as it swells.

    Attributes:
        radius: r_0 at rest [m].
        braid_angle: α_0 of the threads against the axis at rest [rad].
    """

    radius: float = 0.01
    braid_angle: float = math.radians(20.0)

    def __post_init__(self) -> None:
        if not (self.radius > 0.0 and 0.0 < self.braid_angle < math.pi / 2):
            raise ConfigError(f"radius > 0 and 0 < braid angle < π/2, got {self}")


def air_muscle_force(
    muscle: AirMuscle, contraction: ArrayLike, pressure: ArrayLike
) -> FloatArray:
    """Return F = π r_0² p (a (1 - ε)² - b) [N], a = 3 / tan² α_0, b = 1 / sin² α_0.

    Args:
        muscle: Tube and braid.
        contraction: ε, share of the length at rest.
        pressure: p above ambient [Pa].

    Example:
        >>> print(air_muscle_force(AirMuscle(), [0.0, 0.2], 3e5).round(6))
        [1328.635863  560.278696]
    """
    a = 3.0 / math.tan(muscle.braid_angle) ** 2
    b = 1.0 / math.sin(muscle.braid_angle) ** 2
    share = a * (1.0 - np.asarray(contraction, np.float64)) ** 2 - b
    return math.pi * muscle.radius**2 * np.asarray(pressure, np.float64) * share


def largest_contraction(muscle: AirMuscle) -> float:
    """Return where the force vanishes: 1 - 1 / (√3 cos α_0), braid at 54.7°.

    Example:
        >>> round(largest_contraction(AirMuscle()), 6)
        0.385597
    """
    return 1.0 - 1.0 / (math.sqrt(3.0) * math.cos(muscle.braid_angle))


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWire:
    """A wire of memory alloy that shortens when it is warmed.

    Attributes:
        austenite_start, austenite_finish: Range where it shortens, warming [degC].
        martensite_start, martensite_finish: Range where it lengthens, cooling [degC].
        strain: ε_L of the soft, cold wire.
        time_constant: Time constant of the wire's temperature [s].
        thermal_resistance: Thermal resistance to the surroundings [K/W].
    """

    austenite_start: float = 70.0
    austenite_finish: float = 85.0
    martensite_start: float = 60.0
    martensite_finish: float = 45.0
    strain: float = 0.04
    time_constant: float = 1.0
    thermal_resistance: float = 60.0

    def __post_init__(self) -> None:
        heats = self.austenite_finish > self.austenite_start
        cools = self.martensite_start > self.martensite_finish
        if not (heats and cools):
            raise ConfigError(f"temperatures of a memory wire are mixed up: {self}")


def martensite(wire: MemoryWire, temperature: float, before: float) -> float:
    """Return the share of martensite after a change of temperature, with hysteresis.

    Cosine laws: ½ (1 + cos(π (T - A_s)/(A_f - A_s))) bounds it while warming,
    ½ (1 + cos(π (T - M_f)/(M_s - M_f))) while cooling; in between it stays.

    Args:
        wire: Temperatures of transition.
        temperature: Present temperature [degC].
        before: Share so far, 0 to 1.

    Example:
        >>> wire = MemoryWire()
        >>> [round(martensite(wire, T, 1.0), 3) for T in (25.0, 77.5, 90.0)]
        [1.0, 0.5, 0.0]
    """
    up = (temperature - wire.austenite_start) / (
        wire.austenite_finish - wire.austenite_start
    )
    down = (temperature - wire.martensite_finish) / (
        wire.martensite_start - wire.martensite_finish
    )
    most = 0.5 * (1.0 + math.cos(math.pi * min(max(up, 0.0), 1.0)))
    least = 0.5 * (1.0 + math.cos(math.pi * min(max(down, 0.0), 1.0)))
    return min(max(before, least), most)


def run_memory_wire(
    wire: MemoryWire, power: ArrayLike, *, dt: float, ambient: float = 25.0
) -> tuple[FloatArray, FloatArray]:
    """Return temperature [degC] and strain of a heated wire, shapes (k,).

    T follows ambient + P R_th with its time constant; strain = ε_L times the share of
    martensite.

    Args:
        wire: Parameters.
        power: Electric, per step [W], shape (k,).
        dt: Step of the integration [s].
        ambient: Ambient temperature [degC].
    """
    T, share = ambient, 1.0
    temperatures: list[float] = []
    strains: list[float] = []
    decay = math.exp(-dt / wire.time_constant)
    for watt in np.asarray(power, np.float64).ravel():
        final = ambient + float(watt) * wire.thermal_resistance
        T = final + (T - final) * decay
        share = martensite(wire, T, share)
        temperatures.append(T)
        strains.append(wire.strain * share)
    return np.array(temperatures), np.array(strains)


def polymer_strain(
    voltage: ArrayLike, *, thickness: float, permittivity: float, stiffness: float
) -> FloatArray:
    """Return the strain across a dielectric elastomer: -ε_0 ε_r (U/d)² / Y.

    Args:
        voltage: Voltage U [V].
        thickness: Thickness d [m].
        permittivity: ε_r.
        stiffness: Young's modulus Y [Pa].

    Example:
        >>> strain = polymer_strain(3e3, thickness=5e-5, permittivity=3, stiffness=1e6)
        >>> round(float(strain), 6)
        -0.095625
    """
    field = np.asarray(voltage, np.float64) / thickness
    return -VACUUM_PERMITTIVITY * permittivity * field**2 / stiffness
