"""Templates are expanded with arguments and packages, safely."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gelenk
from gelenk.errors import ConfigError, FileFormatError, GelenkError
from xml_mutations import mutated

pytest.importorskip("xacro")

MAIN = """<?xml version="1.0"?>
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="joints" default="2"/>
  <xacro:arg name="tool" default="false"/>
  <xacro:include filename="$(find parts)/urdf/segment.xacro"/>
  <link name="link_0"/>
  <xacro:chain count="$(arg joints)" length="${0.5 / 2}"/>
  <xacro:if value="$(arg tool)">
    <link name="tool"/>
    <joint name="mount" type="fixed"><parent link="link_1"/><child link="tool"/></joint>
  </xacro:if>
</robot>
"""
PART = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="chain" params="count length">
    <xacro:if value="${count > 0}">
      <xacro:chain count="${count - 1}" length="${length}"/>
      <link name="link_${count}"/>
      <joint name="joint_${count}" type="continuous">
        <parent link="link_${count - 1}"/><child link="link_${count}"/>
        <origin xyz="${length} 0 0"/>
      </joint>
    </xacro:if>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    for name, text in (("arm/urdf/arm.urdf.xacro", MAIN),
                       ("parts/urdf/segment.xacro", PART)):  # fmt: skip
        path = tmp_path / "ws" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return tmp_path / "ws/arm/urdf/arm.urdf.xacro"


def test_a_template_is_a_robot(file: Path) -> None:
    arm = gelenk.load(file)

    assert (arm.name, arm.joint_names) == ("arm", ("joint_1", "joint_2"))
    assert arm.T_parent_joint[1, 0, 3] == 0.25
    assert arm.source is not None
    assert arm.source.path == file
    assert '<joint name="joint_2"' in arm.source.text
    assert "xacro:" not in arm.source.text.partition(">")[2]


def test_arguments_reach_it(file: Path) -> None:
    arm = gelenk.load(file, arguments={"joints": 3, "tool": True})

    assert arm.joint_names == ("joint_1", "joint_2", "joint_3")
    assert "tool" in arm.link_names
    plain = file.with_name("plain.urdf")
    plain.write_text('<robot name="r"><link name="a"/></robot>')
    with pytest.raises(ConfigError, match="`arguments` are those of a xacro template"):
        gelenk.load(plain, arguments={"joints": 3})


def test_packages_are_found_in_the_given_folders(file: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (file.parents[2] / "parts").rename(elsewhere / "parts")

    with pytest.raises(FileFormatError, match=r"no package 'parts'.*package_dirs"):
        gelenk.load(file)
    assert gelenk.load(file, package_dirs=[elsewhere]).num_joints == 2


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("0.5 / 2", "0.5 / zero", "cannot be expanded: .*zero"),
        ("$(arg joints)", "$(arg none)", "cannot be expanded"),
        ('<link name="link_0"/>', "<link", "not well-formed"),
        (
            "$(find parts)/urdf/segment.xacro",
            "../../../secret.xacro",
            "outside its folder",
        ),
        ("$(find parts)/urdf/segment.xacro", "nothing.xacro", "no such file"),
        ("<robot name", "<!DOCTYPE robot>\n<robot name", "document type declarations"),
    ],
)
def test_faults_are_located(
    file: Path, tmp_path: Path, old: str, new: str, words: str
) -> None:
    (tmp_path / "secret.xacro").write_text(PART)
    file.write_text(MAIN.replace(old, new))

    with pytest.raises(FileFormatError, match=words):
        gelenk.load(file)
    file.write_text(MAIN)
    assert gelenk.load(file).num_joints == 2, "a failure leaves nothing behind"


def test_an_entity_bomb_in_an_included_file_is_refused(file: Path) -> None:
    part = file.parents[2] / "parts/urdf/segment.xacro"
    part.write_text('<!DOCTYPE r [<!ENTITY a "b">]><robot/>')

    with pytest.raises(FileFormatError, match="document type declarations"):
        gelenk.load(file)


def test_a_file_of_macros_is_no_robot(file: Path) -> None:
    with pytest.raises(FileFormatError, match="makes no link; it defines macros"):
        gelenk.load(file.parents[2] / "parts/urdf/segment.xacro")


def test_without_the_package_the_message_says_how_to_get_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xacro", None)

    with pytest.raises(ConfigError, match=r"pip install 'gelenk\[xacro\]'"):
        gelenk.load(file)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::gelenk.errors.ModelWarning")
@settings(max_examples=500, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_damaged_templates_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rng: random.Random
) -> None:
    folder = tmp_path_factory.getbasetemp() / "fuzz"
    folder.mkdir(exist_ok=True)
    text = MAIN.replace("$(find parts)/urdf/segment.xacro", "segment.xacro")
    (folder / "segment.xacro").write_text(PART)
    path = folder / "arm.urdf.xacro"
    path.write_bytes(mutated(text, rng).encode("utf-8", "replace"))

    try:
        gelenk.load(path)
    except GelenkError:
        return
