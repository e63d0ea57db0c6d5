"""Tests of tables and look-up on a small grid. Oracles: linear scans, full sorts."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.robots.piggy.contact import ContactCfg, hit
from gelenk.robots.piggy.planner.lookup import LookupCfg
from gelenk.robots.piggy.planner.nodes import WORDS, nodes_within
from gelenk.robots.piggy.planner.rating import RatingCfg, push, rate
from gelenk.robots.piggy.planner.reduction import plane_frame
from gelenk.robots.piggy.planner.tables import Axis, GridCfg, Tables, build_tables
from testkit.table_lookups import look_up

SMALL = GridCfg(v_in=Axis(3.0, 9.0, 5), phi=Axis(0.0, 2.2, 12), bat_counts=(5, 3, 5))
NORMAL = np.array([0.36, 0.48, 0.8])


@pytest.fixture(scope="module")
def tables() -> Tables:
    return build_tables(SMALL)


def has_node(tables: Tables, k: int, node: int) -> bool:
    return bool(int(tables.node_sets[k, node // 64]) >> int(node % 64) & 1)


@pytest.mark.capability("BB-46")
def test_every_run_that_touches_is_in_the_table_with_its_mirror_image(tables) -> None:
    """The full grid, both signs of phi and v_s,y, has no result that is not there."""
    top, rng = SMALL.bat_speed, np.random.default_rng(0)
    for _ in range(150):
        v = float(rng.choice(SMALL.v_in.values))
        phi = float(rng.choice(SMALL.phi.values[1:])) * rng.choice([-1.0, 1.0])
        v_s = rng.choice(np.linspace(-top, top, 5), 3)
        n_c = np.array([-np.cos(phi), 0.0, np.sin(phi)])
        end = hit((v, 0.0, 0.0), n_c, v_s)
        R = plane_frame((v, 0.0, 0.0), end.v_out)
        c = R @ end.v_out
        row = np.array([v, c[0], c[2], *(R @ v_s), *(R @ n_c), *(R @ end.displacement)])
        is_there = np.abs(tables.entry - row).max(axis=1).min() < 1e-9
        assert is_there == (float(end.peak_force) > 0.0)


@pytest.mark.capability("BB-46")
def test_no_result_is_stored_twice(tables) -> None:
    rows = np.round(tables.entry[:, :9], 7)
    assert len(np.unique(rows, axis=0)) == tables.num_entries


@pytest.mark.capability("BB-48")
def test_results_lie_in_their_cell(tables) -> None:
    cell = np.repeat(np.arange(len(tables.start) - 1), np.diff(tables.start))
    shape = tuple(axis.num for axis in SMALL.cells)
    place = np.stack(np.unravel_index(cell, shape), axis=1)
    for column, axis in enumerate(SMALL.cells):
        centre = axis.lower + axis.step * place[:, column]
        assert np.abs(tables.entry[:, column] - centre).max() <= axis.step / 2 + 1e-9


@pytest.mark.capability("BB-52")
def test_a_result_is_found_from_every_normal_across_its_motion(tables) -> None:
    rng, nodes = np.random.default_rng(1), tables.nodes
    moving = np.flatnonzero(np.linalg.norm(tables.entry[:, 3:6], axis=1) > 1e-6)
    for k in rng.choice(moving, 200):
        v = tables.entry[k, 3:6]
        n = np.cross(v, rng.normal(size=3))
        assert any(has_node(tables, k, i) for i in nodes_within(nodes, n, 0.0))
        # ... and from nodes on the plane only.
        angle = np.abs(np.arcsin(nodes.direction @ v / np.linalg.norm(v)))
        bits = [has_node(tables, k, i) for i in range(nodes.count)]
        assert bits == (angle <= nodes.extent).tolist()


@pytest.mark.capability("BB-52")
def test_a_bat_at_rest_is_known_by_a_special_id(tables) -> None:
    still = np.linalg.norm(tables.entry[:, 3:6], axis=1) < 1e-6
    special = np.zeros(WORDS, dtype=np.uint64)
    special[162 // 64] = np.uint64(1) << np.uint64(162 % 64)
    assert still.any()
    assert (tables.node_sets[still] == special).all()


@pytest.mark.capability("BB-52", "BB-54", "BB-55")
@pytest.mark.parametrize("spread", [0, 1])
def test_the_look_up_equals_a_scan_over_the_cells(tables, spread) -> None:
    """Every result of the cells rated one by one, sorted in full."""
    rng, cfg = np.random.default_rng(3), LookupCfg(spread=spread, best=25)
    for _ in range(15):
        v_in = rng.uniform((-1, -8, -3), (1, -4, 1))
        v_out = rng.uniform((-3, 1, 1), (3, 5, 4))
        found = look_up(tables, (v_in, v_out), NORMAL, cosines=(-0.2, 0.9), cfg=cfg)

        R = plane_frame(v_in, v_out)
        numbers = np.array([np.linalg.norm(v_in), (R @ v_out)[0], (R @ v_out)[2]])
        inside = np.ones(tables.num_entries, dtype=bool)
        for column, axis in enumerate(SMALL.cells):
            index = np.floor((tables.entry[:, column] - axis.lower) / axis.step + 0.5)
            own = np.floor((numbers[column] - axis.lower) / axis.step + 0.5)
            inside &= np.abs(index - own) <= spread
        ratings = {}
        for k in np.flatnonzero(inside):
            e = tables.entry[k]
            world = [R.T @ x for x in ((e[0], 0, 0), (e[1], 0, e[2]), e[3:6])]
            r = rate(tuple(world), (v_in, v_out), NORMAL)
            if r > 0.0 and -0.2 <= (R.T @ e[6:9]) @ NORMAL <= 0.9:
                ratings[int(k)] = r
        best = sorted(ratings.values(), reverse=True)[:25]
        assert_allclose(found.rating, best, atol=1e-12)
        assert len(set(found.entry.tolist())) == len(found.entry)
        for k, v_s in zip(found.entry, found.v_s, strict=True):
            assert_allclose(v_s, R.T @ tables.entry[k, 3:6], atol=1e-12)


@pytest.mark.capability("BB-54")
def test_ratings_end_at_their_limits_and_multiply() -> None:
    cfg = RatingCfg(v_in=1.0, v_out=2.0, angle=0.5)
    v_in, v_out, n = (
        np.array([5.0, 0, 0]),
        np.array([-3.0, 0, 1]),
        np.array([0, 0, 1.0]),
    )
    flat, wanted = np.array([1.0, 1.0, 0.0]), (v_in, v_out)

    def of(dv_in=0.0, dv_out=0.0, v_s=flat, **more):
        found = (v_in + (dv_in, 0, 0), v_out + (0, dv_out, 0), v_s)  # noqa: RUF005
        return rate(found, wanted, n, cfg=cfg, **more)

    assert of() == 1.0
    assert of(dv_in=1.0) == of(dv_out=2.0) == 0.0
    assert of(v_s=np.array([np.cos(0.5), 0.0, np.sin(0.5)])) == pytest.approx(
        0.0, abs=1e-9
    )
    assert of(v_s=np.zeros(3)) == 1.0
    tilted = np.array([np.cos(0.2), 0.0, -np.sin(0.2)])
    product = 0.75 * 0.5 * (1.0 - 0.2 / 0.5) * 0.8
    assert of(0.25, 1.0, tilted, r_sim=0.8) == pytest.approx(product)


@pytest.mark.capability("BB-55")
@pytest.mark.parametrize("count", [40, 100, 2500])
def test_the_heap_keeps_the_hundred_best(count) -> None:
    rating = np.random.default_rng(count).integers(0, 500, count) / 500.0
    heap, keys, size = np.empty(100), np.empty(100, dtype=np.int64), 0
    for k, r in enumerate(rating):
        size = push(heap, keys, size, float(r), k)
    assert size == min(count, 100)
    assert_allclose(np.sort(heap[:size]), np.sort(rating)[-size:], atol=0.0)
    assert_allclose(rating[keys[:size]], heap[:size], atol=0.0)
    assert len(set(keys[:size].tolist())) == size


def test_tables_that_cannot_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="gravity"):
        build_tables(SMALL, ContactCfg(gravity=(0.0, 0.0, -9.81)))
    with pytest.raises(ConfigError, match="phi"):
        GridCfg(phi=Axis(-1.0, 1.0, 5))
