"""A pneumatic cylinder: flow through a valve after ISO 6358, chambers of air.

Air is a spring: what makes a pneumatic drive gentle makes it hard to position.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

GAS_CONSTANT = 287.0  # of dry air [J/(kg K)]
HEAT_RATIO = 1.4  # κ
REFERENCE_DENSITY = 1.185  # ρ_0 [kg/m^3]
REFERENCE_TEMPERATURE = 293.15  # T_0 [K]


def valve_flow(
    upstream: ArrayLike,
    downstream: ArrayLike,
    *,
    conductance: float,
    critical_ratio: float = 0.3,
    temperature: float = REFERENCE_TEMPERATURE,
) -> FloatArray:
    """Return the mass flow of air through a valve [kg/s], ISO 6358.

    ṁ = C p_1 ρ_0 √(T_0/T) while p_2/p_1 ≤ b (sound speed in the throat), beyond that
    times √(1 - ((p_2/p_1 - b) / (1 - b))²); negative where it flows back.

    Args:
        upstream: p_1, absolute [Pa].
        downstream: p_2, absolute [Pa].
        conductance: C [m^3/(s Pa)].
        critical_ratio: b.
        temperature: T upstream [K].

    Example:
        >>> print(valve_flow(7e5, [1e5, 5e5], conductance=2e-8).round(6))
        [0.01659  0.013372]
    """
    p1, p2 = np.asarray(upstream, np.float64), np.asarray(downstream, np.float64)
    high, low = np.maximum(p1, p2), np.minimum(p1, p2)
    over = np.maximum(low / high - critical_ratio, 0.0) / (1.0 - critical_ratio)
    choke = np.sqrt(np.maximum(1.0 - over**2, 0.0))
    scale = REFERENCE_DENSITY * np.sqrt(REFERENCE_TEMPERATURE / temperature)
    return np.sign(p1 - p2) * conductance * high * scale * choke


@dataclass(frozen=True, slots=True, kw_only=True)
class PneumaticCylinder:
    """A cylinder with two chambers.

    Attributes:
        area: Of the piston, both sides [m^2].
        stroke: [m].
        supply: Absolute pressure of the supply [Pa].
        ambient: Absolute pressure outside [Pa].
        conductance: C of the valve, fully open [m^3/(s Pa)].
        dead_volume: Of each chamber [m^3].
        temperature: [K].
    """

    area: float = 1.2e-3
    stroke: float = 0.4
    supply: float = 7e5
    ambient: float = 1e5
    conductance: float = 2e-8
    dead_volume: float = 2e-5
    temperature: float = REFERENCE_TEMPERATURE

    def __post_init__(self) -> None:
        if min(self.area, self.stroke, self.dead_volume) <= 0.0:
            raise ConfigError("area, stroke and dead volume of a cylinder must be > 0")


def chamber_rates(
    cylinder: PneumaticCylinder, state: ArrayLike, valve: float
) -> tuple[float, float]:
    """Return the rates of the pressures (A, B) [Pa/s]: (κ/V) (R T ṁ - p V̇).

    Args:
        cylinder: Parameters.
        state: (x, ẋ, p_A, p_B) [m], [m/s], [Pa], shape (4,).
        valve: Opening in [-1, 1]; > 0 fills A and empties B.
    """
    x, v, p_a, p_b = np.asarray(state, np.float64)
    c = cylinder.conductance * min(abs(valve), 1.0)
    source_a, source_b = cylinder.supply, cylinder.ambient
    if valve < 0.0:
        source_a, source_b = source_b, source_a
    heat = GAS_CONSTANT * cylinder.temperature
    m_a = float(valve_flow(source_a, p_a, conductance=c)) if c else 0.0
    m_b = float(valve_flow(source_b, p_b, conductance=c)) if c else 0.0
    volume_a = cylinder.dead_volume + cylinder.area * x
    volume_b = cylinder.dead_volume + cylinder.area * (cylinder.stroke - x)
    return (
        HEAT_RATIO / volume_a * (heat * m_a - p_a * cylinder.area * v),
        HEAT_RATIO / volume_b * (heat * m_b + p_b * cylinder.area * v),
    )


def air_stiffness(
    cylinder: PneumaticCylinder, place: float, p_a: float, p_b: float
) -> float:
    """Return the stiffness of the closed cylinder [N/m]: κ A² (p_A/V_A + p_B/V_B).

    Example:
        >>> round(air_stiffness(PneumaticCylinder(), 0.2, 4e5, 4e5))
        6203
    """
    A = cylinder.area
    volume_a = cylinder.dead_volume + A * place
    volume_b = cylinder.dead_volume + A * (cylinder.stroke - place)
    return HEAT_RATIO * A * A * (p_a / volume_a + p_b / volume_b)
