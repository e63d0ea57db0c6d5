"""Pictures of chapter 4: vehicles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_pictures.drawing import draw_arrow
from gelenk.kinematics.vehicles import (
    Wheel,
    turning_centre,
    twist_from_wheels,
    wheels_from_twist,
)
from gelenk.kinematics.vehicles_drives import (
    bicycle_twist,
    car_wheels,
    omni_wheels,
    trailer_rate,
)
from gelenk.kinematics.vehicles_motion import (
    arc_step,
    drive_to_pose,
)
from gelenk.navigation.odometry import WheelPair, integrate_wheels
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _plane(axes: Axes) -> None:
    axes.set_aspect("equal")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    if axes.get_legend_handles_labels()[1]:
        axes.legend(fontsize="small")


def _draw_wheels(axes: Axes, wheels: Sequence[Wheel]) -> None:
    for w in wheels:
        along = w.radius * np.array([np.cos(w.heading), np.sin(w.heading)])
        place = np.array([w.x, w.y])
        ends = np.stack([place - along, place + along])
        axes.plot(*ends.T, color="black", linewidth=4)


def draw_differential(axes: Axes) -> None:
    """Draw a drive on two wheels, and what odometry makes of worn wheels."""
    turns = np.full((90, 2), [0.30, 0.50])
    turns[45:] = [0.50, 0.32]
    for name, radius in (("true", 0.05), ("wheels 4 % smaller than believed", 0.052)):
        wheels = WheelPair(left_radius=radius, right_radius=radius, track=0.3)
        poses = integrate_wheels(wheels, [0, 0, 0], turns)
        axes.plot(*poses[:, :2].T, label=name)
    _plane(axes)


def draw_wheels(axes: Axes) -> None:
    """Draw the wheels of a car and the one centre in which their axes meet."""
    wheels = car_wheels(np.radians(25), wheelbase=2.5, track=1.5, radius=0.3)
    _draw_wheels(axes, wheels)
    rates = wheels_from_twist(wheels, bicycle_twist(5.0, np.radians(25), wheelbase=2.5))
    centre = turning_centre(twist_from_wheels(wheels, rates).twist)
    for w in wheels:
        axes.plot([w.x, centre[0]], [w.y, centre[1]], "0.7", linewidth=0.8)
    axes.plot(*centre, "r*", label="turning centre")
    _plane(axes)


def draw_pose_control(axes: Axes) -> None:
    """Draw the ways of polar control to one pose."""
    for angle in np.linspace(0, 2 * np.pi, 8, endpoint=False):
        start = [np.cos(angle), np.sin(angle), np.pi / 2]
        poses = drive_to_pose(start, [0, 0, 0], duration=4.0, dt=0.04)
        axes.plot(*poses[:, :2].T)
    axes.annotate("", (0.3, 0.0), (0.0, 0.0), arrowprops={"arrowstyle": "->"})
    _plane(axes)


def draw_omni(axes: Axes) -> None:
    """Draw three omni wheels, and the motion that each one drives alone."""
    wheels = omni_wheels(np.radians([90, 210, 330]), distance=0.2, radius=0.05)
    _draw_wheels(axes, wheels)
    for k in range(3):
        twist = twist_from_wheels(wheels, 6.0 * np.eye(3)[k]).twist
        draw_arrow(axes, np.zeros(2), twist[:2])
        axes.text(float(twist[0]), float(twist[1]), f"wheel {k + 1}")
    axes.set_xlim(-0.35, 0.35)
    axes.set_ylim(-0.35, 0.35)
    _plane(axes)


def draw_trailer(axes: Axes) -> None:
    """Draw a car that turns and the way of its trailer's axle."""
    pose, heading, dt = np.array([0.0, 0.0, 0.0]), 0.0, 0.02
    car: list[FloatArray] = []
    trailer: list[FloatArray] = []
    for k in range(400):
        twist = bicycle_twist(1.0, 0.5 if 100 < k < 300 else 0.0, wheelbase=1.0)
        heading += dt * float(trailer_rate(1.0, pose[2] - heading, length=1.2))
        pose = arc_step(pose, twist, dt)
        car.append(pose[:2])
        trailer.append(pose[:2] - 1.2 * np.array([np.cos(heading), np.sin(heading)]))
    axes.plot(*np.array(car).T, label="rear axle of the car")
    axes.plot(*np.array(trailer).T, label="axle of the trailer")
    _plane(axes)


def draw_bracket(axes: Axes) -> None:
    """Draw how driving, turning and both back again move a vehicle sideways."""
    for size in (0.2, 0.4, 0.6):
        poses = [np.zeros(3)]
        for twist in ([1, 0, 0], [0, 0, 1], [-1, 0, 0], [0, 0, -1]):
            for _ in range(20):
                poses.append(arc_step(poses[-1], np.multiply(twist, size), 0.05))
        axes.plot(*np.array(poses)[:, :2].T, label=f"each by {size}")
        axes.plot(*poses[-1][:2], "k.")
    _plane(axes)


PICTURES = {
    "GR-44": draw_differential,
    "GR-45": draw_wheels,
    "GR-46": draw_pose_control,
    "GR-47": draw_omni,
    "GR-48": draw_trailer,
    "GR-49": draw_bracket,
}
