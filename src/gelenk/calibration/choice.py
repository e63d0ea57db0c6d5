"""Choice of the most informative poses: greedy, then exchanges until none improves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.calibration.prediction import informations
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray

Criterion = Literal["A", "D"]
RIDGE = 1e-9  # of the whole information: a faint prior, so that few poses compare too
BETTER = 1e-9  # relative gain for which a pose is exchanged


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPoses:
    """Chosen candidates.

    Attributes:
        indices: Numbers of the candidates, in the order of their choice.
        score: Minimised value: the mean variance of the parameters asked for ("A"), or
            minus the log determinant of the information ("D").
        exchanges: Swaps after the greedy pass.
    """

    indices: tuple[int, ...]
    score: float
    exchanges: int


def choose_informative(
    candidates: ArrayLike,
    count: int,
    *,
    prior: ArrayLike | None = None,
    over: Sequence[int] | None = None,
    criterion: Criterion = "A",
    scale: ArrayLike | None = None,
    max_passes: int = 10,
) -> ChosenPoses:
    """Return the candidates whose information together is best.

    Args:
        candidates: Information of each, shape (n, P, P).
        count: Number of candidates to choose, each at most once.
        prior: Information that is there already, shape (P, P), or its diagonal.
        over: Indices of the parameters that count; by default all.
        criterion: "A": mean variance of these parameters; "D": volume of all.
        scale: Unit of each parameter in the mean of variances, shape (P,); for "A" over
            parameters of different units.
        max_passes: Largest number of rounds in which each chosen candidate may be
            exchanged.

    Raises:
        ConfigError: If more are wanted than there are.
    """
    pool = np.asarray(candidates, dtype=np.float64)
    if pool.ndim != 3 or pool.shape[1] != pool.shape[2]:
        raise ShapeError("candidates", expected="(n, P, P)", actual=pool.shape)
    if not 0 < count <= len(pool):
        raise ConfigError(f"cannot choose {count} of {len(pool)} candidates")
    base, pool, measure = _prepare(pool, prior, over, criterion, scale)
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(_best(base, pool, chosen, measure)[0])
    exchanges = 0
    score = measure((base + pool[chosen].sum(axis=0))[None])[0]
    for _ in range(max_passes):
        before = exchanges
        for k in range(count):
            rest = chosen[:k] + chosen[k + 1 :]
            index, found = _best(base, pool, rest, measure)
            if found < score - BETTER * abs(score):
                chosen[k], score = index, found
                exchanges += 1
        if exchanges == before:
            break
    return ChosenPoses(indices=tuple(chosen), score=float(score), exchanges=exchanges)


def choose_poses(
    problem: CalibrationProblem,
    observations: Sequence[Observation],
    count: int,
    *,
    values: ArrayLike | None = None,
    over: Sequence[str] | None = None,
    noise: float = 1.0,
    criterion: Criterion = "A",
    given: Sequence[Observation] = (),
) -> tuple[int, ...]:
    """Return the groups of observations that determine the named parameters best.

    Args:
        problem: The problem; its priors and reading errors count.
        observations: Candidates; those of one group come together or not at all.
        count: Number of groups to choose.
        values: Parameters at which to judge, shape (P,); None: nominal.
        over: Names of the parameters that count; by default all free ones.
        noise: Standard deviation of one pixel coordinate [px].
        criterion: "A": mean variance of these parameters; "D": volume of all.
        given: Observations that are there already.

    Example:
        >>> from gelenk.calibration import (
        ...     CalibrationCamera, CalibrationParameter, CalibrationProblem,
        ...     JointOffset, Target, choose_poses, expected_observation,
        ... )
        >>> import gelenk
        >>> from gelenk.vision import Intrinsics
        >>> arm, q = gelenk.load("ur5e"), np.array([0.0, -1.5, 1.5, -1.5, -1.5, 0.0])
        >>> lens = Intrinsics(width=640, height=480, fx=586, fy=586, cx=320, cy=240)
        >>> points = np.mgrid[-0.1:0.1:5j, -0.1:0.1:4j, 0.4:0.4:1j].reshape(3, -1).T
        >>> camera = CalibrationCamera(name="wrist", link=arm.tool, intrinsics=lens)
        >>> board = Target(
        ...     name="board", link=None, points=points, T_link_target=arm.forward(q)
        ... )
        >>> offset = CalibrationParameter(effect=JointOffset("joint_3"))
        >>> problem = CalibrationProblem(
        ...     model=arm, cameras=(camera,), targets=(board,), parameters=(offset,)
        ... )
        >>> seen = [
        ...     expected_observation(
        ...         problem, "wrist", "board", q + d, values=[0.01], group=k
        ...     )
        ...     for k, d in enumerate(0.1 * np.eye(6))
        ... ]
        >>> choose_poses(problem, seen, 2)
        (2, 3)
    """
    groups = sorted({observation.group for observation in observations})
    free = np.flatnonzero(problem.is_free)
    pool = informations(problem, values, observations, noise=noise)[:, free][:, :, free]
    prior = np.diag([problem.parameters[i].sigma ** -2.0 for i in free])
    if given:
        there = informations(problem, values, given, noise=noise).sum(axis=0)
        prior = prior + there[np.ix_(free, free)]
    names = [problem.names[i] for i in free]
    wanted = range(len(names)) if over is None else [_find(names, n) for n in over]
    choice = choose_informative(
        pool, count, prior=prior, over=list(wanted), criterion=criterion
    )
    return tuple(groups[i] for i in choice.indices)


def _find(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise ConfigError(f"{name!r} is no free parameter of the problem")
    return names.index(name)


def _prepare(
    pool: FloatArray,
    prior: ArrayLike | None,
    over: Sequence[int] | None,
    criterion: Criterion,
    scale: ArrayLike | None,
) -> tuple[FloatArray, FloatArray, Callable[[FloatArray], FloatArray]]:
    """Return base and pool with columns of equal size, and the measure of a sum."""
    size = pool.shape[1]
    base = np.zeros((size, size))
    if prior is not None:
        given = np.asarray(prior, dtype=np.float64)
        base = np.diag(given) if given.ndim == 1 else given.copy()
    width = np.sqrt(np.diag(base + pool.sum(axis=0)))
    width = np.where(width > 0.0, width, 1.0)
    outer = np.outer(width, width)
    base = base / outer + RIDGE * np.eye(size)
    ids = np.asarray(range(size) if over is None else over, dtype=np.int64)
    unit = np.ones(size) if scale is None else np.asarray(scale, dtype=np.float64)
    weight = 1.0 / (width[ids] * unit[ids]) ** 2

    def mean_variance(sums: FloatArray) -> FloatArray:
        inverse = np.linalg.inv(sums)
        variance = np.diagonal(inverse, axis1=1, axis2=2)[:, ids] * weight
        return np.where(variance.min(axis=1) > 0.0, variance.mean(axis=1), math.inf)

    def volume(sums: FloatArray) -> FloatArray:
        sign, log = np.linalg.slogdet(sums)
        return np.where(sign > 0.0, -log, math.inf)

    measure = mean_variance if criterion == "A" else volume
    return base, pool / outer, measure


def _best(
    base: FloatArray,
    pool: FloatArray,
    chosen: Sequence[int],
    measure: Callable[[FloatArray], FloatArray],
) -> tuple[int, float]:
    """Return the candidate that is best beside the chosen ones, and the measure."""
    scores = measure(base + pool[list(chosen)].sum(axis=0) + pool)
    scores[list(chosen)] = math.inf
    index = int(np.argmin(scores))
    return index, float(scores[index])
