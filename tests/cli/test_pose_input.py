"""Poses as typed. Oracle of the rotations: SciPy."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gelenk.cli.ik import parse_numbers, parse_pose
from gelenk.errors import ConfigError

ANGLES = (0.3, -0.7, 2.1)  # [rad]
POSITION = (0.4, -0.1, 0.5)  # [m]


def expected() -> np.ndarray:
    T = np.eye(4)
    T[:3, :3] = Rotation.from_euler("xyz", ANGLES).as_matrix()
    T[:3, 3] = POSITION
    return T


def texts() -> dict[str, str]:
    T = expected()
    wxyz = Rotation.from_euler("xyz", ANGLES).as_quat(scalar_first=True).tolist()
    six = [*POSITION, *ANGLES]
    return {
        "commas": ",".join(map(str, six)),
        "blanks": " ".join(map(str, six)),
        "commas and blanks": ", ".join(map(str, six)),
        "sixteen": " ".join(map(repr, T.ravel().tolist())),
        "json, flat six": json.dumps(six),
        "json, flat sixteen": json.dumps(T.ravel().tolist()),
        "json, rows": json.dumps(T.tolist()),
        "json, T": json.dumps({"T": T.tolist()}),
        "json, rpy": json.dumps({"xyz": POSITION, "rpy": ANGLES}),
        "json, quaternion": json.dumps({"xyz": POSITION, "wxyz": wxyz}),
    }


@pytest.mark.parametrize("form", texts())
def test_every_form_states_the_same_pose(form: str) -> None:
    assert_allclose(parse_pose(texts()[form]), expected(), rtol=0.0, atol=1e-15)


@given(
    numbers=st.lists(st.floats(-10.0, 10.0), min_size=6, max_size=6),
)
def test_six_numbers_are_position_and_fixed_axis_angles(numbers: list[float]) -> None:
    T = parse_pose(" ".join(map(repr, numbers)))

    R = Rotation.from_euler("xyz", numbers[3:]).as_matrix()
    assert_allclose(T[:3, :3], R, rtol=0.0, atol=1e-14)
    assert T[:3, 3].tolist() == numbers[:3]
    assert T[3].tolist() == [0.0, 0.0, 0.0, 1.0]


def test_degrees_apply_to_the_angles_only() -> None:
    text = f"0.4,-0.1,0.5,{','.join(map(str, np.rad2deg(ANGLES)))}"

    assert_allclose(parse_pose(text, degrees=True), expected(), rtol=0.0, atol=1e-15)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has 0 numbers"),
        ("1,2,3", "has 3 numbers"),
        ("1,2,3,0,0,east", "'east'"),
        ("1,2,3,0,0,nan", "'nan'"),
        ("1,2,3,0,0,inf", "'inf'"),
        ("[1, 2", "is not JSON"),
        ('{"xyz": [0, 0, 0]}', "has the keys xyz"),
        ('{"xyz": [0, 0], "rpy": [0, 0, 0]}', "has 5 numbers"),
        ('{"xyz": [0, 0, 0], "wxyz": [1, 0, 0]}', "has the keys wxyz, xyz"),
        ('{"xyz": null, "rpy": [0, 0, 0]}', "None"),
        ("2 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", "is not a pose"),
        ("1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1", "is not a pose"),
    ],
)
def test_a_text_that_is_no_pose_is_refused_with_the_forms(
    text: str, problem: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_pose(text)

    assert problem in str(caught.value)


def test_a_quaternion_of_length_zero_is_refused() -> None:
    with pytest.raises(ConfigError):
        parse_pose('{"xyz": [0, 0, 0], "wxyz": [0, 0, 0, 0]}')


def test_a_list_of_numbers_names_its_option_when_it_is_none() -> None:
    assert parse_numbers("[0.1, -2]", option="--start") == [0.1, -2.0]
    with pytest.raises(ConfigError, match=r"`--start`: 'x' in '1 x' is not a number"):
        parse_numbers("1 x", option="--start")
