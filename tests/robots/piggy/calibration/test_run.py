"""The guided run: all steps in order, and nothing changes if one fails."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from experiments.piggy.calibration import (
    bat_errors,
    hidden_bat,
    hidden_bat_sights,
    hidden_corners,
    turn_error,
)
from gelenk.robots.piggy.calibration.boards import Board
from gelenk.robots.piggy.calibration.flights import Flight
from gelenk.robots.piggy.calibration.run import CalibrationCfg, calibrate_from
from gelenk.robots.piggy.calibration.servos import BatSights
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.robots.piggy.cameras import RigCfg, make_rig
from gelenk.robots.piggy.setup import nominal_setup, read_setup, write_setup
from gelenk.runtime.config import to_plain
from gelenk.spatial import se3
from gelenk.vision.sphere import camera_row, sphere_circle
from testkit.thrown_balls import FRAME, ThrowCfg, throw

RIG = make_rig(RigCfg(seed=4))
ROWS = np.stack([camera_row(c.intrinsics, se3.inverse(c.T_world_camera)) for c in RIG])
BAT = hidden_bat(np.random.default_rng(8), math.radians(3.0))


@cache
def _flights() -> tuple[Flight, ...]:
    rng = np.random.default_rng(2)
    cfg = ThrowCfg(flight_time=(0.65, 1.05), spin_sigma=3.0, drag_sigma=0.05)
    throws, flights = throw(32, rng, cfg), []
    for k in range(32):
        times = np.arange(0.06, 0.6, FRAME)
        places = np.array([throws.at(k, t)[:3] for t in times])
        circles = sphere_circle(ROWS, places, 0.0605)
        circles = circles + rng.normal(0.0, 0.1, circles.shape)
        flights.append(Flight(time=times, circles=circles))
    return tuple(flights)


class _Records:
    """Sights as a rig with noise would have made them."""

    def __init__(self, throws: int = 32, poses: int = 25, has_board: bool = True):
        self.throws, self.poses, self.has_board = throws, poses, has_board

    def boards(self, setup, board: Board, progress):
        progress("boards", 0.5)
        if not self.has_board:
            raise CalibrationError("board not seen", "board 2 of 9: no grid")
        return hidden_corners(RIG, board, np.random.default_rng(1), noise=0.02)

    def flights(self, setup, count: int, progress):
        progress("throws", 0.5)
        return _flights()[: self.throws]

    def bat(self, setup, poses, progress):
        progress("bat", 0.5)
        sights = hidden_bat_sights(RIG, BAT, np.random.default_rng(3), noise=0.1)
        return BatSights(
            readings=sights.readings[: self.poses], circles=sights.circles[: self.poses]
        )


@pytest.mark.slow
@pytest.mark.capability("BB-104")
def test_all_steps_together_find_the_hidden_robot_and_are_kept(tmp_path):
    before, told = nominal_setup(), []
    cfg = CalibrationCfg(date="2031-06-01", parts={"bat": "B7", "ball": "red"})
    run = calibrate_from(
        _Records(), before, cfg, progress=lambda words, share: told.append(share)
    )

    assert run.verdict == "calibrated"
    assert run.before is before
    assert told == sorted(told)
    assert told[-1] == 1.0
    after = run.after
    T = se3.inverse(after.left.T_world_camera) @ after.right.T_world_camera
    assert math.degrees(turn_error(T, RIG)) < 0.02
    np.testing.assert_allclose(
        after.left.T_world_camera, RIG[0].T_world_camera, atol=0.012
    )
    assert bat_errors(after, BAT).max() < 0.02
    assert bat_errors(before, BAT).max() > 0.02
    assert abs(after.gravity[0]) < 1e-2  # the base is level: nothing across
    assert len(after.prior.mean) > 5
    assert after.evidence.servos.parts == {"bat": "B7"}
    assert any("cannot be told apart" in r for r in after.evidence.servos.remarks)
    assert any("tilt servo does not show" in line for line in run.advice)

    write_setup(tmp_path / "piggy.toml", after)
    assert to_plain(read_setup(tmp_path / "piggy.toml")) == to_plain(after)


@pytest.mark.parametrize(
    ("records", "steps", "verdict", "step"),
    [
        (_Records(has_board=False), ("cameras",), "board not seen", "cameras"),
        (_Records(throws=5), ("flight",), "too few throws", "flight"),
        (_Records(poses=9), ("servos",), "too few poses", "servos"),
        (_Records(), ("prior",), "too few throws", "prior"),
    ],
)
def test_a_step_that_fails_is_named_and_changes_nothing(records, steps, verdict, step):
    before = nominal_setup()
    run = calibrate_from(records, before, CalibrationCfg(steps=steps))
    assert (run.verdict, run.failed_step) == (verdict, step)
    assert run.after is before
    assert "nothing was changed" in run.advice
    assert run.reason.startswith(step)
