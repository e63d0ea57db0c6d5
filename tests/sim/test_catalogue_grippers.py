"""Grippers of the catalogue grasp, lift and hold a cube; their opening is bounded."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.models import Geometry, JointType, Link, RobotModel
from gelenk.models.assembler import assemble
from gelenk.models.edit import with_attached
from gelenk.sim import (
    Cuboid,
    Gripper,
    Ground,
    IdealMotor,
    PositionServo,
    Robot,
    World,
)
from gelenk.sim.objects import Surface
from gelenk.spatial import se3, so3

EDGE, MASS = 0.05, 0.3  # of the cube [m], [kg]
RUBBER = Surface(friction=0.9)
RISE = 0.25  # [m]
LIFT = IdealMotor(max_speed=0.5, max_acceleration=2.0)
# Servo of the fingers, command "closed", width where the cube is [m].
SERVOS = {
    "franka_hand": (PositionServo(kp=3000.0, kd=60.0, torque_limit=40.0), 0.0),
    "robotiq_2f85": (PositionServo(kp=50.0, kd=2.0, torque_limit=3.0), 0.8),
}


def lift_with(name: str) -> RobotModel:
    """Return a vertical slide, 0.4 m above the floor, with a gripper that looks down."""
    slide = Link(
        name="carriage", parent="rail", joint="lift", joint_type=JointType.PRISMATIC,
        mass=2.0, inertia=0.01 * np.eye(3), T_parent_joint=se3.pose_from_rotation_translation(
            np.eye(3), [0.0, 0.0, 0.4]
        ),
    )  # fmt: skip
    rail = assemble("rail", [Link(name="rail"), slide], tool="carriage")
    gripper = gelenk.load(name)
    down = se3.pose_from_rotation_translation(so3.rot_x(np.pi), np.zeros(3))
    return with_attached(rail, "carriage", gripper, T_link_root=down, prefix="gripper_")


def cube_world(model: RobotModel, **robot) -> World:
    world = World(seed=3)
    world.add(Ground())
    world.add(
        Cuboid(
            name="cube", size=(EDGE,) * 3, mass=MASS, friction=0.9,
            position=(0.0, 0.0, EDGE / 2.0),
        )
    )  # fmt: skip
    world.add(Robot(name="r", model=model, **robot))
    return world


def lower_over_cube(world: World, model: RobotModel, fingers: list[float]) -> float:
    """Bring the tcp to the middle of the cube; return the value of the lift."""
    height = model.forward(np.array([0.0, *fingers]))[2, 3]
    low = EDGE / 2.0 - float(height)
    world.set_configuration("r", [low, *fingers])
    return low


@pytest.mark.parametrize("name", SERVOS)
def test_fingers_hold_a_cube_by_friction_and_lift_it(name: str) -> None:
    model = lift_with(name)
    servo, closed = SERVOS[name]
    motors = {"lift": LIFT, "gripper_joint_1": servo}
    pads = {f"gripper_{side}_finger": RUBBER for side in ("left", "right")}
    with cube_world(model, motors=motors, surfaces=pads) as world:
        opened = model.home_configuration[1]
        low = lower_over_cube(world, model, [opened])
        world.command("r", [low, closed])
        world.run(0.6)
        world.command("r", [low + RISE, np.nan])
        world.run(1.0)
        lifted = world.pose("cube")[:3, 3]
        assert_allclose(lifted, [0.0, 0.0, EDGE / 2.0 + RISE], atol=2e-3)
        world.run(3.0)
        assert_allclose(world.pose("cube")[:3, 3], lifted, atol=5e-4)
        force = sum(
            np.abs(contact.force[1])
            for contact in world.contacts()
            if "cube" in contact.bodies
        )
        assert force > 2.0 * MASS * 9.81  # both fingers press
        world.command("r", [np.nan, opened])
        world.run(1.0)
        assert world.pose("cube")[2, 3] < 2.0 * EDGE  # it lies on the floor


def test_a_suction_cup_lifts_a_cube_while_it_is_active() -> None:
    model = lift_with("suction_cup")
    suction = Gripper(base="gripper_base", fingers=("gripper_cup",), hold="suction")
    with cube_world(model, motors=LIFT, grippers=(suction,)) as world:
        low = EDGE - float(model.forward([0.0])[2, 3])
        world.set_configuration("r", [low + 0.01])
        world.command("r", low - 1e-4)
        world.command_gripper("r", active=True)
        world.run(0.3)
        assert world.holder("cube") == "r/gripper_base"
        world.command("r", low + RISE)
        world.run(4.0)
        assert_allclose(world.pose("cube")[2, 3], EDGE / 2.0 + RISE, atol=1e-3)
        world.command_gripper("r", active=False)
        world.run(1.0)
        assert world.pose("cube")[2, 3] < EDGE


@pytest.mark.parametrize(
    ("name", "widest", "narrowest"),
    [("franka_hand", 0.080, 0.0), ("robotiq_2f85", 0.085, 0.0)],
)
def test_the_opening_is_that_of_the_data_sheet(
    name: str, widest: float, narrowest: float
) -> None:
    model = gelenk.load(name)
    low, high = model.limits[:, 0]

    def width(q: float) -> float:
        """Return the gap between the shapes of the fingers along y [m]."""
        ends = {}
        for side in ("left", "right"):
            link = f"{side}_finger"
            T = model.forward([q], frame=link)
            pad = model.geometry[model.link_id(link)][-1]  # the tip comes last
            corners = np.array(np.meshgrid(*[(-0.5, 0.5)] * 3)).reshape(3, -1).T
            local = corners * np.array(pad.size)
            world = se3.transform_point(T @ np.asarray(pad.T_link_geometry), local)
            ends[side] = world[:, 1]
        first, second = sorted(ends.values(), key=np.mean)
        return float(second.min() - first.max())

    widths = sorted([width(low), width(high)])
    assert widths[1] == pytest.approx(widest, abs=1.5e-3)
    assert widths[0] == pytest.approx(narrowest, abs=1.6e-3)


@pytest.mark.parametrize("q", [0.0, 0.3, 0.8])
def test_the_bars_of_the_2f85_are_parallel_and_its_pads_upright(q: float) -> None:
    model = gelenk.load("robotiq_2f85")
    for side in ("left", "right"):
        R = {
            part: model.forward([q], frame=f"{side}_{part}")[:3, :3]
            for part in ("knuckle", "inner_knuckle", "finger")
        }
        assert_allclose(R["knuckle"], R["inner_knuckle"], atol=1e-12)
        assert_allclose(R["finger"][:, 2], [0.0, 0.0, 1.0], atol=1e-12)
    left, right = (
        model.forward([q], frame=f"{side}_finger")[:3, 3] for side in ("left", "right")
    )
    assert_allclose(left, right * [1.0, -1.0, 1.0], atol=1e-12)


def test_the_2f85_weighs_what_the_manual_says_and_the_franka_hand_too() -> None:
    assert gelenk.load("robotiq_2f85").mass.sum() == pytest.approx(0.9)
    assert gelenk.load("franka_hand").mass.sum() == pytest.approx(0.73 + 2 * 0.015)


@pytest.mark.parametrize(
    ("arm", "link"), [("panda", "hand"), ("ur5e", "link_6"), ("iiwa7", "flange")]
)
@pytest.mark.parametrize("name", ["franka_hand", "robotiq_2f85", "suction_cup"])
def test_grippers_are_mounted_on_arms_in_one_line(
    arm: str, link: str, name: str
) -> None:
    bare, gripper = gelenk.load(arm), gelenk.load(name)
    both = with_attached(bare, link, gripper, prefix="gripper_")
    assert both.tool == "gripper_tcp"
    assert both.mass.sum() == pytest.approx(bare.mass.sum() + gripper.mass.sum())
    q = both.home_configuration
    T = bare.forward(q[: bare.nq], frame=link) @ gripper.forward(q[bare.nq :])
    assert_allclose(both.forward(q), T, atol=1e-12)


def test_what_is_attached_collides_also_where_the_arm_has_shapes_for_it() -> None:
    ball = Geometry(kind="sphere", size=(0.05,))
    touched = Geometry(kind="sphere", size=(0.05,), role="collision")
    drawn = assemble("drawn", [Link(name="a", geometry=(ball,))])
    solid = assemble("solid", [Link(name="b", geometry=(ball, touched))])
    for one, link, other in ((drawn, "a", solid), (solid, "b", drawn)):
        both = with_attached(one, link, other, prefix="x_")
        for row in both.geometry:
            assert [shape.role for shape in row] == ["visual", "collision"]
    plain = with_attached(drawn, "a", drawn, prefix="x_")
    assert {shape.role for row in plain.geometry for shape in row} == {"visual"}
