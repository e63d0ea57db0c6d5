"""The calibrator on arms and rigs, against dense algebra, statistics and SciPy."""

import importlib.util
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import least_squares

import gelenk
from gelenk.calibration.calibration import CalibrationCfg, CalibrationStatus, calibrate
from gelenk.calibration.choice import choose_informative, choose_poses
from gelenk.calibration.effects import (
    CameraRotation,
    FocalLength,
    JointCompliance,
    JointOffset,
    LinkTranslation,
    TargetTranslation,
)
from gelenk.calibration.identifiability import explain
from gelenk.calibration.passes import ObservationSet, gravity_torques
from gelenk.calibration.prediction import (
    expected_observation,
    information,
    informations,
    jacobian,
    predict,
    residuals,
)
from gelenk.calibration.problem import (
    CalibrationCamera,
    CalibrationParameter,
    CalibrationProblem,
    Observation,
    ReadingError,
    Target,
)
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.kinematics.statics import static_torques
from gelenk.vision.camera import Intrinsics, project

LENS = Intrinsics(
    width=640, height=480, fx=500.0, fy=510.0, cx=320.0, cy=241.0,
    distortion=(-0.1, 0.02, 1e-3, -5e-4, 0.0),
)  # fmt: skip
ARM = gelenk.load("planar2r")
EXAMPLES = Path(__file__).parents[2] / "examples" / "50_calibration"
T_EYE = np.array(
    [[1.0, 0, 0, 0.8], [0, -1.0, 0, 0.3], [0, 0, -1.0, 2.0], [0, 0, 0, 1.0]]
)
MARKERS = np.array([[0.0, 0.0, 0.0], [-0.1, 0.05, 0.02], [-0.2, -0.05, -0.03]])


def make_problem(**options) -> CalibrationProblem:
    """Return a planar arm watched from above by a fixed camera."""
    effects = (
        JointOffset(ARM.joint_names[0]),
        JointOffset(ARM.joint_names[1]),
        TargetTranslation("hand", "x"),
        CameraRotation("above", "z"),
        FocalLength("above"),
    )
    settings = {
        "model": ARM,
        "cameras": (
            CalibrationCamera(
                name="above",
                link=ARM.link_names[0],
                T_link_mount=T_EYE,
                intrinsics=LENS,
            ),
        ),
        "targets": (
            Target(name="hand", link=ARM.tool or ARM.link_names[-1], points=MARKERS),
        ),
        "parameters": tuple(CalibrationParameter(effect=e) for e in effects),
    }
    return CalibrationProblem(**(settings | options))


TRUTH = np.array([0.03, -0.02, 0.01, 0.015, -0.01])


def seen(
    problem: CalibrationProblem,
    seed: int = 0,
    noise: float = 0.1,
    count: int = 12,
    steps=0.0,
) -> list[Observation]:
    rng = np.random.default_rng(seed)
    sights = []
    for group in range(count):
        q = rng.uniform(-0.8, 0.8, 2)
        wrong = steps * rng.normal(size=2)
        true = expected_observation(
            problem, "above", "hand", q + wrong, values=TRUTH, group=group
        )
        pixels = true.pixels + noise * rng.normal(size=true.pixels.shape)
        sights.append(replace(true, q=q, pixels=pixels))
    return sights


def test_a_prediction_is_forward_kinematics_and_a_camera() -> None:
    problem = make_problem()
    q = np.array([0.3, -0.5])
    frame = problem.targets[0].link
    p_base = (ARM.forward(q, frame) @ np.c_[MARKERS, np.ones(3)].T)[:3].T
    p_camera = (p_base - T_EYE[:3, 3]) @ T_EYE[:3, :3]

    pixels = expected_observation(problem, "above", "hand", q).pixels

    assert_allclose(pixels, project(LENS, p_camera), atol=1e-10)


def test_information_is_the_square_of_the_jacobian() -> None:
    problem = make_problem()
    sights = seen(problem)

    J = jacobian(problem, TRUTH, sights)

    assert_allclose(
        information(problem, TRUTH, sights, noise=0.5), 4.0 * J.T @ J, rtol=1e-10
    )
    parts = informations(problem, TRUTH, sights, noise=0.5)
    assert_allclose(parts.sum(axis=0), 4.0 * J.T @ J, rtol=1e-10)


def test_the_optimum_is_the_one_of_scipy() -> None:
    problem = make_problem()
    sights = seen(problem)

    ours = calibrate(problem, sights, CalibrationCfg(loss="none"))
    theirs = least_squares(
        lambda x: residuals(problem, x, sights), np.zeros(5), xtol=1e-14, ftol=1e-14
    )

    assert ours.converged
    assert (np.abs(ours.values - theirs.x) < 1e-4 * ours.sigma).all()
    s2 = 2.0 * theirs.cost / (72 - 5)
    expected = s2 * np.linalg.inv(theirs.jac.T @ theirs.jac)
    assert_allclose(ours.covariance, expected, rtol=1e-3)


def test_reading_errors_are_what_a_problem_with_all_of_them_written_out_finds() -> None:
    """Eliminating unknowns must not change the answer: SciPy solves for all at once."""
    sigma, noise = 0.004, 0.1
    readings = (
        ReadingError(joint=ARM.joint_names[0], sigma=sigma),
        ReadingError(joint=ARM.joint_names[1], sigma=2.0 * sigma, is_shared=False),
    )
    problem, plain = make_problem(readings=readings), make_problem()
    sights = seen(plain, steps=sigma, noise=noise, count=8)
    # Two sights share a group: one error of the first joint, two of the second.
    sights = [replace(s, group=k // 2) for k, s in enumerate(sights)]

    def all_at_once(x: np.ndarray) -> np.ndarray:
        shared, single = x[5:9], x[9:17]
        parts = []
        for k, s in enumerate(sights):
            q = s.q + np.array([shared[k // 2], single[k]])
            parts.append(
                (predict(plain, x[:5], replace(s, q=q)) - s.pixels).ravel() / noise
            )
        return np.concatenate([*parts, shared / sigma, single / (2.0 * sigma)])

    ours = calibrate(problem, sights, CalibrationCfg(loss="none", noise=noise))
    theirs = least_squares(all_at_once, np.zeros(17), xtol=1e-14, ftol=1e-14)

    covariance = np.linalg.inv(theirs.jac.T @ theirs.jac)[:5, :5]
    assert (np.abs(ours.values - theirs.x[:5]) < 1e-3 * ours.sigma).all()
    assert_allclose(ours.covariance, covariance, rtol=2e-3)


@pytest.mark.slow
def test_intervals_hold_the_truth_with_outliers_and_rough_encoders() -> None:
    sigma = 0.002
    readings = tuple(ReadingError(joint=name, sigma=sigma) for name in ARM.joint_names)
    problem, plain = make_problem(readings=readings), make_problem()
    z = []
    for seed in range(100):
        sights = seen(plain, seed, steps=sigma, count=25)
        rng = np.random.default_rng(seed + 1000)
        for k in range(0, 25, 4):
            pixels = sights[k].pixels.copy()
            pixels[rng.integers(3)] += rng.uniform(20.0, 90.0, 2)
            sights[k] = replace(sights[k], pixels=pixels)
        result = calibrate(problem, sights, CalibrationCfg(noise=0.1))
        z.append((result.values - TRUTH) / result.sigma)

    covered = np.mean(np.abs(z) < 1.96)
    assert 0.90 < covered < 0.98


@pytest.mark.capability("CA-106")
def test_outliers_are_found_and_harmless() -> None:
    problem = make_problem()
    sights = seen(problem, count=20)
    clean = calibrate(problem, sights)
    pixels = sights[3].pixels.copy()
    pixels[1] += 50.0
    sights[3] = replace(sights[3], pixels=pixels)

    result = calibrate(problem, sights)

    assert result.weights[3 * 3 + 1] == 0.0
    assert (np.abs(result.values - clean.values) < clean.sigma).all()


def test_two_runs_give_the_same_bits() -> None:
    problem = make_problem()
    sights = seen(problem)

    a, b = calibrate(problem, sights), calibrate(problem, sights)

    assert_array_equal(a.values, b.values)
    assert_array_equal(a.covariance, b.covariance)


def test_the_order_of_the_sights_does_not_matter_but_their_residuals_follow_it() -> (
    None
):
    problem = make_problem()
    sights = seen(problem)
    sights = [replace(s, group=11 - k) for k, s in enumerate(sights)]

    one, other = calibrate(problem, sights), calibrate(problem, sights[::-1])

    assert_allclose(one.values, other.values, atol=1e-9)
    assert_allclose(
        one.residuals.reshape(12, 3, 2),
        other.residuals.reshape(12, 3, 2)[::-1],
        atol=1e-6,
    )


def test_priors_bounds_and_frozen_parameters_are_kept() -> None:
    problem = make_problem()
    p = problem.parameters
    tight = replace(
        problem,
        parameters=(
            replace(p[0], sigma=1e-9),
            p[1],
            replace(p[2], lower=-0.005),
            p[3],
            replace(p[4], is_frozen=True, nominal=0.02),
        ),
    )

    result = calibrate(tight, seen(problem))

    assert abs(result.values[0]) < 1e-6
    assert result.values[2] == -0.005
    assert result.values[4] == 0.02


def test_hopeless_data_end_in_a_status() -> None:
    problem = make_problem()
    sights = seen(problem)
    few = [replace(sights[0], points=sights[0].points[:1], pixels=sights[0].pixels[:1])]
    behind = T_EYE.copy()
    behind[2, 3] = -2.0
    eye = replace(problem.cameras[0], T_link_mount=behind)

    assert calibrate(problem, few).status is CalibrationStatus.TOO_FEW_POINTS
    assert calibrate(problem, []).status is CalibrationStatus.TOO_FEW_POINTS
    away = calibrate(replace(problem, cameras=(eye,)), sights)
    assert away.status is CalibrationStatus.NOT_VISIBLE
    twice = replace(
        problem,
        parameters=(*problem.parameters, replace(problem.parameters[0], name="again")),
    )
    blind = calibrate(twice, sights)
    assert blind.status is CalibrationStatus.NOT_IDENTIFIABLE
    assert "again" in blind.message


def test_gravity_pulls_as_statics_says() -> None:
    problem = make_problem(
        model=replace(ARM, gravity=np.array([0.0, -9.81, 0.0])),
        parameters=(
            CalibrationParameter(effect=JointOffset(ARM.joint_names[0])),
            CalibrationParameter(effect=JointCompliance(ARM.joint_names[1])),
        ),
    )
    q = np.array([[0.3, 0.4], [-0.2, 0.9]])

    torque = gravity_torques(problem, np.array([0.1, 0.0]), q)

    held = static_torques(problem.model, q + np.array([0.1, 0.0]), np.zeros(6))
    assert_allclose(torque, -held, atol=1e-12)


def test_a_shifted_link_shifts_what_hangs_on_it() -> None:
    problem = make_problem(
        parameters=(
            CalibrationParameter(effect=LinkTranslation(ARM.link_names[-1], "x", 2.0)),
        )
    )
    q = np.array([0.0, 0.0])
    longer = np.array(ARM.T_parent_joint)
    longer[-1, 0, 3] += 0.02
    built = make_problem(model=replace(ARM, T_parent_joint=longer), parameters=())

    ours = predict(problem, [0.01], expected_observation(problem, "above", "hand", q))

    assert_allclose(
        ours, expected_observation(built, "above", "hand", q).pixels, atol=1e-9
    )


def test_chosen_poses_beat_chance_and_equal_the_best_of_all_subsets() -> None:
    rng = np.random.default_rng(0)
    J = rng.normal(size=(9, 2, 3))
    pool = J.transpose(0, 2, 1) @ J
    choice = choose_informative(pool, 4, over=[0, 1])

    def score(rows: tuple[int, ...]) -> float:
        inverse = np.linalg.inv(pool[list(rows)].sum(axis=0))
        return float(np.mean(np.diag(inverse)[:2]))

    scores = sorted(score(rows) for rows in combinations(range(9), 4))
    assert score(choice.indices) <= scores[2]
    assert choice.score == pytest.approx(score(choice.indices), rel=1e-6)
    d = choose_informative(pool, 4, criterion="D")
    best = max(
        np.linalg.slogdet(pool[list(rows)].sum(axis=0))[1]
        for rows in combinations(range(9), 4)
    )
    found = np.linalg.slogdet(pool[list(d.indices)].sum(axis=0))[1]
    assert found > best - 0.2
    assert choose_informative(pool, 4, over=[0, 1]) == choice
    with pytest.raises(ConfigError, match="cannot choose 10 of 9"):
        choose_informative(pool, 10)


def test_poses_are_chosen_by_group_and_name() -> None:
    problem = make_problem()
    sights = seen(problem, count=20)

    groups = choose_poses(problem, sights, 5, over=[problem.names[1]])

    def sigma(chosen) -> float:
        H = information(problem, None, [s for s in sights if s.group in chosen])
        return float(np.sqrt(np.linalg.inv(H)[1, 1]))

    assert len(set(groups)) == 5
    assert sigma(groups) < sigma(range(5))


def test_a_mixture_that_never_shows_is_named_and_the_pose_that_shows_it() -> None:
    """Seen from straight above at one distance, focal length and height are one."""
    problem = make_problem()
    sights = [
        expected_observation(problem, "above", "hand", [0.2, 0.1], group=k)
        for k in range(3)
    ]
    more = [expected_observation(problem, "above", "hand", [-0.7, 0.9], group=7)]

    report = explain(problem, sights, candidates=more)

    assert report.confusions
    assert report.confusions[0].best_pose == 7
    assert "Pose 7" in str(report)
    J = jacobian(problem, None, sights)
    for confusion in report.confusions:
        change = np.zeros(5)
        for name, weight in zip(confusion.names, confusion.weights, strict=True):
            change[problem.index(name)] = weight
        share = np.linalg.norm(J @ change) / np.linalg.norm(J * change)
        assert share < 0.02


def test_callers_mistakes_are_named() -> None:
    problem = make_problem()
    sight = seen(problem)[0]

    with pytest.raises(NameNotFoundError, match="abve"):
        calibrate(problem, [replace(sight, camera="abve")])
    with pytest.raises(ConfigError, match="points 0 to 2"):
        calibrate(problem, [replace(sight, points=np.array([0, 1, 9]))])
    with pytest.raises(ShapeError, match="`q`"):
        ObservationSet(problem, [replace(sight, q=np.zeros(5))])
    with pytest.raises(ConfigError, match="two parameters"):
        make_problem(
            parameters=(CalibrationParameter(effect=FocalLength("above")),) * 2
        )
    with pytest.raises(NameNotFoundError, match="elbw"):
        make_problem(parameters=(CalibrationParameter(effect=JointOffset("elbw")),))
    with pytest.raises(ConfigError, match="`sigma`"):
        CalibrationParameter(effect=FocalLength("above"), sigma=0.0)
    with pytest.raises(ConfigError, match="has loops"):
        make_problem(model=gelenk.load("stewart"))


@pytest.mark.parametrize("name", ["wrist_camera", "stereo_and_bat"])
def test_arms_and_rigs_recover_injected_errors(name: str) -> None:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(headless=True)
