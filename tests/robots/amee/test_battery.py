"""The battery's account against volts times amperes times seconds."""

from __future__ import annotations

import numpy as np
import pytest

from amee_body import exact_world, set_all, set_one
from gelenk.errors import ConfigError
from gelenk.robots.amee.battery import COMPUTING_POWER, BatteryCfg, run_time
from gelenk.robots.amee.drives import DriveCfg
from gelenk.robots.amee.faults import BodyFault
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.world import WorldCfg, make_world

KNEE = 2
BLOCKED = tuple(BodyFault(kind="joint_locked", leg=leg, part=KNEE) for leg in range(4))


@pytest.mark.capability("QW-117")
@pytest.mark.parametrize(("speed", "share"), [(255, 1.0), (102, 0.4)])
def test_a_blocked_drive_takes_duty_times_current_from_the_battery(
    speed: int, share: float
) -> None:
    world = exact_world(start="hung", faults=BLOCKED)
    set_one(world, 0, KNEE, Bridge.LEFT, speed)
    world.step_to(0.5)
    verdict = world.truth.verdict()
    # current share * 12 A in the winding for share of the time
    assert verdict.charge == pytest.approx(0.5 * 12.0 * share**2, rel=1e-6)
    assert verdict.energy == pytest.approx(12.0 * verdict.charge, rel=1e-6)


def test_drives_that_stand_or_hold_take_nothing() -> None:
    world = exact_world()
    set_all(world, Bridge.HOLD)
    world.step_to(0.3)
    assert world.truth.verdict().energy < 1e-9


def test_the_voltage_gives_way_to_the_load() -> None:
    battery = BatteryCfg(full=12.5, empty=12.5, resistance=0.05)
    drive = DriveCfg(spread=0.0)
    cfg = WorldCfg(start="hung", faults=BLOCKED, battery=battery, drive=drive)
    world = make_world(cfg)
    for leg in world.legs:
        leg.set_motors(np.array([0, 0, Bridge.LEFT, 0]), np.array([0, 0, 255, 0]))
    world.step_to(0.1)
    # four windings of 1 Ohm behind 0.05 Ohm: V = 12.5 - 0.05 * 4 V
    assert world.voltage == pytest.approx(12.5 / 1.2, rel=1e-6)
    assert world.legs[3].read_supply() == world.voltage


@pytest.mark.capability("QW-117")
def test_sixty_minutes_of_walking_fit_into_the_battery() -> None:
    # 100 W for the legs on flat ground and 80 W for computing, 24 Ah at 12 V: 1.6 h.
    assert run_time(100.0 + COMPUTING_POWER) / 3600.0 == pytest.approx(1.62, abs=0.01)


def test_batteries_that_cannot_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="full >= empty"):
        BatteryCfg(full=11.0, empty=12.0)
    with pytest.raises(ConfigError, match="resistance"):
        BatteryCfg(resistance=-0.1)
