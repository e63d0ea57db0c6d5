"""Tests of motion control on the simulated drive. Oracle: the world's truth."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from experiments.piggy.drive_bench import (
    DriveBench,
    bench_setup,
    settling,
    swing,
)
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.piggy.config import HOME, VALID_ANGLE
from gelenk.robots.piggy.control import MotionMode, motion_cfg
from gelenk.robots.piggy.control.state import MotionCfg
from gelenk.robots.piggy.hardware.world_servo import WorldServo
from gelenk.robots.piggy.kinematics import forward
from gelenk.sim import Fault


@pytest.fixture
def bench() -> DriveBench:
    bench = DriveBench()
    bench.start(0.2)
    return bench


@pytest.mark.slow
@pytest.mark.capability("BB-25", "BB-90")
def test_far_poses_are_reached_in_time_and_exactly() -> None:
    bench = DriveBench()
    bench.start()
    for pose in ((45.0, 0.0), (0.0, -45.0), (-45.0, 45.0), (15.0, 30.0)):
        bench.control.reach((0.0, 0.0))
        bench.run(1.0)
        bench.control.reach(np.deg2rad(pose))
        run = bench.run(1.4)
        assert settling(run.encoder, 2.0) <= 0.34
        assert settling(run.encoder, 0.5) <= 0.7
        assert np.abs(run.encoder[-50:].mean(axis=0) - pose).max() < 0.4
        assert swing(run.motor, tail=30) < 0.5


@pytest.mark.capability("BB-38")
def test_home_leans_back_by_30_degrees(bench: DriveBench) -> None:
    bench.control.home()
    bench.run(1.4)

    assert bench.control.cfg.home == HOME == (0.0, math.radians(30.0))
    assert_allclose(np.rad2deg(bench.motor), [0.0, 30.0], atol=1.0)
    assert forward(bench.bat)[1] < -0.6  # behind the roll axis


@pytest.mark.slow
@pytest.mark.capability("BB-27")
def test_gravity_compensation_takes_away_most_of_the_error() -> None:
    errors = {}
    for is_on in (True, False):
        bench = DriveBench(
            change=lambda c, on=is_on: replace(c, gravity_compensation=on)
        )
        bench.start(0.2)
        bench.control.reach(np.deg2rad([30.0, -30.0]))
        run = bench.run(1.5)
        errors[is_on] = np.abs(run.encoder[-20:].mean(axis=0) - [30.0, -30.0])
    assert (errors[False] > 3.0 * errors[True]).all()
    assert errors[True].max() < 0.4


@pytest.mark.capability("BB-29")
def test_46_degrees_directly_take_less_than_0_4_s() -> None:
    bench = DriveBench(q=np.deg2rad([0.0, -16.0]))
    bench.start(0.3)
    bench.control.reach(np.deg2rad([0.0, 30.0]))

    assert settling(bench.run(1.2).encoder[:, 1], 2.0) < 0.4


@pytest.mark.capability("BB-35")
def test_modes_change_on_the_fly_without_a_jump_of_the_setpoint_in_motion() -> None:
    bench = DriveBench("tight")
    bench.start(0.2)
    control = bench.control
    hit = bench.world.time + 0.5
    control.strike(np.deg2rad([20.0, 20.0]), np.deg2rad([0.0, 40.0]), hit)
    first = bench.run(0.25)
    control.strike(np.deg2rad([18.0, 22.0]), np.deg2rad([0.0, 40.0]), hit + 0.02)
    second = bench.run(0.27)
    control.reach(np.deg2rad([0.0, 10.0]))
    third = bench.run(0.5)

    way = np.concatenate([first.setpoint, second.setpoint])
    assert np.abs(np.diff(way, axis=0)).max() < 2.2  # 180 deg/s, some rounding
    moved = np.concatenate([first.motor, second.motor, third.motor])
    assert np.abs(np.diff(moved, axis=0)).max() < 6.0
    assert control.mode is MotionMode.DIRECT
    assert_allclose(np.rad2deg(bench.motor), [0.0, 10.0], atol=1.0)


@pytest.mark.capability("BB-34", "BB-30")
@pytest.mark.parametrize("is_renewed", [False, True])
def test_a_stroke_passes_its_target_in_time_with_its_speed(is_renewed: bool) -> None:
    """Renewed in every cycle, as a tracker does, it is the same stroke."""
    bench = DriveBench("tight", q=HOME)
    bench.start(0.3)
    q, qd = np.deg2rad([10.0, -10.0]), np.deg2rad([20.0, -60.0])
    hit = bench.world.time + 0.6
    assert bench.control.strike(q, qd, hit) == pytest.approx(hit)

    def renew(_: float) -> None:
        if is_renewed:
            bench.control.strike(q, qd, hit)

    bench.run(0.6, renew)

    assert np.linalg.norm(forward(bench.bat) - forward(q)) < 0.009
    speed = bench.world.joint_velocities("piggy")
    assert_allclose(np.rad2deg(speed), np.rad2deg(qd), atol=12.0)
    bench.run(0.5)
    assert np.abs(bench.world.joint_velocities("piggy")).max() < 0.2  # it brakes


def test_a_stroke_that_cannot_be_in_time_says_when_it_will_be(
    bench: DriveBench,
) -> None:
    hit = bench.world.time + 0.05

    assert bench.control.strike(np.deg2rad([40.0, 0.0]), (0.0, 0.0), hit) > hit + 0.1


@pytest.mark.capability("BB-36")
def test_targets_outside_of_the_workspace_are_cut(bench: DriveBench) -> None:
    inside = bench.control.reach(np.deg2rad([20.0, 10.0]))
    outside = bench.control.reach(np.deg2rad([20.0, 120.0]))

    assert_allclose(np.rad2deg(inside), [20.0, 10.0])
    assert np.abs(outside).max() <= VALID_ANGLE + 1e-12
    assert outside[1] > math.radians(60.0)


def test_a_place_is_a_target_too(bench: DriveBench) -> None:
    q = np.deg2rad([15.0, -25.0])

    assert_allclose(bench.control.reach(forward(q)), q, atol=1e-9)
    with pytest.raises(ConfigError, match="roll and tilt"):
        bench.control.reach([0.1, 0.2, 0.3, 0.4])
    with pytest.raises(ConfigError, match="above the roll axis"):
        bench.control.reach([0.0, 0.0, 0.2])


@pytest.mark.capability("BB-16")
def test_when_commands_stop_the_bat_brakes_and_holds(bench: DriveBench) -> None:
    control = bench.control
    control.reach(np.deg2rad([20.0, 20.0]))
    for _ in range(80):  # nobody says anything any more
        control.step(bench.world.time)
        bench.world.step(10)

    assert control.mode is MotionMode.SAFE
    assert control.state.reason.startswith("no command for 0.5")
    assert np.abs(bench.world.joint_velocities("piggy")).max() < 0.3
    control.home()
    assert control.mode is MotionMode.PATTERN


@pytest.mark.capability("BB-94")
def test_a_cut_bus_is_a_fault_with_a_reason_until_started_again(
    bench: DriveBench,
) -> None:
    servo = bench.unit.servos[0]
    assert isinstance(servo, WorldServo)
    bus = servo.bus
    bus.is_cut = True
    torque = bench.control.step(bench.world.time)

    assert bench.control.mode is MotionMode.FAULT
    assert "no answer" in bench.control.state.reason
    assert not torque.any()
    bench.control.reach((0.1, 0.1))
    assert bench.control.mode is MotionMode.FAULT
    bus.is_cut = False
    bench.control.start(bench.world.time)
    assert bench.control.mode is MotionMode.STOP


@pytest.mark.capability("BB-94")
def test_heat_and_low_voltage_are_faults() -> None:
    alarms = {
        "too hot": lambda cfg: replace(cfg, hottest=290.0),
        "voltage": lambda cfg: replace(cfg, lowest_voltage=20.0),
    }
    for word, change in alarms.items():
        bench = DriveBench(change=change)
        bench.world.run(0.1)
        bench.control.start(bench.world.time)
        bench.control.step(bench.world.time)
        assert bench.control.mode is MotionMode.FAULT
        assert word in bench.control.state.reason


@pytest.mark.capability("BB-94")
def test_a_stuck_servo_is_noticed() -> None:
    locked = Fault(target="piggy/tilt", kind="joint_locked", start=0.3)
    bench = DriveBench(extras=(locked,))
    bench.start(0.3)
    bench.control.reach(np.deg2rad([0.0, 30.0]))
    bench.run(1.0)

    assert bench.control.mode is MotionMode.FAULT
    assert bench.control.state.reason == "tilt does not follow: stuck?"


@pytest.mark.capability("BB-37")
def test_the_log_has_every_quantity_of_every_cycle(
    bench: DriveBench, tmp_path: Path
) -> None:
    bench.control.log.clear()
    bench.control.reach(np.deg2rad([5.0, 5.0]))
    run = bench.run(0.3)
    bench.control.log.write(tmp_path / "log.npz")

    with np.load(tmp_path / "log.npz") as kept:
        assert_allclose(np.diff(kept["time"]), 0.01, atol=1e-9)
        assert_allclose(np.rad2deg(kept["q"]), run.encoder)
        assert_allclose(kept["tau"], run.torque)
        assert_allclose(kept["error"], kept["q_set"] - kept["q"])
        assert set(kept["mode"]) == {"direct"}
        assert {"qd", "qdd", "derivative", "gravity", "q_bat", "bat"} <= set(kept)


def test_control_that_was_not_started_moves_nothing() -> None:
    bench = DriveBench()
    assert not bench.control.step(0.0).any()
    bench.control.reach((0.2, 0.2))
    assert bench.control.mode is MotionMode.OFF
    with pytest.raises(ConfigError, match="not been stepped"):
        _ = bench.control.state


def test_settings_that_make_no_sense_are_refused() -> None:
    cfg = motion_cfg("thesis", bench_setup())
    with pytest.raises(ConfigError, match="command_timeout"):
        replace(cfg, command_timeout=0.0)
    with pytest.raises(ConfigError, match="'ignore' or 'estimate'"):
        replace(cfg, play="guess")
    with pytest.raises(NameNotFoundError, match="loose"):
        motion_cfg("loose", bench_setup())
    assert isinstance(cfg, MotionCfg)
