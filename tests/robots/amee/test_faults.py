"""Faults of the body: each does to joints and readings what its word says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from amee_body import exact_world, motor_state, set_all, set_one
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.amee.fault_plan import read_fault
from gelenk.robots.amee.faults import (
    BodyFault,
    BodyFaultKind,
)
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.robot import standing_angles
from gelenk.robots.amee.sensors import SensorCfg
from gelenk.robots.amee.world import AmeeWorld
from gelenk.sim.motors.bank import IS_HOT, TORQUE

YAW, HIP, KNEE, ANKLE = range(4)
NOISY = SensorCfg(noise=1.0)


def driven(kind: BodyFaultKind, *, duration: float = math.inf) -> AmeeWorld:
    """Leg 1 yaws from the start; the fault strikes its yaw joint at 0.2 s."""
    fault = BodyFault(kind=kind, leg=0, part=YAW, start=0.2, duration=duration)
    angles = (-1.2, -1.57, 0.0, 1.57) * 4
    world = exact_world(start="hung", angles=angles, faults=(fault,), sensors=NOISY)
    set_one(world, 0, YAW, Bridge.LEFT, 200)
    world.step_to(0.2)
    return world


def yaw(world: AmeeWorld) -> float:
    return float(world.world.joint_positions("amee")[0])


def test_a_locked_joint_stays_where_it_is() -> None:
    world = driven("joint_locked")
    before = yaw(world)
    assert before > -1.1
    world.step_to(0.5)
    assert yaw(world) == pytest.approx(before, abs=1e-9)
    assert motor_state(world, TORQUE)[YAW] > 10.0  # the motor pulls in vain


def test_a_limp_joint_swings_like_a_pendulum() -> None:
    fault = BodyFault(kind="joint_limp", leg=0, part=HIP, start=0.1)
    world = exact_world("geared", start="hung", angles=(0.0, -1.0, 0.0, 2.14) * 4,
                        faults=(fault,))  # fmt: skip
    set_all(world, Bridge.HOLD)
    world.step_to(0.1)
    assert world.world.joint_positions("amee")[HIP] == pytest.approx(-1.0, abs=1e-3)
    lowest = 0.0
    for k in range(60):
        world.step_to(0.1 + 0.02 * k)
        lowest = min(lowest, world.world.joint_positions("amee")[HIP])
    # from 33 degrees ahead of the vertical to about as far behind it
    assert lowest < -math.pi / 2 - 0.5
    assert abs(world.world.joint_positions("amee")[4 + HIP] + 1.0) < 1e-3


def test_a_motor_without_its_wire_coasts_to_a_stop() -> None:
    world = driven("motor_wire")
    world.step_to(1.2)
    stopped = yaw(world)
    world.step_to(1.3)
    assert yaw(world) == pytest.approx(stopped, abs=1e-5)
    assert motor_state(world, TORQUE)[YAW] == 0.0
    assert world.legs[0].read_adc()[:, 4 + YAW].max() <= 1  # no current: noise alone


@pytest.mark.capability("QW-12")
def test_a_hot_drive_is_silent_until_it_has_cooled() -> None:
    world = driven("drive_hot")
    world.step_to(0.3)
    assert motor_state(world, IS_HOT)[YAW] == 1.0
    assert motor_state(world, TORQUE)[YAW] == 0.0
    assert yaw(world) < 0.0
    cooled = driven("drive_hot", duration=0.1)
    cooled.step_to(0.4)
    assert motor_state(cooled, IS_HOT)[YAW] == 0.0
    assert abs(motor_state(cooled, TORQUE)[YAW]) > 0.0


@pytest.mark.parametrize(("kind", "count"), [("sensor_wire", 0), ("magnet_lost", 1023)])
def test_a_broken_angle_sensor_reads_an_end(kind: BodyFaultKind, count: int) -> None:
    world = driven(kind, duration=0.1)
    assert 200 < world.legs[0].read_adc()[-1, YAW] < 500
    world.step_to(0.210)
    assert set(world.legs[0].read_adc()[:, YAW].tolist()) == {count}
    assert set(world.legs[0].read_adc()[:, HIP].tolist()).isdisjoint({count})
    world.step_to(0.4)  # mended
    assert 200 < world.legs[0].read_adc()[-1, YAW] < 700


def test_a_frozen_sensor_repeats_its_last_reading_without_noise() -> None:
    world = driven("sensor_frozen")
    world.step_to(0.204)
    frozen = world.legs[0].read_adc()[-1, YAW]
    world.step_to(0.6)
    assert yaw(world) > -0.9
    assert set(world.legs[0].read_adc()[:, YAW].tolist()) == {frozen}
    assert len(set(world.legs[0].read_adc()[:, HIP].tolist())) > 1


def test_a_broken_current_wire_hides_the_load() -> None:
    fault = BodyFault(kind="current_wire", leg=0, part=KNEE, start=0.02)
    locked = BodyFault(kind="joint_locked", leg=0, part=KNEE)
    world = exact_world(start="hung", faults=(locked, fault))
    set_one(world, 0, KNEE, Bridge.LEFT, 255)
    world.step_to(0.02)
    assert world.legs[0].read_adc()[-1, 4 + KNEE] > 400
    world.step_to(0.03)
    assert world.legs[0].read_adc()[-1, 4 + KNEE] == 0
    assert motor_state(world, TORQUE)[KNEE] == pytest.approx(22.0)


def test_toes_fail_open_and_fail_shut() -> None:
    dead = BodyFault(kind="toe_dead", leg=1, part=2, start=0.3)
    stuck = BodyFault(kind="toe_stuck", leg=0, part=3)
    lifted = np.tile(standing_angles(), (4, 1))
    lifted[0] = standing_angles(0.55)
    world = exact_world("geared", angles=tuple(lifted.ravel()), faults=(dead, stuck))
    set_all(world, Bridge.HOLD)
    world.step_to(0.29)
    assert world.legs[0].read_toes() == 0b1000  # in the air
    assert world.legs[1].read_toes() & 0b0100
    world.step_to(0.35)
    assert not world.legs[1].read_toes() & 0b0100


def test_a_fault_may_strike_unplanned_while_others_go_on() -> None:
    world = driven("sensor_wire")
    world.step_to(0.3)
    world.inject(BodyFault(kind="magnet_lost", leg=0, part=KNEE, start=world.time))
    world.step_to(0.31)
    assert world.legs[0].read_adc()[-1, [YAW, KNEE]].tolist() == [0, 1023]


@pytest.mark.capability("QW-104")
def test_without_power_a_standing_robot_stays_and_its_computers_know() -> None:
    gone = BodyFault(kind="power_gone", start=0.2)
    world = exact_world(faults=(gone,))
    set_all(world, Bridge.HOLD)
    world.step_to(1.2)
    assert world.legs[0].read_supply() == 0.0
    assert world.truth.look().margin > 0.2
    assert world.truth.look().T_world_torso[2, 3] > 0.62


def test_a_fault_is_written_as_kind_place_start_duration() -> None:
    fault = read_fault("joint_locked:3C@12.5+4")
    assert fault == BodyFault(
        kind="joint_locked", leg=2, part=KNEE, start=12.5, duration=4.0
    )
    assert read_fault("toe_dead:2t4@3") == BodyFault(
        kind="toe_dead", leg=1, part=3, start=3.0
    )
    sag = BodyFault(kind="supply_sag", start=20.0, amount=7.0)
    assert read_fault("supply_sag@20=7") == sag


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("joint_locked3C", "kind:leg:part@start"),
        ("joint_locked@1", "such as front-left:B"),
        ("toe_dead:1B@1", "such as 2t4"),
        ("power_gone:1A@1", "leave out where"),
        ("supply_sag@3", "needs its volts"),
    ],
)
def test_a_fault_that_cannot_be_read_is_answered_with_an_example(
    text: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        read_fault(text)


def test_an_unknown_fault_is_answered_with_the_closest() -> None:
    with pytest.raises(NameNotFoundError, match="joint_locked"):
        read_fault("joint_lockt:1A@2")
