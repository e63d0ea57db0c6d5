"""Pictures of chapter 4 without vehicles: velocities, singularities, forces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import gelenk
from course_pictures.drawing import (
    bare,
    draw_arm_in_plane,
    draw_arrow,
    draw_frame,
    label,
)
from gelenk.kinematics.forward import link_twists
from gelenk.kinematics.jacobian import jacobian_rate
from gelenk.kinematics.resolved_rate import ResolvedRateCfg, follow_poses
from gelenk.kinematics.singularity import manipulability
from gelenk.kinematics.statics import (
    cartesian_compliance,
    force_ellipsoid,
    velocity_ellipsoid,
)
from gelenk.kinematics.velocity import null_space_projector, solve_velocity
from gelenk.spatial import so3
from gelenk.spatial.rotation_rates import (
    angular_jacobian_from_partials,
    rotation_rate_from_omega,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TWO, THREE = "planar2r", "planar3r"


def draw_rotation_rate(axes: Axes) -> None:
    """Draw a frame and where its axes are going."""
    T = np.eye(4)
    T[:3, :3] = so3.rot_z(0.5)
    draw_frame(axes, T)
    rate = rotation_rate_from_omega(T[:3, :3], [0.0, 0.0, 0.6])
    for k in range(3):
        tip = T[:3, k]
        draw_arrow(axes, tip, tip + rate[:, k], color="gray")
    bare(axes)


def draw_partials(axes: Axes) -> None:
    """Draw columns of the angular Jacobian along a turn of two joints."""
    q_1, second = np.linspace(-np.pi, np.pi, 100), so3.rot_x(0.4)
    R = so3.rot_z(q_1) @ second
    by_first = (so3.rot_z(q_1 + np.pi / 2) - np.diag([0.0, 0.0, 1.0])) @ second
    by_second = so3.rot_z(q_1) @ (so3.rot_x(0.4 + np.pi / 2) - np.diag([1.0, 0.0, 0.0]))
    J = angular_jacobian_from_partials(R, np.stack([by_first, by_second], axis=-3))
    for k, style in enumerate(("--", "-")):
        names = [f"{a}, joint {k + 1}" for a in "xyz"]
        axes.plot(np.degrees(q_1), J[:, :, k], style, label=names)
    label(axes, "q₁ [°]", "ω per joint rate")


def draw_added_rates(axes: Axes) -> None:
    """Draw the turn rates of the links of an arm."""
    arm = gelenk.load("puma560")
    q, qd = np.array(arm.home_configuration), np.array([0.5, 0.3, 0.4, 1.0, 0.6, 2.0])
    omega = link_twists(arm, q, qd)[:, 3:]
    for k, name in enumerate("xyz"):
        axes.step(range(len(omega)), omega[:, k], where="mid", label=f"ω {name}")
    label(axes, "link", "rad/s")


def draw_jacobian(axes: Axes) -> None:
    """Draw the tool's velocity by each joint of a planar arm."""
    arm, q = gelenk.load(TWO), np.array([0.5, 0.9])
    draw_arm_in_plane(axes, arm, q)
    tool = arm.forward(q)[:2, 3]
    for k in range(2):
        draw_arrow(axes, tool, tool + 0.4 * arm.jacobian(q)[:2, k], color=f"C{k}")
        axes.plot([], [], color=f"C{k}", label=f"J column {k + 1}")
    label(axes, "x [m]", "y [m]")


def draw_jacobian_rate(axes: Axes) -> None:
    """Draw the rate of a Jacobian beside its difference quotient."""
    arm, qd, h = gelenk.load(TWO), np.array([0.7, -1.1]), 1e-5
    t = np.linspace(0.0, 3.0, 60)
    q = np.array([0.2, 0.4]) + t[:, None] * qd
    rate = [jacobian_rate(arm, x, qd)[0, 0] for x in q]
    quotient = [(arm.jacobian(x + h * qd) - arm.jacobian(x))[0, 0] / h for x in q]
    axes.plot(t, rate, label="J̇₁₁")
    axes.plot(t[::4], quotient[::4], "o", ms=4, label="difference quotient")
    label(axes, "t [s]", "m/s")


def draw_joint_rates(axes: Axes) -> None:
    """Draw joint rates that move the tool outwards: they grow without bound."""
    arm = gelenk.load(TWO)
    q_2 = np.linspace(2.0, 0.02, 200)
    rates = []
    for value in q_2:
        q = np.array([0.0, value])
        out = arm.forward(q)[:2, 3]
        J = arm.jacobian(q)[:2]
        rates.append(solve_velocity(J, 0.1 * out / np.linalg.norm(out)).qd)
    axes.plot(np.degrees(q_2), rates, label=["q̇₁", "q̇₂"])
    axes.set_ylim(-6, 6)
    label(axes, "q₂ [°], 0: stretched", "rad/s at 0.1 m/s")


def draw_null_space(axes: Axes) -> None:
    """Draw motion of three joints that leaves the tool where it is."""
    arm, q = gelenk.load(THREE), np.array([0.4, 0.8, 0.7])
    target = arm.forward(q)[:2, 3]
    for k in range(160):
        if k % 20 == 0:
            draw_arm_in_plane(axes, arm, q, alpha=0.3 + 0.08 * (k // 20))
        J = arm.jacobian(q)[:2]
        back = np.linalg.pinv(J) @ (target - arm.forward(q)[:2, 3])
        q = q + back + null_space_projector(J) @ np.array([0.02, 0.0, 0.0])
    label(axes, "x [m]", "y [m]")


def draw_manipulability(axes: Axes) -> None:
    """Draw what unit joint rates do in three poses."""
    arm = gelenk.load(TWO)
    angle = np.linspace(0, 2 * np.pi, 80)
    for q_2 in (0.25, 1.0, 1.9):
        q = np.array([0.3, q_2])
        J = arm.jacobian(q)[:2]
        found = velocity_ellipsoid(J)
        ring = found.directions @ (
            found.semi_axes[:, None] * [np.cos(angle), np.sin(angle)]
        )
        tool = arm.forward(q)[:2, 3]
        draw_arm_in_plane(axes, arm, q, alpha=0.4)
        axes.plot(*(tool[:, None] + 0.2 * ring), label=f"w = {manipulability(J):.2f}")
    label(axes, "x [m]", "y [m]")


def draw_singular(axes: Axes) -> None:
    """Draw the smallest singular value over the second joint."""
    arm = gelenk.load(TWO)
    q_2 = np.linspace(-np.pi, np.pi, 300)
    J = arm.jacobian(np.column_stack([np.zeros_like(q_2), q_2]))[:, :2]
    axes.plot(np.degrees(q_2), np.linalg.svd(J, compute_uv=False)[:, 1])
    for place in (-180, 0, 180):
        axes.axvline(place, color="tab:red", ls="--", lw=1)
    label(axes, "q₂ [°]", "smallest singular value [m]")


def draw_determinant(axes: Axes) -> None:
    """Draw the determinant of the planar arm beside its formula."""
    arm = gelenk.load(TWO)
    q_2 = np.linspace(-np.pi, np.pi, 120)
    J = arm.jacobian(np.column_stack([np.zeros_like(q_2), q_2]))[:, :2]
    scale = np.linalg.det(J)[90] / np.sin(q_2[90])
    axes.plot(np.degrees(q_2), np.linalg.det(J), "o", ms=3, label="det J")
    axes.plot(
        np.degrees(q_2), scale * np.sin(q_2), label=f"l₁l₂ sin q₂, l₁l₂ = {scale:.2f}"
    )
    label(axes, "q₂ [°]", "m²")


def _line(arm: Any, q: Any, end: Any, steps: int) -> Any:
    """Return poses on a line from where the tool is, shape (steps, 4, 4)."""
    T = np.repeat(arm.forward(q)[None], steps, axis=0)
    T[:, :2, 3] += np.linspace(0, 1, steps)[:, None] * (np.asarray(end) - T[0, :2, 3])
    return T


def draw_avoided(axes: Axes) -> None:
    """Draw how the third joint is used to keep away from singular poses."""
    arm, q = gelenk.load(THREE), np.array([0.9, -0.4, -0.3])
    path = _line(arm, q, [0.5, -0.4], 150)
    for climb in (0.0, 40.0):
        cfg = ResolvedRateCfg(dt=0.02, rows=(0, 1), climb=climb)
        found = follow_poses(arm, q, path, cfg=cfg)
        axes.plot(found.sigma_min, label=f"climb {climb:g}")
    label(axes, "step", "smallest singular value")


def draw_bounded(axes: Axes) -> None:
    """Draw joint rates on a path that leaves the workspace, damped and not."""
    arm, q = gelenk.load(TWO), np.array([0.6, 1.2])
    path = _line(arm, q, [2.4, 0.3], 150)
    for damping in (0.0, 0.1):
        cfg = ResolvedRateCfg(dt=0.02, rows=(0, 1), max_damping=damping, threshold=0.2)
        found = follow_poses(arm, q, path, cfg=cfg)
        axes.semilogy(np.abs(found.qd).max(axis=1) + 1e-3, label=f"damping {damping:g}")
    label(axes, "step", "fastest joint [rad/s]")


def draw_forces(axes: Axes) -> None:
    """Draw the velocities and the forces of unit rates and unit torques."""
    arm, q = gelenk.load(TWO), np.array([0.4, 1.2])
    angle = np.linspace(0, 2 * np.pi, 80)
    tool = arm.forward(q)[:2, 3]
    draw_arm_in_plane(axes, arm, q)
    J = arm.jacobian(q)[:2]
    for name, found in (
        ("velocity", velocity_ellipsoid(J)),
        ("force", force_ellipsoid(J)),
    ):
        ring = found.directions @ (
            found.semi_axes[:, None] * [np.cos(angle), np.sin(angle)]
        )
        axes.plot(*(tool[:, None] + 0.25 * ring), label=name)
    label(axes, "x [m]", "y [m]")


def draw_stiffness(axes: Axes) -> None:
    """Draw how far a push of 100 N in each direction moves the tool."""
    arm = gelenk.load(TWO)
    angle = np.linspace(0, 2 * np.pi, 80)
    push = 100.0 * np.array([np.cos(angle), np.sin(angle)])
    for q_2 in (0.6, 1.6):
        q = np.array([0.3, q_2])
        gives = cartesian_compliance(arm.jacobian(q)[:2], [4000.0, 2000.0]) @ push
        draw_arm_in_plane(axes, arm, q, alpha=0.4)
        axes.plot(*(arm.forward(q)[:2, 3, None] + 2.0 * gives), label=f"q₂ = {q_2:g}")
    label(axes, "x [m], give twice as large", "y [m]")


PICTURES = {
    "GR-32": draw_rotation_rate,
    "GR-33": draw_partials,
    "GR-34": draw_added_rates,
    "GR-35": draw_jacobian,
    "GR-36": draw_jacobian_rate,
    "GR-37": draw_joint_rates,
    "GR-38": draw_null_space,
    "GR-39": draw_manipulability,
    "GR-40": draw_singular,
    "GR-41": draw_determinant,
    "GR-42": draw_avoided,
    "GR-43": draw_bounded,
    "GR-50": draw_forces,
    "GR-285": draw_stiffness,
}
