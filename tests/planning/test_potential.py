"""Potential fields: values by hand, finite differences, and the trap with its exits."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.planning.cells import cell_path, trapezoid_cells
from gelenk.planning.concepts import PlanStatus
from gelenk.planning.potential import (
    PotentialField,
    descend_along,
    descend_cells,
    descend_potential,
    descend_with_hills,
    descend_with_walks,
    harmonic_potential,
    navigation_function,
)
from gelenk.planning.world import BallRegion, PolygonRegion, PolygonWorld

# A pocket that opens towards the start.
POCKET = np.array(
    [[4, 3], [6.5, 3], [6.5, 7], [4, 7], [4, 6.5], [6, 6.5], [6, 3.5], [4, 3.5]], float
)
START, GOAL = np.array([1.0, 5.1]), np.array([9.0, 5.0])
TRAP = PotentialField(
    goal=GOAL,
    obstacles=[PolygonRegion(corners=POCKET)],
    attraction=0.1,
    repulsion=0.1,
    offset=0.1,
    cutoff=0.5,
)


def _touches(path):
    fine = path.at(np.linspace(0.0, path.length, 4000))
    return (PolygonRegion(corners=POCKET).distance(fine) <= 0.0).any()


@pytest.mark.capability("GR-223")
def test_potential_and_force_have_the_values_of_the_course():
    pull = PotentialField(goal=[4, 5], obstacles=[], attraction=0.5)
    disc = BallRegion(center=[1, 3], radius=0.5)
    both = PotentialField(
        goal=[4, 5], obstacles=[disc], attraction=0.5, repulsion=2.0, offset=0.5
    )

    assert pull.potential([1, 1]) == pytest.approx(12.5)
    assert_allclose(pull.force([1, 1]), [3, 4])
    assert float(disc.distance([1, 1])) == pytest.approx(1.5)
    assert both.potential([1, 1]) - pull.potential([1, 1]) == pytest.approx(1.0)
    assert_allclose(both.force([1, 1]) - pull.force([1, 1]), [0, -0.5], atol=1e-12)


@pytest.mark.capability("GR-223")
@pytest.mark.parametrize("counts", ["all", "nearest"])
@pytest.mark.parametrize("cutoff", [np.inf, 2.0])
def test_the_force_is_minus_the_slope_of_the_potential(counts, cutoff):
    rng = np.random.default_rng(0)
    field = PotentialField(
        goal=[4, 5],
        obstacles=[
            BallRegion(center=[1, 3], radius=0.5),
            PolygonRegion(corners=POCKET),
        ],
        attraction=0.3,
        repulsion=0.7,
        offset=0.2,
        cutoff=cutoff,
        counts=counts,
    )
    q = rng.uniform(0.0, 10.0, (400, 2))
    step = 1e-6
    slopes = np.stack(
        [
            (field.potential(q + e) - field.potential(q - e)) / (2.0 * step)
            for e in step * np.eye(2)
        ],
        axis=-1,
    )

    error = np.linalg.norm(field.force(q) + slopes, axis=-1)

    # Kinks where the nearest edge changes are met by few points only.
    assert (error < 1e-5).mean() > 0.98


@pytest.mark.capability("GR-223")
def test_the_slope_inside_an_obstacle_leads_out():
    field = PotentialField(
        goal=[5, 9.9], obstacles=[BallRegion(center=[5, 5], radius=1.0)], repulsion=5.0
    )
    inside = np.array([5.2, 4.5])

    assert field.force(inside) @ (inside - [5, 5]) > 0.0


@pytest.mark.capability("GR-223")
def test_among_discs_the_descent_arrives_without_touching():
    rng = np.random.default_rng(1)
    discs = [BallRegion(center=c, radius=0.4) for c in ([3, 3.4], [5, 6], [6.5, 4])]
    field = PotentialField(
        goal=[9, 9], obstacles=discs, attraction=0.2, repulsion=0.5, cutoff=1.0
    )
    for start in rng.uniform(0.0, 2.0, (10, 2)):
        result = descend_potential(field, start)

        assert result.found
        heights = field.potential(result.path.points)
        assert (np.diff(heights) < 0.0).all()
        assert min(d.distance(result.path.points).min() for d in discs) > 0.0


@pytest.mark.capability("GR-224")
def test_the_plain_descent_is_caught_in_the_pocket():
    result = descend_potential(TRAP, START)

    assert result.status == PlanStatus.LOCAL_MINIMUM
    end = result.path.points[-1]
    assert 4.0 < end[0] < 6.0
    assert np.linalg.norm(TRAP.force(end)) < 0.5


@pytest.mark.capability("GR-224")
def test_virtual_obstacles_fill_the_pocket_until_the_way_is_out():
    # Small hills fill a shallow pocket; in a deep one they may give up.
    shallow = np.array(
        [[5.3, 4.2], [6.5, 4.2], [6.5, 5.8], [5.3, 5.8],
         [5.3, 5.5], [6.2, 5.5], [6.2, 4.5], [5.3, 4.5]]
    )  # fmt: skip
    pocket = PolygonRegion(corners=shallow)
    field = replace(TRAP, obstacles=[pocket], cutoff=0.4)
    assert descend_potential(field, START, step=0.1).status == PlanStatus.LOCAL_MINIMUM

    result = descend_with_hills(field, START, step=0.1, tolerance=0.3)

    assert result.found
    fine = result.path.at(np.linspace(0.0, result.path.length, 3000))
    assert pocket.distance(fine).min() > 0.0


@pytest.mark.slow
@pytest.mark.capability("GR-224")
def test_random_walks_leave_the_pocket():
    result = descend_with_walks(
        TRAP, START, rng=np.random.default_rng(0), step=0.2, tolerance=0.3, walk=60
    )

    assert result.found
    assert not _touches(result.path)


@pytest.mark.capability("GR-224")
def test_a_path_through_cells_leads_the_descent_around():
    world = PolygonWorld([POCKET], [0, 0], [10, 10])
    guide = cell_path(trapezoid_cells(world), START, GOAL).path

    result = descend_along(TRAP, guide)

    assert result.found
    assert not _touches(result.path)


@pytest.mark.capability("GR-224")
@pytest.mark.parametrize("make", [harmonic_potential, navigation_function])
def test_potentials_of_the_grid_have_one_minimum_and_lead_out(make):
    axis = (np.arange(40) + 0.5) / 4.0
    centers = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1)
    free = PolygonRegion(corners=POCKET).distance(centers) > 0.0
    goal = (36, 20)

    field = make(free, goal)

    for start in ((4, 20), (22, 20), (1, 38), (20, 22)):
        cells = descend_cells(np.where(free, field, np.inf), start)
        assert tuple(cells[-1]) == goal
        assert free[cells[:, 0], cells[:, 1]].all()


@pytest.mark.capability("GR-224")
def test_a_harmonic_potential_is_the_chance_of_a_random_walk_to_hit_a_wall_first():
    # The probabilistic solution of Laplace's equation, by simulation.
    rng = np.random.default_rng(2)
    free = np.ones((5, 7), dtype=bool)
    free[2, 3] = False
    goal, start = (2, 5), (1, 4)
    expected = harmonic_potential(free, goal)[start]
    at = np.tile(start, (20_000, 1))
    hit = np.full(20_000, -1)
    steps = np.array([[0, 1], [1, 0], [0, -1], [-1, 0]])
    padded = np.pad(free, 1)
    while (hit < 0).any():
        walking = hit < 0
        at[walking] += steps[rng.integers(4, size=walking.sum())]
        wall = ~padded[at[:, 0] + 1, at[:, 1] + 1]
        hit[walking & wall] = 1
        hit[walking & (at == goal).all(axis=1)] = 0

    sigma = np.sqrt(expected * (1.0 - expected) / 20_000)
    assert abs(hit.mean() - expected) < 4.0 * sigma


def test_impossible_fields_are_refused():
    with pytest.raises(ConfigError, match="alpha"):
        PotentialField(goal=[0, 0], obstacles=[], attraction=0.0)
    with pytest.raises(ConfigError, match="goal"):
        harmonic_potential(np.zeros((2, 2), dtype=bool), (0, 0))
