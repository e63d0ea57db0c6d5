"""Handling: fetch an object from above, and put it down elsewhere."""

from __future__ import annotations

import numpy as np

from gelenk.robots.armbot.interface.controller import CM, DEG, RobotController
from gelenk.robots.armbot.interface.moves import MoveResult
from gelenk.spatial.plane_angles import matrix_from_plane_angles
from gelenk.spatial.se3 import pose_from_rotation_translation
from gelenk.typing import ArrayLike, FloatArray

RIGHT_ANGLE = 90.0 * DEG
DOWN = -90.0 * DEG  # in x-z: the gripper points to the floor
CLEARANCE = 0.08  # [m] over an object, before and after


class HandlingError(RuntimeError):
    """A move that a task needs is impossible."""


class Handling(RobotController):
    """Base of controllers that pick objects up from above and put them down.

    Places are those of the grip point in the world, in metres. Every method returns
    whether the task shall go on: False once an end was requested.

    Attributes:
        speed: Share of the top speeds.
        clearance: How far above an object the gripper comes and goes [m].
        travel: Least height of the grip point on its way across [m]; 0: none.
    """

    speed: float = 1.0
    clearance: float = CLEARANCE
    travel: float = 0.0

    def pick(
        self,
        point: ArrayLike,
        *,
        width: float | None,
        yaw: float = 0.0,
        is_centred: bool = False,
    ) -> bool:
        """Open, come from above, close, and lift.

        Args:
            point: Grip point in the world [m], shape (3,).
            width: To which the fingers close [m]; None: fully, or by suction.
            yaw: Heading of the gripper in the world [rad].
            is_centred: Whether the object is squeezed at right angles first. Two
                fingers bring an object to their middle along the line between them;
                its place along the other axis stays as unknown as it was.
        """
        self.gripper.open()
        first = yaw + RIGHT_ANGLE if is_centred else yaw
        if not (self.move_above(point, yaw=first) and bool(self.gripper.wait())):
            return False
        if is_centred and not self._squeeze(point, width, first):
            return False
        return (
            self.move_line(point, yaw=yaw)
            and self.grip(width)
            and self.move_line(self._above(point), yaw=yaw)
        )

    def place(self, point: ArrayLike, *, yaw: float = 0.0) -> bool:
        """Come from above, open, and go up again.

        Args:
            point: Grip point in the world [m], shape (3,).
            yaw: Heading of the gripper in the world [rad].
        """
        if not (self.move_above(point, yaw=yaw) and self.move_line(point, yaw=yaw)):
            return False
        self.gripper.open()
        return bool(self.gripper.wait()) and self.move_line(self._above(point), yaw=yaw)

    def grip(self, width: float | None) -> bool:
        """Close the gripper and wait for it; arguments as for `pick`."""
        self.gripper.close(width=width)
        return bool(self.gripper.wait()) and self.sleep(0.05)

    def move_above(self, point: ArrayLike, *, yaw: float = 0.0) -> bool:
        """Move over a point, the shortest way for the motors."""
        return self.move_to(self._above(point), yaw=yaw)

    def move_to(self, point: ArrayLike, *, yaw: float = 0.0) -> bool:
        """Move the grip point to a place, the shortest way for the motors."""
        T = self.pose_down(point, yaw)
        return self._finish(self.manipulator.move_tcp_to(T, speed=self.speed))

    def move_line(self, point: ArrayLike, *, yaw: float = 0.0) -> bool:
        """Move the grip point on a straight line."""
        T = self.pose_down(point, yaw)
        return self._finish(self.manipulator.move_tcp_line(T, speed=self.speed))

    def receive_command(self, line: str) -> None:
        """Answer where the arm is: `where` for the grip point, `joints` for motors."""
        arm = self.manipulator
        match line.strip().lower():
            case "where":
                x, y, z = arm.to_world(arm.tcp_pose()[:3, 3]) / CM
                text = f"x = {x:.1f} cm, y = {y:.1f} cm, z = {z:.1f} cm in the world"
                self.commander.success(text)
            case "joints":
                values = (f"{value:.3f}" for value in arm.joint_values())
                self.commander.success(f"{', '.join(values)} [rad] or [m]")
            case _:
                self.commander.failure("expected `where` or `joints`")

    def pose_down(self, point: ArrayLike, yaw: float = 0.0) -> FloatArray:
        """Return the pose of a gripper that points down, in the body frame, (4, 4)."""
        R = matrix_from_plane_angles([yaw, DOWN, 0.0], order="reverse")
        return self.manipulator.pose_to_local(pose_from_rotation_translation(R, point))

    def _squeeze(self, point: ArrayLike, width: float | None, yaw: float) -> bool:
        """Close around an object, let go, and come back over it at right angles."""
        if not (self.move_line(point, yaw=yaw) and self.grip(width)):
            return False
        self.gripper.open()
        near = np.add(point, (0.0, 0.0, self.clearance))
        return (
            bool(self.gripper.wait())
            and self.move_line(near, yaw=yaw)
            and self.move_to(near, yaw=yaw - RIGHT_ANGLE)
        )

    def _above(self, point: ArrayLike) -> FloatArray:
        x, y, z = np.asarray(point, dtype=np.float64)
        return np.array([x, y, max(z + self.clearance, self.travel)])

    def _finish(self, started: MoveResult) -> bool:
        if not started.ok:
            raise HandlingError(started.message)
        ended = self.manipulator.wait_movement_completed()
        if not ended.ok and ended.code != "stopped":
            raise HandlingError(ended.message)
        return ended.ok


def point_from_text(text: str) -> FloatArray:
    """Return numbers in centimetres, separated by commas, in metres."""
    return np.array([float(part) * CM for part in text.split(",")])
