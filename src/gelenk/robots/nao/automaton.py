"""The automaton that leads a calibration: from a pressed bumper to a verdict.

`step` is pure: what is perceived and the state give the next state and the wishes of
this moment. It collects views, one leg after the other, three gazes per leg pose, and
asks for the fit when both legs are done. Every state that waits has a time-out, and
every way out has a name.

| state | it leaves when |
|---|---|
| idle | a bumper of the left foot is pressed |
| init | at once |
| move_leg | a milestone is reached; `end` leads to the next leg; time-out: verdict |
| aim | the whole body stands still; time-out: the view is missed |
| detect | a board is found; time-out: the view is missed |
| store, skip, next_head, next_leg | at once |
| optimise, apply | the fit is there; it is applied, or refused with its reason |
| done, fail | never |
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from gelenk.core.typing import FloatArray
from gelenk.robots.nao.joints import SIDES, Side
from gelenk.robots.nao.motion.text import END_TOKEN, LEFT_MOTION, RIGHT_MOTION
from gelenk.robots.nao.poses.gaze import TARGETS

MOTIONS: dict[Side, str] = {"left": LEFT_MOTION, "right": RIGHT_MOTION}


class Phase(StrEnum):
    """States of the automaton."""

    IDLE = "idle"
    INIT = "init"
    MOVE_LEG = "move_leg"
    AIM = "aim"
    DETECT = "detect"
    STORE = "store"
    SKIP = "skip"
    NEXT_HEAD = "next_head"
    NEXT_LEG = "next_leg"
    OPTIMISE = "optimise"
    APPLY = "apply"
    DONE = "done"
    FAIL = "fail"


class Verdict(StrEnum):
    """How a calibration ended."""

    CALIBRATED = "calibrated"
    """Parameters were found, are plausible, and are applied."""
    NOT_STARTED = "not started"
    """Nobody has pressed the bumper."""
    ABORTED = "aborted"
    """Somebody has pressed a bumper of the right foot."""
    NO_BOARD = "no board seen"
    """No board in any view of the first leg poses."""
    ONE_BOARD = "one board missing"
    """One foot's board was never seen."""
    WRONG_SIDE = "board upside down"
    """A foot shows the back of its plate."""
    CAMERA_DEAD = "camera dead"
    """No images come, or nothing is on them."""
    LEG_BLOCKED = "leg blocked"
    """A leg pose is not reached in time."""
    HEAD_BLOCKED = "head blocked"
    """The head does not come to rest at its target, again and again."""
    MOTOR_HOT = "motor hot"
    """A drive has become too warm."""
    TOO_FEW_VIEWS = "too few views"
    """Too much was missed for a fit that can be trusted."""
    NOT_CONVERGED = "fit not converged"
    """The parameters do not settle."""
    IMPLAUSIBLE = "implausible result"
    """The fit ended at values that no robot has, or explains nothing."""
    TIMED_OUT = "timed out"
    """The whole run took too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomatonCfg:
    """Times and counts of the collection.

    Attributes:
        move_timeout: Longest time from a leg pose to the next [s].
        aim_timeout: Longest time until the body stands still [s].
        detect_timeout: Longest search for a board in one view [s].
        total_timeout: Longest collection [s].
        settle_time: How long the body must stand still before images count [s].
        frames: Images per view that are averaged.
        blind_views: First views without a board after which the search is given up.
        missed_aims: Views in a row in which the body never came to rest.
        tracking: Distance from its command at which a joint has arrived [rad]; a drive
            under load hangs back by about half a degree.
        least_share: Share of all views that must have been seen, of each leg.
    """

    move_timeout: float = 10.0
    aim_timeout: float = 4.0
    detect_timeout: float = 4.0
    total_timeout: float = 900.0
    settle_time: float = 0.2
    frames: int = 1
    blind_views: int = 6
    missed_aims: int = 4
    tracking: float = math.radians(3.0)
    least_share: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardView:
    """One view of a board: what a calibration is made of.

    Attributes:
        side: Whose board.
        pose: Number of the leg pose, counted from 0 for each leg.
        gaze: Number of the head's target.
        time: Of the image [s].
        angles: Readings of the body's joints, averaged while it stood still [rad],
            shape (22,).
        corners: Seen corners [px], shape (24, 2).
    """

    side: Side
    pose: int
    gaze: int
    time: float
    angles: FloatArray
    corners: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedView:
    """A view that brought nothing, and why."""

    side: Side
    pose: int
    gaze: int
    time: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Percept:
    """What the automaton knows at one moment; nothing of it is the simulator's truth.

    Attributes:
        time: Now [s].
        is_start_pressed, is_abort_pressed: Bumpers of the left and the right foot.
        motion: Motion that the engine plays.
        token: Of its present line.
        is_at_milestone: Whether it holds there.
        still_since: Since when all joints that are used stand still [s]; NaN: moving.
        mean_angles: Readings averaged since then [rad], shape (22,).
        leg_error, head_error: Largest distance of a joint from its command [rad].
        corners: Of a board found in an image taken while still [px], (24, 2), or None.
        image_time: When the newest searched image was taken [s]; NaN: none came.
        detector: What the detector says of it.
        hot: Names of joints that are too warm.
        fit: Answer of the fit: None while it works.
    """

    time: float
    is_start_pressed: bool = False
    is_abort_pressed: bool = False
    motion: str = ""
    token: str = ""
    is_at_milestone: bool = False
    still_since: float = math.nan
    mean_angles: FloatArray
    leg_error: float = 0.0
    head_error: float = 0.0
    corners: FloatArray | None = None
    image_time: float = math.nan
    detector: str = ""
    hot: tuple[str, ...] = ()
    fit: FitAnswer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FitAnswer:
    """What became of the fit: a verdict, and the reason in words."""

    verdict: Verdict
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the automaton wants now.

    Attributes:
        motion: Motion that shall be played; empty: none.
        is_continuing: Goes on from a milestone.
        gaze: Number of the target that the head shall look at; None: straight.
        side: Whose board.
        is_detecting: Whether images shall be searched.
        is_fitting: Whether the fit shall begin.
        is_applying: Whether its result shall be stored and used.
        is_off: Motors off.
    """

    motion: str = ""
    is_continuing: bool = False
    gaze: int | None = None
    side: Side = "left"
    is_detecting: bool = False
    is_fitting: bool = False
    is_applying: bool = False
    is_off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AutomatonState:
    """All that the automaton remembers.

    Attributes:
        phase: Where it is.
        since: When it came there [s].
        side: Leg that moves.
        pose: Number of its pose; -1 before the first.
        token: Of the milestone that is being measured, to notice the next one.
        gaze: Number of the head's target.
        is_last: Whether the pose carries the token of the end.
        views, missed: What was collected.
        frames: Corners of the present view so far.
        seen_images: Times of images that were searched in this view.
        started, ended: Clock of the collection and the fit [s]; NaN: not yet.
        aims_missed: Views in a row in which the body did not come to rest.
        verdict, reason: How it ended.
        trace: Phases with the times at which they began.
    """

    phase: Phase = Phase.IDLE
    since: float = 0.0
    side: Side = "left"
    pose: int = -1
    token: str = ""
    gaze: int = 0
    is_last: bool = False
    views: tuple[BoardView, ...] = ()
    missed: tuple[MissedView, ...] = ()
    frames: tuple[FloatArray, ...] = ()
    last_image: float = math.nan
    images: int = 0
    started: float = math.nan
    ended: float = math.nan
    aims_missed: int = 0
    verdict: Verdict = Verdict.NOT_STARTED
    reason: str = ""
    trace: tuple[tuple[float, str], ...] = ()

    @property
    def is_over(self) -> bool:
        return self.phase in (Phase.DONE, Phase.FAIL)

    @property
    def duration(self) -> float:
        """From the start to the verdict [s]; NaN while it runs."""
        return self.ended - self.started


def step(
    cfg: AutomatonCfg, state: AutomatonState, percept: Percept
) -> tuple[AutomatonState, Wishes]:
    """Return the next state and what is wanted; one change of state per call.

    Args:
        cfg: Times and counts.
        state: As the last call left it.
        percept: What is known now.
    """
    if not state.is_over and state.phase is not Phase.IDLE:
        if percept.is_abort_pressed:
            state = _fail(state, percept, Verdict.ABORTED, "bumper of the right foot")
        elif percept.hot:
            hot = ", ".join(percept.hot)
            state = _fail(state, percept, Verdict.MOTOR_HOT, f"{hot}: let it cool down")
        elif percept.time - state.started > cfg.total_timeout:
            reason = f"still collecting after {cfg.total_timeout:g} s"
            state = _fail(state, percept, Verdict.TIMED_OUT, reason)
    state = _HANDLERS[state.phase](cfg, state, percept)
    return state, _wishes(state, percept)


def _idle(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    return _go(s, p, Phase.INIT) if p.is_start_pressed else s


def _init(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    fresh = AutomatonState(started=p.time, trace=s.trace)
    return _go(fresh, p, Phase.MOVE_LEG)


def _move_leg(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    playing = p.motion == MOTIONS[s.side]
    if playing and p.is_at_milestone and p.token != s.token:
        return replace(
            _go(s, p, Phase.AIM),
            pose=s.pose + 1,
            token=p.token,
            gaze=0,
            is_last=p.token == END_TOKEN,
        )
    if playing and p.token == END_TOKEN and s.token != END_TOKEN:
        return _go(s, p, Phase.NEXT_LEG)
    if p.time - s.since > cfg.move_timeout:
        reason = (
            f"the {s.side} leg did not reach its pose after {s.token or 'the start'} "
            f"within {cfg.move_timeout:g} s"
        )
        return _fail(s, p, Verdict.LEG_BLOCKED, reason)
    return s


def _aim(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    has_arrived = max(p.leg_error, p.head_error) <= cfg.tracking
    if has_arrived and p.time - max(p.still_since, s.since) >= cfg.settle_time:
        return replace(
            _go(s, p, Phase.DETECT),
            frames=(),
            images=0,
            last_image=math.nan,
            aims_missed=0,
        )
    if p.time - s.since > cfg.aim_timeout:
        if p.leg_error > cfg.tracking:
            hangs = f"{math.degrees(p.leg_error):.1f} degrees from its command"
            reason = f"the {s.side} leg at {s.token} hangs {hangs}"
            return _fail(s, p, Verdict.LEG_BLOCKED, reason)
        missed = s.aims_missed + 1
        s = replace(
            _note_missed(s, p, "the body did not come to rest"), aims_missed=missed
        )
        if missed >= cfg.missed_aims:
            reason = f"no rest in {missed} views in a row, last at {s.token}"
            return _fail(s, p, Verdict.HEAD_BLOCKED, reason)
        return _go(s, p, Phase.SKIP)
    return s


def _detect(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    is_new = p.image_time > max(s.since - 1e-9, _or(s.last_image, -math.inf))
    if is_new:
        s = replace(s, last_image=p.image_time, images=s.images + 1)
        if p.corners is not None:
            s = replace(s, frames=(*s.frames, p.corners))
            if len(s.frames) >= cfg.frames:
                return _go(s, p, Phase.STORE)
    if p.time - s.since > cfg.detect_timeout:
        reason = p.detector if s.images else "no image came"
        return _go(_note_missed(s, p, reason or "no board"), p, Phase.SKIP)
    return s


def _store(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    view = BoardView(
        side=s.side,
        pose=s.pose,
        gaze=s.gaze,
        time=s.last_image,
        angles=p.mean_angles.copy(),
        corners=np.mean(s.frames, axis=0),
    )
    return _go(replace(s, views=(*s.views, view)), p, Phase.NEXT_HEAD)


def _skip(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    seen = sum(view.side == s.side for view in s.views)
    lost = [view for view in s.missed if view.side == s.side]
    if seen == 0 and len(lost) >= cfg.blind_views:
        return _blind(s, p, [view.reason for view in lost])
    return _go(s, p, Phase.NEXT_HEAD)


def _blind(s: AutomatonState, p: Percept, reasons: list[str]) -> AutomatonState:
    """Name why nothing is seen: the detector's reasons of all views agree or not."""
    if all(reason in ("no image came", "image is dark") for reason in reasons):
        text = "look at the lower camera: " + reasons[-1]
        return _fail(s, p, Verdict.CAMERA_DEAD, text)
    if sum("back of the plate" in reason for reason in reasons) * 2 > len(reasons):
        text = f"turn the {s.side} sandal over: its print must face upwards"
        return _fail(s, p, Verdict.WRONG_SIDE, text)
    if any(view.side != s.side for view in s.views):
        text = f"the {s.side} foot's board was not seen in {len(reasons)} views"
        return _fail(s, p, Verdict.ONE_BOARD, text)
    text = f"no board in {len(reasons)} views of the {s.side} foot; last: {reasons[-1]}"
    return _fail(s, p, Verdict.NO_BOARD, text)


def _next_head(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    if s.gaze + 1 < len(TARGETS):
        return replace(_go(s, p, Phase.AIM), gaze=s.gaze + 1)
    return _go(s, p, Phase.NEXT_LEG if s.is_last else Phase.MOVE_LEG)


def _next_leg(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    total = (s.pose + 1) * len(TARGETS)
    seen = sum(view.side == s.side for view in s.views)
    if seen < cfg.least_share * total or not seen:
        reason = f"{seen} of {total} views of the {s.side} foot"
        return _fail(s, p, Verdict.TOO_FEW_VIEWS, reason)
    if s.side == SIDES[0]:
        fresh = replace(s, side=SIDES[1], pose=-1, token="", gaze=0, is_last=False)
        return _go(fresh, p, Phase.MOVE_LEG)
    return _go(s, p, Phase.OPTIMISE)


def _optimise(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    if p.fit is None:
        return s
    if p.fit.verdict is not Verdict.CALIBRATED:
        return _fail(s, p, p.fit.verdict, p.fit.reason)
    return replace(_go(s, p, Phase.APPLY), verdict=p.fit.verdict, reason=p.fit.reason)


def _apply(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    return replace(_go(s, p, Phase.DONE), ended=p.time)


def _stay(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    return s


_HANDLERS = {
    Phase.IDLE: _idle,
    Phase.INIT: _init,
    Phase.MOVE_LEG: _move_leg,
    Phase.AIM: _aim,
    Phase.DETECT: _detect,
    Phase.STORE: _store,
    Phase.SKIP: _skip,
    Phase.NEXT_HEAD: _next_head,
    Phase.NEXT_LEG: _next_leg,
    Phase.OPTIMISE: _optimise,
    Phase.APPLY: _apply,
    Phase.DONE: _stay,
    Phase.FAIL: _stay,
}
_MEASURING = (Phase.AIM, Phase.DETECT, Phase.STORE, Phase.SKIP, Phase.NEXT_HEAD)


def _wishes(s: AutomatonState, p: Percept) -> Wishes:
    is_moving = s.phase is Phase.MOVE_LEG
    is_measuring = s.phase in _MEASURING
    return Wishes(
        motion=MOTIONS[s.side] if is_moving or is_measuring else "",
        # The switch is on while the old milestone is still held, off from then on.
        is_continuing=is_moving and p.is_at_milestone and p.token == s.token,
        gaze=s.gaze if is_measuring else None,
        side=s.side,
        is_detecting=s.phase is Phase.DETECT,
        is_fitting=s.phase is Phase.OPTIMISE,
        is_applying=s.phase is Phase.APPLY,
        is_off=s.phase is Phase.FAIL
        and s.verdict in (Verdict.LEG_BLOCKED, Verdict.MOTOR_HOT, Verdict.ABORTED),
    )


def _go(s: AutomatonState, p: Percept, phase: Phase) -> AutomatonState:
    return replace(
        s, phase=phase, since=p.time, trace=(*s.trace, (p.time, phase.value))
    )


def _fail(
    s: AutomatonState, p: Percept, verdict: Verdict, reason: str
) -> AutomatonState:
    ended = replace(s, verdict=verdict, reason=reason, ended=p.time)
    return _go(ended, p, Phase.FAIL)


def _note_missed(s: AutomatonState, p: Percept, reason: str) -> AutomatonState:
    view = MissedView(side=s.side, pose=s.pose, gaze=s.gaze, time=p.time, reason=reason)
    return replace(s, missed=(*s.missed, view))


def _or(value: float, other: float) -> float:
    return other if math.isnan(value) else value
