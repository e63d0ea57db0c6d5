"""Triangles and hulls of the shapes of a robot: scale, colours, what is missing."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
import trimesh

import mesh_samples as samples
from gelenk.geometry import Mesh
from gelenk.models import Geometry
from gelenk.models.shapes import hull_of, load_shapes, looks_of, mesh_of

WEDGE = Mesh(vertices=samples.CORNERS.copy(), faces=samples.FACES.copy())
SOLIDS = {
    "box": ((1.0, 2.0, 3.0), 6.0),
    "sphere": ((0.5,), 4.0 / 3.0 * np.pi * 0.125),
    "cylinder": ((0.5, 2.0), 0.5 * np.pi),
    "capsule": ((0.5, 1.0), np.pi * (0.25 + 0.5 / 3.0)),
    "ellipsoid": ((0.5, 1.0, 2.0), 4.0 / 3.0 * np.pi),
}


def volume(mesh: Mesh | None) -> float:
    assert mesh is not None
    return float(trimesh.Trimesh(mesh.vertices, mesh.faces).volume)


@pytest.mark.parametrize("kind", SOLIDS)
def test_a_primitive_is_its_triangles_and_its_hull(kind: str) -> None:
    size, whole = SOLIDS[kind]
    shape = Geometry(kind=kind, size=size)  # type: ignore[arg-type]

    assert volume(mesh_of(shape)) == pytest.approx(whole, rel=0.02)
    assert volume(hull_of(shape)) == pytest.approx(volume(mesh_of(shape)), rel=1e-9)


def test_a_mesh_comes_from_its_file_scaled(tmp_path: Path) -> None:
    path = tmp_path / "wedge.stl"
    path.write_bytes(samples.stl_binary())
    shape = Geometry(kind="mesh", size=(1.0, 2.0, 0.5), path=path)

    load_shapes([shape])
    mesh = mesh_of(shape)

    assert mesh is not None
    np.testing.assert_allclose(mesh.bounds[1], [2.0, 2.0, 0.25])
    assert mesh_of(shape) is mesh
    assert volume(hull_of(shape)) == pytest.approx(samples.VOLUME)


@pytest.mark.parametrize(
    "size", [(1.0, -1.0, 1.0), (-2.0, -1.0, -1.0), (1.0, 1.0, -0.5)]
)
def test_a_mirror_image_has_its_outside_outside(size: tuple[float, ...]) -> None:
    corners = samples.CORNERS[samples.FACES].reshape(-1, 3)
    flat = np.cross(corners[1::3] - corners[::3], corners[2::3] - corners[::3])
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    mesh = Mesh(
        vertices=corners,
        faces=np.arange(len(corners)).reshape(-1, 3),
        normals=np.repeat(flat, 3, axis=0),
    )

    shape = mesh_of(Geometry(kind="mesh", size=size, data=mesh))

    assert volume(shape) == pytest.approx(samples.VOLUME * abs(np.prod(size)))
    assert shape is not None
    body = trimesh.Trimesh(shape.vertices, shape.faces, process=False)
    normals = np.asarray(shape.normals)[shape.faces[:, 0]]
    np.testing.assert_allclose(normals, body.face_normals, atol=1e-9)


def test_a_mesh_of_the_description_needs_no_file() -> None:
    shape = Geometry(kind="mesh", size=(1.0, 1.0, 1.0), data=WEDGE)

    assert mesh_of(shape) is WEDGE
    assert hull_of(shape) is hull_of(shape)


def test_a_missing_or_broken_mesh_is_one_warning_with_its_name(tmp_path: Path) -> None:
    broken = tmp_path / "broken.obj"
    broken.write_text("v 0 0 nan")
    for shape, name in (
        (Geometry(kind="mesh", size=(), mesh="package://none/lost.stl"), "lost.stl"),
        (Geometry(kind="mesh", size=(), path=broken), "broken.obj"),
        (Geometry(kind="mesh", size=(), path=tmp_path / "gone.dae"), "gone.dae"),
    ):
        with pytest.warns(UserWarning, match=name):
            assert mesh_of(shape) is None
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert mesh_of(shape) is None
            assert hull_of(shape) is None


def test_the_colour_of_a_description_counts_unless_the_mesh_has_several() -> None:
    grey = (0.5, 0.5, 0.5, 1.0)
    shape = Geometry(kind="mesh", size=(), data=WEDGE, rgba=grey)
    one = np.tile([1.0, 0.0, 0.0, 1.0], (len(WEDGE.faces), 1))

    def colored(colors: np.ndarray) -> Mesh:
        return Mesh(vertices=WEDGE.vertices, faces=WEDGE.faces, face_colors=colors)

    assert looks_of(shape, WEDGE) == grey
    assert looks_of(shape, colored(one)) == grey
    assert looks_of(shape, colored(samples.COLORS.copy())) is None
    assert looks_of(Geometry(kind="mesh", size=(), data=WEDGE), colored(one)) is None
