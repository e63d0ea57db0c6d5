"""Checks after a calibration: boards, stand, walk, repeated runs, requirements."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from experiments.nao.requirements import (
    REQUIREMENTS,
    Grade,
    judge_requirements,
)
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.kinematics.forward import link_poses
from gelenk.robots.nao.checks.stance import (
    mean_ground,
    resting_ground,
    stand_body,
    true_stand,
)
from gelenk.robots.nao.checks.standing import stand_still
from gelenk.robots.nao.checks.validation import (
    check_boards,
    check_standing,
    compare_runs,
)
from gelenk.robots.nao.checks.walk import (
    WalkCfg,
    placement_errors,
    placement_rms,
    walk_cycle,
)
from gelenk.robots.nao.compensation import Compensation
from gelenk.robots.nao.errors import CASES, NaoErrors, draw_errors
from gelenk.robots.nao.joints import SIDES, Side, limits, model_from_body
from gelenk.robots.nao.parameters import leg_names
from gelenk.robots.nao.robot_with_errors import nominal_model
from testkit.nao_robots import calibrated_robot, given_bodies
from testkit.nao_sights import SightNoise, seen_by_nao

EXACT = SightNoise(pixel=0.04)


@pytest.mark.capability("CA-77")
def test_boards_fit_in_all_poses_also_in_those_that_were_not_measured() -> None:
    rng = np.random.default_rng(1)
    robot = calibrated_robot(
        CASES[6], given_bodies()[:16:2], rng, is_extended=False, noise=EXACT
    )
    fitted = check_boards(robot.problem, robot.calibration.values, robot.sights)
    held_out = seen_by_nao(robot.problem, CASES[6], given_bodies()[1:16:2], rng, EXACT)
    others = check_boards(robot.problem, robot.calibration.values, held_out)
    for check in (fitted, others):
        assert len(check.after) == 48
        assert check.num_worse == 0
        assert check.rms_before > 5.0  # [px]
        # Noise of two coordinates; a fit that bends would be worse where it was not.
        assert check.rms_after == pytest.approx(0.04 * np.sqrt(2.0), rel=0.1)
        assert check.after.max() < 0.1


@pytest.mark.capability("CA-77")
def test_a_robot_with_systematic_errors_is_explained_only_by_the_extended_model() -> (
    None
):
    rng = np.random.default_rng(4)
    errors = draw_errors(rng, level=3)
    rms = {}
    for is_extended in (False, True):
        robot = calibrated_robot(
            errors, given_bodies()[::2], rng, is_extended=is_extended, noise=EXACT
        )
        values = robot.calibration.values
        rms[is_extended] = check_boards(robot.problem, values, robot.sights).rms_after
    assert rms[True] < 0.1  # [px]
    assert rms[False] > 5.0 * rms[True]


def test_a_stiff_robot_rests_on_three_corners_of_its_feet() -> None:
    """Oracle: a foot that is 2 mm lower, by the geometry of a plank."""
    model = nominal_model(sandals=False)
    T = link_poses(model, model_from_body(model, stand_body()))
    soles: dict[Side, np.ndarray] = {
        side: T[model.link_id(f"{side[0]}_sole")].copy() for side in SIDES
    }
    com = np.array([0.01, 0.001, 0.1])
    assert_allclose(resting_ground(soles, com), mean_ground(soles), atol=1e-12)
    soles["left"][2, 3] -= 0.002
    ground = resting_ground(soles, com)
    # From the outer edge of the right foot to the inner edge of the lower left one, or
    # over the right foot's inner edge: the centre of mass above the left decides.
    lean = np.arcsin(ground[1, 2])
    wide = 0.05 + 0.0405 + (0.05 - 0.0345)
    assert abs(lean) == pytest.approx(0.002 / wide, rel=0.02)
    assert ground[0, 2] == pytest.approx(0.0, abs=1e-12)


def test_a_perfect_robot_stands_flat_in_closed_form_and_in_physics() -> None:
    closed = true_stand(NaoErrors(), stand_body())
    assert abs(closed.height_difference) < 1e-12
    assert max(closed.tilts) < 1e-7
    physical = stand_still(NaoErrors(), stand_body(), level=1)
    assert physical.speed < 1e-4
    assert abs(physical.stand.height_difference) < 5e-5
    assert max(physical.stand.tilts) < np.deg2rad(0.02)
    assert np.linalg.norm(physical.up) == pytest.approx(9.81, abs=0.01)


@pytest.mark.capability("CA-78")
def test_offsets_alone_are_compensated_to_a_level_stand_in_closed_form() -> None:
    rng = np.random.default_rng(6)
    for _ in range(3):
        errors = draw_errors(rng, level=1)
        robot = calibrated_robot(
            errors, given_bodies()[::3], rng, is_extended=False, noise=EXACT
        )
        command = robot.compensation.command(stand_body(), keeps_soles=True)
        before, after = (true_stand(errors, q) for q in (stand_body(), command))
        assert abs(after.height_difference) < 0.0005
        assert max(after.tilts) < np.deg2rad(0.1)
        assert max(before.tilts) > np.deg2rad(0.5)


@pytest.mark.slow
@pytest.mark.capability("CA-78")
@pytest.mark.capability("CA-95")
def test_robots_with_sag_and_play_stand_flat_in_physics_after_calibration() -> None:
    rng = np.random.default_rng(7)
    for _ in range(2):
        errors = draw_errors(rng, level=3)
        robot = calibrated_robot(errors, given_bodies()[::2], rng)
        assert robot.calibration.chi2_after < 0.01 * robot.calibration.chi2_before
        check = check_standing(errors, robot.compensation)
        assert check.is_good
        assert check.tilts[1] < np.deg2rad(0.1)
        assert check.heights[1] < 0.0005
        assert check.tilts[1] < check.tilts[0]
        assert check.after.speed < 1e-3


def test_the_walk_is_one_that_a_robot_could_do() -> None:
    walk = walk_cycle(WalkCfg(frames=16))
    low, high = limits()
    assert ((walk.bodies >= low) & (walk.bodies <= high)).all()
    model = nominal_model(sandals=False)
    T = link_poses(model, model_from_body(model, walk.bodies))
    soles = {side: T[:, model.link_id(f"{side[0]}_sole")] for side in SIDES}
    for side in SIDES:  # always flat
        assert_allclose(soles[side][:, 2, 2], 1.0, atol=1e-9)
    apart = soles["left"][:, :3, 3] - soles["right"][:, :3, 3]
    assert np.ptp(apart[:, 0]) == pytest.approx(0.1 * (1.0 - 1.0 / 8.0))
    is_left_up = np.array([side == "left" for side in walk.lifted])
    assert (apart[is_left_up, 2] > 0.0).all()
    assert (apart[~is_left_up, 2] < 0.0).all()
    assert_allclose(placement_errors(NaoErrors(), walk), 0.0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.capability("CA-96")
def test_feet_go_five_times_nearer_to_where_they_should_and_never_further() -> None:
    rng, walk = np.random.default_rng(8), walk_cycle(WalkCfg(frames=8))
    before, after = [], []
    for _ in range(4):
        errors = draw_errors(rng, level=3)
        robot = calibrated_robot(errors, given_bodies()[::2], rng)
        before.append(placement_rms(errors, walk))
        after.append(placement_rms(errors, walk, robot.compensation))
    assert (np.array(after) < before).all()
    assert np.mean(before) > 5.0 * np.mean(after)


def test_a_wrong_ankle_shifts_the_foot_by_its_lever() -> None:
    """Oracle: the sole is 45.19 mm below the ankle."""
    walk = walk_cycle(WalkCfg(frames=8, sway=0.0))
    angle = np.deg2rad(1.0)
    errors = replace(NaoErrors(), left=(0.0, 0.0, 0.0, 0.0, angle, 0.0))
    off = placement_errors(errors, walk)
    is_left_up = np.array([side == "left" for side in walk.lifted])
    assert_allclose(off[is_left_up, 0], -0.04519 * np.sin(angle), rtol=0.05)
    known = Compensation(joints=np.eye(22)[14] * angle)
    assert_allclose(placement_errors(errors, walk, known), 0.0, atol=1e-9)


@pytest.mark.capability("CA-94")
@pytest.mark.capability("CA-99")
def test_single_pitch_joints_scatter_between_runs_but_their_sum_does_not() -> None:
    rng = np.random.default_rng(9)
    errors = draw_errors(rng, level=1)
    runs = [
        calibrated_robot(errors, given_bodies()[::4], rng, is_extended=False)
        for _ in range(5)
    ]
    repeats = compare_runs([run.calibration for run in runs])
    values = np.array([run.calibration.values for run in runs])
    i = repeats.names.index("LeftKneePitch")
    assert repeats.mean[i] == pytest.approx(values[:, i].sum() / 5.0)
    square = ((values[:, i] - repeats.mean[i]) ** 2).sum() / 4.0
    assert repeats.spread[i] == pytest.approx(np.sqrt(square))
    for side in SIDES:
        total, single = repeats.pitch_spread(side)
        assert total < 0.75 * single
        names = leg_names(side)[2:5]
        assert [n[len(side) :] for n in names] == [
            "HipPitch", "KneePitch", "AnklePitch",
        ]  # fmt: skip
    assert np.rad2deg(repeats.worst_pitch_sum) < 0.19
    # Runs scatter as much as each of them promises.
    ratio = repeats.spread[:15] / repeats.sigma.mean(axis=0)[:15]
    assert 0.5 < float(np.sqrt(np.mean(ratio**2))) < 1.7


def test_runs_that_cannot_be_compared_are_refused() -> None:
    rng = np.random.default_rng(0)
    one = calibrated_robot(
        CASES[5], given_bodies()[::6], rng, is_extended=False, noise=EXACT
    ).calibration
    with pytest.raises(ConfigError, match="at least 2 runs"):
        compare_runs([one])
    other = replace(one, names=("Other", *one.names[1:]))
    with pytest.raises(ConfigError, match="CameraYaw, Other"):
        compare_runs([one, other])


@pytest.mark.capability("CA-98")
def test_a_requirement_gets_the_worst_verdict_of_its_tests() -> None:
    printed = {
        (need.id, case): Grade.MET for need in REQUIREMENTS for case in need.cases
    }
    printed |= {
        ("A4", 8): Grade.PARTLY,
        ("A4", 9): Grade.PARTLY,
        ("A4", 10): Grade.FAILED,
        ("A5", 8): Grade.PARTLY,
    }
    table = judge_requirements(printed)
    assert [row.requirement.id for row in table] == ["A1", "A2", "A3", "A4", "A5"]
    assert [row.grade for row in table] == [need.printed for need in REQUIREMENTS]
    assert table[3].because == (10,)
    assert table[4].because == (8,)
    del printed["A3", 2]
    assert judge_requirements(printed)[2].grade is Grade.UNKNOWN
    with pytest.raises(NameNotFoundError, match="A1 by TC8"):
        judge_requirements({("A1", 9): Grade.MET})
