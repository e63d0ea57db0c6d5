"""Pictures of chapter 6: actuators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from course_pictures.drawing import label
from gelenk.actuation.dc_motor import DCMotor, dc_motor_rates
from gelenk.actuation.drives import GAITS, standing_legs, winding_temperature
from gelenk.actuation.elastic_drives import (
    antagonist_command,
    antagonist_torque,
    biarticular_torques,
    cyclic_demand,
    variable_impedance,
)
from gelenk.actuation.fluid_drives import HydraulicCylinder, steady_speed, valve_flow
from gelenk.actuation.materials import AirMuscle, air_muscle_force
from gelenk.actuation.transmissions import (
    PlanetaryGear,
    Shaft,
    belt_resonance,
    belt_stiffness,
    harmonic_ratio,
    mesh_tradeoff,
    output_torque,
    planetary_ratio,
    reflected_inertia,
    screw_efficiency,
)
from gelenk.control.interaction import ImpactCfg, simulate_impact

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_hydraulics(axes: Axes) -> None:
    """Draw the speed of a cylinder over its load, for three openings of the valve."""
    load = np.linspace(0.0, 16e3, 60)
    for spool in (1e-4, 2e-4, 4e-4):
        speed = [steady_speed(HydraulicCylinder(), spool, float(F)) for F in load]
        axes.plot(1e-3 * load, speed, label=f"valve {1e3 * spool:g} mm")
    label(axes, "load [kN]", "v [m/s]")


def draw_pneumatics(axes: Axes) -> None:
    """Draw the flow of air through a valve: it chokes at the speed of sound."""
    ratio = np.linspace(0.0, 1.0, 100)
    axes.plot(ratio, 1e3 * valve_flow(7e5, 7e5 * ratio, conductance=2e-8))
    axes.axvline(0.3, color="0.7", label="critical ratio")
    label(axes, "p₂ / p₁", "flow [g/s]")


def draw_heat(axes: Axes) -> None:
    """Draw the final temperature of a winding over its current."""
    current = np.linspace(0.0, 5.5, 60)
    motor = {"resistance": 1.2, "thermal_resistance": 5.0, "ambient": 25.0}
    for name, copper in (("constant resistance", False), ("copper", True)):
        T = [winding_temperature(float(i), **motor, copper=copper) for i in current]
        axes.plot(current, T, label=name)
    axes.axhline(155.0, color="0.7", label="limit of class F")
    axes.set_ylim(0, 400)
    label(axes, "i [A]", "T [°C]")


def draw_dc_motor(axes: Axes) -> None:
    """Draw the current and the speed of a motor after a step of voltage."""
    motor = DCMotor(
        resistance=1.2,
        inductance=0.5e-3,
        torque_constant=0.05,
        voltage_constant=0.05,
        rotor_inertia=1e-5,
    )
    state, h = np.zeros(2), 2e-5
    rows = [state]
    for _ in range(1000):
        rates = dc_motor_rates(motor, state[0], state[1], voltage=24.0)
        state = state + h * np.array(rates)
        rows.append(state)
    t = 1e3 * h * np.arange(1001)
    axes.plot(t, np.array(rows)[:, 0], label="current [A]")
    axes.plot(t, np.array(rows)[:, 1] / 20.0, label="speed / 20 [rad/s]")
    label(axes, "t [ms]", "")


def draw_ratio(axes: Axes) -> None:
    """Draw the acceleration of a load over the gear ratio."""
    N = np.linspace(1.0, 400.0, 300)
    axes.plot(N, output_torque(1.0, N) / (0.3 + reflected_inertia(2e-5, N)))
    axes.axvline(np.sqrt(0.3 / 2e-5), color="0.7", label="√(J_l / J_m)")
    label(axes, "N", "acceleration [rad/s²]")


def draw_screw(axes: Axes) -> None:
    """Draw the efficiency of screws over their lead."""
    lead = np.linspace(5e-4, 0.03, 100)
    for friction in (0.05, 0.1, 0.2):
        eta = [screw_efficiency(float(p), 0.012, friction) for p in lead]
        axes.plot(1e3 * lead, eta, label=f"friction {friction}")
    axes.axhline(0.5, color="0.7")
    label(axes, "lead [mm]", "η")


def draw_belt(axes: Axes) -> None:
    """Draw the resonance of a belt drive over the length of its belt."""
    span = np.linspace(0.1, 1.0, 60)
    omega = [
        belt_resonance(
            belt_stiffness(modulus_area=2e4, span=float(s), joint_radius=0.05),
            motor_inertia=0.05,
            load_inertia=0.5,
        )
        for s in span
    ]
    axes.plot(span, np.array(omega) / (2 * np.pi))
    label(axes, "span [m]", "f [Hz]")


def draw_mesh(axes: Axes) -> None:
    """Draw play against friction of a pair of wheels."""
    play, friction = mesh_tradeoff(np.linspace(0, 2e-5, 100), module=1e-3)
    axes.plot(1e6 * play, 100 * friction)
    label(axes, "play [µm]", "friction [% of the torque]")


def draw_planetary(axes: Axes) -> None:
    """Draw the six ratios of a planetary gear."""
    gear = PlanetaryGear(sun=24, ring=72)
    names: list[str] = []
    ratios: list[float] = []
    for driven in Shaft:
        for fixed in Shaft:
            if driven != fixed:
                names.append(f"{driven} in\n{fixed} fixed")
                ratios.append(planetary_ratio(gear, driven=driven, fixed=fixed))
    axes.bar(names, ratios)
    axes.tick_params(axis="x", labelsize=6)
    label(axes, "", "ratio")


def draw_harmonic(axes: Axes) -> None:
    """Draw the flexspline over the wave generator."""
    turn = np.linspace(0.0, 360.0, 100)
    for teeth in (100, 200):
        axes.plot(turn, turn / harmonic_ratio(teeth), label=f"{teeth} teeth")
    label(axes, "wave generator [°]", "flexspline [°]")


def draw_gaits(axes: Axes) -> None:
    """Draw which feet stand in a walk, a trot and a bound."""
    t = np.linspace(0.0, 2.0, 400)
    for row, name in enumerate(("walk", "trot", "bound")):
        down = standing_legs(GAITS[name], t, 1.0)
        for leg in range(4):
            height = 5 * row + leg
            axes.plot(t, np.where(down[:, leg], height, np.nan), "k", linewidth=4)
        axes.text(2.05, 5 * row + 1, name)
    axes.set_yticks([])
    label(axes, "cycles", "legs")


def draw_materials(axes: Axes) -> None:
    """Draw the force of an air muscle over its contraction."""
    epsilon = np.linspace(0.0, 0.39, 60)
    for bar in (1, 2, 3):
        axes.plot(
            epsilon,
            air_muscle_force(AirMuscle(), epsilon, bar * 1e5),
            label=f"{bar} bar",
        )
    axes.axhline(0.0, color="0.7")
    label(axes, "contraction", "F [N]")


def draw_soft_impact(axes: Axes) -> None:
    """Draw the force of an impact with a rigid and with a soft joint."""
    hit = {"motor_mass": 2.0, "link_mass": 0.5, "wall": 1e5, "speed": 0.5}
    for name, spring in (("rigid", None), ("soft", 500.0)):
        cfg = ImpactCfg(spring=spring, **hit)
        impact = simulate_impact(cfg, duration=0.025, dt=1e-4)
        axes.plot(1e3 * impact.t, impact.force, label=name)
    label(axes, "t [ms]", "force [N]")


def _demands(kind: str) -> tuple[np.ndarray, list[tuple[float, float]]]:
    """Return stiffness shares and (peak power, peak torque) of a swinging mass."""
    t = np.arange(128) / 128
    q = np.cos(2 * np.pi * t)
    best = 0.5 * (2 * np.pi) ** 2
    shares = np.linspace(0.6, 4.0, 40) if kind == "series" else np.linspace(0, 2, 40)
    found: list[tuple[float, float]] = []
    for share in shares:
        k = float(share) * best
        demand = cyclic_demand(
            q,
            -best * q,
            period=1.0,
            series=k if kind == "series" else None,
            parallel=0.0 if kind == "series" else k,
        )
        found.append((demand.peak_power, demand.peak_torque))
    return shares, found


def draw_series(axes: Axes) -> None:
    """Draw the peak power of a motor over the stiffness of its series spring."""
    shares, found = _demands("series")
    axes.plot(shares, [power for power, _ in found])
    label(axes, "k / I ω²", "peak power [W]")


def draw_parallel(axes: Axes) -> None:
    """Draw the peak torque of a motor over the stiffness of its parallel spring."""
    shares, found = _demands("parallel")
    axes.plot(shares, [torque for _, torque in found])
    label(axes, "k / I ω²", "peak torque [N m]")


def draw_variable_stiffness(axes: Axes) -> None:
    """Draw torques around one position, soft and stiff."""
    q = np.linspace(-0.05, 0.45, 60)
    for K in (60.0, 100.0, 160.0):
        motors = antagonist_command(0.2, 0.0, K, constant=50.0)
        axes.plot(q, antagonist_torque(motors, q, constant=50.0)[0], label=f"K = {K:g}")
    label(axes, "q [rad]", "τ [N m]")


def draw_variable_damping(axes: Axes) -> None:
    """Draw a joint let go with three commanded damping ratios."""
    for zeta in (0.1, 0.4, 1.0):
        q, qd, h = 1.0, 0.0, 2e-3
        places: list[float] = []
        for _ in range(600):
            tau, _ = variable_impedance(
                -q, -qd, stiffness=80.0, inertia=0.2, damping_ratio=zeta
            )
            qd += h * float(tau) / 0.2
            q += h * qd
            places.append(q)
        axes.plot(h * np.arange(600), places, label=f"ζ = {zeta}")
    label(axes, "t [s]", "q [rad]")


def draw_biarticular(axes: Axes) -> None:
    """Draw how the knee's angle moves the torque at the ankle."""
    knee = np.linspace(-1.0, 0.3, 60)
    torques = np.array(
        [
            biarticular_torques([float(k), 0.0], arms=[0.04, 0.05], stiffness=2e4)[0]
            for k in knee
        ]
    )
    axes.plot(knee, torques[:, 0], label="knee")
    axes.plot(knee, torques[:, 1], label="ankle")
    label(axes, "knee [rad]", "τ [N m]")


PICTURES = {
    "GR-98": draw_hydraulics,
    "GR-99": draw_pneumatics,
    "GR-100": draw_heat,
    "GR-101": draw_dc_motor,
    "GR-102": draw_ratio,
    "GR-103": draw_screw,
    "GR-104": draw_belt,
    "GR-105": draw_mesh,
    "GR-106": draw_planetary,
    "GR-107": draw_harmonic,
    "GR-108": draw_gaits,
    "GR-109": draw_materials,
    "GR-110": draw_soft_impact,
    "GR-111": draw_series,
    "GR-112": draw_parallel,
    "GR-113": draw_variable_stiffness,
    "GR-114": draw_variable_damping,
    "GR-115": draw_biarticular,
}
