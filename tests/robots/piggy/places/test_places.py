"""Tests of the painted places: both cameras see one and the same."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from gelenk.robots.piggy.places.hall import Hall, Lamp, level_pose, random_hall
from gelenk.robots.piggy.places.meadow import random_meadow
from gelenk.robots.piggy.places.place import (
    Light,
    Place,
    area_mean,
    pixel_nodes,
    sample_rays,
)
from gelenk.vision.camera import Intrinsics
from testkit.ball_places import lamp_circles

LENS = Intrinsics.from_field_of_view(
    width=260, height=192, horizontal=math.radians(57.0)
)
PITCH = math.radians(35.0)
LIGHT = Light(direction=np.array([0.0, 0.0, 1.0]), ambient=100.0, direct=50.0)


@pytest.mark.parametrize("make", [random_hall, random_meadow])
def test_a_seed_paints_the_same_picture_with_light_and_dark(
    make: Callable[[np.random.Generator], Place],
) -> None:
    images = [
        make(np.random.default_rng(4)).paint(LENS, level_pose(PITCH), 2)
        for _ in range(2)
    ]
    assert np.array_equal(images[0], images[1])
    assert images[0].shape == (192, 260)
    assert 0.0 <= images[0].min() < images[0].max() <= 255.0
    assert images[0].std() > 10.0
    other = make(np.random.default_rng(5)).paint(LENS, level_pose(PITCH), 2)
    assert not np.array_equal(images[0], other)


@pytest.mark.parametrize(("is_globe", "z"), [(True, 2.5), (False, 3.98)])
def test_lamps_are_where_their_positions_say_from_both_sides(
    is_globe: bool, z: float
) -> None:
    lamp = Lamp(position=(0.3, 4.0, z), radius=0.2, is_globe=is_globe, level=250.0)
    hall = Hall(
        room=np.array([5.0, 9.0, 4.0]), shades=np.full(3, 120.0), panels=(), beams=(),
        lamps=(lamp,), light=LIGHT,
    )  # fmt: skip
    places = []
    for x in (-0.26, 0.26):
        T = level_pose(PITCH)
        T[0, 3] = x
        image = hall.paint(LENS, T, 3)
        bright = image > 200.0
        rows, columns = np.nonzero(bright)
        u, v, r = lamp_circles(hall, LENS, T)[0]
        assert columns.mean() == pytest.approx(u, abs=0.5)
        assert rows.mean() == pytest.approx(v, abs=0.5 if is_globe else 1.2)
        if is_globe:  # a disc at the ceiling is seen askew
            assert bright.sum() == pytest.approx(math.pi * r * r, rel=0.08)
        places.append(columns.mean())
    depth = math.cos(PITCH) * 4.0 + math.sin(PITCH) * z
    shift = LENS.fx * 0.52 / depth
    assert places[0] - places[1] == pytest.approx(shift, rel=0.03)


def test_trees_are_nearer_than_the_sky() -> None:
    meadow = random_meadow(np.random.default_rng(3))
    views = []
    for x in (0.0, 0.5):
        T = level_pose(PITCH)
        T[0, 3] = x
        views.append(meadow.paint(LENS, T, 2))
    changed = np.abs(views[0] - views[1]) > 4.0
    assert 0.01 < changed.mean() < 0.9  # leaves moved, the sky did not
    near = max(tree.distance for tree in meadow.trees)
    assert 8.0 <= near <= 22.0


def test_rays_within_pixels_are_those_of_the_lens() -> None:
    lens = Intrinsics(width=40, height=30, fx=50, fy=50, cx=19.5, cy=14.5)
    rays = sample_rays(pixel_nodes(lens), 4)
    v, u = np.mgrid[0:120, 0:160]
    expected = np.stack([(u + 0.5) / 4 - 0.5 - 19.5, (v + 0.5) / 4 - 0.5 - 14.5], -1)
    assert np.abs(rays - expected / 50.0).max() < 1e-6
    assert np.abs(
        area_mean(u.astype(float), 4)[0] - (4 * np.arange(40) + 1.5)
    ).max() < (1e-9)
