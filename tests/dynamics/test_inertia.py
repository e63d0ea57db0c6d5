"""Inertias against published vectors, MuJoCo, and integrals over points."""

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from gelenk.dynamics.inertia import (
    BodyInertia,
    body_from_spatial_inertia,
    explain_implausible,
    join_bodies,
    rotate_inertia,
    shift_from_com,
    shift_to_com,
    spatial_inertia,
    tensor_from_products,
    transform_body,
    transform_spatial_inertia,
)
from gelenk.dynamics.inertia_shapes import (
    box_inertia,
    capsule_inertia,
    cylinder_inertia,
    ellipsoid_inertia,
    geometry_inertia,
    mesh_inertia,
    sphere_inertia,
)
from gelenk.errors import ConfigError
from gelenk.models.link import Geometry
from testkit.random_models import random_pose

BOX = box_inertia([0.2, 0.3, 0.4], mass=12.0)


def cloud(points: np.ndarray, masses: np.ndarray) -> BodyInertia:
    """Return the inertia of point masses: the definition, as sums."""
    mass = masses.sum()
    com = masses @ points / mass
    x, y, z = (points - com).T
    moments = [
        masses @ (y * y + z * z),
        masses @ (x * x + z * z),
        masses @ (x * x + y * y),
    ]
    products = [masses @ (x * y), masses @ (x * z), masses @ (y * z)]
    return BodyInertia(
        mass=mass, com=com, inertia=tensor_from_products(moments, products)
    )


def random_cloud(seed: int) -> BodyInertia:
    rng = np.random.default_rng(seed)
    return cloud(rng.normal(size=(8, 3)), rng.uniform(0.1, 1.0, 8))


def cube_surface(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]  # fmt: skip
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    return low + corners * (high - low), np.array(faces)


@pytest.mark.capability("GR-52", "GR-53", "GR-54")
def test_published_box() -> None:
    assert_allclose(BOX.inertia, np.diag([0.25, 0.2, 0.13]), atol=1e-15)

    corner = shift_from_com(BOX.inertia, BOX.mass, [0.1, 0.15, 0.2])
    expected = [[1.0, -0.18, -0.24], [-0.18, 0.8, -0.36], [-0.24, -0.36, 0.52]]
    assert_allclose(corner, expected, atol=1e-12)

    R_frame_box = Rotation.from_rotvec([0.0, 0.0, -np.pi / 6]).as_matrix()
    turned = rotate_inertia(R_frame_box, BOX.inertia)
    expected = [[0.2375, -0.021651, 0], [-0.021651, 0.2125, 0], [0, 0, 0.13]]
    assert_allclose(turned, expected, atol=1e-6)


@pytest.mark.capability("GR-55")
def test_published_pair_of_spheres() -> None:
    ball = sphere_inertia(0.05, mass=1.0)
    pair = [
        BodyInertia(mass=ball.mass, com=[x, 0.0, 0.0], inertia=ball.inertia)  # type: ignore[arg-type]
        for x in (-0.3, 0.3)
    ]

    joined = join_bodies(pair)

    assert joined.mass == 2.0
    assert_allclose(joined.com, 0.0, atol=1e-15)
    assert_allclose(joined.inertia, np.diag([0.002, 0.182, 0.182]), atol=1e-15)


@pytest.mark.capability("GR-52")
@pytest.mark.parametrize(
    ("shape", "kind", "size"),
    [
        (box_inertia([0.2, 0.3, 0.4], density=700.0), "box", "0.1 0.15 0.2"),
        (sphere_inertia(0.15, density=700.0), "sphere", "0.15"),
        (cylinder_inertia(0.1, 0.4, density=700.0), "cylinder", "0.1 0.2"),
        (capsule_inertia(0.1, 0.4, density=700.0), "capsule", "0.1 0.2"),
        (ellipsoid_inertia([0.1, 0.2, 0.3], density=700.0), "ellipsoid", ".1 .2 .3"),
    ],
)
def test_shapes_agree_with_mujoco(shape: BodyInertia, kind: str, size: str) -> None:
    xml = f"""<mujoco><worldbody><body name="b"><freejoint/>
        <geom type="{kind}" size="{size}" density="700"/></body></worldbody></mujoco>"""
    body = mujoco.MjModel.from_xml_string(xml).body("b")
    R = Rotation.from_quat(body.iquat, scalar_first=True).as_matrix()

    assert shape.mass == pytest.approx(body.mass[0], rel=1e-12)
    theirs = R @ np.diag(body.inertia) @ R.T
    assert_allclose(shape.inertia, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.capability("GR-52")
def test_a_box_made_of_triangles_is_the_box_wherever_it_stands() -> None:
    low, high = np.array([0.4, -0.1, 0.2]), np.array([0.6, 0.2, 0.6])

    body = mesh_inertia(*cube_surface(low, high), mass=12.0)

    assert_allclose(body.com, (low + high) / 2.0, atol=1e-14)
    assert_allclose(body.inertia, BOX.inertia, atol=1e-13)
    by_density = mesh_inertia(*cube_surface(low, high), density=500.0)
    assert by_density.mass == pytest.approx(12.0, abs=1e-12)


@pytest.mark.capability("GR-52")
def test_a_convex_body_of_triangles_agrees_with_points_inside_it() -> None:
    rng = np.random.default_rng(1)
    hull = ConvexHull(rng.normal(size=(12, 3)) * [0.3, 0.2, 0.1] + [0.5, 0.0, 0.0])
    corners = hull.points[hull.simplices]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.vecdot(normals, hull.equations[:, :3]) < 0.0
    faces = np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)

    body = mesh_inertia(hull.points, faces, density=1.0)

    assert body.mass == pytest.approx(hull.volume, rel=1e-12)
    low, high = hull.points.min(axis=0), hull.points.max(axis=0)
    points = rng.uniform(low, high, (400_000, 3))
    inside = (points @ hull.equations[:, :3].T + hull.equations[:, 3] <= 0.0).all(
        axis=1
    )
    points = points[inside]
    sampled = cloud(points, np.full(len(points), hull.volume / len(points)))
    assert_allclose(body.com, sampled.com, atol=2e-3)
    assert_allclose(body.inertia, sampled.inertia, atol=0.02 * sampled.inertia.max())


@pytest.mark.capability("GR-52")
def test_surfaces_with_holes_or_inside_out_are_refused() -> None:
    vertices, faces = cube_surface(np.zeros(3), np.ones(3))
    with pytest.raises(ConfigError, match="not closed"):
        mesh_inertia(vertices, faces[1:], mass=1.0)
    with pytest.raises(ConfigError, match="anticlockwise"):
        mesh_inertia(vertices, faces[:, ::-1], mass=1.0)
    with pytest.raises(ConfigError, match="either `mass` or `density`"):
        sphere_inertia(0.1)


@pytest.mark.capability("GR-53")
def test_turning_the_axes_keeps_the_principal_moments() -> None:
    body = random_cloud(2)
    R = Rotation.random(5, rng=np.random.default_rng(3)).as_matrix()

    turned = rotate_inertia(R, body.inertia)

    moments = np.linalg.eigvalsh(body.inertia)
    assert_allclose(np.linalg.eigvalsh(turned), np.tile(moments, (5, 1)), atol=1e-12)


@pytest.mark.capability("GR-53", "GR-54", "GR-55")
def test_moving_turning_and_joining_agree_with_sums_over_points() -> None:
    rng = np.random.default_rng(4)
    points, masses = rng.normal(size=(9, 3)), rng.uniform(0.1, 1.0, 9)
    T = random_pose(rng)
    moved_points = points @ T[:3, :3].T + T[:3, 3]

    moved = transform_body(T, cloud(points, masses))
    joined = join_bodies([cloud(points[:4], masses[:4]), cloud(points[4:], masses[4:])])

    expected = cloud(moved_points, masses)
    assert_allclose(moved.com, expected.com, atol=1e-14)
    assert_allclose(moved.inertia, expected.inertia, atol=1e-13)
    assert_allclose(joined.inertia, cloud(points, masses).inertia, atol=1e-13)
    body = cloud(points, masses)
    about_origin = shift_from_com(body.inertia, body.mass, body.com)
    back = shift_to_com(about_origin, body.mass, body.com)
    assert_allclose(back, body.inertia, atol=1e-14)


@pytest.mark.capability("GR-54")
def test_spatial_inertia_gives_momentum_and_energy_of_moving_points() -> None:
    rng = np.random.default_rng(5)
    points, masses = rng.normal(size=(7, 3)), rng.uniform(0.1, 1.0, 7)
    twist = rng.normal(size=6)
    velocity = twist[:3] + np.cross(twist[3:], points)

    G = spatial_inertia(cloud(points, masses))

    momentum = (masses[:, None] * velocity).sum(axis=0)
    spin = np.cross(points, masses[:, None] * velocity).sum(axis=0)
    energy = 0.5 * masses @ np.vecdot(velocity, velocity)
    assert_allclose(G @ twist, np.concatenate([momentum, spin]), atol=1e-13)
    assert 0.5 * twist @ G @ twist == pytest.approx(energy, rel=1e-13)


@pytest.mark.capability("GR-53", "GR-54")
def test_spatial_inertia_follows_its_body_to_another_frame() -> None:
    rng = np.random.default_rng(6)
    body, T = random_cloud(7), np.stack([random_pose(rng) for _ in range(3)])

    G = transform_spatial_inertia(T, spatial_inertia(body))

    assert_allclose(G, spatial_inertia(transform_body(T, body)), atol=1e-12)
    back = body_from_spatial_inertia(G)
    assert_allclose(back.mass, body.mass, atol=1e-12)
    assert_allclose(back.inertia, transform_body(T, body).inertia, atol=1e-12)


def test_a_shape_of_a_link_is_placed_in_the_link() -> None:
    T = random_pose(np.random.default_rng(8))
    shape = Geometry(kind="box", size=(0.2, 0.3, 0.4), T_link_geometry=T)

    body = geometry_inertia(shape, density=500.0)

    assert body.mass == pytest.approx(12.0)
    assert_allclose(body.com, T[:3, 3], atol=1e-15)
    assert_allclose(body.inertia, T[:3, :3] @ BOX.inertia @ T[:3, :3].T, atol=1e-13)
    for kind, size in (("sphere", (0.1,)), ("cylinder", (0.1, 0.2)),
                       ("capsule", (0.1, 0.2)), ("ellipsoid", (0.1, 0.2, 0.3))):  # fmt: skip
        other = geometry_inertia(Geometry(kind=kind, size=size), density=1.0)  # type: ignore[arg-type]
        assert explain_implausible(other.inertia) == ""
    with pytest.raises(ConfigError, match=r"the mesh 'a.stl'"):
        geometry_inertia(Geometry(kind="mesh", size=(1, 1, 1), mesh="a.stl"), density=1)


@pytest.mark.parametrize(
    ("inertia", "mass", "word"),
    [
        (np.diag([1.0, 1.0, 1.0]), 1.0, ""),
        (np.diag([0.0, 1.0, 1.0]), 1.0, ""),  # a thin rod
        (np.diag([1.0, 1.0, 2.0]), 1.0, ""),  # a plate
        (np.diag([1.0, 1.0, 2.1]), 1.0, "exceeds the sum"),
        (np.diag([-0.1, 1.0, 1.0]), 1.0, "negative"),
        (np.array([[1.0, 0.2, 0], [0.1, 1, 0], [0, 0, 1]]), 1.0, "not symmetric"),
        (np.eye(3), -1.0, "mass"),
        (np.eye(3), 0.0, "without mass"),
        (np.full((3, 3), np.nan), 1.0, "not finite"),
    ],
)
def test_tensors_no_body_can_have_are_explained(
    inertia: np.ndarray, mass: float, word: str
) -> None:
    reason = explain_implausible(inertia, mass)

    assert (reason == "") == (word == "")
    assert word in reason


def test_joining_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least one body"):
        join_bodies([])
    empty = BodyInertia(mass=np.array(0.0), com=np.zeros(3), inertia=np.zeros((3, 3)))
    with pytest.raises(ConfigError, match="without mass"):
        join_bodies([empty])
    with pytest.raises(ConfigError, match="mass must be > 0"):
        body_from_spatial_inertia(np.zeros((6, 6)))
