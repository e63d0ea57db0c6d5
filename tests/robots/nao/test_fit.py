"""The fit and its judgement: what is believed, and what is refused with a reason.

Views are what `truth` says a robot sees, which shares no code with the calibration.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gelenk.calibration.calibration import CalibrationCfg
from gelenk.robots.nao.automaton import BoardView, Verdict
from gelenk.robots.nao.detection import expected_board
from gelenk.robots.nao.errors import CASES, NaoErrors
from gelenk.robots.nao.fit import FitCfg, fit_views
from gelenk.robots.nao.joints import SIDES, mirror
from gelenk.robots.nao.parameters import nao_problem, values_from_errors
from gelenk.robots.nao.poses.body import body_pose, looking_poses
from gelenk.robots.nao.robot_with_errors import nominal_model
from gelenk.robots.nao.truth import project_truth
from gelenk.typing import FloatArray
from gelenk.vision.chessboard import region_of_interest
from testkit.nao_situations import POSES

CFG = FitCfg(model="published", encoder_step=0.0)


def bodies() -> FloatArray:
    """Return bodies that look at their left board, shape (3, 3, 22)."""
    legs = body_pose(np.deg2rad(POSES), "left")
    looking, _ = looking_poses(nominal_model(), legs, "left")
    return looking


def views_of(errors: NaoErrors, seed: int = 0) -> list[BoardView]:
    """Return all views of three poses per leg, with 0.02 px of noise."""
    rng = np.random.default_rng(seed)
    views = []
    for side in SIDES:
        looking = bodies() if side == "left" else mirror(bodies())
        for pose, gazes in enumerate(looking):
            for gaze, q in enumerate(gazes):
                seen = project_truth(errors, q, side).pixels
                views.append(
                    BoardView(
                        side=side,
                        pose=pose,
                        gaze=gaze,
                        time=float(len(views)),
                        angles=q,
                        corners=seen + rng.normal(0.0, 0.02, seen.shape),
                    )
                )
    return views


def shifted_hip(degrees: float) -> NaoErrors:
    hip = float(np.deg2rad(degrees))
    return replace(CASES[6], left=(0.0, hip, 0.0, 0.0, 0.0, 0.0))


@pytest.mark.capability("CA-08")
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(5, marks=pytest.mark.capability("CA-89")),
        6,
        pytest.param(7, marks=pytest.mark.capability("CA-91")),
    ],
)
def test_the_errors_of_a_robot_are_found_and_believed(case: int) -> None:
    fit = fit_views(views_of(CASES[case]), CFG)
    off = fit.calibration.values - values_from_errors(fit.problem, CASES[case])

    assert fit.answer.verdict is Verdict.CALIBRATED
    assert (np.abs(off) < 4.5 * fit.calibration.sigma).all()


@pytest.mark.capability("CA-09")
def test_repeated_runs_agree_as_well_as_they_say() -> None:
    runs = [fit_views(views_of(CASES[6], seed), CFG).calibration for seed in range(4)]
    spread = np.std([run.values for run in runs], axis=0, ddof=1)
    sigma = np.mean([run.sigma for run in runs], axis=0)

    assert (spread < 2.7 * sigma).all()  # chi-square of 3: one of 14 000
    assert 0.6 < np.sqrt(np.mean((spread / sigma) ** 2)) < 1.5


@pytest.mark.capability("CA-44")
@pytest.mark.parametrize("case", [5, 6, 7])
def test_the_board_of_a_wrong_robot_is_inside_of_the_predicted_region(case) -> None:
    for view in views_of(CASES[case]):
        expected = expected_board(nao_problem(), None, view.angles, view.side)
        area = region_of_interest(expected, (480, 640))
        assert area is not None
        left, top, right, bottom = area
        assert (view.corners > (left, top)).all()
        assert (view.corners < (right, bottom)).all()


def test_corners_that_a_shadow_spoilt_do_not_count() -> None:
    spoilt = np.arange(24) < 11
    views = views_of(CASES[6])
    wrong = [v.corners + np.where(spoilt, 3.0, 0.0)[:, None] for v in views]
    views = [
        replace(v, corners=corners, is_measured=~spoilt)
        for v, corners in zip(views, wrong, strict=True)
    ]
    fit = fit_views(views, CFG)
    off = fit.calibration.values - values_from_errors(fit.problem, CASES[6])

    assert fit.answer.verdict is Verdict.CALIBRATED
    assert fit.calibration.num_points == 13 * len(views)
    assert (np.abs(off) < 4.5 * fit.calibration.sigma).all()


def test_small_residuals_prove_nothing_where_readings_have_steps() -> None:
    """Errors of the readings would take up what the published model cannot explain."""
    tilted = replace(CASES[6], left_tilt=(0.03, 0.0), neck=(0.0, 0.01))
    fit = fit_views(views_of(tilted), FitCfg(unexplained=1e9))

    assert fit.model == "extended"
    assert (
        fit_views(views_of(CASES[6]), replace(CFG, model="auto")).model == "published"
    )


@pytest.mark.capability("CA-07")
def test_shuffled_corners_are_refused() -> None:
    rng = np.random.default_rng(1)
    views = [replace(v, corners=rng.permutation(v.corners)) for v in views_of(CASES[6])]
    answer = fit_views(views, CFG).answer

    assert answer.verdict in (Verdict.IMPLAUSIBLE, Verdict.NOT_CONVERGED)
    assert answer.reason


@pytest.mark.capability("CA-07")
@pytest.mark.parametrize(("degrees", "is_believed"), [(7.5, True), (9.0, False)])
def test_an_offset_that_no_robot_has_is_refused_by_name(
    degrees: float, is_believed: bool
) -> None:
    answer = fit_views(views_of(shifted_hip(degrees)), CFG).answer

    assert (answer.verdict is Verdict.CALIBRATED) == is_believed
    if not is_believed:
        assert answer.verdict is Verdict.IMPLAUSIBLE
        assert "LeftHipRoll 9.0 degrees (at most 8)" in answer.reason


def test_too_few_views_are_refused_with_their_number() -> None:
    answer = fit_views(views_of(CASES[6])[:11], CFG).answer

    assert answer.verdict is Verdict.TOO_FEW_VIEWS
    assert answer.reason == "11 views, 12 are needed"


def test_a_fit_that_does_not_settle_is_refused() -> None:
    cfg = replace(CFG, solver=CalibrationCfg(max_iterations=1))
    answer = fit_views(views_of(CASES[7]), cfg).answer

    assert answer.verdict is Verdict.NOT_CONVERGED
    assert answer.reason


@pytest.mark.capability("CA-73")
def test_a_tenth_of_the_views_may_be_missing() -> None:
    views = views_of(CASES[5])
    fit = fit_views([view for i, view in enumerate(views) if i % 10 != 3], CFG)
    off = fit.calibration.values - values_from_errors(nao_problem(), CASES[5])

    assert fit.answer.verdict is Verdict.CALIBRATED
    assert np.rad2deg(np.abs(off[:15])).max() < 0.06


@pytest.mark.capability("CA-06")
def test_equal_views_give_equal_parameters_to_the_last_bit() -> None:
    one, two = (fit_views(views_of(CASES[6]), CFG).calibration for _ in range(2))

    assert one.values.tobytes() == two.values.tobytes()
    assert one.covariance.tobytes() == two.covariance.tobytes()
