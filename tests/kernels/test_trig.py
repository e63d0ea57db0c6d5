"""Our sine and cosine against mpmath at 40 digits and the C library."""

import math

import mpmath
import numpy as np
import pytest

from gelenk.kernels.tuples import LARGE_ANGLE, sin_cos


def angles() -> np.ndarray:
    rng = np.random.default_rng(0)
    quarter_turns = np.arange(-40, 41) * (np.pi / 4.0)
    near = np.concatenate([quarter_turns + d for d in (-1e-9, 0.0, 1e-15, 1e-9)])
    return np.concatenate(
        [
            near,
            rng.uniform(-7.0, 7.0, 3000),
            rng.uniform(-LARGE_ANGLE, LARGE_ANGLE, 1000),
            [0.0, -0.0, 5e-324, 1e-300, LARGE_ANGLE * (1 - 1e-16), -LARGE_ANGLE],
        ]
    )


def test_sine_and_cosine_are_exact_to_two_units_of_rounding() -> None:
    with mpmath.workdps(40):
        for x in angles():
            s, c = sin_cos(float(x))
            assert abs(float(mpmath.sin(mpmath.mpf(float(x))) - s)) <= 2e-16
            assert abs(float(mpmath.cos(mpmath.mpf(float(x))) - c)) <= 2e-16


@pytest.mark.parametrize("x", [2e5, -3.7e8, 1e300])
def test_large_angles_are_left_to_the_c_library(x: float) -> None:
    assert sin_cos(x) == (math.sin(x), math.cos(x))


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf])
def test_what_is_no_angle_gives_nan(x: float) -> None:
    assert all(math.isnan(value) for value in sin_cos(x))
