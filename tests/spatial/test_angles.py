"""Wrapping of angles, against complex numbers and exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gelenk.spatial.angles import TWO_PI, angle_difference, wrap_angle

angles = st.floats(-1e6, 1e6)


@given(angle=angles)
def test_wrapped_angles_point_in_the_same_direction(angle: float) -> None:
    wrapped = float(wrap_angle(angle))

    assert -np.pi <= wrapped < np.pi
    turns = (Fraction(angle) - Fraction(wrapped)) / Fraction(TWO_PI)
    assert turns.denominator == 1  # a whole number of turns, without any rounding


@given(angle=st.floats(-np.pi, np.nextafter(np.pi, 0.0)))
def test_angles_in_range_come_back_bit_by_bit(angle: float) -> None:
    assert wrap_angle(angle) == angle


@pytest.mark.parametrize(
    ("angle", "wrapped"),
    [
        (np.pi, -np.pi),
        (-np.pi, -np.pi),
        (3.0 * np.pi, -np.pi),
        (np.nextafter(np.pi, 0.0), np.nextafter(np.pi, 0.0)),
        (1e-300, 1e-300),
        (TWO_PI, 0.0),
    ],
)
def test_the_ends_of_the_range(angle: float, wrapped: float) -> None:
    assert wrap_angle(angle) == wrapped


@given(a=angles, b=angles)
def test_differences_take_the_short_way(a: float, b: float) -> None:
    difference = angle_difference(a, b)

    assert_allclose(np.exp(1j * difference), np.exp(1j * (a - b)), rtol=0.0, atol=1e-9)
    assert abs(difference) <= np.pi
