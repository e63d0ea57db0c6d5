"""`Gripper`: the hand as a controller sees it; it opens and closes, feels nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.armbot.interface import moves
from gelenk.robots.armbot.interface.motor import Course, Drive, Motor, check_share
from gelenk.robots.armbot.interface.moves import DONE, MoveResult
from gelenk.robots.armbot.model import GripperModel


class Gripper:
    """A hand with fingers that move, or with a suction cup that is switched.

    Attributes:
        motors: Motors of its fingers.
        model: What it is.
    """

    def __init__(
        self,
        model: GripperModel,
        motors: Sequence[Motor],
        drive: Drive,
        *,
        switch: Callable[[bool], None] | None = None,
    ) -> None:
        self.model, self.motors = model, tuple(motors)
        self._drive, self._switch = drive, switch
        self._indices = np.array([motor.facts.index for motor in motors], dtype=int)
        self._course: Course | None = None
        self._wait: Callable[[Callable[[], bool], float | None], bool] | None = None

    def open(self, *, width: float | None = None, speed: float = 1.0) -> MoveResult:
        """Open the fingers, fully or to a width [m]; switch suction off."""
        return self._move(self.model.open_values, width, speed, is_holding=False)

    def close(self, *, width: float | None = None, speed: float = 1.0) -> MoveResult:
        """Close the fingers, fully or to a width [m]; switch suction on.

        Motors are infinitely strong: fingers do not stop at what is between them, so
        say how wide the object is.
        """
        return self._move(self.model.closed_values, width, speed, is_holding=True)

    def stop(self) -> None:
        """Let the fingers stand still at once; suction stays as it is."""
        self._course = None
        if self.motors:
            values = self._drive.values()[self._indices]
            self._drive.set_targets(self._indices, values, 1.0)

    def is_moving(self) -> bool:
        """Whether a finger is on its way."""
        course = self._course
        return course is not None and not (course.is_done or course.is_replaced)

    def wait(self, timeout: float | None = None) -> MoveResult:
        """Wait until the fingers stand.

        Args:
            timeout: Longest wait [s]; None: as long as it takes.
        """
        if self._wait is None:
            raise RuntimeError("waiting is possible from `configure` on, in run()")
        if self._wait(lambda: not self.is_moving(), timeout):
            return DONE
        if timeout is not None and self._is_going_on():
            text = f"the fingers still move after {timeout:g} s"
            return MoveResult(ok=False, code="timeout", message=text)
        return MoveResult(ok=False, code="stopped", message="an end was requested")

    def _connect(
        self,
        wait: Callable[[Callable[[], bool], float | None], bool],
        is_running: Callable[[], bool],
    ) -> None:
        """Take the services of the controller that owns this gripper."""
        self._wait, self._is_going_on = wait, is_running

    def _move(
        self,
        values: Mapping[str, float],
        width: float | None,
        speed: float,
        *,
        is_holding: bool,
    ) -> MoveResult:
        check_share(speed)
        if self._switch is not None:
            self._switch(is_holding)
        if not self.motors:
            return DONE
        if width is not None:
            values = self.model.values_for_width(width)
        unknown = sorted(set(values) ^ {motor.name for motor in self.motors})
        if unknown:
            raise ConfigError(
                f"{type(self.model).__name__} must give one value for each of its "
                f"motors; it does not for {', '.join(unknown)}"
            )
        start = self._drive.values()[self._indices]
        end = np.array([values[motor.name] for motor in self.motors])
        low = np.array([motor.min_value for motor in self.motors])
        high = np.array([motor.max_value for motor in self.motors])
        top = speed * np.array([motor.max_speed for motor in self.motors])
        path = moves.joint_path(start, np.clip(end, low, high), top, self._drive.period)
        self._course = self._drive.follow(self._indices, path)
        return DONE
