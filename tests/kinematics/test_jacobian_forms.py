"""Body, point and analytic Jacobians, and the published Jacobians of bench robots."""

from typing import get_args

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gelenk.kinematics.forward import frame_pose
from gelenk.kinematics.jacobian import (
    analytic_jacobian,
    body_jacobian,
    moved_jacobian,
    point_jacobian,
)
from gelenk.models.catalog import make
from gelenk.spatial.euler import EulerSequence
from testkit.random_models import random_configuration

Q_PUMA = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])
STEP = 1e-6  # [rad]


@pytest.mark.capability("GR-35")
def test_published_jacobians_of_the_bench_robots() -> None:
    planar = make("planar2r").jacobian(np.deg2rad([30.0, 45.0]))
    assert_allclose(planar[0], [-1.272741, -0.772741], atol=1e-6)
    assert_allclose(planar[1], [1.073081, 0.207055], atol=1e-6)
    assert np.linalg.det(planar[:2]) == pytest.approx(0.565685, abs=1e-6)

    puma = [
        [0.032586, -0.251749, -0.412390, 0.0, 0.0, 0.0],
        [0.402407, -0.077875, -0.127567, 0.0, 0.0, 0.0],
        [0.0, 0.374805, -0.022909, 0.0, 0.0, 0.0],
        [0.0, 0.295520, 0.295520, -0.095375, 0.780632, 0.324968],
        [0.0, -0.955336, -0.955336, -0.029503, -0.622444, 0.481283],
        [1.0, 0.0, 0.0, 0.995004, 0.056370, 0.814102],
    ]
    assert_allclose(make("puma560").jacobian(Q_PUMA), puma, atol=1e-6)
    qn = [0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0]
    det = np.linalg.det(make("puma560").jacobian(qn))
    assert det == pytest.approx(-0.0786172, abs=1e-7)

    scara = make("scara").jacobian([0.5, -0.7, 0.1, 0.3])
    columns = [
        [-0.094160, 0.508291, 0, 0, 0, 1],
        [0.049667, 0.245017, 0, 0, 0, 1],
        [0, 0, -1, 0, 0, 0],
        [0, 0, 0, 0, 0, -1],
    ]
    assert_allclose(scara.T, columns, atol=1e-6)


@pytest.mark.capability("GR-36")
def test_linear_rows_are_the_derivative_of_the_position() -> None:
    stanford, q = make("stanford"), np.array([0.1, 0.2, 0.5, 0.3, -0.4, 0.6])
    columns = [
        (frame_pose(stanford, q + dq) - frame_pose(stanford, q - dq))[:3, 3]
        / (2.0 * STEP)
        for dq in STEP * np.eye(6)
    ]

    assert_allclose(stanford.jacobian(q)[:3].T, columns, atol=1e-9)


@pytest.mark.capability("GR-36")
@pytest.mark.parametrize("axes", ["intrinsic", "extrinsic"])
@pytest.mark.parametrize("sequence", get_args(EulerSequence))
def test_analytic_jacobian_is_the_derivative_of_the_pose_vector(
    sequence: EulerSequence, axes: str
) -> None:
    puma = make("puma560")
    scipy_sequence = sequence.upper() if axes == "intrinsic" else sequence

    def pose_vector(q: np.ndarray) -> np.ndarray:
        T = frame_pose(puma, q)
        angles = Rotation.from_matrix(T[:3, :3]).as_euler(scipy_sequence)
        return np.concatenate([T[:3, 3], angles])

    result = analytic_jacobian(puma, Q_PUMA, sequence, axes=axes)  # type: ignore[arg-type]

    columns = [
        (pose_vector(Q_PUMA + dq) - pose_vector(Q_PUMA - dq)) / (2.0 * STEP)
        for dq in STEP * np.eye(6)
    ]
    assert not result.singular
    assert_allclose(result.J.T, columns, atol=1e-8)
    assert_allclose(result.angles, pose_vector(Q_PUMA)[3:], atol=1e-12)


@pytest.mark.capability("GR-36")
def test_analytic_jacobian_reports_angles_that_are_singular() -> None:
    arm = make("planar2r")  # its tool only turns about z: ZYZ angles are singular

    result = analytic_jacobian(arm, [[0.2, 0.3]], "zyz", axes="intrinsic")

    assert result.singular.tolist() == [True]
    assert np.isfinite(result.J).all()
    # Turning by unit rate is shared between the two coinciding axes.
    assert_allclose(result.J[0, 3:], [[0.5, 0.5], [0.0, 0.0], [0.5, 0.5]], atol=1e-12)


def test_body_jacobian_is_the_twist_seen_by_the_frame() -> None:
    rng = np.random.default_rng(5)
    puma = make("puma560")
    q, qd = random_configuration(rng, puma, 4), rng.normal(size=(4, 6))

    twist = np.matvec(body_jacobian(puma, q), qd)

    for k in range(4):
        ahead = frame_pose(puma, q[k] + STEP * qd[k])
        behind = frame_pose(puma, q[k] - STEP * qd[k])
        rate = np.linalg.inv(frame_pose(puma, q[k])) @ (ahead - behind) / (2.0 * STEP)
        expected = [*rate[:3, 3], rate[2, 1], rate[0, 2], rate[1, 0]]
        assert_allclose(twist[k], expected, atol=1e-8)


def test_point_jacobian_follows_a_point_of_the_gripper() -> None:
    rng = np.random.default_rng(6)
    puma, point = make("puma560"), np.array([0.1, -0.2, 0.3, 1.0])
    q, qd = random_configuration(rng, puma), rng.normal(size=6)
    ahead, behind = (frame_pose(puma, q + s * STEP * qd) @ point for s in (1, -1))

    J = point_jacobian(puma, q, point[:3])

    assert_allclose(J[:3] @ qd, (ahead - behind)[:3] / (2.0 * STEP), atol=1e-8)
    assert_allclose(J[3:], puma.jacobian(q)[3:], atol=1e-15)
    many = moved_jacobian(np.broadcast_to(J, (2, 6, 6)), np.zeros((2, 3)))
    np.testing.assert_array_equal(many[1], J)
