"""The main controller's loop: hear the legs, feel the torso, watch, go on, order.

It sees what legs report and what the inertial unit feels; nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

from gelenk.robots.amee.config import NUM_LEGS, PARK_ANGLES
from gelenk.robots.amee.coordinator.desk import Desk, Plan, TroubleError, UnsafeError
from gelenk.robots.amee.coordinator.diagnosis import NO_CAUSE, Cause, cause_of
from gelenk.robots.amee.wire import Command, Message, Request
from gelenk.typing import FloatArray

State: TypeAlias = Literal["walking", "arrived", "stopped", "fallen"]
IMU_PERIOD = 0.010  # [s]
WATCH_PERIOD = 0.020  # [s]
FALL_TILT = math.radians(30.0)  # beyond this the legs are folded
LEAN_TILT = math.radians(22.0)  # beyond this the robot stops and says so
LEAST_MARGIN = 0.0  # [m], below it the robot is not in the safe state


class Coordinator:
    """Runs a plan and watches over it.

    Args:
        desk: What is known of the legs.
        plan: What to do.

    Attributes:
        desk: What is known of the legs.
        state: How it stands with the plan.
        cause: Why it ended.
        least_margin: Least margin that was estimated [m].
    """

    def __init__(self, desk: Desk, plan: Plan) -> None:
        self.desk = desk
        self.state: State = "walking"
        self.cause: Cause = NO_CAUSE
        self.least_margin = math.inf
        self._plan = plan
        self._next_imu = self._next_watch = 0.0
        self._was_safe = True
        self._stop_text = ""

    def loop(
        self, now: float, reports: Sequence[Sequence[Message]], imu: FloatArray
    ) -> list[tuple[int, Request]]:
        """Go through the loop once.

        Args:
            now: Time [s].
            reports: What each leg has said since the last loop.
            imu: Specific force and turning rate of the torso, its axes, (6,).

        Returns:
            Orders, by leg index.
        """
        desk = self.desk
        desk.now = desk.journal.now = now
        desk.outbox = []
        for leg, messages in enumerate(reports):
            for message in messages:
                desk.receive(leg, message)
        if now >= self._next_imu:
            self._next_imu = now + IMU_PERIOD - 1e-9
            desk.attitude.update(now, imu, is_resting=not desk.moves)
        if now >= self._next_watch:
            self._next_watch = now + WATCH_PERIOD - 1e-9
            self._watch()
        if self._stop_text:
            self._end(Cause(kind="stop", text=self._stop_text))
            self._stop_text = ""
        elif self.state == "walking":
            self._go_on()
        return desk.outbox

    def stop(self, text: str = "told to stop") -> None:
        """Stop all legs in the next loop; nothing else is done thereafter."""
        self._stop_text = text

    def _go_on(self) -> None:
        try:
            next(self._plan)
        except StopIteration:
            self.state = "arrived"
            self.desk.journal.note("plan done")
        except TroubleError as trouble:
            self._end(cause_of(trouble.leg, trouble.message))
        except UnsafeError as unsafe:
            text = unsafe.why or (
                f"would keep only {unsafe.margin * 1e3:.0f} mm of margin if lifted, "
                "and no shift of the torso helps"
            )
            self._end(Cause(kind="unsafe", leg=unsafe.leg, text=text))

    def _watch(self) -> None:
        """Feel whether the robot leans, and whether its weight is over its feet."""
        desk = self.desk
        tilt = desk.attitude.tilt
        if self.state != "fallen" and tilt > FALL_TILT:
            self._fold(tilt)
            return
        if self.state != "walking":
            return
        if tilt > LEAN_TILT:
            text = f"leans by {math.degrees(tilt):.0f} deg"
            self._end(Cause(kind="unsafe", text=text))
            return
        margin = desk.margin()
        self.least_margin = min(self.least_margin, margin)
        is_safe = margin >= LEAST_MARGIN
        if self._was_safe and not is_safe:
            desk.journal.warn(f"outside of the safe state by {-margin * 1e3:.0f} mm")
        self._was_safe = is_safe

    def _fold(self, tilt: float) -> None:
        """Bring all legs to the torso: whoever falls shall fall on the links."""
        desk = self.desk
        desk.journal.fault(
            f"falls ({math.degrees(tilt):.0f} deg): all legs fold into park position"
        )
        self.state = "fallen"
        self.cause = Cause(kind="fall", text="the torso leans too far")
        for leg in range(NUM_LEGS):
            desk.order(leg, Command.STOP)
            desk.order(leg, Command.MOVE_ANGLE, *PARK_ANGLES)

    def _end(self, cause: Cause) -> None:
        """Stop where the robot stands, and say why."""
        desk = self.desk
        self.state, self.cause = "stopped", cause
        desk.stop_all()
        if cause.kind == "stop":
            desk.journal.decide(f"all legs stop: {cause.text}")
        else:
            desk.journal.fault(cause.text, cause.leg)
            desk.journal.decide(
                f"all legs stop because of {cause.kind} {cause.place}".rstrip()
                + f"; {desk.margin() * 1e3:.0f} mm of margin remain"
            )
