"""Every fault in a URDF file is named with file, line, element and remedy.

Many of them are mended where the reader is not strict; see `test_urdf_mend`.
"""

from __future__ import annotations

import pytest

from gelenk.errors import FileFormatError, ModelError
from gelenk.models.urdf import load_urdf, model_from_urdf
from robot_files import URDF

INERTIA = 'ixx="0.3" ixy="0.01" ixz="-0.02" iyy="0.4" iyz="0.03" izz="0.5"'
LUFF = 'lower="-0.5" upper="1.2" effort="200" velocity="0.5"'

# What is written instead of what, a text in the line to be named, and the message.
FAULTS: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "mimic of an unknown joint": (
        'mimic joint="grip"', 'mimic joint="gripp"', '<mimic joint',
        ("<mimic> of joint 'grip_mimic'", "no joint 'gripp'", "did you mean 'grip'"),
    ),
    "mimic in a circle": (
        'joint="grip" mul', 'joint="grip_mimic" mul', 'joint name="grip_mimic"',
        ("joint 'grip_mimic'", "mimics itself in a circle"),
    ),
    "mimic of a fixed joint": (
        'joint="grip" mul', 'joint="mount" mul', 'joint name="grip_mimic"',
        ("joint 'grip_mimic'", "both must move"),
    ),
    "negative mass": (
        'mass value="12"', 'mass value="-12"', '<inertial>',
        ("<inertial> of link 'base'", "mass must be >= 0 kg, got -12.0"),
    ),
    "negative moment": (
        INERTIA, INERTIA.replace('"0.4"', '"-0.4"'), 'link name="base"',
        ("link 'base'", "negative principal moment", "check the signs"),
    ),
    "missing moment": (
        INERTIA, INERTIA.replace('izz="0.5"', ""), '<inertia ',
        ("<inertia> of link 'base'", "`izz` is missing"),
    ),
    "unconnected link": (
        "</robot>", '<link name="lost"/></robot>', 'name="lost"',
        ("link 'lost'", "2 root links: base, lost", "child of a joint, or remove"),
    ),
    "two links of one name": (
        '<link name="hook"/>', '<link name="boom"/>', '<link name="boom"/>',
        ("link 'boom'", "taken by the link in line", "rename"),
    ),
    "two joints of one name": (
        'joint name="grip_mimic"', 'joint name="luff"', 'joint name="luff" type="prismatic"',
        ("joint 'luff'", "taken by the joint in line", "rename"),
    ),
    "nan": ('xyz="0 0 0.2"', 'xyz="0 nan 0.2"', 'nan', ("finite number, got 'nan'",)),
    "inf": ('xyz="0 0 0.2"', 'xyz="0 inf 0.2"', 'inf 0.2', ("finite number, got 'inf'",)),
    "a word": ('xyz="0 0 0.2"', 'xyz="0 O 0.2"', '0 O 0.2', ("joint 'slew'", "got 'O'")),
    "underscore": ('xyz="0 0 0.2"', 'xyz="0 1_0 2"', '1_0', ("got '1_0'",)),
    "decimal comma": ('xyz="0 0 0.2"', 'xyz="0 0 0,2"', '0,2', ("got '0,2'", "point")),
    "overflow": ('xyz="0 0 0.2"', 'xyz="0 0 1e99"', '1e99', ("beyond 1e+30",)),
    "two numbers": (
        'xyz="0 0 0.2"', 'xyz="0 0.2"', '"0 0.2"',
        ("<origin> of joint 'slew'", "`xyz` needs 3 numbers, got 2: '0 0.2'"),
    ),
    "joint without parent": (
        '<parent link="base"/>', "", 'joint name="slew"', ("joint 'slew'", "<parent> is missing", "add"),
    ),
    "joint without child": (
        '<child link="mast"/>', "", 'joint name="slew"', ("joint 'slew'", "<child> is missing", "add"),
    ),
    "parent that does not exist": (
        '<parent link="base"/>', '<parent link="bass"/>', 'link="bass"',
        ("<parent> of joint 'slew'", "no link 'bass'", "did you mean 'base'"),
    ),
    "two joints with one child": (
        '<child link="finger_right"/>', '<child link="finger_left"/>', 'joint name="grip_mimic"',
        ("joint 'grip_mimic'", "'finger_left' is already carried by joint 'grip'"),
    ),
    "cycle": (
        "</robot>",
        (
            '<link name="p"/><link name="q"/><joint name="pq" type="fixed"><parent '
            'link="p"/><child link="q"/></joint><joint name="qp" type="fixed"><parent '
            'link="q"/><child link="p"/></joint></robot>'
        ),
        'name="qp"',
        ("joint 'qp'", "cycle through the links p, q", "remove the joint"),
    ),
    "unknown joint type": (
        'type="continuous"', 'type="continous"', 'joint name="slew"',
        ("joint 'slew'", "`type` is 'continous'", "did you mean 'continuous'"),
    ),
    "unknown shape": (
        "<box size=", "<cube size=", '<cube',
        ("<cube> of visual 'plate'", "unknown shape", "known are: box, capsule"),
    ),
    "no shape": (
        '<box size="0.4 0.3 0.1"/>', "", '<geometry></geometry>', ("one shape is needed, found 0", "mesh"),
    ),
    "negative size": ('radius="0.2"', 'radius="-0.2"', 'radius="-0.2"', ("must be >= 0 m",)),
    "mesh without file": ('filename="package', 'fil="package', '<mesh', ("`filename`",)),
    "lower above upper": (
        LUFF, LUFF.replace("-0.5", "1.5"), 'lower="1.5"',
        ("<limit> of joint 'luff'", "`lower` 1.5 is above `upper` 1.2", "swap"),
    ),
    "negative speed": (
        LUFF, LUFF.replace('"0.5"', '"-0.5"'), 'joint name="luff"',
        ("joint 'luff'", "`max_velocity` must be >= 0, got -0.5"),
    ),
    "revolute without limits": (
        f"<limit {LUFF}/>", "", 'joint name="luff"', ("joint 'luff'", "needs a <limit>", "continuous"),
    ),
    "zero axis": (
        'axis xyz="0 0 2"', 'axis xyz="0 0 0"', 'xyz="0 0 0"',
        ("<axis> of joint 'slew'", "no direction", "unit vector"),
    ),
    "two origins": (
        '<axis xyz="0 0 2"/>', '<origin xyz="0 0 0"/>', '<origin xyz="0 0 0"/>',
        ("<origin> of joint 'slew'", "two <origin>", "keep one"),
    ),
    "joint without name": (
        'joint name="luff"', "joint", '<joint type="revolute"', ("<joint>", "`name` is missing"),
    ),
    "robot without name": ('name="crane"', "", '<robot ', ("<robot>", "`name` is missing")),
    "xacro": (
        "</robot>", "<xacro:arm/></robot>", '<xacro:arm', ("xacro template", "expand it first"),
    ),
    "unclosed element": (
        '<link name="hook"/>', '<link name="hook">', '</robot>', ("not well-formed",),
    ),
    "unquoted attribute": ('type="fixed"', "type=fixed", 'type=fixed', ("not well-formed",)),
    "doctype": (
        "<robot ", '<!DOCTYPE robot [<!ENTITY a "b">]>\n<robot ', '<!DOCTYPE',
        ("document type declarations are refused", "delete"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_line_and_element(fault: str) -> None:
    old, new, place, words = FAULTS[fault]
    assert URDF.count(old) == 1, "the edit must be unambiguous"
    text = URDF.replace(old, new)
    line = text[: text.index(place)].count("\n") + 1

    with pytest.raises(FileFormatError) as caught:
        model_from_urdf(text, path="crane.urdf", strict=True)

    message = str(caught.value)
    assert message.startswith(f"crane.urdf, line {line}")
    assert caught.value.line == line
    for word in words:
        assert word in message


def test_the_remedy_and_the_place_are_attributes_of_the_error() -> None:
    with pytest.raises(FileFormatError) as caught:
        model_from_urdf(
            URDF.replace('joint="grip"', 'joint="gripp"'), path="a.urdf", strict=True
        )

    error = caught.value
    assert isinstance(error, ModelError)
    assert (error.path, error.element) == ("a.urdf", "<mimic> of joint 'grip_mimic'")
    known = "grip, grip_mimic, luff, mount, slew, travel"
    assert error.remedy == f"did you mean 'grip'? known are: {known}"


def test_an_entity_bomb_is_refused_at_once() -> None:
    lines = ['<!ENTITY a "aaaaaaaaaaaaaaaaaaaa">']
    lines += [
        f'<!ENTITY {b} "{f"&{a};" * 20}">'
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    bomb = f"<!DOCTYPE robot [{''.join(lines)}]><robot name='&i;'/>"

    with pytest.raises(FileFormatError, match="document type declarations are refused"):
        model_from_urdf(bomb)


def test_absurd_nesting_is_refused_and_not_a_crash() -> None:
    deep = "<a>" * 100_000 + "</a>" * 100_000

    with pytest.raises(FileFormatError, match="nested"):
        model_from_urdf(f"<robot name='r'>{deep}</robot>")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b" \n ", "the file is empty"),
        (bytes(range(256)), "not well-formed XML"),
        (b"\x00" * 100, "not well-formed XML"),
        (b"<?xml version='1.0' encoding='klingon'?><robot name='r'/>", "encoding"),
        (b"just words", "not well-formed XML"),
        (b"<mujoco/>", "read MJCF"),
        (b"<robot name='r'/>", "no link"),
    ],
)
def test_files_that_are_no_urdf_are_named(tmp_path, content: bytes, words: str) -> None:
    path = tmp_path / "bad.urdf"
    path.write_bytes(content)

    with pytest.raises(FileFormatError, match=words) as caught:
        load_urdf(path)

    assert str(caught.value).startswith(str(path))
