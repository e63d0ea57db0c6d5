"""Two robots and one bar: the giver offers it, the taker takes it out of its hand.

giver -> taker   OFFER   the bar hangs at the meeting point
taker -> giver   TAKEN   both hold it
giver -> taker   CLEAR   the giver has let go and is out of the way
taker -> giver   DONE    it stands
"""

from __future__ import annotations

import numpy as np

from gelenk.robots.armbot import CM, DEG
from gelenk.robots.armbot.controllers import Handling
from gelenk.spatial.plane_angles import matrix_from_plane_angles
from gelenk.spatial.se3 import pose_from_rotation_translation

GIVER, TAKER = 0, 1
SQUEEZE = 0.4 * CM  # fingers close a little more than the bar is wide
SHARE = 0.25  # of the length: how far from its middle each of them grips the bar


class Partner(Handling):
    """What both have in common: they listen to each other."""

    def __init__(self) -> None:
        self.heard: set[str] = set()

    def requires_configuration(self) -> bool:
        return True

    def receive_trigger(self, trigger: str) -> None:
        self.debug_out.println(f"heard {trigger}")
        self.heard.add(trigger)

    def hears(self, trigger: str) -> bool:
        """Wait for a trigger; return whether to go on."""
        return self.wait_until(lambda: trigger in self.heard)

    def stop(self) -> None:
        super().stop()
        self.heard.clear()


class Giver(Partner):
    """Takes a bar from a table and offers it to the other robot."""

    def configure(self, params: str) -> None:
        x, y, z, length, width, *meeting = (float(p) * CM for p in params.split(";"))
        self.bar, self.length, self.width = np.array([x, y, z]), length, width
        self.meeting = np.array(meeting)

    def run(self) -> None:
        # The bar lies nearly as it should; squeezed lengthwise it does.
        end = self.bar - [SHARE * self.length, 0.0, 0.0]
        if not (
            self.pick(self.bar, width=self.length - SQUEEZE, yaw=90 * DEG)
            and self.place(self.bar, yaw=90 * DEG)
            and self.pick(end, width=self.width - SQUEEZE)
        ):
            return
        place = self.meeting - [SHARE * self.length, 0.0, 0.0]
        if not self.move_above(place - [0.0, 0.0, self.clearance]):
            return
        self.send_trigger(TAKER, "OFFER")
        if not self.hears("TAKEN"):
            return
        self.gripper.open()
        if not (self.gripper.wait() and self.move_line(self._above(place))):
            return
        self.send_trigger(TAKER, "CLEAR")
        self.hears("DONE")


class Taker(Partner):
    """Takes the bar out of the other robot's gripper and stands it upright."""

    def configure(self, params: str) -> None:
        numbers = [float(part) * CM for part in params.split(";")]
        self.meeting, self.goal = np.array(numbers[:3]), np.array(numbers[5:8])
        self.length, self.width = numbers[3:5]

    def run(self) -> None:
        if not self.hears("OFFER"):
            return
        grip = np.add(self.meeting, (SHARE * self.length, 0.0, 0.0))
        self.gripper.open()
        if not (
            self.go(np.add(grip, (self.clearance, 0.0, 0.0)))
            and self.go(grip, is_line=True)
            and self.grip(self.width - SQUEEZE)
        ):
            return
        self.send_trigger(GIVER, "TAKEN")
        if not self.hears("CLEAR"):
            return
        # Upright the bar hangs below the gripper, whose grip point is now this high:
        height = (0.5 + SHARE) * self.length
        if self.place(np.add(self.goal, (0.0, 0.0, height))):
            self.send_trigger(GIVER, "DONE")

    def go(self, point: np.ndarray, *, is_line: bool = False) -> bool:
        """Move the grip point, the gripper level and towards the other robot."""
        R = matrix_from_plane_angles([180 * DEG, 0.0, 0.0], order="reverse")
        T = self.manipulator.pose_to_local(pose_from_rotation_translation(R, point))
        move = (
            self.manipulator.move_tcp_line if is_line else self.manipulator.move_tcp_to
        )
        return self._finish(move(T))
