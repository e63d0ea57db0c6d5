"""Tests of the ideal servos. Oracles: conservation of energy, the printed inertias."""

from __future__ import annotations

import math

import numpy as np
import pytest

from experiments.piggy.drive_bench import bench_setup
from gelenk.robots.piggy.control import MotionControl, motion_cfg
from gelenk.robots.piggy.drives import get_profile
from gelenk.robots.piggy.hardware import RollTilt, ServoMode
from testkit.ideal_servos import IdealUnit, RigidBat, built_bat

PRINTED = RigidBat(mass=0.335, moment=0.237, inertia=0.191)


def test_a_free_bat_keeps_its_energy() -> None:
    unit = IdealUnit((0.3, 0.4), stall_torque=8.39)
    for servo in unit.servos:
        servo.open()
        servo.set_mode(ServoMode.TORQUE)
    before = unit.bat.energy(unit.q, unit.qd)

    unit.advance(0.35)

    assert np.abs(unit.qd).max() > 1.0
    assert unit.bat.energy(unit.q, unit.qd) == pytest.approx(before, rel=1e-9)


def test_the_roll_inertia_falls_towards_the_edges_as_printed() -> None:
    for tilt, inertia in ((0.0, 0.2206), (45.0, 0.1169), (80.0, 0.0119)):
        assert PRINTED.roll_inertia(math.radians(tilt)) == pytest.approx(
            inertia, abs=1e-4
        )
    assert built_bat().roll_inertia(0.0) > PRINTED.roll_inertia(0.0)


@pytest.mark.capability("BB-22")
def test_the_same_control_moves_ideal_servos() -> None:
    unit = IdealUnit((0.1, -0.1), stall_torque=8.39)
    setup = bench_setup()
    control = MotionControl(
        RollTilt(
            unit.servos,
            setup.servos,
            stall_torque=get_profile("thesis").sheet.stall_torque,
        ),
        motion_cfg("thesis", setup),
    )
    control.start(unit.time)
    target = np.deg2rad([25.0, -20.0])
    control.reach(target)
    for _ in range(120):
        control.keep_alive()
        control.step(unit.time)
        unit.advance(0.01)

    assert np.rad2deg(np.abs(unit.q - target)).max() < 1.0
