"""Convex hulls, hulls with few corners, flat hulls, convex pieces."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial import Delaunay

from gelenk.errors import ConfigError, ShapeError
from gelenk.geometry import Mesh, convex_hull, decompose
from gelenk.geometry import _mesh_cache as cache
from gelenk.geometry.solids import box_mesh


def cloud(count: int, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, 3)) * [1.0, 0.5, 0.1]


def heights(hull: Mesh, points: np.ndarray) -> np.ndarray:
    """Return how far points are outside of each face, shape (points, faces)."""
    corners = hull.vertices[hull.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return points @ normals.T - np.einsum("ij,ij->i", normals, corners[:, 0])


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    return tmp_path / "meshes"


def test_a_hull_holds_all_points_and_is_closed() -> None:
    points = cloud(500)

    hull = convex_hull(points)

    assert heights(hull, points).max() < 1e-12
    body = trimesh.Trimesh(hull.vertices, hull.faces, process=False)
    assert body.is_watertight
    cells = Delaunay(points).simplices
    edges = points[cells[:, 1:]] - points[cells[:, :1]]
    assert body.volume == pytest.approx(np.abs(np.linalg.det(edges)).sum() / 6.0)
    assert {*map(tuple, hull.vertices.tolist())} <= {*map(tuple, points.tolist())}


@pytest.mark.parametrize("limit", [5, 12, 40])
def test_a_hull_with_few_corners_lies_within_and_keeps_most(limit: int) -> None:
    points = cloud(4000) / np.linalg.norm(cloud(4000), axis=1, keepdims=True)

    hull = convex_hull(points, max_vertices=limit)

    assert 4 <= len(hull.vertices) <= limit
    body = trimesh.Trimesh(hull.vertices, hull.faces, process=False)
    whole = trimesh.convex.convex_hull(points)
    assert whole.contains(0.999 * hull.vertices).all()
    assert body.volume > (0.05 if limit == 5 else 0.5) * whole.volume


def test_a_mesh_and_its_corners_have_the_same_hull() -> None:
    mesh = box_mesh((1.0, 2.0, 3.0))

    hull = convex_hull(mesh)

    assert len(hull.vertices) == 8
    np.testing.assert_allclose(hull.bounds, mesh.bounds)


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_what_is_flat_has_a_flat_hull_of_both_sides(rank: int) -> None:
    points = np.zeros((30, 3))
    points[:, :rank] = np.random.default_rng(1).uniform(-1, 1, (30, rank))
    points = points @ np.linalg.qr(cloud(3))[0] + [1.0, 2.0, 3.0]

    hull = convex_hull(points)

    np.testing.assert_allclose(hull.bounds, [points.min(0), points.max(0)], atol=1e-12)
    doubled = np.sort(hull.faces, axis=1)
    assert len(np.unique(doubled, axis=0)) * 2 == len(hull.faces)


@pytest.mark.parametrize(
    "wrong", [np.zeros((0, 3)), [[0, 0, np.nan]], [[0, 0, np.inf]]]
)
def test_no_points_and_infinite_ones_are_refused(wrong: list[list[float]]) -> None:
    with pytest.raises(ConfigError, match="finite"):
        convex_hull(wrong)


def test_options_out_of_range_are_refused() -> None:
    with pytest.raises(ShapeError):
        convex_hull(np.zeros((4, 2)))
    with pytest.raises(ConfigError, match="max_vertices"):
        convex_hull(cloud(10), max_vertices=4)
    with pytest.raises(ConfigError, match="threshold"):
        decompose(box_mesh((1, 1, 1)), threshold=0.0)
    with pytest.raises(ConfigError, match="max_pieces"):
        decompose(box_mesh((1, 1, 1)), max_pieces=0)


def test_hulls_of_many_points_are_kept_on_disk_by_content(folder: Path) -> None:
    points = cloud(6000)
    hull = convex_hull(points)
    (entry,) = folder.iterdir()

    again = convex_hull(points)
    np.testing.assert_array_equal(again.vertices, hull.vertices)
    np.testing.assert_array_equal(again.faces, hull.faces)

    name = entry.name.removesuffix(cache.SUFFIX)
    moved = {"vertices": hull.vertices + 1.0, "faces": hull.faces}
    cache.save_arrays(name, moved)  # seen in the answer, so it does come from disk
    np.testing.assert_array_equal(convex_hull(points).vertices, hull.vertices + 1.0)
    convex_hull(points + 1e-9)
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("damage", ["cut", "bit", "empty"])
def test_a_damaged_entry_is_dropped(damage: str, folder: Path) -> None:
    points = cloud(6000)
    hull = convex_hull(points)
    (entry,) = folder.iterdir()
    data = bytearray(entry.read_bytes())
    data[len(data) // 2] ^= 4
    entry.write_bytes({"cut": data[:500], "bit": data, "empty": b""}[damage])

    np.testing.assert_array_equal(convex_hull(points).vertices, hull.vertices)


def test_without_coacd_the_error_says_how_to_get_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "coacd", None)

    with pytest.raises(ConfigError, match=r"pip install gelenk\[decompose\]"):
        decompose(box_mesh((1.0, 2.0, 3.0)))


@pytest.mark.slow
def test_an_angle_is_taken_apart_into_convex_pieces(folder: Path) -> None:
    pytest.importorskip("coacd")
    upright = trimesh.creation.box(extents=(0.2, 0.2, 1.0))
    across = trimesh.creation.box(bounds=[[0.1, -0.1, -0.5], [1.0, 0.1, -0.3]])
    angle = trimesh.util.concatenate([upright, across])
    mesh = Mesh(vertices=np.array(angle.vertices), faces=np.array(angle.faces))

    pieces = decompose(mesh)

    assert 2 <= len(pieces) <= 4
    volume = sum(trimesh.Trimesh(p.vertices, p.faces).volume for p in pieces)
    assert volume == pytest.approx(0.04 + 0.036, rel=0.2)
    again = decompose(mesh)
    assert len(list(folder.iterdir())) == 1
    np.testing.assert_array_equal(again[0].vertices, pieces[0].vertices)
