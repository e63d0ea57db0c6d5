"""Tests of finding people, in rendered images of halls and meadows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.robots.piggy.cameras import EXACT, make_rig
from gelenk.robots.piggy.drawing import Eye
from gelenk.robots.piggy.game.eyes import Eyes
from gelenk.robots.piggy.game.people import make_people
from gelenk.robots.piggy.nominal import CAMERA_MIDDLE
from gelenk.robots.piggy.people import Person as Body
from gelenk.robots.piggy.places.hall import random_hall
from gelenk.robots.piggy.places.meadow import random_meadow
from gelenk.robots.piggy.setup import nominal_setup


def cameras(place: str) -> list[Eye]:
    rng = np.random.default_rng(7)
    scene = random_hall(rng) if place == "indoor" else random_meadow(rng)
    eyes = []
    for k, camera in enumerate(make_rig(EXACT)):
        T = np.array(camera.T_world_camera)
        T[:3, 3] -= CAMERA_MIDDLE
        picture = scene.paint(camera.intrinsics, T, 1)
        eyes.append(Eye(camera, picture, scene.light, EXACT, (0, k)))
    return eyes


@pytest.mark.slow
@pytest.mark.parametrize("place", ["indoor", "outdoor"])
def test_people_are_found_where_they_stand_and_on_their_side(place: str) -> None:
    pair = cameras(place)
    eyes = Eyes(nominal_setup().cameras)
    eyes.remember([(pair[0].shoot((), n), pair[1].shoot((), n)) for n in range(3)])
    assert eyes.look(pair[0].shoot((), 4), pair[1].shoot((), 4)) == ()
    found = there = ghosts = 0
    for seed in range(6):
        people = make_people(
            np.random.default_rng(seed), team=["skilled"] * 3, opponents=["average"] * 2
        )
        bodies = [
            Body(
                position=p.place,
                height=p.height,
                shirt=p.grey,
                raised=1.0 if p.side == "team" else 0.15,
            )
            for p in people
        ]
        for eye in pair:
            eye.set_people(bodies)
        seen = eyes.look(pair[0].shoot((), 10 + seed), pair[1].shoot((), 10 + seed))
        right = sum(
            any(
                s.side == p.side and math.dist(tuple(s.place), p.place) < 0.4
                for s in seen
            )
            for p in people
        )
        found, there, ghosts = (
            found + right, there + len(people), ghosts + len(seen) - right
        )  # fmt: skip
    assert found >= 0.8 * there
    assert ghosts <= 0.2 * there


def test_without_the_empty_place_nobody_can_be_told_from_it() -> None:
    eyes = Eyes(nominal_setup().cameras)
    blank = np.zeros((580, 780), dtype=np.uint8)
    with pytest.raises(ConfigError, match="empty room"):
        eyes.look(blank, blank)
    with pytest.raises(ConfigError, match="at least one pair"):
        eyes.remember([])
