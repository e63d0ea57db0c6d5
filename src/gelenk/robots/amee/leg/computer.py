"""The leg computer: one endless loop that calls every controller in every pass.

Each controller handles one state per call and returns, so that none can miss a state
of another. Nothing here knows what the leg is made of: a simulated leg, a bench and a
real one are the same to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.leg.com import ComCtrl
from gelenk.robots.amee.leg.control.layer import ControlLayer
from gelenk.robots.amee.leg.control.record import Rotation
from gelenk.robots.amee.leg.hardware import LegHardware
from gelenk.robots.amee.leg.io import LegIo
from gelenk.robots.amee.leg.logic.data import LogicLayer
from gelenk.robots.amee.leg.logic.line import LineMover
from gelenk.robots.amee.leg.logic.motion import MotionCtrl
from gelenk.robots.amee.leg.logic.step import DoStep
from gelenk.robots.amee.leg.logic.touch import TouchCtrl
from gelenk.robots.amee.leg.security import Security
from gelenk.robots.amee.timing import LOOP_PASS, PassWork
from gelenk.robots.amee.wire.table import Command, Report, Request

JOURNAL = 200  # lines kept


class LegComputer:
    """Pure and deterministic: what it does depends on its inputs alone.

    Attributes:
        cfg: Settings of the leg.
        room: Packets that one pass takes and gives at most.
        journal: Time [s] and text of what was decided, the newest lines.
        control: Control layer.
        logic: Logic layer data.
        motion: MotionCtrl.
        step: DoStep.
        line: LineMover.
        touch: TouchCtrl.
        security: Security layer.
        com: ComCtrl.
    """

    __slots__ = (
        "_boot",
        "_now",
        "_was",
        "cfg",
        "com",
        "control",
        "io",
        "journal",
        "line",
        "logic",
        "motion",
        "room",
        "security",
        "step",
        "touch",
    )

    def __init__(self, cfg: LegCfg, hardware: LegHardware) -> None:
        self.cfg = cfg
        self.room = max(1, round(cfg.pass_period / LOOP_PASS))
        self.journal: deque[tuple[float, str]] = deque(maxlen=JOURNAL)
        self.io = LegIo(cfg, hardware)
        self.com = ComCtrl(
            cfg.wire,
            lambda: self.logic.found,
            lambda: self.logic.measured_point()[0],
        )
        self.control = ControlLayer(cfg, self.io)
        self.logic = LogicLayer(cfg, self.control, self.com.send)
        self.touch = TouchCtrl(self.logic)
        self.line = LineMover(self.logic, self.touch)
        self.step = DoStep(self.logic, self.line)
        self.motion = MotionCtrl(self.logic, self.line, self.step, self.touch)
        self.security = Security(
            cfg,
            self.io,
            self.control,
            self.logic,
            self.motion,
            self.step,
            self.line,
            self.touch,
            self.note,
        )
        self._boot = -1.0
        self._now = 0.0
        self._was: tuple[int, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether the start-up is over."""
        return self._boot == float("inf")

    @property
    def work(self) -> PassWork:
        """What the last pass did, for the timing model."""
        states = [actor.rotation for actor in self.control.actors]
        return PassWork(
            received=self.com.received,
            dispatched=self.motion.dispatched,
            sent=self.com.sent,
            idle=states.count(Rotation.IDLE),
            decelerating=states.count(Rotation.DECELERATING),
            touched=self.touch.polled,
            looked=self.control.has_looked,
            solved=self.logic.solved,
        )

    def note(self, text: str) -> None:
        """Write a line into the journal."""
        self.journal.append((self._now, text))

    def pass_once(self, now: float, inbox: Sequence[int]) -> list[int]:
        """Run one pass of the super-loop.

        Args:
            now: Time [s], never less than in the pass before.
            inbox: Packets that arrived, at most `room`; more are lost.

        Returns:
            Packets that leave, at most `room`.
        """
        self._now = now
        self.logic.now = now
        self.logic.solved = 0
        self.io.sample(now)
        if not self.is_ready and not self._start_up(now):
            return []
        com = self.com
        com.receive(now, inbox[: self.room])
        if com.stop_seen:
            self._stop(now)
        if com.next_seen:
            self.logic.sync_next = True
        if com.newest is not None:
            self.logic.mailbox = com.newest
            com.newest = None
        self.motion.step()
        self.step.step()
        self.line.step()
        self.touch.step(now)
        self.control.step(now)
        self.security.step(now)
        outbox = com.transmit(self.room)
        self.io.write()
        self._record()
        return outbox

    def give(self, request: Request) -> None:
        """Hand a command over without the link, for benches and self-tests."""
        if request.command == Command.STOP:
            self._stop(self._now)
        elif request.command == Command.NEXT:
            self.logic.sync_next = True
        else:
            self.logic.mailbox = request

    def states(self) -> dict[str, str]:
        """Return the names of all states, for the eye."""
        named = {
            "motion": self.motion.state.name,
            "step": self.step.state.name,
            "line": self.line.state.name,
            "touch": self.touch.state.name,
        }
        for actor in self.control.actors:
            kind = "brute" if actor.brute_force else "rotation"
            name = "ABCD"[actor.index]
            named[f"{kind}_{name}"] = actor.rotation.name
            named[f"torque_{name}"] = actor.torque_state.name
        return named

    def _start_up(self, now: float) -> bool:
        """Wait until the average is full; what arrives meanwhile is ignored."""
        if self._boot < 0.0:
            self._boot = now
        if now - self._boot < self.cfg.watchdog.start_up or not self.io.has_settled:
            self.io.stop_all()
            self.io.write()
            return False
        self._boot = float("inf")
        self.com.clear()
        self.security.rest(now)
        for actor in self.control.actors:
            actor.settle(self.io.angles[actor.index])
        return True

    def _stop(self, now: float) -> None:
        """Take the current from the drives and bring every controller to rest."""
        self.note("stop")
        self.io.stop_all()
        self.control.rest()
        self.motion.reset()
        self.logic.mailbox = None
        self.logic.sync_next = self.logic.failed = False
        self.logic.targets = None
        self.security.rest(now)

    def _record(self) -> None:
        """Note transitions of the logic layer."""
        states = (self.motion.state, self.step.state, self.line.state, self.touch.state)
        if states != self._was:
            for name, old, new in zip(
                ("motion", "step", "line", "touch"),
                self._was,
                states,
                strict=False,
            ):
                if old != new:
                    self.note(f"{name}: {new.name}")
            self._was = states

    def report(self, report: Report, value: int = 0) -> None:
        """Queue a report of the host, such as a restart by the hardware watchdog."""
        self.com.send(report, value)
