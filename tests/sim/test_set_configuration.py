"""Robots that are put into a configuration while the world runs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import gelenk
from closed_mechanisms import MECHANISMS, gap
from gelenk.cli.warmup_world import FINGERS, hand_model
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.kinematics.configuration import integrate
from gelenk.models import JointType, Link, RobotModel
from gelenk.models.assembler import assemble
from gelenk.sim import (
    CircleZone,
    Cuboid,
    Gripper,
    IdealMotor,
    PositionServo,
    Robot,
    TorqueMotor,
    TorqueServo,
    VelocityServo,
    World,
    WorldConfig,
)
from gelenk.sim.motors import Backlash, Motor
from gelenk.spatial import se3, so3

WEIGHTLESS = WorldConfig(gravity=(0.0, 0.0, 0.0))
PLAY = Backlash(half_gap=0.01, stiffness=200.0, damping=0.5)
T_WORLD_BASE = se3.pose_from_rotation_translation(so3.rot_z(0.7), [1.0, -2.0, 0.5])
MOTORS: dict[str, Motor] = {
    "ideal": IdealMotor(max_speed=3.0),
    "smooth": IdealMotor(max_speed=3.0, max_acceleration=5.0, interpolate=True),
    "torque": TorqueMotor(limit=50.0),
    "speed": VelocityServo(kd=5.0, torque_limit=50.0),
    "servo": PositionServo(kp=300.0, kd=20.0, torque_limit=50.0, latency=0.02),
    "worn": PositionServo(
        kp=300.0, kd=20.0, torque_limit=50.0, rotor_inertia=0.1, backlash=PLAY
    ),
    "voltage": TorqueServo(stall_torque=20.0, no_load_speed=5.0, nominal_voltage=12.0),
}


def floating_arm() -> RobotModel:
    """Return a body that floats, with a hinge, a slide and a joint that follows."""
    inertia = 0.02 * np.eye(3)
    body = {"mass": 1.0, "inertia": inertia}
    turn, slide = JointType.REVOLUTE, JointType.PRISMATIC
    links = [
        Link(name="trunk", joint_type=JointType.FLOATING, **body),
        Link(name="arm", parent="trunk", joint="a", joint_type=turn, **body),
        Link(
            name="rod", parent="arm", joint="b", joint_type=slide, axis=(1, 0, 0),
            **body,
        ),
        Link(
            name="echo", parent="trunk", joint="c", joint_type=turn, axis=(0, 1, 0),
            mimic="a", multiplier=-2.0, offset=0.1, **body,
        ),
    ]  # fmt: skip
    return assemble("floater", links, tool="rod")


def arm_world(motor: Motor, **start) -> World:
    world = World(WEIGHTLESS)
    world.add(Robot(name="arm", model=gelenk.load("ur5e"), motors=motor, **start))
    return world


@pytest.mark.parametrize("name", MOTORS)
def test_it_is_as_if_the_world_had_begun_there(name: str) -> None:
    q = gelenk.load("ur5e").home_configuration + 0.4
    qd = np.linspace(-0.3, 0.4, 6) if name not in ("ideal",) else np.zeros(6)
    fresh = arm_world(MOTORS[name], q=q, qd=qd)
    used = arm_world(MOTORS[name])
    used.command("arm", 0.3)
    used.run(0.25)
    used.set_configuration("arm", q, qd)
    # What a fresh world needs to be told: to stay, and that its motors move already.
    fresh.set_configuration("arm", q, qd)
    for _ in range(10):
        used.run(0.02)
        fresh.run(0.02)
        assert_array_equal(used.configuration("arm"), fresh.configuration("arm"))


@pytest.mark.parametrize("name", MOTORS)
def test_a_robot_that_is_put_at_rest_stays_at_rest(name: str) -> None:
    world = arm_world(MOTORS[name])
    world.command("arm", 0.5)
    world.run(0.05)
    q = world.configuration("arm") + 0.5
    world.set_configuration("arm", q)
    assert_array_equal(world.configuration("arm"), q)
    assert not world.velocity("arm").any()
    world.run(0.3)
    assert_allclose(world.configuration("arm"), q, atol=1e-9)


def test_a_smooth_ideal_motor_goes_on_with_its_speed_and_brakes() -> None:
    world = arm_world(MOTORS["smooth"])
    qd = np.array([1.0, 0.0, -2.0, 0.0, 0.0, 0.0])
    world.set_configuration("arm", world.configuration("arm"), qd)
    q = world.configuration("arm")
    world.step()
    assert_allclose(world.velocity("arm"), qd - 5.0e-3 * np.sign(qd), atol=1e-9)
    world.run(3.0)
    assert_allclose(world.configuration("arm"), q, atol=1e-12)


def test_configuration_and_velocity_are_those_of_the_model() -> None:
    model = floating_arm()
    world = World(WEIGHTLESS)
    robot = Robot(name="it", model=model, T_world_base=T_WORLD_BASE, colliding_links=())
    world.add(robot)
    rng = np.random.default_rng(3)
    q = integrate(model, model.home_configuration, rng.uniform(-1, 1, model.nv), 1.0)
    qd = rng.uniform(-1, 1, model.nv)
    world.step(5)
    world.set_configuration("it", q, qd)

    assert_allclose(world.configuration("it"), q, atol=1e-12)
    assert_allclose(world.velocity("it"), qd, atol=1e-12)
    for link in model.link_names:
        T = T_WORLD_BASE @ model.forward(q, frame=link)
        assert_allclose(world.pose(f"it/{link}"), T, atol=1e-12)
        twist = model.jacobian(q, frame=link) @ qd
        R = T_WORLD_BASE[:3, :3]
        expected = np.concatenate([R @ twist[:3], R @ twist[3:]])
        assert_allclose(world.twist(f"it/{link}"), expected, atol=1e-9)


@pytest.mark.parametrize("motor", [IdealMotor(max_speed=3.0), None])
@pytest.mark.parametrize("name", ["fourbar", "delta"])
def test_closed_chains_come_along_closed(name: str, motor: Motor | None) -> None:
    model = MECHANISMS[name]()
    world = World(WEIGHTLESS)
    world.add(Robot(name="r", model=model, motors=motor, colliding_links=()))
    world.run(0.05)
    q = model.home_configuration + 0.2
    qd = np.full(model.nv, 0.3)
    world.set_configuration("r", q, None if motor else qd)
    assert gap(world, "r", model) < 1e-8
    if not motor:  # the passive joints move as the closure asks
        h = 1e-6
        ahead, behind = (model.forward(q + s * h * qd)[:3, 3] for s in (1.0, -1.0))
        v = world.twist(f"r/{model.tool}")[:3]
        assert_allclose(v, (ahead - behind) / (2.0 * h), atol=1e-6)
    world.run(0.05)
    assert gap(world, "r", model) < (1e-8 if motor else 1e-4)
    assert all(world.loops_closed("r").values())
    assert not world.loop_breaks()
    if motor:
        assert_array_equal(world.configuration("r"), q)


def test_a_broken_chain_is_whole_again_and_its_snapshot_exact() -> None:
    model = MECHANISMS["fivebar"]()
    world = World(WEIGHTLESS)
    motor = IdealMotor(max_speed=10.0)
    world.add(Robot(name="r", model=model, motors=motor, colliding_links=()))
    home = world.configuration("r")
    world.command("r", home + np.array([2.5, -2.5]))
    world.run(0.5)
    assert not all(world.loops_closed("r").values())
    world.set_configuration("r", home)
    state = world.snapshot()
    world.run(0.1)
    assert all(world.loops_closed("r").values())
    once = world.state_hash()
    world.restore(state)
    world.run(0.1)
    assert world.state_hash() == once


def test_what_its_gripper_holds_is_let_go_and_no_zone_is_fooled() -> None:
    world = World(WEIGHTLESS)
    world.add(
        Robot(
            name="hand",
            model=hand_model(),
            motors=IdealMotor(max_speed=0.5),
            grippers=(Gripper(base="palm", fingers=FINGERS),),
            q=np.array([0.03, 0.0, 0.0, 0.0, 0.0, 0.0]),
        )
    )
    size = (0.06, 0.06, 0.06)
    world.add(Cuboid(name="box", size=size, mass=0.2, position=(0.0, 0.0, 0.03)))
    world.add(CircleZone(name="away", on="leave", center=(0.0, 0.0), radius=0.3))
    world.command("hand", [0.03, 0.0, 0.0, 0.0, 0.05, 0.05])
    world.run(0.2)
    assert world.holder("box") == "hand/palm"
    T_box = world.pose("box")
    world.set_configuration("hand", [2.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    world.run(0.2)
    assert world.holder("box") is None
    assert_allclose(world.pose("box"), T_box, atol=1e-6)
    assert not world.zone_events()


def test_mistakes_are_named() -> None:
    world = arm_world(MOTORS["ideal"])
    with pytest.raises(NameNotFoundError, match="'arm'"):
        world.set_configuration("arn", np.zeros(6))
    with pytest.raises(ShapeError):
        world.set_configuration("arm", np.zeros(5))
    with pytest.raises(ConfigError, match="finite"):
        world.set_configuration("arm", np.full(6, np.nan))
