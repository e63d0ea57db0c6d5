"""Jerk-limited motions from any state to any state, computed by Ruckig.

Time-optimal for each joint, in step with the slowest; or set-point by set-point, when
the target may change at any time.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.trajectory.joint_path import JointPath
from gelenk.trajectory.limits import JointLimits
from gelenk.trajectory.trajectory import Trajectory, TrajectorySample
from gelenk.typing import ArrayLike, FloatArray

Synchronization = Literal["time", "straight", "none"]
FREE = 1e9  # stands for no limit in a unit that no machine reaches


class JerkLimitedPlanner:
    """Plans point-to-point motions of some joints within limits of jerk.

    Made once and asked often: a motion takes some microseconds.

    Args:
        limits: Limits of speed, acceleration and jerk, all finite.
        num_joints: Number of joints.
        synchronization: "time": all joints arrive together; "straight": they also keep
            to the line between start and goal where the states allow it; "none": each
            as soon as it can.

    Example:
        >>> from gelenk.trajectory import JerkLimitedPlanner, JointLimits
        >>> limits = JointLimits(velocity=1.0, acceleration=2.0, jerk=10.0)
        >>> planner = JerkLimitedPlanner(limits, num_joints=2)
        >>> motion = planner.plan([0.0, 0.0], [1.0, 0.5])
        >>> round(motion.duration, 6), motion.sample(motion.duration).q.round(6)
        (1.7, array([1. , 0.5]))
    """

    def __init__(
        self,
        limits: JointLimits,
        num_joints: int,
        *,
        synchronization: Synchronization = "time",
    ) -> None:
        self._ruckig = _ruckig()
        self._solver: Any = self._ruckig.Ruckig(num_joints)
        self._input: Any = _new_input(limits, num_joints, synchronization)
        self._num_joints = num_joints
        self._zero = [0.0] * num_joints

    def plan(
        self,
        start: ArrayLike,
        goal: ArrayLike,
        *,
        start_velocity: ArrayLike | None = None,
        start_acceleration: ArrayLike | None = None,
        goal_velocity: ArrayLike | None = None,
    ) -> JerkLimitedMotion:
        """Return the motion from one state to another.

        Args:
            start: Joint values at the start [rad] or [m], shape (n,).
            goal: Joint values at the goal [rad] or [m], shape (n,).
            start_velocity: Joint velocities at the start [rad/s] or [m/s], shape (n,);
                None: at rest.
            goal_velocity: Joint velocities at the goal, shape (n,); None: at rest.
            start_acceleration: Joint accelerations [rad/s^2] or [m/s^2], shape (n,);
                None: none.

        Raises:
            ConfigError: If the states are not finite or beyond the limits.
        """
        told, zero = self._input, self._zero
        told.current_position, told.target_position = start, goal
        told.current_velocity = zero if start_velocity is None else start_velocity
        told.current_acceleration = (
            zero if start_acceleration is None else start_acceleration
        )
        told.target_velocity = zero if goal_velocity is None else goal_velocity
        found: Any = self._ruckig.Trajectory(self._num_joints)
        try:
            result = self._solver.calculate(told, found)
        except self._ruckig.RuckigError as error:
            raise ConfigError(f"this motion cannot be planned: {error}") from error
        if result.value < 0:
            self._complain(start, goal)
            raise ConfigError(
                "the given velocities are beyond the limits of the joints; lower them"
            )
        return JerkLimitedMotion(found)

    def _complain(self, *points: ArrayLike) -> None:
        for name, point in zip(("start", "goal"), points, strict=True):
            as_finite(name, point, (self._num_joints,))


class JerkLimitedMotion:
    """A motion with piecewise constant jerk; made by `JerkLimitedPlanner`.

    Args:
        found: Trajectory of Ruckig.
    """

    __slots__ = ("_found", "duration")

    def __init__(self, found: Any) -> None:
        self._found = found
        self.duration: float = found.duration

    def sample(self, time: float) -> TrajectorySample:
        """Return values and derivatives at one time [s], each of shape (n,)."""
        return self.trajectory().sample(time)

    def trajectory(self, joint_names: tuple[str, ...] = ()) -> Trajectory:
        """Return the motion as a `Trajectory`; its path is q over time.

        Args:
            joint_names: Names of the joints.
        """
        rows = [_phases(profile) for profile in self._found.profiles[0]]
        times = np.unique(np.concatenate([row[0] for row in rows] + [[self.duration]]))
        times = times[times <= self.duration]
        keep = np.concatenate([[True], np.diff(times) > 1e-12])
        times = times[keep]
        if len(times) < 2:
            times = np.array([0.0, max(self.duration, 1e-9)])
        times[-1] = max(self.duration, times[-1])
        start = times[:-1]
        columns: list[FloatArray] = []
        for since, p, v, a, j in rows:
            k = np.clip(np.searchsorted(since, start + 1e-13, "right") - 1, 0, None)
            u = start - since[k]
            columns.append(
                np.stack(
                    [
                        p[k] + u * (v[k] + u * (a[k] / 2.0 + u * j[k] / 6.0)),
                        v[k] + u * (a[k] + u * j[k] / 2.0),
                        (a[k] + u * j[k]) / 2.0,
                        j[k] / 6.0,
                    ],
                    axis=1,
                )
            )
        law = np.zeros((len(start), 4))
        law[:, 0], law[:, 1] = start, 1.0
        path = JointPath(breaks=times, coefficients=np.stack(columns, axis=2))
        return Trajectory(
            path=path, times=np.array(times), law=law, joint_names=joint_names
        )


class SetpointFollower:
    """Turns set-points that may jump at any time into a jerk-limited motion.

    Args:
        limits: Limits of speed, acceleration and jerk.
        q: Joint values at the start [rad] or [m], shape (n,).
        step: Time between two calls of `update` [s].

    Example:
        >>> from gelenk.trajectory import JointLimits, SetpointFollower
        >>> limits = JointLimits(velocity=1.0, acceleration=5.0, jerk=50.0)
        >>> follower = SetpointFollower(limits, [0.0], step=0.01)
        >>> for _ in range(150):
        ...     at = follower.update([0.5])
        >>> at.q.round(6).tolist()
        [0.5]
    """

    def __init__(self, limits: JointLimits, q: ArrayLike, *, step: float) -> None:
        start = as_finite("q", q, ())
        if start.ndim != 1:
            raise ShapeError("q", expected="(n,)", actual=start.shape)
        if not (np.isfinite(step) and step > 0.0):
            raise ConfigError(f"`step` must be a time > 0 s, got {step}")
        ruckig = _ruckig()
        self._solver: Any = ruckig.Ruckig(len(start), step)
        self._told: Any = _new_input(limits, len(start), "time")
        self._told.current_position = start
        self._out: Any = ruckig.OutputParameter(len(start))

    def update(
        self, target: ArrayLike, velocity: ArrayLike | None = None
    ) -> TrajectorySample:
        """Return the state one step later, on the way to a target.

        Args:
            target: Joint values to be reached [rad] or [m], shape (n,).
            velocity: Joint velocities there [rad/s] or [m/s], shape (n,); None: at
                rest.

        Raises:
            ConfigError: If the target is not finite.
        """
        told = self._told
        count = len(told.current_position)
        told.target_position = as_finite("target", target, (count,))
        told.target_velocity = (
            [0.0] * count
            if velocity is None
            else as_finite("velocity", velocity, (count,))
        )
        result = self._solver.update(told, self._out)
        if result.value < 0:
            raise ConfigError(
                f"the set-point cannot be followed: {result}; its `velocity` must be "
                "within the limits"
            )
        self._out.pass_to_input(told)
        return TrajectorySample(
            np.array(self._out.new_position),
            np.array(self._out.new_velocity),
            np.array(self._out.new_acceleration),
            np.array(self._out.new_jerk),
        )


def _new_input(
    limits: JointLimits, count: int, synchronization: Synchronization
) -> Any:
    """Return a request of Ruckig with the limits of all joints."""
    ruckig = _ruckig()
    kinds = {
        "time": ruckig.Synchronization.Time,
        "straight": ruckig.Synchronization.Phase,
        "none": ruckig.Synchronization.No,
    }
    if synchronization not in kinds:
        raise ConfigError(
            f"`synchronization` must be one of {', '.join(kinds)}, "
            f"got {synchronization!r}"
        )
    own = limits.for_joints(count)
    if not np.isfinite(own.jerk).all():
        raise ConfigError("`limits` must limit the jerk of all joints")
    told = ruckig.InputParameter(count)
    told.synchronization = kinds[synchronization]
    told.max_velocity = np.minimum(own.velocity, FREE)
    told.max_acceleration = np.minimum(own.acceleration, FREE)
    told.max_jerk = np.minimum(own.jerk, FREE)
    return told


def _ruckig() -> Any:
    import ruckig  # loaded where it is used: `import gelenk` stays cheap

    return ruckig


def _phases(
    profile: Any,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return start time, value, velocity, acceleration, jerk of a joint's phases."""
    brake = profile.brake
    duration = np.array([*brake.t, *profile.t])
    jerk = np.array([*brake.j, *profile.j, 0.0])
    since = np.concatenate([[0.0], np.cumsum(duration)])
    p = np.array([*brake.p, *profile.p])
    v = np.array([*brake.v, *profile.v])
    a = np.array([*brake.a, *profile.a])
    return since, p, v, a, jerk
