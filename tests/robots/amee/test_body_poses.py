"""Park pose, falls, obstacles under a swinging foot, floods of events."""

from __future__ import annotations

import math

import numpy as np
import pytest

from amee_bench import flat, make_bench
from amee_body import exact_world, motor_state, set_all
from gelenk.robots.amee.config import PARK_ANGLES
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.session import Session, WalkCfg
from gelenk.robots.amee.timing import LOOP_PASS, McuTiming
from gelenk.robots.amee.wire import Command, Report
from gelenk.sim.motors.bank import TORQUE


def blow(start: str, height: float) -> tuple[float, float]:
    """Torque on the worst gear [N m] and how far it turns [rad], fallen by 0.15 m."""
    world = exact_world(start=start, torso=(0.0, 0.0, height + 0.15))
    begin = world.world.joint_positions("amee").copy()
    torque = turned = 0.0
    for _ in range(140):
        set_all(world, Bridge.HOLD)
        world.step_to(world.time + world.cfg.step)
        torque = max(torque, float(np.abs(motor_state(world, TORQUE)).max()))
        q = world.world.joint_positions("amee")
        turned = max(turned, float(np.abs(q - begin).max()))
    assert world.truth.look().points.size  # it has hit the ground
    return torque, turned


@pytest.mark.slow
@pytest.mark.capability("QW-07")
def test_a_parked_robot_falls_on_its_links_not_on_its_gears() -> None:
    torque, turned = blow("parked", 0.075)
    stretched_torque, stretched_turned = blow("standing", 0.63)
    assert torque < 0.7 * stretched_torque
    assert turned < 0.5 * stretched_turned


@pytest.mark.capability("QW-07")
def test_the_park_pose_is_reached_on_command() -> None:
    bench = make_bench()
    bench.command(Command.MOVE_ANGLE, *PARK_ANGLES)
    assert [m.report for m in bench.run_until(Report.READY)] == [Report.READY]
    assert bench.q == pytest.approx(PARK_ANGLES, abs=0.02)


@pytest.mark.slow
@pytest.mark.capability("QW-123")
def test_a_robot_that_is_pushed_over_folds_its_legs() -> None:
    session = Session(WalkCfg(seed=1))
    try:
        while session.world.time < 0.3:
            session.tick()
        before = session.world.world.joint_positions("amee")[[2, 6, 10, 14]].copy()
        session.world.world.apply_wrench("amee/torso", (0.0, 170.0, 0.0, 0.0, 0.0, 0.0))
        while session.coordinator.state != "fallen" and session.world.time < 3.0:
            session.tick()
            if session.world.truth.look().tilt > math.radians(15.0):
                session.world.world.apply_wrench("amee/torso", np.zeros(6))
        ordered = session.world.time
        assert session.coordinator.state == "fallen"
        moment = session.world.truth.look()
        assert moment.tilt < math.radians(45.0)  # before it is down
        assert not moment.lies
        while session.world.time < ordered + 1.2:
            session.tick()
        knees = session.world.world.joint_positions("amee")[[2, 6, 10, 14]]
        assert (knees - before > 0.4).all()  # on their way to 3 rad, all of them
        assert "fold" in "".join(e.text for e in session.desk.journal.entries)
    finally:
        session.close()


@pytest.mark.capability("QW-106")
def test_a_careful_step_draws_the_thigh_back_and_clears_what_a_low_one_hits() -> None:
    paths = {}
    for high in (0.0, 1.0):
        bench = make_bench(ground=flat)
        bench.command(Command.MOVE_POINT, -0.10, -0.62, 0.0)
        bench.run_until(Report.READY)
        bench.command(Command.SAVE_WALK, high)
        bench.run_until(Report.READY, 1.0)
        bench.command(Command.DO_STEP, 0.10, -0.63, 0.0, -0.05, -0.63, 0.0)
        path = []
        while not any(m.report == Report.SYNC for _, m in bench.messages):
            bench.step()
            path.append((*bench.foot()[:2], bench.q[1]))
            assert bench.now < 30.0
        paths[high] = np.array(path)
    low, careful = paths[0.0], paths[1.0]

    def over(path: np.ndarray) -> float:
        """Least height of the sole above ground over an obstacle under the hip."""
        beneath = np.abs(path[:, 0]) < 0.05
        return float((path[beneath, 1] + 0.63).min())

    assert over(low) < 0.15 < over(careful)  # a block of 15 cm
    assert careful[:, 2].min() < low[:, 2].min() - 0.2  # thigh back, towards the torso


@pytest.mark.capability("QW-21")
def test_a_cable_that_flickers_leaves_the_time_of_a_pass_unchanged() -> None:
    rng = np.random.default_rng(2)
    timing = McuTiming()
    times = {}
    for flickers in (False, True):
        bench = make_bench(ground=flat)
        durations = []
        for _ in range(400):
            if flickers:  # whatever happens between two passes, one state is seen
                bench.toes_forced = int(rng.integers(16))
            bench.step()
            durations.append(timing.duration(bench.computer.work))
        times[flickers] = durations
    assert times[True] == times[False]
    assert max(times[True]) < LOOP_PASS
