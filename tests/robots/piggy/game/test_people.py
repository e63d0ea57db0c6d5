"""Tests of people: where they stand, what they reach, what they catch."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.piggy.game.people import (
    CENTRE,
    INNER,
    OUTER,
    SKILLS,
    Person,
    Side,
    catch_chance,
    get_skill,
    make_people,
    reach_at,
    spot,
    swap,
    try_catch,
)


def somebody(
    azimuth: float = 0.0, *, side: Side = "team", skill: str = "skilled"
) -> Person:
    radius = OUTER if side == "team" else INNER
    return Person(
        name=f"{side} {azimuth:g}",
        side=side,
        place=spot(radius, azimuth),
        height=1.75,
        skill=get_skill(skill),
    )


def ball_over(x: float, *, height: float = 1.3, duration: float = 0.8):
    """A level flight from the robot to y = 4 m, at a constant x."""
    t = np.linspace(0.0, duration, 81)
    y = CENTRE[1] + OUTER * t / duration
    return t, np.stack([np.full_like(t, x), y, np.full_like(t, height)], axis=1)


def test_team_mates_stand_on_the_outer_circle_and_opponents_on_the_inner() -> None:
    people = make_people(
        np.random.default_rng(0), team=["skilled"] * 3, opponents=["beginner"] * 2
    )
    for person in people:
        radius = math.dist(person.place, CENTRE)
        assert_allclose(radius, OUTER if person.side == "team" else INNER)
    assert [p.side for p in people].count("team") == 3
    assert people[0].place[0] < people[1].place[0] < people[2].place[0]


@pytest.mark.capability("BB-86")
def test_nobody_stands_where_the_bat_can_reach() -> None:
    """Bat, offset, sphere, and the arms of who stands there."""
    longest = 0.84 + 0.06 + 0.125
    for skill in SKILLS.values():
        assert longest + skill.arms < INNER


def test_a_game_needs_a_team_and_known_skills() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ConfigError, match="team"):
        make_people(rng, team=[], opponents=["beginner"])
    with pytest.raises(NameNotFoundError, match="skilled"):
        make_people(rng, team=["skiled"], opponents=[])


def test_reach_grows_from_body_to_arms_to_a_step() -> None:
    person = somebody()
    skill = person.skill
    arms, step = reach_at(person, [0.0, skill.reaction, 1.0, 1.5])
    assert_allclose(arms, [0.22, 0.22, skill.arms, skill.arms])
    assert_allclose(step[:2], 0.0)
    assert_allclose(step[3] - step[2], 0.5 * skill.step_speed)


def test_arms_reach_less_wide_above_the_head() -> None:
    """At 0.6 m above the shoulders 0.8 m of arms are 0.53 m wide."""
    person = somebody()
    level = 0.82 * 1.75 + person.skill.leap + 0.6
    near, _ = catch_chance(person, *ball_over(CENTRE[0] + 0.2, height=level))
    low, _ = catch_chance(person, *ball_over(CENTRE[0] + 0.7, height=1.3))
    stands = replace(person, skill=replace(person.skill, step_speed=0.0))
    wide, _ = catch_chance(stands, *ball_over(CENTRE[0] + 0.6, height=level))
    assert near > 0.5
    assert low > 0.5
    assert wide == 0.0


def test_a_ball_into_the_hands_is_caught_with_the_skill_of_the_hands() -> None:
    for name in SKILLS:
        person = somebody(skill=name)
        chance, _ = catch_chance(person, *ball_over(CENTRE[0]))
        assert_allclose(chance, person.skill.hands)


@pytest.mark.parametrize(
    ("x", "height"), [(CENTRE[0] + 2.0, 1.3), (CENTRE[0], 2.9), (CENTRE[0], 0.2)]
)
def test_a_ball_wide_too_high_or_too_low_is_not_caught(x: float, height: float) -> None:
    chance, when = catch_chance(somebody(), *ball_over(x, height=height))
    assert chance == 0.0
    assert math.isnan(when)


def test_the_better_the_skill_the_more_is_caught() -> None:
    chances = [
        catch_chance(somebody(skill=name), *ball_over(CENTRE[0] + 0.65))[0]
        for name in ("beginner", "average", "skilled")
    ]
    assert chances[0] < chances[1] < chances[2]


def test_a_fast_ball_past_an_opponent_leaves_no_time_for_arms() -> None:
    opponent = somebody(side="opponents")
    aside = CENTRE[0] + 0.6
    slow, _ = catch_chance(opponent, *ball_over(aside, duration=2.5))
    fast, _ = catch_chance(opponent, *ball_over(aside, duration=0.5))
    assert slow > 0.9
    assert fast == 0.0


def test_who_stands_nearer_tries_first_and_luck_follows_the_chances() -> None:
    """Frequencies against the chances that `catch_chance` tells."""
    opponent, mate = somebody(side="opponents", skill="beginner"), somebody()
    flight = ball_over(CENTRE[0] + 0.25, duration=1.1)
    p, _ = catch_chance(opponent, *flight)
    q, _ = catch_chance(mate, *flight)
    assert 0.1 < p < 0.95
    rng, counts = np.random.default_rng(3), {"team": 0, "opponents": 0}
    for _ in range(4000):
        got = try_catch([mate, opponent], *flight, rng)
        if got is not None:
            counts[got.person.side] += 1
    assert_allclose(counts["opponents"] / 4000, p, atol=0.03)
    assert_allclose(counts["team"] / 4000, (1 - p) * q, atol=0.03)


def test_swapping_exchanges_sides_and_places_only() -> None:
    mate, opponent = somebody(0.1), somebody(-0.1, side="opponents", skill="average")
    inside, outside = swap(mate, opponent)
    assert inside == replace(mate, side="opponents", place=opponent.place)
    assert outside == replace(opponent, side="team", place=mate.place)
