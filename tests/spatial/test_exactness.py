"""Exponential and logarithm against 60 digits, at and around every special angle.

The oracle is mpmath: matrix exponentials as power series and Rodrigues' formula, in an
arithmetic in which nothing cancels. What is claimed is 1e-12; what is asserted is a few
units in the last place.
"""

import itertools

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from gelenk.spatial import angles, quaternion, rotation_forms, rotation_rates, se3, so3

mpmath.mp.dps = 60

FEW_ULP = 4e-15  # of numbers up to pi; rounding of the input alone costs 5e-16
AXES = np.random.default_rng(20).normal(size=(6, 3))
SMALL = ["1e-300", "1e-160", "1e-100", "1e-12", "1e-9", "1e-6", "1e-3"]
MIDDLE = ["0.4999999", "0.5", "0.5000001", "1.0", "1.5707963", "2.0943951", "3.0"]
BELOW_PI = ["1e-3", "1e-6", "1e-9", "1e-12", "1e-15"]
ANGLES = [mpf(t) for t in SMALL + MIDDLE] + [mpmath.pi - mpf(t) for t in BELOW_PI]


def exact_rotvec(axis: np.ndarray, angle: mpf) -> list[mpf]:
    axis_mp = [mpf(float(x)) for x in axis]
    length = mpmath.sqrt(sum(x * x for x in axis_mp))
    return [angle * x / length for x in axis_mp]


def exact_skew(v: list[mpf]) -> mpmath.matrix:
    x, y, z = v
    return mpmath.matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def exact_series(B: mpmath.matrix, first_divisor: int) -> mpmath.matrix:
    """Sum B^n n!^-1, or with first_divisor 2 of B^n (n+1)!^-1, term by term."""
    term, total = mpmath.eye(B.rows), mpmath.eye(B.rows)
    negligible = mpmath.norm(B, mpmath.inf) * mpf("1e-70")
    for n in itertools.count():
        term = term * B / (n + first_divisor)
        total = total + term
        if mpmath.norm(term, mpmath.inf) < negligible:
            break
    return total


def as_floats(matrix: mpmath.matrix) -> np.ndarray:
    return np.array(matrix.tolist(), dtype=np.float64)


def largest_error(actual: np.ndarray, exact: mpmath.matrix) -> float:
    pairs = zip(np.ravel(actual).tolist(), exact, strict=True)
    return float(max(abs(mpf(a) - e) for a, e in pairs))


@pytest.mark.capability("GR-17")
@pytest.mark.parametrize("angle", [*ANGLES, mpmath.pi, mpf("6.2"), mpf("40")], ids=str)
def test_exponential_is_exact_to_rounding(angle: mpf) -> None:
    for axis in AXES:
        rotvec = np.array([float(x) for x in exact_rotvec(axis, angle)])
        R = exact_series(exact_skew([mpf(x) for x in rotvec.tolist()]), 1)
        of_quaternion = quaternion.matrix_from_quaternion(quaternion.exp(rotvec))

        bound = FEW_ULP * max(1.0, float(angle))
        assert largest_error(so3.exp(rotvec), R) < bound
        assert largest_error(of_quaternion, R) < bound


@pytest.mark.capability("GR-18")
@pytest.mark.parametrize("angle", ANGLES, ids=str)
def test_logarithm_is_exact_to_rounding_and_relatively_so_for_small_angles(
    angle: mpf,
) -> None:
    for axis in AXES:
        rotvec = exact_rotvec(axis, angle)
        R = as_floats(exact_series(exact_skew(rotvec), 1))
        bound = FEW_ULP * min(1.0, float(angle))

        from_matrix = so3.log(R)
        axis_found, angle_found = rotation_forms.axis_angle_from_matrix(R)

        assert largest_error(from_matrix, mpmath.matrix(rotvec)) <= bound
        assert abs(mpf(float(angle_found)) - angle) <= bound
        if angle < 3.14159:  # nearer to pi the sign of the axis hangs on rounding
            direction = axis / np.linalg.norm(axis)
            np.testing.assert_allclose(axis_found, direction, rtol=0.0, atol=FEW_ULP)


@pytest.mark.capability("GR-18")
@pytest.mark.parametrize("axis", [*AXES, [1, 0, 0], [0, -1, 0], [0, 0, 1], [0, 1, -1]])
def test_logarithm_of_half_a_turn_has_length_pi_along_either_axis(axis) -> None:
    exact = exact_rotvec(np.asarray(axis, dtype=float), mpf(1))
    uut = mpmath.matrix([[a * b for b in exact] for a in exact])
    R = as_floats(2 * uut - mpmath.eye(3))

    rotvec = so3.log(R)

    error = min(
        largest_error(sign * rotvec, mpmath.matrix(exact) * mpmath.pi)
        for sign in (1.0, -1.0)
    )
    assert error < FEW_ULP
    assert rotvec[np.flatnonzero(rotvec)[0]] > 0.0  # one choice for both axes


@pytest.mark.parametrize("angle", [*ANGLES, mpf("6.0")], ids=str)
def test_jacobians_are_exact_to_rounding(angle: mpf) -> None:
    for axis in AXES[:3]:
        rotvec = np.array([float(x) for x in exact_rotvec(axis, angle)])
        J = exact_series(exact_skew([mpf(x) for x in rotvec.tolist()]), 2)
        inverse_bound = 1e-13 if angle > 4 else 2e-14  # grows towards a full turn

        assert largest_error(rotation_rates.left_jacobian(rotvec), J) < 1e-14
        assert largest_error(rotation_rates.right_jacobian(rotvec), J.T) < 1e-14
        J_inverse = rotation_rates.left_jacobian_inverse(rotvec)
        assert largest_error(J_inverse, J**-1) < inverse_bound
        J_inverse = rotation_rates.right_jacobian_inverse(rotvec)
        assert largest_error(J_inverse, (J**-1).T) < inverse_bound


@pytest.mark.parametrize("angle", ANGLES, ids=str)
def test_exponential_and_logarithm_of_twists_are_exact(angle: mpf) -> None:
    v = [mpf("1.25"), mpf("-0.75"), mpf("2.5")]
    for axis in AXES[:3]:
        omega = exact_rotvec(axis, angle)
        generator = mpmath.zeros(4)
        generator[:3, :3] = exact_skew(omega)
        generator[:3, 3] = mpmath.matrix(v)
        T = exact_series(generator, 1)
        twist = mpmath.matrix([*v, *omega])

        assert largest_error(se3.exp([float(x) for x in twist]), T) < 2e-14
        assert largest_error(se3.log(as_floats(T)), twist) < 2e-14


THRESHOLD = angles.SERIES_THRESHOLD
SAMPLES = [
    *(float(t) for t in SMALL),
    0.1,
    THRESHOLD - 1e-6,
    float(np.nextafter(THRESHOLD, 0.0)),
    THRESHOLD,
    THRESHOLD + 1e-6,
    1.0,
    np.pi,
    5.0,
]


@pytest.mark.parametrize("x", SAMPLES)
def test_quotients_are_exact_on_both_sides_of_their_threshold(x: float) -> None:
    bound = 5e-16 if x < THRESHOLD else 2e-14  # the series exact, the closed form not
    mpmath.mp.dps = 1000  # 1 - cos(1e-300) needs 600 digits
    t = mpf(x)
    exact = [
        (angles.sine_quotient, mpmath.sin(t) / t),
        (angles.cosine_quotient, (1 - mpmath.cos(t)) / t**2),
        (angles.cubic_quotient, (t - mpmath.sin(t)) / t**3),
        (angles.cotangent_quotient, (1 - t / 2 * mpmath.cot(t / 2)) / t**2),
    ]
    try:
        for quotient, value in exact:
            for argument in (x, -x):
                error = abs(mpf(float(quotient(np.array(argument)))) / value - 1)
                assert error < bound, quotient.__name__
    finally:
        mpmath.mp.dps = 60


def test_quotients_at_zero_have_their_limits() -> None:
    zero = np.array(0.0)

    assert angles.sine_quotient(zero) == 1.0
    assert angles.cosine_quotient(zero) == 0.5
    assert angles.cubic_quotient(zero) == 1.0 / 6.0
    assert angles.cotangent_quotient(zero) == 1.0 / 12.0
