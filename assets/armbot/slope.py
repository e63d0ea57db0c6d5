"""A paddle for the tripod, and the program that pushes balls with it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gelenk.robots.armbot import CM
from gelenk.robots.armbot.controllers import Handling
from gelenk.robots.armbot.model import GripperModel, Tip

HANDLE = 8 * CM  # from the mount to the bar
HALF_BAR = 4 * CM
BEHIND = 4 * CM  # from the ball's back, where the paddle goes down: they are 1 cm off
WAY = 12 * CM  # of a push
PUSH_SPEED = 0.15  # [m/s]
PATIENCE = 10.0  # [s] for a ball to come down


class Paddle(GripperModel):
    """A bar across, at the end of a handle: it pushes and grips nothing."""

    tcp: ClassVar[tuple[float, float, float]] = (HANDLE, 0.0, 0.0)

    def build(self, base: Tip) -> None:
        end = base.segment(HANDLE, "handle", mass=0.1, radius=0.006).t_connector("bar")
        for side in (-1.0, 1.0):
            name = "bar_left" if side > 0.0 else "bar_right"
            end.touch_segment((0.0, side * HALF_BAR, 0.0), name).termination_point()


class Pusher(Handling):
    """Pushes one ball after the other down the slope and waits for each to arrive."""

    clearance = 7 * CM

    def __init__(self) -> None:
        self.num_down = 0

    def requires_configuration(self) -> bool:
        return True

    def configure(self, params: str) -> None:
        x, z, radius, *ys = (float(part) * CM for part in params.split(";"))
        if not ys:
            raise ValueError("expected x;z;radius;y;y;... in cm")
        self.balls = [np.array([x, y, z]) for y in ys]
        self.back = radius + BEHIND

    def receive_trigger(self, trigger: str) -> None:
        if trigger == "BALL_DOWN":
            self.num_down += 1

    def run(self) -> None:
        for count, ball in enumerate(self.balls, 1):
            if not self.push(ball):
                return
            if not self.wait_until(lambda: self.num_down >= count, PATIENCE):  # noqa: B023
                self.debug_out.println(f"ball {count} has not come down")
                return
            self.debug_out.println(f"ball {count} is down after {self.time:.2f} s")

    def push(self, ball: np.ndarray) -> bool:
        """Go down behind a ball and push it along x; return whether to go on."""
        start = np.subtract(ball, (self.back, 0.0, 0.0))
        end = np.add(start, (WAY, 0.0, 0.0))
        if not (self.move_above(start) and self.move_line(start)):
            return False
        line = self.manipulator.move_tcp_line(self.pose_down(end), velocity=PUSH_SPEED)
        return self._finish(line) and self.move_line(self._above(end))

    def stop(self) -> None:
        super().stop()
        self.num_down = 0
