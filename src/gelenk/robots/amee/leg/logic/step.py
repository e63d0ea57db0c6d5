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

    __slots__ = (
        "_announced",
        "_attempt",
        "_from",
        "_gain",
        "_height",
        "_line",
        "_logic",
        "state",
    )

    def __init__(self, logic: LogicLayer, line: LineMover) -> None:
        self._logic, self._line = logic, line
        self.state = Step.IDLE
        self._from: Point = (0.0, 0.0, 0.0)
        self._gain = self._height = 0.0
        self._attempt = 0
        self._announced = False

    def start(self) -> None:
        """Begin the step whose points stand in the shared data."""
        self._go(Step.START)

    def reset(self) -> None:
        """Force to idle."""
        self._go(Step.IDLE)

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
        """Lift as high as wanted, or as possible; one height is tried in each pass."""
        logic = self._logic
        least = logic.cfg.ground_clearance
        if self._attempt == 0:
            self._from, _ = logic.measured_point()
            self._gain = logic.cfg.lift
            if logic.safe_walk:
                hip, height = logic.measured_angles()[1], self._from[1]
                self._gain = tucked_height(height, hip, logic.cfg.geometry) - height
        x, y, z = self._from
        rise = self._gain - self._share() * (self._gain - least)
        if self._gain >= least and logic.move((x, y + rise, z)):
            self._height = y + rise
            self._announced = False
            logic.control.on_ground = False
            self._go(Step.HALF_WAY)
        elif self._gain < least or not self._try_again():
            logic.fail(ErrorCode.NO_CLEARANCE)
            self._go(Step.IDLE)

    def _carry(self, x: float, z: float, then: Step) -> None:
        """Start a move at the height of the lift, lower where that is out of reach."""
        logic, yaw = self._logic, None
        if math.hypot(x, z) < NEAR_AXIS:
            # Below the hip a small error in place is a large one in yaw.
            yaw = yaw_through_hip(logic.begin, logic.end)
            if yaw is None:
                ahead = logic.begin[0] > 0.0
                yaw = math.atan2(logic.begin[2], logic.begin[0]) if ahead else 0.0
            radius = x * math.cos(yaw) + z * math.sin(yaw)
            x, z = radius * math.cos(yaw), radius * math.sin(yaw)
        floor = min(self._height, logic.begin[1] + logic.cfg.ground_clearance)
        height = self._height - self._share() * (self._height - floor)
        if logic.move((x, height, z), yaw=yaw):
            self._go(then)
        elif not self._try_again():
            logic.failed = True
            logic.report(Report.OUT_OF_RANGE)
            self._go(Step.IDLE)

    def _share(self) -> float:
        """Return how far the present attempt is from the wanted height to the least."""
        return self._attempt / (_ATTEMPTS - 1)

    def _try_again(self) -> bool:
        self._attempt += 1
        return self._attempt < _ATTEMPTS

    def _go(self, state: Step) -> None:
        self._attempt = 0
        self.state = state

    def _half_way(self) -> None:
        logic = self._logic
        if not logic.has_arrived():
            return
        (x, _, z), _ = logic.measured_point()
        begin = logic.begin
        self._carry((x + begin[0]) / 2, (z + begin[2]) / 2, Step.MOVE_OVER)

    def _move_over(self) -> None:
        logic = self._logic
        if logic.has_arrived():
            self._carry(logic.begin[0], logic.begin[2], Step.WAIT_FIRST_SYNC)

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
