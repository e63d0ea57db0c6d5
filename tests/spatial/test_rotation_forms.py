"""The hub between representations, against SciPy in every pair of forms."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gelenk.errors import NameNotFoundError, ShapeError
from gelenk.spatial.rotation_forms import ROTATION_FORMS, convert_rotation
from testkit import strategies

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
