"""Tests of interception risk and of who has thrown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.testing import assert_allclose

from gelenk.robots.piggy.game.eyes import Seen
from gelenk.robots.piggy.game.people import CENTRE, INNER, OUTER, Side, spot
from gelenk.robots.piggy.game.tactic import interception_risk, likely_thrower


def seen(azimuth: float, *, side: Side = "opponents") -> Seen:
    radius = INNER if side == "opponents" else OUTER
    return Seen(place=np.array(spot(radius, azimuth)), side=side, score=1.0)


def ball(azimuth: float, *, height: float = 1.4, duration: float = 0.8):
    t = np.linspace(0.0, duration, 60)
    x, y = (c + OUTER * t / duration * f for c, f in
            zip(CENTRE, (np.sin(azimuth), np.cos(azimuth)), strict=True))  # fmt: skip
    return t, np.stack([x, y, np.full_like(t, height)], axis=1)


def test_a_ball_at_an_opponents_chest_is_lost_and_one_far_aside_is_free() -> None:
    assert interception_risk(*ball(0.0), [seen(0.0)]) > 0.95
    assert interception_risk(*ball(0.6), [seen(-0.2)]) == 0.0
    assert interception_risk(*ball(0.0), []) == 0.0


def test_a_lob_over_the_head_and_a_fast_ball_are_safer() -> None:
    flat = interception_risk(*ball(0.15), [seen(0.0)])
    assert interception_risk(*ball(0.15, height=2.4), [seen(0.0)]) < flat
    assert interception_risk(*ball(0.15, duration=0.45), [seen(0.0)]) < flat


def test_two_opponents_are_independent() -> None:
    path = ball(0.12)
    a, b = (interception_risk(*path, [seen(x)]) for x in (0.0, 0.3))
    both = interception_risk(*path, [seen(0.0), seen(0.3)])
    assert_allclose(1.0 - both, (1.0 - a) * (1.0 - b))


@dataclass
class Ball:
    position: np.ndarray
    velocity: np.ndarray


def test_the_thrower_is_the_one_in_whose_line_the_ball_comes() -> None:
    team = [seen(a, side="team") for a in (-0.3, 0.0, 0.3)]
    for k, person in enumerate(team):
        start = np.array([*person.place, 1.6])
        way = np.array([*CENTRE, 1.7]) - start
        there = start + 0.3 * way
        track = Ball(position=there[None], velocity=way[None])
        assert likely_thrower(track, team) == k  # pyright: ignore[reportArgumentType]
    nobody = Ball(position=np.zeros((1, 3)), velocity=np.ones((1, 3)))
    assert likely_thrower(nobody, []) is None  # pyright: ignore[reportArgumentType]
