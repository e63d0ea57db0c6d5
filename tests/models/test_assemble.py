"""What `assemble` accepts, orders and refuses; every message names the element."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, ModelError, NameNotFoundError, ShapeError
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link, Loop
from testkit.random_models import random_tree

R, P = JointType.REVOLUTE, JointType.PRISMATIC


def arm(**changes: object) -> list[Link]:
    tip = {"name": "tip", "parent": "upper", "joint_type": R, **changes}
    return [
        Link(name="base"),
        Link(name="upper", parent="base", joint="shoulder", joint_type=R),
        Link(**tip),  # type: ignore[arg-type]
    ]


def test_links_in_any_order_become_a_depth_first_tree() -> None:
    links = [
        Link(name="b2", parent="b1", joint_type=R),
        Link(name="a1", parent="root", joint_type=R),
        Link(name="b1", parent="root", joint_type=P),
        Link(name="root"),
    ]
    model = assemble("tree", links)
    assert model.link_names == ("root", "a1", "b1", "b2")
    assert model.parent.tolist() == [-1, 0, 0, 2]
    assert model.joint_names == ("a1_joint", "b1_joint", "b2_joint")
    assert "RPR" in repr(model)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parent": "uper"}, "link 'tip' hangs on 'uper', which does not exist"),
        ({"name": "upper"}, "two links named 'upper'"),
        ({"joint": "shoulder"}, "two joints named 'shoulder'"),
        ({"parent": None}, "exactly one root link, found 2: base, tip"),
        ({"name": ""}, "a link without a name"),
        ({"mass": -1.0}, "link 'tip': mass must be >= 0 kg, got -1.0"),
        ({"mass": np.nan}, "link 'tip': `mass` must be finite"),
        ({"axis": (0, 0, 0)}, "joint 'tip_joint': axis has no direction"),
        ({"axis": (0, 0)}, r"link 'tip': `axis` must have shape \(3,\), got \(2,\)"),
        ({"axis": "up"}, "`axis`"),
        ({"com": (0, np.inf, 0)}, "link 'tip': `com` must be finite"),
        ({"lower": 1.0, "upper": -1.0}, "lower limit 1.0 is above upper -1.0"),
        ({"damping": -0.1}, "`damping` must be >= 0"),
        ({"inertia": np.diag([1.0, -2.0, 1.0])}, "negative principal moment"),
        ({"inertia": np.triu(np.ones((3, 3)))}, "inertia is not symmetric"),
        ({"T_parent_joint": np.diag([1.0, 1, -1, 1])}, "is not a pose"),
        ({"T_parent_joint": 2 * np.eye(4)}, "is not a pose"),
        ({"joint_type": JointType.FLOATING}, "only the root link 'base' may"),
        ({"mimic": "elbow"}, "mimics 'elbow', which does not exist"),
        ({"mimic": "tip_joint"}, "mimics itself in a circle"),
        ({"mimic": "base_joint"}, "both must move"),
    ],
)
def test_wrong_links_are_refused_by_name(changes: dict, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        assemble("arm", arm(**changes))


def test_a_circle_of_parents_is_refused() -> None:
    links = [Link(name="r"), Link(name="a", parent="b"), Link(name="b", parent="a")]
    with pytest.raises(ModelError, match=r"not connected to the root.*a, b"):
        assemble("ring", links)


def test_a_turned_root_is_refused_since_gravity_is_in_its_axes() -> None:
    T = np.diag([1.0, -1.0, -1.0, 1.0])
    with pytest.raises(ModelError, match="'ceiling' is turned in the world"):
        assemble("r", [Link(name="ceiling", T_parent_joint=T)])
    mounted = [
        Link(name="world"),
        Link(name="ceiling", parent="world", T_parent_joint=T),
    ]
    assert assemble("r", mounted).link_names == ("world", "ceiling")


def test_a_robot_without_joints_has_poses() -> None:
    T = np.eye(4)
    T[:3, 3] = 1.0, 2.0, 3.0
    model = assemble(
        "post", [Link(name="a"), Link(name="b", parent="a", T_parent_joint=T)]
    )
    from gelenk.kinematics.forward import link_poses

    assert_allclose(link_poses(model, np.zeros((2, 0)))[:, 1], [T, T])
    assert_allclose(model.forward([]), T)


def test_a_moving_root_is_refused() -> None:
    with pytest.raises(ModelError, match="must be fixed or floating"):
        assemble("r", [Link(name="r", joint_type=R)])


@pytest.mark.parametrize(
    ("loop", "message"),
    [
        ({"links": ("tip",)}, "joins 1 links, at least two"),
        ({"links": ("tip", "tap")}, "uses the link 'tap', which does not exist"),
        ({"kind": "glue"}, "kind must be one of point, hinge, pose, distance"),
        ({"T_link_frame": np.eye(4)}, "`T_link_frame` must be finite with shape"),
        ({"kind": "distance", "length": -1.0}, "`length` must be >= 0"),
    ],
)
def test_wrong_loops_are_refused_by_name(loop: dict, message: str) -> None:
    frames = np.tile(np.eye(4), (2, 1, 1))
    good = {"name": "pin", "links": ("base", "tip"), "T_link_frame": frames}
    with pytest.raises(ModelError, match=message):
        assemble("arm", arm(), loops=[Loop(**{**good, **loop})])


def test_mimic_chains_are_flattened() -> None:
    links = [*arm(mimic="shoulder", multiplier=2.0, offset=0.5),
             Link(name="end", parent="tip", joint_type=R, mimic="tip_joint",
                  multiplier=-3.0, offset=0.1)]  # fmt: skip
    model = assemble("arm", links)
    assert model.joint_names == ("shoulder",)
    end = model.link_id("end")
    assert (model.multiplier[end], model.offset[end]) == (-6.0, 0.1 - 3.0 * 0.5)
    # Forward kinematics follows: 0.2 + (0.4 + 0.5) - 1.2 - 1.4 about z.
    angle = 0.2 + 0.9 - 1.2 - 1.4
    T = model.forward([0.2])
    assert_allclose(T[:2, 0], [np.cos(angle), np.sin(angle)], atol=1e-14)


def test_arrays_cannot_be_modified() -> None:
    model = assemble("arm", arm())
    with pytest.raises(ValueError, match="read-only"):
        model.mass[0] = 1.0


def test_unknown_names_answer_with_the_closest() -> None:
    model = assemble("arm", arm())
    with pytest.raises(NameNotFoundError, match="Did you mean 'upper'"):
        model.link_id("uper")
    with pytest.raises(NameNotFoundError, match="Did you mean 'shoulder'"):
        model.joint_id("sholder")


def test_several_ends_without_a_tool_need_a_frame() -> None:
    links = [*arm(), Link(name="other", parent="base", joint_type=R)]
    with pytest.raises(ConfigError, match="pass `frame=`, one of: tip, other"):
        assemble("arm", links).forward([0.0, 0.0, 0.0])
    assert assemble("arm", links, tool="tip").forward([0.0, 0.0, 0.0]).shape == (4, 4)


def test_wrong_number_of_joint_values_names_both_shapes() -> None:
    with pytest.raises(
        ShapeError, match=r"`q` must have shape \(\.\.\., 2\), got \(3,\)"
    ):
        assemble("arm", arm()).forward([0.0, 0.0, 0.0])
    with pytest.raises(ShapeError, match=r"got \(\)"):
        assemble("arm", arm()).forward(0.0)


def test_merging_fixed_links_changes_no_inertia() -> None:
    """The compiled bodies carry the mass and the first moments of all links."""
    rng = np.random.default_rng(0)
    for floating in (False, True):
        model = random_tree(rng, num_joints=6, floating=floating)
        tree = model.compiled
        assert tree.body[:, 12].sum() + tree.base[12] == pytest.approx(model.mass.sum())
