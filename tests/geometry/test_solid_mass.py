"""Mass, centre and inertia of meshes, against formulas and another program."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

import mesh_samples as samples
from gelenk.errors import ConfigError
from gelenk.geometry import Mesh, convex_hull, mass_properties
from gelenk.geometry.solids import box_mesh
from gelenk.spatial import so3


def test_a_box_has_the_moments_of_a_box() -> None:
    body = mass_properties(box_mesh((1.0, 2.0, 3.0)), density=5.0)

    assert body.mass == pytest.approx(30.0)
    assert body.volume == pytest.approx(6.0)
    np.testing.assert_allclose(body.com, 0.0, atol=1e-15)
    expected = np.diag([4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0]) * 30.0 / 12.0
    np.testing.assert_allclose(body.inertia, expected, atol=1e-12)


def test_random_hulls_far_from_the_origin_agree_with_another_program() -> None:
    rng = np.random.default_rng(4)
    for _ in range(10):
        points = (
            rng.normal(size=(30, 3)) * rng.uniform(0.1, 2.0, 3)
            + rng.normal(size=3) * 20
        )
        hull = convex_hull(points)
        other = trimesh.Trimesh(hull.vertices, hull.faces, process=False)
        other.density = 1000.0

        body = mass_properties(hull)

        assert body.mass == pytest.approx(other.mass, rel=1e-9)
        np.testing.assert_allclose(body.com, other.center_mass, atol=1e-9)
        scale = np.abs(other.moment_inertia).max()
        np.testing.assert_allclose(
            body.inertia, other.moment_inertia, atol=1e-6 * scale
        )


def test_turning_a_body_turns_its_inertia() -> None:
    mesh = Mesh(vertices=samples.CORNERS.copy(), faces=samples.FACES.copy())
    R = so3.exp([0.3, -0.8, 0.5])
    turned = Mesh(vertices=mesh.vertices @ R.T, faces=mesh.faces)

    one, other = mass_properties(mesh), mass_properties(turned)

    assert one.volume == pytest.approx(samples.VOLUME)
    np.testing.assert_allclose(other.com, R @ one.com)
    np.testing.assert_allclose(other.inertia, R @ one.inertia @ R.T, atol=1e-9)


def test_a_body_inside_out_has_the_same_mass() -> None:
    mesh = Mesh(vertices=samples.CORNERS.copy(), faces=samples.FACES[:, ::-1].copy())

    assert mass_properties(mesh).volume == pytest.approx(samples.VOLUME)


def test_open_and_flat_surfaces_are_refused() -> None:
    with pytest.raises(ConfigError, match="closed"):
        mass_properties(
            Mesh(vertices=samples.CORNERS.copy(), faces=samples.FACES[1:].copy())
        )
    square = convex_hull([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    with pytest.raises(ConfigError, match="volume"):
        mass_properties(square)
    with pytest.raises(ConfigError, match="density"):
        mass_properties(box_mesh((1, 1, 1)), density=0.0)
