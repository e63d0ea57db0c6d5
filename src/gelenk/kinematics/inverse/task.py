"""The error of a task for any robot, loops included; the iterative methods share it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError, LoopError, ShapeError
from gelenk.kernels.ik_task import axis_error, rotation_error
from gelenk.kinematics.forward import frame_pose
from gelenk.kinematics.inverse.lm import TASKS
from gelenk.kinematics.jacobian import pose_and_jacobian
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

ORTHONORMAL_TOL = 1e-6  # largest entry of R R^T - E that a target may have


@dataclass(frozen=True, slots=True, eq=False)
class PoseTask:
    """A wanted pose of one frame, and which part of it counts."""

    model: RobotModel
    target: FloatArray
    frame: str | None
    kind: str

    @property
    def has_position(self) -> bool:
        return self.kind in ("pose", "position", "position_axis")

    @property
    def has_rotation(self) -> bool:
        return self.kind != "position"

    def error(self, T: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return position error [m] and rotation error [rad] of a pose, base axes."""
        zero = np.zeros(3)
        d = self.target[:3, 3] - T[:3, 3] if self.has_position else zero
        if not self.has_rotation:
            return d, zero
        measure = axis_error if "axis" in self.kind else rotation_error
        R, wanted = T[:3, :3].ravel(), self.target[:3, :3].ravel()
        return d, np.array(measure(tuple(R.tolist()), np.ascontiguousarray(wanted)))

    def error_at(self, q: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Return the errors at q; None where the loops do not close."""
        try:
            return self.error(frame_pose(self.model, q, frame=self.frame))
        except LoopError:
            return None

    def linearised_at(self, q: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Return the error [d; v] and the task Jacobian; None where loops stay open."""
        try:
            T, J = pose_and_jacobian(self.model, q, frame=self.frame)
        except LoopError:
            return None
        d, v = self.error(T)
        if "axis" in self.kind:
            z = T[:3, 2]
            J[3:] -= np.outer(z, z @ J[3:])
        rows = slice(0 if self.has_position else 3, 6 if self.has_rotation else 3)
        return np.concatenate([d, v])[rows], J[rows]


def pose_task(
    model: RobotModel, T: ArrayLike, frame: str | None, kind: str
) -> PoseTask:
    """Return a checked task.

    Raises:
        ShapeError: If `T` is no 4x4 matrix.
        ConfigError: If `T` is no pose, the task is unknown, or the base floats.
        NameNotFoundError: If there is no such frame.
    """
    target = np.asarray(T, dtype=np.float64)
    if target.shape != (4, 4):
        raise ShapeError("T", expected="(4, 4)", actual=target.shape)
    R = target[:3, :3]
    if (
        not (np.abs(R @ R.T - np.eye(3)) < ORTHONORMAL_TOL).all()
        or not (np.abs(target) < 1e12).all()
    ):
        raise ConfigError("`T` must be a pose: finite, with an orthonormal rotation")
    if kind not in TASKS:
        raise ConfigError(f"`task` must be one of {', '.join(TASKS)}, got {kind!r}")
    if model.has_floating_base:
        raise ConfigError('this method needs a fixed base; use method="lm"')
    model.link_id(frame)
    return PoseTask(model, target, frame, kind)


def start_values(model: RobotModel, q0: ArrayLike | None) -> FloatArray:
    """Return `q0` or the home configuration within the limits, as a fresh array.

    Raises:
        ShapeError: If `q0` does not fit the robot.
        ConfigError: If `q0` is not finite.
    """
    q = np.array(model.home_configuration if q0 is None else q0, dtype=np.float64)
    if q.shape != (model.nq,):
        raise ShapeError("q0", expected=f"({model.nq},)", actual=q.shape)
    if not np.isfinite(q).all():
        raise ConfigError("`q0` must be finite")
    return np.clip(q, *model.limits)
