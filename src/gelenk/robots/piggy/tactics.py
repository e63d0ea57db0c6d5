"""What to do with a ball: meet it, play it left or right, pass it to somebody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gelenk.core.errors import ConfigError
from gelenk.core.typing import ArrayLike, FloatArray
from gelenk.robots.piggy.aim import Aim, best_aim, wanted_velocity
from gelenk.robots.piggy.behaviour import Intent, Tactic, TrackLike
from gelenk.robots.piggy.crossing import Crossing, beside, find_crossing
from gelenk.robots.piggy.planner.lookup import LOOKUP
from gelenk.robots.piggy.planner.path import BallPath
from gelenk.robots.piggy.planner.plan import PLAN, PlanCfg, Strokes, plan
from gelenk.robots.piggy.planner.tables import Tables
from gelenk.robots.piggy.workspace import is_valid

OFFSET = 0.10  # [m] beside the path, of 0.1855 m; the play alone is 0.044 m
NEAR = 0.10  # [s] of flight around the crossing in which a stroke is looked for
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
        strokes: From the planner, best first.
        crossing: Where the ball comes into reach.
    """

    aim: Aim
    strokes: Strokes
    crossing: Crossing


def plan_pass(
    tables: Tables,
    track: TrackLike,
    now: float,
    target: ArrayLike,
    *,
    cfg: PlanCfg = PLAY_PLAN,
    flight_time: float | None = None,
) -> Pass | None:
    """Plan a pass of a ball to a point; None if it does not come into reach.

    Args:
        tables: The planner's.
        track: The ball.
        now: [s].
        target: Point that the ball shall reach [m], shape (3,).
        cfg: How strokes are planned.
        flight_time: Of the pass [s]; None: the one that asks least of the bat.
    """
    path = path_of(track)
    found = find_crossing(path, after=now)
    if found is None:
        return None
    aim = best_aim(found.position, found.velocity, target)
    if flight_time is not None:
        aim = best_aim(
            found.position, found.velocity, target, times=(flight_time, flight_time)
        )
    near = np.abs(path.time - found.time) <= NEAR
    near &= path.time > now
    if near.sum() < 2:
        return None
    part = BallPath(
        time=path.time[near], position=path.position[near], velocity=path.velocity[near]
    )
    wanted = wanted_velocity(part.position, target, aim.flight_time)
    strokes = plan(tables, part, wanted, cfg=cfg)
    return Pass(aim=aim, strokes=strokes, crossing=found)


def pass_to(
    tables: Tables,
    target: Callable[[], FloatArray | None] | ArrayLike,
    *,
    cfg: PlanCfg = PLAY_PLAN,
) -> Tactic:
    """Return the tactic that passes balls to a point with the planner.

    Without a stroke that is good enough the ball is just met.

    Args:
        tables: The planner's.
        target: Point [m], (3,), or a function that returns it, or None for anywhere.
        cfg: How strokes are planned.
    """

    def tactic(track: TrackLike, now: float) -> Intent | None:
        point = target() if callable(target) else target
        if point is None:
            return meet_ball(track, now)
        return pass_intent(tables, track, now, np.asarray(point), cfg=cfg)

    return tactic


def pass_intent(
    tables: Tables,
    track: TrackLike,
    now: float,
    target: FloatArray,
    *,
    cfg: PlanCfg = PLAY_PLAN,
) -> Intent | None:
    """Return the intent of a planned pass, or of meeting the ball if none is good."""
    made = plan_pass(tables, track, now, target, cfg=cfg)
    if made is None:
        return None
    k = choose_stroke(made.strokes)
    if k is None:
        found = made.crossing
        return Intent(touch=found.touch, q=found.q, note="no stroke, meet")
    s = made.strokes
    return Intent(touch=float(s.time[k]), q=s.q[k], qd=s.qd[k], aim=target, note="pass")


def choose_stroke(strokes: Strokes) -> int | None:
    """Return the number of the calmest of the good strokes; None if none is good."""
    good = np.flatnonzero(strokes.error <= GOOD_STROKE)
    if not len(good):
        return None
    effort = np.abs(strokes.qd[good]).max(axis=1) + 2.0 * strokes.error[good]
    return int(good[int(np.argmin(effort))])
