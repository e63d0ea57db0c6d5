"""From the bumper to the field: whole calibrations in the world, applied and checked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gelenk.robots.nao.automaton import Verdict
from gelenk.robots.nao.checks.field_check import check_field
from gelenk.robots.nao.checks.validation import check_standing
from gelenk.robots.nao.cognition import CognitionCfg
from gelenk.robots.nao.compensation import Compensation, compensation_from_values
from gelenk.robots.nao.errors import CASES, NaoErrors, draw_errors
from gelenk.robots.nao.fit import FitCfg
from gelenk.robots.nao.joints import LEG
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.motion.text import make_program
from gelenk.robots.nao.parameters import nao_problem, values_from_errors
from gelenk.robots.nao.poses.choice import pose_motions
from gelenk.robots.nao.session import Outcome, Session, SessionCfg
from gelenk.robots.nao.store import make_record, read_record, write_record
from testkit.nao_robots import given_bodies


def program(count: int) -> MotionProgram:
    """Return motions that visit some of the given poses."""
    rows = np.linspace(0, 23, count).astype(int)
    return make_program(pose_motions(given_bodies()[rows, 0][:, LEG["left"]]))


def run(
    errors: NaoErrors,
    poses: int,
    cfg: SessionCfg,
    compensation: Compensation | None = None,
) -> Outcome:
    with Session(errors, program(poses), cfg, compensation=compensation) as session:
        return session.finish()


@pytest.mark.slow
@pytest.mark.capability("CA-76")
def test_a_second_calibration_in_the_world_finds_no_more_offsets() -> None:
    """With the compensation at work only what it cannot or must not mend is left."""
    errors, problem = CASES[6], nao_problem()
    truth = dict(zip(problem.names, values_from_errors(problem, errors), strict=True))
    exact = CognitionCfg(fit=FitCfg(encoder_step=0.0, model="published"))
    known = compensation_from_values({k: float(v) for k, v in truth.items()})
    outcome = run(errors, 4, SessionCfg(cognition=exact), known)
    assert outcome.automaton.verdict is Verdict.CALIBRATED
    assert outcome.fit is not None
    found = outcome.fit.calibration
    for name, value in zip(found.names, found.values, strict=True):
        left = truth[name]  # boards and camera: not corrected in the joints
        if name == "RightHipYawPitch":
            left = errors.right[0] - errors.left[0]
        elif name.startswith(("Left", "Right")) and not name.endswith(
            ("RotationZ", "TranslationX", "TranslationY")
        ):
            left = 0.0
        assert value == pytest.approx(left, abs=np.deg2rad(0.02)), name


@pytest.mark.slow
@pytest.mark.capability("CA-75")
@pytest.mark.capability("CA-78")
@pytest.mark.capability("CA-79")
@pytest.mark.capability("CA-80")
def test_a_robot_with_systematic_errors_calibrates_itself_and_finds_the_spot(
    tmp_path: Path,
) -> None:
    """Rendered boards, steps of encoders, sag, play; then kept, read, stood up."""
    errors = draw_errors(np.random.default_rng(11), level=3)
    cfg = SessionCfg(level=3, seed=1)
    outcome = run(errors, 5, cfg)
    assert outcome.automaton.verdict is Verdict.CALIBRATED, outcome.automaton.reason
    assert outcome.fit is not None
    assert outcome.fit.model == "extended"
    record = make_record(
        outcome.fit,
        outcome.automaton.views,
        robot="nao",
        date="2014-04-03",
        config=cfg.cognition,
    )
    write_record(record, tmp_path / "nao.json")
    known = read_record(tmp_path / "nao.json").compensation()
    before, after = check_field(errors), check_field(errors, known)
    assert after.distance_error < 0.05  # [m] at 3 m
    assert after.distance_error < 0.3 * before.distance_error
    assert after.seen_offset < 1.5  # [px], in the image
    assert check_standing(errors, known).is_good
