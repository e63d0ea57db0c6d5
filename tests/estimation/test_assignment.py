"""Assignments against SciPy's best one and against all of them, written out."""

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linear_sum_assignment

from gelenk.errors import ConfigError
from gelenk.estimation.assignment import best_assignments


def _all_totals(cost):
    n, m = cost.shape
    totals = [
        sum(cost[i, j] for i, j in enumerate(c)) for c in permutations(range(m), n)
    ]
    return np.sort([t for t in totals if np.isfinite(t)])


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (7, 12), (30, 40)])
def test_the_best_costs_what_scipy_finds(shape):
    rng = np.random.default_rng(0)
    for _ in range(20):
        cost = rng.normal(size=shape)
        rows, columns = linear_sum_assignment(cost)

        best = best_assignments(cost)

        assert best.total[0] == pytest.approx(cost[rows, columns].sum(), abs=1e-12)
        assert len(set(best.columns[0])) == shape[0]


@pytest.mark.parametrize("forbidden", [0.0, 0.4])
def test_the_n_best_are_those_of_a_full_list(forbidden):
    rng = np.random.default_rng(1)
    for _ in range(20):
        cost = rng.normal(size=(4, 5))
        cost[rng.random((4, 5)) < forbidden] = np.inf
        totals = _all_totals(cost)[:50]

        best = best_assignments(cost, 50)

        assert_allclose(best.total, totals, atol=1e-12)
        assert len({tuple(c) for c in best.columns}) == len(totals)
        for columns, total in zip(best.columns, best.total, strict=True):
            assert cost[range(4), columns].sum() == pytest.approx(total, abs=1e-12)


def test_several_problems_compete_in_one_ranking():
    rng = np.random.default_rng(2)
    costs, offsets = rng.normal(size=(3, 3, 4)), np.array([0.5, -0.3, 0.0])
    totals = np.sort(
        np.concatenate(
            [_all_totals(c) + o for c, o in zip(costs, offsets, strict=True)]
        )
    )

    best = best_assignments(costs, 30, offsets=offsets)

    assert_allclose(best.total, totals[:30], atol=1e-12)
    assert set(best.problem) == {0, 1, 2}
    for b, columns, total in zip(best.problem, best.columns, best.total, strict=True):
        assert costs[b][range(3), columns].sum() + offsets[b] == pytest.approx(
            total, abs=1e-12
        )


def test_a_gap_ends_the_list():
    cost = np.random.default_rng(3).normal(size=(4, 6))
    totals = _all_totals(cost)

    best = best_assignments(cost, 200, max_gap=1.0)

    assert_allclose(best.total, totals[totals <= totals[0] + 1.0], atol=1e-12)


def test_what_cannot_be_assigned_gives_an_empty_list():
    cost = np.array([[1.0, np.inf], [2.0, np.inf]])

    assert best_assignments(cost, 3).total.size == 0


def test_nothing_to_assign_costs_nothing():
    best = best_assignments(np.zeros((2, 0, 3)), 5, offsets=[1.0, -1.0])

    assert_allclose(best.total, (-1.0, 1.0))
    assert best.problem.tolist() == [1, 0]


def test_mistakes_are_named():
    with pytest.raises(ConfigError, match="n <= m"):
        best_assignments(np.zeros((3, 2)))
    with pytest.raises(ConfigError, match="NaN"):
        best_assignments([[np.nan]])
    with pytest.raises(ConfigError, match="count"):
        best_assignments([[1.0]], 0)
