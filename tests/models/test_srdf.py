"""SRDF files: groups, poses, pairs, ends, and what is wrong in them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gelenk
from gelenk.errors import FileFormatError, ModelWarning
from gelenk.models import model_from_urdf
from gelenk.models.urdf import load_urdf
from robot_files import URDF as WITH_MESH
from xml_mutations import mutated

MESH = '<mesh filename="package://crane/mast.dae" scale="1 1 -1"/>'
URDF = WITH_MESH.replace(MESH, '<box size="1 1 1"/>')
SRDF = """<robot name="crane">
  <virtual_joint name="anchor" type="floating" parent_frame="world" child_link="base"/>
  <group name="arm"><chain base_link="base" tip_link="hook"/></group>
  <group name="hand"><joint name="grip"/><joint name="grip_mimic"/></group>
  <group name="mast"><link name="mast"/></group>
  <group name="all"><group name="hand"/><group name="arm"/><group name="all"/></group>
  <group_state name="home" group="arm">
    <joint name="luff" value="0.5"/><joint name="travel" value="9"/>
    <joint name="elsewhere" value="1"/>
    <joint name="anchor" value="1 2 3 0 0 1 0"/>
  </group_state>
  <group_state name="home" group="hand"><joint name="grip" value="0.02"/></group_state>
  <group_state name="up" group="arm"><joint name="luff" value="1"/></group_state>
  <group_state name="up" group="other"><joint name="luff" value="-0.1"/></group_state>
  <end_effector name="tip" parent_link="hook" group="hand"/>
  <passive_joint name="slew"/>
  <disable_collisions link1="base" link2="mast" reason="Adjacent"/>
  <disable_collisions link1="mast" link2="base"/>
  <disable_collisions link1="mast" link2="nothing"/>
  <disable_default_collisions link="hook"/>
  <enable_collisions link1="base" link2="hook"/>
</robot>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "urdf" / "crane.urdf"
    path.parent.mkdir()
    path.write_text(URDF)
    return path


def test_groups_poses_pairs_and_the_tool_are_read(file: Path) -> None:
    file.with_suffix(".srdf").write_text(SRDF)

    crane = load_urdf(file)

    assert dict(crane.groups) == {
        "arm": ("slew", "luff", "travel"),
        "hand": ("grip",),
        "mast": ("slew",),
        "all": ("slew", "luff", "travel", "grip"),
    }
    assert {name: q.tolist() for name, q in crane.poses.items()} == {
        "home": [0.0, 0.5, 9.0, 0.02],
        "up": [0.0, 1.0, 0.0, 0.0],
        "up (other)": [0.0, -0.1, 0.0, 0.0],
    }
    assert crane.home_configuration.tolist() == [0.0, 0.5, 0.7, 0.02]
    assert crane.tool == "hook"
    assert crane.is_passive[1]
    assert ("base", "mast") in crane.excluded_pairs
    assert ("hook", "boom") in crane.excluded_pairs
    assert ("hook", "base") not in crane.excluded_pairs
    assert len(crane.excluded_pairs) == 6
    assert any("outside the limits" in note for note in crane.notes)
    assert any("base='floating'" in note for note in crane.notes)


def test_the_pose_of_a_floating_base_has_the_scalar_part_first(file: Path) -> None:
    file.with_suffix(".srdf").write_text(SRDF)

    crane = gelenk.load(file, base="floating")

    assert crane.home_configuration[:7].tolist() == [1, 2, 3, 0, 0, 0, 1]
    assert crane.poses["up"][:7].tolist() == [0, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize("place", ["../srdf/crane.srdf", "../config/crane.srdf"])
def test_it_is_found_in_the_usual_folders(file: Path, place: str) -> None:
    path = file.parent / place
    path.parent.mkdir()
    path.write_text(SRDF)

    assert gelenk.load(file).tool == "hook"


def test_it_can_be_given(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.srdf"
    other.write_text(SRDF)

    assert gelenk.load(file, srdf=other).tool == "hook"
    assert model_from_urdf(URDF, srdf=other).tool == "hook"
    assert not gelenk.load(file).tool
    with pytest.raises(FileFormatError, match="no such file"):
        gelenk.load(file, srdf=tmp_path / "none.srdf")
    with pytest.raises(gelenk.errors.ConfigError, match="`srdf` describes a URDF"):
        gelenk.load("panda", srdf=other)
    other.write_text("<mujoco/>")
    with pytest.raises(FileFormatError, match="root element of an SRDF"):
        gelenk.load(file, srdf=other)


def test_a_broken_one_beside_the_file_is_a_warning(file: Path) -> None:
    file.with_suffix(".srdf").write_text("<robot")

    with pytest.warns(ModelWarning, match=r"crane.srdf, line 1: .*left out"):
        crane = gelenk.load(file)

    assert crane.num_joints == 4
    with pytest.raises(FileFormatError):
        gelenk.load(file, strict=True)


def test_a_value_that_is_no_number_is_left_out_with_its_line(file: Path) -> None:
    file.with_suffix(".srdf").write_text(SRDF.replace('"0.5"', '"half"'))

    with pytest.warns(ModelWarning, match=r"line 8, joint 'luff': .*'half'"):
        crane = gelenk.load(file)

    assert crane.poses["home"][1] == 0.0


def test_what_an_srdf_says_survives_the_way_to_files_and_back(file: Path) -> None:
    file.with_suffix(".srdf").write_text(SRDF)
    crane = gelenk.load(file, base="floating")

    gelenk.models.save_urdf(crane, file.parent / "again.urdf")
    again = gelenk.load(file.parent / "again.urdf")

    assert again.has_floating_base
    assert again.groups == crane.groups
    assert again.excluded_pairs == crane.excluded_pairs
    assert again.tool == crane.tool
    np.testing.assert_array_equal(again.home_configuration, crane.home_configuration)
    for name, q in crane.poses.items():
        if name != "home":  # within the limits from now on
            np.testing.assert_array_equal(again.poses[name], q)


@pytest.mark.filterwarnings("ignore::gelenk.errors.ModelWarning")
@settings(max_examples=500)
@given(rng=st.randoms(use_true_random=False), floating=st.booleans())
def test_damaged_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rng: random.Random, floating: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.srdf"
    path.write_bytes(mutated(SRDF, rng).encode("utf-8", "replace"))

    try:
        crane = model_from_urdf(
            URDF, srdf=path, base="floating" if floating else "fixed"
        )
    except FileFormatError:
        return
    assert all(np.isfinite(q).all() for q in crane.poses.values())
    low, high = crane.limits
    home = crane.home_configuration[7 if floating else 0 :]
    assert ((home >= low) & (home <= high)).all()
