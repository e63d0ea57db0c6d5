"""`Manipulator`: the arm as a controller sees it, in its body frame.

Lengths in metres, angles in radians. The body frame stands at the robot's place, x
forward and z up. The wrist is the gripper mount; its orientation is that of the
gripper's base, whose x axis is the gripping direction. Angles of an orientation are
those of Roth 2021 §7.1 in reverse order: x-y, x-z (up is positive), y-z.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, GelenkError
from gelenk.robots.armbot.interface import moves
from gelenk.robots.armbot.interface.kinematics import (
    DirectKinematics,
    InverseKinematics,
    InverseResult,
)
from gelenk.robots.armbot.interface.motor import (
    Course,
    Drive,
    Motor,
    check_share,
)
from gelenk.robots.armbot.interface.moves import (
    DONE,
    MoveResult,
    OutOfReachError,
    UnsupportedOperationError,
    check_kind,
    check_velocity,
    point_in_words,
    refused,
    switched_off,
    wrist_target,
    wrist_values,
)
from gelenk.spatial import se3
from gelenk.spatial.plane_angles import matrix_from_plane_angles
from gelenk.spatial.so3 import angle_between
from gelenk.typing import ArrayLike, FloatArray

TURN_LENGTH = 0.25  # [m/rad]: how much of a line a turn counts as, for its sampling


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArmFacts:
    """What a manipulator is, fixed by its models.

    Attributes:
        T_world_body: Its place, (4, 4).
        T_gripper_tcp: Grip point in the gripper's base, (4, 4).
        has_own_wrist: Whether the arm turns its mount itself.
    """

    T_world_body: FloatArray
    T_gripper_tcp: FloatArray
    has_own_wrist: bool


class Manipulator:
    """An arm and its wrist.

    Attributes:
        motors: Motors of the arm; q is in their order.
        wrist_motors: The three wrist servos, none for an arm with a wrist of its own.
    """

    def __init__(
        self,
        facts: ArmFacts,
        motors: Sequence[Motor],
        wrist_motors: Sequence[Motor],
        drive: Drive,
        *,
        direct: DirectKinematics | None,
        inverse: InverseKinematics | None,
    ) -> None:
        self.motors, self.wrist_motors = tuple(motors), tuple(wrist_motors)
        self._facts, self._drive = facts, drive
        self._direct, self._inverse = direct, inverse
        every = (*self.motors, *self.wrist_motors)
        self._indices = np.array([motor.facts.index for motor in every])
        self._low = np.array([motor.min_value for motor in every])
        self._high = np.array([motor.max_value for motor in every])
        self._top_speed = np.array([motor.max_speed for motor in every])
        self._course: Course | None = None
        self._wait: Callable[[Callable[[], bool], float | None], bool] | None = None

    # -- kinematics ----------------------------------------------------------------

    @property
    def direct_kinematics(self) -> DirectKinematics:
        """From joint values to the pose of the mount; set an own one if it is off."""
        if self._direct is None:
            raise UnsupportedOperationError(switched_off("direct", "mandirkin"))
        return self._direct

    @direct_kinematics.setter
    def direct_kinematics(self, own: DirectKinematics) -> None:
        check_kind("direct_kinematics", own, DirectKinematics)
        self._direct = own

    @property
    def inverse_kinematics(self) -> InverseKinematics:
        """From a position of the mount to joint values; set an own one if it is off."""
        if self._inverse is None:
            raise UnsupportedOperationError(switched_off("inverse", "maninvkin"))
        return self._inverse

    @inverse_kinematics.setter
    def inverse_kinematics(self, own: InverseKinematics) -> None:
        check_kind("inverse_kinematics", own, InverseKinematics)
        self._inverse = own

    # -- looking -------------------------------------------------------------------

    def joint_values(self) -> FloatArray:
        """Return where the arm's motors are [rad] or [m], shape (n,)."""
        return self._values()[: len(self.motors)]

    def wrist_position(self) -> FloatArray:
        """Return the position of the mount in the body frame [m], shape (3,)."""
        return self.wrist_pose()[:3, 3]

    def wrist_pose(self) -> FloatArray:
        """Return mount position and gripper orientation in the body frame, (4, 4)."""
        return self._pose_at(self._values())

    def tcp_pose(self) -> FloatArray:
        """Return the pose of the grip point in the body frame, (4, 4)."""
        return self.wrist_pose() @ self._facts.T_gripper_tcp

    def to_world(self, point: ArrayLike) -> FloatArray:
        """Return a point of the body frame in the world [m], shape (3,)."""
        return se3.transform_point(self._facts.T_world_body, point)

    def to_local(self, point: ArrayLike) -> FloatArray:
        """Return a point of the world in the body frame [m], shape (3,)."""
        return se3.transform_point(se3.inverse(self._facts.T_world_body), point)

    def pose_to_local(self, T_world_frame: ArrayLike) -> FloatArray:
        """Return a pose of the world in the body frame, (4, 4)."""
        return se3.inverse(self._facts.T_world_body) @ np.asarray(T_world_frame)

    def is_moving(self) -> bool:
        """Whether a motor of arm or wrist is on its way."""
        if self._course is not None and not (
            self._course.is_done or self._course.is_replaced
        ):
            return True
        return self._drive.is_moving(self._indices)

    # -- moving --------------------------------------------------------------------

    def set_joint_targets(self, q: ArrayLike, speed: float = 1.0) -> None:
        """Send each motor of the arm to its value, as fast as it can by itself.

        Args:
            q: Values [rad] or [m], clipped to the ranges, shape (n,).
            speed: Share of the top speeds, above 0, at most 1.
        """
        check_share(speed)
        q = as_finite("q", q, (len(self.motors),))
        count = len(self.motors)
        q = np.clip(q, self._low[:count], self._high[:count])
        self._course = None
        self._drive.set_targets(self._indices[:count], q, speed)

    def stop(self) -> None:
        """Let all motors of arm and wrist stand still at once."""
        self._course = None
        self._drive.set_targets(self._indices, self._values(), 1.0)

    def hold(self) -> None:
        """Stand still on the way; `proceed` goes on along the same path."""
        self._drive.hold()

    def proceed(self) -> None:
        """Go on with the move that was held."""
        self._drive.proceed()

    def move_joints(self, q: ArrayLike, speed: float = 1.0) -> MoveResult:
        """Move the arm so that all its motors start and arrive together.

        Args:
            q: Joint values [rad] or [m], shape (n,).
            speed: Share of the top speeds, above 0, at most 1.
        """
        check_share(speed)
        q = as_finite("q", q, (len(self.motors),))
        values = self._values()
        return self._go(values, np.concatenate([q, values[len(q) :]]), speed)

    def move_wrist_to(
        self,
        x: float,
        y: float,
        z: float,
        ang_xy: float | None = None,
        ang_xz: float | None = None,
        ang_yz: float | None = None,
        *,
        speed: float = 1.0,
    ) -> MoveResult:
        """Move the mount to a position; all motors start and arrive together.

        Args:
            x: Position in the body frame [m].
            y: ...
            z: ...
            ang_xy: Orientation of the gripper in the body frame [rad]; without any of
                the three the wrist servos stay as they are, and an arm with a wrist of
                its own keeps its orientation. Of three, those left out count as 0.
            ang_xz: ..., positive is up: -90 degrees point down.
            ang_yz: ...
            speed: Share of the top speeds, above 0, at most 1.
        """
        check_share(speed)
        p, R = wrist_target(x, y, z, ang_xy, ang_xz, ang_yz)
        values = self._values()
        try:
            end = self._solve(p, R, values)
        except OutOfReachError as error:
            return error.result
        return self._go(values, end, speed)

    def move_wrist_line(
        self,
        x: float,
        y: float,
        z: float,
        ang_xy: float | None = None,
        ang_xz: float | None = None,
        ang_yz: float | None = None,
        *,
        speed: float = 1.0,
    ) -> MoveResult:
        """Move the mount on a straight line, as fast as the motors can.

        The orientation turns about one axis on the way; arguments as above.
        """
        check_share(speed)
        p, R = wrist_target(x, y, z, ang_xy, ang_xz, ang_yz)
        return self._follow_line(p, R, speed=speed)

    def move_wrist_line_constant(
        self,
        x: float,
        y: float,
        z: float,
        ang_xy: float | None = None,
        ang_xz: float | None = None,
        ang_yz: float | None = None,
        *,
        velocity: float,
    ) -> MoveResult:
        """Move the mount on a straight line at constant speed.

        Args:
            x: As for `move_wrist_to`.
            y: ...
            z: ...
            ang_xy: ...
            ang_xz: ...
            ang_yz: ...
            velocity: Speed of the mount [m/s]; what is too fast for a motor is refused.
        """
        check_velocity(velocity)
        p, R = wrist_target(x, y, z, ang_xy, ang_xz, ang_yz)
        return self._follow_line(p, R, velocity=velocity)

    def move_tcp_to(self, T_body_tcp: ArrayLike, *, speed: float = 1.0) -> MoveResult:
        """Move the grip point to a pose of the body frame, (4, 4)."""
        check_share(speed)
        T = self._gripper_pose(T_body_tcp)
        values = self._values()
        try:
            end = self._solve(T[:3, 3], T[:3, :3], values)
        except OutOfReachError as error:
            return error.result
        return self._go(values, end, speed)

    def move_tcp_line(
        self,
        T_body_tcp: ArrayLike,
        *,
        speed: float = 1.0,
        velocity: float | None = None,
    ) -> MoveResult:
        """Move the grip point on a straight line to a pose of the body frame.

        Args:
            T_body_tcp: Pose, (4, 4).
            speed: Share of the top speeds; not used with `velocity`.
            velocity: Constant speed of the grip point [m/s]; None: as fast as can be.
        """
        check_share(speed)
        if velocity is not None:
            check_velocity(velocity)
        T = as_finite("T_body_tcp", T_body_tcp, (4, 4))
        tool = self._facts.T_gripper_tcp
        return self._follow_line(
            T[:3, 3], T[:3, :3], speed=speed, velocity=velocity, T_gripper_tool=tool
        )

    def wait_movement_completed(self, timeout: float | None = None) -> MoveResult:
        """Wait until the arm stands.

        Args:
            timeout: Longest wait [s]; None: as long as it takes.
        """
        if self._wait is None:
            raise RuntimeError("waiting is possible from `configure` on, in run()")
        course = self._course
        if self._wait(lambda: not self.is_moving(), timeout):
            if course is not None and course.is_replaced:
                return refused("replaced", "another command came before the end")
            return DONE
        if self.is_moving() and timeout is not None and self._is_going_on():
            return refused("timeout", f"the arm still moves after {timeout:g} s")
        return refused("stopped", "an end was requested")

    # -- inside --------------------------------------------------------------------

    def _connect(
        self,
        wait: Callable[[Callable[[], bool], float | None], bool],
        is_running: Callable[[], bool],
    ) -> None:
        """Take the services of the controller that owns this arm."""
        self._wait, self._is_going_on = wait, is_running

    def _values(self) -> FloatArray:
        return self._drive.values()[self._indices]

    def _pose_at(self, values: FloatArray) -> FloatArray:
        """Return the pose of the gripper's base, (4, 4)."""
        count = len(self.motors)
        T = np.array(self.direct_kinematics.pose(values[:count]))
        if len(values) > count:
            turn = matrix_from_plane_angles(values[count:], order="reverse")
            T[:3, :3] = T[:3, :3] @ turn
        return T

    def _gripper_pose(self, T_body_tcp: ArrayLike) -> FloatArray:
        T = as_finite("T_body_tcp", T_body_tcp, (4, 4))
        return T @ se3.inverse(self._facts.T_gripper_tcp)

    def _solve(
        self,
        p: FloatArray,
        R: FloatArray | None,
        before: FloatArray,
        *,
        is_on_line: bool = False,
    ) -> FloatArray:
        """Return motor values for a mount position and a gripper orientation.

        Raises:
            OutOfReachError: If there are none.
        """
        count, inverse = len(self.motors), self.inverse_kinematics
        try:
            if self._facts.has_own_wrist:
                if R is None:
                    R = self._pose_at(before)[:3, :3]
                T = se3.pose_from_rotation_translation(R, p)
                found = inverse.solve_pose(T, before[:count])
            else:
                found = inverse.solve(p, before[:count])
        except GelenkError as error:
            if isinstance(error, UnsupportedOperationError):
                raise
            text = f"{point_in_words(p)} cannot be reached: {error}"
            raise OutOfReachError(refused("unreachable", text, error)) from error
        q = self._checked(found, p)
        if is_on_line and found.starts > 1:
            text = (
                f"{point_in_words(p)} needs another posture of the arm; move by joints "
                "there"
            )
            raise OutOfReachError(refused("unreachable", text))
        wrist = before[count:]
        if R is not None and len(wrist):
            wrist = self._turn_wrist(q, R, wrist)
        return np.concatenate([q, wrist])

    def _checked(self, found: InverseResult, p: FloatArray) -> FloatArray:
        q = np.asarray(found.q, dtype=np.float64)
        if not found.ok:
            text = (
                f"{point_in_words(p)} cannot be reached, {found.error:.3g} m are "
                "missing"
            )
            raise OutOfReachError(refused("unreachable", text))
        if q.shape != (len(self.motors),) or not np.isfinite(q).all():
            raise ConfigError(
                f"the inverse kinematics must return {len(self.motors)} finite joint "
                f"values, got {found.q!r}"
            )
        return q

    def _turn_wrist(
        self, q: FloatArray, R: FloatArray, before: FloatArray
    ) -> FloatArray:
        count = len(self.motors)
        R_body_mount = np.asarray(self.direct_kinematics.pose(q))[:3, :3]
        found = wrist_values(
            R_body_mount.T @ R, before, self._low[count:], self._high[count:]
        )
        if found is None:
            text = "the wrist servos cannot turn the gripper so far"
            raise OutOfReachError(refused("limits", text))
        return found

    def _follow_line(
        self,
        p: FloatArray,
        R: FloatArray | None,
        *,
        speed: float = 1.0,
        velocity: float | None = None,
        T_gripper_tool: FloatArray | None = None,
    ) -> MoveResult:
        tool = np.eye(4) if T_gripper_tool is None else T_gripper_tool
        values, back = self._values(), se3.inverse(tool)
        T_start = self._pose_at(values) @ tool
        turns = R is not None or self._facts.has_own_wrist
        R_end = T_start[:3, :3] if R is None else R
        T_end = se3.pose_from_rotation_translation(R_end, p)
        length = float(np.linalg.norm(p - T_start[:3, 3]))
        angle = float(angle_between(T_start[:3, :3], R_end))

        def solve(share: float, before: FloatArray) -> FloatArray:
            T = se3.interpolate_decoupled(T_start, T_end, share) @ back
            R = T[:3, :3] if turns else None
            return self._solve(T[:3, 3], R, before, is_on_line=True)

        period, top = self._drive.period, speed * self._top_speed
        try:
            if velocity is None:
                extent = length + TURN_LENGTH * angle
                path = moves.fast_line(solve, values, extent, top, period)
            else:
                path = moves.constant_line(solve, values, length / velocity, period)
        except OutOfReachError as error:
            return error.result
        return self._take(values, path)

    def _go(self, values: FloatArray, end: FloatArray, speed: float) -> MoveResult:
        top = speed * self._top_speed
        path = moves.joint_path(values, end, top, self._drive.period)
        return self._take(values, path)

    def _take(self, values: FloatArray, path: FloatArray) -> MoveResult:
        beyond = np.maximum(self._low - path, path - self._high).max(axis=0)
        if beyond.max() > 1e-9:
            motor = (*self.motors, *self.wrist_motors)[int(np.argmax(beyond))]
            return refused(
                "limits",
                f"motor {motor.name!r} would have to go {beyond.max():.3g} "
                f"{motor.unit} beyond its range",
            )
        period = self._drive.period
        whole = np.vstack([values, path])
        share = moves.fastest(whole, self._top_speed, period)
        if share > 1.0 + 1e-6:
            return refused(
                "too_fast",
                f"a motor would need {share:.2f} times its top speed; move at most "
                f"{1.0 / share:.2f} times as fast",
            )
        self._course = self._drive.follow(self._indices, path)
        return DONE
