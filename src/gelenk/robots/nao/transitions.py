"""How a calibration goes on: from what is perceived to the next state and wishes.

`step` is pure and changes the state at most once per call. Every state that waits has
a time-out, and every way out has a name.

| state | it leaves when |
|---|---|
| idle | a bumper of the left foot is pressed |
| init | at once |
| move_leg | a milestone is reached; `end` leads to the next leg; time-out: verdict |
| aim | the whole body stands still; time-out: missed view, or verdict |
| detect | a board is found in an image taken at rest; time-out: missed view |
| store, skip, next_head, next_leg | at once |
| optimise, apply | the fit is there; it is applied, or refused with its reason |
| done, fail | never |
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from gelenk.robots.nao.automaton import (
    AutomatonCfg,
    AutomatonState,
    BoardView,
    MissedView,
    Percept,
    Phase,
    Verdict,
    Wishes,
)
from gelenk.robots.nao.joints import SIDES, Side
from gelenk.robots.nao.motion.text import END_TOKEN, LEFT_MOTION, RIGHT_MOTION
from gelenk.robots.nao.poses.view import TARGETS

MOTIONS: dict[Side, str] = {"left": LEFT_MOTION, "right": RIGHT_MOTION}
NO_IMAGE, DARK_IMAGE = "no image came", "image is dark"
BACK_OF_PLATE = "it looks like the back of the plate"
_SAME_TIME = 1e-9  # [s]


def step(
    cfg: AutomatonCfg, state: AutomatonState, percept: Percept
) -> tuple[AutomatonState, Wishes]:
    """Return the next state and what is wanted; one change of state per call.

    Args:
        cfg: Times and counts.
        state: As the last call left it.
        percept: What is known now.
    """
    is_running = not state.is_over and state.phase is not Phase.IDLE
    failed = _interrupted(cfg, state, percept) if is_running else None
    if failed is None:
        failed = _HANDLERS[state.phase](cfg, state, percept)
    return failed, _wishes(failed, percept)


def _interrupted(
    cfg: AutomatonCfg, s: AutomatonState, p: Percept
) -> AutomatonState | None:
    """Return the state after something that ends every phase; None: nothing did."""
    if p.is_abort_pressed:
        return _fail(s, p, Verdict.ABORTED, "bumper of the right foot")
    if p.hot:
        text = f"{', '.join(p.hot)}: let the motors cool down"
        return _fail(s, p, Verdict.MOTOR_HOT, text)
    silence = p.time - p.joints_time
    if silence > cfg.joints_timeout:
        text = f"no joint angles for {silence:.1f} s"
        return _fail(s, p, Verdict.JOINTS_SILENT, text)
    if s.phase is not Phase.INIT and p.time - s.started > cfg.total_timeout:
        text = f"still collecting after {cfg.total_timeout:g} s"
        return _fail(s, p, Verdict.TIMED_OUT, text)
    return None


def _idle(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    return _go(s, p, Phase.INIT) if p.is_start_pressed else s


def _init(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    fresh = AutomatonState(started=p.time, trace=s.trace)
    return _go(fresh, p, Phase.MOVE_LEG)


def _move_leg(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    playing, is_end = p.motion == MOTIONS[s.side], p.token == END_TOKEN
    is_held = p.is_at_milestone and p.token == s.token
    if not s.has_left and is_held and not _is_late(cfg, s, p):
        return s
    s = replace(s, has_left=True)
    if playing and p.is_at_milestone:
        return replace(
            _go(s, p, Phase.AIM),
            pose=s.pose + 1,
            token=p.token,
            gaze=0,
            is_last=is_end,
            has_left=False,
        )
    s = replace(s, is_last=s.is_last or (playing and is_end))
    has_ended = s.pose >= 0 and not playing
    if has_ended:
        return _go(s, p, Phase.NEXT_LEG)
    if _is_late(cfg, s, p):
        text = (
            f"the {s.side} leg's motion did not come from {s.token or 'the start'} to "
            f"its next pose within {cfg.move_timeout:g} s"
        )
        return _fail(s, p, Verdict.LEG_BLOCKED, text)
    return s


def _is_late(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> bool:
    return p.time - s.since > cfg.move_timeout


def _aim(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    has_arrived = max(p.leg_error, p.head_error) <= cfg.tracking
    # A comparison with NaN is false: a body that moves has not come to rest.
    if has_arrived and p.time - max(p.still_since, s.since) >= cfg.settle_time:
        return replace(
            _go(s, p, Phase.DETECT),
            frames=(),
            images=0,
            last_image=math.nan,
            aims_missed=0,
        )
    if p.time - s.since <= cfg.aim_timeout:
        return s
    if p.leg_error > cfg.tracking:
        text = f"the {s.side} leg at {s.token} is {_degrees(p.leg_error)} off"
        return _fail(s, p, Verdict.LEG_BLOCKED, text)
    is_head = p.head_error > cfg.tracking
    text = f"the head is {_degrees(p.head_error)} off" if is_head else "no rest"
    s = replace(_note_missed(s, p, text), aims_missed=s.aims_missed + 1)
    if s.aims_missed < cfg.missed_aims:
        return _go(s, p, Phase.SKIP)
    verdict = Verdict.HEAD_BLOCKED if is_head else Verdict.RESTLESS
    text = f"{s.aims_missed} views in a row, last at {s.token}: {text}"
    return _fail(s, p, verdict, text)


def _detect(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    earliest = s.since - _SAME_TIME
    if not math.isnan(s.last_image):
        earliest = max(earliest, s.last_image)
    if p.image_time > earliest:
        s = replace(s, last_image=p.image_time, images=s.images + 1)
        is_at_rest = p.still_since <= p.image_time
        if p.corners is not None and is_at_rest:
            measured = p.is_measured
            if measured is None:
                measured = np.ones(len(p.corners), dtype=bool)
            s = replace(s, frames=(*s.frames, (p.corners, measured)))
            if len(s.frames) >= cfg.frames:
                return _go(s, p, Phase.STORE)
    if p.time - s.since > cfg.detect_timeout:
        text = (p.detector or "no board") if s.images else NO_IMAGE
        return _go(_note_missed(s, p, text), p, Phase.SKIP)
    return s


def _store(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    view = BoardView(
        side=s.side,
        pose=s.pose,
        gaze=s.gaze,
        time=s.last_image,
        angles=p.mean_angles.copy(),
        corners=np.mean([corners for corners, _ in s.frames], axis=0),
        is_measured=np.all([measured for _, measured in s.frames], axis=0),
    )
    return _go(replace(s, views=(*s.views, view)), p, Phase.NEXT_HEAD)


def _skip(cfg: AutomatonCfg, s: AutomatonState, p: Percept) -> AutomatonState:
    seen = sum(view.side == s.side for view in s.views)
    lost = [view.reason for view in s.missed if view.side == s.side]
    if seen == 0 and len(lost) >= cfg.blind_views:
        return _blind(s, p, lost)
    return _go(s, p, Phase.NEXT_HEAD)


def _blind(s: AutomatonState, p: Percept, reasons: list[str]) -> AutomatonState:
    """Name why nothing is seen: the detector's reasons of all views agree or not."""
    if all(reason in (NO_IMAGE, DARK_IMAGE) for reason in reasons):
        text = "look at the lower camera: " + reasons[-1]
        return _fail(s, p, Verdict.CAMERA_DEAD, text)
    if sum(BACK_OF_PLATE in reason for reason in reasons) * 2 > len(reasons):
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
        text = f"{seen} of {total} views of the {s.side} foot"
        return _fail(s, p, Verdict.TOO_FEW_VIEWS, text)
    if s.side == SIDES[0]:
        # A last pose that is a milestone is still held, under its token.
        fresh = replace(s, side=SIDES[1], pose=-1, gaze=0, is_last=False)
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
# After these the robot cannot be trusted to hold its legs where they are.
_MOTORS_OFF = (
    Verdict.ABORTED,
    Verdict.LEG_BLOCKED,
    Verdict.HEAD_BLOCKED,
    Verdict.MOTOR_HOT,
    Verdict.JOINTS_SILENT,
)


def _wishes(s: AutomatonState, p: Percept) -> Wishes:
    is_moving = s.phase is Phase.MOVE_LEG
    is_measuring = s.phase in _MEASURING
    return Wishes(
        # Not any more on the way back, from which it would begin anew.
        motion=MOTIONS[s.side] if (is_moving and not s.is_last) or is_measuring else "",
        # On while the old milestone is still held, off from then on.
        is_continuing=is_moving and not s.has_left and p.is_at_milestone,
        gaze=s.gaze if is_measuring else None,
        is_turning=s.phase not in (Phase.IDLE, Phase.DETECT, Phase.STORE, Phase.FAIL),
        side=s.side,
        is_detecting=s.phase is Phase.DETECT,
        is_fitting=s.phase is Phase.OPTIMISE,
        is_applying=s.phase in (Phase.APPLY, Phase.DONE),
        is_off=s.phase is Phase.FAIL and s.verdict in _MOTORS_OFF,
    )


def _go(s: AutomatonState, p: Percept, phase: Phase) -> AutomatonState:
    return replace(
        s, phase=phase, since=p.time, trace=(*s.trace, (p.time, phase.value))
    )


def _fail(
    s: AutomatonState, p: Percept, verdict: Verdict, reason: str
) -> AutomatonState:
    started = p.time if math.isnan(s.started) else s.started
    ended = replace(s, verdict=verdict, reason=reason, started=started, ended=p.time)
    return _go(ended, p, Phase.FAIL)


def _note_missed(s: AutomatonState, p: Percept, reason: str) -> AutomatonState:
    view = MissedView(side=s.side, pose=s.pose, gaze=s.gaze, time=p.time, reason=reason)
    return replace(s, missed=(*s.missed, view))


def _degrees(angle: float) -> str:
    return f"{math.degrees(angle):.1f} degrees"
