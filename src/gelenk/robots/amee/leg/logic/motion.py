"""MotionCtrl: reads a command, starts what does it, says when it is done."""

from __future__ import annotations

import math

from gelenk.robots.amee.config import TOES_ALL
from gelenk.robots.amee.leg.logic.data import LogicLayer, Point
from gelenk.robots.amee.leg.logic.line import Line, LineMover
from gelenk.robots.amee.leg.logic.step import DoStep, Step
from gelenk.robots.amee.leg.logic.touch import TouchCtrl
from gelenk.robots.amee.wire.table import Command, Report, Request

_TOUCHING = (Command.MOVE_POINT_TOUCH, Command.MOVE_ANGLE_TOUCH)
MOSTLY = 0.7  # share of a way: steeper than about 45 degrees
STAYS = 0.015  # [m], of a way that is none: the foot feels for ground where it is
_MOVES = (Command.MOVE_POINT, Command.MOVE_ANGLE)


class MotionCtrl:
    """Automaton whose states are the commands; idle is command 0.

    Args:
        logic: Shared data of the layer.
        line: Controller of lines.
        step_ctrl: Controller of steps.
        touch: Controller of the ground contact.

    Attributes:
        state: Command in work.
        dispatched: Whether a command was taken in this pass.
    """

    __slots__ = (
        "_line",
        "_logic",
        "_step",
        "_touch",
        "_unrest_at",
        "dispatched",
        "state",
    )

    def __init__(
        self,
        logic: LogicLayer,
        line: LineMover,
        step_ctrl: DoStep,
        touch: TouchCtrl,
    ) -> None:
        self._logic, self._line, self._step = logic, line, step_ctrl
        self._touch = touch
        self.state = Command.IDLE
        self.dispatched = False
        self._unrest_at = 0.0

    def reset(self) -> None:
        """Force to idle, the sub-controllers too."""
        self.state = Command.IDLE
        self._line.reset()
        self._step.reset()
        self._touch.reset()

    def step(self) -> None:
        """Handle the present state."""
        self.dispatched = False
        if self.state == Command.IDLE:
            request = self._logic.mailbox
            if request is not None:
                self._logic.mailbox = None
                self._take(request)
        elif self._is_done():
            self._finish()

    def abort(self) -> None:
        """End the job because of an error that has been reported."""
        self._logic.failed = True
        self._finish()

    def _take(self, request: Request) -> None:
        """Copy the data of a command and start its controller."""
        logic, values = self._logic, request.values
        self.dispatched = True
        self.state = request.command
        logic.failed = False
        logic.sync_next = False
        command = request.command
        keeps = command == Command.LINE and logic.cfg.touch.keeps_tilt
        logic.pitch = self._touch.pitch if keeps else 0.0
        if command in _MOVES or not logic.control.on_ground:
            logic.control.feel_ground()
        if command in (Command.MOVE_POINT, Command.MOVE_POINT_TOUCH):
            point = (values[0], values[1], values[2])
            speed = logic.cfg.touch.speed if command in _TOUCHING else None
            here, _ = logic.measured_point()
            if _goes_down(here, point):
                logic.control.on_ground = True  # what it will meet
            stays = math.dist(here, point) < STAYS
            self._begin(logic.move(point, speed=speed), command, stays=stays)
        elif command in (Command.MOVE_ANGLE, Command.MOVE_ANGLE_TOUCH):
            counts = logic.counts_of_angles(values)
            if counts is not None:
                speed = logic.cfg.touch.speed if command in _TOUCHING else None
                logic.start(counts, speed=speed)
                logic.goal, logic.goal_pitch = logic.point_of_counts(counts)
            self._begin(counts is not None, command)
        elif command in (Command.DO_STEP, Command.LINE, Command.LINE_TOUCH):
            logic.begin = (values[0], values[1], values[2])
            logic.end = (values[3], values[4], values[5])
            if command == Command.DO_STEP:
                self._step.start()
            else:
                self._line.start(with_touch=command == Command.LINE_TOUCH)
        elif command == Command.SPEED:
            logic.job_speed = max(1, int(values[0]))
        elif command == Command.SAVE_WALK:
            logic.safe_walk = values[0] != 0
        elif command == Command.WHERE:
            logic.report(Report.STANDS)
            logic.report(Report.TOES, logic.control.toes & TOES_ALL)

    def _begin(self, possible: bool, command: Command, *, stays: bool = False) -> None:
        """Feel for ground if asked to; refuse what cannot be reached."""
        if not possible:
            self._logic.failed = True
            self._logic.report(Report.OUT_OF_RANGE)
        elif command in _TOUCHING:
            self._touch.start(stays=stays)

    def _is_done(self) -> bool:
        """Return whether the controllers of the job are idle."""
        if self._logic.failed:
            return True
        if self._step.state != Step.IDLE or self._line.state != Line.IDLE:
            return False
        return (
            self._touch.is_idle and self._logic.has_arrived() and not self.is_settling()
        )

    def is_settling(self) -> bool:
        """Return whether joints that have arrived may still swing in their play."""
        logic = self._logic
        cfg = logic.cfg.rotation
        if cfg.rest_time <= 0.0 or self.state not in _MOVES:
            return False
        if not logic.has_arrived() or logic.control.is_off_target():
            self._unrest_at = logic.now
        waited = logic.now - logic.move_started
        return logic.now - self._unrest_at < cfg.rest_time and waited < cfg.rest_limit

    def _finish(self) -> None:
        logic = self._logic
        if logic.failed:
            logic.control.freeze()
        if not logic.failed or logic.cfg.ready_after_error:
            logic.report(Report.READY)
        logic.targets = None
        self.reset()


def _goes_down(here: Point, point: Point) -> bool:
    """Return whether the way to a point leads down more than aside."""
    return here[1] - point[1] > MOSTLY * math.dist(here, point)
