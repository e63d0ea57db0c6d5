"""When the robot does what: a state machine over tracks, joints and faults.

    INIT -> REFERENCE -> HOME -> WAIT -> TRACK -> HIT -> RECOVER -> HOME -> WAIT ...
    any -> FAULT -> INIT once its cause is gone, any -> STOP on demand

`step` is pure: state and senses in, state and command out. Every change of phase is
kept with its time and reason. What to do with a ball is a tactic, see `tactics`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol, TypeAlias

import numpy as np

from gelenk.robots.piggy.config import HOME
from gelenk.typing import FloatArray


class Phase(StrEnum):
    """What the robot is about."""

    INIT = "init"
    REFERENCE = "reference"
    HOME = "home"
    WAIT = "wait"
    TRACK = "track"
    HIT = "hit"
    RECOVER = "recover"
    FAULT = "fault"
    STOP = "stop"


KEPT = 200  # changes of phase that the log holds


class TrackLike(Protocol):
    """What the behaviour reads of a track: a ball and its predicted flight."""

    @property
    def id(self) -> int: ...
    @property
    def time(self) -> FloatArray: ...
    @property
    def position(self) -> FloatArray: ...
    @property
    def velocity(self) -> FloatArray: ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intent:
    """How a ball shall be met.

    Attributes:
        touch: When ball and bat meet [s].
        q: Roll and tilt then [rad], (2,).
        qd: Their rates [rad/s], (2,); zeros: the bat waits there.
        aim: Point the ball shall reach [m], (3,); None: wherever it goes.
        chance: Probability of success, if it was computed.
        note: A few words for the log.
    """

    touch: float
    q: FloatArray
    qd: FloatArray = field(default_factory=lambda: np.zeros(2))
    aim: FloatArray | None = None
    chance: float = math.nan
    note: str = ""

    @property
    def is_moving(self) -> bool:
        """Whether the bat moves when it meets the ball."""
        return bool(np.any(self.qd != 0.0))


Tactic: TypeAlias = Callable[[TrackLike, float], Intent | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Find the absolute angles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoHome:
    """Lean back and wait."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reach:
    """Bring the bat to a pose as fast as possible, and hold it."""

    q: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strike:
    """Pass a pose with given rates at a given time."""

    q: FloatArray
    qd: FloatArray
    time: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """Go on with what was said last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Halt:
    """Take the safe state."""

    reason: str


Command: TypeAlias = Reference | GoHome | Reach | Strike | Keep | Halt


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Senses:
    """What the robot knows in one camera frame.

    Attributes:
        now: [s].
        tracks: Balls, of this frame's images.
        q: Measured roll and tilt [rad], (2,).
        is_connected: Whether the servos answer.
        is_referenced: Whether the angles are absolute.
        fault: Why it must not play on; empty: nothing.
        is_stopped: Whether somebody has pressed stop.
    """

    now: float
    tracks: Sequence[TrackLike] = ()
    q: FloatArray = field(default_factory=lambda: np.array(HOME))
    is_connected: bool = True
    is_referenced: bool = True
    fault: str = ""
    is_stopped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change of phase, and why."""

    time: float
    before: Phase
    after: Phase
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BehaviourCfg:
    """When phases end.

    Attributes:
        home_tolerance: Of each joint [rad].
        home_timeout: After which home counts as unreachable [s].
        freeze: Before the touch, later predictions no longer count [s].
        committed: Before the touch, a ball whose track is lost is no longer given up
            for another one [s].
        hold: After the touch the bat stays for [s].
        patience: Frames in a row without an intent, until a ball is given up.
        calm: Without fault, until play goes on [s].
    """

    home_tolerance: float = math.radians(4.0)
    home_timeout: float = 3.0
    freeze: float = 0.02
    committed: float = 0.2
    hold: float = 0.12
    patience: int = 3
    calm: float = 0.5


BEHAVIOUR = BehaviourCfg()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BehaviourState:
    """Where the machine is.

    Attributes:
        phase: What the robot is about.
        since: When that began [s].
        ball: Id of the track that is played; -1: none.
        intent: How it shall be met.
        doubt: Frames in a row in which it could not be met.
        done: Ids of tracks that are over.
        calm_since: When the last fault was gone [s]; NaN: it is not.
        log: The latest changes of phase, oldest first.
    """

    phase: Phase = Phase.INIT
    since: float = 0.0
    ball: int = -1
    intent: Intent | None = None
    doubt: int = 0
    done: frozenset[int] = frozenset()
    calm_since: float = math.nan
    log: tuple[Change, ...] = ()

    @property
    def reason(self) -> str:
        """Why it is in this phase."""
        return self.log[-1].reason if self.log else "switched on"


def step(
    state: BehaviourState,
    senses: Senses,
    tactic: Tactic,
    *,
    cfg: BehaviourCfg = BEHAVIOUR,
) -> tuple[BehaviourState, Command]:
    """Return the next state and what motion control shall do.

    Args:
        state: As the last call returned it.
        senses: What is known in this frame.
        tactic: Says how a ball is met.
        cfg: When phases end.
    """
    if state.phase is Phase.STOP or senses.is_stopped:
        if state.phase is not Phase.STOP:
            state = _to(state, Phase.STOP, senses.now, "stop was pressed")
        return state, Halt(reason=state.reason)
    if senses.fault and state.phase is not Phase.FAULT:
        state = _to(state, Phase.FAULT, senses.now, senses.fault)
    return _PHASES[state.phase](state, senses, tactic, cfg)


def _init(
    state: BehaviourState, senses: Senses, tactic: Tactic, cfg: BehaviourCfg
) -> tuple[BehaviourState, Command]:
    if not senses.is_connected:
        return state, Keep()
    return _to(state, Phase.REFERENCE, senses.now, "servos answer"), Reference()


def _reference(
    state: BehaviourState, senses: Senses, tactic: Tactic, cfg: BehaviourCfg
) -> tuple[BehaviourState, Command]:
    if not senses.is_referenced:
        return state, Keep()
    return _to(state, Phase.HOME, senses.now, "angles are absolute"), GoHome()


def _home(
    state: BehaviourState, senses: Senses, tactic: Tactic, cfg: BehaviourCfg
) -> tuple[BehaviourState, Command]:
    found = _next_ball(state, senses, tactic)
    if found is not None:
        return found
    if np.all(np.abs(senses.q - np.array(HOME)) <= cfg.home_tolerance):
        return _to(state, Phase.WAIT, senses.now, "at home"), Keep()
    if senses.now - state.since > cfg.home_timeout:
        off = np.degrees(senses.q - np.array(HOME))
        joint = int(np.argmax(np.abs(off)))
        reason = (
            f"{('roll', 'tilt')[joint]} does not follow: still {off[joint]:.0f} deg "
            f"from home after {cfg.home_timeout:g} s, stuck?"
        )
        state = _to(state, Phase.FAULT, senses.now, reason)
        return state, Halt(reason=reason)
    return state, Keep()


def _wait(
    state: BehaviourState, senses: Senses, tactic: Tactic, cfg: BehaviourCfg
) -> tuple[BehaviourState, Command]:
    return _next_ball(state, senses, tactic) or (state, Keep())


def _track(
    state: BehaviourState, senses: Senses, tactic: Tactic, cfg: BehaviourCfg
) -> tuple[BehaviourState, Command]:
    intent = state.intent
    assert intent is not None
    if senses.now >= intent.touch - cfg.freeze:
        return _to(state, Phase.HIT, senses.now, "the ball is there"), Keep()
    track = next((t for t in senses.tracks if t.id == state.ball), None)
    if track is None:  # out of sight: the last prediction holds, unless another comes
        is_late = intent.touch - senses.now < cfg.committed
        found = None if is_late else _next_ball(state, senses, tactic)
        return found or (state, Keep())
    new = tactic(track, senses.now)
    if new is None:
        state = replace(state, doubt=state.doubt + 1)
        if state.doubt >= cfg.patience:
            return _give_up(state, senses, f"ball {state.ball} is out of reach")
        return state, Keep()
    return replace(state, intent=new, doubt=0), _go(new)


def _hit(
    state: BehaviourState, senses: Senses, tactic: Tactic, cfg: BehaviourCfg
) -> tuple[BehaviourState, Command]:
    assert state.intent is not None
    if senses.now < state.intent.touch + cfg.hold:
        return state, Keep()
    return _give_up(state, senses, f"ball {state.ball} has been met")


def _recover(
    state: BehaviourState, senses: Senses, tactic: Tactic, cfg: BehaviourCfg
) -> tuple[BehaviourState, Command]:
    found = _next_ball(state, senses, tactic)
    if found is not None:
        return found
    return _to(state, Phase.HOME, senses.now, "no other ball comes"), GoHome()


def _fault(
    state: BehaviourState, senses: Senses, tactic: Tactic, cfg: BehaviourCfg
) -> tuple[BehaviourState, Command]:
    if senses.fault:
        return replace(state, calm_since=math.nan), Halt(reason=state.reason)
    if math.isnan(state.calm_since):
        return replace(state, calm_since=senses.now), Halt(reason=state.reason)
    if senses.now - state.calm_since < cfg.calm:
        return state, Halt(reason=state.reason)
    reason = f"no fault for {cfg.calm:g} s"
    return _to(state, Phase.INIT, senses.now, reason), Keep()


_PHASES = {
    Phase.INIT: _init,
    Phase.REFERENCE: _reference,
    Phase.HOME: _home,
    Phase.WAIT: _wait,
    Phase.TRACK: _track,
    Phase.HIT: _hit,
    Phase.RECOVER: _recover,
    Phase.FAULT: _fault,
}


def _next_ball(
    state: BehaviourState, senses: Senses, tactic: Tactic
) -> tuple[BehaviourState, Command] | None:
    """Return what to do with the ball that comes first; None if none comes."""
    fresh = [track for track in senses.tracks if track.id not in state.done]
    found = [(t, tactic(t, senses.now)) for t in fresh]
    able = [(t, intent) for t, intent in found if intent is not None]
    if not able:
        return None
    track, intent = min(able, key=lambda item: item[1].touch)
    lead = intent.touch - senses.now
    others = f", {len(able) - 1} more" if len(able) > 1 else ""
    reason = f"ball {track.id} comes in {lead:.2f} s{others}"
    state = _to(state, Phase.TRACK, senses.now, reason)
    return replace(state, ball=track.id, intent=intent, doubt=0), _go(intent)


def _give_up(
    state: BehaviourState, senses: Senses, reason: str
) -> tuple[BehaviourState, Command]:
    seen = {track.id for track in senses.tracks}
    done = frozenset((state.done & seen) | {state.ball})
    state = _to(state, Phase.RECOVER, senses.now, reason)
    return replace(state, ball=-1, intent=None, done=done), GoHome()


def _go(intent: Intent) -> Command:
    if intent.is_moving:
        return Strike(q=intent.q, qd=intent.qd, time=intent.touch)
    return Reach(q=intent.q)


def _to(state: BehaviourState, phase: Phase, now: float, reason: str) -> BehaviourState:
    change = Change(time=now, before=state.phase, after=phase, reason=reason)
    keeps_ball = phase in (Phase.TRACK, Phase.HIT, Phase.RECOVER)
    return replace(
        state,
        phase=phase,
        since=now,
        ball=state.ball if keeps_ball else -1,
        intent=state.intent if keeps_ball else None,
        calm_since=math.nan,
        log=(*state.log[1 - KEPT :], change),
    )
