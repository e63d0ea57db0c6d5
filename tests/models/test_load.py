"""`gelenk.load` by name and by path."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gelenk
from gelenk.errors import ConfigError, FileFormatError, NameNotFoundError
from gelenk.models import catalog
from gelenk.models.loader import load
from gelenk.models.mjcf import model_from_mjcf
from gelenk.models.urdf import model_from_urdf
from robot_files import MJCF, assert_same_model
from robot_files import URDF as WITH_MESH

# A missing mesh is a warning of its own, see `test_packages`.
URDF = WITH_MESH.replace(
    '<mesh filename="package://crane/mast.dae" scale="1 1 -1"/>', '<box size="1 1 1"/>'
)

# The meshes that the files of the tests name do not exist.
pytestmark = pytest.mark.filterwarnings("ignore::gelenk.errors.ModelWarning")


def test_a_name_gives_the_robot_of_the_catalogue() -> None:
    assert_same_model(gelenk.load("panda"), catalog.make("panda"))


def test_a_wrong_name_answers_with_the_closest_one() -> None:
    with pytest.raises(NameNotFoundError, match=r"Did you mean 'panda'.*ur5e"):
        load("pandda")


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_gives_the_robot_in_the_file(tmp_path: Path, kind: type) -> None:
    urdf, mjcf = tmp_path / "crane.urdf", tmp_path / "walker.xml"
    urdf.write_text(URDF)
    mjcf.write_text(MJCF)

    assert_same_model(load(kind(urdf)), model_from_urdf(URDF))
    assert_same_model(load(kind(mjcf)), model_from_mjcf(MJCF))


def test_the_root_element_decides_what_a_file_is(tmp_path: Path) -> None:
    urdf, mjcf = tmp_path / "crane.xml", tmp_path / "walker.URDF"
    urdf.write_text(URDF)
    mjcf.write_text(MJCF)

    assert_same_model(load(urdf), model_from_urdf(URDF))
    assert_same_model(load(mjcf), model_from_mjcf(MJCF))


def test_a_relative_path_without_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crane.urdf").write_text(URDF)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))

    assert load("crane.urdf").name == "crane"
    assert load("~/crane.urdf").name == "crane"


def test_the_base_of_a_urdf_file_can_float(tmp_path: Path) -> None:
    urdf, mjcf = tmp_path / "crane.urdf", tmp_path / "walker.xml"
    urdf.write_text(URDF)
    mjcf.write_text(MJCF)

    assert load(urdf, base="floating").has_floating_base
    for other in (mjcf, "panda"):
        with pytest.raises(ConfigError, match="only URDF files leave that choice"):
            load(other, base="floating")


def test_a_missing_file_says_so_and_names_the_closest(tmp_path: Path) -> None:
    (tmp_path / "crane.urdf").write_text(URDF)

    with pytest.raises(
        FileFormatError, match=r"no such file; did you mean 'crane.urdf'"
    ):
        load(tmp_path / "cranes.urdf")
    with pytest.raises(FileFormatError, match="no such file; looked in"):
        load(tmp_path / "zzz.xml")
    with pytest.raises(FileFormatError, match=r"folder .* does not exist either"):
        load(tmp_path / "nowhere" / "crane.urdf")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cell.env", "environment file holds a world"),
        ("arm.sdf", "convert it to URDF or MJCF"),
        ("folder/arm.txt", r"known are \.urdf, \.xacro, \.xml"),
        ("arm.step", r"known are \.urdf, \.xacro, \.xml"),
        ("folder/arm", r"files ending in '' cannot be loaded"),
    ],
)
def test_other_endings_are_refused_with_the_way_out(name: str, words: str) -> None:
    with pytest.raises(FileFormatError, match=words):
        load(name)


def test_things_that_are_no_readable_files_are_named(tmp_path: Path) -> None:
    folder, pipe = tmp_path / "folder.urdf", tmp_path / "pipe.urdf"
    folder.mkdir()
    os.mkfifo(pipe)

    with pytest.raises(
        FileFormatError, match="this is a directory; name the robot file"
    ):
        load(folder)
    with pytest.raises(FileFormatError, match="not a regular file"):
        load(pipe)
    with pytest.raises(FileFormatError, match="cannot be read"):
        load(tmp_path / ("x" * 300 + ".urdf"))
    with pytest.raises(FileFormatError, match="no such file"):
        load("nul\0byte.urdf")
    with pytest.raises(ConfigError, match="must be a text or a path"):
        load(b"arm.urdf")  # pyright: ignore[reportArgumentType]


def test_other_xml_files_are_named_by_their_root(tmp_path: Path) -> None:
    path = tmp_path / "page.xml"
    path.write_text("<html/>")

    with pytest.raises(FileFormatError, match=r"<robot> .* or <mujoco> .*, got <html>"):
        load(path)


def test_files_are_read_without_compiler_and_simulator(tmp_path: Path) -> None:
    path = tmp_path / "crane.urdf"
    path.write_text(URDF)
    code = (
        "import sys, gelenk; gelenk.load(sys.argv[1]); "
        "print({'numba', 'scipy', 'mujoco', 'pinocchio'} & set(sys.modules))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "set()"
