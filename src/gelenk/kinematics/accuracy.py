"""Accuracy, repeatability and resolution of an arm: three different measures.

Accuracy is the distance of the attained from the commanded position, repeatability its
spread when the same command is repeated, resolution the smallest step that is sure to
move the tool (Damken 2023 §3.3; figures after ISO 9283).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.kinematics.forward import frame_pose
from gelenk.models.tree import RobotModel
from gelenk.spatial import se3
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionPerformance:
    """Position accuracy and repeatability after ISO 9283 [m].

    Attributes:
        accuracy: AP, distance of the mean attained position from the commanded one.
        repeatability: RP = mean + 3 standard deviations of the distances from the mean
            attained position.
        mean_distance: Mean of those distances.
        std_distance: Standard deviation of the distances, with n - 1.
    """

    accuracy: float
    repeatability: float
    mean_distance: float
    std_distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmErrors:
    """Errors that make a real arm differ from its model.

    Attributes:
        length_std: Error of each link's place in its parent, per axis [m].
        angle_std: Error of each link's orientation in its parent, per axis [rad].
        joint_std: Error of each joint value, new in every move [rad] or [m].
        encoder_step: Step of the encoders, to which the target is rounded [rad] or [m];
            0 for none.
    """

    length_std: float = 5e-4
    angle_std: float = 1e-3
    joint_std: float = 2e-5
    encoder_step: float = 0.0


def position_performance(
    commanded: ArrayLike, attained: ArrayLike
) -> PositionPerformance:
    """Return accuracy and repeatability of repeated moves to one position.

    Args:
        commanded: Commanded position [m], shape (3,).
        attained: Attained positions, at least two, shape (n, 3).

    Example:
        >>> result = position_performance([0, 0, 0], [[1, 0, 0], [1, 0, 0]])
        >>> result.accuracy, result.repeatability
        (1.0, 0.0)
    """
    commanded = as_finite("commanded", commanded, (3,))
    attained = as_finite("attained", attained, (3,))
    if attained.ndim != 2 or len(attained) < 2:
        raise ShapeError("attained", expected="(n >= 2, 3)", actual=attained.shape)
    mean = attained.mean(axis=0)
    distance = np.linalg.norm(attained - mean, axis=1)
    spread = float(distance.std(ddof=1))
    return PositionPerformance(
        accuracy=float(np.linalg.norm(mean - commanded)),
        repeatability=float(distance.mean()) + 3.0 * spread,
        mean_distance=float(distance.mean()),
        std_distance=spread,
    )


def worst_resolution(J: ArrayLike, joint_steps: ArrayLike) -> FloatArray:
    """Return the largest move of the tool when every joint makes one step.

    Per task row k, sum_i |J_ki| step_i: no finer move can be guaranteed.

    Args:
        J: Task Jacobian, shape (..., m, n).
        joint_steps: Smallest step of each joint [rad] or [m], shape (n,).

    Returns:
        Shape (..., m), in the units of the rows.
    """
    steps = np.asarray(joint_steps, dtype=np.float64)
    if not (steps >= 0.0).all():
        raise ConfigError(f"`joint_steps` must be >= 0, got {steps.tolist()}")
    return np.matvec(np.abs(np.asarray(J, dtype=np.float64)), steps)


def misbuilt(
    model: RobotModel, errors: ArmErrors, rng: np.random.Generator
) -> RobotModel:
    """Return a robot as the workshop builds it: each link placed a little wrong.

    Args:
        model: Robot as designed.
        errors: Sizes of the errors.
        rng: Source of randomness.
    """
    count = len(model.link_names)
    twist = np.concatenate(
        [
            rng.normal(scale=errors.length_std, size=(count, 3)),
            rng.normal(scale=errors.angle_std, size=(count, 3)),
        ],
        axis=1,
    )
    twist[0] = 0.0  # the base is where it is
    return replace(model, T_parent_joint=model.T_parent_joint @ se3.exp(twist))


def attained_positions(
    robot: RobotModel,
    q_commanded: ArrayLike,
    *,
    count: int,
    errors: ArmErrors,
    rng: np.random.Generator,
    frame: str | None = None,
) -> FloatArray:
    """Return where the tool of a real robot ends in repeated moves to one command.

    Args:
        robot: Robot as built, see `misbuilt`.
        q_commanded: Joint values commanded [rad] or [m], shape (nq,).
        count: Number of moves.
        errors: Joint errors and encoder step.
        rng: Source of randomness.
        frame: Name of a link; by default the tool.

    Returns:
        Positions in the base [m], shape (count, 3).
    """
    q = robot.check_q("q_commanded", q_commanded)
    if errors.encoder_step > 0.0:
        q = errors.encoder_step * np.round(q / errors.encoder_step)
    q = q + rng.normal(scale=errors.joint_std, size=(count, robot.nq))
    return frame_pose(robot, q, frame=frame)[:, :3, 3]
