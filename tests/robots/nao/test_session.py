"""Whole calibrations in the simulated world: found errors, equal runs, replays."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from gelenk.robots.nao.automaton import AutomatonState, Phase, Verdict
from gelenk.robots.nao.cognition import CognitionCfg
from gelenk.robots.nao.errors import CASES, NaoErrors
from gelenk.robots.nao.joints import LEG, SIDES
from gelenk.robots.nao.motion.program import clip_command
from gelenk.robots.nao.parameters import values_from_errors
from gelenk.robots.nao.session import Outcome, Session, SessionCfg, rerun_calibration
from gelenk.robots.nao.truth import project_truth
from gelenk.robots.nao.world import NaoWorldCfg
from gelenk.runtime import Recorder, Recording, open_recording
from gelenk.runtime.config import layer_of, resolve
from gelenk.runtime.config_values import to_plain
from gelenk.typing import FloatArray
from testkit.nao_situations import (
    SITUATIONS,
    corner_errors,
    drill,
    fingerprint,
    short_cfg,
    short_program,
)

CFG = SessionCfg(cognition=short_cfg(), world=NaoWorldCfg(upper_camera=False))
pytestmark = pytest.mark.slow


def calibrate(
    errors: NaoErrors, cfg: SessionCfg = CFG, poses: int = 3, path: Path | None = None
) -> Outcome:
    if path is None:
        with Session(errors, short_program(poses), cfg) as session:
            return session.finish()
    metadata = {"config": to_plain(cfg.cognition)}
    with (
        Recorder(path, metadata) as recorder,
        Session(errors, short_program(poses), cfg, recorder=recorder) as session,
    ):
        return session.finish()


@dataclass
class Done:
    """A calibration of the robot of case 6, and its recording."""

    outcome: Outcome
    recording: Recording

    @property
    def state(self) -> AutomatonState:
        return self.outcome.automaton


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    path = tmp_path_factory.mktemp("nao") / "calibration.mcap"
    outcome = calibrate(CASES[6], path=path)
    with open_recording(path) as recording:
        yield Done(outcome, recording)


def values(outcome: Outcome) -> FloatArray:
    assert outcome.fit is not None
    return outcome.fit.calibration.values


@pytest.mark.capability("CA-01", "CA-86", "CA-90")
def test_one_signal_leads_to_the_errors_that_only_the_world_knows(done: Done) -> None:
    fit = done.outcome.fit
    assert fit is not None
    assert done.outcome.verdict is Verdict.CALIBRATED
    truth = values_from_errors(fit.problem, CASES[6])
    off = values(done.outcome) - truth
    is_angle = np.array([unit == "rad" for unit in fit.calibration.units])

    assert len(done.state.views) == 18
    assert np.rad2deg(np.abs(off[is_angle])).max() < 0.02
    assert np.abs(off[~is_angle]).max() < 0.1e-3
    assert (np.abs(off) < 4.0 * fit.calibration.sigma).all()


@pytest.mark.capability("CA-25")
def test_views_hold_what_joints_and_camera_said_at_that_time(done: Done) -> None:
    times, angles = done.recording.arrays("joint_data", "angles")
    for view in done.state.views:
        assert view.corners.shape == (24, 2)
        near = np.abs(times - view.time) < 0.05
        measured = angles[near].mean(axis=0)
        used = [0, 1, *range(LEG["left"].start, 22)]
        assert np.abs(view.angles - measured)[used].max() < math.radians(0.02)
        seen = project_truth(CASES[6], view.angles, view.side).pixels
        assert np.abs(view.corners - seen).max() < 0.2


def test_corners_are_seen_where_they_are_to_some_hundredths_of_a_pixel(
    done: Done,
) -> None:
    errors = corner_errors(CASES[6], done.state.views).reshape(-1, 2)

    assert len(errors) == 24 * 18
    assert errors.std(axis=0).max() < 0.035
    assert np.abs(errors.mean(axis=0)).max() < 0.02


@pytest.mark.capability("CA-57")
def test_every_image_that_is_searched_was_taken_for_its_view(done: Done) -> None:
    boards = [m.value for m in done.recording.messages("chessboard")]
    assert len(boards) == done.outcome.searches
    trace = done.state.trace
    spans = [
        (a[0], b[0]) for a, b in itertools.pairwise(trace) if a[1] == Phase.DETECT.value
    ]
    for board in boards:
        assert any(begin - 1e-6 <= board["time"] <= end + 0.02 for begin, end in spans)
    assert len(boards) <= 1.3 * len(done.state.views)


@pytest.mark.capability("CA-97")
def test_joints_stay_within_their_limits_and_move_without_jumps(done: Done) -> None:
    _, wanted = done.recording.arrays("joint_request", "angles")
    driven = np.where(wanted < 900.0, wanted, np.nan)
    used = driven[:, LEG["left"].start :]

    assert np.nanmax(np.abs(np.rad2deg(np.diff(used, axis=0)))) < 0.01 * 90.0 + 0.01
    body = np.nan_to_num(driven, nan=0.0)
    clipped = np.array([clip_command(row) for row in body[::7]])
    np.testing.assert_allclose(clipped[:, 10:], body[::7, 10:], atol=1e-9)


def test_the_result_is_told_to_the_robot_and_stays(done: Done) -> None:
    last = list(done.recording.messages("calibrator_output"))[-1].value
    fit = done.outcome.fit
    assert fit is not None
    offsets = np.array(last["joint_offsets"])
    for side in SIDES:
        wanted = getattr(CASES[6], side)
        np.testing.assert_allclose(offsets[LEG[side]], wanted, atol=4e-4)


@pytest.mark.capability("CA-06", "CA-74", "CA-83", "CA-84")
def test_a_replay_with_the_recorded_settings_finds_the_same_boards_and_parameters(
    done: Done, tmp_path: Path
) -> None:
    """No world, no images drawn: the recording holds all that is needed."""
    path = tmp_path / "again.mcap"
    plain = json.loads(json.dumps(done.recording.metadata["config"]))
    cfg = resolve(CognitionCfg, [layer_of("recording", plain)]).config
    with Recorder(path) as recorder:
        leading = rerun_calibration(done.recording, cfg, recorder=recorder)

    assert cfg == CFG.cognition

    assert leading.fit is not None
    assert leading.automaton.trace == done.state.trace
    assert leading.fit.calibration.values.tobytes() == values(done.outcome).tobytes()
    for one, two in zip(leading.automaton.views, done.state.views, strict=True):
        assert one.corners.tobytes() == two.corners.tobytes()
        assert one.angles.tobytes() == two.angles.tobytes()
    with open_recording(path) as again:
        before, after = (
            [m.data for m in recording.raw() if m.topic == "chessboard"]
            for recording in (done.recording, again)
        )
    assert after == before


@pytest.mark.capability("CA-05", "CA-06")
def test_robots_in_parallel_come_to_what_they_come_to_alone() -> None:
    seeds = range(2)
    alone = [fingerprint(seed) for seed in seeds]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        together = list(pool.map(fingerprint, seeds))

    assert together == alone
    assert len({corners for _, corners, _ in alone}) == 2


# One of each kind; the automaton's tests have them all, `python -m benchmarks nao` drills all.
END_TO_END = (
    "one board",
    "no images",
    "leg locked",
    "motor hot",
    "time-out",
    "motion killed",
)


@pytest.mark.parametrize("name", END_TO_END)
def test_what_goes_wrong_is_named_and_the_robot_safe(name: str) -> None:
    situation = SITUATIONS[name]
    drilled = drill(situation)

    assert drilled.outcome.verdict is situation.verdict
    assert drilled.is_off == situation.is_off
    assert drilled.is_safe
    assert drilled.is_untouched
    assert drilled.outcome.automaton.reason
