"""Museum guide: its coast, its visitors, its map; and knock-outs of what it does.

Oracles: the floor plan, distances between discs, a robot that ignores people.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from gelenk.course.film import Film
from gelenk.course.scenarios import museum
from gelenk.course.scenarios.museum_film import MuseumCamera
from gelenk.course.scenarios.museum_guide import PERSON, SIDES, Guide, Locator
from gelenk.course.scenarios.museum_mapping import Mapper, explore
from gelenk.course.scenarios.museum_world import (
    LASER,
    RADIUS,
    Museum,
    draw_museum,
    make_world,
)
from gelenk.planning.occupancy import add_scan, empty_grid
from gelenk.runtime.scenario import list_scenarios
from gelenk.sensing.laser_scanner import simulate_scan

SEED = 1000


@pytest.fixture(scope="module")
def plan() -> Museum:
    return draw_museum(np.random.default_rng(SEED))


@pytest.fixture(scope="module")
def guide(plan: Museum) -> Guide:
    """A guide whose map was made at known poses, all over the floor."""
    grid = empty_grid([-1.0, -1.0], plan.floor.upper + 1.0, 0.1)
    axes = [np.arange(0.9, size, 1.3) for size in plan.floor.upper]
    places = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    for x, y in places[plan.floor.clearance(places) > 0.3]:
        pose = [x, y, 0.0]
        ranges = simulate_scan(LASER, plan.floor, pose)
        grid = add_scan(grid, pose, LASER.bearings, ranges, max_range=LASER.max_range)
    return Guide(grid, dict(enumerate(plan.exhibits)))


def test_the_topological_map_has_a_hall_three_rooms_and_all_doors(guide, plan) -> None:
    assert guide.regions.count == 4
    hall = int(guide.regions.labels[guide.spots[0]])
    to_hall = [door for door in guide.regions.doors if hall in door.rooms]
    assert len(to_hall) in (2, 3)
    assert len(guide.regions.doors) - len(to_hall) == 2
    # Every exhibit is shown from its own room, next to it.
    for k, cell in guide.spots.items():
        gap = np.abs(guide.floor.points_of(cell) - plan.exhibits[k]) - plan.sizes[k]
        assert np.hypot(*np.maximum(gap, 0.0)) < museum.MAX_AWAY
        assert (guide.regions.labels[cell] == hall) == plan.in_hall[k]
        assert len(guide.plan(plan.dock, cell, 0.0)) > 0


def test_an_exhibit_with_people_before_it_is_shown_from_another_side(
    guide, plan
) -> None:
    for k in plan.wanted:
        person = guide.floor.points_of(guide.spots[k])[None]
        other = guide.spot(k, person)
        if other == guide.spots[k]:
            continue  # there is no other side near enough
        away = np.linalg.norm(guide.floor.points_of(other) - person[0])
        assert away >= PERSON
        gap = np.abs(guide.floor.points_of(other) - plan.exhibits[k]) - plan.sizes[k]
        assert np.hypot(*np.maximum(gap, 0.0)) < museum.MAX_AWAY + SIDES
        assert len(guide.plan(plan.dock, other, 0.0, person)) > 0
    assert any(
        guide.spot(k, guide.floor.points_of(guide.spots[k])[None]) != guide.spots[k]
        for k in plan.wanted
    )


def test_the_tour_is_as_short_as_any_order_of_it(guide, plan) -> None:
    order = guide.order(plan.dock, plan.wanted)

    def length(way: list[int]) -> float:
        cells = [guide.floor.nearest(plan.dock, guide.safe)]
        cells += [guide.spots[k] for k in way]
        return sum(guide.between(a, b)[0] for a, b in pairwise(cells))

    assert sorted(order) == sorted(plan.wanted)
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert length(order) <= length(rng.permutation(order).tolist()) + 1e-9


def test_the_coast_is_longer_and_sees_walls_where_the_shortest_path_does_not(
    guide, plan
) -> None:
    goal = guide.spots[plan.across]
    coast, short = (guide.plan(plan.dock, goal, w) for w in (museum.COAST, 0.0))

    def blind(path: np.ndarray) -> float:
        return float((plan.floor.clearance(path) > LASER.max_range).mean())

    assert blind(short) > 0.2
    assert blind(coast) < 0.1
    assert len(coast) > len(short)


def test_a_tour_leg_among_visitors_arrives_and_runs_into_nobody(guide, plan) -> None:
    def leg(film: Film | None):
        world = make_world(plan, SEED, visitors=8, pose=plan.dock)
        locator = Locator(guide, plan.dock, np.random.default_rng(SEED))
        tour = museum.Tour(np.zeros(3), MuseumCamera(film, plan))
        museum.show(guide, world, locator, [plan.wanted[0]], museum.COAST, tour)
        return tour

    tour = leg(None)

    assert tour.shown == 1
    assert tour.collisions == 0
    assert max(tour.errors) < museum.MAX_POSE_ERROR
    film = Film()
    assert leg(film).errors == tour.errors  # bit for bit, and whoever films
    assert film.duration == pytest.approx(tour.duration, abs=0.3)
    assert {"robot", "visitor 7", "solid 0"} <= set(film.shots[-1].poses)


def test_a_robot_that_minds_nobody_runs_into_visitors(plan) -> None:
    world = make_world(plan, SEED, visitors=8, pose=plan.dock)
    assert world.crowd is not None
    world.crowd.places[0] = plan.dock[:2] + 1.2 * np.array(
        [np.cos(plan.dock[2]), np.sin(plan.dock[2])]
    )
    world.crowd._until[0] = np.inf  # stands there and looks at a picture
    for _ in range(10):
        world.drive(0.5, 0.0)

    assert world.collisions == 1
    # Somebody who walks up to a robot at rest is no collision, and stays outside.
    still = make_world(plan, SEED, visitors=8, pose=np.array([6.0, 7.0, 0.0]))
    assert still.crowd is not None
    for _ in range(300):
        still.drive(0.0, 0.0)
        gaps = np.hypot(*(still.crowd.places - still.pose[:2]).T)
        assert (gaps > RADIUS + still.crowd.radii - 1e-9).all()
    assert still.collisions == 0


def test_exploring_maps_better_than_wheels_alone(plan, monkeypatch) -> None:
    monkeypatch.setattr("gelenk.course.scenarios.museum_mapping.MAX_NIGHT", 30.0)
    world = make_world(plan, SEED, visitors=0, pose=plan.dock)
    mapper = Mapper()
    truth, _ = explore(world, mapper)

    found = museum.map_figures(plan, mapper, truth, plan.dock)

    assert found["map pose [m]"] < 0.6 * found["odometry pose [m]"]
    assert world.collisions == 0


def test_the_scenario_can_be_run_by_name() -> None:
    assert "course/museum" in {entry.name for entry in list_scenarios()}
