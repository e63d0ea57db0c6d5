"""Tests of the rules, scene by scene."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.robots.piggy.game.people import make_people
from gelenk.robots.piggy.game.referee import Ending, Match, referee, start_match


def match() -> Match:
    rng = np.random.default_rng(1)
    people = make_people(rng, team=["skilled"] * 3, opponents=["beginner"] * 2)
    return start_match(people)


def play(game: Match, *endings: str) -> Match:
    """c: completed to the next team-mate, d: dropped, m: missed, w: wide."""
    names = {"d": Ending.DROPPED, "m": Ending.MISSED, "w": Ending.WIDE}
    for letter in "".join(endings):
        if letter == "c":
            others = [p for p in game.team if p.name != game.thrower]
            game = referee(game, Ending.COMPLETED, others[0])
        elif letter == "i":
            game = referee(game, Ending.INTERCEPTED, game.opponents[0])
        else:
            game = referee(game, names[letter])
    return game


def test_who_catches_throws_next() -> None:
    game = match()
    catcher = game.team[2]
    game = referee(game, Ending.COMPLETED, catcher)
    assert game.thrower == catcher.name
    assert (game.score.passes, game.score.rally) == (1, 1)


def test_an_interception_swaps_thrower_and_opponent() -> None:
    game = match()
    thrower, thief = game.get(game.thrower), game.opponents[1]
    after = referee(game, Ending.INTERCEPTED, thief)
    assert after.get(thrower.name).side == "opponents"
    assert after.get(thrower.name).place == thief.place
    assert after.get(thief.name).side == "team"
    assert after.thrower == thief.name
    assert len(after.team) == 3
    assert after.score.interceptions == 1


@pytest.mark.parametrize(
    ("endings", "rallies", "running"),
    [
        ("ccc", (), 3),
        ("cccd", (4,), 0),
        ("ccm", (2,), 0),
        ("ccw", (2,), 0),
        ("cci", (3,), 0),
        ("w", (0,), 0),
        ("cdccm", (2, 2), 0),
    ],
)
def test_a_rally_is_the_row_of_hits_until_a_ball_does_not_arrive(
    endings: str, rallies: tuple[int, ...], running: int
) -> None:
    score = play(match(), endings).score
    assert score.rallies == rallies
    assert score.rally == running


def test_the_score_counts_every_ending() -> None:
    score = play(match(), "ccdmwwic").score
    counts = {ending: score.count(ending) for ending in Ending}
    assert counts == {
        Ending.COMPLETED: 3,
        Ending.DROPPED: 1,
        Ending.MISSED: 1,
        Ending.WIDE: 2,
        Ending.INTERCEPTED: 1,
    }
    assert (score.passes, score.interceptions) == (3, 1)


def test_after_a_ball_on_the_floor_the_same_thrower_throws_again() -> None:
    game = match()
    assert play(game, "d").thrower == game.thrower


def test_a_catch_needs_somebody_of_the_right_side() -> None:
    game = match()
    with pytest.raises(ConfigError, match="catcher of the team"):
        referee(game, Ending.COMPLETED, game.opponents[0])
    with pytest.raises(ConfigError, match="catcher of the opponents"):
        referee(game, Ending.INTERCEPTED)


def test_a_match_needs_a_team() -> None:
    with pytest.raises(ConfigError, match="team-mate"):
        start_match(match().opponents)
