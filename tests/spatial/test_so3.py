"""Rotation matrices, their exponential coordinates and their rates of change.

Against SciPy, pytransform3d, the axioms of the group, differences, and by hand. The
exponential and the logarithm are also held against 60 digits in `test_exactness.py`.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from pytransform3d.rotations import matrix_from_compact_axis_angle, norm_matrix
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError, ShapeError
from gelenk.spatial import rotation_rates, so3
from testkit import strategies

QUARTER = np.pi / 2.0
angles = st.floats(-10.0, 10.0)


@pytest.mark.capability("GR-05")
@given(angle=angles)
def test_elementary_rotations_have_the_printed_entries(angle: float) -> None:
    c, s = np.cos(angle), np.sin(angle)

    assert_array_equal(so3.rot_x(angle), [[1, 0, 0], [0, c, -s], [0, s, c]])
    assert_array_equal(so3.rot_y(angle), [[c, 0, s], [0, 1, 0], [-s, 0, c]])
    assert_array_equal(so3.rot_z(angle), [[c, -s, 0], [s, c, 0], [0, 0, 1]])


@pytest.mark.capability("GR-05")
@pytest.mark.parametrize("rot", [so3.rot_x, so3.rot_y, so3.rot_z])
@given(angle=angles)
def test_turning_back_undoes_an_elementary_rotation(rot, angle: float) -> None:
    assert_allclose(rot(angle) @ rot(-angle), np.eye(3), rtol=0.0, atol=1e-15)


@pytest.mark.capability("GR-17")
@given(axis=strategies.unit_vectors(), angle=angles)
def test_rotation_about_an_axis_agrees_with_scipy(
    axis: np.ndarray, angle: float
) -> None:
    expected = Rotation.from_rotvec(axis * angle).as_matrix()

    assert_allclose(so3.rotation_about(axis, angle), expected, rtol=0.0, atol=1e-14)
    assert_allclose(
        so3.rotation_about(7.5 * axis, angle), expected, rtol=0.0, atol=1e-14
    )


@pytest.mark.capability("GR-17")
@pytest.mark.parametrize(
    ("axis", "degrees", "R"),
    [
        (
            (1, 2, 2),
            50.0,
            [
                [0.682478, -0.431316, 0.590077],
                [0.590077, 0.801549, -0.096587],
                [-0.431316, 0.414109, 0.801549],
            ],
        ),
        (
            (1, 2, 2),
            180.0,
            np.array([[-7, 4, 4], [4, -1, 8], [4, 8, -1]]) / 9.0,
        ),
        ((1, 1, 1), 120.0, [[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
        ((0.3, -0.2, 0.9), 0.0, np.eye(3)),
    ],
)
def test_published_rotations_about_an_axis(axis, degrees: float, R) -> None:
    found = so3.rotation_about(axis, np.deg2rad(degrees))

    assert_allclose(found, R, rtol=0.0, atol=5.1e-7)


def test_a_zero_axis_is_refused() -> None:
    with pytest.raises(ConfigError, match="must not be zero"):
        so3.rotation_about([0.0, 0.0, 0.0], 1.0)


@pytest.mark.capability("GR-17")
@given(rotvec=strategies.rotvecs())
def test_exponential_agrees_with_other_libraries(rotvec: np.ndarray) -> None:
    R = so3.exp(rotvec)

    assert_allclose(R, Rotation.from_rotvec(rotvec).as_matrix(), rtol=0, atol=1e-14)
    assert_allclose(R, matrix_from_compact_axis_angle(rotvec), rtol=0, atol=1e-12)


@pytest.mark.capability("GR-18")
@given(R=strategies.rotations())
def test_exponential_undoes_the_logarithm(R: np.ndarray) -> None:
    rotvec = so3.log(R)

    assert np.linalg.norm(rotvec) <= np.pi + 1e-15
    assert_allclose(so3.exp(rotvec), R, rtol=0.0, atol=1e-14)


@pytest.mark.capability("GR-18")
def test_logarithm_undoes_the_exponential_at_every_special_rotation() -> None:
    rotvecs = strategies.SPECIAL_ROTVECS
    is_half_turn = np.linalg.norm(rotvecs, axis=1) > np.pi - 1e-14

    found = so3.log(so3.exp(rotvecs))

    regular = ~is_half_turn
    assert_allclose(found[regular], rotvecs[regular], rtol=4e-15, atol=2e-15)
    either_sign = np.abs(np.abs(found) - np.abs(rotvecs)).max(axis=1)
    assert either_sign.max() < 1e-14


@pytest.mark.capability("GR-18")
def test_logarithm_agrees_with_scipy() -> None:
    random = Rotation.random(500, rng=np.random.default_rng(3))

    assert_allclose(so3.log(random.as_matrix()), random.as_rotvec(), atol=1e-13)


@pytest.mark.capability("GR-04")
@given(R=strategies.rotations(), error=st.floats(1e-6, 0.5))
def test_rotations_are_told_from_other_matrices(R: np.ndarray, error: float) -> None:
    assert so3.is_rotation(R)
    assert not so3.is_rotation(-R)  # orthonormal, but a reflection
    assert not so3.is_rotation(R @ np.diag([1.0, -1.0, 1.0]))
    assert not so3.is_rotation((1.0 + error) * R)
    sheared = R.copy()
    sheared[:, 0] += error * R[:, 1]
    assert not so3.is_rotation(sheared)
    assert so3.is_rotation(sheared, tol=2.0)


@pytest.mark.capability("GR-04")
def test_matrices_that_are_not_finite_are_no_rotations() -> None:
    R = np.tile(np.eye(3), (4, 1, 1))
    R[0, 0, 0], R[1, 1, 2], R[2, 2, 2] = np.nan, np.inf, -np.inf

    assert_array_equal(so3.is_rotation(R), [False, False, False, True])


@pytest.mark.capability("GR-04")
@given(seed=st.integers(0, 1000), noise=st.sampled_from([1e-12, 1e-3, 0.3, 3.0]))
def test_orthonormalisation_gives_the_nearest_rotation(seed: int, noise: float) -> None:
    rng = np.random.default_rng(seed)
    M = Rotation.random(rng=rng).as_matrix() + noise * rng.normal(size=(3, 3))
    # The rotation that best aligns the unit vectors with the columns of M is nearest.
    nearest = Rotation.align_vectors(M.T, np.eye(3))[0].as_matrix()

    found = so3.orthonormalize(M)

    assert so3.is_rotation(found)
    distance, least = np.linalg.norm(found - M), np.linalg.norm(nearest - M)
    assert distance == pytest.approx(least, abs=1e-12)
    if noise < 0.1:
        assert_allclose(found, nearest, rtol=0.0, atol=1e-12)
        assert_allclose(found, norm_matrix(M), rtol=0.0, atol=10.0 * noise)


@pytest.mark.capability("GR-04")
def test_a_reflection_becomes_a_rotation() -> None:
    R = so3.orthonormalize(np.diag([3.0, 2.0, -1.0]))

    assert_allclose(R, np.eye(3), rtol=0.0, atol=1e-15)


@pytest.mark.capability("GR-06")
def test_quarter_turns_in_different_order_differ() -> None:
    turn_x, turn_z = so3.rot_x(QUARTER), so3.rot_z(QUARTER)

    z_x = so3.chain([turn_x, turn_z], frame="fixed")
    x_z = so3.chain([turn_x, turn_z], frame="current")

    expected = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    assert_allclose(z_x, expected, rtol=0.0, atol=1e-15)
    expected = [[0, -1, 0], [0, 0, -1], [1, 0, 0]]
    assert_allclose(x_z, expected, rtol=0.0, atol=1e-15)


@pytest.mark.capability("GR-06")
@given(rotations=st.lists(strategies.rotations(), max_size=5))
def test_both_readings_of_a_product_are_one(rotations: list[np.ndarray]) -> None:
    product = np.linalg.multi_dot([np.eye(3), *rotations, np.eye(3)])

    current = so3.chain(rotations, frame="current")
    fixed = so3.chain(rotations[::-1], frame="fixed")

    assert_allclose(current, product, rtol=0.0, atol=1e-14)
    assert_allclose(fixed, product, rtol=0.0, atol=1e-14)


@pytest.mark.capability("GR-06")
def test_a_chain_about_fixed_axes_moves_a_point_step_by_step() -> None:
    rng = np.random.default_rng(0)
    rotations = Rotation.random(4, rng=rng).as_matrix()
    p = rng.normal(size=3)
    moved = p
    for R in rotations:
        moved = R @ moved

    assert_allclose(so3.chain(list(rotations), frame="fixed") @ p, moved, atol=1e-14)


def test_an_unknown_frame_of_a_chain_is_refused() -> None:
    with pytest.raises(ConfigError, match="'fixed' or 'current', got 'moving'"):
        so3.chain([np.eye(3)], frame="moving")


@given(R_a=strategies.rotations(), R_b=strategies.rotations(), R=strategies.rotations())
def test_the_angle_between_rotations_is_an_invariant_metric(
    R_a: np.ndarray, R_b: np.ndarray, R: np.ndarray
) -> None:
    angle = so3.angle_between(R_a, R_b)

    relative = Rotation.from_matrix(R_a).inv() * Rotation.from_matrix(R_b)
    assert angle == pytest.approx(relative.magnitude(), abs=1e-14)
    assert angle == pytest.approx(float(so3.angle_between(R_b, R_a)), abs=1e-14)
    assert angle == pytest.approx(float(so3.angle_between(R @ R_a, R @ R_b)), abs=1e-14)
    assert angle == pytest.approx(float(so3.angle_between(R_a @ R, R_b @ R)), abs=1e-14)
    assert 0.0 <= angle <= np.pi
    detour = so3.angle_between(R_a, R) + so3.angle_between(R, R_b)
    assert angle <= detour + 1e-14


def test_shapes_are_checked() -> None:
    functions = (so3.log, so3.is_rotation, so3.orthonormalize)
    for function, shape in itertools.product(functions, [(3,), (3, 4), (4, 4)]):
        with pytest.raises(ShapeError, match=r"`R` must have shape \(\.\.\., 3, 3\)"):
            function(np.ones(shape))


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

    found = rotation_rates.rotation_rate_from_omega(R, omega)
    assert_allclose(found, R_dot, rtol=0.0, atol=1e-8)
    found = rotation_rates.omega_from_rotation_rate(R, R_dot)
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

    omega = rotation_rates.omega_from_rotation_rate(R, R_dot)
    J = rotation_rates.angular_jacobian_from_partials(R, partials)

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

    J = rotation_rates.angular_jacobian_from_partials(orientation(q), partials)

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

    left = rotation_rates.left_jacobian(rotvec) @ direction
    right = rotation_rates.right_jacobian(rotvec) @ direction

    assert_allclose(left, omega_world, rtol=0.0, atol=2e-8)
    # Body axes turn during the step, by a difference of second order.
    assert_allclose(right, omega_body, rtol=0.0, atol=1e-4)
    assert_allclose(so3.exp(rotvec).T @ left, right, rtol=0.0, atol=1e-13)


@given(rotvec=strategies.rotvecs())
def test_inverse_jacobians_are_inverse(rotvec: np.ndarray) -> None:
    J, J_inverse = (
        rotation_rates.left_jacobian(rotvec),
        rotation_rates.left_jacobian_inverse(rotvec),
    )
    assert_allclose(J @ J_inverse, np.eye(3), rtol=0.0, atol=1e-14)

    J, J_inverse = (
        rotation_rates.right_jacobian(rotvec),
        rotation_rates.right_jacobian_inverse(rotvec),
    )
    assert_allclose(J @ J_inverse, np.eye(3), rtol=0.0, atol=1e-14)
