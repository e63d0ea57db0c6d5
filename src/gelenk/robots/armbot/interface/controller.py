"""`RobotController`: what a student derives from."""

from __future__ import annotations

import math
from typing import Any, Protocol

from gelenk.robots.armbot.interface.gripper import Gripper
from gelenk.robots.armbot.interface.manipulator import Manipulator
from gelenk.runtime.controller import Controller

CM = 0.01
"""One centimetre [m]: write `35 * CM`."""
DEG = math.pi / 180.0
"""One degree [rad]: write `-90 * DEG`."""


class Printer(Protocol):
    """Where a controller prints for people: Debug-Out."""

    def println(self, text: object = "") -> None: ...

    def print_stack_trace(self, error: BaseException) -> None: ...


class Answers(Protocol):
    """Where a controller answers typed lines: the Commander."""

    def println(self, text: object = "") -> None: ...

    def success(self, text: object = "") -> None: ...

    def failure(self, text: object = "") -> None: ...


class RobotController(Controller):
    """The program of one robot; derive from it and write `run`.

    It is made once, without arguments, and may be started any number of times. The arm
    is there from `configure` on, not in the constructor. `run` must return when
    `is_running()` is False; waits and sleeps are cut short then.

    A derived class may add `pause()`. To go on later along the same path, call
    `self.manipulator.hold()` there, and `proceed()` when `run` is called again.

    Example:
        >>> from gelenk.robots.armbot import RobotController
        >>> class Nod(RobotController):
        ...     '''Nods until it is stopped.'''
        ...     def run(self):
        ...         while self.is_running():
        ...             for z in (0.30, 0.20):
        ...                 self.manipulator.move_wrist_line(0.35, 0.0, z)
        ...                 self.manipulator.wait_movement_completed()
    """

    _manipulator: Manipulator | None = None
    _gripper: Gripper | None = None
    _debug_out: Printer | None = None
    _commander: Answers | None = None

    @property
    def manipulator(self) -> Manipulator:
        """The arm of this robot."""
        return self._given(self._manipulator)

    @property
    def gripper(self) -> Gripper:
        """The gripper of this robot."""
        gripper = self._given(self._gripper, may_be_missing=True)
        if gripper is None:
            raise RuntimeError(
                f"robot {self.instance_number} has no gripper; name one with GRIPPER "
                "in the environment file, or with -gri"
            )
        return gripper

    @property
    def has_gripper(self) -> bool:
        """Whether the robot has a gripper."""
        return self._given(self._gripper, may_be_missing=True) is not None

    @property
    def debug_out(self) -> Printer:
        """Prints lines for people."""
        return self._given(self._debug_out)

    @property
    def commander(self) -> Answers:
        """Answers lines that people typed."""
        return self._given(self._commander)

    def stop(self) -> None:
        """Stop the motors; extend it to go back to the beginning of the task."""
        if self._manipulator is not None:
            self._manipulator.stop()
        if self._gripper is not None:
            self._gripper.stop()

    def get_description(self) -> str:
        """Return what the controller does: the first line of its docstring."""
        text = (type(self).__doc__ or "").strip()
        return text.splitlines()[0] if text else type(self).__name__

    def _given(self, thing: Any, *, may_be_missing: bool = False) -> Any:
        if self._manipulator is None or (thing is None and not may_be_missing):
            raise RuntimeError(f"{type(self).__name__}: {self._NOT_CONFIGURED}")
        return thing
