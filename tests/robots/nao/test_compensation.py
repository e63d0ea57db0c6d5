"""Compensation: signs, the one hip motor, camera, sag; against truth and physics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.calibration.calibration import calibrate
from gelenk.calibration.problem import Observation
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.kinematics.forward import link_poses
from gelenk.robots.nao.checks.stance import stand_body, standing_load
from gelenk.robots.nao.compensation import (
    Compensation,
    camera_pose,
    compensation_from,
    compensation_from_values,
    sole_poses,
)
from gelenk.robots.nao.config import T_MOUNT_CAMERA
from gelenk.robots.nao.errors import CASES, NaoErrors, draw_errors
from gelenk.robots.nao.joints import (
    BODY_JOINTS,
    LEG,
    SIDES,
    ankle_roll_limits,
    clip_body,
    limits,
    mirror,
    model_from_body,
)
from gelenk.robots.nao.parameters import (
    EYE,
    nao_problem,
    values_from_errors,
)
from gelenk.robots.nao.robot_with_errors import (
    nominal_model,
    true_intrinsics,
    true_model,
)
from gelenk.robots.nao.truth import gravity_torques, project_truth, true_body
from gelenk.robots.nao.world import NaoWorldCfg, make_world
from gelenk.spatial.se3 import inverse
from gelenk.vision.camera import project
from testkit.nao_robots import given_bodies

BODY = stand_body((0.3, -0.2))


def known(errors: NaoErrors, *, extended: bool = True) -> Compensation:
    """What a calibration without noise would find."""
    problem = nao_problem(extended=extended)
    values = values_from_errors(problem, errors)
    return compensation_from_values(dict(zip(problem.names, values, strict=True)))


def without_remainder(errors: NaoErrors) -> NaoErrors:
    return replace(errors, right=(errors.left[0], *errors.right[1:]))


@pytest.mark.capability("CA-76")
def test_a_commanded_zero_pose_is_physically_zero() -> None:
    errors = without_remainder(CASES[6])
    # Knees and arms that cannot be 0 are left out of it: 20 degrees each.
    desired = np.full(22, np.deg2rad(20.0)) * (np.arange(22) >= 2)
    desired[LEG["left"]] = desired[LEG["right"]] = 0.0
    command = known(errors).command(desired)
    truth = true_body(errors, command)
    assert_allclose(truth[LEG["left"]], 0.0, atol=1e-12)
    assert_allclose(truth[LEG["right"]], 0.0, atol=1e-12)
    wrong = true_body(errors, desired + known(errors).joints)
    assert np.abs(wrong[LEG["left"]]).max() > np.deg2rad(2.0)


@pytest.mark.capability("CA-76")
@pytest.mark.parametrize("case", [5, 6, 7])
def test_corrected_readings_are_the_true_angles(case: int) -> None:
    readings = given_bodies()[:4]
    found = known(CASES[case]).corrected(readings)
    assert_allclose(found, true_body(CASES[case], readings), atol=1e-12)


@pytest.mark.capability("CA-76")
def test_a_second_calibration_finds_nothing_but_the_hip_that_has_one_motor() -> None:
    errors = replace(CASES[6], left_board=(0.0, 0.0, 0.0), right_board=(0.0, 0.0, 0.0))
    first = known(errors, extended=False)
    problem = nao_problem()
    sights: list[Observation] = []
    for side in SIDES:
        bodies = given_bodies()[:8] if side == "left" else mirror(given_bodies()[:8])
        raw = first.command(bodies.reshape(-1, 22))
        seen = project_truth(errors, raw, side)
        corrected = first.corrected(raw)
        for i, q in enumerate(model_from_body(problem.model, corrected)):
            points = np.flatnonzero(seen.is_visible[i])
            pixels = seen.pixels[i, points]
            sights.append(
                Observation(
                    camera=EYE, target=side, q=q, points=points, pixels=pixels, group=i
                )
            )
    second = calibrate(problem, sights)
    left, right = errors.left[0], errors.right[0]
    for name, value in zip(second.names, second.values, strict=True):
        if name.startswith("Camera"):
            continue  # the camera is corrected in its matrix, not in the readings
        remains = right - left if name == "RightHipYawPitch" else 0.0
        assert value == pytest.approx(remains, abs=1e-7), name
    assert_allclose(second.values[:3], errors.camera, atol=1e-7)


def test_both_hip_offsets_are_read_but_only_their_mean_is_commanded() -> None:
    joints = np.zeros(22)
    joints[10], joints[16] = np.deg2rad(3.0), np.deg2rad(1.0)
    one = Compensation(joints=joints)
    raw = one.command(BODY)
    assert raw[10] == raw[16] == pytest.approx(BODY[10] - np.deg2rad(2.0))
    angles = one.corrected(raw)
    assert angles[10] - BODY[10] == pytest.approx(one.hip_remainder)
    assert angles[16] - BODY[16] == pytest.approx(-one.hip_remainder)
    assert one.hip_remainder == pytest.approx(np.deg2rad(1.0))


@pytest.mark.parametrize("seed", range(3))
def test_other_joints_make_up_for_the_hip_and_for_wrong_lengths(seed: int) -> None:
    """Oracle: the robot model with the errors, which knows nothing of compensation."""
    errors = replace(
        draw_errors(np.random.default_rng(seed), level=3),
        compliance=(0.0,) * 12,
        play=(0.0,) * 12,
    )
    true, nominal = true_model(errors, sandals=False), nominal_model(sandals=False)
    wanted = link_poses(nominal, model_from_body(nominal, BODY))
    feet = {s: nominal.link_id(f"{s[0]}_sole") for s in SIDES}
    between = inverse(wanted[feet["left"]]) @ wanted[feet["right"]]
    off = {}
    for keeps in (False, True):
        raw = known(errors).command(BODY, keeps_soles=keeps)
        T = link_poses(true, model_from_body(true, raw))
        got = inverse(T[feet["left"]]) @ T[feet["right"]]
        off[keeps] = np.abs(got - between).max()
    assert off[True] < 1e-3  # [m] and [rad]: headings differ in second order
    assert off[True] < 0.1 * off[False]


@pytest.mark.capability("CA-75")
@pytest.mark.parametrize("seed", range(3))
def test_boards_projected_with_the_corrected_camera_match_what_is_seen(
    seed: int,
) -> None:
    errors = draw_errors(np.random.default_rng(seed), level=3)
    errors = replace(errors, compliance=(0.0,) * 12, play=(0.0,) * 12)
    one, body = known(errors), given_bodies()[3, 0]
    true = true_model(errors)
    T = link_poses(true, model_from_body(true, body))
    assert_allclose(
        camera_pose(one, body), T[true.link_id("camera_bottom")], atol=1e-12
    )
    T_camera = camera_pose(one, body) @ T_MOUNT_CAMERA
    points = T[true.link_id("l_sole")][:3, 3] + np.array([[0.0, 0.0, 0.0]])
    assert_allclose(
        sole_poses(one, one.corrected(body))["left"],
        T[true.link_id("l_sole")],
        atol=1e-12,
    )
    p = (points - T_camera[:3, 3]) @ T_camera[:3, :3]
    assert one.lens.fx == pytest.approx(true_intrinsics(errors).fx)
    assert_allclose(project(one.lens, p), project(true_intrinsics(errors), p))


def test_sag_and_play_are_met_by_commands() -> None:
    """Oracle: the closed-form truth, which knows the errors."""
    errors = without_remainder(draw_errors(np.random.default_rng(5), level=3))
    one, desired = known(errors), given_bodies()[2, 0]

    def load(q22: np.ndarray) -> np.ndarray:
        return gravity_torques(errors, q22)

    stiff = true_body(errors, one.command(desired)) - desired
    firm = true_body(errors, one.command(desired, load)) - desired
    assert np.abs(stiff[10:]).max() > np.deg2rad(0.3)
    assert np.abs(firm[10:]).max() < np.deg2rad(0.01)
    raw = one.command(desired, load)
    assert_allclose(one.corrected(raw, load)[10:], desired[10:], atol=1e-3)


@pytest.mark.slow
@pytest.mark.capability("CA-76")
def test_in_the_world_a_corrected_command_puts_the_sole_where_it_should_be() -> None:
    errors = without_remainder(CASES[5])
    nominal = nominal_model()
    desired = given_bodies()[1, 0]
    wanted = link_poses(nominal, model_from_body(nominal, desired))
    i = nominal.link_id("l_sole")
    away = []
    for compensation in (Compensation(), known(errors)):
        command = compensation.command(desired)
        cfg = NaoWorldCfg(upper_camera=False)
        world, names = make_world(errors, q22=command, cfg=cfg)
        with world:
            world.command(names.robot, model_from_body(nominal, command), np.ones(25))
            world.run(1.0)
            T = inverse(world.pose("nao/torso")) @ world.pose("nao/l_sole")
        away.append(np.linalg.norm(T[:3, 3] - wanted[i][:3, 3]))
    # What remains are servos that hang back by some tenths of a degree.
    assert away[1] < 0.002
    assert away[0] > 3.0 * away[1]


def test_commands_stay_within_all_ranges() -> None:
    rng = np.random.default_rng(0)
    joints = np.deg2rad(rng.uniform(-8.0, 8.0, 22))
    wild = rng.uniform(-2.0, 2.0, (50, 22))
    raw = Compensation(joints=joints).command(wild)
    low, high = limits()
    assert ((raw >= low) & (raw <= high)).all()
    for side in SIDES:
        bottom, top = ankle_roll_limits(raw[:, LEG[side].stop - 2])
        roll = raw[:, LEG[side].stop - 1]
        assert ((roll >= bottom - 1e-12) & (roll <= top + 1e-12)).all()


def test_joints_that_are_left_alone_stay_so() -> None:
    desired = np.full(22, np.nan)
    desired[[1, 12, 15]] = 0.1, -0.4, 0.2
    raw = Compensation(joints=np.full(22, 0.01)).command(desired)
    assert_allclose(raw[[1, 12, 15]], [0.09, -0.41, 0.19])
    assert np.isnan(np.delete(raw, [1, 12, 15])).all()
    assert np.isnan(clip_body(np.full(22, np.nan))).all()


def test_boards_are_forgotten() -> None:
    moved = replace(CASES[6], left_board=(0.03, 0.004, -0.002), right_tilt=(0.02, 0.0))
    assert_allclose(known(moved).joints, known(CASES[6]).joints)
    a, b = camera_pose(known(moved), BODY), camera_pose(known(CASES[6]), BODY)
    assert_allclose(a, b)


@pytest.mark.capability("CA-80")
def test_what_a_person_adds_comes_on_top() -> None:
    first = known(CASES[7])
    more = first.refined({"LKneePitch": 0.02, "HeadPitch": -0.01}, (0.0, 0.03, 0.0))
    change = more.joints - first.joints
    assert change[BODY_JOINTS.index("LKneePitch")] == pytest.approx(0.02)
    assert change[BODY_JOINTS.index("HeadPitch")] == pytest.approx(-0.01)
    assert np.count_nonzero(change) == 2
    assert more.camera[1] - first.camera[1] == pytest.approx(0.03)
    with pytest.raises(NameNotFoundError, match="LKneePitch"):
        first.refined({"LKnePitch": 0.1})


def test_a_calibration_becomes_a_compensation() -> None:
    problem = nao_problem()
    q = model_from_body(problem.model, given_bodies()[0, 0])
    pixels = project_truth(CASES[5], given_bodies()[0, 0], "left").pixels
    sight = Observation(
        camera=EYE, target="left", q=q, points=np.arange(24), pixels=pixels
    )
    found = calibrate(problem, [sight])
    one = compensation_from(found)
    assert one.joints[13] == found.value("LeftKneePitch")
    assert one.camera[1] == found.value("CameraPitch")
    assert not one.compliance.any()


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(ConfigError, match="22 finite numbers"):
        Compensation(joints=np.full(22, np.nan))


def test_the_standing_load_carries_the_whole_weight() -> None:
    """Oracle: virtual work of the weight when both knees bend symmetrically."""
    model = nominal_model(sandals=False)
    load = standing_load()
    q = stand_body()
    step = 1e-6
    ways = []
    for sign in (-1.0, 1.0):
        moved = q.copy()
        for side in SIDES:  # knees bend, hips and ankles keep torso and feet upright
            moved[LEG[side]] += sign * step * np.array([0, 0, -0.5, 1.0, -0.5, 0])
        T = link_poses(model, model_from_body(model, moved))
        com = np.zeros(3)
        for i in range(len(model.link_names)):
            at = T[i][:3, :3] @ model.com[i] + T[i][:3, 3]
            com += model.mass[i] * at
        sole = T[model.link_id("l_sole")][2, 3]
        ways.append(com[2] - model.mass.sum() * sole)  # height above the ground
    work = -9.81 * (ways[1] - ways[0]) / (2.0 * step)
    torque = load(q)
    done = sum(
        float(torque[LEG[side]] @ np.array([0, 0, -0.5, 1.0, -0.5, 0]))
        for side in SIDES
    )
    assert done == pytest.approx(work, rel=1e-6)
