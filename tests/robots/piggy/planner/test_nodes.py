"""Tests of the sphere's nodes. Oracles: counts, symmetry, search by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.piggy.planner.nodes import make_nodes, nearest_node, nodes_within


@pytest.fixture
def directions() -> np.ndarray:
    v = np.random.default_rng(8).normal(size=(5000, 3))
    return v / np.linalg.norm(v, axis=1, keepdims=True)


@pytest.mark.capability("BB-49")
@pytest.mark.parametrize(("refinements", "count"), [(0, 12), (1, 42), (2, 162)])
def test_nodes_are_as_many_and_as_linked_as_they_should(refinements, count) -> None:
    nodes = make_nodes(refinements)
    degrees = (nodes.neighbours >= 0).sum(axis=1)

    assert nodes.count == count
    assert (degrees == 5).sum() == 12
    assert (degrees == 6).sum() == count - 12
    assert_allclose(np.linalg.norm(nodes.direction, axis=1), 1.0, atol=1e-14)
    for k, row in enumerate(nodes.neighbours):
        assert all(k in nodes.neighbours[i] for i in row if i >= 0)


@pytest.mark.capability("BB-49")
def test_neighbours_are_almost_equally_far() -> None:
    nodes = make_nodes()
    pairs = [
        np.arccos(nodes.direction[k] @ nodes.direction[i])
        for k, row in enumerate(nodes.neighbours) for i in row if i >= 0
    ]  # fmt: skip
    assert np.rad2deg([min(pairs), max(pairs)]) == pytest.approx(
        (15.86, 18.70), abs=0.01
    )
    assert np.rad2deg(nodes.extent.max()) == pytest.approx(18.70, abs=0.01)


@pytest.mark.capability("BB-50")
def test_the_grid_finds_the_nearest_node_or_the_next(directions) -> None:
    nodes = make_nodes()
    order = np.argsort(-(directions @ nodes.direction.T), axis=1)
    found = nearest_node(nodes, 3.0 * directions)
    assert (nodes.grid >= 0).sum() == 13_088
    assert np.mean(found == order[:, 0]) > 0.93
    assert np.mean((found == order[:, 0]) | (found == order[:, 1])) > 0.99
    assert (found[:, None] == order[:, :3]).any(axis=1).all()


@pytest.mark.capability("BB-51")
@pytest.mark.parametrize("tolerance", [0.0, 5.0, 10.0])
def test_the_walk_finds_what_a_search_over_all_nodes_finds(
    directions, tolerance
) -> None:
    nodes = make_nodes()
    for v in directions[:300]:
        away = np.arccos(np.clip(nodes.direction @ v, -1.0, 1.0))
        expected = np.flatnonzero(away <= nodes.extent + np.deg2rad(tolerance))
        assert (
            nodes_within(nodes, v, np.deg2rad(tolerance)).tolist() == expected.tolist()
        )
