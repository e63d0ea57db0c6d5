"""The restitution grid in our world."""

from __future__ import annotations

import numpy as np

from benchmarks.areas import _world_cases as grid
from benchmarks.areas._world_cases import Case, Flight
from gelenk.models.assembler import assemble
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.sim import (
    Ball,
    Box,
    Ground,
    IdealMotor,
    Robot,
    TorqueServo,
    World,
    WorldConfig,
)
from gelenk.typing import FloatArray


def run_case(case: Case) -> Flight:
    """Run a case in a world."""
    world = build(case)
    partner = _partner(case)
    places, velocities, others = np.zeros((3, case.ticks, 3))
    for k in range(case.ticks):
        world.step()
        places[k] = world.pose("ball")[:3, 3]
        velocities[k] = world.twist("ball")[:3]
        if partner == "bat":
            others[k] = grid.head_at(float(world.joint_positions("bat")[0]))
        elif partner:
            others[k] = world.pose(partner)[:3, 3]
    return Flight(places, velocities, others)


def _partner(case: Case) -> str:
    if case.pairing.endswith("bat"):
        return "bat"
    return "other" if case.pairing == "sphere" else ""


def build(case: Case) -> World:
    """Return the world of a case."""
    world = World(WorldConfig(step=case.step, gravity=(0.0, 0.0, case.gravity)), seed=0)
    world.add(_ball("ball", case.p, case.v, case.e))
    if case.pairing == "plane":
        world.add(Ground())
    elif case.pairing in ("face", "edge"):
        world.add(
            Box(name="box", size=grid.BOX, position=(0.0, 0.0, -0.5 * grid.BOX[2]))
        )
    elif case.pairing == "sphere":
        world.add(_ball("other", np.zeros(3), np.zeros(3), case.e))
    else:
        is_ideal = case.pairing == "ideal_bat"
        # a servo at its no-load speed gives no torque: it yields by its inertia
        motor = (
            IdealMotor(max_speed=grid.SWING)
            if is_ideal
            else TorqueServo(
                stall_torque=1e-3, no_load_speed=grid.SWING, nominal_voltage=12.0
            )
        )
        world.add(
            Robot(
                name="bat",
                model=bat_model(),
                q=np.array([case.q]),
                qd=np.array([grid.SWING]),
                motors=motor,
            )
        )
        world.command("bat", [100.0 if is_ideal else 1.0])
    return world


def _ball(name: str, p: FloatArray, v: FloatArray, e: float) -> Ball:
    x, y, z = (float(a) for a in p)
    vx, vy, vz = (float(a) for a in v)
    return Ball(
        name=name,
        radius=grid.RADIUS,
        mass=grid.MASS,
        position=(x, y, z),
        velocity=(vx, vy, vz),
        restitution=e,
        condim=1,
        priority=1,
    )


def bat_model() -> RobotModel:
    """Return an arm that turns about y with a sphere on its x axis."""
    T = np.eye(4)
    T[0, 3] = grid.ARM
    head = Geometry(
        kind="sphere", size=(grid.HEAD,), T_link_geometry=T, role="collision"
    )
    arm = Link(
        name="arm",
        parent="base",
        joint="swing",
        joint_type=JointType.REVOLUTE,
        axis=(0.0, 1.0, 0.0),
        mass=grid.HEAD_MASS,
        com=(grid.ARM, 0.0, 0.0),
        inertia=grid.HEAD_INERTIA * np.eye(3),
        geometry=(head,),
    )
    return assemble("bat", [Link(name="base"), arm])
