"""A tool is chosen where it is evident, and asked for where it is not."""

from __future__ import annotations

from itertools import pairwise

import pytest

from gelenk.errors import ConfigError
from gelenk.models import JointType, Link, RobotModel
from gelenk.models.assembler import assemble

HINGE, SLIDE, FIXED = JointType.REVOLUTE, JointType.PRISMATIC, JointType.FIXED


def robot(
    *rows: tuple[str, str, JointType], floats: bool = False, **more: str
) -> RobotModel:
    """Return a robot of (name, parent, joint type); `more` names followed joints."""
    kind = JointType.FLOATING if floats else FIXED
    links = [Link(name="base", joint_type=kind)]
    links += [
        Link(name=n, parent=p, joint=f"{n}_j", joint_type=k, mimic=more.get(n))
        for n, p, k in rows
    ]
    return assemble("robot", links)


def arm(count: int = 6, prefix: str = "", parent: str = "base"):
    names = [parent, *(f"{prefix}l{i}" for i in range(1, count + 1))]
    return [(b, a, HINGE) for a, b in pairwise(names)]


def legs(*names: str):
    return [row for name in names for row in arm(3, f"{name}_")]


FINGERS = [("f1", "palm", SLIDE), ("f2", "palm", SLIDE)]

EVIDENT = {
    "the last link": ([*arm()], "l6"),
    "the flange beside a camera": (
        [*arm(), ("camera_link", "l6", FIXED), ("flange", "l6", FIXED)], "flange"),
    "tool0 and not ee_link": (
        [*arm(), ("ee_link", "l6", FIXED), ("tool0", "l6", FIXED),
         ("base_tool", "base", FIXED)], "tool0"),
    "an end with two unnamed leaves is the link that carries them": (
        [*arm(), ("left", "l6", FIXED), ("right", "l6", FIXED),
         ("deep", "left", FIXED), ("deeper", "right", FIXED)], "l6"),
    "the fixed jaw": ([*arm(5), ("moving_jaw", "l5", HINGE)], "l5"),
    "the palm of a gripper": ([*arm(), ("palm", "l6", FIXED), *FINGERS], "palm"),
    "the point between the fingers": (
        [*arm(), ("palm", "l6", FIXED), *FINGERS, ("hand_tcp", "palm", FIXED)],
        "hand_tcp"),
    "a mobile base with the only frame named tcp": (
        [("wheel_1", "base", HINGE), ("wheel_2", "base", HINGE), *arm(),
         ("tcp", "l6", FIXED), ("l6_cover", "l6", FIXED)], "tcp"),
}  # fmt: skip

UNCLEAR = {
    "quadruped": (legs("fl", "fr", "rl", "rr"), False),
    "floating quadruped": (legs("fl", "fr", "rl", "rr"), True),
    "two arms": ([*arm(6, "left_"), *arm(6, "right_")], False),
    "two arms with tools": (
        [*arm(6, "a_"), ("a_tcp", "a_l6", FIXED), *arm(6, "b_"), ("b_tcp", "b_l6", FIXED)],
        False),
    "hand": ([("wrist", "base", HINGE), *arm(4, "a_", "wrist"), *arm(4, "b_", "wrist"),
              *arm(4, "c_", "wrist")], False),
    "humanoid on a torso": ([*arm(3, "torso_"), *arm(6, "l_", "torso_l3"),
                             *arm(6, "r_", "torso_l3")], False),
    "floating arm with two ends": (
        [*arm(), ("a", "l6", FIXED), ("b", "l6", FIXED)], True),
    "hand on a wrist of three joints": (
        [*arm(3, "w_"), *arm(3, "a_", "w_l3"), *arm(3, "b_", "w_l3")], False),
    "no joint": ([("a", "base", FIXED), ("b", "base", FIXED)], False),
}  # fmt: skip


@pytest.mark.parametrize("case", EVIDENT)
def test_the_tool_is_evident(case: str) -> None:
    rows, tool = EVIDENT[case]

    assert robot(*rows).link_id() == robot(*rows).link_id(tool)


def test_a_driven_finger_is_no_part_of_the_arm() -> None:
    rows = [*arm(), ("palm", "l6", FIXED), ("f1", "palm", SLIDE), ("f2", "f1", SLIDE),
            ("camera", "l6", FIXED)]  # fmt: skip

    model = robot(*rows, f2="f1_j")

    assert model.link_names[model.link_id()] == "palm"


@pytest.mark.parametrize("case", UNCLEAR)
def test_the_tool_is_not_guessed(case: str) -> None:
    rows, floats = UNCLEAR[case]

    with pytest.raises(ConfigError, match=r"ends and no tool; pass `frame=`, one of"):
        robot(*rows, floats=floats).link_id()
