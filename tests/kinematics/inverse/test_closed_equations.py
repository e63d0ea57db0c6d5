"""The equations that closed solutions are made of, against NumPy's polynomial roots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gelenk.kinematics.inverse.closed.joint_terms import (
    solve_cone,
    solve_cosine,
    solve_quadratic,
    turn_from_to,
)
from gelenk.kinematics.inverse.closed.solver_plan import cone_constants
from gelenk.kinematics.inverse.closed.two_joint_elimination import (
    real_roots,
    trigonometric_zeros,
)

number = st.floats(-3.0, 3.0).map(lambda x: round(x, 3))


def trigonometric_roots(k: np.ndarray) -> np.ndarray:
    """Angles with k0 + k1 cos + k2 sin + k3 cos 2x + k4 sin 2x = 0, by complex roots.

    With z = exp(i x) it is a polynomial of degree 4 whose roots on the circle count.
    """
    k0, kc, ks, lc, ls = k
    p = [lc - 1j * ls, kc - 1j * ks, 2.0 * k0, kc + 1j * ks, lc + 1j * ls]
    z = np.roots(p)
    return np.sort(np.angle(z[np.abs(np.abs(z) - 1.0) < 1e-6]))


def test_trigonometric_zeros_are_the_roots_on_the_unit_circle() -> None:
    rng = np.random.default_rng(1)
    counts = set()
    for _ in range(500):
        k = rng.normal(size=5)
        out = np.empty((6, 4))
        count = trigonometric_zeros(*k, out)
        expected = trigonometric_roots(k)
        angles = np.sort(np.arctan2(out[:count, 1], out[:count, 0]))
        assert count == len(expected)
        assert_allclose(angles, expected, rtol=0.0, atol=1e-7)
        counts.add(count)
    assert counts == {0, 2, 4}


@given(angles=st.lists(st.floats(-3.1, 3.1), min_size=2, max_size=2))
def test_touched_zero_is_found_once(angles: list[float]) -> None:
    """(1 - cos(x - a)) (3 + cos(x - b)) touches 0 at a and nowhere else."""
    a, b = angles
    # product of the two factors in harmonics
    k0 = 3.0 - 0.5 * np.cos(a - b)
    kc, ks = np.cos(b) - 3.0 * np.cos(a), np.sin(b) - 3.0 * np.sin(a)
    lc, ls = -0.5 * np.cos(a + b), -0.5 * np.sin(a + b)
    out = np.empty((6, 4))

    count = trigonometric_zeros(k0, kc, ks, lc, ls, out)

    assert count in (1, 2)  # rounding may split the double root
    for c, s in out[:count, :2]:
        assert_allclose([c, s], [np.cos(a), np.sin(a)], rtol=0.0, atol=1e-6)


def test_quartic_with_four_close_roots_keeps_them_apart() -> None:
    roots = np.array([-0.5, -0.499, 0.3, 0.301])
    p = tuple(np.poly(roots))
    out = np.empty(8)

    assert real_roots(p, out) == 4
    assert_allclose(np.sort(out[:4]), roots, rtol=0.0, atol=1e-9)


@given(a=number, b=number, x=st.floats(-3.1, 3.1))
def test_both_angles_of_a_cosine_equation(a: float, b: float, x: float) -> None:
    if np.hypot(a, b) < 0.1:
        return
    k = a * np.cos(x) + b * np.sin(x)

    count, c, s, c_other, s_other = solve_cosine(a, b, k)

    assert count == 2
    for cosine, sine in ((c, s), (c_other, s_other)):
        assert cosine**2 + sine**2 == pytest.approx(1.0, abs=1e-12)
        assert a * cosine + b * sine == pytest.approx(k, abs=1e-12)
    nearest = min(np.hypot(c - np.cos(x), s - np.sin(x)),
                  np.hypot(c_other - np.cos(x), s_other - np.sin(x)))  # fmt: skip
    assert nearest < 1e-6


def test_cosine_equation_without_solution_and_without_unknown() -> None:
    assert solve_cosine(1.0, 1.0, 1.5)[0] == 0
    assert solve_cosine(0.0, 0.0, 0.0)[0] == -1
    assert solve_cosine(0.0, 0.0, 1.0)[0] == 0
    assert solve_cosine(1.0, 0.0, 1.0 + 1e-13)[0] == 2  # rounding beyond the last angle


@given(x=number, y=number, b=st.sampled_from([-2.0, 0.5, 1.0]))
def test_quadratic_has_the_roots_it_was_made_of(x: float, y: float, b: float) -> None:
    # b (t - x) (t - y) = 0 as a t + b t^2 = k
    count, t, tt, u, uu = solve_quadratic(-b * (x + y), b, -b * x * y)

    assert count == 2
    assert_allclose(np.sort([t, u]), np.sort([x, y]), rtol=0.0, atol=1e-6)
    assert_allclose([tt, uu], [t * t, u * u])


def test_linear_equation_is_a_quadratic_with_one_root() -> None:
    assert solve_quadratic(2.0, 0.0, 3.0)[:2] == (1, 1.5)
    assert solve_quadratic(0.0, 1.0, -1.0)[0] == 0
    assert solve_quadratic(0.0, 0.0, 0.0)[0] == -1


def test_cone_gives_the_angle_exactly_where_wrist_axes_fall_together() -> None:
    """cos is flat there: acos would leave an error of 1e-8."""
    h, z, y = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    kappa = cone_constants(np.array(h), np.array(z), np.array(y))
    for tilt in (0.0, 1e-13, 1e-9, 1e-5, 0.3, 2.0, np.pi - 1e-9, np.pi):
        n = (np.sin(tilt), 0.0, np.cos(tilt))
        count, c, s, c_other, s_other = solve_cone(h, z, y, n, *kappa)
        assert count == 2
        found = sorted([np.arctan2(s, c), np.arctan2(s_other, c_other)])
        assert_allclose(np.abs(found), tilt, rtol=1e-9, atol=1e-15)


def test_turn_about_an_axis_ignores_what_lies_along_it() -> None:
    z = (0.0, 0.0, 1.0)
    known, c, s = turn_from_to(z, (1.0, 0.0, 5.0), (0.0, 2.0, -1.0))
    assert (known, round(c, 12), round(s, 12)) == (True, 0.0, 1.0)
    assert not turn_from_to(z, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))[0]
