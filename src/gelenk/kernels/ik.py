"""Levenberg-Marquardt inverse kinematics along one chain, from many starts.

The damping follows the error (Sugihara, Solvability-unconcerned inverse kinematics by
the Levenberg-Marquardt method, IEEE T-RO 2011): lambda = factor * |e|^2 + floor, which
needs no trial steps and still converges quadratically. Limits are an active set: a
joint on its limit that wants to leave the range is frozen for the step.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.chain import COLS as CHAIN_COLS
from gelenk.kernels.compile import kernel
from gelenk.kernels.ik_task import (
    AXIS,
    HAS_START,
    MAX_ITERATIONS,
    MAX_STARTS,
    NUM_OPTIONS,
    POSE,
    POSITION_TOL,
    ROTATION,
    ROTATION_TOL,
    SCALE,
    TASK,
    WEIGHT,
    align_ends,
    cheapest,
    costs_by_features,
    costs_by_pose,
    end_features,
    task_error,
)
from gelenk.kernels.linear import solve_spd6
from gelenk.kernels.tuples import add, dot, scaled, vec
from gelenk.typing import FloatArray, Mat3, Vec3, Vec6

# Entries of the report array.
ERR_POSITION, ERR_ROTATION, ITERATIONS, STARTS = 0, 1, 2, 3

# What `solve_pose` returns.
FOUND, NOT_FOUND, BEYOND_REACH, NOT_A_POSE = 0, 1, 2, 3
FEW_STARTS = 4  # to find a good nearest configuration for such a target

DAMPING = 0.05  # of the squared error; smaller is bolder far from the target
FLOOR = 1e-12  # keeps the system definite at the target
PATIENCE = 3  # iterations after which the error must have halved, at first
HARD_CASE = 8  # starts after which the patience grows by one
TWO_PI = 2.0 * math.pi
MAX_SLIDE = 0.3  # [rad] or [m] per step towards a preference
EDGE = 1e-12  # a value this close to a limit lies on it


@kernel
def plus_outer_sym(A: Vec6, v: Vec3) -> Vec6:
    """Return A + v v^T of a symmetric matrix."""
    return (
        A[0] + v[0] * v[0], A[1] + v[0] * v[1], A[2] + v[0] * v[2],
        A[3] + v[1] * v[1], A[4] + v[1] * v[2], A[5] + v[2] * v[2],
    )  # fmt: skip


@kernel
def plus_outer(B: Mat3, v: Vec3, w: Vec3) -> Mat3:
    """Return B + v w^T, row-major."""
    return (
        B[0] + v[0] * w[0], B[1] + v[0] * w[1], B[2] + v[0] * w[2],
        B[3] + v[1] * w[0], B[4] + v[1] * w[1], B[5] + v[1] * w[2],
        B[6] + v[2] * w[0], B[7] + v[2] * w[1], B[8] + v[2] * w[2],
    )  # fmt: skip


@kernel
def damped_solve(S: FloatArray, d: Vec3, v: Vec3, damping: float) -> tuple[Vec3, Vec3]:
    """Solve (S^T S + damping) y = [d; v], the normal equations in task space."""
    A = C = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    B = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for k in range(S.shape[0]):
        lin, ang = vec(S, k, 0), vec(S, k, 3)
        A, B, C = (
            plus_outer_sym(A, lin),
            plus_outer(B, lin, ang),
            plus_outer_sym(C, ang),
        )
    return solve_spd6(A, B, C, damping, d, v)


@kernel
def damped_step(
    S: FloatArray,
    d: Vec3,
    v: Vec3,
    damping: float,
    q: FloatArray,
    limits: FloatArray,
    step: FloatArray,
) -> None:
    """Write the damped least-squares step with joints on active limits frozen."""
    A = C = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    B = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for k in range(S.shape[0]):
        lin, ang = vec(S, k, 0), vec(S, k, 3)
        pull = dot(lin, d) + dot(ang, v)
        if (pull > 0.0 and q[k] >= limits[1, k] - EDGE) or (
            pull < 0.0 and q[k] <= limits[0, k] + EDGE
        ):
            for c in range(6):
                S[k, c] = 0.0
        else:
            A, C = plus_outer_sym(A, lin), plus_outer_sym(C, ang)
            B = plus_outer(B, lin, ang)
    y_d, y_v = solve_spd6(A, B, C, damping, d, v)
    for k in range(S.shape[0]):
        step[k] = dot(vec(S, k, 0), y_d) + dot(vec(S, k, 3), y_v)


@kernel
def advance(q: FloatArray, step: FloatArray, limits: FloatArray) -> None:
    """Add a step, turning full-circle joints back and stopping others at limits."""
    for k in range(q.shape[0]):
        value = q[k] + step[k]
        low, high = limits[0, k], limits[1, k]
        if value > high or value < low:
            if high - low >= TWO_PI:
                turns = math.floor((value - low) / TWO_PI)
                value -= turns * TWO_PI
            value = min(max(value, low), high)
        q[k] = value


@kernel
def descend(
    chain: FloatArray,
    target: FloatArray,
    options: FloatArray,
    limits: FloatArray,
    patience: int,
    q: FloatArray,
    S: FloatArray,
    step: FloatArray,
    report: FloatArray,
) -> bool:
    """Run one descent from q in place; return True if the tolerances are met.

    Gives up early when the error has not halved within `patience` iterations: another
    start is cheaper than a slow one. The report gets the squares of the errors.
    """
    tol_p, tol_r = options[POSITION_TOL] ** 2, options[ROTATION_TOL] ** 2
    mark = np.inf
    for i in range(int(options[MAX_ITERATIONS])):
        d, v, square_p, square_r = task_error(chain, target, options, q, S)
        report[ERR_POSITION], report[ERR_ROTATION] = square_p, square_r
        if square_p <= tol_p and square_r <= tol_r:
            return True
        square = dot(d, d) + dot(v, v)
        if not square < np.inf:
            return False
        if i % patience == 0:
            if square > 0.25 * mark:
                return False
            mark = square
        damped_step(S, d, v, DAMPING * square + FLOOR, q, limits, step)
        advance(q, step, limits)
        report[ITERATIONS] += 1.0
    return False


@kernel
def is_beyond_reach(target: FloatArray, options: FloatArray) -> bool:
    """Return whether the task asks for a position farther than the arm is long."""
    task = int(options[TASK])
    if task in (AXIS, ROTATION):
        return False
    square = 0.0
    for c in range(3):
        if options[WEIGHT + c] == 0.0:
            return False
        square += target[9 + c] * target[9 + c]
    reach = 2.0 / options[SCALE] + options[POSITION_TOL]
    return square > reach * reach


@kernel
def solve_chain(
    chain: FloatArray,
    target: FloatArray,
    options: FloatArray,
    limits: FloatArray,
    q0: FloatArray,
    seeds: FloatArray,
    seed_poses: FloatArray,
    features: FloatArray,
    best: FloatArray,
    report: FloatArray,
) -> int:
    """Search for joint values that meet the target; the best go into `best`.

    Starts: q0 if wanted, then seeds in the order of their distance to the target.
    """
    n = q0.shape[0]
    # One allocation for all work space: six would cost as much as half an iteration.
    work = np.empty(8 * n + 6 + seeds.shape[0])
    S, q, step = work[: 6 * n].reshape(n, 6), work[6 * n : 7 * n], work[7 * n : 8 * n]
    wanted, costs = work[8 * n : 8 * n + 6], work[8 * n + 6 :]
    report[ITERATIONS] = 0.0
    missed = NOT_FOUND
    max_starts = int(options[MAX_STARTS])
    if is_beyond_reach(target, options):
        missed = BEYOND_REACH
        max_starts = min(max_starts, FEW_STARTS)
    lowest = err_p = err_r = np.inf
    found = False
    by_features = features.shape[1] > 0 and options[TASK] == POSE
    is_costed = False
    for start in range(max_starts):
        if start == 0 and options[HAS_START] != 0.0:
            q[:] = q0
        else:
            if not is_costed:
                is_costed = True
                if by_features:
                    end_features(chain, target, wanted)
                    costs_by_features(options, wanted, features, costs)
                else:
                    costs_by_pose(options, target, seed_poses, costs)
            s = cheapest(costs)
            if s < 0:
                break
            for k in range(n):
                q[k] = seeds[s, k]
            if by_features:
                azimuth = wanted[5] - features[5, s]
                align_ends(chain, target, limits, azimuth, seed_poses, s, q)
        report[STARTS] = start + 1.0
        patience = PATIENCE + start // HARD_CASE
        found = descend(chain, target, options, limits, patience, q, S, step, report)
        cost = report[ERR_POSITION] * options[SCALE] ** 2 + report[ERR_ROTATION]
        if found or cost < lowest or start == 0:
            lowest = cost
            best[:] = q
            err_p, err_r = report[ERR_POSITION], report[ERR_ROTATION]
        if found:
            break
    report[ERR_POSITION], report[ERR_ROTATION] = math.sqrt(err_p), math.sqrt(err_r)
    return FOUND if found else missed


@kernel
def unpack(
    pack: FloatArray,
) -> tuple[
    FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray
]:
    """Return options, start, chain, limits, seeds, their poses and features.

    One array instead of seven: unboxing an argument costs a quarter of an iteration.
    The features are empty if the chain does not begin and end with revolute joints.
    """
    rows, n, count, featured = int(pack[0]), int(pack[1]), int(pack[2]), int(pack[3])
    a = 4 + NUM_OPTIONS
    b = a + n
    c = b + rows * CHAIN_COLS
    d = c + 2 * n
    e = d + count * n
    f = e + 12 * count
    return (
        pack[4:a],
        pack[a:b],
        pack[b:c].reshape(rows, CHAIN_COLS),
        pack[c:d].reshape(2, n),
        pack[d:e].reshape(count, n),
        pack[e:f].reshape(12, count),
        pack[f : f + 6 * featured].reshape(6, featured),
    )


@kernel
def read_target(T: FloatArray, target: FloatArray) -> bool:
    """Write a pose matrix as [R row-major, p]; return whether it is a pose."""
    for r in range(3):
        for c in range(3):
            target[3 * r + c] = T[r, c]
        target[9 + r] = T[r, 3]
        for s in range(r + 1):
            product = T[r, 0] * T[s, 0] + T[r, 1] * T[s, 1] + T[r, 2] * T[s, 2]
            if not abs(product - (1.0 if r == s else 0.0)) < 1e-6:
                return False
        if not abs(T[r, 3]) < 1e12:
            return False
    return True


@kernel
def solve_pose(
    pack: FloatArray,
    T: FloatArray,
    options: FloatArray,
    start: FloatArray,
    best: FloatArray,
    report: FloatArray,
) -> int:
    """Call `solve_chain` for a pose matrix; return how it ended."""
    _, _, chain, limits, seeds, seed_poses, features = unpack(pack)
    target = np.empty(12)
    if not read_target(T, target):
        return NOT_A_POSE
    return solve_chain(
        chain, target, options, limits, start, seeds, seed_poses, features, best, report
    )


@kernel
def solve_pose_default(
    pack: FloatArray, T: FloatArray, best: FloatArray, report: FloatArray
) -> int:
    """Call `solve_chain` with the options and the start that are packed."""
    options, start, _, _, _, _, _ = unpack(pack)
    return solve_pose(pack, T, options, start, best, report)


@kernel
def approach_preference(
    chain: FloatArray,
    T: FloatArray,
    options: FloatArray,
    limits: FloatArray,
    wanted: FloatArray,
    q: FloatArray,
    report: FloatArray,
) -> None:
    """Move q towards `wanted` without leaving the task, in place.

    Each step is the wish projected onto the null space of the task Jacobian plus a
    correction of the task error; a step that does not come nearer is halved.
    """
    n = q.shape[0]
    target = np.empty(12)
    read_target(T, target)
    S, step, fix, trial = np.empty((n, 6)), np.empty(n), np.empty(n), q.copy()
    gain = 1.0
    distance = 0.0
    for k in range(n):
        distance += (wanted[k] - q[k]) ** 2
    for _ in range(200):
        task_error(chain, target, options, q, S)
        for k in range(n):
            step[k] = gain * (wanted[k] - q[k])
            if (step[k] > 0.0 and q[k] >= limits[1, k] - EDGE) or (
                step[k] < 0.0 and q[k] <= limits[0, k] + EDGE
            ):
                step[k] = 0.0
                for c in range(6):
                    S[k, c] = 0.0
        length = _project_out(S, step)
        if length < 1e-10:
            break
        for k in range(n):
            step[k] *= min(1.0, MAX_SLIDE / length)
        trial[:] = q
        advance(trial, step, limits)
        found = descend(chain, target, options, limits, 8, trial, S, fix, report)
        now = 0.0
        for k in range(n):
            now += (wanted[k] - trial[k]) ** 2
        if found and now < distance:
            gained = distance - now
            q[:] = trial
            distance = now
            gain = min(1.0, 2.0 * gain)
            if gained < 1e-16 + 1e-12 * distance:
                break
        else:
            gain *= 0.5
            if gain < 1e-6:
                break
    square_p, square_r = task_error(chain, target, options, q, S)[2:]
    report[ERR_POSITION], report[ERR_ROTATION] = (
        math.sqrt(square_p),
        math.sqrt(square_r),
    )


@kernel
def _project_out(S: FloatArray, step: FloatArray) -> float:
    """Remove from a step what the task feels; return the largest entry that stays."""
    d = v = (0.0, 0.0, 0.0)
    for k in range(step.shape[0]):
        d = add(d, scaled(step[k], vec(S, k, 0)))
        v = add(v, scaled(step[k], vec(S, k, 3)))
    y_d, y_v = damped_solve(S, d, v, FLOOR)
    largest = 0.0
    for k in range(step.shape[0]):
        step[k] -= dot(vec(S, k, 0), y_d) + dot(vec(S, k, 3), y_v)
        largest = max(largest, abs(step[k]))
    return largest
