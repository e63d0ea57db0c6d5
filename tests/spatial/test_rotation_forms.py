"""Axis and angle, and the conversions between all forms of a rotation.

Oracles: pytransform3d, SciPy in every pair of forms, and published values.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from pytransform3d import rotations as pr
from scipy.spatial.transform import Rotation

from gelenk.errors import NameNotFoundError, ShapeError
from gelenk.spatial import rotation_forms, so3
from gelenk.spatial.rotation_forms import ROTATION_FORMS, convert_rotation
from testkit import strategies

# A half turn about (0, 2, 1) with rounding, whose angle once came out above pi.
BARELY_HALF_A_TURN = Rotation.from_rotvec(
    np.pi * np.array([0.0, 2.0, 1.0]) / np.sqrt(5.0)
).as_matrix()
TINY = np.array([3e-300, 0.0, -4e-300])


@pytest.mark.capability("GR-18")
def test_published_axis_and_angle_of_a_matrix() -> None:
    R = [
        [0.719846, -0.425669, 0.548295],
        [0.604023, 0.773337, -0.192630],
        [-0.342020, 0.469846, 0.813798],
    ]

    axis, angle = rotation_forms.axis_angle_from_matrix(R)

    assert np.rad2deg(angle) == pytest.approx(49.194706, abs=1e-4)
    assert_allclose(axis, [0.437605, 0.588105, 0.680172], rtol=0.0, atol=2e-6)


@pytest.mark.capability("GR-18")
@pytest.mark.parametrize(
    ("axis", "degrees"),
    [((1, 2, 2), 50.0), ((1, 2, 2), 180.0), ((1, 1, 1), 120.0), ((0, -1, 0), 90.0)],
)
def test_axis_and_angle_come_back(axis, degrees: float) -> None:
    unit = np.array(axis) / np.linalg.norm(axis)
    R = so3.rotation_about(axis, np.deg2rad(degrees))

    found, angle = rotation_forms.axis_angle_from_matrix(R)

    assert_allclose(found, unit, rtol=0.0, atol=1e-15)
    assert np.rad2deg(angle) == pytest.approx(degrees, abs=1e-13)


@pytest.mark.capability("GR-18")
@given(R=strategies.rotations())
@example(R=BARELY_HALF_A_TURN)
def test_the_round_trip_holds_for_every_rotation(R: np.ndarray) -> None:
    axis, angle = rotation_forms.axis_angle_from_matrix(R)

    assert np.linalg.norm(axis) == pytest.approx(1.0, abs=1e-15)
    assert 0.0 <= angle <= np.pi
    rebuilt = pr.matrix_from_axis_angle([*axis, angle])
    assert_allclose(rebuilt, R, rtol=0.0, atol=1e-14)
    assert_allclose(so3.rotation_about(axis, angle), R, rtol=0.0, atol=1e-14)


@pytest.mark.capability("GR-18")
def test_the_identity_turns_about_z_by_zero() -> None:
    axis, angle = rotation_forms.axis_angle_from_matrix(np.eye(3))

    assert_array_equal(axis, [0.0, 0.0, 1.0])
    assert angle == 0.0


@pytest.mark.capability("GR-18")
@pytest.mark.parametrize("k", range(3))
def test_half_turns_about_coordinate_axes_have_the_positive_axis(k: int) -> None:
    R = -np.eye(3)
    R[k, k] = 1.0

    axis, angle = rotation_forms.axis_angle_from_matrix(R)

    assert_array_equal(axis, np.eye(3)[k])
    assert angle == np.pi


def test_axes_of_rotations_too_small_to_square_are_found() -> None:
    axis, angle = rotation_forms.axis_angle_from_rotvec([TINY, 2e9 * TINY])

    assert_allclose(axis, [[0.6, 0.0, -0.8]] * 2, rtol=0.0, atol=1e-15)
    assert_allclose(angle, [5e-300, 1e-290], rtol=1e-15)


@given(rotvec=strategies.rotvecs(), turns=st.floats(0.0, 3.0))
def test_rotation_vectors_are_axis_times_angle(
    rotvec: np.ndarray, turns: float
) -> None:
    axis, angle = rotation_forms.axis_angle_from_rotvec(turns * rotvec)

    rebuilt = rotation_forms.rotvec_from_axis_angle(3.0 * axis, angle)
    assert_allclose(rebuilt, turns * rotvec, rtol=1e-14, atol=1e-320)
    assert angle >= 0.0


@pytest.mark.capability("GR-14")
@given(axis=strategies.unit_vectors(), angle=st.floats(-7.0, 7.0))
def test_quaternions_of_axis_and_angle(axis: np.ndarray, angle: float) -> None:
    quat = rotation_forms.quaternion_from_axis_angle(axis, angle)

    expected = np.array([np.cos(angle / 2.0), *(np.sin(angle / 2.0) * axis)])
    sign = 1.0 if expected @ quat > 0.0 else -1.0
    assert_allclose(quat, sign * expected, rtol=0.0, atol=1e-15)
    assert quat[0] >= 0.0
    found, found_angle = rotation_forms.axis_angle_from_quaternion(quat)
    assert_allclose(
        so3.rotation_about(found, found_angle),
        so3.rotation_about(axis, angle),
        rtol=0.0,
        atol=1e-14,
    )


PAIRS = list(itertools.product(ROTATION_FORMS, repeat=2))


def scipy_form(rotation: Rotation, form: str) -> np.ndarray:
    if form == "axis_angle":
        angle = rotation.magnitude()[:, None]
        return np.concatenate([rotation.as_rotvec() / angle, angle], axis=1)
    return {
        "matrix": lambda: rotation.as_matrix(),
        "quaternion": lambda: rotation.as_quat(scalar_first=True, canonical=True),
        "rotvec": lambda: rotation.as_rotvec(),
        "rpy": lambda: rotation.as_euler("xyz"),
    }[form]()


@pytest.mark.capability("GR-16")
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_form_becomes_every_other(source: str, target: str) -> None:
    rotation = Rotation.random(50, rng=np.random.default_rng(11))

    found = convert_rotation(scipy_form(rotation, source), source, target)

    assert_allclose(found, scipy_form(rotation, target), rtol=0.0, atol=1e-13)


@pytest.mark.capability("GR-16")
@given(R=strategies.rotations())
def test_a_rotation_survives_a_tour_through_all_forms(R: np.ndarray) -> None:
    value, form = R, "matrix"
    for following in ("rpy", "axis_angle", "quaternion", "rotvec", "matrix"):
        value, form = convert_rotation(value, form, following), following

    assert_allclose(value, R, rtol=0.0, atol=2e-12)


@pytest.mark.capability("GR-16")
@pytest.mark.parametrize("name", ROTATION_FORMS)
def test_numbers_minus_constraints_are_three_freedoms(name: str) -> None:
    form = ROTATION_FORMS[name]

    assert int(np.prod(form.shape)) - form.num_constraints == 3


def test_unknown_forms_are_answered_with_the_closest() -> None:
    with pytest.raises(NameNotFoundError, match="Did you mean 'quaternion'"):
        convert_rotation(np.eye(3), "matrix", "quaternoin")


def test_a_value_of_another_form_is_refused() -> None:
    with pytest.raises(ShapeError, match=r"`value` must have shape \(\.\.\., 4\)"):
        convert_rotation(np.eye(3), "quaternion", "matrix")
