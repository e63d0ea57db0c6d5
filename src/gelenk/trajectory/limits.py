"""Limits of a motion of joints: speed, acceleration, jerk, torque."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gelenk.errors import ConfigError, ShapeError
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


class LimitArrays(NamedTuple):
    """Limits of every joint, see `JointLimits`, shape (n,) each."""

    velocity: FloatArray
    acceleration: FloatArray
    jerk: FloatArray
    effort: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointLimits:
    """Largest magnitudes that a motion may have, one number per joint.

    Numbers stand for all joints; infinity is no limit.

    Attributes:
        velocity: Joint speeds [rad/s] or [m/s], shape (n,).
        acceleration: Joint accelerations [rad/s^2] or [m/s^2], shape (n,).
        jerk: Changes of acceleration [rad/s^3] or [m/s^3], shape (n,).
        effort: Joint torques or forces [N m] or [N], shape (n,); they need the model
            of the robot, see `time_path`.

    Example:
        >>> from gelenk.trajectory import JointLimits
        >>> JointLimits(velocity=2.0, acceleration=[5.0, 10.0]).for_joints(2).velocity
        array([2., 2.])
    """

    velocity: ArrayLike = np.inf
    acceleration: ArrayLike = np.inf
    jerk: ArrayLike = np.inf
    effort: ArrayLike = np.inf

    def __post_init__(self) -> None:
        for name in LimitArrays._fields:
            try:
                value = np.array(getattr(self, name), dtype=np.float64)
            except (TypeError, ValueError) as error:
                raise ConfigError(f"`{name}` must be numbers > 0") from error
            if value.ndim > 1 or not (value > 0.0).all():
                raise ConfigError(
                    f"`{name}` must be a number > 0 or one per joint, got {value}; "
                    "infinity is no limit"
                )
            value.setflags(write=False)
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, model: RobotModel) -> JointLimits:
        """Return the limits that a model states for the joints of `q`.

        Args:
            model: Robot.
        """
        ids = model.joint_ids
        return cls(
            velocity=model.max_velocity[ids],
            acceleration=model.max_acceleration[ids],
            jerk=model.max_jerk[ids],
            effort=model.max_effort[ids],
        )

    def for_joints(self, count: int) -> LimitArrays:
        """Return the limits as arrays of `count` numbers each.

        Args:
            count: Number of joints.
        """
        rows: list[FloatArray] = []
        for name in LimitArrays._fields:
            value = np.asarray(getattr(self, name), dtype=np.float64)
            if value.ndim and value.shape != (count,):
                raise ShapeError(name, expected=f"({count},)", actual=value.shape)
            rows.append(np.broadcast_to(value, (count,)).copy())
        return LimitArrays(*rows)

    def without_jerk(self) -> JointLimits:
        """Return these limits with free jerk."""
        return JointLimits(
            velocity=self.velocity, acceleration=self.acceleration, effort=self.effort
        )

    def scaled(self, velocity: float, acceleration: float, jerk: float) -> JointLimits:
        """Return these limits times a factor each; that of effort stays."""
        return JointLimits(
            velocity=np.asarray(self.velocity) * velocity,
            acceleration=np.asarray(self.acceleration) * acceleration,
            jerk=np.asarray(self.jerk) * jerk,
            effort=self.effort,
        )
