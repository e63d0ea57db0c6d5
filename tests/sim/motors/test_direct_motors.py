"""Motors that are commanded a torque or a speed, and ideal motors without leaps."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.errors import ConfigError
from gelenk.models import Link
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType
from gelenk.sim import (
    IdealMotor,
    PositionServo,
    Robot,
    TorqueMotor,
    VelocityServo,
    World,
    WorldConfig,
)
from gelenk.sim.motors import Friction, Motor
from gelenk.sim.motors.bank import JOINT_LOCKED, MOTOR_DEAD
from one_joint import OneJoint

H = 1e-3


def wheel(**joint: float) -> gelenk.RobotModel:
    """Return a wheel about a vertical axis with 0.5 kg m^2."""
    spun = Link(
        name="wheel", parent="base", joint="axle", joint_type=JointType.REVOLUTE,
        mass=1.0, inertia=0.5 * np.eye(3), **joint,
    )  # fmt: skip
    return assemble("wheel", [Link(name="base"), spun], tool="wheel")


def world_of(model: gelenk.RobotModel, motor: Motor) -> World:
    world = World(WorldConfig(step=H))
    world.add(Robot(name="r", model=model, motors=motor))
    return world


# -- torque -------------------------------------------------------------------------


def test_a_torque_motor_gives_its_command_within_its_limit() -> None:
    joint = OneJoint(TorqueMotor(limit=2.0), inertia=0.5)
    joint.command(1.5)
    assert_allclose(joint.run(0.1)[-1, 1], 3.0 * 0.1, rtol=1e-9)
    joint.command(-50.0)
    before = joint.x[1, 0]
    assert_allclose(joint.run(0.1)[-1, 1] - before, -4.0 * 0.1, rtol=1e-9)


def test_its_rotor_and_friction_are_felt_at_the_joint() -> None:
    motor = TorqueMotor(
        rotor_inertia=1e-3, gear_ratio=20.0, friction=Friction(viscous=0.3)
    )
    world = world_of(wheel(), motor)
    world.command("r", 2.0)
    world.run(0.5)
    rate = 0.3 / (0.5 + 0.4)
    expected = 2.0 / 0.3 * (1.0 - np.exp(-rate * 0.5))
    assert_allclose(world.velocity("r"), expected, rtol=1e-3)


def test_an_open_limit_is_that_of_the_model() -> None:
    world = world_of(wheel(max_effort=3.0), TorqueMotor())
    world.command("r", 100.0)
    world.run(0.1)
    assert_allclose(world.velocity("r"), 3.0 / 0.5 * 0.1, rtol=1e-9)
    endless = world_of(wheel(), TorqueMotor())
    endless.command("r", 100.0)
    endless.run(0.1)
    assert_allclose(endless.velocity("r"), 100.0 / 0.5 * 0.1, rtol=1e-9)
    fast = world_of(wheel(max_velocity=1.5), IdealMotor())
    fast.command("r", 1.0)
    fast.run(0.1)
    assert_allclose(fast.velocity("r"), 1.5, rtol=1e-9)
    weak = world_of(wheel(max_effort=3.0), PositionServo(kp=1e4, kd=1.0))
    weak.command("r", 1.0)
    weak.step()
    assert_allclose(weak.velocity("r"), 3.0 / 0.5 * H, rtol=1e-9)
    with pytest.raises(ConfigError, match="torque_limit"):
        world_of(wheel(), PositionServo(kp=1.0, kd=1.0, no_load_speed=3.0)).step()


def test_impossible_motors_are_refused() -> None:
    with pytest.raises(ConfigError, match="`limit` of TorqueMotor"):
        TorqueMotor(limit=-1.0)
    with pytest.raises(ConfigError, match="`kd` of VelocityServo"):
        VelocityServo(kd=0.0)
    with pytest.raises(ConfigError, match="`max_acceleration` of IdealMotor"):
        IdealMotor(max_speed=1.0, max_acceleration=0.0)


# -- speed --------------------------------------------------------------------------


def test_a_velocity_servo_runs_up_as_its_law_says() -> None:
    world = world_of(wheel(), VelocityServo(kd=2.0, torque_limit=1e3))
    world.command("r", 5.0)
    world.run(0.3)
    expected = 5.0 * (1.0 - np.exp(-2.0 / 0.5 * 0.3))
    assert_allclose(world.velocity("r"), expected, rtol=3e-3)
    world.run(10.0)
    assert_allclose(world.velocity("r"), 5.0, rtol=1e-9)


def test_a_velocity_servo_pulls_no_harder_than_its_limit() -> None:
    world = world_of(wheel(), VelocityServo(kd=1e6, torque_limit=1.0))
    world.command("r", -3.0)
    world.run(0.5)
    assert_allclose(world.velocity("r"), -1.0 / 0.5 * 0.5, rtol=1e-9)
    world.run(1.5)
    assert_allclose(world.velocity("r"), -3.0, rtol=1e-6)


# -- one rotor inertia ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("motor", "armature"),
    [
        (TorqueMotor(), 0.25),
        (TorqueMotor(rotor_inertia=0.1), 0.1),
        (TorqueMotor(rotor_inertia=0.001, gear_ratio=10.0), 0.1),
        (TorqueMotor(rotor_inertia=0.0), 0.0),
        (PositionServo(kp=0.0, kd=0.0, rotor_inertia=0.1), 0.1),
        (IdealMotor(), 0.25),
        (None, 0.25),
    ],
)
def test_a_rotor_that_a_motor_states_replaces_the_armature_of_the_model(
    motor: Motor | None, armature: float
) -> None:
    world = world_of(wheel(armature=0.25), motor)
    assert_allclose(world.robot_model("r").armature, [0.0, armature])
    if motor is not None and not isinstance(motor, IdealMotor):
        assert world._compiled().model.dof_armature[0] == pytest.approx(armature)
        world.step()
        assert world._compiled().model.dof_armature[0] == pytest.approx(armature)


def test_computed_torque_with_the_model_of_the_world_is_exact() -> None:
    arm, h = gelenk.load("panda"), 1e-3
    world = World(WorldConfig(step=h))
    motor = TorqueMotor(rotor_inertia=0.1)
    q = arm.home_configuration
    world.add(Robot(name="arm", model=arm, motors=motor))
    model = world.robot_model("arm")
    qdd = np.array([2.0, -1.0, 1.5, 1.0, -3.0, 2.0, 4.0])
    world.command("arm", model.inverse_dynamics(q, 0 * q, qdd))
    world.step()
    assert_allclose(world.velocity("arm"), qdd * h, rtol=1e-9)


# -- ideal motors without leaps -------------------------------------------------------


@pytest.mark.parametrize("target", [0.0003, 0.05, 1.0, -1.0])
@pytest.mark.parametrize("top", [0.8, np.inf])
def test_with_an_acceleration_it_goes_there_in_the_shortest_time(
    target: float, top: float
) -> None:
    a = 4.0
    joint = OneJoint(IdealMotor(max_speed=top, max_acceleration=a), inertia=1.0)
    joint.command(target)
    way = abs(target)
    peak = min(top, np.sqrt(way * a))
    shortest = way / peak + peak / a  # of a trapezoid of speed
    log = joint.run(shortest + 0.1)

    q, v = log[:, 0], log[:, 1]
    assert np.abs(np.diff(v, prepend=0.0)).max() <= a * H * (1.0 + 1e-6)
    assert np.abs(v).max() <= top * (1.0 + 1e-9)
    assert (np.abs(q) <= way + 1e-12).all()  # it never overshoots
    there = int((q == target).argmax())
    assert q[there] == target
    assert (q[there:] == target).all()
    assert there * H == pytest.approx(shortest, abs=8.0 * H)


@pytest.mark.parametrize("period", [4, 10, 33])  # [ticks]
def test_set_points_are_followed_evenly_one_period_late(period: int) -> None:
    joint = OneJoint(IdealMotor(max_speed=10.0, interpolate=True), inertia=1.0)
    speed, rows = 1.7, []
    for k in range(1, 30):
        joint.command(speed * k * period * H)
        rows.append(joint.run(period * H))
    q, v = np.concatenate(rows).T[:2]
    at = H * np.arange(1, len(q) + 1)
    later = at > 3.5 * period * H + 0.02
    assert_allclose(v[later], speed, rtol=1e-6)
    assert_allclose(q[later], speed * at[later], atol=1e-9)


def test_both_together_keep_the_acceleration_and_arrive() -> None:
    motor = IdealMotor(max_speed=10.0, interpolate=True, max_acceleration=30.0)
    joint = OneJoint(motor, inertia=1.0)
    rows = []
    for k in range(1, 101):
        joint.command(0.5 * (1.0 - np.cos(np.pi * k / 100.0)))
        rows.append(joint.run(0.01))
    rows.append(joint.run(0.2))
    q, v = np.concatenate(rows).T[:2]
    assert np.abs(np.diff(v)).max() <= 30.0 * H * (1.0 + 1e-6)
    at = H * np.arange(1, 1001)
    wanted = 0.5 * (1.0 - np.cos(np.pi * at))
    assert np.abs(q[:1000] - wanted).max() < 1e-3
    assert q[-1] == 1.0


def test_set_points_in_every_tick_are_reached_in_every_tick() -> None:
    joint = OneJoint(IdealMotor(max_speed=10.0, interpolate=True), inertia=1.0)
    for k in range(50):
        target = 1e-3 * np.sin(0.1 * k)
        joint.command(target)
        q = joint.run(H)[-1, 0]
        if k > 2:
            assert q == target


@pytest.mark.parametrize("fault", [MOTOR_DEAD, JOINT_LOCKED])
def test_a_dead_smooth_motor_stays_and_goes_on_when_it_is_mended(fault: int) -> None:
    motor = IdealMotor(max_speed=2.0, interpolate=True, max_acceleration=20.0)
    joint = OneJoint(motor, inertia=1.0)
    joint.command(1.0)
    joint.run(0.2)
    joint.bank.fault[0] = fault
    log = joint.run(0.1)
    assert (log[:, 0] == log[0, 0]).all()
    joint.bank.fault[0] = 0
    log = joint.run(1.0)
    assert np.abs(np.diff(log[:, 1], prepend=0.0)).max() <= 20.0 * H * (1.0 + 1e-6)
    assert log[-1, 0] == 1.0


def test_a_world_with_smooth_motors_goes_on_bit_by_bit_from_a_snapshot() -> None:
    motor = IdealMotor(interpolate=True, max_acceleration=20.0)
    world = world_of(wheel(max_velocity=3.0), motor)

    def drive() -> None:
        for k in range(20):
            world.command("r", 0.01 * k**1.5)
            world.run(0.01)

    drive()
    state = world.snapshot()
    drive()
    once = world.state_hash()
    world.restore(state)
    drive()
    assert world.state_hash() == once
