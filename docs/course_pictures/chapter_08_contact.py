"""Pictures of chapter 8: contact, senses, elementary motions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import gelenk
from course_pictures.drawing import label
from gelenk.control.constraints import peg_in_hole
from gelenk.control.force import (
    ForcePiCfg,
    ParallelCfg,
    contact_force,
    force_pi_step,
    parallel_step,
)
from gelenk.control.impedance import (
    AdmittanceCfg,
    AdmittanceState,
    admittance_step,
    wall_force,
)
from gelenk.control.interaction import (
    AdmittancePort,
    ImpactCfg,
    ImpedancePort,
    simulate_coupling,
    simulate_impact,
)
from gelenk.control.reflexes import HalfCentre, half_centre_rhythm
from gelenk.control.visual_servoing import (
    fuse_contact,
    image_servo_twist,
    pose_servo_twist,
)
from gelenk.estimation.kalman import Belief
from gelenk.spatial import se3, so3
from gelenk.trajectory.feasibility import check_tool_path
from gelenk.trajectory.ptp import fastest_law, plan_ptp
from gelenk.trajectory.spline import b_spline, clamped_knots, fit_cubic_spline
from gelenk.trajectory.tool_motion import ToolLimits, plan_circ, plan_fly_by, plan_lin
from gelenk.trajectory.vehicle_paths import arc_to_point, cubic_to_pose

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LIMITS = ToolLimits(speed=0.4, acceleration=1.0)
SQUARE = np.array([[1, 1, 0], [1, -1, 0], [-1, -1, 0], [-1, 1, 0]]) * 0.1


def draw_constraints(axes: Axes) -> None:
    """Draw the table of a peg that goes into its hole: which axes are blocked."""
    phases = peg_in_hole(speed=0.05, push=5.0, slide=0.02, limit=8.0)
    axes.imshow([phase.is_blocked for phase in phases], cmap="Blues", vmax=1.5)
    axes.set_xticks(range(6), ["x", "y", "z", "ωx", "ωy", "ωz"])
    axes.set_yticks(range(3), [phase.name for phase in phases])
    axes.set_title("blue: geometry forbids motion, force is chosen", fontsize="small")


def draw_force(axes: Axes) -> None:
    """Draw a force step against two walls."""
    cfg = ForcePiCfg(kp=0.5, ki=15.0, damping=200.0, dt=1e-3)
    for wall in (1e4, 5e4):
        x, v, total, forces = -0.002, 0.0, 0.0, []
        for _ in range(800):
            f = float(contact_force(x, stiffness=wall))
            u, total = force_pi_step(cfg, total, wanted=20.0, force=f, velocity=v)
            v += 1e-3 * (float(u) - f) / 2.0
            x += 1e-3 * v
            forces.append(f)
        axes.plot(1e-3 * np.arange(800), forces, label=f"wall {wall:g} N/m")
    label(axes, "t [s]", "f [N]")


def draw_hybrid(axes: Axes) -> None:
    """Draw which axes a window cleaner moves along and which it presses."""
    axes.quiver([0, 0], [0, 0], [1, -1], [0, 0], angles="xy", scale_units="xy", scale=1)
    axes.quiver(0, 0, 0, 1, color="tab:red", angles="xy", scale_units="xy", scale=1)
    axes.axhspan(1.0, 1.2, color="lightblue")
    axes.text(0.5, 0.05, "S: motion", fontsize="small")
    axes.text(0.05, 0.6, "S': force", color="tab:red", fontsize="small")
    axes.set_xlim(-1.5, 1.5)
    axes.set_ylim(-0.5, 1.3)
    label(axes, "x, along the window", "y, normal")


def draw_parallel(axes: Axes) -> None:
    """Draw the force on a wall that is not where the plan believes it."""
    cfg = ParallelCfg(kp=300.0, kv=300.0, kf=0.5, ki=20.0, dt=1e-3)
    for wall in (0.095, 0.1, 0.105):
        x, v, total, forces = 0.09, 0.0, np.zeros(1), []
        for _ in range(1500):
            f = contact_force([x], wall=wall, stiffness=1e4)
            u, total = parallel_step(
                cfg, total, motion=([0.1 - x], [v]), wanted=[10.0], force=f
            )
            v += 1e-3 * float(u[0] - f[0]) / 2.0
            x += 1e-3 * v
            forces.append(float(f[0]))
        axes.plot(1e-3 * np.arange(1500), forces, label=f"wall at {wall} m")
    label(axes, "t [s]", "f [N]")


def draw_ports(axes: Axes) -> None:
    """Draw a mass that flies into a soft arm: an admittance into an impedance."""
    arm = ImpedancePort(name="arm", stiffness=40.0, damping=6.0)
    ball = AdmittancePort(name="ball", mass=2.0)
    motion = simulate_coupling(arm, ball, duration=3.0, dt=0.01, flow=1.0)
    axes.plot(motion.t, motion.flow, label="flow [m/s]")
    axes.plot(motion.t, motion.effort / 10.0, label="effort [10 N]")
    label(axes, "t [s]", "")


def draw_impedance(axes: Axes) -> None:
    """Draw the force of a soft arm over the depth of its command."""
    depth = np.linspace(0.0, 0.02, 20)
    for K in (500.0, 2000.0, 1e4):
        forces = [wall_force(d, stiffness=K, wall_stiffness=1e4) for d in depth]
        axes.plot(1e3 * depth, forces, label=f"K = {K:g} N/m")
    label(axes, "command inside the wall [mm]", "f [N]")


def draw_admittance(axes: Axes) -> None:
    """Draw how a command gives way to a push of 10 N for a second."""
    cfg = AdmittanceCfg(mass=2.0, damping=40.0, stiffness=200.0, dt=0.005)
    state, offsets = AdmittanceState(), []
    for k in range(500):
        push = 10.0 if 50 <= k < 250 else 0.0
        state = admittance_step(cfg, state, [push, 0, 0, 0, 0, 0])
        offsets.append(state.offset[0])
    axes.plot(0.005 * np.arange(500), 1e3 * np.array(offsets))
    label(axes, "t [s]", "x_c [mm]")


def draw_impact(axes: Axes) -> None:
    """Draw the blow of a rigid and of a series elastic drive."""
    hit = {"motor_mass": 2.0, "link_mass": 0.5, "wall": 1e5, "speed": 0.5}
    for name, spring in (("rigid", None), ("spring", 1000.0)):
        impact = simulate_impact(ImpactCfg(spring=spring, **hit), duration=0.03)
        axes.plot(1e3 * impact.t, impact.force, label=name)
    label(axes, "t [ms]", "f [N]")


def draw_pose_servo(axes: Axes) -> None:
    """Draw the way of a camera that goes home by its pose: straight."""
    T = se3.pose_from_rotation_translation(so3.exp([0.5, -0.8, 1.1]), [0.3, -0.2, 0.4])
    places = []
    for _ in range(60):
        places.append(T[:3, 3])
        twist = 0.05 * pose_servo_twist(T, gain=2.0)
        step = se3.pose_from_rotation_translation(so3.exp(twist[3:]), twist[:3])
        T = T @ step
    x, y, _ = np.array(places).T
    axes.plot(x, y, ".-")
    label(axes, "x [m]", "y [m]")


def draw_image_servo(axes: Axes) -> None:
    """Draw the ways of four points in the image."""
    home = se3.pose_from_rotation_translation(so3.rot_x(np.pi), [0.0, 0.0, 1.0])
    T = home @ se3.exp([0.12, -0.1, -0.15, 0.15, 0.2, 0.5])

    def see(T_world_camera):
        p = se3.transform_point(se3.inverse(T_world_camera), SQUARE)
        return p[:, :2] / p[:, 2:]

    goal, ways = see(home), []
    for _ in range(80):
        ways.append(see(T))
        T = T @ se3.exp(0.05 * image_servo_twist(ways[-1], goal, 1.0, gain=2.0))
    for k in range(4):
        axes.plot(np.array(ways)[:, k, 0], np.array(ways)[:, k, 1])
    axes.plot(goal[:, 0], goal[:, 1], "ko", label="s*")
    label(axes, "x", "y")


def draw_fusion(axes: Axes) -> None:
    """Draw what a touch adds to what the eye knows."""
    eye = Belief(
        mean=np.array([0.0, 0.0, 0.3]), covariance=np.diag([0.02, 0.02, 0.1]) ** 2
    )
    both = fuse_contact(eye, [0.07, 0.01], [1.0, 0.0], 0.06, sigma=0.001).belief
    turn = np.linspace(0.0, 2.0 * np.pi, 100)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    for name, belief in (("eye", eye), ("eye and touch", both)):
        root = np.linalg.cholesky(belief.covariance[:2, :2])
        x, y = belief.mean[:2, None] + 2.0 * root @ circle
        axes.plot(1e3 * x, 1e3 * y, label=name)
    axes.set_aspect("equal")
    label(axes, "x [mm]", "y [mm]")


def draw_rhythm(axes: Axes) -> None:
    """Draw the output of two neurons that inhibit each other."""
    cfg = HalfCentre(rise_time=0.1, fatigue_time=0.2, fatigue=2.5, inhibition=2.5)
    axes.plot(*half_centre_rhythm(cfg, duration=4.0, dt=5e-3))
    label(axes, "t [s]", "y")


def draw_ptp(axes: Axes) -> None:
    """Draw the speeds of three joints that start and stop together."""
    motion = plan_ptp([0, 0, 0], [1.0, -0.5, 0.2], max_speed=0.5, max_acceleration=1.0)
    t = np.linspace(0.0, motion.duration, 200)
    axes.plot(t, motion.sample(t)[1])
    label(axes, "t [s]", "q̇ [rad/s]")


def draw_lin(axes: Axes) -> None:
    """Draw a straight line of the tool, samples at equal times."""
    end = np.eye(4)
    end[:3, 3] = [0.4, 0.2, 0.0]
    line = plan_lin(np.eye(4), end, LIMITS)
    p = line.pose(np.linspace(0.0, line.law.duration, 25))[:, :3, 3]
    axes.plot(p[:, 0], p[:, 1], "o-", markersize=3)
    label(axes, "x [m]", "y [m]")


def draw_circ(axes: Axes) -> None:
    """Draw an arc through three points."""
    start, end = np.eye(4), np.eye(4)
    start[:3, 3], end[:3, 3] = [0.3, 0.0, 0.0], [-0.2, 0.2, 0.0]
    arc = plan_circ(start, [0.1, 0.3, 0.0], end, LIMITS)
    p = arc.pose(np.linspace(0.0, arc.law.duration, 80))[:, :3, 3]
    axes.plot(p[:, 0], p[:, 1])
    axes.plot([0.3, 0.1, -0.2], [0.0, 0.3, 0.2], "ko")
    axes.set_aspect("equal")
    label(axes, "x [m]", "y [m]")


def draw_splines(axes: Axes) -> None:
    """Draw a natural and a clamped spline through points, and a B-spline near them."""
    t, y = np.arange(5.0), np.array([0.0, 1.0, 0.0, 0.5, 0.2])
    fine = np.linspace(0.0, 4.0, 200)
    for ends in ("natural", "clamped"):
        axes.plot(fine, fit_cubic_spline(t, y, ends=ends).sample(fine)[0], label=ends)
    curve = b_spline(clamped_knots(5), np.stack([t, y], axis=1), 3, fine / 4.0)
    axes.plot(curve[:, 0], curve[:, 1], label="B-spline")
    axes.plot(t, y, "ko")
    label(axes, "t [s]", "q [rad]")


def draw_shortest(axes: Axes) -> None:
    """Draw the shortest of three time laws under the same limits."""
    for kind in ("trapezoid", "cubic", "quintic"):
        law = fastest_law(1.0, max_speed=0.5, max_acceleration=1.0, kind=kind)
        t = np.linspace(0.0, law.duration, 200)
        axes.plot(t, law.sample(t)[1], label=f"{kind}, {law.duration:.2f} s")
    label(axes, "t [s]", "speed")


def draw_feasibility(axes: Axes) -> None:
    """Draw a line between two reachable points that leaves the workspace."""
    from matplotlib.patches import Circle

    arm = gelenk.load("planar2r")
    poses = np.tile(np.eye(4), (60, 1, 1))
    poses[:, 0, 3], poses[:, 1, 3] = np.linspace(0.9, -0.9, 60), 0.1
    plane = (1.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    report = check_tool_path(arm, poses, q_start=[-0.9, 2.2], dt=0.05, weights=plane)
    missed = np.isnan(report.q[:, 0])
    x, y = poses[:, 0, 3], poses[:, 1, 3]
    axes.plot(x[~missed], y[~missed], ".", label="reachable")
    axes.plot(x[missed], y[missed], "r.", label="unreachable")
    axes.add_patch(Circle((0.0, 0.0), 0.2, fill=False))
    axes.set_aspect("equal")
    label(axes, "x [m]", "y [m]")


def draw_fly_by(axes: Axes) -> None:
    """Draw via points rounded in three zones."""
    points = np.array([[0.0, 0.0], [1.0, 0.1], [1.2, 1.0], [0.2, 1.1]])
    for zone in (0.005, 0.02, 0.06):
        motion = plan_fly_by(points, speed=0.6, acceleration=1.0, zone=zone)
        p = motion.sample(np.linspace(0.0, motion.duration, 400))[0]
        axes.plot(p[:, 0], p[:, 1], label=f"{zone} m, {motion.duration:.1f} s")
    axes.plot(points[:, 0], points[:, 1], "k.")
    label(axes, "x [m]", "y [m]")


def draw_vehicle(axes: Axes) -> None:
    """Draw a line, an arc and a cubic to the same goal."""
    u = np.linspace(0.0, 1.0, 100)
    axes.plot([0.0, 2.0], [0.0, 1.0], label="line")
    arc = arc_to_point([0, 0, 0], [2, 1]).pose(u)
    cubic = cubic_to_pose([0, 0, 0], [2, 1, 0]).pose(u)
    for name, path in (("arc", arc), ("cubic", cubic)):
        axes.plot(path[:, 0], path[:, 1], label=name)
    axes.set_aspect("equal")
    label(axes, "x [m]", "y [m]")


PICTURES = {
    "GR-190": draw_constraints,
    "GR-191": draw_force,
    "GR-192": draw_hybrid,
    "GR-193": draw_parallel,
    "GR-194": draw_ports,
    "GR-195": draw_impedance,
    "GR-196": draw_admittance,
    "GR-197": draw_impact,
    "GR-198": draw_pose_servo,
    "GR-199": draw_image_servo,
    "GR-200": draw_fusion,
    "GR-201": draw_rhythm,
    "GR-202": draw_ptp,
    "GR-203": draw_lin,
    "GR-204": draw_circ,
    "GR-205": draw_splines,
    "GR-206": draw_shortest,
    "GR-207": draw_feasibility,
    "GR-208": draw_fly_by,
    "GR-209": draw_vehicle,
}
