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
        'joint2="hip_pitch"', 'joint2="hip_pich"', "<equality>",
        ("no joint 'hip_pich'", "did you mean 'hip_pitch'"),
    ),
    "coupling to itself": (
        'joint2="hip_pitch"', 'joint2="knee"', 'joint name="knee"',
        ("joint 'knee'", "circle"),
    ),
    "two couplings of one joint": (
        "</equality>", '<joint joint1="knee" joint2="hip_roll"/></equality>', "<equality>",
        ("'knee' already follows", "keep one"),
    ),
    "negative mass": (
        'inertial mass="5"', 'inertial mass="-5"', "<inertial",
        ("<inertial> of body 'rail'", "mass must be >= 0 kg, got -5.0"),
    ),
    "negative moment": (
        'diaginertia="0.05', 'diaginertia="-0.05', 'body name="rail"',
        ("link 'rail'", "negative principal moment"),
    ),
    "negative density": (
        'density="700"', 'density="-700"', '<geom type="mesh"', ("`density` must be >= 0",),
    ),
    "two bodies of one name": (
        'body name="head"', 'body name="shin"', 'body name="shin" pos="0 0 0.2"',
        ("body 'shin'", "taken by the body in line", "rename"),
    ),
    "a body named world": (
        'body name="head"', 'body name="world"', 'name="world"',
        ("body 'world'", "taken by the body in worldbody"),
    ),
    "two joints of one name": (
        'name="hip_pitch" pos', 'name="hip_roll" pos', 'name="hip_roll" pos="0.01',
        ("joint 'hip_roll'", "taken by the joint in line"),
    ),
    "two sites of one name": (
        'site name="foot"', 'site name="imu"', 'site name="imu" pos="0 0 -0.3"',
        ("site 'imu'", "taken by the site in line"),
    ),
    "nan": ('pos="0 0 1.5"', 'pos="0 nan 1.5"', "nan", ("body 'rail'", "got 'nan'")),
    "a word": ('pos="0 0 1.5"', 'pos="0 x 1.5"', "0 x", ("got 'x'",)),
    "two numbers": ('pos="0 0 1.5"', 'pos="0 1.5"', "0 1.5", ("3 numbers, got 2",)),
    "no mass": (
        'inertial mass="5"', "inertial", "<inertial", ("`mass` is missing", "write"),
    ),
    "two inertials": (
        '<site name="imu"', '<inertial mass="1" pos="0 0 0"/><site name="imu"', "imu",
        ("two <inertial>", "keep one"),
    ),
    "two inertia tensors": (
        "diaginertia=", 'fullinertia="1 1 1 0 0 0" diaginertia=', "<inertial",
        ("`fullinertia` and `diaginertia`", "keep one"),
    ),
    "several orientations": (
        'zaxis="0.1 0.2 1"', 'zaxis="0 0 1" quat="1 0 0 0"', 'body name="shin"',
        ("body 'shin'", "several orientations: quat, zaxis"),
    ),
    "zero quaternion": (
        'quat="0 1 0 0"', 'quat="0 0 0 0"', 'site name="foot"',
        ("site 'foot'", "`quat` has no direction"),
    ),
    "parallel axes": (
        'xyaxes="0 1 0 -1 0 0.2"', 'xyaxes="0 1 0 0 2 0"', "xyaxes",
        ("<frame> of body 'rail'", "neither zero nor parallel"),
    ),
    "zero axis": (
        'type="slide" axis="1 0 0"', 'type="slide" axis="0 0 0"', 'name="slide_x"',
        ("joint 'slide_x'", "`axis` has no direction"),
    ),
    "unknown joint type": (
        'type="slide"', 'type="slid"', 'name="slide_x"',
        ("`type` is 'slid'", "did you mean 'slide'"),
    ),
    "ball joint": (
        'type="slide"', 'type="ball"', 'name="slide_x"', ("ball joints", "three hinges"),
    ),
    "unknown geom type": (
        'type="ellipsoid"', 'type="egg"', 'type="egg"', ("`type` is 'egg'", "known are"),
    ),
    "too few sizes": (
        'size="0.02 0.1"', 'size="0.02"', "cylinder", ("needs 2 to 3 numbers",),
    ),
    "negative size": ('size="0.02 0.1"', 'size="0.02 -1"', "cylinder", (">= 0 m",)),
    "ends that coincide": (
        'fromto="0 0 0 0.05 0 -0.3"', 'fromto="1 1 1 1 1 1"', "fromto", ("coincide",),
    ),
    "sphere by ends": (
        'geom size="0.1"', 'geom size="0.1" fromto="0 0 0 1 1 1"', "head",
        ("a sphere has no `fromto`",),
    ),
    "lower above upper": (
        'range="-2 2"', 'range="2 -2"', 'name="slide_x"',
        ("joint 'slide_x'", "lower end 2.0 of `range` is above the upper -2.0"),
    ),
    "one limit": ('range="-2 2"', 'range="2"', 'name="slide_x"', ("needs 2 numbers",)),
    "limited without range": (
        'range="-2 2"', 'limited="true"', 'name="slide_x"', ("needs a `range`",),
    ),
    "negative damping": (
        'damping="0.5"', 'damping="-0.5"', 'name="slide_x"', ("`damping` must be >= 0",),
    ),
    "unknown class": (
        'class="shin"/>', 'class="shim"/>', 'name="knee"',
        ("no default class 'shim'", "did you mean 'shin'"),
    ),
    "unknown childclass": (
        'childclass="leg"', 'childclass="log"', "<frame", ("no default class 'log'",),
    ),
    "class without name": ('default class="leg"', "default", "<default>\n      <joint r",
        ("`class` is missing",)),
    "two classes of one name": (
        'default class="shin"', 'default class="leg"', 'class="leg"><joint',
        ("two default classes 'leg'",),
    ),
    "unknown mesh": ('mesh="trunk"', 'mesh="trank"', "trank", ("did you mean 'trunk'",)),
    "free joint inside": (
        'joint name="knee"', 'joint type="free"', 'body name="shin"',
        ("body 'shin'", "only directly below the world"),
    ),
    "free joint and others": (
        '<joint name="slide_x" type="slide" ', '<freejoint/><joint name="slide_x" ',
        'body name="rail"', ("cannot have other joints",),
    ),
    "joint of the world": (
        "<light ", "<joint/><light ", "<light", ("the world cannot have joints",),
    ),
    "attached model": (
        "<light ", '<attach model="m"/><light ', "<light",
        ("attached sub-models", "load and save the file once in MuJoCo"),
    ),
    "replicated bodies": (
        "<light ", '<replicate count="3"/><light ', "<light", ("replicated elements",),
    ),
    "global coordinates": (
        "<compiler ", '<compiler coordinate="global" ', "<compiler",
        ("global coordinates are not supported", "convert"),
    ),
    "bad euler sequence": ('"zYx"', '"zYw"', "<compiler", ("`eulerseq` is 'zYw'",)),
    "bad angle unit": (
        "<compiler ", '<compiler angle="gon" ', "<compiler", ("known are: degree",),
    ),
    "keyframe of the wrong length": (
        'qpos="0.5 0.1 0.2 0.3"', 'qpos="0.5 0.1"', "<keyframe>",
        ("key 'home'", "`qpos` needs 4 numbers, got 2"),
    ),
    "include in a text": (
        "<light ", '<include file="a.xml"/><light ', "<light", ("save it to a file",),
    ),
    "unclosed element": ("</default>\n    </default>", "</default>", "</mujoco>",
        ("not well-formed",)),
    "doctype": ("<mujoco ", "<!DOCTYPE mujoco>\n<mujoco ", "<!DOC", ("refused",)),
    "connect of an unknown body": (
        "<equality>", '<equality><connect body1="hed" anchor="0 0 0"/>', "<equality>",
        ("no body 'hed'", "did you mean 'head'"),
    ),
    "connect of an unknown site": (
        "<equality>", '<equality><connect site1="imu" site2="fot"/>', "<equality>",
        ("no site 'fot'", "did you mean 'foot'"),
    ),
    "connect without anchor": (
        "<equality>", '<equality><connect body1="head"/>', "<equality>",
        ("<connect>", "`anchor` is missing"),
    ),
    "two equalities of one name": (
        "<equality>",
        '<equality><weld name="w" body1="head"/><weld name="w" body1="rail"/>',
        "<equality>", ("weld 'w'", "taken by the equality"),
    ),
    "tool that is no link": (
        "</mujoco>", '<custom><text name="gelenk:tool" data="hand"/></custom></mujoco>',
        "", ("tool 'hand' is not a link",),
    ),
}  # fmt: skip


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
    ("world", "words"),
    [
        (
            '<body name="a"><freejoint/></body><body name="b"><freejoint/></body>',
            "body 'b': the file has a second floating body; keep one robot per file",
        ),
        (
            '<body name="a"><freejoint/></body><body name="b"><joint/></body>',
            "body 'b': this body moves beside a floating base",
        ),
    ],
)
def test_two_robots_in_one_file_are_refused(world: str, words: str) -> None:
    with pytest.raises(FileFormatError, match=words):
        model_from_mjcf(f"<mujoco><worldbody>{world}</worldbody></mujoco>")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("part.xml", "<mujocoinclude><body/>", r"part.xml, line 1: not well-formed"),
        ("part.xml", "<robot/>", r"part.xml, line 1, <robot>: .*<mujocoinclude>"),
        ("prt.xml", "", r"main.xml, line 2, <include>: .*no such file.*did you mean"),
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
            r"'/etc/passwd' is an absolute path",
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
