"""URDF files read by us and by Pinocchio, and files we write read by Pinocchio."""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from gelenk.models import catalog
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.models.urdf import model_from_urdf
from gelenk.models.urdf_write import urdf_from_model
from robot_files import URDF, world_poses
from testkit.random_models import random_tree

TOLERANCE = 1e-12  # [m] and rad; measured: 1e-14 and below


def random_state(
    theirs: Any, rng: np.random.Generator
) -> tuple[np.ndarray, dict[str, float], np.ndarray | None]:
    """A configuration: Pinocchio's, our joint values by name, and the base pose."""
    q = pin.neutral(theirs)
    values: dict[str, float] = {}
    base = None
    for j in range(1, theirs.njoints):
        joint, name = theirs.joints[j], theirs.names[j]
        if joint.nq == 7:
            quat = rng.normal(size=4)
            q[joint.idx_q : joint.idx_q + 3] = rng.normal(size=3)
            q[joint.idx_q + 3 : joint.idx_q + 7] = quat / np.linalg.norm(quat)
            base = pin.XYZQUATToSE3(q[joint.idx_q : joint.idx_q + 7]).homogeneous
            base = theirs.jointPlacements[j].homogeneous @ base
        elif joint.nq == 2:  # a turn without limits: cosine and sine
            value = float(rng.uniform(-3.0, 3.0))
            q[joint.idx_q : joint.idx_q + 2] = np.cos(value), np.sin(value)
            values[name] = value
        else:
            value = float(rng.uniform(-1.0, 1.0))
            q[joint.idx_q] = value
            values[name] = value
    return q, values, base


def coupled(
    ours: RobotModel, theirs: Any, q: np.ndarray, values: dict[str, float]
) -> np.ndarray:
    """`q` with the followers placed, which Pinocchio's reader leaves independent."""
    for i in np.flatnonzero(ours.mimic >= 0):
        followed = values[ours.joint_names_all[ours.mimic[i]]]
        value = ours.multiplier[i] * followed + ours.offset[i]
        joint = theirs.joints[theirs.getJointId(ours.joint_names_all[i])]
        is_turn = joint.nq == 2
        q[joint.idx_q : joint.idx_q + joint.nq] = (
            (np.cos(value), np.sin(value)) if is_turn else value
        )
    return q


def is_carried(model: RobotModel) -> np.ndarray:
    """Whether each link moves with a joint; Pinocchio forgets the masses of others."""
    moves = model.joint_type != JointType.FIXED
    for i in range(1, len(moves)):
        moves[i] |= moves[model.parent[i]]
    return moves


def assert_same_robot(ours: RobotModel, text: str, *, seed: int = 0) -> None:
    """Compare link poses, mass, its centre and the mass matrix with Pinocchio's."""
    theirs = pin.buildModelFromXML(text)
    data = theirs.createData()
    rng = np.random.default_rng(seed)
    carried = is_carried(ours)
    points = np.concatenate([ours.com, np.ones((len(ours.com), 1))], axis=1)
    for _ in range(4):
        q, values, base = random_state(theirs, rng)
        q = coupled(ours, theirs, q, values)
        pin.framesForwardKinematics(theirs, data, q)

        poses = world_poses(ours, values, base)

        for name, T in poses.items():
            frame = theirs.getFrameId(name, pin.FrameType.BODY)
            expected = data.oMf[frame].homogeneous
            np.testing.assert_allclose(
                T, expected, rtol=0, atol=TOLERANCE, err_msg=name
            )
        mass = ours.mass[carried]
        assert mass.sum() == pytest.approx(pin.computeTotalMass(theirs), rel=1e-14)
        if mass.sum() > 0.0:
            centres = np.einsum("nij,nj->ni", np.stack(list(poses.values())), points)
            centre = np.average(centres[carried, :3], axis=0, weights=mass)
            expected = pin.centerOfMass(theirs, data, q)
            np.testing.assert_allclose(centre, expected, rtol=0.0, atol=TOLERANCE)
        if base is None and mass.sum() > 0.0:
            assert_same_mass_matrix(ours, theirs, q, values)


def assert_same_mass_matrix(
    ours: RobotModel, theirs: Any, q: np.ndarray, values: dict[str, float]
) -> None:
    """This sees the inertia tensors: their values, their axes and their place."""
    share = np.zeros((theirs.nv, ours.num_joints))  # qd of Pinocchio per qd of ours
    for i in np.flatnonzero(np.isin(ours.joint_type, [1, 2])):
        source = int(ours.mimic[i]) if ours.mimic[i] >= 0 else int(i)
        column = ours.joint_names.index(ours.joint_names_all[source])
        row = theirs.joints[theirs.getJointId(ours.joint_names_all[i])].idx_v
        share[row, column] = ours.multiplier[i] if ours.mimic[i] >= 0 else 1.0
    M = pin.crba(theirs, theirs.createData(), q)
    M = np.triu(M) + np.triu(M, 1).T
    expected = share.T @ M @ share
    found = ours.mass_matrix([values[name] for name in ours.joint_names])
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=TOLERANCE)


def standard(text: str) -> str:
    """The example without the capsule, which urdfdom does not know."""
    return text.replace('<capsule radius="0.05" length="0.8"/>', '<sphere radius="1"/>')


def test_pinocchio_and_we_read_the_same_robot_from_a_file_with_everything() -> None:
    assert_same_robot(model_from_urdf(URDF), standard(URDF))


@pytest.mark.parametrize("seed", range(8))
def test_pinocchio_reads_what_we_write_as_the_same_robot(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = random_tree(rng, num_joints=9, floating=seed % 2 == 1)

    assert_same_robot(model, urdf_from_model(model), seed=seed)


@pytest.mark.filterwarnings("ignore::gelenk.errors.ModelWarning")  # ellipsoids, moments
@pytest.mark.parametrize("name", catalog.names())
def test_pinocchio_reads_every_robot_of_the_catalogue(name: str) -> None:
    model = catalog.make(name)
    text = urdf_from_model(model, loops="drop")

    assert_same_robot(model_from_urdf(text), text)


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2])
@pytest.mark.parametrize("offset", [0.0, 1e-16, 1e-13, 1e-9, 1e-7, 1e-4])
def test_rotations_near_the_gimbal_lock_survive_the_file(
    pitch: float, offset: float
) -> None:
    for sign in (-1.0, 1.0):
        R = pin.rpy.rpyToMatrix(0.7, pitch + sign * offset, -2.1)
        T = np.eye(4)
        T[:3, :3] = R
        links = [Link(name="a"), Link(name="b", parent="a", T_parent_joint=T)]

        text = urdf_from_model(assemble("tilted", links))

        theirs = pin.buildModelFromXML(text)
        frame = theirs.frames[theirs.getFrameId("b", pin.FrameType.BODY)]
        np.testing.assert_allclose(frame.placement.rotation, R, rtol=0, atol=2e-15)
        ours = model_from_urdf(text).T_parent_joint[1, :3, :3]
        np.testing.assert_allclose(ours, R, rtol=0, atol=1e-15)
