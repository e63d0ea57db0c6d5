"""Meshes kept on disk: the same as the file, and never of another file."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import cv2
import numpy as np
import pytest

from gelenk.errors import FileFormatError
from gelenk.geometry import Mesh, _mesh_kept, mesh_file, read_mesh
from gelenk.geometry import _mesh_cache as cache

CORNERS = np.random.default_rng(3).normal(size=(900, 3)).round(4)


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep meshes in a folder of the test, however small they are."""
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "kept")
    monkeypatch.setattr(_mesh_kept, "_WORTH_KEEPING", 1000)
    return tmp_path / "kept" / "meshes"


def write_painted(folder: Path, level: int) -> Path:
    """Write an OBJ file with a picture beside; return its path."""
    lines = ["mtllib paint.mtl", "usemtl paint", "vt 0 0", "vt 1 0", "vt 0 1"]
    lines += [f"v {x} {y} {z}" for x, y, z in CORNERS.tolist()]
    lines += [f"f {k}/1 {k + 1}/2 {k + 2}/3" for k in range(1, 898, 3)]
    (folder / "paint.mtl").write_text("newmtl paint\nmap_Kd paint.png\n")
    cv2.imwrite(str(folder / "paint.png"), np.full((4, 4, 3), level, np.uint8))
    path = folder / "body.obj"
    path.write_text("\n".join(lines))
    return path


def read_as_new_process(path: Path, monkeypatch: pytest.MonkeyPatch) -> Mesh:
    monkeypatch.setattr(mesh_file, "_meshes", cache.MeshStore(1 << 20))
    return read_mesh(path)


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(source: object) -> list[object]:
        raise AssertionError("the file was read again")

    monkeypatch.setitem(mesh_file._READERS, ".obj", read)  # type: ignore[arg-type]


def assert_same(one: Mesh, other: Mesh) -> None:
    for item in dataclasses.fields(Mesh):
        a, b = getattr(one, item.name), getattr(other, item.name)
        assert (a is None) == (b is None), item.name
        if a is not None:
            np.testing.assert_array_equal(a, b)
            assert a.dtype == b.dtype


def test_another_process_finds_the_same_mesh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_painted(tmp_path, 200)
    first = read_as_new_process(path, monkeypatch)
    forbid_reading(monkeypatch)

    again = read_as_new_process(path, monkeypatch)

    assert first.texture is not None
    assert_same(first, again)


def test_a_file_that_moved_with_its_picture_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    first = read_as_new_process(write_painted(tmp_path / "old", 90), monkeypatch)
    path = write_painted(tmp_path / "new", 90)
    forbid_reading(monkeypatch)

    assert_same(first, read_as_new_process(path, monkeypatch))


def test_another_picture_beside_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_as_new_process(write_painted(tmp_path, 200), monkeypatch)

    mesh = read_as_new_process(write_painted(tmp_path, 40), monkeypatch)

    assert mesh.texture is not None
    assert (mesh.texture[:, :, :3] == 40).all()


def test_a_changed_file_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_painted(tmp_path, 200)
    first = read_as_new_process(path, monkeypatch)
    path.write_text(path.read_text().replace(f"v {CORNERS[0, 0]}", "v 7.5"))

    mesh = read_as_new_process(path, monkeypatch)

    assert mesh.vertices.max() == 7.5
    assert first.vertices.max() < 7.5


def test_damaged_entries_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: Path
) -> None:
    path = write_painted(tmp_path, 200)
    first = read_as_new_process(path, monkeypatch)
    entries = list(kept.iterdir())
    for entry in entries:
        data = bytearray(entry.read_bytes())
        data[len(data) // 2] ^= 1
        entry.write_bytes(data)

    assert entries
    assert_same(first, read_as_new_process(path, monkeypatch))


def test_limits_hold_for_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_painted(tmp_path, 200)
    read_as_new_process(path, monkeypatch)

    with pytest.raises(FileFormatError, match="at most 10"):
        read_mesh(path, max_faces=10)


def test_what_was_left_out_is_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_painted(tmp_path, 200)
    (tmp_path / "paint.png").write_bytes(b"no picture")

    for _ in range(2):
        with pytest.warns(UserWarning, match="no image"):
            read_as_new_process(path, monkeypatch)


def test_what_lies_outside_is_not_taken_from_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    path = write_painted(inner, 200)
    (inner / "paint.png").rename(tmp_path / "paint.png")
    (inner / "paint.mtl").write_text("newmtl paint\nmap_Kd ../paint.png\n")
    wide = read_mesh(path, folder=tmp_path)
    monkeypatch.setattr(mesh_file, "_meshes", cache.MeshStore(1 << 20))

    with pytest.warns(UserWarning, match="outside"):
        narrow = read_mesh(path)

    assert wide.texture is not None
    assert narrow.texture is None
