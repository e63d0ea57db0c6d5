"""Pictures of chapters 1 and 2, appendices A and B: rates, rotations, poses."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

from course_pictures.drawing import bare, draw_arrow, draw_frame, draw_line, label
from gelenk.behavior.executive import PeriodicTask, run_executive
from gelenk.spatial import quaternion, se3, so3, vectors
from gelenk.spatial.euler import (
    EulerSequence,
    matrix_from_euler,
    matrix_from_rpy,
    rpy_from_matrix,
)
from gelenk.spatial.rotation_forms import axis_angle_from_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gelenk.typing import FloatArray

I4 = np.eye(4)


def _posed(R: FloatArray, p: tuple[float, float, float] = (0, 0, 0)) -> FloatArray:
    return se3.pose_from_rotation_translation(R, np.array(p, dtype=float))


def _turned(axes: Axes, steps: list[tuple[str, FloatArray]], gap: float = 2.6) -> None:
    """Draw frames in a row, each with its name."""
    for k, (name, R) in enumerate(steps):
        draw_frame(axes, _posed(R, (0.0, gap * k, 0.0)), name=name)
    bare(axes)


def draw_executive(axes: Axes) -> None:
    """Draw who works when on one processor."""
    periods = {"sense": (0.1, 0.02), "act": (0.2, 0.03), "plan": (0.7, 0.12)}
    stages = [
        PeriodicTask(name=name, period=period, work=lambda now, took=took: took)
        for name, (period, took) in periods.items()
    ]
    for turn in run_executive(stages, 1.5).turns:
        row = list(periods).index(turn.stage)
        axes.barh(row, turn.end - turn.start, left=turn.start, color=f"C{row}")
    axes.set_yticks(range(3), list(periods))
    label(axes, "t [s]", "")


def draw_cross(axes: Axes) -> None:
    """Draw two vectors and their product."""
    a, b = np.array([1.0, 0.2, 0.0]), np.array([0.1, 1.2, 0.3])
    c = vectors.skew(a) @ b
    for name, v, colour in (("a", a, "C0"), ("b", b, "C1"), ("S(a) b", c, "C2")):
        draw_arrow(axes, np.zeros(3), v, color=colour)
        draw_line(axes, [v], marker="", label=name, color=colour)
    axes.legend(fontsize="small")
    bare(axes)


def draw_moved_points(axes: Axes) -> None:
    """Draw a triangle before and after a rotation and a shift."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]], dtype=float)
    T = _posed(so3.rot_z(0.7), (1.5, 1.5, 0.6))
    draw_line(axes, corners, label="p")
    draw_line(axes, se3.transform_point(T, corners), label="R p + t")
    axes.legend(fontsize="small")
    bare(axes)


def draw_nearest_rotation(axes: Axes) -> None:
    """Draw a bent frame and the nearest rotation."""
    bent = so3.rot_z(0.4) + np.array([[0.1, -0.3, 0.1], [0.2, 0.1, 0.2], [0, 0.3, 0.2]])
    _turned(axes, [("measured", bent), ("nearest", so3.orthonormalize(bent))])


def draw_elementary(axes: Axes) -> None:
    """Draw quarter turns of 30 degrees about each axis."""
    _turned(
        axes,
        [
            ("x by 30°", so3.rot_x(np.pi / 6)),
            ("y by 30°", so3.rot_y(np.pi / 6)),
            ("z by 30°", so3.rot_z(np.pi / 6)),
        ],
    )


def draw_order(axes: Axes) -> None:
    """Draw that the order of turns matters."""
    x, z = so3.rot_x(np.pi / 2), so3.rot_z(np.pi / 2)
    _turned(axes, [("start", np.eye(3)), ("Rx Rz", x @ z), ("Rz Rx", z @ x)])


def draw_rpy(axes: Axes) -> None:
    """Draw a frame turned by roll, pitch and yaw, one after the other."""
    rx, ry, rz = 0.5, 0.4, 0.9
    _turned(
        axes,
        [
            ("rx", matrix_from_rpy(rx, 0.0, 0.0)),
            ("then ry", matrix_from_rpy(rx, ry, 0.0)),
            ("then rz", matrix_from_rpy(rx, ry, rz)),
        ],
    )


def draw_gimbal(axes: Axes) -> None:
    """Draw how angles of a smooth turn jump where the pitch passes 90 degrees."""
    pitch = np.linspace(0.2, np.pi - 0.2, 200)
    R = matrix_from_rpy(np.full_like(pitch, 0.3), pitch, np.full_like(pitch, 0.2))
    angles = np.degrees(rpy_from_matrix(R).angles)
    for k, name in enumerate(("rx", "ry", "rz")):
        axes.plot(np.degrees(pitch), angles[:, k], label=name)
    label(axes, "pitch that was turned [°]", "angles read back [°]")


def draw_zyz(axes: Axes) -> None:
    """Draw the three turns of the ZYZ angles."""
    a = np.array([0.8, 0.7, 0.6])
    steps = [
        (name, matrix_from_euler(a * keep, "zyz", axes="intrinsic"))
        for name, keep in (("Z", (1, 0, 0)), ("Z Y", (1, 1, 0)), ("Z Y Z", (1, 1, 1)))
    ]
    _turned(axes, steps)


def draw_sequences(axes: Axes) -> None:
    """Draw where the x axis goes by the same angles in twelve sequences."""
    names = get_args(EulerSequence)
    for name in names:
        R = matrix_from_euler([0.4, 0.5, 0.6], name, axes="intrinsic")
        draw_arrow(axes, np.zeros(3), R[:, 0], alpha=0.8, color="tab:red")
        draw_line(axes, [R[:, 0]], marker=".", ls="", label=name)
    axes.legend(fontsize="xx-small", ncols=2)
    bare(axes)


def draw_chain_of_poses(axes: Axes) -> None:
    """Draw A, B seen from A, and C seen from B."""
    T_a_b = _posed(so3.rot_z(0.6), (0.0, 2.0, 0.4))
    T_b_c = _posed(so3.rot_x(-0.8), (0.2, 1.8, 0.6))
    T_a_c = T_a_b @ T_b_c
    for name, T in (("A", I4), ("B", T_a_b), ("C", T_a_c)):
        draw_frame(axes, T, name=name)
    draw_line(axes, [I4[:3, 3], T_a_b[:3, 3], T_a_c[:3, 3]], ls=":", color="gray")
    bare(axes)


def draw_inverse(axes: Axes) -> None:
    """Draw a pose and its inverse: the same distance, seen from the other end."""
    T = _posed(so3.rot_z(0.8), (0.0, 2.0, 0.5))
    for name, pose in (("1", I4), ("T", T), ("T⁻¹", se3.inverse(T))):
        draw_frame(axes, pose, name=name)
    bare(axes)


def draw_quaternions(axes: Axes) -> None:
    """Draw that a turn by 360 degrees is minus one, 720 is one."""
    angle = np.linspace(0.0, 4.0 * np.pi, 200)
    axes.plot(np.degrees(angle), np.cos(angle / 2), label="w")
    axes.plot(np.degrees(angle), np.sin(angle / 2), label="z")
    label(axes, "angle about z [°]", "q")


def draw_quaternion_matrix(axes: Axes) -> None:
    """Draw a frame of a quaternion."""
    q = quaternion.exp([0.3, 0.9, 0.5])
    _turned(axes, [("1", np.eye(3)), ("R(q)", quaternion.matrix_from_quaternion(q))])


def draw_chained(axes: Axes) -> None:
    """Draw a point turned by two quaternions in turn."""
    first, second = quaternion.exp([0.0, 0.0, 1.2]), quaternion.exp([0.0, 0.9, 0.0])
    p = np.array([1.0, 0.0, 0.2])
    once = quaternion.rotate(first, p)
    twice = quaternion.rotate(quaternion.multiply(second, first), p)
    for name, v in (("p", p), ("q₁ p q₁*", once), ("q₂ q₁ p (q₂ q₁)*", twice)):
        draw_line(axes, [np.zeros(3), v], marker="o", label=name)
    axes.legend(fontsize="small")
    bare(axes)


def draw_slerp(axes: Axes) -> None:
    """Draw orientations at equal steps between two."""
    a, b = quaternion.exp([0.0, 0.0, 0.0]), quaternion.exp([0.4, 0.6, 1.8])
    for k, s in enumerate(np.linspace(0.0, 1.0, 5)):
        R = quaternion.matrix_from_quaternion(quaternion.slerp(a, b, s))
        draw_frame(axes, _posed(R, (0.0, 2.0 * k, 0.0)), name=f"{s:.2f}")
    bare(axes)


def draw_axis_angle(axes: Axes) -> None:
    """Draw a vector on its way about an axis."""
    axis = vectors.normalize([0.3, 0.4, 1.0])
    way = [
        so3.rotation_about(axis, a) @ [1.0, 0.0, 0.2] for a in np.linspace(0, 4.5, 90)
    ]
    draw_arrow(axes, np.zeros(3), 1.3 * axis, color="tab:blue")
    draw_line(axes, way, color="tab:orange")
    draw_arrow(axes, np.zeros(3), way[-1], color="tab:orange")
    bare(axes)


def draw_found_axis(axes: Axes) -> None:
    """Draw the axis about which one turn makes a matrix."""
    R = matrix_from_rpy(0.6, 0.9, -0.4)
    found = axis_angle_from_matrix(R)
    _turned(axes, [("1", np.eye(3)), (f"{np.degrees(found.angle):.0f}°", R)])
    for k in range(2):
        middle = np.array([0.0, 2.6 * k, 0.0])
        draw_line(
            axes, [middle - found.axis, middle + found.axis], ls="--", color="gray"
        )


PICTURES = {
    "GR-01": draw_executive,
    "GR-02": draw_cross,
    "GR-03": draw_moved_points,
    "GR-04": draw_nearest_rotation,
    "GR-05": draw_elementary,
    "GR-06": draw_order,
    "GR-07": draw_rpy,
    "GR-08": draw_gimbal,
    "GR-09": draw_zyz,
    "GR-10": draw_sequences,
    "GR-11": draw_chain_of_poses,
    "GR-12": draw_inverse,
    "GR-13": draw_quaternions,
    "GR-14": draw_quaternion_matrix,
    "GR-15": draw_chained,
    "GR-16": draw_slerp,
    "GR-17": draw_axis_angle,
    "GR-18": draw_found_axis,
}
