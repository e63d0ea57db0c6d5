"""What the Hypothesis strategies generate is valid, and their special cases are there."""

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from testkit import strategies


@given(R=strategies.rotations())
def test_generated_rotations_are_orthonormal_and_right_handed(R: np.ndarray) -> None:
    assert_allclose(R.T @ R, np.eye(3), rtol=0.0, atol=1e-14)
    assert np.linalg.det(R) > 0.0


@given(quat=strategies.quaternions())
def test_generated_quaternions_have_unit_length(quat: np.ndarray) -> None:
    assert np.linalg.norm(quat) == pytest.approx(1.0, abs=1e-14)


@given(twist=strategies.twists(), T=strategies.poses())
def test_generated_twists_and_poses_stay_in_their_range(
    twist: np.ndarray, T: np.ndarray
) -> None:
    assert np.abs(twist[:3]).max() <= 10.0
    assert np.linalg.norm(twist[3:]) <= np.pi * (1.0 + 1e-15)
    assert np.abs(T[:3, 3]).max() <= 10.0
    assert T[3].tolist() == [0.0, 0.0, 0.0, 1.0]


@given(matrix=strategies.spd_matrices(4))
def test_generated_matrices_are_symmetric_positive_definite(matrix: np.ndarray) -> None:
    assert (matrix == matrix.T).all()
    assert np.linalg.eigvalsh(matrix).min() > 0.0


def test_a_matrix_without_rows_is_refused() -> None:
    with pytest.raises(ConfigError, match="`n` must be at least 1, got 0"):
        strategies.spd_matrices(0)


def test_the_exact_rotations_are_the_24_of_the_cube() -> None:
    distinct = {R.tobytes() for R in strategies.EXACT_ROTATIONS}

    assert len(distinct) == len(strategies.EXACT_ROTATIONS) == 24


@pytest.mark.parametrize(
    "is_wanted",
    [
        lambda R: (np.eye(3) == R).all(),
        lambda R: 0.0 < np.abs(R - np.eye(3)).max() < 1e-8,
        lambda R: np.trace(R) == -1.0 and (R == R.T).all(),
        lambda R: 0.0 < 1.0 + np.trace(R) < 1e-10,
        lambda R: abs(R[2, 0]) == 1.0,
    ],
    ids=["identity", "near identity", "half turn", "near half turn", "gimbal lock"],
)
def test_special_rotations_are_found_quickly(is_wanted) -> None:
    find(
        strategies.rotations(),
        is_wanted,
        settings=settings(
            max_examples=2000,
            database=None,
            derandomize=True,
            phases=[Phase.generate],  # the smallest example does not matter
        ),
    )
