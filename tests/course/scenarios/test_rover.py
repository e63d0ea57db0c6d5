"""Subsumption rover: what a layer is worth is told by taking it away."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.course.film import Film
from gelenk.course.scenarios import rover, rover_room
from gelenk.course.scenarios.rover_room import (
    RADIUS,
    RING,
    SONAR,
    TURRET,
    Fleet,
    make_room,
)
from gelenk.sensing.sonar import sonar_reading


@pytest.fixture(scope="module")
def short_run():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rover, "DURATION", 25.0)
        film = Film()
        return rover.run(4, film), rover.run(4), film


def test_layers_are_worth_what_they_must_and_a_film_changes_nothing(short_run):
    filmed, plain, film = short_run
    assert filmed == plain  # same seed, same bits
    assert film.duration == pytest.approx(25.0)
    f = plain.figures
    assert f["whole bumps"] == f["no explore bumps"] == f["deaf bumps"] == 0
    assert f["no avoid bumps"] > 0
    assert f["whole lamps"] > f["no explore lamps"]
    assert f["avoid alone way [m]"] < 1.5 < f["no explore way [m]"]
    assert plain.is_reached == (plain.reason == "")


def test_a_bump_is_told_and_nobody_drives_through_things():
    room = make_room(np.random.default_rng(5))
    fleet = Fleet(
        room=room,
        dead=np.zeros((1, RING.count), dtype=bool),
        rng=np.random.default_rng(0),
    )
    gaps = []
    for _ in range(300):
        fleet.move([(0.5, 0.0)])
        gaps.append(room.gaps(fleet.poses[0, :2]))
    assert fleet.bumps[0] >= 1
    assert min(gaps) >= RADIUS


def test_sonars_read_walls_and_dead_ones_nothing(monkeypatch):
    """Oracle: each sensor asked by itself, where no noise was drawn."""
    for name in ("LOST", "CROSSTALK", "RANGE_NOISE"):
        monkeypatch.setattr(rover_room, name, 0.0)
    room = make_room(np.random.default_rng(2))
    dead = rover.dead_sonars(np.random.default_rng(0))[None]
    fleet = Fleet(room=room, dead=dead, rng=np.random.default_rng(0))
    x, y, yaw = room.start
    for k, bearing in enumerate(RING.bearings):
        axis = yaw + bearing
        place = [x + TURRET * np.cos(axis), y + TURRET * np.sin(axis), axis]
        wanted = None if dead[0, k] else sonar_reading(SONAR, place, room.scene)
        assert fleet.ranges[0, k] == pytest.approx(wanted or SONAR.max_range)


def test_a_lamp_that_is_never_reached_bores_the_rover():
    layer = rover.seek_layer(lambda: (np.array([0.7]), np.array([1.0])))
    ranges = np.full(RING.count, 3.0)
    wishes = [layer.decide(ranges, 0.1 * k) for k in range(400)]
    told = np.array(wishes) == 0.7
    assert told[: int(10 * rover.PATIENCE)].all()
    assert 0.0 < np.mean(~told) < 0.5  # elsewhere for a while, then back
    assert told[-1]
