"""Poses against pytransform3d, SciPy's matrix functions and published values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from pytransform3d import transformations as pt
from scipy.linalg import expm
from scipy.spatial.transform import Rotation, Slerp

from gelenk.errors import ConfigError, ShapeError
from gelenk.spatial import se3, so3
from testkit import strategies

poses = strategies.poses()
fractions = st.floats(0.0, 1.0)
# Poses whose rotations are half a turn apart have two ways between them.
NEARLY_HALF_A_TURN = np.pi - 1e-6


@pytest.mark.capability("GR-03", "GR-11", "GR-12")
def test_published_transform_of_a_point_and_its_inverse() -> None:
    T_a_b = se3.pose_from_rotation_translation(so3.rot_z(np.pi / 6.0), [10.0, 5.0, 0.0])

    p_a = se3.transform_point(T_a_b, [3.0, 7.0, 0.0])

    assert_allclose(p_a, [9.098076, 12.562178, 0.0], rtol=0.0, atol=5.1e-7)
    T_b_a = se3.inverse(T_a_b)
    assert_allclose(T_b_a[:3, 3], [-11.160254, 0.669873, 0.0], rtol=0.0, atol=5.1e-7)
    assert_allclose(se3.transform_point(T_b_a, p_a), [3.0, 7.0, 0.0], atol=1e-14)


@pytest.mark.capability("GR-11")
@given(R=strategies.rotations(), p=strategies.positions())
def test_a_pose_holds_its_parts(R: np.ndarray, p: np.ndarray) -> None:
    T = se3.pose_from_rotation_translation(R, p)

    assert_array_equal(T, pt.transform_from(R, p))


@pytest.mark.capability("GR-11")
@given(T_a_b=poses, T_b_c=poses, T_c_d=poses, p_d=strategies.positions())
def test_touching_names_cancel(T_a_b, T_b_c, T_c_d, p_d: np.ndarray) -> None:
    in_b = se3.transform_point(T_b_c, se3.transform_point(T_c_d, p_d))
    in_a = se3.transform_point(T_a_b, in_b)

    T_a_d = se3.compose(T_a_b, T_b_c, T_c_d)

    assert_allclose(se3.transform_point(T_a_d, p_d), in_a, rtol=0.0, atol=1e-13)
    expected = pt.concat(T_c_d, pt.concat(T_b_c, T_a_b))
    assert_allclose(T_a_d, expected, rtol=0.0, atol=1e-13)


def test_no_poses_compose_to_the_identity() -> None:
    assert_array_equal(se3.compose(), np.eye(4))


@pytest.mark.capability("GR-12")
@given(T=poses)
def test_the_inverse_is_numpys(T: np.ndarray) -> None:
    inverse = se3.inverse(T)

    assert_allclose(inverse, np.linalg.inv(T), rtol=0.0, atol=1e-13)
    assert_allclose(inverse @ T, np.eye(4), rtol=0.0, atol=1e-13)
    assert_allclose(T @ inverse, np.eye(4), rtol=0.0, atol=1e-13)


@pytest.mark.capability("GR-03")
@given(T=poses, p=strategies.positions(), v=strategies.positions())
def test_points_are_shifted_and_free_vectors_are_not(T, p, v) -> None:
    moved, turned = se3.transform_point(T, p), se3.transform_vector(T, v)

    assert_allclose(moved, pt.transform(T, [*p, 1.0])[:3], rtol=0.0, atol=1e-13)
    assert_allclose(turned, pt.transform(T, [*v, 0.0])[:3], rtol=0.0, atol=1e-13)
    tip = se3.transform_point(T, p + v)
    assert_allclose(tip - moved, turned, rtol=0.0, atol=1e-13)


@pytest.mark.capability("GR-03")
def test_one_pose_moves_a_cloud_as_it_moves_each_point() -> None:
    rng = np.random.default_rng(0)
    T = pt.random_transform(rng)
    cloud = rng.normal(size=(5, 7, 3))

    moved = se3.transform_point(T, cloud)

    assert moved.shape == (5, 7, 3)
    for index in np.ndindex(5, 7):
        one = T[:3, :3] @ cloud[index] + T[:3, 3]
        assert_allclose(moved[index], one, rtol=0.0, atol=1e-15)


def test_poses_are_told_from_other_matrices() -> None:
    T = np.tile(pt.random_transform(np.random.default_rng(0)), (7, 1, 1))
    T[1, 3, 0] = 1e-3
    T[2, 3, 3] = 2.0
    T[3, 0, 3] = np.nan
    T[4, :3, 0] *= -1.0
    T[5, 1, 3] = np.inf
    T[6, 3, 1] = -1e-3

    assert_array_equal(se3.is_pose(T), [True] + [False] * 6)


@given(twist=strategies.twists())
def test_exponential_agrees_with_scipy_and_pytransform3d(twist: np.ndarray) -> None:
    generator = np.zeros((4, 4))
    generator[:3, :3] = np.cross(twist[3:], np.eye(3)).T
    generator[:3, 3] = twist[:3]

    T = se3.exp(twist)

    assert_allclose(T, expm(generator), rtol=0.0, atol=1e-12)
    angular_first = np.concatenate([twist[3:], twist[:3]])
    expected = pt.transform_from_exponential_coordinates(angular_first)
    assert_allclose(T, expected, rtol=0.0, atol=1e-12)


@given(T=poses)
def test_exponential_undoes_the_logarithm(T: np.ndarray) -> None:
    twist = se3.log(T)

    assert_allclose(se3.exp(twist), T, rtol=0.0, atol=1e-13)
    assert np.linalg.norm(twist[3:]) <= np.pi + 1e-15


@given(twist=strategies.twists())
def test_logarithm_undoes_the_exponential_below_half_a_turn(twist: np.ndarray) -> None:
    twist[3:] *= 1.0 - 1e-9

    assert_allclose(se3.log(se3.exp(twist)), twist, rtol=0.0, atol=1e-13)


@given(T_0=poses, T_1=poses)
def test_the_difference_is_a_body_twist(T_0: np.ndarray, T_1: np.ndarray) -> None:
    d = se3.difference(T_1, T_0)

    assert_allclose(T_0 @ se3.exp(d), T_1, rtol=0.0, atol=1e-12)


@given(T_0=poses, T_1=poses, s=fractions)
def test_screw_motion_moves_along_one_screw_at_constant_speed(T_0, T_1, s) -> None:
    between = se3.interpolate_screw(T_0, T_1, s)

    assert_allclose(se3.interpolate_screw(T_0, T_1, 0.0), T_0, rtol=0.0, atol=1e-12)
    assert_allclose(se3.interpolate_screw(T_0, T_1, 1.0), T_1, rtol=0.0, atol=1e-12)
    whole, part = se3.difference(T_1, T_0), se3.difference(between, T_0)
    if s < 0.999:  # the part is then less than half a turn and has one logarithm
        assert_allclose(part, s * whole, rtol=0.0, atol=1e-12)


@given(T_0=poses, T_1=poses, T=poses, s=fractions)
def test_screw_motion_is_the_same_in_every_frame(T_0, T_1, T, s: float) -> None:
    if se3.rotation_distance(T_0, T_1) > NEARLY_HALF_A_TURN:
        return
    between = se3.interpolate_screw(T_0, T_1, s)

    moved_world = se3.interpolate_screw(T @ T_0, T @ T_1, s)
    moved_body = se3.interpolate_screw(T_0 @ T, T_1 @ T, s)

    assert_allclose(moved_world, T @ between, rtol=0.0, atol=1e-8)
    assert_allclose(moved_body, between @ T, rtol=0.0, atol=1e-8)


@given(T_0=poses, T_1=poses, s=fractions)
def test_decoupled_motion_is_a_straight_line_and_a_slerp(T_0, T_1, s: float) -> None:
    between = se3.interpolate_decoupled(T_0, T_1, s)

    line = T_0[:3, 3] + s * (T_1[:3, 3] - T_0[:3, 3])
    assert_allclose(between[:3, 3], line, rtol=0.0, atol=1e-14)
    assert se3.is_pose(between)
    total = se3.rotation_distance(T_0, T_1)
    turned = float(se3.rotation_distance(T_0, between))
    assert turned == pytest.approx(s * float(total), abs=1e-14)
    if total < NEARLY_HALF_A_TURN:
        ends = Rotation.from_matrix(np.stack([T_0[:3, :3], T_1[:3, :3]]))
        expected = Slerp([0.0, 1.0], ends)(s).as_matrix()
        assert_allclose(between[:3, :3], expected, rtol=0.0, atol=1e-8)


def test_a_quarter_circle_by_screw_and_its_chord_by_decoupled_motion() -> None:
    """From (1, 0) to (0, 1) with a quarter turn: on the circle, or on its chord."""
    T_0 = se3.pose_from_rotation_translation(np.eye(3), [1.0, 0.0, 0.0])
    T_1 = se3.pose_from_rotation_translation(so3.rot_z(np.pi / 2.0), [0.0, 1.0, 0.0])

    arc = se3.interpolate_screw(T_0, T_1, 0.5)
    chord = se3.interpolate_decoupled(T_0, T_1, 0.5)

    half = np.sqrt(0.5)
    assert_allclose(arc[:3, 3], [half, half, 0.0], rtol=0.0, atol=1e-15)
    assert_allclose(chord[:3, 3], [0.5, 0.5, 0.0], rtol=0.0, atol=1e-15)
    for middle in (arc, chord):
        assert_allclose(middle[:3, :3], so3.rot_z(np.pi / 4.0), rtol=0.0, atol=1e-15)


@given(T_a=poses, T_b=poses, T=poses, length=st.floats(0.0, 10.0))
def test_distances_are_symmetric_and_the_same_in_every_world(T_a, T_b, T, length):
    distance = se3.distance(T_a, T_b, length=length)

    relative = Rotation.from_matrix(T_a[:3, :3].T @ T_b[:3, :3])
    expected = np.hypot(
        np.linalg.norm(T_a[:3, 3] - T_b[:3, 3]), length * relative.magnitude()
    )
    assert distance == pytest.approx(expected, abs=1e-13)
    assert distance == pytest.approx(
        float(se3.distance(T_b, T_a, length=length)), abs=1e-13
    )
    moved = se3.distance(T @ T_a, T @ T_b, length=length)
    assert distance == pytest.approx(float(moved), abs=1e-12)


@given(T=poses)
def test_vectors_for_files_hold_the_quaternion_first(T: np.ndarray) -> None:
    vector = se3.vector_from_pose(T)

    expected = pt.pq_from_transform(T)  # position first
    sign = 1.0 if expected[3:] @ vector[:4] > 0.0 else -1.0
    assert_allclose(vector[:4], sign * expected[3:], rtol=0.0, atol=1e-14)
    assert_array_equal(vector[4:], expected[:3])
    assert vector[0] >= 0.0
    assert_allclose(se3.pose_from_vector(vector), T, rtol=0.0, atol=1e-14)


def test_a_vector_without_orientation_is_refused() -> None:
    with pytest.raises(ConfigError, match="`quat` must not be zero"):
        se3.pose_from_vector(np.zeros(7))


def test_shapes_are_checked() -> None:
    with pytest.raises(ShapeError, match=r"`T_a_b` must have shape \(\.\.\., 4, 4\)"):
        se3.inverse(np.eye(3))
    with pytest.raises(ShapeError, match=r"`twist` must have shape \(\.\.\., 6\)"):
        se3.exp(np.zeros(3))
