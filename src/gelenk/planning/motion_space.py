"""Space of a search: the joints of a scene that move, with bounds and tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.collision import Scene
from gelenk.collision._tables import SceneTables, SceneWork, new_work
from gelenk.errors import ConfigError, ModelError, NameNotFoundError
from gelenk.planning._connect import (
    LEAST_MARGIN,
    is_edge_free,
    prove_edge,
    prove_path,
)
from gelenk.planning.motion_bound import coordinate_reach
from gelenk.trajectory.joint_path import JointPath
from gelenk.typing import BoolArray, FloatArray, IntArray

BEYOND = 1e-6  # [rad] or [m]: a start may be beyond a limit by rounding
LINE_STEP = 0.05  # [m]: tests before a line is proved


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
        ranges[columns] = np.where(np.isfinite(upper - lower), upper - lower, 0.0)
        reach = coordinate_reach(scene.tables, ranges)
        self.reach: FloatArray = np.ascontiguousarray(reach[self.active])
        self._margins: FloatArray = scene.tables.margins.copy()
        self._tables: SceneTables = scene.tables._replace(margins=self._margins.copy())
        self._work: SceneWork = new_work(scene.tables)
        self._row: FloatArray = self.start[None].copy()
        self.counts: IntArray = np.zeros(3, dtype=np.int64)
        self.last_count = 0

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

    def kernel_arguments(
        self,
    ) -> tuple[SceneTables, SceneWork, FloatArray, FloatArray, IntArray, FloatArray]:
        """Return what the kernels of a search take first."""
        return (
            self._tables,
            self._work,
            self._margins,
            self._row,
            self.active,
            self.reach,
        )

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
        """Return whether samples of a line are free, a quick look before a proof."""
        return is_edge_free(
            *self.kernel_arguments(),
            np.ascontiguousarray(a),
            np.ascontiguousarray(b),
            LINE_STEP,
            np.empty(len(self.active)),
            np.empty(1, dtype=np.bool_),
            self.counts,
        )

    def prove(self, line: FloatArray) -> int:
        """Return the first piece of a polyline that is not free, or -1.

        Args:
            line: Points, shape (k, active joints).
        """
        line = np.ascontiguousarray(line)
        return prove_path(*self.kernel_arguments(), line, len(line), self.counts)

    def first_block(self, a: FloatArray, b: FloatArray) -> float:
        """Return how far a line is free: 1 for all of it, else less."""
        return prove_edge(
            *self.kernel_arguments(),
            np.ascontiguousarray(a),
            np.ascontiguousarray(b),
            np.empty(len(self.active)),
            np.empty(1, dtype=np.bool_),
            self.counts,
        )

    def is_path_free(self, path: JointPath) -> bool:
        """Return whether a curved path of the active joints is free.

        Curves are tested as lines so short that they bend less than the least margin.
        """
        bend = np.abs(path.coefficients[:, 2:]).sum(axis=1) @ self.reach
        points: list[FloatArray] = []
        for i in range(len(path.breaks) - 1):
            s = np.array([0.0])
            width = path.breaks[i + 1] - path.breaks[i]
            if bend[i] > 0.0:
                inner = np.linspace(0.0, width, 9)
                curve = path.sample_pieces(np.full(9, i), inner, 2)
                most = float((np.abs(curve) @ self.reach).max())
                count = int(np.ceil(width * np.sqrt(most / (8.0 * LEAST_MARGIN)))) + 1
                s = np.linspace(0.0, width, min(count, 200), endpoint=False)
            points.append(path.sample_pieces(np.full(len(s), i), s))
        points.append(path.sample(path.length)[None])
        return self.prove(np.concatenate(points)) < 0


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
