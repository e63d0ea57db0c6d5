"""Thinner meshes keep the surface, the colours and the limits."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from gelenk.errors import ConfigError
from gelenk.geometry import Mesh, simplify


def fine_mesh(subdivisions: int = 5) -> trimesh.Trimesh:
    """Return a lying ellipsoid on a slab."""
    ball = trimesh.creation.icosphere(subdivisions=subdivisions).apply_scale(
        [0.2, 0.1, 0.05]
    )
    slab = (
        trimesh.creation.box(extents=(0.5, 0.3, 0.02))
        .subdivide()
        .subdivide()
        .subdivide()
    )
    return trimesh.util.concatenate([ball, slab])


def as_mesh(body: trimesh.Trimesh) -> Mesh:
    return Mesh(vertices=np.array(body.vertices), faces=np.array(body.faces))


def deviation(one: Mesh, other: Mesh) -> tuple[float, float]:
    """Return the largest and the mean distance of points of one surface to another [m]."""
    surface = trimesh.Trimesh(one.vertices, one.faces, process=False)
    points = trimesh.sample.sample_surface(surface, 500, seed=2)[0]
    target = trimesh.Trimesh(other.vertices, other.faces, process=False)
    distance = trimesh.proximity.closest_point(target, points)[1]
    return float(distance.max()), float(distance.mean())


@pytest.mark.parametrize(
    ("count", "largest", "mean"), [(4000, 2e-3, 2e-4), (500, 1.6e-2, 8e-3)]
)
def test_the_surface_hardly_moves(count: int, largest: float, mean: float) -> None:
    whole = as_mesh(fine_mesh())

    thin = simplify(whole, count)

    assert 0.7 * count < len(thin.faces) <= count
    for pair in ((whole, thin), (thin, whole)):
        moved = deviation(*pair)
        assert moved[0] < largest
        assert moved[1] < mean
    np.testing.assert_allclose(thin.bounds, whole.bounds, atol=largest)


def test_a_mesh_of_loose_triangles_is_thinned_as_well() -> None:
    body = fine_mesh(4)
    loose = Mesh(
        vertices=np.array(body.triangles.reshape(-1, 3)),
        faces=np.arange(3 * len(body.faces)).reshape(-1, 3),
    )

    thin = simplify(loose, 600)

    assert 300 < len(thin.faces) <= 600
    assert deviation(loose, thin)[0] < 1.6e-2


def test_triangles_keep_their_colours_and_sides() -> None:
    body = fine_mesh()
    is_right = body.triangles_center[:, 0] > 0.0
    colors = np.where(is_right[:, None], [1.0, 0, 0, 1], [0, 0, 1.0, 1])
    whole = Mesh(
        vertices=np.array(body.vertices), faces=np.array(body.faces), face_colors=colors
    )

    thin = simplify(whole, 2000)

    middle = thin.vertices[thin.faces].mean(axis=1)
    clear = np.abs(middle[:, 0]) > 0.03
    assert thin.face_colors is not None
    assert ((thin.face_colors[:, 0] == 1.0) == (middle[:, 0] > 0))[clear].all()
    other = trimesh.Trimesh(thin.vertices, thin.faces)
    assert other.volume == pytest.approx(body.volume, rel=0.03)


def test_a_texture_becomes_colours() -> None:
    axis = np.linspace(0.0, 1.0, 41)
    u, v = (grid.reshape(-1) for grid in np.meshgrid(axis, axis))
    i = (np.arange(40)[:, None] * 41 + np.arange(40)).reshape(-1)
    faces = np.concatenate(
        [np.stack([i, i + 1, i + 42], 1), np.stack([i, i + 42, i + 41], 1)]
    )
    texture = np.zeros((2, 2, 3), dtype=np.uint8)
    texture[0, 1] = [255, 0, 0]  # above, right
    plate = Mesh(
        vertices=np.stack([u, v, 0.0 * u], axis=1), faces=faces,
        uv=np.stack([u, v], axis=1), texture=texture,
    )  # fmt: skip

    thin = simplify(plate, 400)

    x, y, _ = thin.vertices[thin.faces].mean(axis=1).T
    clear = (np.abs(x - 0.5) > 0.1) & (np.abs(y - 0.5) > 0.1)
    assert thin.face_colors is not None
    assert ((thin.face_colors[:, 0] == 1.0) == ((x > 0.5) & (y > 0.5)))[clear].all()


def test_a_small_mesh_stays_as_it_is_and_nonsense_is_refused() -> None:
    mesh = as_mesh(trimesh.creation.box())

    assert simplify(mesh, 12) is mesh
    needles = trimesh.creation.box(extents=(1.0, 1e-3, 1e-3)).subdivide()
    assert 0 < len(simplify(as_mesh(needles), 12).faces) <= 12
    with pytest.raises(ConfigError, match="max_faces"):
        simplify(mesh, 11)
