"""Debug-Out: the lines that controllers print for their developers.

Example:
    >>> out = DebugOut(lambda: (120, 0.12))
    >>> out.println("gripper is open", robot=1)
    >>> str(out.lines[0])
    '0.120 s  robot1: gripper is open'
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass

from gelenk.runtime.bounded_log import SharedLog


@dataclass(frozen=True, slots=True, kw_only=True)
class DebugLine:
    """One line of a controller.

    Attributes:
        tick: Physics tick in which it was printed.
        time: Simulated time [s].
        robot: Number of the robot whose controller printed it.
        text: The line, without its end.
    """

    tick: int
    time: float
    robot: int
    text: str

    def __str__(self) -> str:
        return f"{self.time:.3f} s  robot{self.robot}: {self.text}"


class DebugOut:
    """Collects what all controllers print.

    Attributes:
        scroll: The lines, with listeners.

    Args:
        clock: Says physics tick and simulated time [s].
    """

    def __init__(self, clock: Callable[[], tuple[int, float]]) -> None:
        self._clock = clock
        self.scroll: SharedLog[DebugLine] = SharedLog()

    @property
    def lines(self) -> tuple[DebugLine, ...]:
        """What was printed, oldest first."""
        return self.scroll.items

    def println(self, text: object = "", robot: int = 0) -> None:
        """Print a line; a text of several lines becomes several.

        Args:
            text: Anything; what `str` makes of it is printed.
            robot: Number of the robot.
        """
        tick, time = self._clock()
        for line in str(text).splitlines() or [""]:
            self.scroll.append(
                DebugLine(tick=tick, time=time, robot=robot, text=line.rstrip())
            )

    def print_stack_trace(self, error: BaseException, robot: int = 0) -> None:
        """Print an exception and where it came from."""
        self.println("".join(traceback.format_exception(error)), robot)

    def listen(self, listener: Callable[[DebugLine], object]) -> Callable[[], None]:
        """Have every new line told; returns how to stop that."""
        return self.scroll.listen(listener)

    def clear(self) -> None:
        """Forget all lines."""
        self.scroll.clear()
