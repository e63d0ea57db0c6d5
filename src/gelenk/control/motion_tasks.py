"""Motion tasks: what a robot shall reach or keep, as errors with Jacobians.

A task says how far off a configuration is and how that changes with it; `solve_motion`
finds the joint velocities that reduce all errors at once, within limits. Anything with
an `evaluate` of this form is a task.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np

from gelenk.checks import as_finite
from gelenk.control._pose_error import look_error, pose_error
from gelenk.dynamics.momentum import centre_of_mass, com_jacobian
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.kinematics.configuration import difference
from gelenk.kinematics.jacobian import jacobian_partials, pose_and_jacobian
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


class RobotPosture:
    """A configuration of a robot, and what tasks ask of it, computed once each.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (nq,).

    Example:
        >>> import gelenk
        >>> from gelenk.control import RobotPosture
        >>> arm = gelenk.load("planar2r")
        >>> T, J = RobotPosture(arm, [0.0, 0.0]).frame()
        >>> T[0, 3].item(), J[1].tolist()
        (1.8, [1.8, 0.8])
    """

    def __init__(self, model: RobotModel, q: ArrayLike) -> None:
        self.model = model
        self.q: FloatArray = np.array(q, dtype=np.float64)
        self._frames: dict[str | None, tuple[FloatArray, FloatArray]] = {}

    def frame(self, name: str | None = None) -> tuple[FloatArray, FloatArray]:
        """Return pose (4, 4) and Jacobian (6, nv), base axes, of a frame.

        Args:
            name: Name of a link; None: the tool.
        """
        found = self._frames.get(name)
        if found is None:
            found = pose_and_jacobian(self.model, self.q, frame=name)
            self._frames[name] = found
        return found

    @cached_property
    def com(self) -> tuple[FloatArray, FloatArray]:
        """Centre of mass in the base [m], (3,), and its Jacobian, (3, nv)."""
        return centre_of_mass(self.model, self.q), com_jacobian(self.model, self.q)


@runtime_checkable
class MotionTask(Protocol):
    """Protocol of a task: an error and how it changes with the motion.

    Attributes:
        gain: Share of the error that one step shall remove, 0 to 1.
        damping: Damping that grows with the error, without unit.
    """

    @property
    def gain(self) -> float: ...

    @property
    def damping(self) -> float: ...

    def evaluate(self, at: RobotPosture) -> tuple[FloatArray, FloatArray]:
        """Return the weighted error (m,) and its derivative by the motion (m, nv).

        Args:
            at: Robot as it stands.
        """
        ...


def _check_gain(gain: float, damping: float) -> None:
    if not 0.0 <= gain <= 1.0:
        raise ConfigError(f"`gain` must be between 0 and 1, got {gain}")
    if not damping >= 0.0:
        raise ConfigError(f"`damping` must be >= 0, got {damping}")


def _weights(position: ArrayLike, orientation: ArrayLike) -> FloatArray:
    rows: list[FloatArray] = []
    for name, value in (
        ("position_weight", position),
        ("orientation_weight", orientation),
    ):
        array = as_finite(name, value, ())
        if array.shape not in ((), (3,)) or (array < 0.0).any():
            raise ConfigError(
                f"`{name}` must be a number >= 0 or one per axis, got {value}"
            )
        rows.append(np.broadcast_to(array, (3,)))
    return np.concatenate(rows)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FrameTask:
    """Bring a frame to a pose, a position, or an orientation.

    Attributes:
        frame: Name of a link; None: the tool.
        target: Wanted pose of the frame in the base, shape (4, 4).
        position_weight: Weight of a metre of error, one number or one per axis of the
            frame; 0: the position is free.
        orientation_weight: Weight of a radian of error, likewise.
        reference: Name of the link in whose frame the target is given; empty: the base.
        gain: Share of the error that one step shall remove, 0 to 1.
        damping: Damping that grows with the error, for targets out of reach.

    Example:
        >>> import gelenk
        >>> from gelenk.control import FrameTask, RobotPosture
        >>> arm = gelenk.load("panda")
        >>> q = arm.home_configuration
        >>> task = FrameTask(target=arm.forward(q))
        >>> error, J = task.evaluate(RobotPosture(arm, q))
        >>> error.round(9).any(), J.shape
        (np.False_, (6, 7))
    """

    frame: str | None = None
    target: ArrayLike = field(default_factory=lambda: np.eye(4))
    position_weight: ArrayLike = 1.0
    orientation_weight: ArrayLike = 1.0
    reference: str = ""
    gain: float = 1.0
    damping: float = 0.0
    _weight: FloatArray = field(init=False, repr=False)
    _target: FloatArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _check_gain(self.gain, self.damping)
        target = np.array(as_finite("target", self.target, (4, 4)))
        weight = _weights(self.position_weight, self.orientation_weight)
        object.__setattr__(self, "_target", target)
        object.__setattr__(self, "_weight", weight)

    def evaluate(self, at: RobotPosture) -> tuple[FloatArray, FloatArray]:
        """Return error and Jacobian, see `MotionTask`.

        The error is the twist in axes of the frame that leads to the target in unit
        time.

        Args:
            at: Robot as it stands.
        """
        T, J = at.frame(self.frame)
        if not self.reference:
            return pose_error(T, J, self._target, self._weight)
        T_base_ref, J_ref = at.frame(self.reference)
        goal = T_base_ref @ self._target
        # seen from the reference, the frame moves by what it moves more than the
        # reference's body does at the same point
        arm = T[:3, 3] - T_base_ref[:3, 3]
        carried = J_ref.copy()
        carried[:3] += np.cross(J_ref[3:].T, arm).T
        return pose_error(T, J - carried, goal, self._weight)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LookAtTask:
    """Point an axis of a frame at a place.

    Attributes:
        frame: Name of a link, such as a camera's; None: the tool.
        point: Place to be looked at, base axes [m], shape (3,).
        axis: Direction of sight in the frame, shape (3,).
        weight: Weight of a radian of error.
        gain: Share of the error that one step shall remove, 0 to 1.
        damping: Damping that grows with the error.

    Example:
        >>> from gelenk.control import LookAtTask
        >>> LookAtTask(frame="hand", point=(1.0, 0.0, 0.5)).weight
        1.0
    """

    point: ArrayLike
    frame: str | None = None
    axis: ArrayLike = (0.0, 0.0, 1.0)
    weight: float = 1.0
    gain: float = 1.0
    damping: float = 0.0

    def __post_init__(self) -> None:
        _check_gain(self.gain, self.damping)
        point = np.array(as_finite("point", self.point, (3,)))
        axis = np.array(as_finite("axis", self.axis, (3,)))
        if not np.linalg.norm(axis) > 0.0:
            raise ConfigError("`axis` has no direction")
        object.__setattr__(self, "point", point)
        object.__setattr__(self, "axis", axis / np.linalg.norm(axis))

    def evaluate(self, at: RobotPosture) -> tuple[FloatArray, FloatArray]:
        """Return error and Jacobian, see `MotionTask`.

        Args:
            at: Robot as it stands.
        """
        T, J = at.frame(self.frame)
        error, derivative = look_error(
            T, J, np.asarray(self.point, np.float64), np.asarray(self.axis, np.float64)
        )
        return self.weight * error, self.weight * derivative


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PostureTask:
    """Stay near a configuration.

    Attributes:
        target: Wanted joint values [rad] or [m], shape (nq,).
        weight: Weight of a radian or metre, one number or one per value of `qd`,
            shape (nv,); a floating base counts as well.
        gain: Share of the error that one step shall remove, 0 to 1.
        damping: Damping that grows with the error.

    Example:
        >>> import gelenk
        >>> from gelenk.control import PostureTask, RobotPosture
        >>> arm = gelenk.load("planar2r")
        >>> task = PostureTask(target=[0.5, 0.0], weight=0.1)
        >>> task.evaluate(RobotPosture(arm, [0.0, 0.0]))[0].tolist()
        [0.05, 0.0]
    """

    target: ArrayLike
    weight: ArrayLike = 0.01
    gain: float = 1.0
    damping: float = 0.0
    _target: FloatArray = field(init=False, repr=False)
    _weight: FloatArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _check_gain(self.gain, self.damping)
        object.__setattr__(
            self, "_target", np.array(as_finite("target", self.target, ()))
        )
        object.__setattr__(
            self, "_weight", np.array(as_finite("weight", self.weight, ()))
        )

    def evaluate(self, at: RobotPosture) -> tuple[FloatArray, FloatArray]:
        """Return error and Jacobian, see `MotionTask`.

        Args:
            at: Robot as it stands.
        """
        model = at.model
        weight = self._weight
        if model.compiled.num_quaternions:
            error = difference(model, self._target, at.q)
        else:
            error = self._target - at.q
        J = np.zeros((model.nv, model.nv))
        np.fill_diagonal(J, -weight)
        return weight * error, J


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DampingTask:
    """Move little.

    Attributes:
        weight: Weight of a step of a radian or metre, one number or one per value of
            `qd`.

    Example:
        >>> from gelenk.control import DampingTask
        >>> DampingTask(weight=0.1).gain
        0.0
    """

    weight: ArrayLike = 0.01
    gain: float = field(default=0.0, init=False)
    damping: float = field(default=0.0, init=False)

    def evaluate(self, at: RobotPosture) -> tuple[FloatArray, FloatArray]:
        """Return error and Jacobian, see `MotionTask`.

        Args:
            at: Robot as it stands.
        """
        nv = at.model.nv
        J = np.zeros((nv, nv))
        np.fill_diagonal(J, self.weight)
        return np.zeros(nv), J


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ComTask:
    """Bring the centre of mass to a place.

    Attributes:
        target: Wanted place, base axes [m], shape (3,).
        weight: Weight of a metre, one number or one per axis; 0 leaves an axis free.
        gain: Share of the error that one step shall remove, 0 to 1.
        damping: Damping that grows with the error.

    Example:
        >>> from gelenk.control import ComTask
        >>> ComTask(target=(0.0, 0.0, 0.9), weight=(1.0, 1.0, 0.0)).gain
        1.0
    """

    target: ArrayLike
    weight: ArrayLike = 1.0
    gain: float = 1.0
    damping: float = 0.0

    def __post_init__(self) -> None:
        _check_gain(self.gain, self.damping)
        object.__setattr__(
            self, "target", np.array(as_finite("target", self.target, (3,)))
        )
        weight = np.broadcast_to(as_finite("weight", self.weight, ()), (3,))
        object.__setattr__(self, "weight", np.array(weight))

    def evaluate(self, at: RobotPosture) -> tuple[FloatArray, FloatArray]:
        """Return error and Jacobian, see `MotionTask`.

        Args:
            at: Robot as it stands.
        """
        p, J = at.com
        weight = np.asarray(self.weight, dtype=np.float64)
        target = np.asarray(self.target, dtype=np.float64)
        return weight * (target - p), -weight[:, None] * J


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ManipulabilityTask:
    """Keep away from singularities: raise log sqrt(det(J J^T)) of a frame.

    Attributes:
        frame: Name of a link; None: the tool.
        weight: Weight of one unit of the logarithm.
        wanted: Manipulability above which the task rests.
        gain: Share of the error that one step shall remove, 0 to 1.
        damping: Damping that grows with the error.

    Example:
        >>> from gelenk.control import ManipulabilityTask
        >>> ManipulabilityTask(wanted=0.05).weight
        0.1
    """

    wanted: float
    frame: str | None = None
    weight: float = 0.1
    gain: float = 0.5
    damping: float = 0.0

    def __post_init__(self) -> None:
        _check_gain(self.gain, self.damping)
        if not self.wanted > 0.0:
            raise ConfigError(f"`wanted` must be > 0, got {self.wanted}")

    def evaluate(self, at: RobotPosture) -> tuple[FloatArray, FloatArray]:
        """Return error and Jacobian, see `MotionTask`.

        Args:
            at: Robot as it stands.
        """
        _, J = at.frame(self.frame)
        rows = J[:, np.abs(J).max(axis=0) > 0.0]
        product = rows @ rows.T + 1e-12 * np.eye(6)
        value = 0.5 * float(np.linalg.slogdet(product)[1])
        missing = max(np.log(self.wanted) - value, 0.0)
        if missing == 0.0:
            return np.zeros(1), np.zeros((1, at.model.nv))
        partials = jacobian_partials(at.model, at.q, frame=self.frame)
        slope = np.einsum("ij,jk,ikl->l", np.linalg.inv(product), J, partials)
        return np.array([self.weight * missing]), -self.weight * slope[None]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CouplingTask:
    """Keep a sum of joint values, such as two fingers that shall move alike.

    Attributes:
        factors: Factor of each joint by its name.
        value: Wanted sum of factors times joint values [rad] or [m].
        weight: Weight of a radian or metre.
        gain: Share of the error that one step shall remove, 0 to 1.
        damping: Damping that grows with the error.

    Example:
        >>> import gelenk
        >>> from gelenk.control import CouplingTask, RobotPosture
        >>> task = CouplingTask(factors={"joint_1": 1.0, "joint_2": -1.0})
        >>> arm = gelenk.load("planar2r")
        >>> task.evaluate(RobotPosture(arm, [0.5, 0.2]))[0].round(9).tolist()
        [-0.3]
    """

    factors: Mapping[str, float]
    value: float = 0.0
    weight: float = 1.0
    gain: float = 1.0
    damping: float = 0.0

    def __post_init__(self) -> None:
        _check_gain(self.gain, self.damping)

    def evaluate(self, at: RobotPosture) -> tuple[FloatArray, FloatArray]:
        """Return error and Jacobian, see `MotionTask`.

        Args:
            at: Robot as it stands.
        """
        model = at.model
        J = np.zeros((1, model.nv))
        total = 0.0
        for name, factor in self.factors.items():
            if name not in model.joint_names:
                raise NameNotFoundError("joint", name, model.joint_names)
            k = model.joint_names.index(name)
            J[0, model.v_starts[k]] = -self.weight * factor
            total += factor * float(at.q[model.q_starts[k]])
        return np.array([self.weight * (self.value - total)]), J
