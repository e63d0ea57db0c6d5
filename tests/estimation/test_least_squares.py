"""Robust least squares against SciPy, closed forms and statistics."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.optimize import least_squares

from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.descent import SolverStatus
from gelenk.estimation.least_squares import (
    LeastSquaresCfg,
    accurate_differences,
    solve_least_squares,
)
from gelenk.estimation.robust import evaluate_loss, robust_spread

T = np.linspace(0.0, 4.0, 60)


def decay(x: np.ndarray) -> np.ndarray:
    return x[0] * np.exp(-x[1] * T) + x[2]


def noisy(seed: int, outliers: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    y = decay(np.array([2.0, 1.3, 0.5])) + 0.05 * rng.normal(size=T.size)
    return y + (rng.random(T.size) < outliers) * rng.uniform(-3.0, 3.0, T.size)


def test_plain_least_squares_agrees_with_scipy() -> None:
    y = noisy(0)

    ours = solve_least_squares(lambda x: decay(x) - y, [1.0, 1.0, 0.0])
    theirs = least_squares(lambda x: decay(x) - y, [1.0, 1.0, 0.0], xtol=1e-14)

    assert ours.converged
    assert_allclose(ours.x, theirs.x, rtol=1e-7)
    s2 = 2.0 * theirs.cost / (T.size - 3)
    assert_allclose(
        ours.covariance, s2 * np.linalg.inv(theirs.jac.T @ theirs.jac), rtol=1e-4
    )


@pytest.mark.parametrize("loss", ["huber", "cauchy"])
def test_robust_losses_agree_with_scipy_at_the_same_scale(loss: str) -> None:
    y = noisy(1, outliers=0.1)
    tuning, scale = 1.7, 0.05

    ours = solve_least_squares(
        lambda x: decay(x) - y,
        [1.0, 1.0, 0.0],
        cfg=LeastSquaresCfg(loss=loss, tuning=tuning, scale=scale),  # type: ignore[arg-type]
    )
    theirs = least_squares(
        lambda x: decay(x) - y,
        ours.x + 1e-3,
        loss=loss,  # type: ignore[arg-type]
        f_scale=tuning * scale,
        xtol=1e-14,
        ftol=1e-14,
        gtol=1e-14,
    )

    assert_allclose(ours.x, theirs.x, atol=1e-5)


@pytest.mark.parametrize("loss", ["huber", "cauchy", "tukey"])
def test_weights_and_slopes_are_derivatives_of_the_loss(loss: str) -> None:
    u = np.linspace(0.05, 8.0, 200)
    h = 1e-6

    rho = [evaluate_loss(loss, (u + d) ** 2)[0] for d in (-h, h)]  # type: ignore[arg-type]
    weight = evaluate_loss(loss, u**2)[1]  # type: ignore[arg-type]
    slope = evaluate_loss(loss, u**2)[2]  # type: ignore[arg-type]

    assert_allclose((rho[1] - rho[0]) / (2.0 * h), 2.0 * weight * u, atol=1e-6)
    smooth = np.abs(u - 1.345) > 0.1
    psi = [evaluate_loss(loss, (u + d) ** 2)[1] * (u + d) for d in (-h, h)]  # type: ignore[arg-type]
    assert_allclose(((psi[1] - psi[0]) / (2.0 * h))[smooth], slope[smooth], atol=1e-5)


@pytest.mark.parametrize("block", [1, 2])
@pytest.mark.parametrize("loss", ["huber", "cauchy", "tukey"])
def test_tuning_keeps_95_percent_of_the_efficiency(loss: str, block: int) -> None:
    def density(u: float) -> float:
        return u * np.exp(-u * u / 2) if block == 2 else np.exp(-u * u / 2) * 0.79788456

    def mean(of: str) -> float:
        def integrand(u: float) -> float:
            _, w, s = (v[0] for v in evaluate_loss(loss, [u * u], block=block))  # type: ignore[arg-type]
            part = w + (s - w) / block if of == "a" else w * w * u * u / block
            return float(part * density(u))

        return quad(
            integrand, 0.0, 9.0, limit=200, points=[1.345, 1.501, 4.685, 5.123]
        )[0]

    assert mean("a") ** 2 / mean("b") == pytest.approx(0.95, abs=1e-3)


@pytest.mark.slow
def test_intervals_cover_the_truth_with_a_tenth_of_outliers() -> None:
    truth = np.array([2.0, 1.3, 0.5])
    z = []
    for seed in range(150):
        y = noisy(seed, outliers=0.1)
        result = solve_least_squares(
            lambda x, y=y: decay(x) - y,
            [1.0, 1.0, 0.0],
            cfg=LeastSquaresCfg(loss="tukey"),
        )
        z.append((result.x - truth) / result.sigma)

    covered = np.mean(np.abs(z) < 1.96)
    assert 0.91 < covered < 0.98


def test_outliers_do_not_move_a_redescending_loss() -> None:
    y = noisy(3)
    wrong = y.copy()
    wrong[[3, 20, 41]] += [5.0, -40.0, 300.0]
    cfg = LeastSquaresCfg(loss="tukey", scale=0.05)

    clean = solve_least_squares(lambda x: decay(x) - y, [1.0, 1.0, 0.0], cfg=cfg)
    dirty = solve_least_squares(lambda x: decay(x) - wrong, [1.0, 1.0, 0.0], cfg=cfg)

    assert (np.abs(dirty.x - clean.x) < clean.sigma).all()
    assert_allclose(dirty.weights[[3, 20, 41]], 0.0)


def test_a_prior_is_one_more_measurement() -> None:
    t, y = np.arange(5.0), np.array([0.1, 0.9, 2.2, 2.8, 4.1])
    A = np.stack([np.ones(5), t], axis=1)

    result = solve_least_squares(
        lambda x: A @ x - y,
        [0.0, 0.0],
        prior_mean=[0.0, 2.0],
        prior_sigma=[np.inf, 0.1],
        cfg=LeastSquaresCfg(scale=0.5),
    )

    rows = np.vstack([A / 0.5, [0.0, 10.0]])
    expected, *_ = np.linalg.lstsq(rows, np.append(y / 0.5, 20.0), rcond=None)
    assert_allclose(result.x, expected, rtol=1e-7)
    assert_allclose(result.covariance, np.linalg.inv(rows.T @ rows), rtol=1e-6)


def test_bounds_agree_with_scipy_and_frozen_parameters_stay() -> None:
    y = noisy(4)
    lower, upper = [0.0, 1.5, -1.0], [1.9, 3.0, 1.0]

    ours = solve_least_squares(
        lambda x: decay(x) - y, [1.0, 2.0, 0.0], lower=lower, upper=upper
    )
    theirs = least_squares(
        lambda x: decay(x) - y, [1.0, 2.0, 0.0], bounds=(lower, upper), xtol=1e-14
    )
    frozen = solve_least_squares(
        lambda x: decay(x) - y, [2.0, 1.0, 0.3], is_frozen=[False, True, False]
    )

    assert_allclose(ours.x, theirs.x, atol=1e-5)
    assert ours.x[1] == 1.5
    assert ours.sigma[1] == 0.0
    assert frozen.x[1] == 1.0
    assert frozen.sigma[1] == 0.0
    assert frozen.sigma[0] > 0.0


def test_what_the_data_do_not_show_has_infinite_sigma() -> None:
    t = np.arange(6.0)

    result = solve_least_squares(
        lambda x: (x[0] + x[1]) * t - 3.0 * t + 0.1 * np.sin(9 * t), [1.0, 1.0]
    )

    assert np.isinf(result.sigma).all()
    assert result.x.sum() == pytest.approx(3.0, abs=0.1)


def test_accurate_differences_beat_the_noise_of_plain_ones() -> None:
    x = np.array([2.0, 1.3, 0.5])
    e = np.exp(-x[1] * T)
    exact = np.stack([e, -x[0] * T * e, np.ones_like(T)], axis=1)

    assert np.abs(accurate_differences(decay, x) - exact).max() < 1e-11


def test_spread_is_the_deviation_of_normal_numbers_whatever_a_third_does() -> None:
    rng = np.random.default_rng(5)
    r = 0.3 * rng.normal(size=20_000)
    bad = r.copy()
    bad[:2000] = 1e6

    assert robust_spread(r) == pytest.approx(0.3, rel=0.03)
    assert robust_spread(r, 2) == pytest.approx(0.3, rel=0.03)
    assert robust_spread(bad) == pytest.approx(0.3, rel=0.2)


def test_a_start_that_is_not_finite_is_a_status() -> None:
    result = solve_least_squares(
        lambda x: np.array([np.nan, x[0]]), [1.0], jacobian=lambda x: np.ones((2, 1))
    )

    assert result.status is SolverStatus.NOT_FINITE


def test_callers_mistakes_are_named() -> None:
    with pytest.raises(ShapeError, match="`lower`"):
        solve_least_squares(lambda x: x, [1.0, 2.0], lower=[0.0, 0.0, 0.0])
    with pytest.raises(ConfigError, match="`loss`"):
        LeastSquaresCfg(loss="soft")  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match="jacobian"):
        solve_least_squares(lambda x: x, [1.0, 2.0], jacobian=lambda x: np.ones((3, 2)))


def test_exact_data_with_a_perfect_start_have_no_noise_and_no_warning():
    found = solve_least_squares(
        lambda x: np.zeros(4) * x[0], [2.0], jacobian=lambda x: np.ones((4, 1))
    )
    assert found.converged
    assert found.x == pytest.approx([2.0])
    assert found.scale == 0.0
    assert np.isfinite(found.covariance).all()
