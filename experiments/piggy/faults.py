"""What goes wrong on purpose, and what the robot makes of it.

Faults act where they do in reality: on images, on servos, on the link between player
and motion control, on what is thrown. For each there is a trial that says whether the
robot took a safe state or played on, and which reason its log gives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from gelenk.errors import NameNotFoundError
from gelenk.robots.piggy.behaviour import Phase
from gelenk.robots.piggy.config import HOME, UNIT
from gelenk.robots.piggy.control import MotionMode
from gelenk.robots.piggy.hardware import Servo, ServoMode, ServoSettings, ServoStatus
from gelenk.robots.piggy.kinematics import forward, normal
from gelenk.robots.piggy.session import PlayCfg, PlaySession
from gelenk.robots.piggy.setup import Setup
from gelenk.robots.piggy.tactics import meet_ball
from gelenk.robots.piggy.throwers import SKILLS, Throw, draw_throw

Kind = Literal["left camera", "both cameras", "storm", "stuck roll", "silence"]
STORM = 60  # discs in every image
AFTER = 2.0  # [s] without fault before the last throw
ASIDE = (math.radians(32.0), 0.0)  # [rad], roll and tilt of a ball that comes aside


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that is wrong for a while.

    Attributes:
        kind: What.
        start, end: When [s].
    """

    kind: Kind
    start: float
    end: float

    def acts(self, now: float) -> bool:
        """Return whether it is there at a time [s]."""
        return self.start <= now < self.end


class StuckServo:
    """A servo whose gear can jam: it stays where it is and counts nothing.

    Args:
        servo: The sound one.
    """

    def __init__(self, servo: Servo) -> None:
        self.servo = servo
        self.is_stuck = False

    @property
    def mode(self) -> ServoMode:
        """How it believes to take commands."""
        return ServoMode.TORQUE if self.is_stuck else self.servo.mode

    def jam(self, is_stuck: bool) -> None:
        """Jam it, or free it again."""
        if is_stuck and not self.is_stuck:
            self.servo.set_mode(ServoMode.POSITION)
        self.is_stuck = is_stuck

    def open(self) -> None:
        """Connect."""
        self.servo.open()

    def close(self) -> None:
        """Disconnect."""
        self.servo.close()

    def initialise(self, settings: ServoSettings) -> tuple[str, ...]:
        """Compare stored settings."""
        return self.servo.initialise(settings)

    def set_mode(self, mode: ServoMode) -> None:
        """Switch; a jammed one stays as it is."""
        if not self.is_stuck:
            self.servo.set_mode(mode)

    def read_absolute(self) -> int:
        """Return the position [count]."""
        return self.servo.read_absolute()

    def read_relative(self) -> int:
        """Return the counts since the last read; none when jammed."""
        is_deaf = self.is_stuck or self.servo.mode is not ServoMode.TORQUE
        return 0 if is_deaf else self.servo.read_relative()

    def write_torque(self, share: float) -> None:
        """Set a share of the full torque; in vain when jammed."""
        if not self.is_stuck and self.servo.mode is ServoMode.TORQUE:
            self.servo.write_torque(share)

    def write_position(self, position: int, max_speed: float) -> None:
        """Run to a position; in vain when jammed."""
        if not self.is_stuck:
            self.servo.write_position(position, max_speed)

    def read_status(self) -> ServoStatus:
        """Return the slow values."""
        return self.servo.read_status()


class FaultySession(PlaySession):
    """A session in which things go wrong.

    Args:
        faults: What, and when.
        cfg: Place and drive.
        setup: What the robot knows about itself.
    """

    def __init__(
        self,
        faults: tuple[Fault, ...] = (),
        cfg: PlayCfg | None = None,
        *,
        setup: Setup | None = None,
    ) -> None:
        super().__init__(cfg, setup=setup)
        self.faults = faults
        self._rng = np.random.default_rng([self.cfg.seed, 0xFA])
        unit = self.player.control.unit
        self._servo = StuckServo(unit.servos[0])
        unit.servos = (self._servo, unit.servos[1])
        self.safe: list[tuple[float, str]] = []

    def _has(self, kind: Kind, now: float) -> bool:
        return any(f.kind == kind and f.acts(now) for f in self.faults)

    def _see(self, now: float) -> None:
        images = self.world.images(now)
        if self._has("silence", now):
            return
        if images is None or self._has("both cameras", now):
            self.player.miss(now)
            return
        left, right, stamp = images
        if self._has("storm", now):
            left, right = (_storm(image, self._rng) for image in (left, right))
        self.player.see(
            now, None if self._has("left camera", now) else left, right, stamp
        )

    def _move(self, now: float) -> None:
        self._servo.jam(self._has("stuck roll", now))
        if self._has("silence", now):
            self.player.control.step(now)
        else:
            self.player.tick(now)
        control = self.player.control
        if control.mode in (MotionMode.SAFE, MotionMode.FAULT, MotionMode.STOP):
            reason = control.state.reason
            if reason and (not self.safe or self.safe[-1][1] != reason):
                self.safe.append((now, reason))


def _storm(image: Any, rng: np.random.Generator) -> Any:
    """Return an image full of discs of all sizes."""
    out = np.array(image)
    rows, columns = out.shape
    for _ in range(STORM):
        u, v, r = rng.uniform(0, columns), rng.uniform(0, rows), rng.uniform(8, 26)
        u0, u1 = max(int(u - r), 0), min(int(u + r) + 2, columns)
        v0, v1 = max(int(v - r), 0), min(int(v + r) + 2, rows)
        x, y = np.meshgrid(np.arange(u0, u1) - u, np.arange(v0, v1) - v)
        part = out[v0:v1, u0:u1]
        part[np.hypot(x, y) < r] = rng.integers(20, 230)
    return out


Trial: TypeAlias = Callable[[FaultySession, np.random.Generator], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What became of a fault.

    Attributes:
        name: Of the trial.
        is_safe: Whether the robot stopped or never had to.
        goes_on: Whether it hit a ball afterwards.
        reasons: What the logs say about it, with times [s].
    """

    name: str
    is_safe: bool
    goes_on: bool
    reasons: tuple[tuple[float, str], ...] = field(default=())


def try_fault(
    name: str, *, cfg: PlayCfg | None = None, setup: Setup | None = None
) -> Finding:
    """Let something go wrong during a throw, then throw once more.

    Args:
        name: One of `TRIALS`.
        cfg: Place and drive.
        setup: What the robot knows about itself.
    """
    if name not in TRIALS:
        raise NameNotFoundError("fault", name, TRIALS)
    with FaultySession((), cfg, setup=setup) as session:
        session.start()
        rng = np.random.default_rng([session.cfg.seed, 0xF1])
        word = TRIALS[name](session, rng)
        session.faults = ()
        session.advance(session.now + AFTER)
        session.settle()
        phase = session.player.state.phase
        row = session.play(_good_throw(rng))
        reasons = _reasons(session)
    said = any(word in text for _, text in reasons)
    return Finding(
        name=name,
        is_safe=said and phase in (Phase.WAIT, Phase.FAULT),
        goes_on=row.verdict.hit,
        reasons=reasons,
    )


def _reasons(session: FaultySession) -> tuple[tuple[float, str], ...]:
    player = session.player
    changes = [(c.time, f"{c.after.value}: {c.reason}") for c in player.changes]
    return tuple(sorted([*changes, *player.notes, *session.safe]))


def _good_throw(rng: np.random.Generator) -> Throw:
    return draw_throw(rng, "indoor", skill="skilled")


def _during(kind: Kind, start: float, length: float, word: str) -> Trial:
    def trial(session: FaultySession, rng: np.random.Generator) -> str:
        now = session.now
        session.faults = (
            Fault(kind=kind, start=now + start, end=now + start + length),
        )
        session.play(_good_throw(rng))
        session.advance(now + start + length)
        return word

    return trial


def _stuck(session: FaultySession, rng: np.random.Generator) -> str:
    """Roll jams before a ball that comes aside, so that it has to move."""
    now = session.now
    session.faults = (Fault(kind="stuck roll", start=now + 0.1, end=now + 1.9),)
    aside = forward(np.array(ASIDE))
    session.play(draw_throw(rng, "indoor", skill="skilled", aim=aside))
    session.advance(now + 1.9)
    return "roll does not follow"


def _second_ball(session: FaultySession, rng: np.random.Generator) -> str:
    session.world.throw(_good_throw(rng), at=session.now + 0.45)
    session.play(_good_throw(rng))
    return "balls at once"


def _at_the_rod(session: FaultySession, rng: np.random.Generator) -> str:
    """A ball low enough to meet the rod, whatever the sphere does above it."""
    rod = np.array(UNIT.origin) + 0.5 * normal(np.array(HOME))
    session.player.tactic = lambda track, now: None
    number = session.world.throw(
        draw_throw(rng, "indoor", skill=SKILLS["skilled"], aim=rod)
    )
    session.advance(session.now + 2.0)
    session.player.tactic = meet_ball
    bodies = {touch.body for touch in session.world.truth.balls[number].touches}
    return "at home" if "rod" in bodies else "the rod was not met"


TRIALS: dict[str, Trial] = {
    "camera dropped": _during("left camera", 0.45, 0.2, "camera left sent nothing"),
    "cameras dropped": _during("both cameras", 0.2, 1.2, "no images"),
    "circle storm": _during("storm", 0.0, 2.0, "circles in one image"),
    "servo stuck": _stuck,
    "commands cut": _during("silence", 0.5, 1.2, "no command"),
    "second ball": _second_ball,
    "ball hits the rod": _at_the_rod,
}


def try_all(
    names: Iterable[str] = (),
    *,
    cfg: PlayCfg | None = None,
    setup: Setup | None = None,
    on_finding: Callable[[Finding], object] | None = None,
) -> list[Finding]:
    """Return what becomes of faults, one after the other.

    Args:
        names: Of `TRIALS`; none: all.
        cfg: Place and drive.
        setup: What the robot knows about itself.
        on_finding: Called after each.
    """
    findings: list[Finding] = []
    for name in tuple(names) or TRIALS:
        findings.append(try_fault(name, cfg=cfg, setup=setup))
        if on_finding is not None:
            on_finding(findings[-1])
    return findings


def share_mastered(findings: list[Finding]) -> float:
    """Return the share of faults after which it was safe and played on."""
    good = sum(f.is_safe and f.goes_on for f in findings)
    return good / len(findings) if findings else math.nan
