"""Products of turns and shifts: laws of homogeneous transforms, axes of the camera."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.kinematics import camera_pose, move, neck_pose, turn
from gelenk.robots.nao.truth import (
    _inverse,  # pyright: ignore[reportPrivateUsage]
    _pixels,  # pyright: ignore[reportPrivateUsage]
)

angles = st.floats(-np.pi, np.pi)
lengths = st.floats(-2.0, 2.0)


@pytest.mark.capability("CA-10")
@given(a=angles, b=angles, c=angles, x=lengths, y=lengths, z=lengths)
def test_a_product_of_turns_and_shifts_has_its_inverse(
    a: float, b: float, c: float, x: float, y: float, z: float
) -> None:
    T = turn("x", a) @ move(x, y, z) @ turn("y", b) @ move(z, x, y) @ turn("z", c)
    assert_allclose(T @ _inverse(T), np.eye(4), atol=1e-12)
    assert_allclose(T[:3, :3] @ T[:3, :3].T, np.eye(3), atol=1e-12)
    assert np.linalg.det(T[:3, :3]) == pytest.approx(1.0)
    p = np.array([0.3, -0.2, 0.7, 1.0])
    assert_allclose(np.linalg.solve(T, T @ p), p, atol=1e-12)


@pytest.mark.capability("CA-10")
def test_the_right_factor_acts_first_and_turns_are_right_handed() -> None:
    T = move(1.0, 2.0, 3.0) @ turn("z", np.pi / 2.0)
    assert_allclose(T @ [1.0, 0.0, 0.0, 1.0], [1.0, 3.0, 3.0, 1.0], atol=1e-15)
    assert_allclose(turn("x", 0.1)[2, 1], np.sin(0.1))
    down = turn("y", 0.1) @ [1.0, 0.0, 0.0, 0.0]
    assert down[2] < 0.0  # a positive pitch turns x downwards


@pytest.mark.capability("CA-14")
def test_the_head_turns_left_and_nods_down_with_positive_angles() -> None:
    T = neck_pose([np.pi / 2.0, 0.0])
    assert_allclose(T[:3, 0], [0.0, 1.0, 0.0], atol=1e-15)
    assert_allclose(T[:3, 3], [0.0, 0.0, 0.2115])
    assert_allclose(neck_pose([0.0, 0.2])[:3, 0], [np.cos(0.2), 0.0, -np.sin(0.2)])


@pytest.mark.capability("CA-17")
def test_the_optical_axis_meets_the_middle_of_the_image_and_left_is_left() -> None:
    axis, left, up = _pixels(
        NaoErrors(), np.array([[2.0, 0, 0], [2.0, 0.2, 0], [2.0, 0, 0.2]]), "lower"
    )
    assert_allclose(axis, [319.5, 239.5])
    assert_allclose(left, [319.5 - 54.35945, 239.5], atol=1e-4)
    assert_allclose(up, [319.5, 239.5 - 54.35945], atol=1e-4)


@pytest.mark.capability("CA-15")
def test_the_lower_camera_looks_down_at_39_7_degrees() -> None:
    T = camera_pose([0.0, 0.0])
    assert_allclose(T[:3, 3], [0.05071, 0.0, 0.22924])
    assert np.rad2deg(np.arctan2(-T[2, 0], T[0, 0])) == pytest.approx(39.7, abs=1e-6)
