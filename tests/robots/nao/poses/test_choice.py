"""Poses that are given, and poses that the program chooses."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.kinematics.forward import link_poses
from gelenk.robots.nao.errors import CASES
from gelenk.robots.nao.joints import LEG, LEG_JOINTS, limits, model_from_body
from gelenk.robots.nao.motion.engine import initial_state, step
from gelenk.robots.nao.motion.motions import Motion, Move
from gelenk.robots.nao.motion.text import (
    check_motion_file,
    load_motions,
    parse_motions,
    shipped_motions,
)
from gelenk.robots.nao.parameters import leg_names, nao_problem
from gelenk.robots.nao.poses.body import is_free
from gelenk.robots.nao.poses.boxes import collision_boxes
from gelenk.robots.nao.poses.candidates import Candidates, PoseJudge, candidate_poses
from gelenk.robots.nao.poses.choice import (
    best_poses,
    chosen_poses,
    pose_motions,
)
from gelenk.robots.nao.poses.order import gravity_torques, spread_poses
from gelenk.robots.nao.representations import IGNORE, MotionRequest
from gelenk.robots.nao.robot_with_errors import nominal_model
from gelenk.typing import FloatArray
from testkit.nao_robots import predicted_sigma


@pytest.fixture(scope="module")
def pool() -> Candidates:
    return candidate_poses(150, np.random.default_rng(4))


@pytest.fixture(scope="module")
def given() -> Candidates:
    return PoseJudge().judge(given_legs())


def given_legs() -> FloatArray:
    """Read the milestones of the shipped motion of the left leg."""
    file = parse_motions(shipped_motions()["calibration"].read_text())
    motion = next(d for d in file.definitions if d.name == "calibrateLeft")
    assert isinstance(motion, Motion)
    legs = [
        [dict(line.values)[joint] for joint in LEG_JOINTS["left"]]
        for line in motion.lines
        if isinstance(line, Move) and line.is_milestone
    ]
    return np.deg2rad(np.array(legs, dtype=np.float64))


@pytest.mark.capability("CA-68")
def test_all_24_given_poses_can_be_measured_also_with_the_errors_of_the_cases(
    given: Candidates,
) -> None:
    assert len(PoseJudge().cfg.worst) == len(CASES)
    assert len(given_legs()) == len(given) == 24
    low, high = limits()[:, LEG["left"]]
    span = np.ptp(given.legs, axis=0) / (high - low)
    assert (span > [0.4, 0.6, 0.6, 0.6, 0.6, 0.6]).all()
    torque = gravity_torques(nominal_model(), given)
    assert ((torque > 0.05).sum(axis=0) >= 3).all()
    # No pose in which the head reaches the board loads the ankle's roll the other way.
    assert ((torque < -0.05).sum(axis=0)[:5] >= 3).all()


@pytest.mark.capability("CA-97")
def test_nothing_touches_and_no_limit_is_passed_on_the_whole_way() -> None:
    assert check_motion_file(shipped_motions()["calibration"]) == []
    program = load_motions(shipped_motions()["calibration"])
    nao = nominal_model()
    state, way = initial_state(np.zeros(22)), []
    low, high = limits()
    for tick in range(20_000):
        request = MotionRequest(motion="calibrateLeft", is_continuing=tick % 2 == 0)
        state, joints, info = step(program, state, request)
        if tick % 5 == 0 and info.motion == "calibrateLeft":
            way.append(np.where(joints.angles == IGNORE, 0.0, joints.angles))
        if info.token == "end":
            break
    assert info.token == "end"
    poses = np.array(way)
    assert (poses >= low - 1e-9).all()
    assert (poses <= high + 1e-9).all()
    assert is_free(nao, collision_boxes(nao), poses[20:], margin=0.0).all()
    speed = np.abs(np.diff(poses, axis=0)).max() / 0.05
    assert speed <= np.deg2rad(90.0) + 1e-9


@pytest.mark.slow
def test_chosen_poses_tell_more_than_any_that_were_drawn(pool: Candidates) -> None:
    problem = nao_problem()
    over = [
        problem.index(name) for side in ("left", "right") for name in leg_names(side)
    ]

    def mean_variance(rows: list[int]) -> float:
        return float(np.mean(predicted_sigma(problem, pool, rows)[over] ** 2))

    best = best_poses(problem, pool, 6)
    rng = np.random.default_rng(0)
    drawn = [mean_variance(list(rng.choice(150, 6, replace=False))) for _ in range(30)]
    assert len(set(best)) == 6
    assert mean_variance(best) < min(drawn)
    assert best_poses(problem, pool, 6) == best


@pytest.mark.slow
def test_neighbours_of_the_best_poses_are_better_still() -> None:
    problem = nao_problem()
    over = [
        problem.index(name) for side in ("left", "right") for name in leg_names(side)
    ]

    def spread(poses: Candidates) -> float:
        sigma = predicted_sigma(problem, poses, range(len(poses)))[over]
        return float(np.sqrt(np.mean(sigma**2)))

    plain, sharp = (
        chosen_poses(problem, 4, np.random.default_rng(1), pool=60, rounds=rounds)
        for rounds in (0, 2)
    )
    assert spread(sharp) < spread(plain)
    assert len(PoseJudge().judge(sharp.legs)) == 4


def test_spread_poses_load_joints_both_ways_and_lie_far_apart(pool: Candidates) -> None:
    nao = nominal_model()
    rows = spread_poses(nao, pool, 12)
    assert len(set(rows)) == 12
    torque = gravity_torques(nao, pool)
    for joint in range(6):
        for sign in (1.0, -1.0):
            there = (sign * torque[:, joint] > 0.05).sum()
            got = (sign * torque[rows, joint] > 0.05).sum()
            assert got >= min(2, there)

    def nearest(index: list[int]) -> float:
        legs = pool.legs[index]
        gap = np.linalg.norm(legs[:, None] - legs[None], axis=-1)
        return float((gap + 9.0 * np.eye(len(legs))).min())

    assert nearest(rows) > nearest(list(range(12)))


def test_gravity_torque_is_the_slope_of_the_potential(pool: Candidates) -> None:
    nao = nominal_model()
    some = pool.take([0, 1, 2])
    torque = gravity_torques(nao, some)

    def height(q22: FloatArray) -> FloatArray:
        """Potential energy [J] from masses and centres alone; up is +x."""
        T = link_poses(nao, model_from_body(nao, q22))
        centre = np.einsum("nlij,lj->nli", T[..., :3, :3], nao.com) + T[..., :3, 3]
        return 9.81 * np.sum(nao.mass * centre[..., 0], axis=-1)

    signs = np.array([1.0, -1.0, 1.0, 1.0, 1.0, -1.0])  # bh against NAO's joints
    for joint in range(6):
        columns = [10 + joint] if joint else [10, 16]  # one motor for both hips
        step_size = np.zeros(22)
        step_size[columns] = 1e-6
        body = some.bodies[:, 0]
        slope = (height(body + step_size) - height(body - step_size)) / 2e-6
        np.testing.assert_allclose(
            torque[:, joint], -signs[joint] * slope, rtol=1e-5, atol=1e-7
        )


def test_motions_visit_every_pose(pool: Candidates) -> None:
    file = pose_motions(pool.legs[:3])
    motion = next(d for d in file.definitions if d.name == "calibrateLeft")
    stops = [m for m in motion.lines if isinstance(m, Move) and m.is_milestone]
    assert len(stops) == 3
