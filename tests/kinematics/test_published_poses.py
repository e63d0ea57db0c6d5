"""Forward kinematics of the bench robots against published vectors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.models.catalog import make

TOL = 1e-6  # the vectors are printed with six digits


@pytest.mark.capability("GR-23")
@pytest.mark.parametrize(
    ("name", "q", "position"),
    [
        ("planar2r", np.deg2rad([30.0, 45.0]), (1.073081, 1.272741, 0.0)),
        ("planar3r", [0.3, 0.4, 0.5], (0.892312, 0.685059, 0.0)),
        ("scara", [0.5, -0.7, 0.1, 0.3], (0.508291, 0.094160, 0.25)),
        (
            "stanford",
            [0.1, 0.2, 0.5, 0.3, -0.4, 0.6],
            (0.092066, 0.262345, 1.145457),
        ),
        (
            "puma560",
            [0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0],
            (0.596303, -0.15005, -0.014354),
        ),
        (
            "puma560",
            [0.3, -0.4, 0.5, 0.6, -0.7, 0.8],
            (0.402407, -0.032586, 0.263519),
        ),
        ("lbr7", np.zeros(7), (0.0, 0.0, 1.266)),
        (
            "lbr7",
            [0.1, 0.5, -0.2, -1.2, 0.3, 0.9, -0.4],
            (0.654062, -0.001482, 0.537708),
        ),
    ],
)
def test_published_positions(name: str, q: list[float], position: list[float]) -> None:
    assert_allclose(make(name).forward(q)[:3, 3], position, atol=TOL)


@pytest.mark.capability("GR-23")
def test_published_orientations() -> None:
    scara = make("scara").forward([0.5, -0.7, 0.1, 0.3])[:3, :3]
    expected = [[0.877583, -0.479426, 0], [-0.479426, -0.877583, 0], [0, 0, -1]]
    assert_allclose(scara, expected, atol=TOL)

    stanford = make("stanford").forward([0.1, 0.2, 0.5, 0.3, -0.4, 0.6])[:3, 2]
    assert_allclose(stanford, [0.032708, 0.377175, 0.925564], atol=TOL)

    puma = make("puma560")
    qn = [0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0]
    assert_allclose(
        puma.forward(qn)[:3, :3], [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], atol=TOL
    )
    expected = [
        [-0.188045, -0.926841, 0.324968],
        [0.876518, -0.009088, 0.481283],
        [-0.443120, 0.375343, 0.814102],
    ]
    found = puma.forward([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])[:3, :3]
    assert_allclose(found, expected, atol=TOL)
    assert_allclose(make("lbr7").forward(np.zeros(7))[:3, :3], np.eye(3), atol=TOL)
