"""Small solvers against NumPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.kernels.linear import solve_spd, solve_spd6


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_cholesky_solves_as_numpy_does(n: int) -> None:
    rng = np.random.default_rng(n)
    G = rng.normal(size=(n, n))
    K, b = G @ G.T + 0.1 * np.eye(n), rng.normal(size=n)
    x = b.copy()

    assert solve_spd(K.copy(), x)

    assert_allclose(x, np.linalg.solve(K, b), rtol=1e-10)


def test_an_indefinite_matrix_is_reported() -> None:
    assert not solve_spd(np.diag([1.0, -1.0]), np.ones(2))


@pytest.mark.parametrize("shift", [1e-9, 0.1])
@pytest.mark.parametrize("rank", [3, 6])
def test_unrolled_solver_agrees_with_numpy_also_for_lost_ranks(
    rank: int, shift: float
) -> None:
    rng = np.random.default_rng(rank)
    G = rng.normal(size=(6, rank))
    K, b = G @ G.T, G @ rng.normal(size=rank)
    pick = ([0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2])
    A, C = K[:3, :3][pick], K[3:, 3:][pick]

    x, y = solve_spd6(
        tuple(A), tuple(K[:3, 3:].ravel()), tuple(C), shift, tuple(b[:3]), tuple(b[3:])
    )

    expected = np.linalg.solve(K + shift * np.eye(6), b)
    assert_allclose([*x, *y], expected, rtol=1e-5, atol=1e-7)
