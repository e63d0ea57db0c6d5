"""Algorithm 4.2 against the published tables, its own rules, and NumPy."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.estimation.descent import solve_ldl
from gelenk.robots.nao.printed import (
    PrintedCfg,
    PrintedStatus,
    central_differences,
    marquardt_step,
    printed_levenberg_marquardt,
)

# D, start, printed number of iterations (Kastner 2014, Tab. 5.1)
ROSENBROCK = [
    (10, (-1.2, 1.0), 22),
    (100, (-1.2, 1.0), 134),
    (1000, (-1.2, 1.0), 715),
    (10, (-2.0, 0.7), 18),
    (100, (-2.0, 0.7), 135),
    (1000, (-2.0, 0.7), 662),
    (10, (0.0, 0.0), 13),
    (100, (0.0, 0.0), 86),
    (1000, (0.0, 0.0), 443),
]
T = np.array(
    [
        0.0,
        1.0,
        2.1,
        3.1,
        4.2,
        5.2,
        6.2,
        7.2,
        8.2,
        9.1,
        10.0,
        11.0,
        12.0,
        12.9,
        13.8,
        14.9,
        15.9,
        17.0,
        17.9,
        18.9,
        20.0,
        21.0,
        22.0,
        23.0,
        24.0,
        25.0,
        26.0,
        27.0,
        28.0,
        29.0,
        30.0,
        31.0,
        32.0,
        32.9,
        33.8,
        34.7,
        35.7,
        36.6,
        37.7,
    ]
)
Y = np.array(
    [
        -14.7,
        8.6,
        28.8,
        46.7,
        47.4,
        36.5,
        37.0,
        5.1,
        -11.2,
        -22.4,
        -35.5,
        -33.6,
        -21.1,
        -15.0,
        -1.6,
        19.5,
        27.5,
        32.6,
        27.5,
        20.2,
        13.8,
        -1.3,
        -24.5,
        -25.0,
        -25.0,
        -20.2,
        -9.9,
        5.8,
        14.7,
        21.8,
        29.8,
        21.4,
        24.6,
        25.8,
        0.6,
        -16.6,
        -24.0,
        -24.6,
        -19.8,
    ]
)


def damped_wave(x: np.ndarray) -> np.ndarray:
    a, tau, phi, period, theta = x
    wave = a * np.exp(-T / tau) * np.sin(2.0 * np.pi * T / period + phi)
    return theta + wave - Y


@pytest.mark.capability("CA-35")
@pytest.mark.parametrize(("D", "start", "printed"), ROSENBROCK)
def test_rosenbrock_valleys_take_the_printed_number_of_iterations(
    D: float, start: tuple[float, float], printed: int
) -> None:
    result = printed_levenberg_marquardt(
        lambda x: np.array([D * (x[1] - x[0] ** 2), 1.0 - x[0]]),
        start,
        cfg=PrintedCfg(
            delta=1e-4, tolerance=1e-10, convergence_count=0, max_iterations=2000
        ),
    )

    assert result.status is PrintedStatus.CONVERGED
    assert_allclose(result.x, [1.0, 1.0], atol=1e-6)
    assert printed <= result.iterations <= printed + 1


@pytest.mark.capability("CA-36")
def test_the_printed_curve_is_found_in_thirteen_iterations() -> None:
    result = printed_levenberg_marquardt(
        damped_wave,
        [40.0, 15.0, -0.5, 15.0, 10.0],
        cfg=PrintedCfg(convergence_count=1, delta=1e-6),
    )

    assert result.chi2_before == pytest.approx(17321.4, abs=0.1)
    assert result.chi2 == pytest.approx(819.255, abs=5e-4)
    assert result.iterations <= 13
    assert_allclose(
        result.x, [45.5251, 57.8277, -0.400942, 13.1094, 3.02182], rtol=2e-4
    )
    assert np.sqrt(result.chi2 / 39) == pytest.approx(4.58329, abs=1e-5)


@pytest.mark.capability("CA-29", "CA-31")
def test_success_divides_lambda_failure_multiplies_and_keeps_the_jacobian() -> None:
    calls: list[int] = []

    def residuals(x: np.ndarray) -> np.ndarray:
        calls.append(1)
        return np.array([100.0 * (x[1] - x[0] ** 2), 1.0 - x[0]])

    result = printed_levenberg_marquardt(
        residuals, [-1.2, 1.0], cfg=PrintedCfg(delta=1e-4, max_iterations=20)
    )

    trace = result.trace
    for now, later in pairwise(trace):
        factor = 0.1 if now.is_accepted else 10.0
        assert later.damping == pytest.approx(factor * now.damping)
    accepted = [trial.chi2 for trial in trace if trial.is_accepted]
    assert accepted == sorted(accepted, reverse=True)
    assert not all(trial.is_accepted for trial in trace)
    assert result.iterations == len(accepted) == 20
    # One call per trial and at the start, four per Jacobian of two parameters.
    assert len(calls) == 1 + len(trace) + 4 * (1 + len(accepted))


@pytest.mark.capability("CA-30")
def test_three_reasons_end_the_loop() -> None:
    def valley(x: np.ndarray) -> np.ndarray:
        return np.array([100.0 * (x[1] - x[0] ** 2), 1.0 - x[0]])

    def upside_down(x: np.ndarray) -> np.ndarray:
        # The differences see a slope that is not there: no step ever improves.
        return np.array([1.0 + np.abs(x[0]) + 0.5 * np.sign(x[0]) * 1e-3])

    cfg = PrintedCfg(delta=1e-4, max_iterations=7)
    assert printed_levenberg_marquardt(valley, [-1.2, 1.0], cfg=cfg).status == (
        PrintedStatus.MAX_ITERATIONS
    )
    assert printed_levenberg_marquardt(valley, [0.9, 0.8]).status == (
        PrintedStatus.CONVERGED
    )
    cfg = PrintedCfg(delta=1.0, tolerance=1e-300)
    assert printed_levenberg_marquardt(upside_down, [0.0], cfg=cfg).status == (
        PrintedStatus.DAMPING_LIMIT
    )


def test_small_changes_are_counted_in_total_and_end_the_loop_beyond_the_count() -> None:
    result = printed_levenberg_marquardt(
        lambda x: x - 3.0, [2.9999], cfg=PrintedCfg(convergence_count=3)
    )

    assert len(result.trace) == 4
    assert result.status is PrintedStatus.CONVERGED


@pytest.mark.capability("CA-28")
def test_lambda_leads_from_gauss_newton_to_the_gradient() -> None:
    rng = np.random.default_rng(0)
    J, r = rng.normal(size=(12, 4)), rng.normal(size=12)
    H, g = J.T @ J, J.T @ r

    assert_allclose(marquardt_step(H, g, 1e-14), np.linalg.lstsq(J, r)[0], rtol=1e-9)
    assert_allclose(1e12 * marquardt_step(H, g, 1e12), g / np.diag(H), rtol=1e-9)


@pytest.mark.capability("CA-32")
def test_central_differences_agree_with_the_complex_step() -> None:
    x = np.array([45.0, 57.0, -0.4, 13.1, 3.0])
    h = 1e-30
    columns = []
    for k in range(5):
        z = x.astype(complex)
        z[k] += 1j * h
        a, tau, phi, period, theta = z
        wave = a * np.exp(-T / tau) * np.sin(2.0 * np.pi * T / period + phi)
        columns.append((theta + wave).imag / h)
    exact = np.stack(columns, axis=1)

    J = central_differences(damped_wave, x, delta=1e-5)

    assert np.abs(J - exact).max() < 1e-6 * np.abs(exact).max()


@pytest.mark.capability("CA-33")
def test_ldl_agrees_with_least_squares_where_inversion_would_not() -> None:
    rng = np.random.default_rng(1)
    for power in (0, 3, 6):
        J = rng.normal(size=(30, 8)) * 10.0 ** rng.uniform(-power, power, 8)
        b = rng.normal(size=30)
        x = solve_ldl(J.T @ J, J.T @ b)
        assert_allclose(x, np.linalg.lstsq(J, b, rcond=None)[0], rtol=1e-6)


def test_ldl_leaves_what_the_matrix_says_nothing_about() -> None:
    A = np.diag([2.0, 0.0, 4.0])

    assert_allclose(solve_ldl(A, [2.0, 0.0, 4.0]), [1.0, 0.0, 1.0])


@pytest.mark.capability("CA-34")
def test_printed_sigma_is_the_one_of_unit_noise() -> None:
    rng = np.random.default_rng(2)
    J = rng.normal(size=(40, 3))
    noise = 0.2 * rng.normal(size=40)

    result = printed_levenberg_marquardt(lambda x: J @ x + noise, np.zeros(3))

    unit = np.sqrt(np.diag(np.linalg.inv(J.T @ J)))
    assert_allclose(result.sigma, unit, rtol=1e-6)
    s = np.sqrt(result.chi2 / 37)
    assert_allclose(result.sigma_scaled, unit * s, rtol=1e-6)


def test_single_precision_spoils_the_derivative() -> None:
    def residuals(x: np.ndarray) -> np.ndarray:
        wave = x[0] * np.exp(-T.astype(x.dtype) / x[1])
        return (100 * wave - 50).astype(x.dtype)

    start = [1.3, 10.0]
    fine = printed_levenberg_marquardt(residuals, start, cfg=PrintedCfg(delta=1e-6))
    rough = printed_levenberg_marquardt(
        residuals, start, cfg=PrintedCfg(delta=1e-6, is_single=True)
    )

    assert fine.converged
    assert np.abs(rough.sigma / fine.sigma - 1.0).max() > 0.05


def test_a_step_of_zero_is_refused() -> None:
    with pytest.raises(ConfigError, match="`delta`"):
        PrintedCfg(delta=0.0)
