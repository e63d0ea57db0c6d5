"""ArmBot's plane angles and the rotation between two points.

Oracles: the matrices as printed in the paper (with its slip in r22 corrected), SciPy's
rotations about z, -y and x, and the images of points.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError
from gelenk.spatial import plane_angles as rt
from gelenk.spatial import se3
from testkit import strategies

ORDERS = ("forward", "reverse")
EXAMPLE = np.deg2rad([30.0, 20.0, 10.0])

triples = st.tuples(*[st.floats(-np.pi, np.pi)] * 3).map(np.array)


def scipy_matrix(angles: np.ndarray, order: str) -> np.ndarray:
    """Turn about z, -y, x one after the other, by fixed axes, in the stated order."""
    about_fixed_axes = angles * [1.0, -1.0, 1.0]
    if order == "forward":
        return Rotation.from_euler("zyx", about_fixed_axes).as_matrix()
    return Rotation.from_euler("xyz", about_fixed_axes[..., ::-1]).as_matrix()


def printed_matrix(angles: np.ndarray, order: str) -> list[list[float]]:
    (ca, cb, cc), (sa, sb, sc) = np.cos(angles), np.sin(angles)
    if order == "forward":
        return [
            [ca * cb, -sa * cb, -sb],
            [sa * cc - ca * sb * sc, ca * cc + sa * sb * sc, -cb * sc],
            [sa * sc + ca * sb * cc, ca * sc - sa * sb * cc, cb * cc],
        ]
    return [
        [ca * cb, -ca * sb * sc - sa * cc, -ca * sb * cc + sa * sc],
        [sa * cb, -sa * sb * sc + ca * cc, -sa * sb * cc - ca * sc],
        [sb, cb * sc, cb * cc],
    ]


@pytest.mark.capability("AB-177")
def test_each_plane_turns_its_first_axis_towards_its_second() -> None:
    e_x, e_y, e_z = np.eye(3)
    quarter = np.pi / 2.0

    assert_allclose(rt.rotation_xy(quarter) @ e_x, e_y, rtol=0.0, atol=1e-15)
    assert_allclose(rt.rotation_xz(quarter) @ e_x, e_z, rtol=0.0, atol=1e-15)
    assert_allclose(rt.rotation_yz(quarter) @ e_y, e_z, rtol=0.0, atol=1e-15)


@pytest.mark.capability("AB-177")
@pytest.mark.parametrize("order", ORDERS)
@given(angles=triples)
def test_matrices_are_the_printed_ones(order, angles: np.ndarray) -> None:
    R = rt.matrix_from_plane_angles(angles, order=order)

    assert_allclose(R, printed_matrix(angles, order), rtol=0.0, atol=1e-15)
    assert_allclose(R, scipy_matrix(angles, order), rtol=0.0, atol=2e-15)


@pytest.mark.capability("AB-177")
def test_published_matrices_of_both_orders() -> None:
    forward = [
        [0.813797681, -0.469846310, -0.342020143],
        [0.440969611, 0.882564119, -0.163175911],
        [0.378522306, -0.018028311, 0.925416578],
    ]
    reverse = [
        [0.813797681, -0.543838142, -0.204874129],
        [0.469846310, 0.823172945, -0.318795778],
        [0.342020143, 0.163175911, 0.925416578],
    ]

    R = rt.matrix_from_plane_angles(EXAMPLE, order="forward")
    assert_allclose(R, forward, rtol=0.0, atol=5.1e-10)
    R = rt.matrix_from_plane_angles(EXAMPLE, order="reverse")
    assert_allclose(R, reverse, rtol=0.0, atol=5.1e-10)


@pytest.mark.capability("AB-176")
def test_a_point_is_turned_in_xy_then_xz_then_yz_and_then_shifted() -> None:
    R = rt.matrix_from_plane_angles(EXAMPLE, order="forward")
    T = se3.pose_from_rotation_translation(R, [10.0, 20.0, 30.0])
    by_hand = np.array([1.0, 2.0, 3.0])
    for (i, j), angle in zip([(0, 1), (0, 2), (1, 2)], EXAMPLE, strict=True):
        turned = (by_hand[i] + 1j * by_hand[j]) * np.exp(1j * angle)
        by_hand[i], by_hand[j] = turned.real, turned.imag
    by_hand += [10.0, 20.0, 30.0]

    p = se3.transform_point(T, [1.0, 2.0, 3.0])

    assert_allclose(p, by_hand, rtol=0.0, atol=1e-14)
    assert_allclose(p, [8.848045, 21.716570, 33.118715], rtol=0.0, atol=5.1e-7)


@pytest.mark.capability("AB-178", "AB-179")
def test_published_angles_of_one_matrix_in_the_other_order() -> None:
    R = rt.matrix_from_plane_angles(EXAMPLE, order="forward")

    same = rt.plane_angles_from_matrix(R, order="forward").angles
    other = rt.plane_angles_from_matrix(R, order="reverse").angles

    assert_allclose(same, EXAMPLE, rtol=0.0, atol=1e-15)
    expected = [28.451775, 22.242181, -1.116055]
    assert_allclose(np.rad2deg(other), expected, rtol=0.0, atol=5.1e-7)


@pytest.mark.capability("AB-178", "AB-179")
@pytest.mark.parametrize("order", ORDERS)
def test_angles_come_back_from_2000_random_matrices(order) -> None:
    angles = np.random.default_rng(6).uniform(-np.pi, np.pi, size=(2000, 3))
    angles[:, 1] /= 2.0

    result = rt.plane_angles_from_matrix(scipy_matrix(angles, order), order=order)

    beside_the_pole = np.cos(angles[:, 1])
    error = np.abs(result.angles - angles).max(axis=1)
    assert (error * beside_the_pole).max() < 2e-15
    assert not result.singular.any()


@pytest.mark.capability("AB-178", "AB-179")
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("pole", [np.pi / 2.0, -np.pi / 2.0])
@pytest.mark.parametrize("gap", [0.0, 1e-15, 1e-12, 1e-10, 1e-8, 1e-6, 1e-3])
def test_noisy_matrices_at_and_beside_gimbal_lock_are_reproduced(
    order, pole: float, gap: float
) -> None:
    rng = np.random.default_rng(7)
    angles = rng.uniform(-np.pi, np.pi, size=(200, 3))
    angles[:, 1] = pole - np.sign(pole) * gap
    detour = Rotation.random(200, rng=rng).as_matrix()
    R = (scipy_matrix(angles, order) @ detour) @ detour.swapaxes(-1, -2)

    result = rt.plane_angles_from_matrix(R, order=order)

    error = np.abs(scipy_matrix(result.angles, order) - R).max()
    assert error < (2e-12 if gap <= 1e-12 else 5e-15)
    assert (np.abs(result.angles[:, 1]) <= np.pi / 2.0).all()
    if gap < 1e-12:
        assert result.singular.all()
        assert not result.angles[:, 2].any()
    if gap > 1e-12:
        assert not result.singular.any()


@pytest.mark.capability("AB-178", "AB-179")
@pytest.mark.parametrize("order", ORDERS)
@given(R=strategies.rotations())
def test_every_kind_of_rotation_is_reproduced(order, R: np.ndarray) -> None:
    result = rt.plane_angles_from_matrix(R, order=order)

    assert_allclose(scipy_matrix(result.angles, order), R, rtol=0.0, atol=2e-12)
    assert (np.abs(result.angles) <= np.pi).all()
    assert not np.signbit(result.angles[result.angles == 0.0]).any()


def mapped(result: rt.PointMapResult, p: np.ndarray, order: str) -> np.ndarray:
    """Apply both solutions to the points, by SciPy: shape (..., 2, 3)."""
    angles = np.stack(
        [result.angle_xy, result.angle_xz, np.zeros_like(result.angle_xy)], axis=-1
    )
    R = scipy_matrix(angles.reshape(-1, 3), order).reshape(*angles.shape, 3)
    return (R @ p[..., None, :, None])[..., 0]


@pytest.mark.capability("AB-180", "AB-181")
def test_published_angles_between_two_points() -> None:
    p, p_target = np.array([3.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])

    forward = rt.angles_to_map_point(p, p_target, order="forward")
    reverse = rt.angles_to_map_point(p, p_target, order="reverse")

    close = {"rtol": 0.0, "atol": 5.1e-7}
    assert_allclose(np.rad2deg(forward.angle_xy), [20.796572, 122.333531], **close)
    assert_allclose(np.rad2deg(forward.angle_xz), [32.333531, -69.203428], **close)
    assert_allclose(np.rad2deg(reverse.angle_xz), [22.619865, 90.0], **close)
    assert_allclose(np.rad2deg(reverse.angle_xy), [36.869898, -90.0], **close)
    assert forward.status is reverse.status is rt.PointMapStatus.SOLVED


@pytest.mark.capability("AB-180", "AB-181")
@pytest.mark.parametrize("order", ORDERS)
def test_both_solutions_map_every_point_that_can_be_mapped(order) -> None:
    rng = np.random.default_rng(8)
    p, p_target = rng.normal(size=(2, 4000, 3))
    p_target *= (np.linalg.norm(p, axis=1) / np.linalg.norm(p_target, axis=1))[:, None]
    side = 1 if order == "forward" else 2
    reach = np.hypot(p[:, 0], p[:, side])

    result = rt.angles_to_map_point(p, p_target, order=order)

    images, ok = mapped(result, p, order), result.solvable
    error = np.abs(images[ok] - p_target[ok][:, None]).max()
    assert error < 2e-14
    assert_array_equal(ok, np.abs(p_target[:, side]) <= reach)
    assert np.isnan(result.angle_xy[~ok]).all()
    assert np.isnan(result.angle_xz[~ok]).all()
    assert result.status is rt.PointMapStatus.NO_SOLUTION
    assert 0.19 < np.mean(~ok) < 0.23  # about 21 % of random pairs have no solution
    for angle in (result.angle_xy[ok], result.angle_xz[ok]):
        assert (angle >= -np.pi).all()
        assert (angle < np.pi).all()


@pytest.mark.capability("AB-180", "AB-181")
@pytest.mark.parametrize("order", ORDERS)
@given(u=strategies.unit_vectors(), length=st.floats(1e-3, 1e3))
def test_points_on_the_x_axis_reach_every_direction(
    order, u: np.ndarray, length: float
) -> None:
    p = np.array([length, 0.0, 0.0])

    result = rt.angles_to_map_point(p, length * u, order=order)

    assert result.solvable
    error = np.abs(mapped(result, p, order) - length * u / np.linalg.norm(u)).max()
    assert error < 2e-15 * length  # also beside the pole, where x' is small


@pytest.mark.capability("AB-180")
def test_solution_one_keeps_the_point_in_front_and_two_turns_it_behind() -> None:
    p, p_target = [1.0, 0.0, 0.0], [0.6, 0.0, 0.8]

    result = rt.angles_to_map_point(p, p_target, order="forward")

    expected_xy, expected_xz = [0.0, -np.pi], [np.arctan2(0.8, 0.6)] * 2
    expected_xz[1] -= np.pi
    assert_allclose(result.angle_xy, expected_xy, rtol=0.0, atol=1e-15)
    assert_allclose(result.angle_xz, expected_xz, rtol=0.0, atol=1e-15)


@pytest.mark.capability("AB-180", "AB-181")
@pytest.mark.parametrize("order", ORDERS)
def test_at_the_edge_of_reach_rounding_does_not_deny_the_solution(order) -> None:
    rng = np.random.default_rng(9)
    p = rng.normal(size=(500, 3))
    side, last = (1, 2) if order == "forward" else (2, 1)
    # The target has all of the reach in its side coordinate: x' is zero.
    p_target = np.zeros_like(p)
    p_target[:, side] = np.hypot(p[:, 0], p[:, side])
    p_target[:, last] = p[:, last]

    result = rt.angles_to_map_point(p, p_target, order=order)

    assert result.solvable.all()
    error = np.abs(mapped(result, p, order) - p_target[:, None]).max()
    assert error < 1e-12
    too_far = p_target.copy()
    too_far[:, side] *= 1.001
    too_far *= (np.linalg.norm(p, axis=1) / np.linalg.norm(too_far, axis=1))[:, None]
    assert not rt.angles_to_map_point(p, too_far, order=order).solvable.any()


@pytest.mark.capability("AB-180", "AB-181")
@pytest.mark.parametrize("order", ORDERS)
def test_points_at_different_distances_are_a_mistake(order) -> None:
    p = np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])

    with pytest.raises(ConfigError, match=r"equally far .* got 2 m and 2\.00001 m"):
        rt.angles_to_map_point(p, [[0, 1, 0], [0, 2.00001, 0]], order=order)


@pytest.mark.capability("AB-180", "AB-181")
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("factor", [1.0 - 9e-7, 1.0 + 9e-7])
def test_of_a_target_at_nearly_the_same_distance_only_the_direction_counts(
    order, factor: float
) -> None:
    p = np.array([[3.0, 1.0, 2.0], [2.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    p_target = np.array([[1.0, 2.0, 3.0], [0.0, 2.0, 0.0], [0.0, 0.0, -2.0]])

    result = rt.angles_to_map_point(p, factor * p_target, order=order)

    assert result.solvable.all()
    error = np.abs(mapped(result, p, order) - p_target[:, None]).max()
    assert error < 5e-15


def test_the_origin_maps_to_itself_without_turning() -> None:
    result = rt.angles_to_map_point(np.zeros(3), np.zeros(3), order="forward")

    assert result.solvable
    assert result.angle_xy[0] == result.angle_xz[0] == 0.0


def test_unknown_orders_are_refused() -> None:
    for call in (
        lambda: rt.matrix_from_plane_angles(EXAMPLE, order="xyz"),
        lambda: rt.plane_angles_from_matrix(np.eye(3), order="xyz"),
        lambda: rt.angles_to_map_point(EXAMPLE, EXAMPLE, order="xyz"),
    ):
        with pytest.raises(ConfigError, match="'forward' or 'reverse', got 'xyz'"):
            call()
