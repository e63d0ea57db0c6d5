"""Normals of meshes for drawing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gelenk.geometry import Mesh
from gelenk.geometry.creases import crease
from gelenk.geometry.solids import box_mesh, cylinder_mesh, ellipsoid_mesh


def _soup(mesh: Mesh) -> Mesh:
    """Return a mesh whose triangles share no corner, as in an STL file."""
    return Mesh(
        vertices=mesh.vertices[mesh.faces].reshape(-1, 3),
        faces=np.arange(3 * len(mesh.faces)).reshape(-1, 3),
    )


def _flat(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)


def test_the_edges_of_a_box_stay_sharp() -> None:
    box = _soup(box_mesh((1.0, 2.0, 3.0)))

    found = crease(box)

    at_corners = found.normals[found.normal_ids]
    expected = np.repeat(_flat(box.vertices, box.faces)[:, None], 3, axis=1)
    np.testing.assert_allclose(at_corners, expected, atol=1e-12)
    assert len(found.normals) == 24  # three at each corner of the box
    assert found.is_closed


def test_a_ball_is_round_everywhere() -> None:
    ball = _soup(ellipsoid_mesh((0.3, 0.3, 0.3)))

    found = crease(ball)

    points = ball.vertices[found.faces]
    outward = points / np.linalg.norm(points, axis=2, keepdims=True)
    turn = np.einsum("ijk,ijk->ij", found.normals[found.normal_ids], outward)
    assert turn.min() > np.cos(0.05)


def test_a_cylinder_is_round_with_sharp_rims() -> None:
    can = _soup(cylinder_mesh(0.2, 0.5))

    found = crease(can)

    z = np.abs(found.normals[found.normal_ids][..., 2])
    assert ((z < 1e-9) | (z > 1.0 - 1e-9)).all()


def test_parts_that_are_inside_out_are_turned_back() -> None:
    one, other = (_soup(ellipsoid_mesh((0.1, 0.2, 0.3))) for _ in range(2))
    vertices = np.concatenate([one.vertices, other.vertices + np.eye(3)[0]])
    faces = np.concatenate([one.faces, other.faces[:, ::-1] + len(one.vertices)])

    found = crease(Mesh(vertices=vertices, faces=faces))

    middle = np.where(np.arange(len(faces)) < len(one.faces), 0.0, 1.0)
    outward = vertices[found.faces].mean(axis=1) - np.outer(middle, [1.0, 0.0, 0.0])
    flat = _flat(vertices, found.faces)
    assert np.einsum("ij,ij->i", flat, outward).min() > 0.0
    at_first = found.normals[found.normal_ids[:, 0]]
    assert np.einsum("ij,ij->i", flat, at_first).min() > 0.0


def test_normals_of_a_file_are_kept_and_decide_which_side_is_outside() -> None:
    ball = ellipsoid_mesh((0.3, 0.3, 0.3))
    normals = ball.vertices / np.linalg.norm(ball.vertices, axis=1, keepdims=True)
    wrong = replace(ball, normals=normals, faces=ball.faces[:, ::-1].copy())

    found = crease(wrong)

    np.testing.assert_array_equal(found.normals, normals)
    flat = _flat(ball.vertices, found.faces)
    outward = ball.vertices[found.faces].mean(axis=1)
    assert np.einsum("ij,ij->i", flat, outward).min() > 0.0


@pytest.mark.parametrize("given", [0.0, np.nan])
def test_normals_that_are_none_are_made_anew(given: float) -> None:
    box = box_mesh((1.0, 1.0, 1.0))

    found = crease(replace(box, normals=np.full_like(box.vertices, given)))

    length = np.linalg.norm(found.normals, axis=1)
    np.testing.assert_allclose(length, 1.0, atol=1e-12)


def test_a_surface_with_a_rim_is_open() -> None:
    box = box_mesh((1.0, 1.0, 1.0))

    found = crease(replace(box, normals=None, faces=box.faces[:-2].copy()))

    assert not found.is_closed
