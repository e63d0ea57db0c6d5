"""Four ways of inverse kinematics against each other on one target.

Each starts at the same motor values. Its way is what it knew after so many tries of the
forward kinematics: the smallest distance from the target so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.errors import LoopError
from gelenk.kinematics.inverse import solve_inverse
from gelenk.robots.armbot.config import IK_TOLERANCE
from gelenk.robots.armbot.design import RobotDesign
from gelenk.robots.armbot.interface.kinematics import DirectKinematics, InverseResult
from gelenk.robots.armbot.inverse import ClosedInverse, JacobianInverse, SimplexInverse
from gelenk.robots.armbot.inverse.iterative import IterativeInverse
from gelenk.robots.armbot.inverse.target import (
    ROTATION_TOLERANCE,
    Target,
    error_sizes,
)
from gelenk.robots.armbot.kinematics import make_direct, methods_of
from gelenk.robots.armbot.workbench.arms import find_design, read_q
from gelenk.robots.armbot.workbench.fields import (
    FieldError,
    as_numbers,
    check_fields,
    quoted,
)
from gelenk.robots.armbot.workbench.looks import describe_poses
from gelenk.robots.armbot.workbench.race_way import (
    Point,
    TimeUpError,
    WatchedKinematics,
    Way,
    residual_of,
)
from gelenk.runtime.files import as_plain
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.spatial.se3 import is_pose
from gelenk.typing import FloatArray

METHODS = ("closed", "down", "jac", "lm")
TITLES = {
    "closed": "Closed form",
    "down": "Downhill simplex",
    "jac": "Jacobian",
    "lm": "Levenberg-Marquardt",
}
MAX_SECONDS = 0.25  # of its thread that one method may take, however busy others are
MAX_POINTS = 300  # of a way
REPEATS = 6  # of a quick solve, for its time
TIMING = 0.05  # [s] that may be spent on that
NUM_LOOP_STARTS = 4  # of the core's method for closed chains, which nothing can stop
LM_STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 26, 34, 46, 60)
LM_STARTS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 200)


def race(value: dict[str, Any]) -> dict[str, Any]:
    """Let all methods bring an arm's mount to a target.

    Args:
        value: `arm` or `rows`, see `arms.find_design`; `target` in the body frame: x,
            y, z [m], or with qw, qx, qy, qz behind, or a pose of four rows; `q_start`:
            motor values, by default those of home.

    Returns:
        `task`: "position" or "pose"; `start`: poses and residual at the start;
        `entries`, one per method: name, title, `has_method`, `ok`, `status`, `q`,
        `error` [m], `rotation_error` [rad], `iterations`, `tries`, `starts`, `time_us`
        of the thread,
        `path`: tries, residual [m] and mount x, y, z [m]; `poses` of the links.
    """
    check_fields(value, ("arm", "rows", "target", "q_start"))
    design = find_design(value)
    target = read_target(value.get("target"))
    arm = design.arm
    start = read_q(value, "q_start", arm.home_configuration, arm.limits)
    poses = describe_poses(arm, start)  # refuses chains that are open at the start
    return {
        "task": "position" if target.R is None else "pose",
        "start": {
            "q": start.tolist(),
            "poses": poses,
            "residual": residual_of(target, make_direct(design).pose(start)),
        },
        "entries": [_enter(design, method, target, start) for method in METHODS],
    }


def read_target(value: object) -> Target:
    """Return a target: a position, or a pose as seven numbers or four rows.

    Raises:
        FieldError: If it is none of these.
    """
    what = "a position of 3 numbers [m], or with a quaternion 7, or a pose of 4 rows"
    if isinstance(value, list | tuple) and len(value) == 4:
        T = np.array([as_numbers("target", row, 4, what) for row in value])
        if not is_pose(T):
            raise FieldError(
                "target", f"expected an orthonormal pose, got {quoted(value)}"
            )
        return Target(T[:3, 3], T[:3, :3])
    if isinstance(value, list | tuple) and len(value) == 7:
        numbers = as_numbers("target", value, 7, what)
        size = float(np.linalg.norm(numbers[3:]))
        if not 0.5 < size < 2.0:
            raise FieldError(
                "target", f"expected a quaternion of length 1, got one of {size:g}"
            )
        return Target(numbers[:3], matrix_from_quaternion(numbers[3:] / size))
    return Target(as_numbers("target", value, 3, what), None)


# -- one method ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Finish:
    """How a method ended; `is_late`: it was stopped."""

    result: InverseResult
    points: list[Point]
    num_tries: int
    seconds: float
    is_late: bool = False
    note: str = ""


def _enter(
    design: RobotDesign, method: str, target: Target, start: FloatArray
) -> dict[str, Any]:
    entry: dict[str, Any] = {"method": method, "title": TITLES[method]}
    is_closed = method == "closed"
    if is_closed and "closed" not in methods_of(design):
        return entry | {"has_method": False, "status": "no formula for this arm"}
    if is_closed and target.R is not None and not design.manipulator.has_own_wrist:
        return entry | {"has_method": False, "status": "no formula for poses"}
    if method == "lm":
        finish = _finish_lm(design, target, start)
    else:
        finish = _finish_watched(design, method, target, start)
    result = finish.result
    return entry | {
        "has_method": True,
        "ok": result.ok,
        "status": _status(finish),
        "q": result.q.tolist(),
        "error": as_plain(result.error),
        "rotation_error": as_plain(result.rotation_error),
        "iterations": None if finish.is_late else result.iterations,
        "tries": finish.num_tries,
        "starts": result.starts,
        "time_us": round(1e6 * finish.seconds, 1),
        "path": _thinned(finish.points),
        "poses": describe_poses(design.arm, result.q),
    }


def _status(finish: _Finish) -> str:
    if finish.is_late:
        return "stopped"
    if finish.result.ok:
        starts = finish.result.starts
        return "reached" if starts == 1 else f"reached, start {starts}"
    return finish.note or "not reached"


def _finish_watched(
    design: RobotDesign, method: str, target: Target, start: FloatArray
) -> _Finish:
    direct = make_direct(design)
    way = Way(target, time.thread_time() + MAX_SECONDS)
    watched = WatchedKinematics(direct, way)
    began = time.thread_time()
    try:
        result = _solver(design, method, watched, watched.linearise)(target, start)
    except TimeUpError:
        assert way.q is not None
        distance, angle = error_sizes(target.error(direct.pose(way.q)))
        result = InverseResult(
            q=way.q,
            ok=distance <= IK_TOLERANCE and angle <= ROTATION_TOLERANCE,
            error=distance,
            rotation_error=angle,
            method=method,
        )
        seconds = time.thread_time() - began
        return _Finish(
            result=result,
            points=way.points,
            num_tries=way.num_tries,
            seconds=seconds,
            is_late=True,
        )
    run = _solver(design, method, direct, direct.linearise)
    seconds = _time(lambda: run(target, start), time.thread_time() - began)
    if method != "closed":
        return _Finish(
            result=result,
            points=way.points,
            num_tries=way.num_tries,
            seconds=seconds,
        )
    # A formula has no way: it is there, or it says no and the Jacobian comes near.
    return _Finish(
        result=result,
        points=way.points[-1:] if result.ok else [],
        num_tries=way.num_tries,
        seconds=seconds,
        note="no solution",
    )


def _solver(
    design: RobotDesign,
    method: str,
    direct: DirectKinematics,
    linearise: Callable[[FloatArray, bool], tuple[FloatArray, FloatArray]],
) -> Callable[[Target, FloatArray], InverseResult]:
    arm = design.arm
    by_steps: IterativeInverse = JacobianInverse(arm, direct, linearise)
    inverse = by_steps
    if method == "down":
        inverse = SimplexInverse(arm, direct)
    elif method == "closed":
        inverse = ClosedInverse(design.manipulator, arm, direct, by_steps)

    def run(target: Target, start: FloatArray) -> InverseResult:
        if target.R is None:
            return inverse.solve(target.p, start)
        return inverse.solve_pose(_pose(target), start)

    return run


def _time(run: Callable[[], object], first: float) -> float:
    """Return the shortest of some runs [s]; a slow one is not repeated."""
    times = [first]
    while len(times) < REPEATS and sum(times) < TIMING:
        began = time.thread_time()
        run()
        times.append(time.thread_time() - began)
    return min(times)


def _pose(target: Target) -> FloatArray:
    T = np.eye(4)
    T[:3, 3] = target.p
    if target.R is not None:
        T[:3, :3] = target.R
    return T


def _thinned(points: list[Point]) -> list[list[float]]:
    """Return at most some hundred points, the last one always."""
    every = max(1, -(-len(points) // MAX_POINTS))
    kept = points[::every]
    if points and kept[-1] != points[-1]:
        kept.append(points[-1])
    return [[float(f"{value:.9g}") for value in point] for point in kept]


# -- the kernel of the core ------------------------------------------------------------


def _finish_lm(design: RobotDesign, target: Target, start: FloatArray) -> _Finish:
    """Solve with the core's method.

    It runs in one piece, so its way is found by asking again for fewer iterations and
    starts: equal arguments give equal results.
    """
    arm = design.arm
    T, task = _pose(target), "position" if target.R is None else "pose"
    most = NUM_LOOP_STARTS if arm.loops else LM_STARTS[-1]

    def run(max_iterations: int, max_starts: int) -> Any:
        return solve_inverse(
            arm,
            T,
            method="lm",
            q0=start,
            task=task,
            max_iterations=max_iterations,
            max_starts=max_starts,
        )

    run(1, 1)  # may have to be compiled, which is nobody's time
    deadline = time.thread_time() + MAX_SECONDS
    began = time.thread_time()
    found = run(LM_STEPS[-1], most)
    seconds = _time(lambda: run(LM_STEPS[-1], most), time.thread_time() - began)
    direct = make_direct(design)
    way = Way(target, np.inf)
    way.note(start, direct.pose(start))
    budgets = [(steps, 1) for steps in LM_STEPS]
    budgets += [(LM_STEPS[-1], starts) for starts in LM_STARTS[1:] if starts <= most]
    for budget in budgets:
        if time.thread_time() > deadline:
            break
        part = run(*budget)
        way.num_tries = part.iterations
        try:
            way.note(part.q, direct.pose(part.q))
        except LoopError:
            continue
        if part.converged:
            break
    T_found = direct.pose(found.q)
    distance, angle = error_sizes(target.error(T_found))
    result = InverseResult(
        q=found.q,
        ok=found.converged,
        error=distance,
        rotation_error=angle,
        iterations=found.iterations,
        method="lm",
        starts=found.starts,
    )
    is_beyond = found.status == "unreachable"
    return _Finish(
        result=result,
        points=way.points,
        num_tries=found.iterations + 1,
        seconds=seconds,
        note="out of reach" if is_beyond else "",
    )
