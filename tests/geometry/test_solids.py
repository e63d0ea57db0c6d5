"""Tessellated solids are closed, look outwards and come near the smooth solid."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from gelenk.geometry import Mesh
from gelenk.geometry.solids import (
    box_mesh,
    capsule_mesh,
    cylinder_mesh,
    ellipsoid_mesh,
)

SOLIDS = {
    "box": (box_mesh((1.0, 2.0, 3.0)), 6.0, 0.0),
    "ellipsoid": (ellipsoid_mesh((1.0, 2.0, 0.5)), 4.0 / 3.0 * np.pi, 0.02),
    "cylinder": (cylinder_mesh(0.5, 2.0), 0.5 * np.pi, 0.01),
    "capsule": (capsule_mesh(0.5, 1.0), np.pi * (0.25 + 0.5 / 3.0), 0.02),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_is_closed_and_has_almost_its_volume(name: str) -> None:
    mesh, volume, lack = SOLIDS[name]

    body = trimesh.Trimesh(mesh.vertices, mesh.faces)

    assert body.is_watertight
    assert volume * (1.0 - lack) - 1e-12 <= body.volume <= volume + 1e-12


@pytest.mark.parametrize("name", SOLIDS)
def test_normals_are_unit_vectors_near_those_of_the_triangles(name: str) -> None:
    mesh: Mesh = SOLIDS[name][0]
    normals = np.asarray(mesh.normals)

    flat = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False).face_normals

    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0)
    assert np.einsum("ikj,ij->ik", normals[mesh.faces], flat).min() > 0.9


def test_sizes_are_those_asked_for() -> None:
    np.testing.assert_allclose(SOLIDS["box"][0].bounds[1], [0.5, 1.0, 1.5])
    np.testing.assert_allclose(SOLIDS["ellipsoid"][0].bounds[1], [1.0, 2.0, 0.5])
    np.testing.assert_allclose(SOLIDS["cylinder"][0].bounds[1], [0.5, 0.5, 1.0])
    np.testing.assert_allclose(SOLIDS["capsule"][0].bounds[1], [0.5, 0.5, 1.0])
