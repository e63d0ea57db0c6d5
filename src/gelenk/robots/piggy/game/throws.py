"""How team-mates throw to the robot, and what the robot expects of them."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np

from gelenk.dynamics.flight import simulate_flight
from gelenk.estimation.ball_tracks import ThrowPrior, learn_throw_prior
from gelenk.robots.piggy.aim import wanted_velocity
from gelenk.robots.piggy.game.people import OUTER, TEAM_ARC, Person, spot
from gelenk.robots.piggy.nominal import AIM, INFLATION, SLICE, SLICES, THROWS
from gelenk.robots.piggy.setup import Setup
from gelenk.robots.piggy.throwers import PlaceName, Throw, ThrowerCfg, draw_throw

RELEASE = (0.86, 1.0)  # of the body's height, lowest and highest
AHEAD = 0.3  # [m], the hand leaves the ball before the body
# What team-mates are asked for, wider than any of them throws.
ASKED_TIMES, ASKED_SCATTER = (0.65, 1.0), 0.2  # [s], [m]


def draw_game_throw(
    rng: np.random.Generator, person: Person, place: PlaceName
) -> Throw:
    """Return a throw of a team-mate to the robot, as good as the skill allows."""
    skill = person.skill
    x, y = person.place
    way = np.array(AIM[:2]) - np.array([x, y])
    hand = np.array([x, y]) + AHEAD * way / np.linalg.norm(way)
    start = (*hand, float(rng.uniform(*RELEASE)) * person.height)
    cfg = ThrowerCfg(
        flight_time=skill.flight_times,
        aim_sigma=skill.throw_sigma,
        spin_sigma=skill.spin_sigma,
    )
    return draw_throw(rng, place, skill=cfg, start=start)


@cache
def game_prior() -> ThrowPrior:
    """Return where balls of the game come from, by the rules of the game.

    From the hands of people on the outer circle, to the top of the workspace, neither
    as flat nor as high as they could.
    """
    rng = np.random.default_rng(0)
    states = np.empty((THROWS, 6))
    duration = rng.uniform(*ASKED_TIMES, THROWS)
    for k in range(THROWS):
        azimuth = float(rng.uniform(-1.2, 1.2)) * TEAM_ARC
        x, y = spot(OUTER - AHEAD + float(rng.normal(0.0, 0.15)), azimuth)
        p = np.array([x, y, rng.uniform(1.4, 1.9)])
        target = np.array(AIM) + ASKED_SCATTER * rng.normal(size=3) * [1.0, 0.0, 1.0]
        states[k] = *p, *wanted_velocity(p, target, float(duration[k]))
    times = SLICE * np.arange(SLICES)
    paths = simulate_flight(states, times)
    paths[times > duration[:, None]] = math.nan
    return learn_throw_prior(paths, inflation=INFLATION)


def game_setup(setup: Setup) -> Setup:
    """Return a setup that expects balls of the game instead of those of a test."""
    return replace(setup, prior=game_prior())
