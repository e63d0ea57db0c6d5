"""DoStep: lift the foot, carry it over, wait in the air, then put it down."""

from __future__ import annotations

import math
from enum import IntEnum

from gelenk.robots.amee.kinematics.forward import tucked_height
from gelenk.robots.amee.leg.logic.data import LogicLayer, Point
from gelenk.robots.amee.leg.logic.line import Line, LineMover, yaw_through_hip
from gelenk.robots.amee.wire.table import ErrorCode, Report


class Step(IntEnum):
    """States of DoStep."""

    IDLE = 0
    START = 1
    HALF_WAY = 2
    MOVE_OVER = 3
    WAIT_FIRST_SYNC = 4
    WAIT_LINE_MOVER = 5


NEAR_AXIS = 0.040  # [m] from the yaw axis
_ATTEMPTS = 8  # heights tried between the wanted one and none


class DoStep:
    """Automaton of one step.

    Args:
        logic: Shared data of the layer.
        line: Controller of the ground stroke.

    Attributes:
        state: Present state.
    """

    __slots__ = ("_announced", "_height", "_line", "_logic", "state")

    def __init__(self, logic: LogicLayer, line: LineMover) -> None:
        self._logic, self._line = logic, line
        self.state = Step.IDLE
        self._height = 0.0
        self._announced = False

    def start(self) -> None:
        """Begin the step whose points stand in the shared data."""
        self.state = Step.START

    def reset(self) -> None:
        """Force to idle."""
        self.state = Step.IDLE

    def step(self) -> None:
        """Handle the present state."""
        if self.state == Step.START:
            self._start()
        elif self.state == Step.HALF_WAY:
            self._half_way()
        elif self.state == Step.MOVE_OVER:
            self._move_over()
        elif self.state == Step.WAIT_FIRST_SYNC:
            self._wait_first_sync()
        elif self.state == Step.WAIT_LINE_MOVER and self._line.state == Line.IDLE:
            self.state = Step.IDLE

    def _start(self) -> None:
        logic = self._logic
        (x, y, z), _ = logic.measured_point()
        gain = logic.cfg.lift
        if logic.safe_walk:
            hip = logic.measured_angles()[1]
            gain = tucked_height(y, hip, logic.cfg.geometry) - y
        least = logic.cfg.ground_clearance
        if gain < least or not self._lift((x, y, z), gain, least):
            logic.fail(ErrorCode.NO_CLEARANCE)
            self.state = Step.IDLE
            return
        self._announced = False
        self.state = Step.HALF_WAY

    def _lift(self, point: Point, gain: float, least: float) -> bool:
        """Start the highest lift up to `gain` [m] that is possible."""
        x, y, z = point
        for attempt in range(_ATTEMPTS):
            rise = gain - attempt / (_ATTEMPTS - 1) * (gain - least)
            if self._logic.move((x, y + rise, z)):
                self._height = y + rise
                return True
        return False

    def _carry(self, x: float, z: float) -> bool:
        """Start a move at the height of the lift, lower where that is out of reach."""
        yaw = None
        if math.hypot(x, z) < NEAR_AXIS:
            # Below the hip a small error in place is a large one in yaw.
            begin = self._logic.begin
            yaw = yaw_through_hip(begin, self._logic.end)
            if yaw is None:
                yaw = math.atan2(begin[2], begin[0]) if begin[0] > 0.0 else 0.0
            radius = x * math.cos(yaw) + z * math.sin(yaw)
            x, z = radius * math.cos(yaw), radius * math.sin(yaw)
        floor = self._logic.begin[1] + self._logic.cfg.ground_clearance
        for attempt in range(_ATTEMPTS):
            share = attempt / (_ATTEMPTS - 1)
            height = self._height + share * (min(floor, self._height) - self._height)
            if self._logic.move((x, height, z), yaw=yaw):
                return True
        self._logic.failed = True
        self._logic.report(Report.OUT_OF_RANGE)
        self.state = Step.IDLE
        return False

    def _half_way(self) -> None:
        logic = self._logic
        if not logic.has_arrived():
            return
        (x, _, z), _ = logic.measured_point()
        begin = logic.begin
        if self._carry((x + begin[0]) / 2, (z + begin[2]) / 2):
            self.state = Step.MOVE_OVER

    def _move_over(self) -> None:
        logic = self._logic
        if logic.has_arrived() and self._carry(logic.begin[0], logic.begin[2]):
            self.state = Step.WAIT_FIRST_SYNC

    def _wait_first_sync(self) -> None:
        logic = self._logic
        if not logic.has_arrived():
            return
        if not self._announced:
            self._announced = True
            logic.sync_next = False
            logic.report(Report.SYNC)
        elif logic.sync_next:
            logic.sync_next = False
            self._line.start(with_touch=True)
            self.state = Step.WAIT_LINE_MOVER
