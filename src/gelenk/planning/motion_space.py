"""Space of a search: the joints of a scene that move, with bounds and tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.collision import Scene
from gelenk.errors import ConfigError, ModelError, NameNotFoundError
from gelenk.planning._pieces import (
    SearchSpace,
    is_line_free,
    is_piece_free,
    new_space,
)
from gelenk.planning.motion_bound import coordinate_reach, pair_reach
from gelenk.trajectory.joint_path import JointPath
from gelenk.typing import BoolArray, FloatArray, IntArray

BEYOND = 1e-6  # [rad] or [m]: a start may be beyond a limit by rounding


class MotionSpace:
    """Joints of a scene that move, others held where they start.

    Args:
        scene: Robots and obstacles.
        start: Configuration at the start, shape (nq,).
        joints: Names of the joints that may move; None: all but floating bases.

    Raises:
        ConfigError: If the start is beyond a limit of a joint that moves.
        NameNotFoundError: If there is no joint of a given name.
        ModelError: If a robot has loops.
    """

    def __init__(
        self, scene: Scene, start: FloatArray, joints: Sequence[str] | None
    ) -> None:
        self.scene = scene
        self.start = np.array(start)
        names, columns, lower, upper = _list_joints(scene)
        if joints is None:
            chosen = list(range(len(names)))
        else:
            for name in joints:
                if name not in names:
                    raise NameNotFoundError("joint", name, names)
            chosen = sorted({names.index(name) for name in joints})
        if not chosen:
            raise ConfigError("`joints` names no joint that can move")
        self.names = [names[i] for i in chosen]
        self.active: IntArray = columns[chosen]
        self.is_endless: BoolArray = ~np.isfinite(upper - lower)[chosen]
        values = self.start[self.active]
        self.lower = np.where(self.is_endless, values - np.pi, lower[chosen])
        self.upper = np.where(self.is_endless, values + np.pi, upper[chosen])
        self._check_start(values)
        ranges = np.zeros(scene.nq)
        far = np.maximum(np.abs(lower), np.abs(upper))
        free = np.abs(self.start[columns]) + np.pi
        ranges[columns] = np.where(np.isfinite(far), far, free)
        self.search: SearchSpace = new_space(
            scene.tables,
            self.start,
            self.active,
            coordinate_reach(scene.tables, ranges),
            pair_reach(scene.tables, ranges),
            (self.lower, self.upper),
        )
        self.reach: FloatArray = self.search.reach
        self.counts: IntArray = self.search.counts

    def _check_start(self, values: FloatArray) -> None:
        gap = np.maximum(self.lower - values, values - self.upper)
        k = int(gap.argmax())
        if gap[k] > BEYOND:
            raise ConfigError(
                f"`start` is beyond the limits of joint {self.names[k]!r}: "
                f"{values[k]:.6g}, limits are {self.lower[k]:.6g} and "
                f"{self.upper[k]:.6g}"
            )
        self.lower = np.minimum(self.lower, values)
        self.upper = np.maximum(self.upper, values)

    def full(self, points: FloatArray) -> FloatArray:
        """Return configurations of the scene for values of the active joints.

        Args:
            points: Values, shape (..., k).
        """
        out = np.empty((*points.shape[:-1], len(self.start)))
        out[:] = self.start
        out[..., self.active] = points
        return out

    def full_path(self, path: JointPath) -> JointPath:
        """Return a path of all coordinates for one of the active joints."""
        rows = np.zeros((*path.coefficients.shape[:2], len(self.start)))
        rows[:, 0] = self.start
        rows[:, :, self.active] = path.coefficients
        return JointPath(breaks=np.array(path.breaks), coefficients=rows)

    def is_line_free(self, a: FloatArray, b: FloatArray) -> bool:
        """Return whether a straight line of the active joints is free."""
        return is_line_free(self.search, np.array(a), np.array(b))

    def blocked_pieces(self, path: JointPath, pieces: IntArray) -> IntArray:
        """Return which pieces of a path of the active joints are not free.

        Args:
            path: The path; between the ends of a piece its direction turns one way.
            pieces: Numbers of the pieces that are looked at.
        """
        widths = np.diff(path.breaks)[pieces]
        ends = [path.sample_pieces(pieces, u, 1) for u in (0.0 * widths, widths)]
        rates = np.abs(ends).max(axis=0)
        return np.array(
            [
                i
                for i, width, rate in zip(pieces, widths, rates, strict=True)
                if not is_piece_free(
                    self.search, np.array(path.coefficients[i]), width, rate
                )
            ],
            dtype=np.int64,
        )


def _list_joints(
    scene: Scene,
) -> tuple[list[str], IntArray, FloatArray, FloatArray]:
    """Return names, columns and limits of the joints of all robots."""
    names: list[str] = []
    columns: list[int] = []
    lower: list[float] = []
    upper: list[float] = []
    first = 0
    for robot in scene.robots:
        if robot.loops:
            raise ModelError(
                f"robot {robot.name!r} has loops, whose joints cannot be planned yet; "
                "plan with `roadmaps` on a space of its motors"
            )
        prefix = f"{robot.name}/" if len(scene.robots) > 1 else ""
        for k, link in enumerate(robot.joint_ids.tolist()):
            if k in robot.ball_joints:
                continue
            names.append(prefix + robot.joint_names[k])
            columns.append(first + int(robot.q_starts[k]))
            lower.append(float(robot.lower[link]))
            upper.append(float(robot.upper[link]))
        first += robot.nq
    return names, np.array(columns, dtype=np.int64), np.array(lower), np.array(upper)
