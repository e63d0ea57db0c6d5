"""Vectors against NumPy's general products and elementary geometry."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gelenk.errors import ConfigError, ShapeError
from gelenk.spatial import vectors
from testkit import strategies


@pytest.mark.capability("GR-02")
@given(a=strategies.positions(), b=strategies.positions())
def test_products_agree_with_numpy(a: np.ndarray, b: np.ndarray) -> None:
    assert_allclose(vectors.cross(a, b), np.cross(a, b), rtol=0.0, atol=1e-13)
    assert_allclose(vectors.skew(a) @ b, np.cross(a, b), rtol=0.0, atol=1e-13)
    assert_allclose(vectors.norm(a), np.linalg.norm(a), rtol=1e-15)


@pytest.mark.capability("GR-02")
@given(a=strategies.positions(), b=strategies.positions(), c=strategies.positions())
def test_lagrange_identity_of_the_double_product(
    a: np.ndarray, b: np.ndarray, c: np.ndarray
) -> None:
    left = vectors.cross(a, vectors.cross(b, c))

    assert_allclose(left, b * (a @ c) - c * (a @ b), rtol=0.0, atol=1e-11)


@pytest.mark.capability("GR-02")
@given(angle=st.floats(0.0, np.pi), scale=st.floats(1e-3, 1e3))
def test_the_angle_between_vectors_is_the_angle_they_were_drawn_with(
    angle: float, scale: float
) -> None:
    drawn = scale * np.array([np.cos(angle), 0.0, np.sin(angle)])

    measured = vectors.angle_between(vectors.E_X, drawn)

    assert measured == pytest.approx(angle, abs=1e-15, rel=1e-15)


@pytest.mark.capability("GR-02", "GR-32")
@given(v=strategies.positions())
def test_skew_is_antisymmetric_and_unskew_its_inverse(v: np.ndarray) -> None:
    B = vectors.skew(v)

    assert_array_equal(B, -B.T)
    assert_array_equal(vectors.unskew(B), v)


@pytest.mark.capability("GR-32")
def test_skew_has_the_printed_entries_and_unskew_drops_the_symmetric_part() -> None:
    B = np.array([[0.0, -3.0, 2.0], [3.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    symmetric = np.array([[7.0, 4.0, 5.0], [4.0, 8.0, 6.0], [5.0, 6.0, 9.0]])

    assert_array_equal(vectors.skew([1.0, 2.0, 3.0]), B)
    assert_array_equal(vectors.unskew(B + symmetric), [1.0, 2.0, 3.0])


@given(v=strategies.positions(), a=st.floats(-2.0, 2.0), b=st.floats(-2.0, 2.0))
def test_the_polynomial_of_skew_matrices(v: np.ndarray, a: float, b: float) -> None:
    B = np.cross(v, np.eye(3)).T  # columns v x e_i

    polynomial = np.eye(3) + a * B + b * (B @ B)

    assert_allclose(vectors.skew_polynomial(v, a, b), polynomial, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("size", [1e-310, 1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_vectors_of_any_size_have_a_direction(size: float) -> None:
    assert_allclose(vectors.normalize([0.0, 3.0 * size, -4.0 * size]), [0.0, 0.6, -0.8])


def test_a_zero_vector_has_no_direction() -> None:
    with pytest.raises(ConfigError, match="`v` must not be zero"):
        vectors.normalize([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])


def test_wrong_shapes_are_named() -> None:
    with pytest.raises(ShapeError, match=r"`v` must have shape \(\.\.\., 3\), got \(2"):
        vectors.skew([1.0, 2.0])


def test_the_unit_vectors_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        vectors.E_X[0] = 2.0
