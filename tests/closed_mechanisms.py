"""Closed mechanisms of a size that stands on a table, and how far they gape.

Each has its motors at `START` when it is put into a world.
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np

import gelenk
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link, Loop
from gelenk.models.parts import Assembly, Tip
from gelenk.models.tree import RobotModel
from gelenk.sim import World

FEET = [(0.15 * np.cos(a), 0.15 * np.sin(a), 0.0) for a in np.deg2rad([0, 120, 240])]


def _legs(robot: Assembly) -> list[Tip]:
    return [
        robot.fullrot(f"foot_{i}", at=foot).linear_motor(
            f"leg_{i}", limits=(0.05, 0.6), mass=0.5
        )
        for i, foot in enumerate(FEET)
    ]


def tripod(radius: float = 0.01) -> RobotModel:
    """Three linear motors that meet above their feet, with a tip to push with."""
    robot = Assembly()
    robot.closed_chain("apex", _legs(robot)).touch_point("tip", radius=radius)
    return robot.build("tripod")


def tight_len() -> RobotModel:
    """A rail that tilts, and a slide on it at the end of a strut."""
    robot = Assembly()
    rail = robot.servo("tilt", axis="xz").linear("slide").segment(0.1)
    strut = robot.fullrot("foot", at=(0.05, 0.02, -0.1)).linear_motor(
        "strut", limits=(0.01, 0.6)
    )
    robot.closed_chain("union", [rail, strut]).gripper_mount()
    return robot.build("tight_len")


def tight_rot() -> RobotModel:
    """A door at the end of a strut."""
    robot = Assembly()
    door = robot.axisrot("hinge").segment(0.1)
    strut = robot.fullrot("foot", at=(0.04, 0.12, 0.03)).linear_motor(
        "strut", limits=(0.01, 0.4)
    )
    robot.closed_chain("union", [door, strut]).gripper_mount()
    return robot.build("tight_rot")


def tight_pseudo() -> RobotModel:
    """An arm, and a bent measuring rod that hangs on its end."""
    robot = Assembly()
    arm = robot.servo("turn").servo("lift", axis="xz").segment(0.3)
    sensor = robot.fullrot("foot", at=(0.0, 0.29, 0.0)).linear("slide")
    robot.closed_chain(
        "union", [arm, sensor.segment((0.05, 0.03, 0.0))]
    ).gripper_mount()
    return robot.build("tight_pseudo")


def stacked() -> RobotModel:
    """A tripod, and on its apex a measuring rod that reaches back to the ground."""
    robot = Assembly()
    sensor = robot.fullrot("eye", at=(0.3, 0.3, 0.0)).linear("rod").segment(0.05)
    legs = _legs(robot)
    top = legs[0].t_connector("top")
    top.servo("turret").segment(0.1).gripper_mount()
    robot.closed_chain("sense", [top.point(at=(0.0, 0.05, 0.0)), sensor])
    robot.closed_chain("apex", legs)
    return robot.build("stacked")


CRANK, COUPLER, ROCKER, GROUND = 0.2, 0.15, 0.15, 0.3  # [m]
CRANK_END = np.arccos(1.0 / 3.0)  # [rad], where coupler and rocker are stretched


def two_fourbars() -> RobotModel:
    """Two four-bar linkages side by side whose cranks do not turn round."""
    links, loops = [Link(name="base")], []
    for side, y in (("left", 0.1), ("right", -0.1)):
        crank, rocker = np.array([0.0, y, 0.0]), np.array([GROUND, y, 0.0])
        q = np.array([0.5, *_fourbar_angles(0.5)])
        for name, parent, at, home in (
            ("crank", "base", crank, q[0]),
            ("coupler", f"{side}_crank", (CRANK, 0.0, 0.0), q[1]),
            ("rocker", "base", rocker, q[2]),
        ):
            T = np.eye(4)
            T[:3, 3] = at
            links.append(
                Link(
                    name=f"{side}_{name}",
                    parent=parent,
                    T_parent_joint=T,
                    axis=(0.0, -1.0, 0.0),
                    joint_type=JointType.REVOLUTE,
                    is_passive=name != "crank",
                    home=float(home),
                    mass=0.1,
                    inertia=1e-4 * np.eye(3),
                )
            )
        ends = np.tile(np.eye(4), (2, 1, 1))
        ends[:, 0, 3] = COUPLER, ROCKER
        loops.append(
            Loop(
                name=side,
                kind="point",
                links=(f"{side}_coupler", f"{side}_rocker"),
                T_link_frame=ends,
            )
        )
    return assemble("two_fourbars", links, loops=loops)


def _fourbar_angles(angle: float) -> tuple[float, float]:
    """Coupler against the crank, and rocker, with the elbow up: the law of cosines."""
    tip = CRANK * np.exp(1j * angle)
    way = GROUND - tip
    rise = np.arccos(abs(way) / (COUPLER + ROCKER))
    coupler = np.angle(way) + rise
    return float(coupler - angle), float(
        np.angle(tip + COUPLER * np.exp(1j * coupler) - GROUND)
    )


MECHANISMS: dict[str, Callable[[], RobotModel]] = {
    "tripod": tripod,
    "tight_len": tight_len,
    "tight_rot": tight_rot,
    "tight_pseudo": tight_pseudo,
    "stacked": stacked,
    "two_fourbars": two_fourbars,
    **{
        name: lambda name=name: gelenk.load(name)
        for name in ("fourbar", "fivebar", "delta", "stewart", "jansen", "slider_crank")
    },
}
START = {
    "tripod": [0.3, 0.3, 0.3],
    "tight_len": [0.2, 0.3],
    "tight_rot": [0.12],
    "tight_pseudo": [0.2, 0.1],
    "stacked": [0.3, 0.0, 0.3, 0.3],
}


def gap(world: World, robot: str, model: RobotModel, loop: int = -1) -> float:
    """Largest distance of points that should meet [m], by the engine's own poses."""
    plant = world._compiled()
    mujoco.mj_kinematics(plant.model, plant.data)
    worst = 0.0
    for closure in model.loops if loop < 0 else (model.loops[loop],):
        points = []
        for link, T in zip(closure.links, closure.T_link_frame, strict=True):
            body = plant.data.body(f"{robot}/{model.link_names[link]}")
            points.append(body.xpos + body.xmat.reshape(3, 3) @ T[:3, 3])
        worst = max(worst, *(float(np.linalg.norm(p - points[0])) for p in points))
    return worst
