"""Shapes, springs and overlaps of robot models when they enter a world."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.errors import GelenkWarning, ModelWarning
from gelenk.geometry import Mesh
from gelenk.models import Geometry, JointType, Link
from gelenk.models.assembler import assemble
from gelenk.models.tree import RobotModel
from gelenk.sim import Box, Ground, PositionServo, Robot, World

BLOCK = np.array(
    [[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.05, 0.05)]
)
FACES = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
        *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ]
)


def lump(*shapes: Geometry, height: float = 0.2) -> RobotModel:
    """One floating link of 1 kg."""
    link = Link(
        name="lump",
        joint_type=JointType.FLOATING,
        mass=1.0,
        inertia=np.eye(3) * 0.01,
        geometry=shapes,
    )
    return assemble("lump", [link], base_home=[0, 0, height, 1, 0, 0, 0])


def mesh(corners: np.ndarray, faces: np.ndarray, role: str) -> Geometry:
    data = Mesh(vertices=corners, faces=faces)
    return Geometry(kind="mesh", size=(1.0, 1.0, 2.0), data=data, role=role)


@pytest.mark.parametrize("role", ["visual", "collision"])
def test_a_mesh_touches_as_its_hull_scaled(role) -> None:
    with World() as world:
        world.add(Ground())
        world.add(lump(mesh(BLOCK, FACES, role)))
        world.run(1.0)

        assert world.pose("lump")[2, 3] == pytest.approx(0.1, abs=1e-4)


def test_a_mesh_that_is_only_drawn_may_be_flat_and_touches_nothing() -> None:
    sail = np.array([[0.0, 0.0, -1.0], [0.1, 0.0, -1.0], [0.0, 0.1, -1.0]])
    drawn = mesh(sail, np.array([[0, 1, 2]]), "visual")
    with World() as world:
        world.add(Ground())
        world.add(lump(drawn, mesh(BLOCK, FACES, "collision")))
        world.run(1.0)

        assert world.pose("lump")[2, 3] == pytest.approx(0.1, abs=1e-4)
        groups = [world._compiled().model.geom(f"lump/lump/{k}").group for k in (0, 1)]
        assert [int(group[0]) for group in groups] == [0, 3]


def test_a_flat_mesh_that_touches_lies_on_the_floor() -> None:
    corners = np.array([[x, y, 0.0] for x in (-0.1, 0.1) for y in (-0.1, 0.1)])
    plate = mesh(corners, np.array([[0, 1, 3], [0, 3, 2]]), "collision")
    with World() as world:
        world.add(Ground())
        world.add(lump(plate, height=0.01))
        world.run(0.5)

        assert abs(world.pose("lump")[2, 3]) < 1e-3


def test_a_robot_without_any_shape_says_so_when_it_enters() -> None:
    with World() as world:
        world.add(lump())
        with pytest.warns(ModelWarning, match="'lump' has no shape that can touch"):
            world.step()
    with World() as world:  # unless that is what was asked for
        world.add(Robot(name="lump", model=lump(), colliding_links=()))
        world.step()


def test_springs_and_carried_weights_of_a_model_reach_the_engine() -> None:
    links = [
        Link(name="base"),
        Link(
            name="bar",
            parent="base",
            joint_type=JointType.REVOLUTE,
            axis=(0, 1, 0),
            mass=1.0,
            com=(0.2, 0, 0),
            inertia=np.eye(3) * 0.01,
            damping=2.0,
            stiffness=20.0,
            rest=0.5,
            gravity_compensation=1.0,
        ),
    ]
    with World() as world:
        world.add(Robot(name="arm", model=assemble("arm", links), colliding_links=()))
        world.run(4.0)

        assert world.joint_positions("arm")[0] == pytest.approx(0.5, abs=1e-6)


def test_a_ball_joint_of_a_model_swings_as_a_pendulum() -> None:
    bob = Link(
        name="bob",
        parent="base",
        joint_type=JointType.BALL,
        mass=1.0,
        com=(0, 0, -0.5),
        inertia=np.zeros((3, 3)) + np.eye(3) * 1e-6,
    )
    model = assemble("pendulum", [Link(name="base"), bob])
    tilt = 0.02
    q = np.array([np.cos(tilt / 2), np.sin(tilt / 2), 0.0, 0.0])
    with World() as world:
        world.add(Robot(name="p", model=model, q=q, colliding_links=()))
        world.run(0.5 * 2.0 * np.pi * np.sqrt(0.5 / 9.81))

        w, x, y, z = world.joint_positions("p")
        assert 2.0 * np.arctan2(x, w) == pytest.approx(-tilt, abs=1e-4)
        assert_allclose([y, z], 0.0, atol=1e-12)


def test_feet_that_begin_in_the_floor_come_out_of_it() -> None:
    ball = Geometry(kind="sphere", size=(0.1,), role="collision")
    with World() as world:
        world.add(Ground())
        world.add(lump(ball, height=0.097))
        world.run(1.0)

        assert world.pose("lump")[2, 3] == pytest.approx(0.1, abs=1e-4)


def test_only_the_foot_of_a_fixed_arm_does_not_feel_what_it_stands_in() -> None:
    servo = PositionServo(kp=600.0, kd=50.0, torque_limit=87.0, rotor_inertia=0.1)
    arm = Robot(name="arm", model=gelenk.load("panda"), motors=servo)
    with World() as world:
        world.add(Ground())
        world.add(arm)
        tool = world.pose("arm/" + arm.model.link_names[6])
        table = Box(name="table", size=(0.2, 0.2, 0.2), position=tuple(tool[:3, 3]))
    with World() as world:
        world.add(Ground())
        world.add(arm)
        world.add(table)
        with pytest.warns(GelenkWarning, match="overlap by .* mm at the start"):
            world.step()

        pairs = {frozenset(contact.bodies) for contact in world.contacts()}
        assert any("table" in pair for pair in pairs)
        assert not any("ground" in pair for pair in pairs)


def test_pairs_that_a_model_excludes_do_not_touch() -> None:
    ball = (Geometry(kind="sphere", size=(0.1,), role="collision"),)
    slide = {"joint_type": JointType.PRISMATIC, "mass": 1.0, "inertia": np.eye(3)}
    links = [
        Link(name="base"),
        Link(name="one", parent="base", geometry=ball, **slide),
        Link(name="other", parent="base", geometry=ball, **slide),
    ]
    for pairs, touches in (((), True), ((("one", "other"),), False)):
        model = assemble("pair", links, excluded_pairs=pairs, gravity=np.zeros(3))
        robot = Robot(
            name="r", model=model, q=np.array([0.0, 0.15]), self_collision=True
        )
        with World() as world:
            world.add(robot)
            world.step()

            assert bool(world.contacts()) is touches
