"""Angular velocity and Jacobians of rotations, against differences and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gelenk.spatial import so3
from testkit import strategies

STEP = 1e-6  # of central differences, whose error is then about 1e-10

rates = st.tuples(*[st.floats(-5.0, 5.0)] * 3).map(np.array)


@pytest.mark.capability("GR-32")
@given(R=strategies.rotations(), omega=rates)
def test_the_rate_of_a_turning_frame_is_the_product_with_skew(
    R: np.ndarray, omega: np.ndarray
) -> None:
    def turned(t: float) -> np.ndarray:
        return Rotation.from_rotvec(t * omega).as_matrix() @ R

    R_dot = (turned(STEP) - turned(-STEP)) / (2.0 * STEP)

    found = so3.rotation_rate_from_omega(R, omega)
    assert_allclose(found, R_dot, rtol=0.0, atol=1e-8)
    found = so3.omega_from_rotation_rate(R, R_dot)
    assert_allclose(found, omega, rtol=0.0, atol=1e-8)


@pytest.mark.capability("GR-32", "GR-33")
def test_angular_velocity_of_two_joints() -> None:
    """R = Rz(q1) Rx(q2): omega is qd1 about z plus qd2 about the turned x."""
    q, qd = (0.3, 0.5), (0.7, -0.2)
    R = so3.rot_z(q[0]) @ so3.rot_x(q[1])
    c, s = np.cos(q), np.sin(q)
    dRz = np.array([[-s[0], -c[0], 0.0], [c[0], -s[0], 0.0], [0.0, 0.0, 0.0]])
    dRx = np.array([[0.0, 0.0, 0.0], [0.0, -s[1], -c[1]], [0.0, c[1], -s[1]]])
    partials = np.stack([dRz @ so3.rot_x(q[1]), so3.rot_z(q[0]) @ dRx])
    R_dot = np.tensordot(qd, partials, axes=1)

    omega = so3.omega_from_rotation_rate(R, R_dot)
    J = so3.angular_jacobian_from_partials(R, partials)

    assert_allclose(omega, [-0.191067, -0.059104, 0.7], rtol=0.0, atol=5e-7)
    assert_allclose(J @ qd, omega, rtol=0.0, atol=1e-15)


@pytest.mark.capability("GR-33")
@given(seed=st.integers(0, 1000))
def test_partials_of_an_arm_give_its_angular_jacobian(seed: int) -> None:
    """The geometric Jacobian of revolute joints has their axes as columns."""
    rng = np.random.default_rng(seed)
    axes, q, qd = rng.normal(size=(6, 3)), rng.uniform(-3, 3, 6), rng.normal(size=6)
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)

    def orientation(q: np.ndarray) -> np.ndarray:
        product = Rotation.identity()
        for axis, angle in zip(axes, q, strict=True):
            product = product * Rotation.from_rotvec(axis * angle)
        return product.as_matrix()

    geometric, before = np.empty((3, 6)), Rotation.identity()
    for i, (axis, angle) in enumerate(zip(axes, q, strict=True)):
        geometric[:, i] = before.apply(axis)
        before = before * Rotation.from_rotvec(axis * angle)
    partials = np.stack(
        [
            (orientation(q + dq) - orientation(q - dq)) / (2.0 * STEP)
            for dq in STEP * np.eye(6)
        ]
    )

    J = so3.angular_jacobian_from_partials(orientation(q), partials)

    assert_allclose(J, geometric, rtol=0.0, atol=1e-8)
    assert_allclose(J @ qd, geometric @ qd, rtol=0.0, atol=1e-7)


@given(rotvec=strategies.rotvecs(), direction=rates)
def test_jacobians_are_derivatives_of_the_exponential(
    rotvec: np.ndarray, direction: np.ndarray
) -> None:
    ahead = Rotation.from_rotvec(rotvec + STEP * direction)
    behind = Rotation.from_rotvec(rotvec - STEP * direction)
    omega_world = (ahead * behind.inv()).as_rotvec() / (2.0 * STEP)
    omega_body = (behind.inv() * ahead).as_rotvec() / (2.0 * STEP)

    left = so3.left_jacobian(rotvec) @ direction
    right = so3.right_jacobian(rotvec) @ direction

    assert_allclose(left, omega_world, rtol=0.0, atol=2e-8)
    # Body axes turn during the step, by a difference of second order.
    assert_allclose(right, omega_body, rtol=0.0, atol=1e-4)
    assert_allclose(so3.exp(rotvec).T @ left, right, rtol=0.0, atol=1e-13)


@given(rotvec=strategies.rotvecs())
def test_inverse_jacobians_are_inverse(rotvec: np.ndarray) -> None:
    J, J_inverse = so3.left_jacobian(rotvec), so3.left_jacobian_inverse(rotvec)
    assert_allclose(J @ J_inverse, np.eye(3), rtol=0.0, atol=1e-14)

    J, J_inverse = so3.right_jacobian(rotvec), so3.right_jacobian_inverse(rotvec)
    assert_allclose(J @ J_inverse, np.eye(3), rtol=0.0, atol=1e-14)
