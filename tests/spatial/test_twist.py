"""Twists and wrenches against rigid-body velocity fields, point forces and libraries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from pytransform3d.transformations import adjoint_from_transform
from scipy.linalg import expm

from gelenk.errors import ShapeError
from gelenk.spatial import se3, so3, twist
from testkit import strategies

poses = strategies.poses()
spatial_vectors = st.tuples(*[st.floats(-5.0, 5.0)] * 6).map(np.array)
TO_ANGULAR_FIRST = [3, 4, 5, 0, 1, 2]


@pytest.mark.capability("GR-11")
def test_published_change_of_frame() -> None:
    T_a_b = se3.pose_from_rotation_translation(so3.rot_z(np.pi / 2.0), [0.1, 0.2, 0.3])
    spatial_b = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]

    twist_a = twist.change_twist_frame(T_a_b, spatial_b)
    wrench_a = twist.change_wrench_frame(T_a_b, spatial_b)

    expected = [-1.97, 0.91, 3.05, -0.2, 0.1, 0.3]
    assert_allclose(twist_a, expected, rtol=0.0, atol=1e-15)
    expected = [-2.0, 1.0, 3.0, 0.1, -0.8, 0.8]
    assert_allclose(wrench_a, expected, rtol=0.0, atol=1e-15)


@given(T_a_b=poses, twist_b=spatial_vectors, p_b=strategies.positions())
def test_a_twist_in_another_frame_moves_every_point_the_same(T_a_b, twist_b, p_b):
    velocity_b = twist_b[:3] + np.cross(twist_b[3:], p_b)
    p_a = T_a_b[:3, :3] @ p_b + T_a_b[:3, 3]

    twist_a = twist.change_twist_frame(T_a_b, twist_b)

    velocity_a = twist_a[:3] + np.cross(twist_a[3:], p_a)
    assert_allclose(velocity_a, T_a_b[:3, :3] @ velocity_b, rtol=0.0, atol=1e-12)


@given(T_a_b=poses, seed=st.integers(0, 1000))
def test_a_wrench_in_another_frame_is_the_same_set_of_forces(T_a_b, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p_b, f_b = rng.normal(size=(2, 5, 3))
    wrench_b = np.concatenate([f_b.sum(axis=0), np.cross(p_b, f_b).sum(axis=0)])
    p_a, f_a = p_b @ T_a_b[:3, :3].T + T_a_b[:3, 3], f_b @ T_a_b[:3, :3].T

    wrench_a = twist.change_wrench_frame(T_a_b, wrench_b)

    expected = np.concatenate([f_a.sum(axis=0), np.cross(p_a, f_a).sum(axis=0)])
    assert_allclose(wrench_a, expected, rtol=0.0, atol=1e-12)


@given(T_a_b=poses, twist_b=spatial_vectors, wrench_b=spatial_vectors)
def test_power_is_the_same_in_every_frame(T_a_b, twist_b, wrench_b) -> None:
    power_b = twist_b[:3] @ wrench_b[:3] + twist_b[3:] @ wrench_b[3:]

    power_a = twist.power(
        twist.change_twist_frame(T_a_b, twist_b),
        twist.change_wrench_frame(T_a_b, wrench_b),
    )

    assert power_a == pytest.approx(power_b, abs=1e-10)
    assert twist.power(twist_b, wrench_b) == pytest.approx(power_b, abs=1e-13)


@given(T_a_b=poses, T_b_c=poses, vector=spatial_vectors)
def test_adjoints_are_the_matrices_of_the_change_of_frame(T_a_b, T_b_c, vector) -> None:
    Ad, Ad_wrench = twist.adjoint(T_a_b), twist.wrench_adjoint(T_a_b)

    angular_first = adjoint_from_transform(T_a_b)
    expected = angular_first[np.ix_(TO_ANGULAR_FIRST, TO_ANGULAR_FIRST)]
    assert_allclose(Ad, expected, rtol=0.0, atol=1e-14)
    assert_allclose(Ad_wrench, np.linalg.inv(Ad).T, rtol=0.0, atol=1e-12)
    moved = twist.change_twist_frame(T_a_b, vector)
    assert_allclose(Ad @ vector, moved, rtol=0.0, atol=1e-12)
    moved = twist.change_wrench_frame(T_a_b, vector)
    assert_allclose(Ad_wrench @ vector, moved, rtol=0.0, atol=1e-12)
    product = twist.adjoint(T_a_b @ T_b_c)
    assert_allclose(product, Ad @ twist.adjoint(T_b_c), rtol=0.0, atol=1e-12)


@given(T=poses, body_twist=strategies.twists())
def test_the_adjoint_carries_motion_from_one_side_to_the_other(T, body_twist) -> None:
    """T exp(d) = exp(Ad d) T is the definition of the adjoint."""
    if np.linalg.norm(body_twist[3:]) > np.pi - 1e-6:
        return
    world_twist = twist.change_twist_frame(T, body_twist)

    left, right = se3.exp(world_twist) @ T, T @ se3.exp(body_twist)

    assert_allclose(left, right, rtol=0.0, atol=1e-11)


@given(a=strategies.twists(2.0), b=spatial_vectors)
def test_ad_generates_the_adjoint(a: np.ndarray, b: np.ndarray) -> None:
    """exp(ad a) = Ad exp(a), with SciPy's matrix exponential on the left."""
    ad = twist.motion_cross_matrix(a)

    assert_allclose(expm(ad), twist.adjoint(se3.exp(a)), rtol=0.0, atol=1e-12)
    dual = expm(twist.force_cross_matrix(a))
    assert_allclose(dual, twist.wrench_adjoint(se3.exp(a)), rtol=0.0, atol=1e-12)
    assert_allclose(ad @ b, twist.cross_motion(a, b), rtol=0.0, atol=1e-13)
    carried = twist.force_cross_matrix(a) @ b
    assert_allclose(carried, twist.cross_force(a, b), rtol=0.0, atol=1e-13)


@given(a=spatial_vectors, b=spatial_vectors, c=spatial_vectors)
def test_the_motion_cross_product_is_a_lie_bracket(a, b, c) -> None:
    ab = twist.cross_motion(a, b)

    assert_allclose(ab, -twist.cross_motion(b, a), rtol=0.0, atol=1e-13)
    jacobi = (
        twist.cross_motion(a, twist.cross_motion(b, c))
        + twist.cross_motion(b, twist.cross_motion(c, a))
        + twist.cross_motion(c, ab)
    )
    assert_allclose(jacobi, np.zeros(6), rtol=0.0, atol=1e-10)


@given(a=spatial_vectors, motion=spatial_vectors, wrench=spatial_vectors)
def test_carried_along_together_motion_and_wrench_keep_their_power(
    a, motion, wrench
) -> None:
    rate = twist.power(twist.cross_motion(a, motion), wrench) + twist.power(
        motion, twist.cross_force(a, wrench)
    )

    assert rate == pytest.approx(0.0, abs=1e-11)


@given(R=strategies.rotations(), vector=spatial_vectors)
def test_turning_the_axes_is_a_change_of_frame_at_the_same_point(R, vector) -> None:
    T = np.eye(4)
    T[:3, :3] = R

    turned = twist.rotate_spatial(R, vector)

    assert_allclose(turned, [*(R @ vector[:3]), *(R @ vector[3:])], rtol=0, atol=1e-13)
    assert_array_equal(turned, twist.change_twist_frame(T, vector))
    assert_array_equal(turned, twist.change_wrench_frame(T, vector))


def test_shapes_are_checked() -> None:
    with pytest.raises(ShapeError, match=r"`twist_b` must have shape \(\.\.\., 6\)"):
        twist.change_twist_frame(np.eye(4), np.zeros(3))
    with pytest.raises(ShapeError, match=r"`wrench` must have shape \(\.\.\., 6\)"):
        twist.cross_force(np.zeros(6), np.zeros(3))
