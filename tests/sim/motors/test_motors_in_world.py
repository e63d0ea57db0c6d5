"""Motors on robots in a world, against dynamics that share no code with it."""

from collections.abc import Mapping

import numpy as np
import pytest

import gelenk
from gelenk.sim import IdealMotor, PositionServo, Robot, TorqueServo, World, WorldConfig
from gelenk.sim.motors import Backlash, DCGearMotor, Friction, Motor
from gelenk.sim.motors.bank import JOINT_LIMP, JOINT_LOCKED
from one_joint import OneJoint

SERVO = TorqueServo(
    stall_torque=8.392,
    no_load_speed=np.radians(437.0),
    nominal_voltage=14.8,
    rotor_inertia=0.0071,
    friction=Friction(coulomb=0.02),
    latency=0.004,
)
PLAY = Backlash(half_gap=np.radians(3.0), stiffness=220.0, damping=4.7)
WORN = TorqueServo(
    stall_torque=8.392,
    no_load_speed=np.radians(437.0),
    nominal_voltage=14.8,
    rotor_inertia=0.0071,
    backlash=PLAY,
)

# Piggy's bat as a rod that stands upright: 0.191 kg m^2 about the joint, 2.33 N m of
# weight when it lies level (0.475 kg, 0.5 m above the joint).
MASS, ARM = 2.33 / 9.81 / 0.5, 0.5
ROD = f"""
  <link name="{{name}}"><inertial><origin xyz="0 0 {ARM}"/><mass value="{MASS}"/>
    <inertia ixx="{0.191 - MASS * ARM**2}" iyy="{0.191 - MASS * ARM**2}" izz="0.01"
      ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = """
  <joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>
    <origin xyz="0 0 {height}"/><axis xyz="0 1 0"/></joint>"""


@pytest.fixture
def rods(tmp_path):
    """Return a function that makes a chain of one or two upright rods."""

    def make(count: int):
        links = "".join(ROD.format(name=f"rod_{i}") for i in range(count))
        parents = ["base", "rod_0"]
        joints = "".join(
            JOINT.format(
                name=f"j{i}", parent=parents[i], child=f"rod_{i}", height=0.6 * i
            )
            for i in range(count)
        )
        file = tmp_path / "rods.urdf"
        file.write_text(
            f'<robot name="rods"><link name="base"/>{links}{joints}</robot>'
        )
        return gelenk.load(str(file))

    return make


def _world(model, motor: Motor | Mapping[str, Motor], q, h=1e-3) -> World:
    world = World(WorldConfig(step=h), seed=5)
    world.add(Robot(name="robot", model=model, motors=motor, q=np.asarray(q, float)))
    return world


def _history(world: World, ticks: int) -> np.ndarray:
    rows = []
    for _ in range(ticks):
        world.step()
        rows.append([*world.joint_positions("robot"), *world.joint_velocities("robot")])
    return np.array(rows)


@pytest.mark.parametrize("motor", [SERVO, WORN])
@pytest.mark.parametrize("h", [1e-3, 4e-3])
def test_the_bat_swings_in_the_world_as_by_hand(rods, motor, h):
    start = np.radians(-60.0)
    world = _world(rods(1), motor, [start], h)
    world.command("robot", [0.7])
    joint = OneJoint(motor, inertia=0.191, weight=2.33, q=start, h=h)
    joint.command(0.7)

    found = _history(world, round(0.5 / h))

    # Dry friction of the engine is soft: it differs for a moment where motion turns.
    np.testing.assert_allclose(found, joint.run(0.5)[:, :2], atol=1e-3)


def test_a_position_servo_sags_by_gravity_over_stiffness():
    arm = gelenk.load("panda")
    q_target = np.array([0.3, -0.5, 0.2, -1.8, 0.4, 1.6, 0.7])
    servo = PositionServo(kp=4000.0, kd=300.0, torque_limit=300.0, rotor_inertia=0.1)
    world = World(WorldConfig(step=1e-3))
    world.add(Robot(name="arm", model=arm, motors=servo, q=q_target))
    world.command("arm", q_target)

    world.run(4.0)

    q = world.joint_positions("arm")
    gravity = arm.inverse_dynamics(q, np.zeros(7), np.zeros(7))
    np.testing.assert_allclose(q_target - q, gravity / 4000.0, atol=1e-7)


@pytest.mark.capability("AB-39")
@pytest.mark.parametrize("h", [1e-3, 4e-3])
def test_ideal_motors_carry_any_weight_exactly_to_their_targets(h):
    arm = gelenk.load("panda")
    q_target = np.array([0.5, -0.2, 0.3, -1.1, 0.2, 1.9, -0.4])
    world = World(WorldConfig(step=h))
    world.add(Robot(name="arm", model=arm, motors=IdealMotor(max_speed=1.5)))
    world.command("arm", q_target)

    world.run(2.0)

    np.testing.assert_array_equal(world.joint_positions("arm"), q_target)
    np.testing.assert_array_equal(world.joint_velocities("arm"), np.zeros(7))


@pytest.mark.parametrize("fault", [JOINT_LOCKED, 0])
def test_a_locked_shoulder_lets_the_elbow_swing_like_a_single_rod(rods, fault):
    """Free, the shoulder would give way and the elbow would swing otherwise."""
    world = _world(rods(2), SERVO, [0.0, 0.3])
    world.step()
    world._compiled().banks.motors.fault[:] = [fault, JOINT_LIMP]
    q0, v0 = world.joint_positions("robot"), world.joint_velocities("robot")

    found = _history(world, 400)

    joint = OneJoint(SERVO, inertia=0.191, weight=2.33, q=q0[1], qd=v0[1])
    joint.bank.fault[0] = JOINT_LIMP
    expected = joint.run(0.4)[:, 0]
    if fault:
        assert (found[:, 0] == q0[0]).all()
        np.testing.assert_allclose(found[:, 1], expected, atol=2e-4)
    else:
        assert np.abs(found[:, 1] - expected).max() > 0.05


def test_a_gear_holds_its_rod_and_lets_a_heavier_load_run_back(rods):
    def gear(resistance):
        return DCGearMotor(
            stall_torque=22.0,
            no_load_speed=2.199,
            nominal_voltage=12.0,
            rotor_inertia=0.3,
            back_drive_torque=resistance,
        )

    q0 = np.radians(90.0)
    holding = _world(rods(1), gear(2.5), [q0])
    yielding = _world(rods(1), gear(2.0), [q0])
    for world in (holding, yielding):
        world.run(1.0)

    assert abs(holding.joint_positions("robot")[0] - q0) < 1e-4
    assert yielding.joint_positions("robot")[0] - q0 > 0.1


def test_a_restored_world_drives_on_bit_by_bit(rods):
    def drive(world, first, last):
        for tick in range(first, last):
            world.command("robot", [0.5 * np.sin(0.05 * tick), 0.3])
            world.step()

    motors = {"j0": SERVO, "j1": WORN}
    world = _world(rods(2), motors, [0.1, -0.2])
    drive(world, 0, 100)
    saved = world.snapshot()
    drive(world, 100, 250)
    straight = world.state_hash()

    world.restore(saved)
    drive(world, 100, 250)
    again = world.state_hash()

    assert straight == again
