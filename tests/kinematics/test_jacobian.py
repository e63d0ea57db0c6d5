"""Jacobians in all their forms, their derivatives, and the motion of links.

Oracles: Pinocchio's accelerations, central differences on the manifold, published
vectors, and the definition of angular velocity.
"""

from __future__ import annotations

from typing import get_args

import numpy as np
import pinocchio as pin  # pyright: ignore[reportMissingImports]
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gelenk.errors import ModelError, ShapeError
from gelenk.kinematics.forward import frame_pose, link_motion, link_poses, link_twists
from gelenk.kinematics.jacobian import (
    analytic_jacobian,
    body_jacobian,
    jacobian_partials,
    jacobian_rate,
    jacobian_rate_product,
    moved_jacobian,
    point_jacobian,
)
from gelenk.models.assembler import assemble
from gelenk.models.catalog import make
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.spatial.euler import EulerSequence
from gelenk.spatial.rotation_rates import angular_jacobian_from_partials
from testkit.pinocchio_model import PinocchioRobot
from testkit.random_models import random_configuration, random_tree

STEP = 1e-6  # [rad] or [m]; central differences, so the error is O(step^2)


def moved(model: RobotModel, q: np.ndarray, dq: np.ndarray) -> np.ndarray:
    """Return q after a small step, base turned by fixed-axes rotation vector."""
    if not model.has_floating_base:
        return q + dq
    base = Rotation.from_rotvec(dq[3:6]) * Rotation.from_quat(q[3:7], scalar_first=True)
    quat = base.as_quat(scalar_first=True)
    return np.concatenate([q[:3] + dq[:3], quat, q[7:] + dq[6:]])


def random_state(
    seed: int, floating: bool
) -> tuple[RobotModel, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    model = random_tree(rng, num_joints=9, floating=floating)
    return model, random_configuration(rng, model), rng.normal(size=model.nv)


def mimic_arm() -> RobotModel:
    """Three parallel hinges and a slider, the second and fourth follow the first."""
    shift = np.eye(4)
    shift[:3, 3] = 0.3, 0.1, -0.2
    tilt = shift.copy()
    tilt[:3, :3] = Rotation.from_rotvec([0.4, -0.3, 0.2]).as_matrix()
    hinge, slider = JointType.REVOLUTE, JointType.PRISMATIC
    return assemble(
        "mimic arm",
        [
            Link(name="base"),
            Link(name="a", parent="base", joint_type=hinge, joint="a"),
            Link(
                name="b", parent="a", joint_type=hinge, T_parent_joint=shift,
                mimic="a", multiplier=-0.5, offset=0.3,
            ),
            Link(name="c", parent="b", joint_type=hinge, T_parent_joint=tilt),
            Link(
                name="d", parent="c", joint_type=slider, T_parent_joint=shift,
                mimic="a", multiplier=0.7,
            ),
        ],
    )  # fmt: skip


@pytest.mark.capability("GR-36")
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_acceleration_of_every_link_equals_pinocchios(
    seed: int, floating: bool
) -> None:
    model, q, qd = random_state(seed, floating)
    qdd = np.random.default_rng(seed).normal(size=model.nv)
    theirs = PinocchioRobot(model)
    X, body_qdd = theirs._map(q), qdd.copy()
    if floating:
        body_qdd[:3] -= np.cross(qd[3:6], qd[:3])
    pin.forwardKinematics(theirs.model, theirs.data, theirs._q(q), X @ qd, X @ body_qdd)
    pin.updateFramePlacements(theirs.model, theirs.data)
    axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

    twist, acc = link_motion(model, q, qd, qdd)

    for k, name in enumerate(model.link_names):
        v = pin.getFrameVelocity(theirs.model, theirs.data, theirs._frame(name), axes)
        a = pin.getFrameClassicalAcceleration(
            theirs.model, theirs.data, theirs._frame(name), axes
        )
        by_jacobian = model.jacobian(q, name) @ qdd
        by_jacobian += jacobian_rate_product(model, q, qd, frame=name)
        assert_allclose(twist[k], v.vector, rtol=0.0, atol=1e-12)
        assert_allclose(acc[k], a.vector, rtol=0.0, atol=1e-11)
        assert_allclose(by_jacobian, a.vector, rtol=0.0, atol=1e-11)


@pytest.mark.capability("GR-36")
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_partials_are_central_differences_of_the_jacobian(
    seed: int, floating: bool
) -> None:
    model, q, _ = random_state(seed, floating)
    frame = model.link_names[-1]
    H = jacobian_partials(model, q, frame=frame)

    for k, dq in enumerate(STEP * np.eye(model.nv)):
        ahead = model.jacobian(moved(model, q, dq), frame)
        behind = model.jacobian(moved(model, q, -dq), frame)
        assert_allclose(H[:, :, k], (ahead - behind) / (2.0 * STEP), atol=2e-9)


@pytest.mark.capability("GR-36")
@pytest.mark.parametrize("floating", [False, True])
def test_rate_is_the_jacobians_change_along_the_motion(floating: bool) -> None:
    model, q, qd = random_state(7, floating)
    frame = model.link_names[-1]
    ahead = model.jacobian(moved(model, q, STEP * qd), frame)
    behind = model.jacobian(moved(model, q, -STEP * qd), frame)

    J_dot = jacobian_rate(model, q, qd, frame=frame)

    assert_allclose(J_dot, (ahead - behind) / (2.0 * STEP), atol=1e-8)


def test_joints_that_mimic_are_differentiated_through_their_law() -> None:
    model, q, qd = mimic_arm(), np.array([0.4, -0.3]), np.array([0.8, -1.1])
    columns = [
        (model.jacobian(q + dq) - model.jacobian(q - dq)) / (2.0 * STEP)
        for dq in STEP * np.eye(2)
    ]
    expected = np.stack(columns, axis=-1)

    assert_allclose(jacobian_partials(model, q), expected, atol=1e-9)
    assert_allclose(jacobian_rate(model, q, qd), expected @ qd, atol=1e-9)
    assert_allclose(link_twists(model, q, qd)[-1], model.jacobian(q) @ qd, atol=1e-14)


@pytest.mark.capability("GR-33", "GR-34")
def test_angular_velocities_added_along_the_chain_are_the_jacobians() -> None:
    """Damken 2023 §4.1: R = Rz(q1) Rx(q2), and §4.2.1 for a six-joint arm."""
    T_x = np.eye(4)
    z_then_x = assemble(
        "z then x",
        [
            Link(name="base"),
            Link(name="a", parent="base", joint_type=JointType.REVOLUTE),
            Link(
                name="b", parent="a", joint_type=JointType.REVOLUTE,
                T_parent_joint=T_x, axis=(1, 0, 0),
            ),
        ],
    )  # fmt: skip
    omega = link_twists(z_then_x, [0.3, 0.5], [0.7, -0.2])[-1, 3:]
    assert_allclose(omega, [-0.191067, -0.059104, 0.7], atol=1e-6)

    puma = make("puma560")
    q, qd = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8]), np.arange(1.0, 7.0)
    R = link_poses(puma, q)[..., :3, :3]
    total = np.zeros(3)
    for i in range(6):
        before = puma.link_names.index(f"link_{i}" if i else "base")
        total += R[before] @ [0.0, 0.0, qd[i]]  # joint i + 1 turns about z of S_i
    assert_allclose(link_twists(puma, q, qd)[-1, 3:], total, atol=1e-13)


@pytest.mark.capability("GR-33")
def test_angular_jacobian_follows_from_the_partials_of_the_rotation() -> None:
    model, q, _ = random_state(3, floating=False)
    frame = model.link_names[-1]
    partials = [
        (model.forward(q + dq, frame) - model.forward(q - dq, frame))[:3, :3]
        / (2.0 * STEP)
        for dq in STEP * np.eye(model.nv)
    ]
    R = model.forward(q, frame)[:3, :3]

    J_omega = angular_jacobian_from_partials(R, np.array(partials))

    assert_allclose(J_omega, model.jacobian(q, frame)[3:], atol=1e-9)


def test_a_batch_equals_its_elements_one_by_one() -> None:
    rng = np.random.default_rng(0)
    model = random_tree(rng, num_joints=5, floating=True)
    q, qd = random_configuration(rng, model, 3, 2), rng.normal(size=(2, model.nv))
    frame = model.link_names[-1]

    J_dot = jacobian_rate(model, q, qd, frame=frame)
    H = jacobian_partials(model, q, frame=frame)
    twists = link_twists(model, q, qd)

    assert H.shape == (3, 2, 6, model.nv, model.nv)
    for i, j in np.ndindex(3, 2):
        args = model, q[i, j], qd[j]
        np.testing.assert_array_equal(J_dot[i, j], jacobian_rate(*args, frame=frame))
        np.testing.assert_array_equal(twists[i, j], link_twists(*args))
        one = jacobian_partials(model, q[i, j], frame=frame)
        np.testing.assert_array_equal(H[i, j], one)


def test_wrong_shapes_and_loops_are_refused_by_name() -> None:
    arm = make("planar2r")
    with pytest.raises(ShapeError, match=r"`qd` must have shape \(\.\.\., 2\)"):
        jacobian_rate(arm, [0.0, 0.0], [0.0, 0.0, 0.0])
    with pytest.raises(ShapeError, match="with the batch of `qd` "):
        jacobian_rate(arm, np.zeros((3, 2)), np.zeros((2, 2)))
    with pytest.raises(ModelError, match="has loops"):
        jacobian_partials(make("fourbar"), [0.5])


def test_a_robot_without_joints_stands_still() -> None:
    post = assemble("post", [Link(name="base"), Link(name="top", parent="base")])

    assert link_twists(post, np.zeros((3, 0)), np.zeros(0)).shape == (3, 2, 6)
    assert not link_twists(post, np.zeros((3, 0)), np.zeros(0)).any()
    assert jacobian_partials(post, np.zeros(0)).shape == (6, 0, 0)


Q_PUMA = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])


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
