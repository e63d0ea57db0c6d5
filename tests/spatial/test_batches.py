"""Every function over batches: equal to one by one, empty, and broadcast."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gelenk.spatial import (
    angles,
    euler,
    plane_angles,
    quaternion,
    rotation_forms,
    rotation_rates,
    se3,
    so3,
    twist,
    vectors,
)

SHAPE = (2, 3)
RNG = np.random.default_rng(12)
ROTATION = Rotation.random(6, rng=RNG)
R = ROTATION.as_matrix().reshape(*SHAPE, 3, 3)
Q = ROTATION.as_quat(scalar_first=True).reshape(*SHAPE, 4)
V = RNG.normal(size=(*SHAPE, 3))
S = RNG.normal(size=SHAPE)
W = RNG.normal(size=(*SHAPE, 6))
T = np.zeros((*SHAPE, 4, 4))
T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = R, V, 1.0
V_BACK = V[::-1] * np.linalg.norm(V, axis=-1, keepdims=True)
V_BACK /= np.linalg.norm(V[::-1], axis=-1, keepdims=True)

CASES = {
    "wrap_angle": (angles.wrap_angle, S),
    "angle_difference": (angles.angle_difference, S, S[::-1]),
    "cross": (vectors.cross, V, V[::-1]),
    "norm": (vectors.norm, V),
    "normalize": (vectors.normalize, V),
    "angle_between_vectors": (vectors.angle_between, V, V[::-1]),
    "skew": (vectors.skew, V),
    "unskew": (vectors.unskew, R),
    "rot_x": (so3.rot_x, S),
    "rot_y": (so3.rot_y, S),
    "rot_z": (so3.rot_z, S),
    "rotation_about": (so3.rotation_about, V, S),
    "so3_exp": (so3.exp, V),
    "so3_log": (so3.log, R),
    "is_rotation": (so3.is_rotation, R + 1e-9 * (np.arange(6).reshape(2, 3, 1, 1) % 2)),
    "orthonormalize": (so3.orthonormalize, R + 0.1),
    "chain": (lambda a, b: so3.chain([a, b], frame="fixed"), R, R[::-1]),
    "angle_between": (so3.angle_between, R, R[::-1]),
    "rotation_rate": (rotation_rates.rotation_rate_from_omega, R, V),
    "omega": (rotation_rates.omega_from_rotation_rate, R, R[::-1]),
    "left_jacobian": (rotation_rates.left_jacobian, V),
    "left_jacobian_inverse": (rotation_rates.left_jacobian_inverse, V),
    "multiply": (quaternion.multiply, Q, Q[::-1]),
    "conjugate": (quaternion.conjugate, Q),
    "quaternion_inverse": (quaternion.inverse, Q),
    "quaternion_normalize": (quaternion.normalize, 2.0 * Q),
    "canonical": (quaternion.canonical, Q),
    "from_matrix": (quaternion.quaternion_from_matrix, R),
    "to_matrix": (quaternion.matrix_from_quaternion, Q),
    "rotate": (quaternion.rotate, Q, V),
    "quaternion_exp": (quaternion.exp, V),
    "quaternion_log": (quaternion.log, Q),
    "slerp": (quaternion.slerp, Q, Q[::-1], S),
    "derivative": (quaternion.derivative, Q, V),
    "integrate": (quaternion.integrate, Q, V, S),
    "difference": (quaternion.difference, Q, Q[::-1]),
    "to_xyzw": (quaternion.xyzw_from_quaternion, Q),
    "axis": (lambda R: rotation_forms.axis_angle_from_matrix(R).axis, R),
    "angle": (lambda R: rotation_forms.axis_angle_from_matrix(R).angle, R),
    "from_axis_angle": (rotation_forms.quaternion_from_axis_angle, V, S),
    "from_euler": (lambda a: euler.matrix_from_euler(a, "zxz", axes="intrinsic"), V),
    "to_euler": (
        lambda R: euler.euler_from_matrix(R, "xzy", axes="extrinsic").second,
        R,
    ),
    "rate_matrix": (lambda a: euler.rate_matrix(a, "yxz", axes="extrinsic"), V),
    "plane_angles": (
        lambda R: plane_angles.plane_angles_from_matrix(R, order="forward").angles,
        R,
    ),
    "from_plane_angles": (
        lambda a: plane_angles.matrix_from_plane_angles(a, order="reverse"),
        V,
    ),
    "map_point": (
        lambda a, b: plane_angles.angles_to_map_point(a, b, order="forward").angle_xz,
        V,
        V_BACK,
    ),
    "pose": (se3.pose_from_rotation_translation, R, V),
    "compose": (se3.compose, T, T[::-1]),
    "inverse": (se3.inverse, T),
    "transform_point": (se3.transform_point, T, V),
    "transform_vector": (se3.transform_vector, T, V),
    "is_pose": (se3.is_pose, T),
    "se3_exp": (se3.exp, W),
    "se3_log": (se3.log, T),
    "se3_difference": (se3.difference, T, T[::-1]),
    "interpolate_screw": (se3.interpolate_screw, T, T[::-1], S),
    "interpolate_decoupled": (se3.interpolate_decoupled, T, T[::-1], S),
    "distance": (lambda a, b: se3.distance(a, b, length=0.5), T, T[::-1]),
    "vector_from_pose": (se3.vector_from_pose, T),
    "adjoint": (twist.adjoint, T),
    "wrench_adjoint": (twist.wrench_adjoint, T),
    "change_twist_frame": (twist.change_twist_frame, T, W),
    "change_wrench_frame": (twist.change_wrench_frame, T, W),
    "rotate_spatial": (twist.rotate_spatial, R, W),
    "cross_motion": (twist.cross_motion, W, W[::-1]),
    "cross_force": (twist.cross_force, W, W[::-1]),
    "motion_cross_matrix": (twist.motion_cross_matrix, W),
    "power": (twist.power, W, W[::-1]),
}


@pytest.mark.parametrize("name", CASES)
def test_a_batch_equals_its_elements_one_by_one(name: str) -> None:
    function, *arguments = CASES[name]

    batch = function(*arguments)

    assert batch.shape[:2] == SHAPE
    for index in np.ndindex(SHAPE):
        one = function(*(argument[index] for argument in arguments))
        assert_allclose(batch[index], one, rtol=0.0, atol=4e-15)


@pytest.mark.parametrize("name", CASES)
def test_an_empty_batch_gives_an_empty_batch(name: str) -> None:
    function, *arguments = CASES[name]
    full = function(*arguments)

    empty = function(*(argument[:0] for argument in arguments))

    assert empty.shape == (0, *full.shape[1:])


# Points and their targets must be equally far from the origin, pair by pair.
BROADCASTING = [name for name in CASES if len(CASES[name]) > 2 and name != "map_point"]


@pytest.mark.parametrize("name", BROADCASTING)
def test_batch_axes_broadcast(name: str) -> None:
    function, first, *others = CASES[name]
    single = [other[0, 0] for other in others]

    batch = function(first[:, :1], *single)

    for row in range(2):
        one = function(first[row, 0], *single)
        assert batch.shape == (2, 1, *one.shape)
        assert_allclose(batch[row, 0], one, rtol=0.0, atol=4e-15)


def test_nothing_changes_its_arguments() -> None:
    for function, *arguments in CASES.values():
        before = [argument.copy() for argument in arguments]
        function(*arguments)
        for argument, copy in zip(arguments, before, strict=True):
            assert (argument == copy).all()
