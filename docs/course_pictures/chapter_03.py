"""Pictures of chapter 3: Denavit-Hartenberg frames, forward and inverse kinematics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import gelenk
from course_pictures.drawing import (
    bare,
    draw_arm_in_plane,
    draw_frame,
    draw_line,
    label,
    write_at,
)
from gelenk.kinematics.accuracy import ArmErrors, attained_positions, misbuilt
from gelenk.kinematics.forward import link_poses
from gelenk.kinematics.inverse.closed.solve import solve_closed
from gelenk.kinematics.workspace import planar_annulus, sample_configurations
from gelenk.models.dh import dh_matrix
from gelenk.models.dh_axes import dh_rows_from_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gelenk.models.tree import RobotModel
    from gelenk.typing import FloatArray


def _draw_arm(axes: Axes, name: str, q: Any, **style: Any) -> None:
    """Draw the places of an arm's links in space."""
    poses = link_poses(gelenk.load(name), np.asarray(q, dtype=np.float64))
    draw_line(axes, poses[:, :3, 3], **({"marker": "o", "lw": 3.0} | style))
    bare(axes)


def draw_links(axes: Axes) -> None:
    """Draw the links of an arm with their numbers."""
    model = gelenk.load("puma560")
    q = np.array(model.home_configuration)
    _draw_arm(axes, "puma560", q, color="tab:gray")
    for k, pose in enumerate(link_poses(model, q)):
        write_at(axes, pose[:3, 3], str(k), color="tab:red")


def draw_dh_frames(axes: Axes) -> None:
    """Draw axes in space and the frames that the rules put on them."""
    points = np.array([[0, 0, 0], [0, 0, 1.0], [0.4, 1.2, 1.0]])
    directions = np.array([[0, 0, 1.0], [1, 0, 0], [0.6, 0, 0.8]])
    tool = np.eye(4)
    tool[:3, 3] = [0.4, 2.2, 1.2]
    table = dh_rows_from_axes(points, directions, "RRR", tool)
    for p, d in zip(points, directions, strict=True):
        draw_line(axes, [p - 0.8 * d, p + 0.8 * d], ls="--", color="gray", lw=1)
    T = table.T_base_first
    for k, row in enumerate(table.rows):
        draw_frame(axes, T, size=0.5, name=f"S{k}")
        T = T @ dh_matrix(row.theta, row.d, row.a, row.alpha)
    draw_frame(axes, T, size=0.5, name=f"S{len(table.rows)}")
    bare(axes)


def draw_dh_row(axes: Axes) -> None:
    """Draw the four steps of one row."""
    theta, d, a, alpha = 0.7, 1.2, 1.6, 0.9
    steps = [(0.0, 0.0, 0.0, 0.0), (theta, 0, 0, 0), (theta, d, 0, 0)]
    steps += [(theta, d, a, 0.0), (theta, d, a, alpha)]
    names = ("start", "", "θ, d", "", "a, α")
    frames = [dh_matrix(*step) for step in steps]
    for T, name in zip(frames, names, strict=True):
        draw_frame(axes, T, size=0.6, name=name)
    draw_line(axes, [T[:3, 3] for T in frames], ls=":", color="gray")
    bare(axes)


def draw_forward(axes: Axes) -> None:
    """Draw an arm in two configurations."""
    for q in ([0, 0.8, -2.4, 0, 0.6, 0], [0.8, 0.3, -2.8, 1, 1, 0]):
        _draw_arm(axes, "puma560", q)


def _lengths(arm: RobotModel) -> FloatArray:
    """Return the lengths of the links of a planar arm [m]."""
    places = link_poses(arm, np.zeros(arm.nq))[:, :3, 3]
    lengths = np.linalg.norm(np.diff(places, axis=0), axis=1)
    return lengths[lengths > 1e-9]


def draw_degrees_of_freedom(axes: Axes) -> None:
    """Draw the self-motion that a third joint allows at one position of the tool."""
    arm = gelenk.load("planar3r")
    l_1, l_2, l_3 = _lengths(arm)
    target = 0.6 * (l_1 + l_2 + l_3) * np.array([0.9, 0.4])
    for q_1 in np.linspace(-1.2, 1.6, 15):
        gap = target - l_1 * np.array([np.cos(q_1), np.sin(q_1)])
        cosine = (gap @ gap - l_2**2 - l_3**2) / (2 * l_2 * l_3)
        if abs(cosine) > 1.0:
            continue
        q_3 = np.arccos(cosine)
        bend = np.arctan2(l_3 * np.sin(q_3), l_2 + l_3 * np.cos(q_3))
        q_2 = np.arctan2(gap[1], gap[0]) - bend - q_1
        draw_arm_in_plane(axes, arm, [q_1, q_2, q_3], alpha=0.5, lw=1.5)
    label(axes, "x [m]", "y [m]")


def draw_workspace(axes: Axes) -> None:
    """Draw where the tool of a planar arm can be."""
    arm = gelenk.load("planar2r")
    q = sample_configurations(arm, 3000, np.random.default_rng(0))
    tool = arm.forward(q)[:, :2, 3]
    axes.plot(tool[:, 0], tool[:, 1], ".", ms=2)
    angle = np.linspace(0, 2 * np.pi, 200)
    for r in planar_annulus(_lengths(arm)):
        axes.plot(r * np.cos(angle), r * np.sin(angle), "k--", lw=1)
    axes.set_aspect("equal", adjustable="datalim")
    label(axes, "x [m]", "y [m]")


def draw_newton(axes: Axes) -> None:
    """Draw how quickly Newton's steps close in."""
    arm = gelenk.load("planar2r")
    target = arm.forward(np.array([0.7, 0.9]))[:2, 3]
    q, errors = np.array([0.1, 2.0]), []
    for _ in range(8):
        gap = target - arm.forward(q)[:2, 3]
        errors.append(float(np.linalg.norm(gap)))
        q = q + np.linalg.solve(arm.jacobian(q)[:2], gap)
    axes.semilogy(np.maximum(errors, 1e-17), "o-")
    label(axes, "iteration", "distance [m]")


def draw_damped(axes: Axes) -> None:
    """Draw random poses solved within limits: how often, after how many starts."""
    arm = gelenk.load("puma560")
    q = sample_configurations(arm, 60, np.random.default_rng(1))
    results = [arm.inverse(T) for T in arm.forward(q)]
    axes.hist([int(np.max(r.iterations)) for r in results], bins=20)
    solved = sum(bool(np.all(r.converged)) for r in results)
    axes.set_title(f"{solved} of {len(results)} solved", fontsize=9)
    label(axes, "iterations", "poses")


def draw_two_elbows(axes: Axes) -> None:
    """Draw both solutions of the planar arm."""
    arm = gelenk.load("planar2r")
    q_1, q_2 = 0.4, 1.1
    x, y = arm.forward(np.array([q_1, q_2]))[:2, 3]
    for q in ([q_1, q_2], [2.0 * np.arctan2(y, x) - q_1, -q_2]):
        draw_arm_in_plane(axes, arm, q)
    axes.plot(x, y, "r*", ms=12)
    label(axes, "x [m]", "y [m]")


def draw_eight(axes: Axes) -> None:
    """Draw the arm in all configurations of one pose."""
    arm = gelenk.load("puma560")
    T = arm.forward(np.array([0.3, 0.9, -2.7, 0.4, 0.8, 0.2]))
    for k, q in enumerate(solve_closed(arm, T).solutions):
        _draw_arm(axes, "puma560", q, alpha=0.6, lw=2.0, color=f"C{k}")


def draw_accuracy(axes: Axes) -> None:
    """Draw a cloud of attained positions beside the commanded one."""
    arm = gelenk.load("planar2r")
    q = np.array([0.4, 1.1])
    rng = np.random.default_rng(3)
    commanded = arm.forward(q)[:2, 3]
    errors = ArmErrors(joint_std=3e-4)
    built = misbuilt(arm, errors, rng)
    places = attained_positions(built, q, count=200, errors=errors, rng=rng)
    off = 1e3 * (places[:, :2] - commanded)
    axes.plot(off[:, 0], off[:, 1], ".", ms=3, label="attained")
    axes.plot(0, 0, "r+", ms=12, label="commanded")
    axes.set_aspect("equal", adjustable="datalim")
    label(axes, "x [mm]", "y [mm]")


PICTURES = {
    "GR-19": draw_links,
    "GR-20": draw_dh_frames,
    "GR-21": draw_dh_frames,
    "GR-22": draw_dh_row,
    "GR-23": draw_forward,
    "GR-24": draw_degrees_of_freedom,
    "GR-25": draw_workspace,
    "GR-26": draw_newton,
    "GR-27": draw_damped,
    "GR-28": draw_two_elbows,
    "GR-29": draw_eight,
    "GR-30": draw_eight,
    "GR-31": draw_accuracy,
}
