"""Inverse kinematics: share solved, answers checked, time against other solvers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np

import gelenk
from benchmarks.harness import Row, Settings
from benchmarks.peers import find_peer, missing_note
from benchmarks.timing import without_garbage_collection
from gelenk.kinematics.chain import CHAIN_INDEX, frame_chain
from gelenk.kinematics.forward import frame_pose
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray
from testkit.random_models import random_arm, random_configuration

ARMS = ("panda", "ur5e", "puma560", "iiwa7")
CLOSED_ARMS = ("puma560", "ur5e")
SLIDING_ARMS = ("scara", "stanford", "rp")
TOLERANCE = 1e-6  # [m] and [rad]
CHECK = 1.05e-6  # [m] and [rad], of an answer; the extra is for the check's rounding
SOLVED = 99.9  # [%]
SOLVED_RANDOM = 99.5  # [%]
FASTER = 0.1  # of the time of Robotics Toolbox's compiled solver
CLOSED_EXACT = 1e-10  # [m] and [rad]
CLOSED_TIME = 2.0  # of the time of EAIK


def solved_share_of_known_arms(settings: Settings) -> Iterator[Row]:
    """Solve random reachable poses of the known arms; check every answer by FK."""
    count = settings.pick(10_000, 1_000)
    for name in ARMS:
        model, rng = gelenk.load(name), settings.rng()
        targets = frame_pose(model, random_configuration(rng, model, count))
        solved = sum(_is_solved(model, T) for T in targets)
        yield Row(
            name=f"lm_solved_{name}",
            value=100.0 * solved / count,
            unit="%",
            target=SOLVED,
            direction=">=",
            note=f"{solved} of {count} poses, within limits, checked to 1e-6 m and rad",
        )


def solved_share_of_random_arms(settings: Settings) -> Row:
    """Solve reachable poses of random arms of servos and linear motors."""
    arms, poses = settings.pick(1000, 100), 5
    rng = settings.rng()
    solved = 0
    for _ in range(arms):
        model = random_arm(rng, num_joints=int(rng.integers(4, 9)))
        targets = frame_pose(model, random_configuration(rng, model, poses))
        solved += sum(_is_solved(model, T) for T in targets)
    return Row(
        name="lm_solved_random_arms",
        value=100.0 * solved / (arms * poses),
        unit="%",
        target=SOLVED_RANDOM,
        direction=">=",
        note=f"{arms} arms of 4 to 8 joints R and P, {poses} full poses each",
    )


def _is_solved(model: RobotModel, T: FloatArray) -> bool:
    result = model.inverse(T)
    if not result.converged:
        return False
    lower, upper = model.limits
    inside = ((result.q >= lower) & (result.q <= upper)).all()
    return bool(inside) and max(pose_distance(model.forward(result.q), T)) <= CHECK


def pose_distance(A: FloatArray, B: FloatArray) -> tuple[float, float]:
    """Return the distance [m] and the angle [rad] between two poses."""
    R = A[:3, :3].T @ B[:3, :3]
    skew = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    angle = np.arctan2(0.5 * np.linalg.norm(skew), 0.5 * (np.trace(R) - 1.0))
    return float(np.linalg.norm(A[:3, 3] - B[:3, 3])), float(angle)


def time_against_robotics_toolbox(settings: Settings) -> Iterator[Row]:
    """Time one solve from Python against the toolbox's compiled `ik_LM`.

    The toolbox gets a chain with merged constants (its fastest form), its default
    method and restarts, the same limits and the same poses. Its tolerance is on half
    the squared error; 1e-12 there is 1e-6 for position and rotation together.
    """
    rtb = find_peer("roboticstoolbox")
    for name in ARMS:
        row = f"lm_time_ratio_{name}"
        if rtb is None:
            yield Row(name=row, value=None, unit="x", note=missing_note("the toolbox"))
            continue
        model, rng = gelenk.load(name), settings.rng()
        count = settings.pick(2000, 250)
        targets = frame_pose(model, random_configuration(rng, model, count))
        chain = _toolbox_chain(rtb, model)
        ours, theirs = _paired_times(
            targets,
            model.inverse,
            lambda T, chain=chain: chain.ik_LM(T, tol=TOLERANCE**2),
        )
        some = [chain.ik_LM(T, tol=TOLERANCE**2).success for T in targets[:250]]
        share = np.mean(some)
        yield Row(
            name=row,
            value=ours / theirs,
            unit="x",
            target=FASTER,
            peers={"roboticstoolbox": 1.0},
            note=f"medians: ours {1e6 * ours:.1f} us, toolbox {1e6 * theirs:.1f} us "
            f"(solves {100.0 * share:.1f} %), {count} poses",
        )


def closed_form(settings: Settings) -> Iterator[Row]:
    """Check all branches of closed solutions and time them against EAIK."""
    count = settings.pick(2000, 250)
    for name in (*CLOSED_ARMS, *SLIDING_ARMS):
        model, rng = gelenk.load(name), settings.rng()
        q = random_configuration(rng, model, count)
        targets = frame_pose(model, q)
        worst, recovered, branches = _closed_quality(model, q, targets)
        yield Row(
            name=f"closed_error_{name}",
            value=worst if recovered == count else float("inf"),
            unit="m, rad",
            target=CLOSED_EXACT,
            note=f"{branches / count:.1f} branches on average within limits; the drawn "
            f"configuration was among them in {recovered} of {count}",
        )
    hp = find_peer("eaik.IK_HP")
    for name in CLOSED_ARMS:
        row = f"closed_time_ratio_{name}"
        if hp is None:
            yield Row(name=row, value=None, unit="x", note=missing_note("EAIK"))
            continue
        model, rng = gelenk.load(name), settings.rng()
        targets = frame_pose(model, random_configuration(rng, model, count))
        robot, R_tool = _eaik_robot(hp, model)
        turned = targets.copy()
        turned[:, :3, :3] = targets[:, :3, :3] @ R_tool.T
        ours, theirs = _paired_times(
            targets,
            lambda T, model=model: model.inverse(T, method="closed"),
            robot.IK,
            turned,
        )
        yield Row(
            name=row,
            value=ours / theirs,
            unit="x",
            target=CLOSED_TIME,
            peers={"eaik": 1.0},
            note=f"medians: ours {1e6 * ours:.1f} us (limits and check included), EAIK "
            f"{1e6 * theirs:.1f} us, all branches, {count} poses",
        )


def _closed_quality(
    model: RobotModel, q: FloatArray, targets: FloatArray
) -> tuple[float, int, int]:
    """Return the worst error, how often q was found, and the number of branches."""
    worst, recovered, branches = 0.0, 0, 0
    for values, T in zip(q, targets, strict=True):
        result = model.inverse(T, method="closed")
        if not result.converged:
            continue
        for branch in result.solutions:
            worst = max(worst, *pose_distance(model.forward(branch), T))
        difference = np.abs(np.sin(0.5 * (result.solutions - values))).max(axis=1)
        recovered += bool(difference.min() < 1e-6)
        branches += len(result.solutions)
    return worst, recovered, branches


def _paired_times(
    targets: FloatArray,
    ours: Callable[[FloatArray], object],
    theirs: Callable[[FloatArray], object],
    their_targets: FloatArray | None = None,
) -> tuple[float, float]:
    """Return the median time [s] of both solvers over the same poses, taking turns."""
    other = targets if their_targets is None else their_targets
    for T, U in zip(targets[:3], other[:3], strict=True):
        ours(T)
        theirs(U)
    times: tuple[list[int], list[int]] = ([], [])
    clock = time.perf_counter_ns
    with without_garbage_collection():
        for k, (T, U) in enumerate(zip(targets, other, strict=True)):
            for side in (0, 1) if k % 2 else (1, 0):
                if side == 0:
                    start = clock()
                    ours(T)
                    times[0].append(clock() - start)
                else:
                    start = clock()
                    theirs(U)
                    times[1].append(clock() - start)
    return 1e-9 * median(times[0]), 1e-9 * median(times[1])


def _toolbox_chain(rtb: Any, model: RobotModel) -> Any:
    """Return the arm as the toolbox's elementary transforms, constants merged."""
    chain = frame_chain(model)
    ets = rtb.ETS()
    for row in chain[:-1]:
        ets = ets * rtb.ET.SE3(_placement(row)) * rtb.ET.Rz()
    ets = ets * rtb.ET.SE3(_placement(chain[-1]))
    ets.qlim = model.limits
    return ets


def _eaik_robot(hp: Any, model: RobotModel) -> tuple[Any, FloatArray]:
    """Return the arm as EAIK's axes and offsets at q = 0, and the tool's rotation."""
    chain = frame_chain(model)
    assert (chain[:-1, CHAIN_INDEX] == np.arange(len(chain) - 1)).all()
    T, points, axes = np.eye(4), [np.zeros(3)], []
    for row in chain[:-1]:
        T = T @ _placement(row)
        points.append(T[:3, 3])
        axes.append(T[:3, 2])
    T = T @ _placement(chain[-1])
    points.append(T[:3, 3])
    return hp.HPRobot(np.array(axes), np.diff(points, axis=0)), T[:3, :3]


def _placement(row: FloatArray) -> FloatArray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = row[:9].reshape(3, 3), row[9:12]
    return T
