"""Meshes and packages are found where they may be, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from gelenk.errors import ModelWarning
from gelenk.models.packages import FileFinder, missing_files, resolve
from gelenk.models.urdf import load_urdf


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A robot file in a workspace of two packages, and a secret outside."""
    for key in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GAZEBO_MODEL_PATH"):
        monkeypatch.delenv(key, raising=False)
    for name in ("arm/urdf/arm.urdf", "arm/meshes/a.stl", "arm/meshes/x y.stl",
                 "hand/meshes/h.stl", "hand/package.xml", "plain/h.stl",
                 "secret.stl"):  # fmt: skip
        path = tmp_path / "ws" / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    manifest = "<package><name>arm_description</name></package>"
    (tmp_path / "ws/src/arm/package.xml").write_text(manifest)
    return tmp_path / "ws/src/arm/urdf/arm.urdf"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("../meshes/a.stl", "arm/meshes/a.stl"),
        ("..\\meshes\\a.stl", "arm/meshes/a.stl"),
        ("meshes/a.stl", "arm/meshes/a.stl"),
        ("package://arm_description/meshes/a.stl", "arm/meshes/a.stl"),
        ("package://arm/meshes/a.stl", "arm/meshes/a.stl"),
        ("package://renamed/meshes/a.stl", "arm/meshes/a.stl"),
        ("model://hand/meshes/h.stl", "hand/meshes/h.stl"),
        ("$(find hand)/meshes/h.stl", "hand/meshes/h.stl"),
    ],
)
def test_names_lead_to_files(file: Path, name: str, found: str) -> None:
    assert resolve(name, file) == file.parents[2] / found


def test_a_file_address_is_read_inside_the_package_only(file: Path) -> None:
    mesh = file.parents[1] / "meshes/x y.stl"

    assert resolve(f"file://{str(mesh).replace(' ', '%20')}", file) == mesh
    assert resolve(str(mesh), file) == mesh
    assert resolve(f"file://{file.parents[2] / 'secret.stl'}", file) is None


@pytest.mark.parametrize(
    "name",
    [
        "../../secret.stl", "../../../src/secret.stl", "package://arm/../secret.stl",
        "package://../secret.stl", "package://hand/../secret.stl", "/etc/passwd",
        "package://plain/h.stl", "package:///etc/passwd", "package://arm//etc/passwd",
        "package://..", "package://", "http://a.b/c.stl", "C:\\a.stl", "", "\0",
        "x" * 5000, "meshes", "model://etc/passwd",
    ],
)  # fmt: skip
def test_what_lies_elsewhere_is_not_found(file: Path, name: str) -> None:
    finder = FileFinder(file)

    assert finder.resolve(name) is None
    assert len(missing_files(finder)) == 1, "the reason is kept"


def test_a_link_that_leads_out_is_not_followed(file: Path) -> None:
    link = file.parents[1] / "meshes/link.stl"
    link.symlink_to(file.parents[2] / "secret.stl")

    assert resolve("../meshes/link.stl", file) is None


def test_without_a_manifest_the_parent_of_the_folder_is_the_limit(file: Path) -> None:
    (file.parents[1] / "package.xml").unlink()
    deep = file.parent / "deep" / "arm.urdf"
    deep.parent.mkdir()

    assert resolve("../meshes/a.stl", file) is not None
    assert resolve("../../meshes/a.stl", deep) is None


def test_given_folders_and_the_environment_are_searched(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = file.parents[2]
    name, mesh = "package://plain/h.stl", source / "plain/h.stl"

    assert resolve(name, file, [source]) == mesh
    assert resolve(name, file, [source / "plain"]) == mesh
    assert resolve(name, None, [source]) == mesh
    assert resolve("h.stl", None, [source / "plain"]) == mesh
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{source}")
    assert resolve(name, file) == mesh
    monkeypatch.delenv("ROS_PACKAGE_PATH")
    (source / "share").mkdir()
    (source / "plain").rename(source / "share/plain")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(source))
    assert resolve(name, file) == source / "share/plain/h.stl"


def test_a_robot_knows_its_meshes_and_warns_of_missing_ones(file: Path) -> None:
    shapes = "".join(
        f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
        for name in (
            "../meshes/a.stl",
            "../../secret.stl",
            "package://none/b.stl",
            "package://none/c.stl",
        )
    )
    image = '<texture filename="../meshes/a.stl"/>'
    file.write_text(
        f'<robot name="arm"><material name="skin">{image}</material><link name="base">'
        f'{shapes}<visual><geometry><box size="1 1 1"/></geometry>'
        '<material name="skin"/></visual></link></robot>'
    )

    with pytest.warns(ModelWarning) as caught:
        model = load_urdf(file)

    messages = sorted(str(warning.message).partition(": ")[2] for warning in caught)
    assert messages[0].startswith("file '../../secret.stl': it lies outside")
    assert messages[1].startswith("file 'package://none/b.stl' and 1 more: there is no")
    assert all("package_dirs" in message for message in messages)
    mesh = file.parents[1] / "meshes/a.stl"
    shapes = model.geometry[0]
    assert [shape.path for shape in shapes] == [mesh, None, None, None, None]
    assert shapes[4].texture == mesh
