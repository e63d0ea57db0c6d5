"""Tests of the servos of a world. Oracle: the world's own truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from experiments.piggy.drive_bench import world_unit
from gelenk.errors import NameNotFoundError
from gelenk.robots.piggy.drives import JOINTS, PROFILES, get_profile, piggy_robot
from gelenk.robots.piggy.hardware import (
    Bus,
    BusCfg,
    Deadman,
    RollTilt,
    ServoError,
    ServoMode,
    ServoSettings,
)
from gelenk.robots.piggy.hardware.world_servo import WorldServo
from gelenk.robots.piggy.robot import ANGLE_LIMIT
from gelenk.robots.piggy.setup import ServoSetup, nominal_setup
from gelenk.sim import Encoder, World, WorldConfig

COUNT = math.radians(0.06)
ABSOLUTE_COUNT = math.radians(251.0 / 4095.0)


def make_world(q: tuple[float, float] = (0.0, 0.0), profile: str = "thesis") -> World:
    world = World(WorldConfig(step=0.001))
    truth = {"truth": Encoder(joints=JOINTS, side="motor")}
    world.add(piggy_robot(profile, q=q, sensors=truth))
    return world


def motor(world: World) -> np.ndarray:
    return world.read("piggy/truth").value


def make_unit(world: World, bus: Bus | None = None) -> RollTilt:
    return world_unit(world, nominal_setup().servos, bus=bus)


@pytest.mark.capability("BB-11")
def test_in_position_mode_a_servo_runs_to_its_target_no_faster_than_told() -> None:
    world = make_world((0.0, 0.3))
    servo = WorldServo(world, "tilt")
    servo.open()
    assert servo.mode is ServoMode.POSITION
    world.run(0.5)
    target = 2047 - 600

    servo.write_position(target, max_speed=1.0)
    speeds = []
    for _ in range(150):
        before = motor(world)[1]
        world.step(10)
        speeds.append((motor(world)[1] - before) / 0.01)

    goal = (target - 2047.5) * ABSOLUTE_COUNT
    assert motor(world)[1] == pytest.approx(goal, abs=math.radians(1.0))
    assert abs(servo.read_absolute() - target) < 20
    # A falling bat drives the servo a little faster than it is told.
    assert max(np.abs(speeds)) < 1.4
    assert np.median(np.abs(speeds[10:60])) == pytest.approx(1.0, abs=0.25)


@pytest.mark.capability("BB-11")
def test_a_servo_refuses_positions_beyond_251_degrees() -> None:
    world = make_world()
    servo = WorldServo(world, "roll")
    servo.open()

    with pytest.raises(ServoError, match="0 to 251 degrees, got 4096"):
        servo.write_position(4096, max_speed=1.0)


@pytest.mark.capability("BB-12")
def test_the_sum_of_counts_follows_the_motor() -> None:
    world = make_world((0.0, 0.0))
    servo = WorldServo(world, "tilt")
    servo.open()
    servo.set_mode(ServoMode.TORQUE)
    total, start = 0, motor(world)[1]
    rng = np.random.default_rng(2)
    for _ in range(60):
        servo.write_torque(rng.uniform(-0.4, 0.8))
        world.step(10)
        total += servo.read_relative()
        assert total * COUNT + start == pytest.approx(motor(world)[1], abs=2.0 * COUNT)
    assert abs(motor(world)[1]) > math.radians(5.0)


@pytest.mark.capability("BB-13")
@pytest.mark.parametrize("seed", range(4))
def test_after_power_on_in_any_pose_the_angles_are_known(seed: int) -> None:
    q = np.random.default_rng(seed).uniform(-1.3, 1.3, 2)
    world = make_world((q[0], q[1]))
    unit = make_unit(world)
    world.run(0.4)  # the servos hold; the bat sinks onto its flank

    unit.reference()
    reading = unit.read(world.time)

    assert [servo.mode for servo in unit.servos] == [ServoMode.TORQUE] * 2
    # half an absolute count, one relative count that rounds otherwise, and noise
    assert_allclose(reading.q, motor(world), atol=math.radians(0.062) + COUNT / 2)


@pytest.mark.capability("BB-13")
def test_mounting_offset_and_direction_belong_to_the_setup_alone() -> None:
    world = make_world((0.2, -0.3))
    mounted = (("roll", 1900.0), ("tilt", 2200.0))
    servos = [WorldServo(world, j, middle=m) for j, m in mounted]
    scale = ABSOLUTE_COUNT
    setups = [
        ServoSetup(j_off=m, j_scale=scale, half_gap=0.0) for m in (1900.0, 2200.0)
    ]
    unit = RollTilt(servos, setups, stall_torque=8.39)
    unit.reference()

    assert_allclose(unit.read(world.time).q, motor(world), atol=0.002)


@pytest.mark.capability("BB-14")
def test_only_the_position_is_fresh_at_every_read() -> None:
    world = make_world((0.0, 0.2))
    servo = WorldServo(world, "tilt")
    servo.open()
    servo.set_mode(ServoMode.TORQUE)
    stamps, positions = set(), 0
    for _ in range(50):
        servo.write_torque(0.5)
        world.step(10)
        stamps.add(servo.read_status().time)
        positions += servo.read_relative() != 0
    assert len(stamps) == pytest.approx(5, abs=1)
    assert positions >= 40 or abs(motor(world)[1]) > 1.4


@pytest.mark.capability("BB-24")
def test_currents_stay_within_the_supply_and_torque_scales_with_its_voltage() -> None:
    world = make_world((0.0, 0.0))
    unit = make_unit(world)
    unit.reference()
    most = 0.0
    for k in range(40):
        unit.write([99.0, 99.0] if k % 20 < 10 else [-99.0, -99.0])
        world.step(10)
        unit.read(world.time)
        most = max(most, sum(abs(s.current) for s in unit.status()))
    assert 2.0 < most <= 15.0
    sheet, drive = PROFILES["thesis"].sheet, PROFILES["thesis"]
    assert sheet.stall_torque == pytest.approx(8.39, abs=0.01)
    assert math.degrees(sheet.no_load_speed) == pytest.approx(437.0, abs=0.5)
    assert 2 * sheet.stall_current <= 15.0
    assert drive.stall_current == 7.0


@pytest.mark.capability("BB-16")
def test_without_commands_a_servo_runs_to_its_stop_unless_a_deadman_holds_it() -> None:
    ends = []
    for is_watched in (False, True):
        world = make_world((0.0, 0.0))
        unit = make_unit(world)
        unit.reference()
        deadman = Deadman(unit)
        for _ in range(200):
            if world.time < 0.02:
                unit.write([0.0, 4.0])  # then the controller is gone
            if is_watched:
                deadman.check(world.time)
            world.step(10)
        ends.append(motor(world)[1])
        assert bool(deadman.reason) == is_watched
    assert ends[0] > ANGLE_LIMIT - 0.1
    assert ends[1] < math.radians(30.0)


@pytest.mark.capability("BB-102")
def test_after_both_end_stops_the_counted_angle_is_still_right() -> None:
    world = make_world((0.0, 0.1))
    unit = make_unit(world)
    unit.reference()
    reading = unit.read(world.time)
    for torque in (6.0, -6.0, 6.0):
        for _ in range(100):
            unit.write([0.0, torque])
            world.step(10)
            reading = unit.read(world.time)
        assert abs(reading.q[1]) < ANGLE_LIMIT + math.radians(8.0)
    assert reading.q[1] == pytest.approx(motor(world)[1], abs=3.0 * COUNT)


@pytest.mark.capability("BB-23")
def test_wrong_stored_settings_are_found_and_put_right() -> None:
    world = make_world()
    wrong = ServoSettings(baud_rate=57_600, max_torque=0.5)
    servos = [WorldServo(world, "roll", stored=wrong), WorldServo(world, "tilt")]
    unit = RollTilt(servos, nominal_setup().servos, stall_torque=8.39)

    assert unit.reference() == ("roll: baud_rate", "roll: max_torque")
    assert servos[0].stored == ServoSettings()
    assert unit.reference() == ()


def test_a_servo_says_what_its_mode_does_not_offer() -> None:
    world = make_world()
    servo = WorldServo(world, "tilt")
    with pytest.raises(ServoError, match="not connected"):
        servo.read_absolute()
    servo.open()
    with pytest.raises(ServoError, match="needs torque mode"):
        servo.write_torque(0.1)
    servo.set_mode(ServoMode.TORQUE)
    with pytest.raises(ServoError, match="needs position mode"):
        servo.read_absolute()
    with pytest.raises(NameNotFoundError, match="pan"):
        WorldServo(world, "pan")
    with pytest.raises(NameNotFoundError, match="loose"):
        get_profile("loose")


@pytest.mark.capability("BB-15")
def test_two_servos_on_the_bus_are_slower_than_one_and_allow_100_hz() -> None:
    rates = []
    for servos in (1, 2):
        bus = Bus(BusCfg(), rng=np.random.default_rng(0))
        done = 0.0
        for _ in range(200):
            for _ in range(2 * servos):
                done = bus.transact(done)
        rates.append(200 / done)
    assert rates[0] == pytest.approx(2.0 * rates[1], rel=0.02)
    assert 95.0 < rates[1] < 125.0
    assert 1.0 / BusCfg().cycle(2) == pytest.approx(rates[1], rel=0.1)


@pytest.mark.capability("BB-15")
def test_a_cut_bus_answers_nobody_and_costs_the_timeout() -> None:
    bus = Bus()
    before = bus.transact(1.0)
    bus.is_cut = True
    with pytest.raises(ServoError, match="no answer within 5 ms"):
        bus.transact(before)
    assert bus.free_at == pytest.approx(before + 0.005)
    assert bus.losses == 1
