"""AMEE's drives in the world against their data sheet.

Oracles: the printed figures (21 rpm, 22 N m, 12 A at 12 V), ratios of the gears, lever
arms, and the exponential law of one warm body.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from amee_body import exact_world, motor_state, set_all, set_one, speed_of
from gelenk.errors import NameNotFoundError
from gelenk.robots.amee.drives import DriveCfg
from gelenk.robots.amee.faults import BodyFault
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.world import AmeeWorld
from gelenk.sim.appearance import compiled_world_of
from gelenk.sim.motors.bank import CURRENT, IS_HOT, TEMPERATURE, TORQUE

YAW, HIP, KNEE, ANKLE = range(4)
STRAIGHT_DOWN = (0.0, -math.pi / 2, 0.0, math.pi / 2) * 4
STRAIGHT_AHEAD = (0.0, 0.0, 0.0, math.pi) * 4
RATIO = 400.0 / 210.0


def blocked(actor: int, profile: str = "thesis", **changes) -> AmeeWorld:
    fault = BodyFault(kind="joint_locked", leg=0, part=actor)
    return exact_world(profile, start="hung", faults=(fault,), **changes)


@pytest.mark.capability("QW-08")
@pytest.mark.capability("QW-119")
@pytest.mark.parametrize(("profile", "ratio"), [("thesis", 1.0), ("geared", RATIO)])
def test_a_free_joint_turns_with_the_speed_without_load(
    profile: str, ratio: float
) -> None:
    world = exact_world(profile, start="hung", angles=(-1.5, -1.57, 0.0, 1.57) * 4)
    set_one(world, 0, YAW, Bridge.LEFT, 255)
    world.step_to(1.0)
    assert speed_of(world, 0) * 60 / (2 * math.pi) == pytest.approx(
        21 / ratio, rel=1e-3
    )


@pytest.mark.capability("QW-08")
@pytest.mark.capability("QW-119")
@pytest.mark.parametrize(("profile", "ratio"), [("thesis", 1.0), ("geared", RATIO)])
def test_a_blocked_joint_gives_the_stall_torque_at_12_amperes(
    profile: str, ratio: float
) -> None:
    world = blocked(KNEE, profile)
    set_one(world, 0, KNEE, Bridge.RIGHT, 255)
    world.step_to(0.01)
    assert motor_state(world, TORQUE)[KNEE] == pytest.approx(-22.0 * ratio)
    assert abs(motor_state(world, CURRENT)[KNEE]) == pytest.approx(12.0)


@pytest.mark.capability("QW-13")
def test_bridge_codes_stop_turn_left_turn_right_and_hold() -> None:
    ways = {}
    for code in Bridge:
        world = exact_world(start="hung", angles=STRAIGHT_DOWN)
        set_one(world, 0, YAW, code, 200)
        world.step_to(0.3)
        ways[code] = speed_of(world, 0)
    assert ways[Bridge.LEFT] > 1.0
    assert ways[Bridge.RIGHT] < -1.0
    assert_allclose([ways[Bridge.STOP], ways[Bridge.HOLD]], 0.0, atol=1e-6)


@pytest.mark.capability("QW-14")
def test_torque_grows_with_the_pulse_width() -> None:
    world = blocked(KNEE)
    torques = []
    for speed in (60, 100, 150, 200, 255):
        set_one(world, 0, KNEE, Bridge.LEFT, speed)
        world.step_to(world.time + 0.004)
        torques.append(motor_state(world, TORQUE)[KNEE])
    assert_allclose(torques, 22.0 * np.array([60, 100, 150, 200, 255]) / 255, rtol=1e-9)


def test_below_its_dead_point_a_drive_stays() -> None:
    world = exact_world(start="hung", angles=STRAIGHT_DOWN)
    set_one(world, 0, YAW, Bridge.LEFT, 48)  # 0.19 of the voltage
    world.step_to(0.3)
    assert abs(speed_of(world, 0)) < 1e-5
    set_one(world, 0, YAW, Bridge.LEFT, 54)  # 0.21
    world.step_to(0.8)
    assert speed_of(world, 0) > 0.3  # and is fairly fast at once


@pytest.mark.capability("QW-09")
@pytest.mark.capability("QW-119")
@pytest.mark.parametrize(
    ("profile", "code", "sinks"),
    [
        ("thesis", Bridge.STOP, True),
        ("thesis", Bridge.HOLD, False),
        ("geared", Bridge.STOP, False),
    ],
)
def test_a_stretched_leg_runs_back_unless_held_or_geared_lower(
    profile: str, code: Bridge, sinks: bool
) -> None:
    world = exact_world(profile, start="hung", angles=STRAIGHT_AHEAD)
    before = world.world.pose("amee/sole_1")[2, 3]
    set_all(world, code)
    world.step_to(1.0)
    sunk = before - world.world.pose("amee/sole_1")[2, 3]
    assert sunk > 0.1 if sinks else abs(sunk) < 1e-4


@pytest.mark.capability("QW-10")
def test_worn_gears_let_the_foot_move_55_mm_either_way() -> None:
    # Levers 0.665, 0.385 and 0.1125 m times 2.7 deg make 55 mm; the knee is bent a
    # little, or its stop would take one side of its play.
    places = []
    for push in (-10.0, 10.0):
        drive = DriveCfg(worn=True, spread=0.0)
        world = exact_world(
            drive=drive, start="hung", angles=(0.0, -1.67, 0.2, 1.67) * 4
        )
        set_all(world, Bridge.HOLD)
        plant = compiled_world_of(world.world)
        foot = plant.model.body("amee/foot_1").id
        plant.data.xfrc_applied[foot, 0] = push
        world.step_to(1.0)
        places.append(world.world.pose("amee/sole_1")[0, 3])
    # teeth bend, so it is a little more
    assert (places[1] - places[0]) / 2 == pytest.approx(0.055, abs=0.006)


@pytest.mark.capability("QW-11")
def test_drives_of_one_kind_turn_at_speeds_within_five_percent() -> None:
    drive = DriveCfg()
    world = exact_world(
        drive=drive, start="hung", angles=(-1.5, -1.57, 0.0, 1.57) * 4, seed=5
    )
    set_all(world, Bridge.HOLD)
    for leg in world.legs:
        codes = np.array([Bridge.LEFT, *[Bridge.HOLD] * 3])
        leg.set_motors(codes, np.full(4, 255))
    world.step_to(1.0)
    shares = np.array([speed_of(world, 4 * k) for k in range(4)]) / 2.199
    assert np.ptp(shares) > 0.01
    assert np.abs(shares - 1.0).max() < 0.0501


@pytest.mark.capability("QW-12")
def test_a_blocked_drive_warms_and_cuts_out_silently() -> None:
    # One body, heat P = 144 W in, resistance R, time constant 300 s: with a tenth of P
    # it would end at 80 degC, so R P = 10 (80 - 25) K; 150 K are reached at
    # -300 s ln(1 - 150 / 550) = 95.5 s.
    world = blocked(KNEE, step=0.01)
    set_one(world, 0, KNEE, Bridge.LEFT, 255)
    world.step_to(30.0)
    warm = 298.15 + 550.0 * (1.0 - math.exp(-30.0 / 300.0))
    assert motor_state(world, TEMPERATURE)[KNEE] == pytest.approx(warm, abs=0.05)
    assert motor_state(world, TORQUE)[KNEE] == pytest.approx(22.0)
    world.step_to(95.3)
    assert motor_state(world, IS_HOT)[KNEE] == 0.0
    world.step_to(95.8)
    assert motor_state(world, IS_HOT)[KNEE] == 1.0
    assert motor_state(world, TORQUE)[KNEE] == 0.0
    assert world.legs[0].read_adc()[-1, 4 + KNEE] == 0  # all that the leg can see


def test_an_unknown_profile_is_answered_with_the_known_ones() -> None:
    with pytest.raises(NameNotFoundError, match="thesis"):
        DriveCfg(profile="tesis")
