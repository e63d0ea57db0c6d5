"""What to do with a ball: meet it, play it left or right, pass it to somebody."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.aim import (
    Aim,
    bat_speed_needed,
    best_aim,
    wanted_velocity,
)
from gelenk.robots.piggy.behaviour import Intent, Tactic, TrackLike
from gelenk.robots.piggy.crossing import Crossing, beside, find_crossing
from gelenk.robots.piggy.planner.lookup import LOOKUP
from gelenk.robots.piggy.planner.path import BallPath
from gelenk.robots.piggy.planner.plan import PLAN, PlanCfg, Strokes, plan
from gelenk.robots.piggy.planner.tables import Tables
from gelenk.robots.piggy.rebound import REBOUND, ReboundCfg
from gelenk.robots.piggy.stroke import SPAN, Stroke, first_guess, fit_stroke
from gelenk.robots.piggy.workspace import is_valid
from gelenk.typing import ArrayLike, FloatArray

OFFSET = 0.125  # [m] beside the path, of 0.1855 m; the play alone is 0.044 m
NEAR, WIDER = 0.10, 0.20  # [s] around the crossing: strokes looked for, refined
GUESSES = (0.5, 0.8)  # [s], flight times tried without the planner
KEPT = 4  # balls whose stroke is remembered
COMMITTED = 0.15  # [s] before the touch it is too late for anything else
GOOD_STROKE = 0.3  # [m/s], error of a stroke that is still played

# In play one cell is read: 27 of them may take longer than a frame and find no more.
PLAY_PLAN = replace(PLAN, lookup=replace(LOOKUP, spread=0))

Side = Literal["left", "right"]


def path_of(track: TrackLike) -> BallPath:
    """Return a track's predicted flight as the planner takes it."""
    return BallPath(time=track.time, position=track.position, velocity=track.velocity)


def meet_ball(track: TrackLike, now: float) -> Intent | None:
    """Put the bat where the flight crosses the workspace: the ball goes back."""
    found = find_crossing(path_of(track), after=now)
    if found is None:
        return None
    return Intent(touch=found.touch, q=found.q, note="meet")


def play_side(side: Side, *, offset: float = OFFSET) -> Tactic:
    """Return the tactic that plays balls to one side, seen by the robot.

    Args:
        side: Where the ball shall go.
        offset: Of the bat from the ball's path, to the other side [m].
    """
    if side not in ("left", "right"):
        raise ConfigError(f"`side` must be left or right, got {side!r}")
    signed = offset if side == "left" else -offset

    def tactic(track: TrackLike, now: float) -> Intent | None:
        found = find_crossing(path_of(track), after=now)
        if found is None:
            return None
        q = beside(found, signed)
        if not np.isfinite(q).all() or not bool(is_valid(q)):
            q = found.q
        return Intent(touch=found.touch, q=q, note=f"play {side}")

    return tactic


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pass:
    """A planned pass: the stroke, and what it is for.

    Attributes:
        aim: Where to, and in which time.
        crossing: Where the ball comes into reach.
        path: Its flight around there.
        strokes: From the planner, best first; empty if an old stroke was renewed.
        index: Of the planner's stroke that was taken.
        stroke: Made exact for the bat on its rod; None: none is good enough.
    """

    aim: Aim
    crossing: Crossing
    path: BallPath
    strokes: Strokes | None
    index: int
    stroke: Stroke | None


def plan_pass(
    tables: Tables,
    track: TrackLike,
    now: float,
    target: ArrayLike,
    *,
    last: Stroke | None = None,
    span: tuple[float, float] = SPAN,
    cfg: PlanCfg = PLAY_PLAN,
    rebound: ReboundCfg = REBOUND,
) -> Pass | None:
    """Plan a pass of a ball to a point; None if it does not come into reach.

    Args:
        tables: The planner's.
        track: The ball.
        now: [s].
        target: Point that the ball shall reach [m], shape (3,).
        last: Stroke of the frame before, to be renewed if it still does.
        span: Shortest and longest flight of the pass [s].
        cfg: How strokes are planned.
        rebound: What is believed about the contact.
    """
    path, point = path_of(track), np.asarray(target, dtype=np.float64)
    found = find_crossing(path, after=now)
    if found is None:
        return None
    part = _between(path, max(now, found.time - WIDER), found.time + WIDER)
    near = _between(path, max(now, found.time - NEAR), found.time + NEAR)
    if part is None or near is None:
        return None
    stroke = _renewed(part, point, last, rebound)
    if stroke is not None:
        return Pass(
            aim=_aim_of(stroke, point),
            crossing=found,
            path=part,
            strokes=None,
            index=-1,
            stroke=stroke,
        )
    aim = best_aim(found.position, found.velocity, point, times=span)
    wanted = wanted_velocity(near.position, point, aim.flight_time)
    strokes = plan(tables, near, wanted, cfg=cfg)
    k = choose_stroke(strokes)
    starts = [] if k is None else [(aim.flight_time, strokes.n_c[k], strokes.qd[k])]
    starts += [(T, first_guess(found, point, T), np.zeros(2)) for T in GUESSES]
    for T, n_c, qd in starts:
        stroke = _good(fit_stroke(part, point, T, n_c, qd, span=span, cfg=rebound))
        if stroke is not None:
            aim = _aim_of(stroke, point)
            break
    return Pass(
        aim=aim,
        crossing=found,
        path=part,
        strokes=strokes,
        index=-1 if k is None else k,
        stroke=stroke,
    )


def _aim_of(stroke: Stroke, target: FloatArray) -> Aim:
    """Return what a stroke is for."""
    return Aim(
        target=target,
        flight_time=stroke.flight_time,
        v_out=stroke.v_out,
        bat_speed=float(bat_speed_needed(stroke.v_in, stroke.v_out)),
    )


def _renewed(
    path: BallPath, target: FloatArray, last: Stroke | None, rebound: ReboundCfg
) -> Stroke | None:
    if last is None:
        return None
    start = last.flight_time, last.n_c, last.qd
    return _good(fit_stroke(path, target, *start, span=last.span, cfg=rebound))


def _good(stroke: Stroke | None) -> Stroke | None:
    return stroke if stroke is not None and stroke.error <= GOOD_STROKE else None


def _between(path: BallPath, start: float, end: float) -> BallPath | None:
    """Return the part of a path between two times; None if it is too short."""
    is_in = (path.time >= start) & (path.time <= end)
    if is_in.sum() < 2:
        return None
    return BallPath(
        time=path.time[is_in],
        position=path.position[is_in],
        velocity=path.velocity[is_in],
    )


class PassTactic:
    """Passes balls to a point with the planner; meets those it cannot pass.

    Args:
        tables: The planner's.
        target: Point [m], (3,).
        cfg: How strokes are planned.
        rebound: What is believed about the contact.
    """

    def __init__(
        self,
        tables: Tables,
        target: ArrayLike,
        *,
        cfg: PlanCfg = PLAY_PLAN,
        rebound: ReboundCfg = REBOUND,
    ) -> None:
        self.tables, self.cfg, self.rebound = tables, cfg, rebound
        self.target = np.asarray(target, dtype=np.float64)
        self._last: dict[int, Stroke] = {}

    def __call__(self, track: TrackLike, now: float) -> Intent | None:
        """Return how a ball is met."""
        return self.towards(track, now, self.target)

    def towards(
        self, track: TrackLike, now: float, target: FloatArray
    ) -> Intent | None:
        """Return how a ball is met, to reach any point."""
        made = plan_pass(
            self.tables,
            track,
            now,
            target,
            last=self._last.get(track.id),
            cfg=self.cfg,
            rebound=self.rebound,
        )
        if made is None:
            return None
        if made.stroke is None:
            last, found = self._last.pop(track.id, None), made.crossing
            if last is not None and last.time - now < COMMITTED:
                self.keep(track.id, last)
                return intent_of(last, target)
            return Intent(touch=found.touch, q=found.q, note="no stroke, meet")
        self.keep(track.id, made.stroke)
        return intent_of(made.stroke, target)

    def keep(self, ball: int, stroke: Stroke) -> None:
        """Remember the stroke of a ball, to be renewed in the next frame."""
        self._last[ball] = stroke
        while len(self._last) > KEPT:
            del self._last[min(self._last)]


def intent_of(
    stroke: Stroke, target: FloatArray, *, chance: float = math.nan
) -> Intent:
    """Return a stroke as the behaviour takes it."""
    return Intent(
        touch=stroke.time,
        q=stroke.q,
        qd=stroke.qd,
        aim=target,
        chance=chance,
        note="pass",
    )


def choose_stroke(strokes: Strokes) -> int | None:
    """Return the number of the calmest of the good strokes; None if none is good."""
    good = np.flatnonzero(strokes.error <= GOOD_STROKE)
    if not len(good):
        return None
    effort = np.abs(strokes.qd[good]).max(axis=1) + 2.0 * strokes.error[good]
    return int(good[int(np.argmin(effort))])
