"""Hydraulic and pneumatic cylinders: valve, two chambers, piston.

Oil: ṗ_A = (β / V_A) (Q_A - A_A ẋ - c_L Δp), ṗ_B = (β / V_B) (A_B ẋ - Q_B + c_L Δp),
Q = C_d w x_v √(2 Δ / ρ) with the sign of Δ; it hardly gives way, so that a closed valve
holds the load, up to leakage. Air: flow through the valve after ISO 6358.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class HydraulicCylinder:
    """A cylinder with its servo valve.

    Attributes:
        area_a: Area of the piston on side A, which pushes out [m^2].
        area_b: Area of the piston on side B [m^2].
        stroke: Stroke [m].
        bulk_modulus: Bulk modulus β of the oil [Pa].
        supply: Pressure of the pump [Pa].
        tank: Pressure of the tank [Pa].
        density: Density ρ of the oil [kg/m^3].
        discharge: Discharge coefficient C_d of the valve.
        gradient: Width w of the valve's opening [m]; times x_v it is an area.
        leakage: c_L between the chambers [m^3/(s Pa)].
        dead_volume: Dead volume of each chamber with its line [m^3].

    Example:
        >>> from gelenk.actuation import HydraulicCylinder
        >>> from gelenk.actuation.fluid_drives import steady_speed
        >>> cylinder = HydraulicCylinder(stroke=0.5)
        >>> bool(steady_speed(cylinder, 1e-3, load=0.0) > 0.0)
        True
    """

    area_a: float = 1.2e-3
    area_b: float = 0.8e-3
    stroke: float = 0.4
    bulk_modulus: float = 1.2e9
    supply: float = 14e6
    tank: float = 0.1e6
    density: float = 860.0
    discharge: float = 0.6
    gradient: float = 0.01
    leakage: float = 1e-13
    dead_volume: float = 5e-5

    def __post_init__(self) -> None:
        if min(self.area_a, self.area_b, self.stroke, self.dead_volume) <= 0.0:
            raise ConfigError("areas, stroke and dead volume of a cylinder must be > 0")


def orifice_flow(
    opening: ArrayLike, pressure_drop: ArrayLike, *, density: float, discharge: float
) -> FloatArray:
    """Return C_d A sign(Δ) √(2 |Δ| / ρ) [m^3/s].

    Args:
        opening: Area A of the opening [m^2].
        pressure_drop: Δ along the flow [Pa].
        density: Density ρ [kg/m^3].
        discharge: Discharge coefficient C_d.

    Example:
        >>> flow = orifice_flow(1e-5, 1e6, density=860.0, discharge=0.6)
        >>> round(float(6e4 * flow), 3)  # litres per minute
        17.361
    """
    drop = np.asarray(pressure_drop, np.float64)
    speed = np.sign(drop) * np.sqrt(2.0 * np.abs(drop) / density)
    return discharge * np.asarray(opening, np.float64) * speed


def cylinder_rates(
    cylinder: HydraulicCylinder, state: ArrayLike, spool: float
) -> tuple[float, float]:
    """Return the rates of the pressures (A, B) [Pa/s].

    Args:
        cylinder: Parameters.
        state: State (x, ẋ, p_A, p_B) [m], [m/s], [Pa], shape (4,).
        spool: Spool position x_v of the valve [m]; > 0 connects A to the pump and B to
            the tank.
    """
    x, v, p_a, p_b = np.asarray(state, np.float64)
    source, sink = (
        (cylinder.supply, cylinder.tank)
        if spool >= 0.0
        else (cylinder.tank, cylinder.supply)
    )
    oil = {"density": cylinder.density, "discharge": cylinder.discharge}
    opening = cylinder.gradient * abs(spool)
    q_a = float(orifice_flow(opening, source - p_a, **oil))
    q_b = float(orifice_flow(opening, p_b - sink, **oil))
    leak = cylinder.leakage * (p_a - p_b)
    volume_a = cylinder.dead_volume + cylinder.area_a * max(x, 0.0)
    volume_b = cylinder.dead_volume + cylinder.area_b * max(cylinder.stroke - x, 0.0)
    return (
        cylinder.bulk_modulus / volume_a * (q_a - cylinder.area_a * v - leak),
        cylinder.bulk_modulus / volume_b * (cylinder.area_b * v - q_b + leak),
    )


def cylinder_force(
    cylinder: HydraulicCylinder, p_a: ArrayLike, p_b: ArrayLike
) -> FloatArray:
    """Return A_A p_A - A_B p_B, outwards [N]."""
    a, b = np.asarray(p_a, np.float64), np.asarray(p_b, np.float64)
    return cylinder.area_a * a - cylinder.area_b * b


def steady_speed(cylinder: HydraulicCylinder, spool: float, load: float) -> float:
    """Return the speed at which a load moves outwards under an open valve [m/s].

    Both orifices carry what the piston displaces; the load balances the pressures:
    v = C_d w x_v √(2 (A_A p_s - A_B p_t - F) / ρ (A_A³ + A_B³)).

    Args:
        cylinder: Parameters.
        spool: Spool position x_v > 0 [m].
        load: F against the motion [N].
    """
    if not spool > 0.0:
        raise ConfigError("`spool` must be > 0: the formula is for outward motion")
    a, b = cylinder.area_a, cylinder.area_b
    drive = a * cylinder.supply - b * cylinder.tank - load
    if drive <= 0.0:
        return 0.0
    flow = cylinder.discharge * cylinder.gradient * spool
    return flow * math.sqrt(2.0 * drive / (cylinder.density * (a**3 + b**3)))


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
        conductance: Sonic conductance C [m^3/(s Pa)].
        critical_ratio: Critical pressure ratio b.
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
        area: Area of the piston, both sides [m^2].
        stroke: Stroke [m].
        supply: Absolute pressure of the supply [Pa].
        ambient: Absolute pressure outside [Pa].
        conductance: Sonic conductance C of the valve, fully open [m^3/(s Pa)].
        dead_volume: Dead volume of each chamber [m^3].
        temperature: Temperature [K].

    Example:
        >>> from gelenk.actuation import PneumaticCylinder
        >>> PneumaticCylinder(stroke=0.2).supply
        700000.0
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
        state: State (x, ẋ, p_A, p_B) [m], [m/s], [Pa], shape (4,).
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
