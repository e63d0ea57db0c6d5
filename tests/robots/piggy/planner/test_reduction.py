"""Tests of the reduction to the plane. Oracles: the printed chain, SciPy's rotations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gelenk.robots.piggy.planner.reduction import (
    plane_frame,
    printed_frame,
    rotation_between,
    table_index,
    turned_frames,
)


@pytest.mark.capability("BB-47")
def test_the_smallest_rotation_carries_one_direction_onto_the_other() -> None:
    rng = np.random.default_rng(2)
    for a, b in rng.normal(size=(200, 2, 3)):
        R = rotation_between(a, b)
        assert_allclose(R @ a / np.linalg.norm(a), b / np.linalg.norm(b), atol=1e-12)
        assert np.linalg.det(R) == pytest.approx(1.0)
        cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
        turned = Rotation.from_matrix(R).magnitude()
        assert turned == pytest.approx(np.arccos(cosine), abs=1e-7)


@pytest.mark.capability("BB-47")
@pytest.mark.parametrize("scale", [2.0, -3.0, -1.0])
@pytest.mark.parametrize("bend", [0.0, 1e-13, 1e-7])
def test_parallel_and_opposite_directions_are_carried_too(scale, bend) -> None:
    rng = np.random.default_rng(4)
    for a in [*np.eye(3), *rng.normal(size=(20, 3))]:
        b = scale * a + bend * rng.normal(size=3)
        R = rotation_between(a, b)
        assert_allclose(R @ R.T, np.eye(3), atol=1e-12)
        assert_allclose(R @ a / np.linalg.norm(a), b / np.linalg.norm(b), atol=1e-8)


@pytest.mark.capability("BB-48")
def test_the_frame_is_the_printed_one_and_leaves_three_numbers() -> None:
    rng = np.random.default_rng(6)
    v_in, v_out = rng.normal(0.0, 5.0, (2, 300, 3))

    R = plane_frame(v_in, v_out)

    b, c = (R @ v_in[..., None])[..., 0], (R @ v_out[..., None])[..., 0]
    index = table_index(v_in, v_out)
    zero = np.zeros(300)
    assert_allclose(b, np.stack([index[:, 0], zero, zero], axis=1), atol=1e-12)
    assert_allclose(c, np.stack([index[:, 1], zero, index[:, 2]], axis=1), atol=1e-12)
    assert (index[:, 2] >= 0.0).all()
    for k in range(300):
        assert_allclose(R[k], printed_frame(v_in[k], v_out[k]), atol=1e-9)


@pytest.mark.capability("BB-48")
def test_a_known_request_has_its_known_numbers() -> None:
    index = table_index((3.0, -4.0, 1.0), (-2.0, 3.0, 2.0))
    assert_allclose(index, (5.0990, -3.1379, 2.6747), atol=5e-5)


@pytest.mark.capability("BB-48")
@pytest.mark.parametrize("v_in", [(0.0, -6.0, -2.0), (5.0, 0.0, 0.0), (0.0, 0.0, -3.0)])
@pytest.mark.parametrize("factor", [-0.6, 0.5, 0.0])
def test_a_ball_straight_back_has_a_frame_too(v_in, factor) -> None:
    R = plane_frame(v_in, factor * np.array(v_in))
    assert_allclose(R @ R.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(R) == pytest.approx(1.0)
    assert_allclose(R @ v_in, (np.linalg.norm(v_in), 0.0, 0.0), atol=1e-12)
    for turned in turned_frames(R, 12):
        assert_allclose(turned @ v_in, (np.linalg.norm(v_in), 0.0, 0.0), atol=1e-12)
