"""Tests of throwers: shares of misses as printed, aims met by another integration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.dynamics.flight import FlightCfg, simulate_flight
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.piggy.air import FloorCfg
from gelenk.robots.piggy.balls import BallFlight
from gelenk.robots.piggy.config import DRAG
from gelenk.robots.piggy.judge import first_crossing
from gelenk.robots.piggy.throwers import (
    AIM,
    WEATHER,
    PlaceName,
    Throw,
    ThrowerCfg,
    aimed_velocity,
    draw_throw,
)

GRAVITY = np.array([0.0, 0.0, -9.81])


def free_flight(throw: Throw, place: PlaceName, rng: np.random.Generator) -> np.ndarray:
    ball = BallFlight(
        0, throw, 0, h=0.002, gravity=GRAVITY, air=WEATHER[place].air,
        floor=FloorCfg(), rng=rng,
    )  # fmt: skip
    return ball.free_path()[:800]


@pytest.mark.slow
@pytest.mark.parametrize(("place", "share"), [("indoor", 0.09), ("outdoor", 0.27)])
def test_as_many_balls_miss_the_workspace_as_in_the_thesis(
    place: PlaceName, share: float
) -> None:
    rng = np.random.default_rng(7)
    count = 700
    paths = (free_flight(draw_throw(rng, place), place, rng) for _ in range(count))
    missed = sum(first_crossing(path, 0.002, 0.0) is None for path in paths)
    limit = 0.03 if place == "indoor" else 0.05
    assert missed / count == pytest.approx(share, abs=limit)


def test_throws_come_from_five_to_six_metres_and_about_as_fast_as_people_throw() -> (
    None
):
    rng = np.random.default_rng(1)
    throws = [draw_throw(rng) for _ in range(300)]
    away = np.array([throw.position for throw in throws]) - AIM
    assert np.hypot(away[:, 0], away[:, 1]).min() >= 5.0
    assert np.hypot(away[:, 0], away[:, 1]).max() <= 6.0
    speed = np.linalg.norm([throw.velocity for throw in throws], axis=1)
    assert 7.0 < np.percentile(speed, 5) < np.percentile(speed, 95) < 11.5
    spin = np.array([throw.spin for throw in throws])
    assert_allclose(spin.std(axis=0), 3.0, rtol=0.15)
    drag = np.array([throw.drag for throw in throws]) / DRAG
    assert drag.std() == pytest.approx(0.1, rel=0.2)
    assert abs(drag - 1.0).max() <= 0.2


def test_who_aims_without_wind_and_spin_meets_the_point() -> None:
    start, target = np.array([0.4, 5.2, 1.6]), np.array(AIM)
    v = aimed_velocity(start, target, 0.85)
    x = simulate_flight([*start, *v], [0.85], FlightCfg(drag=DRAG, lift=0.0))
    assert_allclose(x[0, :3], target, atol=2e-3)


def test_skills_differ_in_scatter_and_fast_throws_arrive_sooner() -> None:
    def spread(skill: str) -> float:
        rng = np.random.default_rng(2)
        hits = []
        for _ in range(200):
            throw = draw_throw(rng, skill=skill)
            path = free_flight(throw, "indoor", rng)
            row = path[np.argmax(path[:, 1] < AIM[1])]
            hits.append(row[0] - AIM[0])
        return float(np.std(hits))

    assert spread("skilled") < spread("fair") < spread("clumsy")
    rng = np.random.default_rng(3)
    fast = [draw_throw(rng, skill="fast") for _ in range(50)]
    assert min(math.hypot(*throw.velocity[:2]) for throw in fast) > 7.5


def test_a_start_and_an_aim_can_be_given() -> None:
    cfg = ThrowerCfg(aim_sigma=0.0, spin_sigma=0.0, drag_sigma=0.0)
    aim = (0.2, 0.1, 1.5)
    throw = draw_throw(
        np.random.default_rng(0), skill=cfg, start=(1.0, 4.0, 1.8), aim=aim
    )
    path = free_flight(throw, "indoor", np.random.default_rng(0))
    assert throw.position == (1.0, 4.0, 1.8)
    assert np.linalg.norm(path[:, :3] - aim, axis=1).min() < 0.02


def test_mistakes_are_named() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(NameNotFoundError, match="skill"):
        draw_throw(rng, skill="godlike")
    with pytest.raises(ConfigError, match="velocity"):
        Throw(position=(0, 0, 1), velocity=(0, math.nan, 0))
