"""Which leg poses tell most about a robot, and the motions that visit them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gelenk.calibration.choice import Criterion, choose_poses
from gelenk.calibration.prediction import expected_observation
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.robots.nao.joints import HEAD, SIDES, model_from_body
from gelenk.robots.nao.motion.engine import DEFAULT_STIFFNESS
from gelenk.robots.nao.motion.motions import MotionFile
from gelenk.robots.nao.motion.text import calibration_motions
from gelenk.robots.nao.parameters import EYE, leg_names
from gelenk.robots.nao.poses.body import body_pose
from gelenk.robots.nao.poses.candidates import (
    Candidates,
    PoseJudge,
    candidate_poses,
    joined,
)
from gelenk.robots.nao.poses.order import order_poses
from gelenk.typing import FloatArray

# Pose of the left leg before, between and after the poses of a calibration [deg].
BASE_LEG = (0.0, -5.0, -40.0, 60.0, -20.0, 0.0)
STIFFNESS = tuple(round(100.0 * share) for share in DEFAULT_STIFFNESS)  # [%]
MAX_SPEED = 90  # [deg/s]
NEIGHBOURS = 24  # drawn around each chosen pose
NEARNESS = np.deg2rad(8.0)  # [rad], their standard deviation in each moved joint
SHRINKING = 0.7  # of it from round to round


def pose_sights(
    problem: CalibrationProblem, poses: Candidates
) -> Iterator[Observation]:
    """Yield what both boards would look like in each pose and its mirror image.

    Args:
        problem: Made by `nao_problem`.
        poses: Leg poses; the number of a pose is the number of its group.
    """
    for side in SIDES:
        bodies = model_from_body(problem.model, poses.body(side))
        for group, body in enumerate(bodies):
            for q in body:
                yield expected_observation(problem, EYE, side, q, group=group)


def best_poses(
    problem: CalibrationProblem,
    candidates: Candidates,
    count: int,
    *,
    noise: float = 0.04,
    criterion: Criterion = "A",
) -> list[int]:
    """Return the candidates that determine the legs' offsets best.

    Each pose counts together with its mirror image, which the other leg takes.

    Args:
        problem: What is to be found; its priors and reading errors count.
        candidates: Poses to choose from.
        count: How many.
        noise: Of a corner's coordinate [px].
        criterion: "A": mean variance of the twelve offsets; "D": of everything.
    """
    over = [name for side in SIDES for name in leg_names(side)]
    sights = list(pose_sights(problem, candidates))
    chosen = choose_poses(
        problem, sights, count, over=over, noise=noise, criterion=criterion
    )
    return list(chosen)


def chosen_poses(
    problem: CalibrationProblem,
    count: int,
    rng: np.random.Generator,
    *,
    pool: int = 600,
    rounds: int = 5,
    known: FloatArray | None = None,
    judge: PoseJudge | None = None,
) -> Candidates:
    """Return poses that the program chooses itself: valid, and most informative.

    The best of a pool are taken; then poses near to them are drawn, some joints moved
    and each round nearer, and the best of all are taken again.

    Args:
        problem: What is to be found.
        count: How many poses.
        rng: Draws the candidates.
        pool: Number of candidates.
        rounds: How often neighbours are looked at.
        known: Leg poses that an earlier search has found [rad], shape (n, 6); they are
            candidates, too.
        judge: Says which poses can be measured.
    """
    judge = judge or PoseJudge()
    candidates = candidate_poses(pool, rng, judge=judge)
    if known is not None:
        candidates = joined(judge.judge(known), candidates)
    best = candidates.take(best_poses(problem, candidates, count))
    for number in range(rounds):
        near = np.repeat(best.legs, NEIGHBOURS, axis=0)
        moves = rng.normal(0.0, NEARNESS * SHRINKING**number, near.shape)
        around = judge.judge(near + moves * (rng.random(near.shape) < 0.5))
        both = joined(best, around)
        best = both.take(best_poses(problem, both, count))
    return best


def pose_motions(legs: FloatArray, judge: PoseJudge | None = None) -> MotionFile:
    """Return the motions that visit leg poses on short and free ways.

    Args:
        legs: Poses of the left leg [rad], shape (n, 6).
        judge: Knows what is free.
    """
    start = np.deg2rad(BASE_LEG)
    order = order_poses(legs, start, judge or PoseJudge())
    base = body_pose(start, "left")
    base[HEAD] = np.nan  # the head is turned by others
    return calibration_motions(
        legs[order], base=base, stiffness=STIFFNESS, max_speed=MAX_SPEED
    )
