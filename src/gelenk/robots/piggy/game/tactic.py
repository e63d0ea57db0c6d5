"""The robot's mind in the game: who is where, and to whom the ball goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gelenk.robots.piggy.behaviour import Intent, TrackLike
from gelenk.robots.piggy.game.choice import LOB, Option, likely_thrower, rate_pass
from gelenk.robots.piggy.game.eyes import Seen
from gelenk.robots.piggy.planner.tables import Tables
from gelenk.robots.piggy.stroke import SPAN
from gelenk.robots.piggy.tactics import PassTactic, meet_ball
from gelenk.robots.piggy.tracker import Track
from gelenk.typing import FloatArray

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

    Args:
        tables: The planner's.
        rng: Of the chances.
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
