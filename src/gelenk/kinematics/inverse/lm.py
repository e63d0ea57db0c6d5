"""Inverse kinematics by Levenberg-Marquardt from many starts: the default method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.kernels import ik, ik_task
from gelenk.kinematics.chain import CHAIN_KIND, frame_chain
from gelenk.kinematics.inverse.result import IkResult, IkStatus, IkTask
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

TASKS: dict[str, int] = {
    "pose": ik_task.POSE,
    "position": ik_task.POSITION,
    "axis": ik_task.AXIS,
    "position_axis": ik_task.POSITION_AXIS,
    "rotation": ik_task.ROTATION,
}
NUM_SEEDS = 256  # starts known in advance; more cost time to search through
POSITION_TOL = 1e-6  # [m]
ROTATION_TOL = 1e-6  # [rad]
MAX_ITERATIONS = 60  # of one start; the typical one needs 7
MAX_STARTS = 200
_FLOAT64 = np.dtype(np.float64)
NOT_A_POSE = "`T` must be a pose: finite, with an orthonormal rotation"
_DEFAULTS = ("pose", POSITION_TOL, ROTATION_TOL, MAX_ITERATIONS, MAX_STARTS, True)


@dataclass(frozen=True, slots=True, eq=False)
class _LmProblem:
    """Constants of a robot and a frame, prepared once."""

    chain: FloatArray
    limits: FloatArray
    home: FloatArray
    pack: FloatArray
    reach: float
    is_floating: bool
    size: int


def solve_lm(
    model: RobotModel,
    T: ArrayLike,
    *,
    frame: str | None = None,
    q0: ArrayLike | None = None,
    task: IkTask = "pose",
    weights: Sequence[float] | None = None,
    prefer: ArrayLike | None = None,
    position_tol: float = POSITION_TOL,
    rotation_tol: float = ROTATION_TOL,
    max_iterations: int = MAX_ITERATIONS,
    max_starts: int = MAX_STARTS,
) -> IkResult:
    """Return joint values within the limits that bring a frame to a pose.

    The first start is `q0` if given, else the one of 256 known configurations whose
    pose is nearest to the target; then the next nearest, and so on. Equal arguments
    give equal results.

    Args:
        model: Robot without loops.
        T: Wanted pose of the frame in the base (floating base: in the world), (4, 4).
        frame: Name of a link; by default the tool.
        q0: Start, also the values of joints that do not move the frame and of a
            floating base; by default the home configuration, shape (nq,).
        task: "pose"; "position"; "axis": direction of the frame's z axis;
            "position_axis": both; "rotation".
        weights: Factors of the six error components (x, y, z [1/m], then rotation
            [1/rad], base axes); a component with weight 0 is free.
        prefer: Joint values to approach with the freedom that the task leaves
            (redundant arms, partial tasks), shape (number of joints,).
        position_tol: Largest position error that counts as reached [m].
        rotation_tol: Largest rotation error that counts as reached [rad].
        max_iterations: Largest number of iterations of one start.
        max_starts: Largest number of starts.

    Returns:
        The result; `status` is CONVERGED, UNREACHABLE (beyond the length of the arm) or
        MAX_ITERATIONS.

    Raises:
        ShapeError: If `T`, `q0`, `weights` or `prefer` have the wrong shape.
        ConfigError: If an option or the target makes no sense.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("puma560")
        >>> goal = arm.forward([0.3, 0.9, -2.7, 0.4, 0.8, 0.2])
        >>> found = solve_lm(arm, goal)
        >>> bool(np.allclose(arm.forward(found.q), goal, atol=1e-6))
        True
    """
    if model.ball_joints:
        from gelenk.kinematics.inverse.balls import solve_with_hinges

        options = {
            "frame": frame, "q0": q0, "task": task, "weights": weights,
            "prefer": prefer, "position_tol": position_tol,
            "rotation_tol": rotation_tol, "max_iterations": max_iterations,
            "max_starts": max_starts,
        }  # fmt: skip
        return solve_with_hinges(model, solve_lm, T, options)
    target = _as_target(T)
    problem = _problem(model, frame)
    key = (task, position_tol, rotation_tol, max_iterations, max_starts, q0 is None)
    options = _options(problem.reach, weights, *key)
    base = None
    start = problem.home
    if q0 is not None or problem.is_floating:
        full = model.check_q("q0", model.home_configuration if q0 is None else q0)
        if full.ndim != 1 or not np.isfinite(full).all():
            raise ConfigError("`q0` must be one finite configuration")
        if problem.is_floating:
            base = full[:7]
            target = _seen_from_base(base, target)
        lower, upper = problem.limits
        start = np.clip(full[-len(lower) :], lower, upper) if len(lower) else full[:0]
    result = _run(problem, target, options, start)
    if prefer is not None and result.converged:
        _approach(problem, target, options, prefer, result)
    if base is not None:
        return replace(result, q=np.concatenate([base, result.q]))
    return result


def solve_default(model: RobotModel, T: ArrayLike) -> IkResult:
    """Return what `solve_lm(model, T)` returns, on the shortest way.

    A solve takes few microseconds, so looking at options that nobody gave counts.
    """
    try:
        limits, size, pack = model._cache["lm"]
    except KeyError:
        problem = None if model.ball_joints else _problem(model, None)
        if problem is None or problem.is_floating:
            return solve_lm(model, T)
        limits, size, pack = problem.limits, problem.size, problem.pack
        model._cache["lm"] = limits, size, pack
    q, report = np.empty(size), np.empty(4)
    target: FloatArray
    if (
        isinstance(T, np.ndarray)
        and T.dtype is _FLOAT64
        and T.flags.carray
        and T.shape == (4, 4)  # pyright: ignore[reportUnknownMemberType]
    ):
        target = T  # pyright: ignore[reportUnknownVariableType]
    else:
        target = _as_target(T)  # pyright: ignore[reportUnknownArgumentType]
    ended = ik.solve_pose_default(pack, target, q, report)
    if ended == ik.NOT_A_POSE:
        raise ConfigError(NOT_A_POSE)
    return IkResult(q, _STATUS[ended], report, limits)


def _as_target(T: ArrayLike) -> FloatArray:
    target = as_kernel_array(T)
    if target.shape != (4, 4):
        raise ShapeError("T", expected="(4, 4)", actual=target.shape)
    return target


def _run(
    problem: _LmProblem, target: FloatArray, options: FloatArray, start: FloatArray
) -> IkResult:
    q, report = np.empty(start.shape[0]), np.empty(4)
    ended = ik.solve_pose(problem.pack, target, options, start, q, report)
    if ended == ik.NOT_A_POSE:
        raise ConfigError(NOT_A_POSE)
    return IkResult(q, _STATUS[ended], report, problem.limits)


_STATUS = {
    ik.FOUND: IkStatus.CONVERGED,
    ik.NOT_FOUND: IkStatus.MAX_ITERATIONS,
    ik.BEYOND_REACH: IkStatus.UNREACHABLE,
}


def _approach(
    problem: _LmProblem,
    target: FloatArray,
    options: FloatArray,
    prefer: ArrayLike,
    result: IkResult,
) -> None:
    """Move the joint values of a fresh result, in place."""
    wanted = np.array(prefer, dtype=np.float64)
    if wanted.shape != result.q.shape:
        raise ShapeError("prefer", expected=str(result.q.shape), actual=wanted.shape)
    ik.approach_preference(
        problem.chain, target, options, problem.limits, wanted, result.q, result.report
    )


def _problem(model: RobotModel, frame: str | None) -> _LmProblem:
    key = ("lm", frame)
    try:
        return model._cache[key]
    except KeyError:
        return model._cached(key, lambda: _prepare(model, frame))


def _prepare(model: RobotModel, frame: str | None) -> _LmProblem:
    chain = frame_chain(model, frame).copy()
    chain[-1, CHAIN_KIND] = 0.0  # a floating base is taken out of the target instead
    limits = np.ascontiguousarray(model.limits)
    lower, upper = seed_range(model)
    n = int(limits.shape[1])
    seeds = lower + (upper - lower) * low_discrepancy(NUM_SEEDS, n)
    home = np.clip(model.home[model.joint_ids], limits[0], limits[1])
    # Joints that do not move the frame stay at home.
    idle = np.flatnonzero(~np.isin(np.arange(n), chain[:-1, 13].astype(np.int64)))
    seeds[:, idle] = home[idle]
    seed_poses = np.empty((12, NUM_SEEDS))
    features = np.empty((6, NUM_SEEDS if _has_turning_ends(chain) else 0))
    ik_task.seed_table(chain, seeds, seed_poses, features)
    stroke = np.maximum(np.abs(lower), np.abs(upper))
    steps = np.linalg.norm(chain[:, 9:12], axis=1).sum()
    slides = chain[:-1, CHAIN_KIND] == 0.0
    ids = chain[:-1, 13].astype(np.int64)
    travel = np.abs(chain[:-1, 14]) * stroke[ids] + np.abs(chain[:-1, 15])
    reach = float(steps + travel[slides].sum())
    options = _options(reach, None, *_DEFAULTS)
    sizes = [len(chain), n, NUM_SEEDS, features.shape[1]]
    parts = [options, home, chain, limits, seeds, seed_poses, features]
    pack = np.concatenate([sizes, *(part.ravel() for part in parts)])
    return _LmProblem(chain, limits, home, pack, reach, model.has_floating_base, n)


def _has_turning_ends(chain: FloatArray) -> bool:
    """Return whether the first and last joints are revolute with their own values."""
    if len(chain) < 3:
        return False
    index, scale = chain[:-1, 13], chain[:-1, 14]
    ends = [0, -1]
    alone = all((index == index[end]).sum() == 1 for end in ends)
    turns = (chain[:-1, CHAIN_KIND][ends] == 1.0).all()
    return bool(alone and turns and (scale[ends] == 1.0).all())


def seed_range(model: RobotModel) -> tuple[FloatArray, FloatArray]:
    """Return the range of starts: the limits, half a turn or one metre if wider."""
    lower, upper = model.limits
    turns = model.joint_type[model.joint_ids] == 1
    bound = np.where(turns, np.pi, 1.0)
    wide = ~(upper - lower <= 2.0 * bound)
    least = np.where(np.isfinite(lower), lower + bound, -np.inf)
    most = np.where(np.isfinite(upper), upper - bound, np.inf)
    middle = cast("FloatArray", np.clip(0.0, least, most))
    return (
        np.where(wide, middle - bound, lower),
        np.where(wide, middle + bound, upper),
    )


def low_discrepancy(count: int, dims: int) -> FloatArray:
    """Return points that fill the unit cube evenly, shape (count, dims).

    Additive recurrence with the powers of the generalised golden ratio: the root of
    x^(d+1) = x + 1 (Roberts 2018, the R_d sequence).
    """
    root = 2.0
    for _ in range(60):
        root = (1.0 + root) ** (1.0 / (dims + 1.0))
    alpha = root ** -np.arange(1.0, dims + 1.0)
    return (0.5 + np.arange(1, count + 1)[:, None] * alpha) % 1.0


def _options(
    reach: float,
    weights: Sequence[float] | None,
    task: str,
    position_tol: float,
    rotation_tol: float,
    max_iterations: int,
    max_starts: int,
    from_seeds: bool,
) -> FloatArray:
    if task not in TASKS:
        raise ConfigError(f"`task` must be one of {', '.join(TASKS)}, got {task!r}")
    w = np.ones(6) if weights is None else np.asarray(weights, dtype=np.float64)
    if w.shape != (6,):
        raise ShapeError("weights", expected="(6,)", actual=w.shape)
    if not (np.isfinite(w).all() and (w >= 0.0).all() and w.any()):
        raise ConfigError(f"`weights` must be >= 0 and not all 0, got {w.tolist()}")
    if not (position_tol > 0.0 and rotation_tol > 0.0):
        raise ConfigError("`position_tol` and `rotation_tol` must be > 0")
    if max_iterations < 1 or max_starts < 1:
        raise ConfigError("`max_iterations` and `max_starts` must be >= 1")
    options = np.empty(ik_task.NUM_OPTIONS)
    options[:6] = (
        position_tol, rotation_tol, max_iterations, max_starts, TASKS[task],
        not from_seeds,
    )  # fmt: skip
    options[ik_task.WEIGHT : ik_task.WEIGHT + 6] = w
    options[ik_task.SCALE] = 2.0 / max(reach, 1e-3)
    options[ik_task.WEIGHTED] = float((w != 1.0).any())
    return options


def _seen_from_base(base: FloatArray, T_world_target: FloatArray) -> FloatArray:
    from gelenk.spatial import quaternion, se3

    T_world_base = np.eye(4)
    T_world_base[:3, :3] = quaternion.matrix_from_quaternion(base[3:])
    T_world_base[:3, 3] = base[:3]
    return np.ascontiguousarray(se3.inverse(T_world_base) @ T_world_target)
