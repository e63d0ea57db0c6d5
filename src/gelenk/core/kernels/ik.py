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
from gelenk.core.kernels.linear import solve_spd
from gelenk.core.kernels.tuples import cross, dot, norm, scaled

# Entries of the options array.
POSITION_TOL, ROTATION_TOL, MAX_ITERATIONS, MAX_STARTS = 0, 1, 2, 3
TASK, HAS_START, WEIGHT, SCALE = 4, 5, 6, 12  # SCALE: 2 / reach [1/m]
NUM_OPTIONS = 13

# Tasks
POSE, POSITION, AXIS, POSITION_AXIS, ROTATION = 0, 1, 2, 3, 4

# Entries of the report array.
ERR_POSITION, ERR_ROTATION, ITERATIONS, STARTS, FOUND = 0, 1, 2, 3, 4
BEYOND_REACH = -1.0  # value of FOUND: the target is farther than the arm is long
FEW_STARTS = 4  # to find a good nearest configuration for such a target

DAMPING = 0.3  # of the squared error; smaller is bolder far from the target
FLOOR = 1e-12  # keeps the system definite at the target
PATIENCE = 3  # iterations after which the error must have halved, at first
HARD_CASE = 8  # starts after which the patience grows by one
TWO_PI = 2.0 * math.pi
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
def task_error(chain, target, options, q, J, e):
    """Write weighted error and Jacobian of the task; return [m] and [rad] unweighted."""
    R, p = chain_pose_jacobian(chain, q, J)
    task = int(options[TASK])
    n = J.shape[1]
    d = (target[9] - p[0], target[10] - p[1], target[11] - p[2])
    if task == POSITION:
        v = (0.0, 0.0, 0.0)
    elif task == AXIS or task == POSITION_AXIS:
        v = axis_error(R, target)
        # Turning about the axis itself is free.
        for k in range(n):
            s = J[3, k] * R[2] + J[4, k] * R[5] + J[5, k] * R[8]
            J[3, k] -= s * R[2]
            J[4, k] -= s * R[5]
            J[5, k] -= s * R[8]
    else:
        v = rotation_error(R, target)
    if task == AXIS or task == ROTATION:
        d = (0.0, 0.0, 0.0)
    for c in range(3):
        e[c], e[3 + c] = d[c], v[c]
    square_p = square_r = 0.0
    for c in range(6):
        w = options[WEIGHT + c]
        # A component of weight 0 is no part of the task, whatever its error.
        if w != 0.0:
            if c < 3:
                square_p += e[c] * e[c]
            else:
                square_r += e[c] * e[c]
        if w != 1.0:
            e[c] *= w
            for k in range(n):
                J[c, k] *= w
    if task == POSITION or task == AXIS or task == ROTATION:
        first = 3 if task == POSITION else 0
        for c in range(first, first + 3):
            for k in range(n):
                J[c, k] = 0.0
    return math.sqrt(square_p), math.sqrt(square_r)


@kernel
def damped_step(J, e, damping, q, limits, K, y, step):
    """Write the damped least-squares step with joints on active limits frozen."""
    n = J.shape[1]
    for k in range(n):
        g = 0.0
        for c in range(6):
            g += J[c, k] * e[c]
        if (g > 0.0 and q[k] >= limits[1, k] - EDGE) or (
            g < 0.0 and q[k] <= limits[0, k] + EDGE
        ):
            for c in range(6):
                J[c, k] = 0.0
    for r in range(6):
        for c in range(r + 1):
            s = 0.0
            for k in range(n):
                s += J[r, k] * J[c, k]
            K[r, c] = s
        K[r, r] += damping
        y[r] = e[r]
    solve_spd(K, y)
    for k in range(n):
        s = 0.0
        for c in range(6):
            s += J[c, k] * y[c]
        step[k] = s


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
def descend(chain, target, options, limits, patience, q, J, K, e, y, step, report):
    """Run one descent from q in place; return True if the tolerances are met.

    Gives up early when the error has not halved within `patience` iterations: another
    start is cheaper than a slow one.
    """
    tol_p, tol_r = options[POSITION_TOL], options[ROTATION_TOL]
    mark = np.inf
    for i in range(int(options[MAX_ITERATIONS])):
        err_p, err_r = task_error(chain, target, options, q, J, e)
        report[ERR_POSITION], report[ERR_ROTATION] = err_p, err_r
        if err_p <= tol_p and err_r <= tol_r:
            return True
        square = 0.0
        for c in range(6):
            square += e[c] * e[c]
        if not square < np.inf:
            return False
        if i % patience == 0:
            if square > 0.25 * mark:
                return False
            mark = square
        damped_step(J, e, DAMPING * square + FLOOR, q, limits, K, y, step)
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
    J, K = np.empty((6, n)), np.empty((6, 6))
    q, e, y, step = np.empty(n), np.empty(6), np.empty(6), np.empty(n)
    report[ITERATIONS] = 0.0
    report[FOUND] = 0.0
    max_starts = int(options[MAX_STARTS])
    if is_beyond_reach(target, options):
        report[FOUND] = BEYOND_REACH
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
        found = descend(
            chain, target, options, limits, patience, q, J, K, e, y, step, report
        )
        cost = report[ERR_POSITION] * options[SCALE] + report[ERR_ROTATION]
        if found or cost < lowest or start == 0:
            lowest = cost
            best[:] = q
            err_p, err_r = report[ERR_POSITION], report[ERR_ROTATION]
        if found:
            report[FOUND] = 1.0
            return
    report[ERR_POSITION], report[ERR_ROTATION] = err_p, err_r


@kernel
def solve_pose(chain, T, options, limits, q0, seeds, seed_poses, best, report):
    """Call `solve_chain` for a pose matrix; return False if it is not a pose."""
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
                return False
        if not abs(T[r, 3]) < 1e12:
            return False
    solve_chain(chain, target, options, limits, q0, seeds, seed_poses, best, report)
    return True


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
    J, K = np.empty((6, n)), np.empty((6, 6))
    e, y, step = np.empty(6), np.empty(6), np.empty(n)
    trial, fix = q.copy(), np.empty(n)
    gain = 1.0
    distance = 0.0
    for k in range(n):
        distance += (wanted[k] - q[k]) ** 2
    for _ in range(200):
        task_error(chain, target, options, q, J, e)
        for k in range(n):
            step[k] = gain * (wanted[k] - q[k])
            frozen = (step[k] > 0.0 and q[k] >= limits[1, k] - EDGE) or (
                step[k] < 0.0 and q[k] <= limits[0, k] + EDGE
            )
            if frozen:
                step[k] = 0.0
                for c in range(6):
                    J[c, k] = 0.0
        _project_out(J, step, K, y)
        length = 0.0
        for k in range(n):
            length = max(length, abs(step[k]))
        if length < 1e-10:
            break
        scale = min(1.0, 0.3 / length)
        for k in range(n):
            step[k] *= scale
        trial[:] = q
        advance(trial, step, limits)
        found = descend(
            chain, target, options, limits, 8, trial, J, K, e, y, fix, report
        )
        now = 0.0
        for k in range(n):
            now += (wanted[k] - trial[k]) ** 2
        if found and now < distance:
            improved = distance - now
            q[:] = trial
            distance = now
            gain = min(1.0, 2.0 * gain)
            if improved < 1e-16 + 1e-12 * distance:
                break
        else:
            gain *= 0.5
            if gain < 1e-6:
                break
    err_p, err_r = task_error(chain, target, options, q, J, e)
    report[ERR_POSITION], report[ERR_ROTATION] = err_p, err_r


@kernel
def _project_out(J, step, K, y):
    """Remove from a step what the task feels: step -= J^+ J step."""
    n = step.shape[0]
    for r in range(6):
        for c in range(r + 1):
            s = 0.0
            for k in range(n):
                s += J[r, k] * J[c, k]
            K[r, c] = s
        K[r, r] += FLOOR
        s = 0.0
        for k in range(n):
            s += J[r, k] * step[k]
        y[r] = s
    solve_spd(K, y)
    for k in range(n):
        s = 0.0
        for c in range(6):
            s += J[c, k] * y[c]
        step[k] -= s
