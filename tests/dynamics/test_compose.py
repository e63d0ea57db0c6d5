"""Payloads and attached modules against Pinocchio's own composition."""

import numpy as np
import pinocchio as pin  # pyright: ignore[reportMissingImports]
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, ModelError, NameNotFoundError
from gelenk.models.assembler import assemble
from gelenk.models.catalog import make
from gelenk.models.edit import disassemble, with_attached, with_payload
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from testkit.pinocchio_model import PinocchioRobot
from testkit.random_models import random_inertia, random_pose, random_tree

PUMA = make("puma560")
RNG = np.random.default_rng(0)
Q, QD, QDD = RNG.normal(size=(3, 6))
TENSOR = random_inertia(RNG, 2.0)
COM = np.array([0.02, -0.05, 0.1])


def gripper() -> RobotModel:
    """Return a palm with two sliding fingers, the second following the first."""
    rng = np.random.default_rng(1)
    links = [
        Link(name="palm", mass=0.4, com=(0, 0, 0.03), inertia=random_inertia(rng, 0.4))
    ]
    for name, side, mimic in (("left", 1.0, None), ("right", -1.0, "left")):
        links.append(
            Link(
                name=name,
                parent="palm",
                joint=name,
                joint_type=JointType.PRISMATIC,
                axis=(0, side, 0),
                mass=0.1,
                com=(0, 0, 0.02),
                lower=0.0,
                upper=0.04,
                T_parent_joint=random_pose(rng, 0.05),
                mimic=mimic,
            )
        )
    return assemble("gripper", links, tool="palm")


@pytest.mark.capability("GR-57")
def test_a_payload_is_a_heavier_link() -> None:
    """Oracle: Pinocchio, told to append the payload's body to the last joint."""
    loaded = with_payload(PUMA, "link_6", mass=2.0, com=COM, inertia=TENSOR)
    theirs = PinocchioRobot(PUMA)
    frame = theirs.model.frames[theirs._frame("link_6")]
    theirs.model.appendBodyToJoint(
        frame.parentJoint, pin.Inertia(2.0, COM, TENSOR), frame.placement
    )
    theirs.data = theirs.model.createData()

    assert loaded.mass.sum() == pytest.approx(PUMA.mass.sum() + 2.0)
    tau = loaded.inverse_dynamics(Q, QD, QDD)
    assert_allclose(tau, theirs.inverse_dynamics(Q, QD, QDD), atol=1e-12)
    assert_allclose(loaded.mass_matrix(Q), theirs.mass_matrix(Q), atol=1e-12)


@pytest.mark.capability("GR-55", "GR-57")
def test_at_rest_a_payload_weighs_on_the_joints_like_its_weight() -> None:
    loaded = with_payload(PUMA, "link_6", mass=2.0, com=COM, inertia=TENSOR)
    rest = np.zeros(6)
    R = PUMA.forward(Q)[:3, :3]
    weight = 2.0 * PUMA.gravity
    wrench = np.concatenate([weight, np.cross(R @ COM, weight)])

    tau = loaded.inverse_dynamics(Q, rest, rest)

    added = tau - PUMA.inverse_dynamics(Q, rest, rest)
    assert_allclose(added, -PUMA.jacobian(Q).T @ wrench, atol=1e-12)
    moving = loaded.inverse_dynamics(Q, QD, QDD) - PUMA.inverse_dynamics(Q, QD, QDD)
    assert np.abs(moving - added).max() > 0.1  # in motion it is more than its weight


def test_the_robot_without_payload_stays_as_it_was() -> None:
    before = PUMA.mass.copy()
    with_payload(PUMA, "link_6", mass=2.0)

    np.testing.assert_array_equal(PUMA.mass, before)
    assert with_payload(PUMA, "link_6", mass=0.0) is PUMA
    with pytest.raises(ConfigError, match="payload on 'link_6': the mass -1"):
        with_payload(PUMA, "link_6", mass=-1.0)
    with pytest.raises(ConfigError, match="exceeds the sum"):
        with_payload(PUMA, "link_6", mass=1.0, inertia=np.diag([1.0, 1.0, 3.0]))
    with pytest.raises(NameNotFoundError, match="link_7"):
        with_payload(PUMA, "link_7", mass=1.0)


@pytest.mark.capability("GR-63")
def test_an_arm_with_a_hand_moves_as_pinocchios_appended_model() -> None:
    rng = np.random.default_rng(2)
    T = random_pose(rng, 0.1)
    named = disassemble(random_tree(rng, num_joints=4), prefix="hand_")[0]
    hand = assemble("hand", named)
    arm_model, hand_model = PinocchioRobot(PUMA), PinocchioRobot(hand)
    theirs = pin.appendModel(
        arm_model.model, hand_model.model, arm_model._frame("link_6"), pin.SE3(T)
    )

    whole = with_attached(PUMA, "link_6", hand, T_link_root=T)

    q, qd, qdd = rng.normal(size=(3, 10))
    expected = pin.rnea(theirs, theirs.createData(), q, qd, qdd)
    assert whole.joint_names == (*PUMA.joint_names, *hand.joint_names)
    assert_allclose(whole.inverse_dynamics(q, qd, qdd), expected, atol=1e-10)


@pytest.mark.capability("GR-63")
def test_a_gripper_keeps_its_coupling_and_names_its_tool() -> None:
    whole = with_attached(PUMA, "link_6", gripper(), prefix="g_")

    assert whole.joint_names == (*PUMA.joint_names, "g_left")
    assert whole.tool == "g_palm"
    q = np.concatenate([Q, [0.03]])
    T_palm_right = np.linalg.inv(whole.forward(q, "g_palm")) @ whole.forward(
        q, "g_right"
    )
    assert_allclose(T_palm_right, gripper().forward([0.03], "right"), atol=1e-13)
    bare = gripper()
    assert_allclose(whole.mass.sum(), PUMA.mass.sum() + bare.mass.sum())
    # An untouched arm: with a light and still hand its own part of M stays.
    ghost, _ = disassemble(bare)
    assert [link.name for link in ghost] == ["palm", "left", "right"]


def test_disassembled_and_assembled_again_a_robot_is_the_same() -> None:
    for model in (PUMA, gripper(), make("fourbar"),
                  random_tree(np.random.default_rng(3), num_joints=7, floating=True)):  # fmt: skip
        links, loops = disassemble(model)
        again = assemble(
            model.name, links, loops=loops, tool=model.tool, gravity=model.gravity
        )
        assert again.link_names == model.link_names
        assert again.joint_names == model.joint_names
        for name in ("parent", "T_parent_joint", "axis", "mass", "com", "inertia",
                     "lower", "upper", "mimic", "multiplier", "offset", "home",
                     "damping", "is_passive"):  # fmt: skip
            np.testing.assert_array_equal(getattr(again, name), getattr(model, name))
        assert len(again.loops) == len(model.loops)


def test_names_must_stay_unique() -> None:
    with pytest.raises(ModelError, match="two links named"):
        with_attached(PUMA, "link_6", PUMA)
    twins = with_attached(PUMA, "link_6", PUMA, prefix="second_")
    assert twins.num_joints == 12
