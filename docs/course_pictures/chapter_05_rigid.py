"""Pictures of chapter 5 as far as bodies are rigid: inertia, motion, its cost."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

import gelenk
from course_pictures.drawing import label
from gelenk.dynamics.algorithm_costs import CostRow, compare_costs
from gelenk.dynamics.equation_terms import (
    coriolis_torques,
    gravity_torques,
    kinetic_energy,
    potential_energy,
    total_energy,
)
from gelenk.dynamics.inertia import (
    join_bodies,
    rotate_inertia,
    shift_from_com,
    transform_body,
)
from gelenk.dynamics.inertia_shapes import box_inertia, sphere_inertia
from gelenk.dynamics.loop_dynamics import closed_inverse_dynamics, closed_mass_matrix
from gelenk.dynamics.simulation import SimulationCfg, simulate
from gelenk.models.edit import with_payload
from gelenk.spatial import so3

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gelenk.dynamics.simulation import Integrator, SimulatedMotion
    from gelenk.typing import FloatArray

PENDULUM = "double_pendulum"


@cache
def _swing(integrator: Integrator = "rk4", dt: float = 2e-3) -> SimulatedMotion:
    cfg = SimulationCfg(duration=3.0, dt=dt, integrator=integrator)
    return simulate(gelenk.load(PENDULUM), np.array([1.2, 0.6]), np.zeros(2), cfg=cfg)


@cache
def _costs() -> list[CostRow]:
    sizes = (2, 4, 8, 16)
    return compare_costs(sizes, rng=np.random.default_rng(0), states=32, repeats=3)


def _draw_costs(axes: Axes, task: str) -> None:
    """Draw the time of each method of a task over the number of joints."""
    rows = [row for row in _costs() if row.task == task]
    for method in dict.fromkeys(row.method for row in rows):
        mine = [row for row in rows if row.method == method]
        sizes = [row.num_joints for row in mine]
        axes.loglog(sizes, [1e6 * row.seconds for row in mine], "o-", label=method)
    label(axes, "joints", "µs per state")


def draw_generalised(axes: Axes) -> None:
    """Draw torque of a hinge and force of a slider that hold an arm."""
    arm = gelenk.load("rp")
    q_1 = np.linspace(-np.pi, np.pi, 100)
    tau = gravity_torques(arm, np.column_stack([q_1, np.full_like(q_1, 0.5)]))
    axes.plot(np.degrees(q_1), tau, label=["hinge [N m]", "slider [N]"])
    label(axes, "q₁ [°]", "holds the weight")


def draw_inertia(axes: Axes) -> None:
    """Draw moments of a box over its height."""
    height = np.linspace(0.05, 1.0, 50)
    moments = [np.diag(box_inertia([0.4, 0.2, h], mass=2.0).inertia) for h in height]
    axes.plot(height, moments, label=["I_xx", "I_yy", "I_zz"])
    label(axes, "height of a box 0.4 x 0.2 m [m]", "kg m²")


def draw_turned_inertia(axes: Axes) -> None:
    """Draw moments and product of a box over the angle of the axes."""
    box = box_inertia([0.6, 0.2, 0.1], mass=2.0).inertia
    angle = np.linspace(0, np.pi, 90)
    turned = rotate_inertia(so3.rot_z(angle), box)
    for (i, j), name in (((0, 0), "I_xx"), ((1, 1), "I_yy"), ((0, 1), "I_xy")):
        axes.plot(np.degrees(angle), turned[:, i, j], label=name)
    label(axes, "angle about z [°]", "kg m²")


def draw_steiner(axes: Axes) -> None:
    """Draw the moment about a parallel axis over its distance."""
    body = sphere_inertia(0.1, mass=2.0)
    away = np.linspace(0.0, 0.5, 50)
    moment = [
        shift_from_com(body.inertia, body.mass, [r, 0.0, 0.0])[2, 2] for r in away
    ]
    axes.plot(away, moment, label="I + m r²")
    axes.axhline(float(body.inertia[2, 2]), ls="--", color="gray", label="I")
    label(axes, "distance r [m]", "kg m²")


def _shift(x: float) -> FloatArray:
    """Return the pose of something shifted along x, shape (4, 4)."""
    T = np.eye(4)
    T[0, 3] = x
    return T


def draw_joined(axes: Axes) -> None:
    """Draw the moment of two equal spheres over their distance."""
    away = np.linspace(0.2, 1.0, 40)
    moments = []
    for gap in away:
        pair = [
            transform_body(_shift(side * gap / 2), sphere_inertia(0.1, mass=1.0))
            for side in (-1.0, 1.0)
        ]
        moments.append(np.diag(join_bodies(pair).inertia))
    axes.plot(away, moments, label=["along", "across", "across"])
    label(axes, "distance of two spheres [m]", "kg m²")


def draw_newton_euler(axes: Axes) -> None:
    """Draw the torques that a quick move of the PUMA asks for."""
    arm = gelenk.load("puma560")
    t = np.linspace(0.0, 1.0, 80)
    s, sd = t - np.sin(2 * np.pi * t) / (2 * np.pi), 1 - np.cos(2 * np.pi * t)
    sdd = 2 * np.pi * np.sin(2 * np.pi * t)
    way = np.array([1.0, 0.6, -0.8, 0.0, 0.5, 0.0])
    q = np.array(arm.home_configuration) + s[:, None] * way
    tau = arm.inverse_dynamics(q, sd[:, None] * way, sdd[:, None] * way)
    axes.plot(t, tau[:, :3], label=["τ₁", "τ₂", "τ₃"])
    label(axes, "t [s]", "N m")


def draw_payload(axes: Axes) -> None:
    """Draw holding torques over the mass in the hand."""
    arm = gelenk.load("puma560")
    q, masses = np.array([0.0, 0.6, -2.6, 0.0, 0.3, 0.0]), np.linspace(0, 5, 20)
    tip = arm.link_names[-1]
    tau = [gravity_torques(with_payload(arm, tip, mass=m), q)[:3] for m in masses]
    axes.plot(masses, tau, label=["τ₁", "τ₂", "τ₃"])
    label(axes, "payload [kg]", "N m")


def draw_terms(axes: Axes) -> None:
    """Draw what inertia, Coriolis and gravity ask for along a swing."""
    model, motion = gelenk.load(PENDULUM), _swing()
    q, qd = motion.q, motion.qd
    coriolis, gravity = coriolis_torques(model, q, qd), gravity_torques(model, q)
    inertia = -coriolis - gravity  # no motor turns: they add up to nothing
    for name, tau in (("M q̈", inertia), ("C q̇", coriolis), ("g", gravity)):
        axes.plot(motion.t, tau[:, 0], label=name)
    label(axes, "t [s]", "joint 1 [N m]")


def draw_accelerations(axes: Axes) -> None:
    """Draw joint values of a pendulum that swings freely."""
    motion = _swing()
    axes.plot(motion.t, np.degrees(motion.q), label=["q₁", "q₂"])
    label(axes, "t [s]", "°")


def draw_energies(axes: Axes) -> None:
    """Draw the energies of a free swing."""
    model, motion = gelenk.load(PENDULUM), _swing()
    kinetic = kinetic_energy(model, motion.q, motion.qd)
    potential = potential_energy(model, motion.q)
    axes.plot(motion.t, kinetic, label="kinetic")
    axes.plot(motion.t, potential - potential.min(), label="potential")
    axes.plot(motion.t, kinetic + potential - potential.min(), "k--", label="sum")
    label(axes, "t [s]", "J")


def draw_mass_matrix(axes: Axes) -> None:
    """Draw the mass matrix of a planar arm over its second joint."""
    arm = gelenk.load("planar2r")
    q_2 = np.linspace(-np.pi, np.pi, 100)
    M = arm.mass_matrix(np.column_stack([np.zeros_like(q_2), q_2]))
    for i, j in ((0, 0), (0, 1), (1, 1)):
        axes.plot(np.degrees(q_2), M[:, i, j], label=f"M{i + 1}{j + 1}")
    label(axes, "q₂ [°]", "kg m²")


def draw_inverse_costs(axes: Axes) -> None:
    """Draw the time of the methods for inverse dynamics."""
    _draw_costs(axes, "inverse dynamics")


def draw_matrix_costs(axes: Axes) -> None:
    """Draw the time of the methods for the mass matrix."""
    _draw_costs(axes, "mass matrix")


def draw_forward_costs(axes: Axes) -> None:
    """Draw the time of the methods for forward dynamics."""
    _draw_costs(axes, "forward dynamics")


def draw_integrators(axes: Axes) -> None:
    """Draw how the energy of a free swing drifts by integrator."""
    model = gelenk.load(PENDULUM)
    tried: tuple[tuple[Integrator, float], ...]
    tried = (("euler", 2e-3), ("rk4", 2e-2), ("rk45", 2e-2))
    for name, dt in tried:
        motion = _swing(name, dt)
        energy = total_energy(model, motion.q, motion.qd)
        axes.semilogy(
            motion.t,
            np.abs(energy - energy[0]) + 1e-16,
            label=f"{name}, {1e3 * dt:g} ms",
        )
    label(axes, "t [s]", "error of energy [J]")


def draw_four_bar(axes: Axes) -> None:
    """Draw the crank torque of a four-bar linkage at constant speed."""
    model = gelenk.load("fourbar")
    crank = np.linspace(0.1, 2 * np.pi, 120)[:, None]
    for speed in (0.0, 2.0, 4.0):
        tau = closed_inverse_dynamics(
            model, crank, np.full_like(crank, speed), np.zeros_like(crank)
        )
        axes.plot(np.degrees(crank[:, 0]), tau[:, 0], label=f"{speed:g} rad/s")
    label(axes, "crank [°]", "torque [N m]")


def draw_delta(axes: Axes) -> None:
    """Draw the inertia that the motors of a delta robot feel as it lowers its hand."""
    model = gelenk.load("delta")
    home = np.array(model.home_configuration)
    lower = np.linspace(-0.3, 0.3, 40)
    M = np.array([closed_mass_matrix(model, home + x) for x in lower])
    axes.plot(np.degrees(lower), M[:, 0, 0], label="M₁₁")
    axes.plot(np.degrees(lower), M[:, 0, 1], label="M₁₂")
    label(axes, "all motors from home [°]", "kg m²")


PICTURES = {
    "GR-51": draw_generalised,
    "GR-52": draw_inertia,
    "GR-53": draw_turned_inertia,
    "GR-54": draw_steiner,
    "GR-55": draw_joined,
    "GR-56": draw_newton_euler,
    "GR-57": draw_payload,
    "GR-58": draw_terms,
    "GR-59": draw_accelerations,
    "GR-60": draw_energies,
    "GR-61": draw_mass_matrix,
    "GR-62": draw_inverse_costs,
    "GR-63": draw_payload,
    "GR-64": draw_integrators,
    "GR-65": draw_mass_matrix,
    "GR-66": draw_matrix_costs,
    "GR-67": draw_mass_matrix,
    "GR-68": draw_matrix_costs,
    "GR-69": draw_forward_costs,
    "GR-70": draw_newton_euler,
    "GR-71": draw_four_bar,
    "GR-286": draw_delta,
}
