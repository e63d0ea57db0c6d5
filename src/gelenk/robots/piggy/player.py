"""The robot's own side of a session: from images and readings to strokes, supervised.

Nothing here knows the simulated world; with real cameras and servos it is the same.
Images are worked on in the frame in which they arrive; what follows from them takes
effect `latency` later, however fast the computer was, so that a run does not depend on
the machine. How long the computer really took is measured beside.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gelenk.robots.piggy import behaviour
from gelenk.robots.piggy.behaviour import (
    BEHAVIOUR,
    BehaviourCfg,
    BehaviourState,
    Change,
    Command,
    GoHome,
    Halt,
    Phase,
    Reach,
    Reference,
    Senses,
    Strike,
    Tactic,
)
from gelenk.robots.piggy.config import CONTROL_RATE
from gelenk.robots.piggy.control import MotionControl, MotionMode
from gelenk.robots.piggy.hardware import ServoError
from gelenk.robots.piggy.tactics import meet_ball
from gelenk.robots.piggy.tracker import Frame, Tracker
from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisionCfg:
    """When something counts as wrong.

    Attributes:
        blind: Without images of both cameras for so long, play ends [s].
        storm: Circles in one image that are worth a note.
        repeat: The same note is not made again for [s].
        kept: Notes that are kept.
    """

    blind: float = 0.3
    storm: int = 25
    repeat: float = 1.0
    kept: int = 2000


class Supervision:
    """Watches what arrives from the cameras.

    Args:
        cfg: When something counts as wrong.
    """

    def __init__(self, cfg: SupervisionCfg | None = None) -> None:
        self.cfg = cfg or SupervisionCfg()
        self.notes: list[tuple[float, str]] = []
        self._seen: dict[str, float] = {}
        self._noted: dict[str, float] = {}

    def see(
        self, now: float, frame: Frame | None, has_left: bool, has_right: bool
    ) -> None:
        """Take note of what a frame brought.

        Args:
            now: [s].
            frame: What the tracker made of it.
            has_left: Whether the left camera sent an image.
            has_right: Likewise.
        """
        for name, has in (("left", has_left), ("right", has_right)):
            if has:
                self._seen[name] = now
            else:
                self._seen.setdefault(name, now)
                self.note(now, f"camera {name} sent nothing", key=f"{name} silent")
        if frame is None:
            return
        most = max(len(circles) for circles in frame.circles)
        if most >= self.cfg.storm:
            self.note(now, f"{most} circles in one image", key="storm")
        if len(frame.tracks) > 1:
            ids = ", ".join(str(track.id) for track in frame.tracks)
            self.note(now, f"{len(frame.tracks)} balls at once: {ids}", key="balls")

    def rest(self, now: float) -> None:
        """Take note that no images are wanted now."""
        self._seen = dict.fromkeys(("left", "right"), now)

    def fault(self, now: float) -> str:
        """Return why play must end; empty: it need not."""
        silent = {
            name: now - last
            for name, last in self._seen.items()
            if now - last > self.cfg.blind
        }
        if not silent:
            return ""
        names = " and ".join(sorted(silent))
        return f"no images of camera {names} for {max(silent.values()):.2f} s"

    def note(self, now: float, text: str, *, key: str = "") -> None:
        """Write something down, the same thing not too often."""
        key = key or text
        if now - self._noted.get(key, -self.cfg.repeat) < self.cfg.repeat:
            return
        self._noted[key] = now
        self.notes.append((now, text))
        del self.notes[: -self.cfg.kept]


KEPT_TIMES = 20_000
KEPT_CHANGES = 5_000
LAST_WORD = 0.12  # [s] before a hit the last acceleration begins
SAME_POSE, SAME_RATE, SAME_TIME = 0.003, 0.03, 0.001  # [rad], [rad/s], [s]
TRIES, REPEATED = 3, 30.0  # faults of the servos within [s], then it stays off


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCfg:
    """Settings of the player.

    Attributes:
        behaviour: When phases end.
        supervision: What counts as a fault.
        latency: From the arrival of images to their command [s]; whole control cycles.
    """

    behaviour: BehaviourCfg = BEHAVIOUR
    supervision: SupervisionCfg = field(default_factory=SupervisionCfg)
    latency: float = 0.018


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameTime:
    """How long one pair of images took, until its command was known.

    Attributes:
        wall: [s].
        cpu: Of the calling thread [s].
        phase: In which the robot was.
    """

    wall: float
    cpu: float
    phase: Phase


class Player:
    """Plays balls: tracker, behaviour and motion control in lock-step.

    Args:
        tracker: Looks at images.
        control: Moves the bat.
        tactic: What is done with balls.
        cfg: Settings.
    """

    def __init__(
        self,
        tracker: Tracker,
        control: MotionControl,
        *,
        tactic: Tactic = meet_ball,
        cfg: PlayerCfg | None = None,
    ) -> None:
        self.tracker, self.control = tracker, control
        self.tactic = tactic
        self.cfg = cfg or PlayerCfg()
        self.state = BehaviourState()
        self.frame: Frame | None = None
        self.is_stopped = False
        self.times: deque[FrameTime] = deque(maxlen=KEPT_TIMES)
        self.changes: deque[Change] = deque(maxlen=KEPT_CHANGES)
        self._supervision = Supervision(self.cfg.supervision)
        self._servo_faults: deque[float] = deque(maxlen=TRIES)
        self._pending: deque[tuple[float, Command]] = deque()
        self._struck: Strike | None = None

    @property
    def notes(self) -> list[tuple[float, str]]:
        """What was noticed beside faults, with times [s]."""
        return self._supervision.notes

    @property
    def period(self) -> float:
        """Between two calls of `tick` [s]."""
        return 1.0 / CONTROL_RATE

    def see(self, now: float, left: Any, right: Any, stamp: float) -> Frame:
        """Work on a pair of images.

        Args:
            now: When they arrived [s].
            left: Gray levels, or None if the camera sent nothing.
            right: Likewise.
            stamp: Middle of their exposure [s].
        """
        wall, cpu = time.perf_counter(), time.thread_time()
        self.frame = frame = self.tracker.step(stamp, left, right, bat=self._bat())
        self._supervision.see(now, frame, left is not None, right is not None)
        command = self._decide(now + self.cfg.latency, frame)
        self.times.append(
            FrameTime(
                wall=time.perf_counter() - wall,
                cpu=time.thread_time() - cpu,
                phase=self.state.phase,
            )
        )
        self._pending.append((now + self.cfg.latency, command))
        return frame

    def miss(self, now: float) -> None:
        """Say that in this frame neither camera sent anything."""
        self._supervision.see(now, None, False, False)
        command = self._decide(now + self.cfg.latency, None)
        self._pending.append((now + self.cfg.latency, command))

    def rest(self, now: float) -> None:
        """Go on without looking: no ball is in play, and somebody has said so."""
        self._supervision.rest(now)
        command = self._decide(now + self.cfg.latency, None)
        self._pending.append((now + self.cfg.latency, command))

    def tick(self, now: float) -> FloatArray:
        """Do one cycle of motion control; return the commanded torques [N m], (2,)."""
        while self._pending and self._pending[0][0] <= now + 1e-9:
            self._obey(now, self._pending.popleft()[1])
        return self.control.step(now)

    def stop(self) -> None:
        """Press the stop button."""
        self.is_stopped = True

    def _bat(self) -> FloatArray | None:
        return self.control.state.bat if len(self.control.log) else None

    def _decide(self, now: float, frame: Frame | None) -> Command:
        mode = self.control.mode
        has_read = len(self.control.log) > 0
        fault = self._supervision.fault(now) or self._servo_fault(now)
        senses = Senses(
            now=now,
            tracks=frame.tracks if frame is not None else (),
            q=self.control.state.q if has_read else np.zeros(2),
            is_referenced=mode not in (MotionMode.OFF, MotionMode.FAULT),
            fault=fault,
            is_stopped=self.is_stopped,
        )
        before = self.state
        self.state, command = behaviour.step(
            before, senses, self.tactic, cfg=self.cfg.behaviour
        )
        if self.state.phase is not before.phase:
            self.changes.append(self.state.log[-1])
        return command

    def _servo_fault(self, now: float) -> str:
        """Return what is wrong with the servos; it is tried again, but not forever."""
        if self.control.mode is not MotionMode.FAULT:
            return ""
        reason = self.control.state.reason
        if self.state.phase in _MOVING:
            self._servo_faults.append(now)
            return reason
        if len(self._servo_faults) < TRIES:
            return ""
        is_often = now - self._servo_faults[0] < REPEATED
        return f"{reason} (again)" if is_often else ""

    def _is_news(self, now: float, command: Strike) -> bool:
        """Return whether a stroke has to be told.

        Planned anew within its last acceleration, a stroke has no time left for the
        smallest change: it would brake and come again, too late.
        """
        last = self._struck
        if last is None or self.control.mode is not MotionMode.STRIKE:
            return True
        is_same_hit = abs(command.time - last.time) < LAST_WORD
        if is_same_hit and last.time - now < LAST_WORD:
            return False
        return _differs(command, last)

    def _obey(self, now: float, command: Command) -> None:
        control = self.control
        match command:
            case Reference():
                try:
                    control.start(now)
                except ServoError as error:
                    self._supervision.note(now, f"referencing failed: {error}")
            case GoHome():
                control.home()
            case Reach():
                control.reach(command.q)
            case Strike():
                if self._is_news(now, command):
                    control.strike(command.q, command.qd, command.time)
                    self._struck = command
                else:
                    control.keep_alive()
            case Halt():
                if control.mode not in (MotionMode.STOP, MotionMode.FAULT):
                    control.stop(command.reason)
                control.keep_alive()
            case _:
                control.keep_alive()


def _differs(a: Strike, b: Strike) -> bool:
    """Return whether two strokes are further apart than motion can tell."""
    turn = float(np.abs(a.q - b.q).max()) > SAME_POSE
    rate = float(np.abs(a.qd - b.qd).max()) > SAME_RATE
    return turn or rate or abs(a.time - b.time) > SAME_TIME


_MOVING = (Phase.HOME, Phase.WAIT, Phase.TRACK, Phase.HIT, Phase.RECOVER)
