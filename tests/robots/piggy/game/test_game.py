"""A few throws of the whole game."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.robots.piggy.game.game import Game, GameCfg
from gelenk.robots.piggy.game.people import CENTRE, Person, get_skill, spot
from gelenk.robots.piggy.game.referee import Ending
from gelenk.robots.piggy.game.throws import draw_game_throw, game_prior
from gelenk.robots.piggy.planner.tables import Axis, GridCfg, build_tables

SMALL = GridCfg(v_in=Axis(3.0, 9.0, 5), phi=Axis(0.0, 2.2, 12), bat_counts=(5, 3, 5))


@pytest.mark.parametrize("skill", ["beginner", "skilled"])
def test_throws_leave_the_hands_towards_the_robot(skill: str) -> None:
    person = Person(
        name="a", side="team", place=spot(3.4, 0.2), height=1.75, skill=get_skill(skill)
    )
    rng = np.random.default_rng(0)
    for _ in range(20):
        throw = draw_game_throw(rng, person, "indoor")
        start, v = np.array(throw.position), np.array(throw.velocity)
        assert np.hypot(*(start[:2] - person.place)) == pytest.approx(0.3)
        assert (np.array(CENTRE) - start[:2]) @ v[:2] > 0.0


def test_the_robot_expects_balls_where_people_throw_from() -> None:
    """Throws of all skills lie within three standard deviations of the prior."""
    prior, rng = game_prior(), np.random.default_rng(1)
    first = prior.mean[0], prior.covariance[0]
    for azimuth in (-0.3, 0.0, 0.3):
        person = Person(
            name="a",
            side="team",
            place=spot(3.4, azimuth),
            height=1.75,
            skill=get_skill("average"),
        )
        throw = draw_game_throw(rng, person, "indoor")
        off = np.array([*throw.position, *throw.velocity]) - first[0]
        assert off @ np.linalg.solve(first[1], off) < 6 * 9.0


@pytest.mark.slow
@pytest.mark.capability("BB-93")
def test_a_game_is_played_seen_and_judged_without_help() -> None:
    cfg = GameCfg(seed=3, whistle=True)
    with Game(cfg, tables=build_tables(SMALL)) as game:
        result = game.run(throws=2)
        frames = len(game.session.player.times)
        assert frames < 0.75 * 50.0 * game.session.now  # it rests while nothing flies
    assert len(result.events) == 2
    assert result.faults == ()
    seen, there, _ = result.sightings
    assert seen >= 0.6 * there
    for event in result.events:
        assert event.ending in tuple(Ending)
        if event.target:
            assert event.target.startswith("team")
            assert event.passed < 1.0
    assert sum(count for _, count in result.score.endings) == 2
