"""Sensors and faults of robots in a world."""

import numpy as np
import pytest

import gelenk
from gelenk.errors import NameNotFoundError
from gelenk.sim import (
    Ball,
    Ground,
    IdealMotor,
    PositionServo,
    Robot,
    World,
    WorldConfig,
)
from gelenk.sim.faults import Fault
from gelenk.sim.sensors import (
    Encoder,
    ForceTorque,
    Imu,
    RangeSensor,
    SensorModel,
    TouchSwitch,
)

SCALE = """<robot name="scale"><link name="base"/>
  <link name="plate">
    <inertial><mass value="3"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.6 0.6 0.1"/></geometry></collision></link>
  <joint name="lift" type="prismatic"><parent link="base"/><child link="plate"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1000" velocity="10"/></joint>
</robot>"""
SENSORS = {
    "cell": ForceTorque(link="plate"),
    "slow_cell": ForceTorque(link="plate", model=SensorModel(rate=200.0)),
    "skin": TouchSwitch(links=("plate",), threshold=5.0),
    "height": Encoder(),
    "imu": Imu(link="plate"),
}


@pytest.fixture
def scale(tmp_path):
    file = tmp_path / "scale.urdf"
    file.write_text(SCALE)
    return gelenk.load(str(file))


def _world(model, motor, faults=(), sensors=SENSORS, seed=3):
    world = World(WorldConfig(step=1e-3), seed=seed)
    for fault in faults:
        world.add(fault)
    world.add(Robot(name="scale", model=model, motors=motor, sensors=sensors))
    return world


@pytest.mark.parametrize(
    "motor",
    [
        IdealMotor(max_speed=1.0),
        PositionServo(kp=2e5, kd=2e3, torque_limit=1e5, rotor_inertia=0.5),
    ],
)
def test_a_bouncing_ball_gives_the_scale_its_momentum_and_nothing_else(scale, motor):
    world = _world(scale, motor)
    world.add(
        Ball(name="ball", radius=0.05, mass=0.2, position=(0, 0, 0.5), restitution=0.8)
    )
    world.command("scale", [0.0])
    world.run(0.2)
    forces, slow, touched = [], [], []
    for _ in range(200):
        world.step()
        forces.append(world.read("scale/cell").value[2])
        touched.append(world.read("scale/skin").value[0])
        if world.tick % 5 == 0:
            slow.append(world.read("scale/slow_cell").value[2])

    (impact,) = world.impacts()
    given = sum(f - 3 * 9.81 for f in forces) * 1e-3
    given_slowly = sum(f - 3 * 9.81 for f in slow) * 5e-3
    # The plate is at rest before and long after: what came in went through the cell.
    came_in = abs(impact.impulse[2])
    assert given == pytest.approx(came_in, rel=1e-3)
    assert given_slowly == pytest.approx(came_in, rel=0.02)
    assert sum(touched) == 1.0


def test_an_imu_at_rest_reads_gravity_upwards(scale):
    world = _world(scale, IdealMotor(max_speed=1.0))

    world.run(0.05)

    np.testing.assert_allclose(
        world.read("scale/imu").value, [0, 0, 9.81, 0, 0, 0], atol=1e-9
    )


def test_an_ideal_motor_that_jerks_is_felt_by_the_imu_on_it(scale):
    world = _world(scale, IdealMotor(max_speed=0.5))
    world.run(0.01)
    world.command("scale", [0.5])
    felt = []
    for _ in range(20):
        world.step()
        felt.append(world.read("scale/imu").value[2] - 9.81)

    # From rest to 0.5 m/s in the first tick, then on without acceleration.
    np.testing.assert_allclose(felt, [500.0] + [0.0] * 19, atol=1e-6)


def test_readings_wait_for_their_latency_and_repeat_bit_by_bit(scale):
    sensors = {"height": Encoder(model=SensorModel(latency=0.007, noise=0.01))}

    def run():
        world = _world(scale, IdealMotor(max_speed=1.0), sensors=sensors)
        world.command("scale", [0.5])
        readings = []
        for _ in range(30):
            world.step()
            readings.append(world.read("scale/height"))
        return readings

    one, two = run(), run()

    assert [r.is_valid for r in one] == [False] * 6 + [True] * 24
    assert one[29].time == pytest.approx(0.023)
    assert abs(one[29].value[0] - 0.023) < 0.05
    assert [r.value[0] for r in one[6:]] == [r.value[0] for r in two[6:]]


def test_a_restored_world_reads_the_same_bits(scale):
    sensors = {
        "height": Encoder(model=SensorModel(latency=0.01, noise=0.1, random_walk=0.1))
    }
    faults = [
        Fault(kind="sensor_noisy", target="scale/height", start=0.03, amount=0.5),
        Fault(kind="joint_locked", target="scale/lift", start=0.04, duration=0.02),
    ]
    world = _world(scale, IdealMotor(max_speed=1.0), faults, sensors)
    world.command("scale", [1.0])
    world.step(25)
    saved = world.snapshot()

    def go_on():
        values = []
        for _ in range(60):
            world.step()
            values.append(world.read("scale/height").value[0])
        return values, world.state_hash()

    straight = go_on()
    world.restore(saved)

    assert go_on() == straight


def test_motor_faults_strike_on_schedule(scale):
    faults = [
        Fault(kind="joint_locked", target="scale/lift", start=0.05, duration=0.03),
        Fault(kind="power_gone", target="scale", start=0.1, duration=0.02),
    ]
    world = _world(scale, IdealMotor(max_speed=1.0), faults)
    world.command("scale", [1.0])
    heights = []
    for _ in range(150):
        world.step()
        heights.append(world.joint_positions("scale")[0])

    moves = np.diff(heights, prepend=0.0) > 1e-9
    stands = [*range(50, 80), *range(100, 120)]
    assert np.flatnonzero(~moves).tolist() == stands


def test_a_limp_joint_falls_with_its_own_weight_only(scale):
    fault = Fault(kind="joint_limp", target="scale/lift", start=0.01, duration=0.1)
    world = _world(scale, IdealMotor(max_speed=1.0), [fault])

    world.run(0.11)

    assert world.joint_positions("scale")[0] == pytest.approx(
        -9.81 * 1e-6 * 100 * 101 / 2, rel=1e-6
    )


def test_a_range_sensor_sees_the_ground_below(scale):
    down = np.diag([1.0, -1.0, -1.0, 1.0])
    sensors = {"eye": RangeSensor(link="plate", T_link_sensor=down)}
    world = _world(scale, IdealMotor(max_speed=10.0), sensors=sensors)
    world.add(Ground())
    world.command("scale", [0.8])
    world.run(0.5)

    assert world.read("scale/eye").value[0] == pytest.approx(0.8, abs=1e-9)


def test_an_unknown_sensor_is_refused_with_the_closest_name(scale):
    world = _world(scale, IdealMotor(max_speed=1.0))

    with pytest.raises(NameNotFoundError, match="Did you mean 'scale/height'"):
        world.read("scale/heigth")
