"""Feasibility of tool paths: reach, joint speed, one configuration.

Three things go wrong with straight lines of the tool (Damken 2023 §8.9.1): points
between two reachable ends may be out of reach; near a singularity joints would have to
be too fast; start and goal may belong to different configurations of the arm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import numpy as np

from gelenk.checks import as_finite
from gelenk.kinematics.configuration import difference
from gelenk.kinematics.inverse.lm import solve_lm
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

SAME = 1e-3  # [rad] or [m]; joint values this near are one configuration
TOO_FAR = 0.5  # [rad] or [m]; a joint that moves this far between samples has jumped


class PathTrouble(StrEnum):
    """Kind of trouble at a sample of a path."""

    UNREACHABLE = "unreachable"
    TOO_FAST = "joint too fast"
    BRANCH = "other configuration"


@dataclass(frozen=True, slots=True, kw_only=True)
class PathIssue:
    """Trouble at one sample of a tool path.

    Attributes:
        kind: Kind of the issue.
        sample: Number of the pose at which it occurs.
        message: Description in words, with numbers.
    """

    kind: PathTrouble
    sample: int
    message: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PathReport:
    """Tool path in joint values, and its troubles.

    Attributes:
        q: Joint values of each pose, NaN where there are none, shape (k, n).
        issues: Issues in the order of the path.
    """

    q: FloatArray
    issues: tuple[PathIssue, ...]

    @property
    def is_feasible(self) -> bool:
        """Whether nothing is wrong."""
        return not self.issues

    @property
    def kinds(self) -> frozenset[PathTrouble]:
        """What is wrong, each kind once."""
        return frozenset(issue.kind for issue in self.issues)


def check_tool_path(
    model: RobotModel,
    poses: ArrayLike,
    *,
    q_start: ArrayLike,
    dt: float,
    q_end: ArrayLike | None = None,
    max_speed: ArrayLike = np.inf,
    weights: Sequence[float] | None = None,
    frame: str | None = None,
) -> PathReport:
    """Return the joint path that follows poses from a configuration, and its troubles.

    Each pose is solved from the solution before, so the configuration is kept as long
    as the arm can.

    Args:
        model: Robot, fixed base.
        poses: T_base_frame, one every `dt`, shape (k, 4, 4).
        q_start: Configuration at the first pose, or near it, shape (n,).
        dt: Time between two poses [s].
        q_end: Configuration wanted at the last pose, if any, shape (n,).
        max_speed: Largest speed of each joint [rad/s] or [m/s], a number or (n,).
        weights: Weights of the six error components, see `solve_lm`; 0 leaves one free.
        frame: Name of a link; by default the tool.

    Example:
        >>> import numpy as np
        >>> from gelenk.trajectory import check_tool_path
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> poses = np.tile(np.eye(4), (3, 1, 1))
        >>> poses[:, 0, 3] = [1.7, 1.8001, 1.9]  # the arm is 1.8 m long
        >>> report = check_tool_path(
        ...     arm, poses, q_start=[-0.3, 0.7], dt=0.1, weights=(1, 1, 0, 0, 0, 0)
        ... )
        >>> sorted(kind.value for kind in report.kinds)
        ['unreachable']
    """
    targets = as_finite("poses", poses, (4, 4)).reshape(-1, 4, 4)
    before = as_finite("q_start", model.check_q("q_start", q_start), (model.nq,))
    found = np.full((len(targets), model.nq), np.nan)
    issues: list[PathIssue] = []
    last = -1
    for k, target in enumerate(targets):
        solve = partial(
            solve_lm, model, target, frame=frame, q0=before, weights=weights
        )
        result = solve(max_starts=1)
        if not result.converged:
            result = solve()
        if not result.converged:
            issues.append(_unreachable(k, result.position_error))
            continue
        step = np.abs(difference(model, result.q, before))
        allowed = np.asarray(max_speed) * dt * max(k - last, 1)
        if step.max() > TOO_FAR:
            issues.append(_branch(k, step))
        elif np.any(step > allowed * (1.0 + 1e-9)) and k:
            issues.append(_too_fast(k, step / (dt * max(k - last, 1)), max_speed))
        found[k], before, last = result.q, result.q, k
    if q_end is not None and last == len(targets) - 1:
        gap = np.abs(difference(model, model.check_q("q_end", q_end), before))
        if gap.max() > SAME:
            issues.append(_branch(last, gap))
    return PathReport(q=found, issues=tuple(issues))


def _unreachable(sample: int, miss: float) -> PathIssue:
    return PathIssue(
        kind=PathTrouble.UNREACHABLE,
        sample=sample,
        message=f"pose {sample} is out of reach, the best is off by {miss:.3g} m",
    )


def _branch(sample: int, step: FloatArray) -> PathIssue:
    joint = int(np.argmax(step))
    return PathIssue(
        kind=PathTrouble.BRANCH,
        sample=sample,
        message=f"pose {sample}: joint {joint + 1} is {step[joint]:.3g} away from "
        "where the path leads it; move joints (PTP) to change the configuration",
    )


def _too_fast(sample: int, speed: FloatArray, max_speed: ArrayLike) -> PathIssue:
    ratio = speed / np.asarray(max_speed, np.float64)
    joint = int(np.argmax(ratio))
    return PathIssue(
        kind=PathTrouble.TOO_FAST,
        sample=sample,
        message=f"pose {sample}: joint {joint + 1} would need {speed[joint]:.3g}/s, "
        f"{ratio[joint]:.3g} times its limit; slow down or keep off the singularity",
    )
