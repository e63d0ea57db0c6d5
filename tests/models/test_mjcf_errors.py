"""Every fault in an MJCF file is named with file, line, element and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from gelenk.errors import FileFormatError
from gelenk.models.mjcf import load_mjcf, model_from_mjcf
from robot_files import MJCF

# What is written instead of what, a text in the line to be named, and the message.
FAULTS: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "coupling of an unknown joint": (
        'joint2="hip_pitch"',
        'joint2="hip_pich"',
        "<equality>",
        ("unknown element 'hip_pich'",),
    ),
    "coupling to itself": (
        'joint2="hip_pitch"',
        'joint2="knee"',
        "<equality>",
        ("element 'knee' is repeated",),
    ),
    "negative mass": (
        'inertial mass="5"',
        'inertial mass="-5"',
        'body name="rail"',
        ("body 'rail'", "mass must be >= 0 kg, got -5.0"),
    ),
    "negative moment": (
        'diaginertia="0.05',
        'diaginertia="-0.05',
        'body name="rail"',
        ("body 'rail'", "negative principal moment -0.05"),
    ),
    "negative density": (
        'density="700"',
        'density="-700"',
        "<geom fromto",
        ("<geom> of body 'thigh'", "density are negative"),
    ),
    "two bodies of one name": (
        'body name="head"',
        'body name="shin"',
        'body name="shin" pos="0 0 0.2"',
        ("body 'shin'", "repeated name 'shin'"),
    ),
    "a body named world": (
        'body name="head"',
        'body name="world"',
        'name="world"',
        ("body 'world'", "repeated name 'world'"),
    ),
    "two joints of one name": (
        'name="hip_pitch" pos',
        'name="hip_roll" pos',
        'name="hip_roll" pos="0.01',
        ("joint 'hip_roll'", "repeated name 'hip_roll'"),
    ),
    "two sites of one name": (
        'site name="foot"',
        'site name="imu"',
        'site name="imu" pos="0 0 -0.3"',
        ("site 'imu'", "repeated name 'imu'"),
    ),
    "nan": (
        'pos="0 0 1.5"',
        'pos="0 nan 1.5"',
        "nan",
        ("body 'rail'", "`pos` needs numbers", "got 'nan'"),
    ),
    "a word": (
        'pos="0 0 1.5"',
        'pos="0 x 1.5"',
        "0 x",
        ("body 'rail'", "bad format in attribute 'pos'"),
    ),
    "two numbers": (
        'pos="0 0 1.5"',
        'pos="0 1.5"',
        "0 1.5",
        ("'pos' does not have enough data",),
    ),
    "no mass": (
        'inertial mass="5"',
        "inertial",
        "<inertial",
        ("required attribute missing: 'mass'",),
    ),
    "two inertials": (
        '<site name="imu"',
        '<inertial mass="1" pos="0 0 0"/><site name="imu"',
        'body name="rail"',
        ("'inertial' found 2 times",),
    ),
    "two inertia tensors": (
        "diaginertia=",
        'fullinertia="1 1 1 0 0 0" diaginertia=',
        "<inertial",
        ("at most one of 'fullinertia'",),
    ),
    "several orientations": (
        'zaxis="0.1 0.2 1"',
        'zaxis="0 0 1" quat="1 0 0 0"',
        'body name="shin"',
        ("body 'shin'", "multiple orientation specifiers"),
    ),
    "zero quaternion": (
        'quat="0 1 0 0"',
        'quat="0 0 0 0"',
        'site name="foot"',
        ("site 'foot'", "zero quaternion"),
    ),
    "parallel axes": (
        'xyaxes="0 1 0 -1 0 0.2"',
        'xyaxes="0 1 0 0 2 0"',
        "xyaxes",
        ("<frame> of body 'rail'", "yaxis too small"),
    ),
    "zero axis": (
        'type="slide" axis="1 0 0"',
        'type="slide" axis="0 0 0"',
        'name="slide_x"',
        ("joint 'slide_x'", "axis too small"),
    ),
    "unknown joint type": (
        'type="slide"',
        'type="slid"',
        'name="slide_x"',
        ("invalid keyword: 'slid'",),
    ),
    "ball joint": (
        'type="slide"',
        'type="ball"',
        'name="slide_x"',
        ("joint 'slide_x'", "range[0] should be 0 in ball joint"),
    ),
    "unknown geom type": (
        'type="ellipsoid"',
        'type="egg"',
        'type="egg"',
        ("invalid keyword: 'egg'",),
    ),
    "too few sizes": (
        'size="0.02 0.1"',
        'size="0.02"',
        "cylinder",
        ("size 1 must be positive",),
    ),
    "negative size": (
        'size="0.02 0.1"',
        'size="0.02 -1"',
        "cylinder",
        ("size 1 must be positive",),
    ),
    "ends that coincide": (
        'fromto="0 0 0 0.05 0 -0.3"',
        'fromto="1 1 1 1 1 1"',
        "fromto",
        ("fromto points too close",),
    ),
    "sphere by ends": (
        'geom size="0.1"',
        'geom size="0.1" fromto="0 0 0 1 1 1"',
        "head",
        ("fromto requires capsule",),
    ),
    "one limit": (
        'range="-2 2"',
        'range="2"',
        'name="slide_x"',
        ("'range' does not have enough data",),
    ),
    "limited without range": (
        'range="-2 2"',
        'limited="true"',
        'name="slide_x"',
        ("range[0] should be smaller",),
    ),
    "negative damping": (
        'damping="0.5"',
        'damping="-0.5"',
        'name="slide_x"',
        ("`damping` must be >= 0",),
    ),
    "unknown class": (
        'class="shin"/>',
        'class="shim"/>',
        'name="knee"',
        ("unknown default class name 'shim'",),
    ),
    "unknown childclass": (
        'childclass="leg"',
        'childclass="log"',
        "<frame",
        ("unknown default childclass",),
    ),
    "class without name": (
        'default class="leg"',
        "default",
        "<default>\n      <joint r",
        ("empty class name",),
    ),
    "two classes of one name": (
        'default class="shin"',
        'default class="leg"',
        'class="leg"><joint',
        ("repeated default class name",),
    ),
    "unknown mesh": (
        'mesh="trunk"',
        'mesh="trank"',
        "trank",
        ("mesh 'trank' not found",),
    ),
    "free joint and others": (
        '<joint name="slide_x" type="slide" ',
        '<freejoint/><joint name="slide_x" ',
        'body name="rail"',
        ("more than 6 dofs",),
    ),
    "joint of the world": (
        "<light ",
        "<joint/><light ",
        "<light",
        ("World body cannot have joints",),
    ),
    "attached model": (
        "<light ",
        '<attach model="m"/><light ',
        "<light",
        ("required attribute missing: 'prefix'",),
    ),
    "global coordinates": (
        "<compiler ",
        '<compiler coordinate="global" ',
        "<compiler",
        ("global coordinates no longer supported",),
    ),
    "bad euler sequence": (
        '"zYx"',
        '"zYw"',
        'body name="rail"',
        ("euler sequence can only contain",),
    ),
    "bad angle unit": (
        "<compiler ",
        '<compiler angle="gon" ',
        "<compiler",
        ("invalid keyword: 'gon'",),
    ),
    "include in a text": (
        "<light ",
        '<include file="a.xml"/><light ',
        "<light",
        ("save it to a file",),
    ),
    "unclosed element": (
        "</default>\n    </default>",
        "</default>",
        "</mujoco>",
        ("not well-formed",),
    ),
    "doctype": ("<mujoco ", "<!DOCTYPE mujoco>\n<mujoco ", "<!DOC", ("refused",)),
    "connect of an unknown body": (
        "<equality>",
        '<equality><connect body1="hed" anchor="0 0 0"/>',
        "<equality>",
        ("unknown element 'hed'",),
    ),
    "connect of an unknown site": (
        "<equality>",
        '<equality><connect site1="imu" site2="fot"/>',
        "<equality>",
        ("unknown element 'fot'",),
    ),
    "connect without anchor": (
        "<equality>",
        '<equality><connect body1="head"/>',
        "<equality>",
        ("<connect>", "must be specified"),
    ),
    "two equalities of one name": (
        "<equality>",
        '<equality><weld name="w" body1="head"/><weld name="w" body1="rail"/>',
        "<equality>",
        ("weld 'w'", "repeated name 'w'"),
    ),
    "tool that is no link": (
        "</mujoco>",
        '<custom><text name="gelenk:tool" data="hand"/></custom></mujoco>',
        "",
        ("tool 'hand' is not a link",),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_line_and_element(fault: str) -> None:
    old, new, place, words = FAULTS[fault]
    assert MJCF.count(old) == 1, "the edit must be unambiguous"
    text = MJCF.replace(old, new)
    line = text[: text.index(place)].count("\n") + 1

    with pytest.raises(FileFormatError) as caught:
        model_from_mjcf(text, path="walker.xml")

    message = str(caught.value)
    assert message.startswith(f"walker.xml, line {line}" if place else "walker.xml: ")
    assert caught.value.line == (line if place else None)
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("part.xml", "<mujocoinclude><body/>", r"part.xml, line 1: not well-formed"),
        ("part.xml", "<robot/>", r"part.xml, line 1, <robot>: .*<mujocoinclude>"),
        ("prt.xml", "", r"main.xml, line 2, <include>: .*no such file"),
        (
            "part.xml",
            '<mujocoinclude><include file="part.xml"/></mujocoinclude>',
            r"part.xml, line 1, <include>: 'part.xml' is included a second time",
        ),
        (
            "part.xml",
            '<mujocoinclude><include file="main.xml"/></mujocoinclude>',
            r"part.xml, line 1, <include>: 'main.xml' is included a second time",
        ),
        (
            "part.xml",
            '<mujocoinclude><include file="/etc/passwd"/></mujocoinclude>',
            r"'/etc/passwd': it lies outside the folder of the robot",
        ),
        ("part.xml", "<mujocoinclude><include/></mujocoinclude>", "`file` is missing"),
    ],
)
def test_faults_of_included_files_are_named(
    tmp_path: Path, name: str, content: str, words: str
) -> None:
    main = tmp_path / "main.xml"
    main.write_text('<mujoco>\n<include file="part.xml"/></mujoco>')
    (tmp_path / name).write_text(content)

    with pytest.raises(FileFormatError, match=words):
        load_mjcf(main)


def test_a_fault_inside_an_included_file_names_that_file(tmp_path: Path) -> None:
    main, part = tmp_path / "main.xml", tmp_path / "part.xml"
    main.write_text('<mujoco><include file="part.xml"/></mujoco>')
    part.write_text(
        '<mujoco><worldbody>\n<body name="a"><joint name="j" damping="-1"/></body>\n'
        "</worldbody></mujoco>"
    )

    with pytest.raises(FileFormatError) as caught:
        load_mjcf(main)

    assert (caught.value.path, caught.value.line) == (str(part), 2)
    assert caught.value.element == "joint 'j'"


def test_a_urdf_file_is_not_read_as_mjcf() -> None:
    with pytest.raises(FileFormatError, match=r"read URDF .* with load_urdf"):
        model_from_mjcf("<robot name='r'/>")
