"""Terrains, looked at from above with the engine's rays: where is the ground?"""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from amee_body import set_all
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.terrain import (
    COURSE_START,
    TERRAINS,
    Course,
    TerrainCfg,
    build_terrain,
    terrain_from_text,
)
from gelenk.robots.amee.terrain.terrains import SINK, sinking_tile
from gelenk.robots.amee.world import WorldCfg, make_world
from gelenk.sim import Cuboid, Ground, World, WorldConfig
from gelenk.sim.appearance import compiled_world_of

COURSE = Course(length=4.0)


def surface(text: str, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heights on a grid: x (n,), y (m,), z (n, m) [m]."""
    world = World(WorldConfig(step=0.002), seed=0)
    for thing in build_terrain(terrain_from_text(text, COURSE), seed):
        world.add(thing)
    plant = compiled_world_of(world)
    mujoco.mj_forward(plant.model, plant.data)
    x, y = np.arange(-0.5, 5.5, 0.02), np.arange(-0.7, 0.71, 0.1)
    z = np.empty((len(x), len(y)))
    geom = np.zeros(1, np.int32)
    for i, px in enumerate(x):
        for j, py in enumerate(y):
            eye, down = np.array([px, py, 3.0]), np.array([0.0, 0.0, -1.0])
            distance = mujoco.mj_ray(
                plant.model, plant.data, eye, down, None, 1, -1, geom
            )
            z[i, j] = 3.0 - distance
    return x, y, z


@pytest.mark.parametrize("name", TERRAINS)
def test_the_ground_under_the_start_is_level(name: str) -> None:
    x, _, z = surface(name)
    assert np.abs(z[x < COURSE_START - 0.01]).max() < 1e-6


def test_flat_ground_is_flat() -> None:
    assert np.abs(surface("flat")[2]).max() < 1e-9


@pytest.mark.parametrize("height", [0.03, 0.08])
def test_rubble_is_as_high_as_asked_for_and_no_higher(height: float) -> None:
    x, _, z = surface(f"rubble:{100 * height:g}cm")
    assert z.max() <= height + 1e-6
    assert z.max() > 0.8 * height
    on_course = z[(x > 0.8) & (x < 4.3)]
    assert 0.3 < np.mean(on_course > 0.2 * height) < 0.9
    assert z.min() > -1e-6


@pytest.mark.parametrize("degrees", [15.0, -15.0, 5.0])
def test_a_slope_has_its_angle_and_ends_level(degrees: float) -> None:
    x, _, z = surface(f"slope:{degrees:g}deg")
    is_ramp = (x > COURSE_START + 0.05) & (x < COURSE_START + 3.9)
    rise = np.diff(z[is_ramp], axis=0) / np.diff(x[is_ramp])[:, None]
    assert np.rad2deg(np.arctan(rise)).min() == pytest.approx(degrees, abs=0.02)
    assert np.rad2deg(np.arctan(rise)).max() == pytest.approx(degrees, abs=0.02)
    end = z[x > COURSE_START + 4.05]
    assert np.ptp(end) < 1e-6
    assert end[0, 0] == pytest.approx(4.0 * math.tan(math.radians(degrees)), abs=1e-6)


def test_steps_rise_and_fall_by_no_more_than_asked_for() -> None:
    x, _, z = surface("steps:6cm")
    jumps = np.diff(z[:, 7])
    jumps = jumps[(np.abs(jumps) > 1e-6) & (x[1:] < COURSE_START + 3.9)]
    assert (jumps > 0).sum() >= 2
    assert (jumps < 0).sum() >= 2
    assert np.abs(jumps).max() <= 0.06 + 1e-6
    assert np.abs(jumps).min() > 0.02


def test_gaps_are_no_wider_than_asked_for_and_deep() -> None:
    x, _, z = surface("gaps:12cm")
    is_gap = z[:, 7] < -0.2
    edges = np.flatnonzero(np.diff(is_gap.astype(int)))
    widths = np.diff(x[edges])[::2]
    assert len(widths) >= 4
    assert widths.max() <= 0.12 + 0.021
    assert widths.min() >= 0.06 - 0.021
    assert widths.mean() == pytest.approx(0.09, abs=0.015)
    assert np.abs(z[~is_gap]).max() < 1e-6


def test_plates_lean_in_all_directions_by_no_more_than_asked_for() -> None:
    x, y, z = surface("plates:10deg")
    on_course = (x > 0.6) & (x < 4.4)
    slopes = np.gradient(z, 0.02, axis=0)[on_course]
    # on a plate heights are linear; at its edges the gradient is anything
    inner = np.abs(np.diff(slopes, axis=0)) < 1e-6
    lean = np.rad2deg(np.arctan(slopes[1:][inner]))
    assert np.abs(lean).max() <= 10.0 / math.sqrt(2.0) + 0.1  # along x alone
    assert lean.min() < -3.0
    assert lean.max() > 3.0
    assert len(y) == 15


def test_sharp_ground_has_as_many_points_as_asked_for() -> None:
    things = build_terrain(terrain_from_text("sharp:10/m2", COURSE), 1)
    assert len(things) - 1 == round(10 * 4.0 * COURSE.width)


def test_a_soft_tile_bears_its_force_and_sinks_under_more() -> None:
    places = {}
    for mass in (1.5, 4.0):  # 14.7 N and 39 N
        world = World(WorldConfig(step=0.002), seed=0)
        world.add(Ground(position=(0.0, 0.0, -0.3)))
        world.add(sinking_tile("tile", (0.0, 0.0), bears=25.0))
        size = (0.1, 0.1, 0.1)
        world.add(Cuboid(name="load", size=size, mass=mass, position=(0, 0, 0.0505)))
        world.run(3.0)
        places[mass] = world.pose("load")[2, 3] - 0.05
    assert places[1.5] == pytest.approx(0.0, abs=0.005)
    # (39.2 - 25) N against 300 N s/m: 47 mm/s, so that it lies at its stop
    assert places[4.0] == pytest.approx(-SINK, abs=0.005)


@pytest.mark.parametrize("name", ["rubble", "plates", "steps", "gaps", "soft", "sharp"])
def test_one_seed_one_terrain(name: str) -> None:
    def places(seed: int) -> list[tuple]:
        things = build_terrain(TerrainCfg(name=name), seed)
        return [
            tuple(getattr(thing, word, None) for word in ("name", "position", "size"))
            for thing in things
        ]

    assert places(3) == places(3)
    assert places(3) != places(4)


def test_the_robot_stands_on_the_start_of_every_terrain() -> None:
    for name in TERRAINS:
        with make_world(WorldCfg(terrain=name, drive="geared", seed=2)) as world:
            set_all(world, Bridge.HOLD)
            world.step_to(0.2)
            assert [leg.read_toes() for leg in world.legs] == [15] * 4
            assert world.truth.look().margin > 0.25


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rubble:9cm", r"0.5 to 8 cm, got 9 cm"),
        ("slope:16", r"-15 to 15 deg"),
        ("rubble:5deg", "an amount in mm or cm or m"),
        ("flat:3cm", "no amount"),
        ("slope:", "name:amount"),
        ("slope:1.2.3", "not a number"),
    ],
)
def test_an_amount_that_makes_no_sense_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        terrain_from_text(text)


def test_an_unknown_terrain_is_answered_with_the_closest() -> None:
    with pytest.raises(NameNotFoundError, match="rubble"):
        terrain_from_text("ruble")
