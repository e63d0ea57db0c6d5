"""Tactic of the game: who is where, and which team-mate most probably gets the ball."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gelenk.dynamics.flight import simulate_flight
from gelenk.robots.piggy.aim import AIR
from gelenk.robots.piggy.behaviour import Intent, TrackLike
from gelenk.robots.piggy.game.eyes import Seen
from gelenk.robots.piggy.planner.plan import PlanCfg
from gelenk.robots.piggy.planner.success import success_probability
from gelenk.robots.piggy.planner.tables import Tables
from gelenk.robots.piggy.stroke import SPAN, Stroke
from gelenk.robots.piggy.tactics import (
    PLAY_PLAN,
    Pass,
    PassTactic,
    meet_ball,
    plan_pass,
)
from gelenk.robots.piggy.tracker import Track
from gelenk.typing import ArrayLike, FloatArray

CATCH_RADIUS = 0.5  # [m], how far beside the hands a pass may arrive
BAT_SIGMA, BAT_SPEED_SIGMA = 0.004, 0.03  # [m], [m/s]: of the bat itself
ARM_REACH, SHOULDERS = 0.8, 1.55  # [m], of an opponent: around the shoulders
REACTION, ARM_TIME = 0.3, 0.25  # [s], before arms move, until they are stretched
BODY = 0.25  # [m]
SURE = 1.3  # a ball within 0.3 of the reach is lost, beyond 1.3 of it free
# What will be known when it matters, 0.3 s before the touch [m], [m/s].
LATER_SIGMA, LATER_SPEED_SIGMA = 0.004, 0.03
LOB = (0.9, 1.0)  # [s], flights over people's heads; longer ones ask too much speed
GUESSED = 0.7  # chance of a stroke that the planner did not find
SAMPLES = 64  # contacts simulated for one chance


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Option:
    """A pass that could be played.

    Attributes:
        target: Where to [m], (3,).
        chance: That it arrives, 0 to 1.
        stroke_chance: That the stroke succeeds.
        risk: That an opponent gets it.
        stroke: How it would be played; None: nothing does it.
    """

    target: FloatArray
    chance: float
    stroke_chance: float
    risk: float
    stroke: Stroke | None


def rate_pass(
    tables: Tables,
    track: Track,
    now: float,
    target: ArrayLike,
    opponents: Sequence[Seen],
    rng: np.random.Generator,
    *,
    span: tuple[float, float] = SPAN,
    cfg: PlanCfg = PLAY_PLAN,
) -> Option | None:
    """Return what a pass to a point promises; None if the ball is out of reach.

    Args:
        tables: The planner's.
        track: The ball.
        now: [s].
        target: Point [m], shape (3,).
        opponents: As they are seen.
        rng: Source of the draws of the chance.
        span: Shortest and longest flight of the pass [s].
        cfg: How strokes are planned.
    """
    point = np.asarray(target, dtype=np.float64)
    made = plan_pass(tables, track, now, point, span=span, cfg=cfg)
    if made is None:
        return None
    stroke, strokes = made.stroke, made.strokes
    if stroke is None:
        return Option(
            target=point, chance=0.0, stroke_chance=0.0, risk=0.0, stroke=None
        )
    chance = GUESSED
    if strokes is not None and made.index >= 0:
        chance = success_probability(
            strokes,
            strokes.v_out[made.index],
            _covariance(track, stroke.time),
            rng,
            tolerance=CATCH_RADIUS / stroke.flight_time,
            index=made.index,
            samples=SAMPLES,
            cfg=cfg,
        ).probability
    risk = interception_risk(*_flight(made, stroke.v_out), opponents)
    return Option(
        target=point,
        chance=chance * (1.0 - risk),
        stroke_chance=chance,
        risk=risk,
        stroke=stroke,
    )


def interception_risk(
    time: ArrayLike, position: ArrayLike, opponents: Sequence[Seen]
) -> float:
    """Return how probably an opponent gets a flying ball, 0 to 1.

    Whoever has had time to move the arms reaches so far; the nearer the ball comes, the
    surer.

    Args:
        time: Since the hit [s], (n,).
        position: Of the ball [m], (n, 3).
        opponents: As they are seen.
    """
    t, p = np.asarray(time), np.asarray(position)
    stretched = np.clip((t - REACTION) / ARM_TIME, 0.0, 1.0)
    reach = BODY + (ARM_REACH - BODY) * stretched
    above = np.maximum(p[:, 2] - SHOULDERS, 0.0)
    free = 1.0
    for person in opponents:
        away = np.hypot(p[:, 0] - person.place[0], p[:, 1] - person.place[1])
        near = np.clip(SURE - np.hypot(away, above) / reach, 0.0, 1.0)
        free *= 1.0 - float(near.max())
    return 1.0 - free


def likely_thrower(track: Track, team: Sequence[Seen]) -> int | None:
    """Return the number of the team-mate from whose direction a ball comes."""
    if not team:
        return None
    back = -track.velocity[0][:2] / max(np.linalg.norm(track.velocity[0][:2]), 1e-9)
    start = track.position[0][:2]
    off: list[float] = []
    for person in team:
        way = person.place - start
        along = float(way @ back)
        off.append(float(np.linalg.norm(way - along * back)) if along > 0 else math.inf)
    k = int(np.argmin(off))
    return k if math.isfinite(off[k]) else None


def _covariance(track: Track, time: float) -> FloatArray:
    """Return that of ball minus bat at a time, as it will be known then, (6, 6)."""
    k = int(np.clip(np.searchsorted(track.time, time), 0, len(track.time) - 1))
    later = np.array([LATER_SIGMA] * 3 + [LATER_SPEED_SIGMA] * 3)
    now = np.sqrt(np.maximum(np.diag(track.covariance[k]), 0.0))
    shrink = np.minimum(later / np.maximum(now, 1e-9), 1.0)
    own = np.diag([BAT_SIGMA**2] * 3 + [BAT_SPEED_SIGMA**2] * 3)
    return track.covariance[k] * np.outer(shrink, shrink) + own


def _flight(made: Pass, v_out: FloatArray) -> tuple[FloatArray, FloatArray]:
    times = np.arange(0.0, made.aim.flight_time + 0.1, 0.02)
    start = np.concatenate([made.crossing.position, v_out])
    return times, simulate_flight(start, times, AIR, max_step=0.02)[:, :3]


BACK = 0.8  # worth of a pass back to the thrower, of one to somebody else
KEPT = 4  # balls whose options are remembered


@dataclass(slots=True)
class _Ball:
    """What is thought about one ball."""

    chosen: Option | None = None
    waiting: list[FloatArray] = field(default_factory=list[FloatArray])
    worth: list[float] = field(default_factory=list[float])
    spans: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    options: list[tuple[float, Option]] = field(
        default_factory=list[tuple[float, Option]]
    )


class GameTactic:
    """Passes each ball to the team-mate with the best chance.

    One pass is thought through per camera frame, so that a frame never takes longer:
    to each team-mate straight, then as a lob over people's heads. When all have been,
    the best is kept and refined with every frame.
    """

    def __init__(self, tables: Tables, rng: np.random.Generator) -> None:
        self.tables, self._rng = tables, rng
        self.people: tuple[Seen, ...] = ()
        self._strokes = PassTactic(tables, np.zeros(3))
        self._balls: dict[int, _Ball] = {}

    def see(self, people: Sequence[Seen]) -> None:
        """Take note of where people stand now."""
        self.people = tuple(people)

    @property
    def team(self) -> list[Seen]:
        """Team-mates in sight."""
        return [p for p in self.people if p.side == "team"]

    @property
    def opponents(self) -> list[Seen]:
        """Opponents in sight."""
        return [p for p in self.people if p.side == "opponents"]

    def best(self, ball: int) -> Option | None:
        """Return the option that is preferred for a ball so far."""
        known = self._balls.get(ball)
        if known is None or not known.options:
            return None
        return max(known.options, key=lambda item: item[0] * item[1].chance)[1]

    def __call__(self, track: TrackLike, now: float) -> Intent | None:
        """Return how a ball is met."""
        assert isinstance(track, Track)
        ball = self._balls.get(track.id) or self._begin(track)
        if ball.waiting:
            target, worth = ball.waiting.pop(0), ball.worth.pop(0)
            option = rate_pass(
                self.tables,
                track,
                now,
                target,
                self.opponents,
                self._rng,
                span=ball.spans.pop(0),
            )
            if option is None:
                return None
            ball.options.append((worth, option))
        best = self.best(track.id)
        if best is None or best.stroke is None:
            return meet_ball(track, now)
        if ball.chosen is not best:  # another one than before
            ball.chosen = best
            self._strokes.keep(track.id, best.stroke)
        intent = self._strokes.towards(track, now, best.target)
        return None if intent is None else replace(intent, chance=best.chance)

    def _begin(self, track: Track) -> _Ball:
        team = self.team
        thrower = likely_thrower(track, team)
        ball = _Ball()
        for span in (SPAN, LOB):
            for k, person in enumerate(team):
                ball.waiting.append(person.hands)
                ball.worth.append(BACK if k == thrower else 1.0)
                ball.spans.append(span)
        self._balls[track.id] = ball
        while len(self._balls) > KEPT:
            del self._balls[min(self._balls)]
        return ball
