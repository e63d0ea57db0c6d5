"""Levenberg-Marquardt inverse kinematics along one chain, from many starts.

The damping follows the error (Sugihara, Solvability-unconcerned inverse kinematics by
the Levenberg-Marquardt method, IEEE T-RO 2011): lambda = factor * |e|^2 + floor, which needs no trial steps
and still converges quadratically. Limits are an active set: a joint on its limit
that wants to leave the range is frozen for the step.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.core.kernels.chain import chain_pose, chain_pose_jacobian
from gelenk.core.kernels.compile import kernel
from gelenk.core.kernels.linear import solve_spd6
from gelenk.core.kernels.tuples import add, cross, dot, norm, put, scaled, sub, vec

# Entries of the options array.
POSITION_TOL, ROTATION_TOL, MAX_ITERATIONS, MAX_STARTS = 0, 1, 2, 3
TASK, HAS_START, WEIGHT, SCALE, WEIGHTED = 4, 5, 6, 12, 13  # SCALE: 2 / reach [1/m]
NUM_OPTIONS = 14

# Tasks
POSE, POSITION, AXIS, POSITION_AXIS, ROTATION = 0, 1, 2, 3, 4

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
def rotation_error(R, target):
    """Return log(R_d R^T) as a rotation vector in base axes; R_d starts at target[0]."""
    # E = R_d R^T; only its skew part and trace are needed away from half a turn.
    e00 = target[0] * R[0] + target[1] * R[1] + target[2] * R[2]
    e11 = target[3] * R[3] + target[4] * R[4] + target[5] * R[5]
    e22 = target[6] * R[6] + target[7] * R[7] + target[8] * R[8]
    e10 = target[3] * R[0] + target[4] * R[1] + target[5] * R[2]
    e20 = target[6] * R[0] + target[7] * R[1] + target[8] * R[2]
    e21 = target[6] * R[3] + target[7] * R[4] + target[8] * R[5]
    e01 = target[0] * R[3] + target[1] * R[4] + target[2] * R[5]
    e02 = target[0] * R[6] + target[1] * R[7] + target[2] * R[8]
    e12 = target[3] * R[6] + target[4] * R[7] + target[5] * R[8]
    v = (0.5 * (e21 - e12), 0.5 * (e02 - e20), 0.5 * (e10 - e01))
    cosine = 0.5 * (e00 + e11 + e22 - 1.0)
    sine = norm(v)
    if sine < 1e-7:
        if cosine > 0.0:
            return v
        # Half a turn: the axis is the largest column of E + 1.
        if e00 >= e11 and e00 >= e22:
            axis = (e00 + 1.0, e10, e20)
        elif e11 >= e22:
            axis = (e01, e11 + 1.0, e21)
        else:
            axis = (e02, e12, e22 + 1.0)
        return scaled(math.pi / norm(axis), axis)
    return scaled(math.atan2(sine, cosine) / sine, v)


@kernel
def axis_error(R, target):
    """Return the rotation vector that turns the frame's z onto the target's z."""
    z, wanted = (R[2], R[5], R[8]), (target[2], target[5], target[8])
    v = cross(z, wanted)
    sine, cosine = norm(v), dot(z, wanted)
    if sine < 1e-12:
        if cosine > 0.0:
            return v
        # Opposite: any perpendicular axis will do.
        v = cross(z, (1.0, 0.0, 0.0) if abs(z[0]) < 0.8 else (0.0, 1.0, 0.0))
        return scaled(math.pi / norm(v), v)
    return scaled(math.atan2(sine, cosine) / sine, v)


@kernel
def task_error(chain, target, options, q, S):
    """Write the joint twists of the weighted task; return its error and its size.

    Returns:
        Weighted linear and angular error, and the unweighted norms [m] and [rad].
    """
    R, p = chain_pose_jacobian(chain, q, S)
    task = int(options[TASK])
    d = (target[9] - p[0], target[10] - p[1], target[11] - p[2])
    if task == POSE:
        v = rotation_error(R, target)
        if options[WEIGHTED] == 0.0:
            return d, v, norm(d), norm(v)
    else:
        d, v = _partial_task(task, target, R, d, S)
    used_d = used_v = (0.0, 0.0, 0.0)
    w_d, w_v = (
        (options[6], options[7], options[8]),
        (options[9], options[10], options[11]),
    )
    # A component of weight 0 is no part of the task, whatever its error.
    used_d = (
        d[0] if w_d[0] > 0.0 else 0.0,
        d[1] if w_d[1] > 0.0 else 0.0,
        d[2] if w_d[2] > 0.0 else 0.0,
    )
    used_v = (
        v[0] if w_v[0] > 0.0 else 0.0,
        v[1] if w_v[1] > 0.0 else 0.0,
        v[2] if w_v[2] > 0.0 else 0.0,
    )
    for k in range(S.shape[0]):
        for c in range(6):
            S[k, c] *= options[WEIGHT + c]
    d = (w_d[0] * d[0], w_d[1] * d[1], w_d[2] * d[2])
    v = (w_v[0] * v[0], w_v[1] * v[1], w_v[2] * v[2])
    return d, v, norm(used_d), norm(used_v)


@kernel
def _partial_task(task, target, R, d, S):
    """Return the error of a task other than the full pose; clear S where it is free."""
    zero = (0.0, 0.0, 0.0)
    v = zero
    if task == ROTATION:
        v = rotation_error(R, target)
    elif task != POSITION:
        v = axis_error(R, target)
    if task == AXIS or task == ROTATION:
        d = zero
    z = (R[2], R[5], R[8])
    for k in range(S.shape[0]):
        if task == AXIS or task == ROTATION:
            put(S, k, 0, zero)
        if task == POSITION:
            put(S, k, 3, zero)
        elif task != ROTATION:
            # Turning about the axis itself is free.
            omega = vec(S, k, 3)
            put(S, k, 3, sub(omega, scaled(dot(omega, z), z)))
    return d, v


@kernel
def plus_outer_sym(A, v):
    """Return A + v v^T of a symmetric matrix."""
    return (
        A[0] + v[0] * v[0], A[1] + v[0] * v[1], A[2] + v[0] * v[2],
        A[3] + v[1] * v[1], A[4] + v[1] * v[2], A[5] + v[2] * v[2],
    )  # fmt: skip


@kernel
def plus_outer(B, v, w):
    """Return B + v w^T, row-major."""
    return (
        B[0] + v[0] * w[0], B[1] + v[0] * w[1], B[2] + v[0] * w[2],
        B[3] + v[1] * w[0], B[4] + v[1] * w[1], B[5] + v[1] * w[2],
        B[6] + v[2] * w[0], B[7] + v[2] * w[1], B[8] + v[2] * w[2],
    )  # fmt: skip


@kernel
def damped_solve(S, d, v, damping):
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
def damped_step(S, d, v, damping, q, limits, step):
    """Write the damped least-squares step with joints on active limits frozen."""
    for k in range(S.shape[0]):
        pull = dot(vec(S, k, 0), d) + dot(vec(S, k, 3), v)
        if (pull > 0.0 and q[k] >= limits[1, k] - EDGE) or (
            pull < 0.0 and q[k] <= limits[0, k] + EDGE
        ):
            for c in range(6):
                S[k, c] = 0.0
    y_d, y_v = damped_solve(S, d, v, damping)
    for k in range(S.shape[0]):
        step[k] = dot(vec(S, k, 0), y_d) + dot(vec(S, k, 3), y_v)


@kernel
def advance(q, step, limits):
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
def descend(chain, target, options, limits, patience, q, S, step, report):
    """Run one descent from q in place; return True if the tolerances are met.

    Gives up early when the error has not halved within `patience` iterations: another
    start is cheaper than a slow one.
    """
    tol_p, tol_r = options[POSITION_TOL], options[ROTATION_TOL]
    mark = np.inf
    for i in range(int(options[MAX_ITERATIONS])):
        d, v, err_p, err_r = task_error(chain, target, options, q, S)
        report[ERR_POSITION], report[ERR_ROTATION] = err_p, err_r
        if err_p <= tol_p and err_r <= tol_r:
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
def nearest_seed(target, options, seed_poses, used):
    """Return the unused seed whose pose is nearest to the target; marks it used."""
    w = options[SCALE]
    task = int(options[TASK])
    wp = 0.0 if task == AXIS or task == ROTATION else w * w
    wr = 0.0 if task == POSITION else 0.5
    by_axis = task == AXIS or task == POSITION_AXIS
    best, best_cost = -1, np.inf
    for s in range(seed_poses.shape[1]):
        x = seed_poses[9, s] - target[9]
        y = seed_poses[10, s] - target[10]
        z = seed_poses[11, s] - target[11]
        same = 0.0
        for c in range(2, 9, 3):
            same += seed_poses[c, s] * target[c]
        if not by_axis:
            for c in range(0, 9, 3):
                same += seed_poses[c, s] * target[c]
                same += seed_poses[c + 1, s] * target[c + 1]
        cost = wp * (x * x + y * y + z * z) - wr * same
        if cost < best_cost and not used[s]:
            best, best_cost = s, cost
    if best >= 0:
        used[best] = True
    return best


@kernel
def is_beyond_reach(target, options):
    """Return whether the task asks for a position farther than the arm is long."""
    task = int(options[TASK])
    if task == AXIS or task == ROTATION:
        return False
    square = 0.0
    for c in range(3):
        if options[WEIGHT + c] == 0.0:
            return False
        square += target[9 + c] * target[9 + c]
    reach = 2.0 / options[SCALE] + options[POSITION_TOL]
    return square > reach * reach


@kernel
def solve_chain(chain, target, options, limits, q0, seeds, seed_poses, best, report):
    """Search for joint values that meet the target; the best go into `best`.

    Starts: q0 if wanted, then seeds in the order of their distance to the target.
    """
    n = q0.shape[0]
    S, q, step = np.empty((n, 6)), np.empty(n), np.empty(n)
    report[ITERATIONS] = 0.0
    missed = NOT_FOUND
    max_starts = int(options[MAX_STARTS])
    if is_beyond_reach(target, options):
        missed = BEYOND_REACH
        max_starts = min(max_starts, FEW_STARTS)
    lowest = np.inf
    used = np.zeros(0, dtype=np.bool_)
    for start in range(max_starts):
        if start == 0 and options[HAS_START] != 0.0:
            q[:] = q0
        else:
            if used.shape[0] == 0:
                used = np.zeros(seeds.shape[0], dtype=np.bool_)
            s = nearest_seed(target, options, seed_poses, used)
            if s < 0:
                break
            for k in range(n):
                q[k] = seeds[s, k]
        report[STARTS] = start + 1.0
        patience = PATIENCE + start // HARD_CASE
        found = descend(chain, target, options, limits, patience, q, S, step, report)
        cost = report[ERR_POSITION] * options[SCALE] + report[ERR_ROTATION]
        if found or cost < lowest or start == 0:
            lowest = cost
            best[:] = q
            err_p, err_r = report[ERR_POSITION], report[ERR_ROTATION]
        if found:
            return FOUND
    report[ERR_POSITION], report[ERR_ROTATION] = err_p, err_r
    return missed


@kernel
def unpack(pack):
    """Return chain, limits, seeds and seed poses from the array made by `pack_problem`.

    One array instead of four: unboxing an argument costs as much as a quarter iteration.
    """
    rows, n, count = int(pack[0]), int(pack[1]), int(pack[2])
    a = 3 + rows * 16
    b = a + 2 * n
    c = b + count * n
    return (
        pack[3:a].reshape(rows, 16),
        pack[a:b].reshape(2, n),
        pack[b:c].reshape(count, n),
        pack[c : c + 12 * count].reshape(12, count),
    )


@kernel
def solve_pose(pack, T, options, q0, best, report):
    """Call `solve_chain` for a pose matrix; return how it ended."""
    chain, limits, seeds, seed_poses = unpack(pack)
    target = np.empty(12)
    for r in range(3):
        for c in range(3):
            target[3 * r + c] = T[r, c]
        target[9 + r] = T[r, 3]
    for r in range(3):
        for s in range(r + 1):
            product = 0.0
            for c in range(3):
                product += T[r, c] * T[s, c]
            if not abs(product - (1.0 if r == s else 0.0)) < 1e-6:
                return NOT_A_POSE
        if not abs(T[r, 3]) < 1e12:
            return NOT_A_POSE
    return solve_chain(
        chain, target, options, limits, q0, seeds, seed_poses, best, report
    )


@kernel
def seed_table(chain, seeds, seed_poses):
    """Write the pose of each seed as a column [R row-major, p]."""
    for s in range(seeds.shape[0]):
        R, p = chain_pose(chain, seeds[s])
        for c in range(9):
            seed_poses[c, s] = R[c]
        for c in range(3):
            seed_poses[9 + c, s] = p[c]


@kernel
def approach_preference(chain, T, options, limits, wanted, q, report):
    """Move q towards `wanted` without leaving the task, in place.

    Each step is the wish projected onto the null space of the task Jacobian plus a
    correction of the task error; a step that does not come nearer is halved.
    """
    n = q.shape[0]
    target = np.empty(12)
    for r in range(3):
        for c in range(3):
            target[3 * r + c] = T[r, c]
        target[9 + r] = T[r, 3]
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
    err_p, err_r = task_error(chain, target, options, q, S)[2:]
    report[ERR_POSITION], report[ERR_ROTATION] = err_p, err_r


@kernel
def _project_out(S, step):
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
