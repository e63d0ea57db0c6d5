"""The rules of piggy in the middle: who throws next, who swaps, what counts.

A team-mate throws to the robot, the robot plays the ball on to a team-mate. Who catches
throws next. If an opponent catches, the thrower and the opponent swap. A rally is the
row of passes that arrive; it ends with a ball that does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.piggy.game.people import Person, swap


class Ending(StrEnum):
    """What became of a throw."""

    COMPLETED = "completed"  # hit, and caught by a team-mate
    INTERCEPTED = "intercepted"  # hit, and caught by an opponent
    DROPPED = "dropped"  # hit, and caught by nobody
    MISSED = "missed"  # came into reach, not hit
    WIDE = "wide"  # never came into reach


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What counts.

    Attributes:
        passes: Points of the team: balls that arrived.
        interceptions: Points of the opponents.
        endings: How often each ending came, by its name.
        rallies: Lengths of the rallies that are over, in hits by the robot.
        rally: Hits of the running one.
    """

    passes: int = 0
    interceptions: int = 0
    endings: tuple[tuple[str, int], ...] = ()
    rallies: tuple[int, ...] = ()
    rally: int = 0

    def count(self, ending: Ending) -> int:
        """Return how often an ending came."""
        return dict(self.endings).get(ending.value, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A running game.

    Attributes:
        people: All, with where they stand now.
        thrower: Name of the team-mate who has the ball.
        score: So far.
    """

    people: tuple[Person, ...]
    thrower: str
    score: Score = Score()

    @property
    def team(self) -> tuple[Person, ...]:
        """The robot's team-mates."""
        return tuple(p for p in self.people if p.side == "team")

    @property
    def opponents(self) -> tuple[Person, ...]:
        """Those in between."""
        return tuple(p for p in self.people if p.side == "opponents")

    def get(self, name: str) -> Person:
        """Return a person by name."""
        for person in self.people:
            if person.name == name:
                return person
        raise NameNotFoundError("person", name, [p.name for p in self.people])


def start_match(people: Sequence[Person]) -> Match:
    """Return a match in which the first team-mate has the ball."""
    team = [p for p in people if p.side == "team"]
    if not team:
        raise ConfigError("a match needs at least one team-mate, got none")
    return Match(people=tuple(people), thrower=team[0].name)


def referee(match: Match, ending: Ending, catcher: Person | None = None) -> Match:
    """Return the match after a throw.

    Args:
        match: Before it.
        ending: What became of the ball.
        catcher: Who has it now, for COMPLETED and INTERCEPTED.
    """
    wanted = {Ending.COMPLETED: "team", Ending.INTERCEPTED: "opponents"}.get(ending)
    if wanted is not None and (catcher is None or catcher.side != wanted):
        raise ConfigError(f"{ending.value} needs a catcher of the {wanted}")
    match = replace(match, score=_counted(match.score, ending))
    if ending is Ending.COMPLETED:
        assert catcher is not None
        return replace(match, thrower=catcher.name)
    if ending is Ending.INTERCEPTED:
        assert catcher is not None
        return _swapped(match, catcher)
    return match


def _counted(score: Score, ending: Ending) -> Score:
    counts = dict(score.endings)
    counts[ending.value] = counts.get(ending.value, 0) + 1
    score = replace(score, endings=tuple(sorted(counts.items())))
    if ending is Ending.COMPLETED:
        return replace(score, passes=score.passes + 1, rally=score.rally + 1)
    # The robot's hit counts even if nobody gets the ball.
    was_hit = ending in (Ending.DROPPED, Ending.INTERCEPTED)
    length = score.rally + was_hit
    taken = score.interceptions + (ending is Ending.INTERCEPTED)
    rallies = (*score.rallies, length)
    return replace(score, rally=0, rallies=rallies, interceptions=taken)


def _swapped(match: Match, catcher: Person) -> Match:
    """Return the match with thrower and catcher exchanged; the catcher throws."""
    thrower = match.get(match.thrower)
    inside, outside = swap(thrower, match.get(catcher.name))
    moved = {inside.name: inside, outside.name: outside}
    people = tuple(moved.get(p.name, p) for p in match.people)
    return replace(match, people=people, thrower=outside.name)
