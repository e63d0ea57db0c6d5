"""LineMover: the foot on a straight line, via point by via point, in step."""

from __future__ import annotations

import math
from enum import IntEnum

from gelenk.robots.amee.leg.logic.data import THROUGH_HIP, LogicLayer, Point
from gelenk.robots.amee.leg.logic.touch import TouchCtrl
from gelenk.robots.amee.wire.table import ErrorCode, Report


class Line(IntEnum):
    """States of LineMover."""

    IDLE = 0
    START = 1
    WAIT = 2
    CALC = 3
    MOVING = 4


# A foot cannot follow a yaw that turns by more than this between two via points [rad].
MAX_YAW_STEP = math.radians(30.0)
# What a sole gives up of its tilt at once where its leg cannot keep it [rad].
TILT_PART = math.radians(2.0)


def num_line_points(begin: Point, end: Point, min_step: float) -> int:
    """Return how many via points a line has, its end included (CalcLinePoints)."""
    length = math.dist(begin, end)
    return math.ceil(length / min_step - 1e-9) if length > 1e-9 else 0


def line_point(begin: Point, end: Point, index: int, count: int) -> Point:
    """Return via point `index` of `count`; the last one is the end."""
    share = index / count
    return (
        begin[0] + share * (end[0] - begin[0]),
        begin[1] + share * (end[1] - begin[1]),
        begin[2] + share * (end[2] - begin[2]),
    )


def yaw_through_hip(begin: Point, end: Point) -> float | None:
    """Return the constant yaw of a line through the hip's axis [rad], else None."""
    dx, dz = end[0] - begin[0], end[2] - begin[2]
    length = math.hypot(dx, dz)
    if length < 1e-9:
        return None
    if abs(begin[0] * dz - begin[2] * dx) / length > THROUGH_HIP:
        return None
    if abs(dx) < 1e-12:
        return math.copysign(math.pi / 2, dz)
    return math.atan(dz / dx)


class LineMover:
    """Automaton of a line; releases come from the main controller.

    Args:
        logic: Shared data of the layer.
        touch: Controller of the ground contact.

    Attributes:
        state: Present state.
        with_touch: Whether the foot feels for ground at the line's begin.
        index: Via point that the leg drives to.
        count: Via points of the line.
    """

    __slots__ = (
        "_announced",
        "_last_yaw",
        "_logic",
        "_next",
        "_tilt",
        "_touch",
        "_yaw",
        "count",
        "index",
        "state",
        "with_touch",
    )

    def __init__(self, logic: LogicLayer, touch: TouchCtrl) -> None:
        self._logic, self._touch = logic, touch
        self.state = Line.IDLE
        self.with_touch = False
        self.index = self.count = 0
        self._next: tuple[int, ...] | None = None
        self._announced = False
        self._yaw: float | None = None
        self._last_yaw = 0.0
        self._tilt = 0.0

    def start(self, *, with_touch: bool) -> None:
        """Begin the line that stands in the shared data."""
        self.with_touch = with_touch
        self._tilt = self._logic.pitch
        self.state = Line.START

    def reset(self) -> None:
        """Force to idle."""
        self.state = Line.IDLE

    def step(self) -> None:
        """Handle the present state."""
        if self.state == Line.START:
            self._start()
        elif self.state == Line.WAIT:
            self._wait()
        elif self.state == Line.CALC:
            self._calc()
        elif self.state == Line.MOVING:
            self._moving()

    def _start(self) -> None:
        logic = self._logic
        self.index, self.count = 0, 0
        self._announced = False
        self._yaw = yaw_through_hip(logic.begin, logic.end)
        speed = logic.cfg.touch.speed if self.with_touch else None
        if not logic.move(logic.begin, logic.pitch, speed=speed, yaw=self._yaw):
            if self._flatten():
                return
            self._tilt_back()
            logic.failed = True
            logic.report(Report.OUT_OF_RANGE)
            self.state = Line.IDLE
            return
        self._tilt = logic.pitch
        if self.with_touch:
            self._touch.start()
        self.state = Line.WAIT

    def _wait(self) -> None:
        logic = self._logic
        if not self._touch.is_idle or not logic.has_arrived():
            return
        if logic.failed or (self.count and self.index >= self.count):
            self.state = Line.IDLE
        elif not self._announced:
            self._announced = True
            self._take_found()
            self._announce()
        elif logic.sync_next:
            self._begin_line()

    def _take_found(self) -> None:
        """Let the line begin where the foot really stands."""
        logic = self._logic
        if not self.with_touch:
            return
        found = logic.found
        if self._yaw is not None:
            # On the planned direction: beside it the yaw would turn under the foot.
            radius = found[0] * math.cos(self._yaw) + found[2] * math.sin(self._yaw)
            found = (
                radius * math.cos(self._yaw),
                found[1],
                radius * math.sin(self._yaw),
            )
        if logic.cfg.touch.follow_found_height:
            rise = found[1] - logic.begin[1]
            logic.end = (logic.end[0], logic.end[1] + rise, logic.end[2])
        logic.begin = found
        logic.pitch = self._tilt = self._touch.pitch

    def _begin_line(self) -> None:
        logic = self._logic
        self.count = num_line_points(logic.begin, logic.end, logic.cfg.min_step)
        logic.sync_next = False
        if self.count == 0:
            self.state = Line.IDLE
            return
        self._last_yaw = logic.measured_angles()[0]
        counts = self._counts(1)
        if counts is None:
            logic.sync_next = self._flatten()
            if not logic.sync_next:
                self._give_up()
            return
        self.index = 1
        logic.start(counts, brute_force=True)
        self.state = Line.CALC

    def _calc(self) -> None:
        if self.index >= self.count:
            self.state = Line.WAIT
            return
        self._next = self._counts(self.index + 1)
        if self._next is None:
            if not self._flatten():
                self._give_up()
            return
        self._announced = False
        self.state = Line.MOVING

    def _moving(self) -> None:
        logic = self._logic
        if not logic.has_arrived():
            return
        if not self._announced:
            self._announced = True
            self._announce()
        elif logic.sync_next and self._next is not None:
            logic.sync_next = False
            self.index += 1
            logic.start(self._next, brute_force=True)
            self.state = Line.CALC

    def _counts(self, index: int) -> tuple[int, ...] | None:
        """Return the targets of a via point, None if the leg cannot follow."""
        logic = self._logic
        point = line_point(logic.begin, logic.end, index, self.count)
        counts = logic.counts_of_point(point, logic.pitch, self._yaw)
        if counts is None:
            return None
        yaw = logic.cfg.sensors[0].angle_from_counts(counts[0])
        if abs(yaw - self._last_yaw) > MAX_YAW_STEP:
            return None
        self._last_yaw, self._tilt = yaw, logic.pitch
        logic.goal, logic.goal_pitch = point, logic.pitch
        return counts

    def _flatten(self) -> bool:
        """Give up some of the sole's tilt for good; return whether there was any.

        A leg reaches farther with a level sole. One solution in a pass: the next pass
        tries again.
        """
        pitch = self._logic.pitch
        if pitch == 0.0:
            return False
        flatter = math.copysign(max(abs(pitch) - TILT_PART, 0.0), pitch)
        self._logic.pitch = self._touch.pitch = flatter
        return True

    def _tilt_back(self) -> None:
        """Take the tilt of the last point that was reached: flatter did not help."""
        self._logic.pitch = self._touch.pitch = self._tilt

    def _announce(self) -> None:
        self._logic.sync_next = False
        self._logic.report(Report.SYNC)

    def _give_up(self) -> None:
        self._tilt_back()
        self._logic.fail(ErrorCode.LINE_UNREACHABLE)
        self.state = Line.IDLE
