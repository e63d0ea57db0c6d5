"""The nearest tensor of a body is one, and is near."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from gelenk.models.inertias import is_physical, physical_inertia


def body(rng: np.random.Generator) -> np.ndarray:
    """Return the inertia of eight point masses about their centre."""
    points, masses = rng.normal(size=(8, 3)), rng.random(8)
    points -= masses @ points / masses.sum()
    tensors = [
        m * ((p @ p) * np.eye(3) - np.outer(p, p))
        for m, p in zip(masses, points, strict=True)
    ]
    return np.sum(tensors, axis=0)


def test_bodies_are_physical_and_stay_as_they_are() -> None:
    rng = np.random.default_rng(1)
    tensors = np.array([body(rng) for _ in range(50)])

    assert is_physical(tensors).all()
    np.testing.assert_allclose(physical_inertia(tensors), tensors, rtol=0, atol=1e-13)


def test_impossible_moments_are_raised_about_the_same_axes() -> None:
    R = Rotation.from_rotvec([0.3, -0.5, 0.9]).as_matrix()
    for moments, expected in (
        ((1.0, 1.0, 3.0), (1.5, 1.5, 3.0)),  # by hand: second moments 1.5, 1.5, -0.5
        ((-0.5, 2.0, 2.0), (0.0, 2.25, 2.25)),  # 2.25, -0.25, -0.25
    ):
        tensor = R @ np.diag(moments) @ R.T
        assert not is_physical(tensor)

        mended = physical_inertia(tensor)

        assert is_physical(mended)
        np.testing.assert_allclose(
            R.T @ mended @ R, np.diag(expected), rtol=0, atol=1e-5
        )
