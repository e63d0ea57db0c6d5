"""Distances of two convex shapes against optimisation, closed forms and coal."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from gelenk.collision import CollisionObject, Scene
from gelenk.collision.shapes import ConvexShape, hull_shape
from gelenk.geometry import Mesh, convex_hull
from gelenk.models import Geometry, JointType, Link, assemble

KINDS = ("box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh")
NUM_SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2, "ellipsoid": 3}


def floating(geometry: Geometry):
    """A robot that is one shape, free in space."""
    link = Link(
        name="body",
        joint_type=JointType.FLOATING,
        mass=1.0,
        inertia=np.eye(3),
        geometry=(geometry,),
    )
    return assemble("one_body", [link])


def measured(a: Geometry, T_a: np.ndarray, b: Geometry, T_b: np.ndarray):
    """Distance, points (2, 3), normal, whether free, of two shapes at their places."""
    thing = CollisionObject(name="thing", shapes=(b,), T_world_object=T_b)
    scene = Scene(floating(a), [thing])
    quat = Rotation.from_matrix(T_a[:3, :3]).as_quat(scalar_first=True)
    q = np.concatenate([T_a[:3, 3], quat])
    found = scene.distance(q)
    return (
        float(found.distance[0]),
        found.points[0],
        found.normals[0],
        bool(scene.is_free(q)),
    )


def pose(rng: np.random.Generator, spread: float) -> np.ndarray:
    T = np.eye(4)
    if rng.random() < 0.7:
        T[:3, :3] = Rotation.random(random_state=rng).as_matrix()
    T[:3, 3] = spread * rng.normal(size=3)
    return T


def mesh(vertices: np.ndarray) -> Geometry:
    data = Mesh(vertices=vertices, faces=np.empty((0, 3), dtype=np.int64))
    return Geometry(kind="mesh", size=(1.0, 1.0, 1.0), role="collision", data=data)


def random_shape(rng: np.random.Generator, kind: str, scale: float) -> Geometry:
    if kind == "mesh":
        count = int(rng.choice([4, 8, 60]))
        return mesh(scale * rng.uniform(0.2, 1.0, 3) * rng.normal(size=(count, 3)))
    size = tuple((scale * rng.uniform(0.2, 1.5, NUM_SIZES[kind])).tolist())
    return Geometry(kind=kind, size=size, role="collision")  # type: ignore[arg-type]


def corners(shape: Geometry, T: np.ndarray) -> np.ndarray:
    """Corners of a box or hull in the world."""
    if shape.kind == "mesh":
        assert shape.data is not None
        points = shape.data.vertices
    else:
        signs = np.array(np.meshgrid(*3 * [[-0.5, 0.5]])).reshape(3, 8).T
        points = signs * shape.size
    return points @ T[:3, :3].T + T[:3, 3]


def outward_planes(points: np.ndarray) -> np.ndarray:
    return ConvexHull(points).equations


def depth_by_planes(a: np.ndarray, b: np.ndarray) -> float:
    """Depth of two overlapping polytopes: the hull of all differences of corners."""
    differences = (a[:, None] - b).reshape(-1, 3)
    return float(-outward_planes(differences)[:, 3].max())


def distance_by_optimisation(a: np.ndarray, b: np.ndarray) -> float:
    """Distance of two separated polytopes: the nearest point of their differences."""
    differences = (a[:, None] - b).reshape(-1, 3)
    hull = ConvexHull(differences)
    planes = hull.equations
    found = minimize(
        lambda x: x @ x,
        differences.mean(axis=0),
        jac=lambda x: 2.0 * x,
        constraints={
            "type": "ineq",
            "fun": lambda x: -(planes[:, :3] @ x + planes[:, 3]),
            "jac": lambda x: -planes[:, :3],
        },
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 500},
    )
    return math.sqrt(found.fun)


def polytopes_meet(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether a point is a convex combination of both sets of corners."""
    rows = np.zeros((5, len(a) + len(b)))
    rows[:3] = np.hstack([a.T, -b.T])
    rows[3, : len(a)] = rows[4, len(a) :] = 1.0
    found = linprog(np.zeros(rows.shape[1]), A_eq=rows, b_eq=[0.0, 0.0, 0.0, 1.0, 1.0])
    return found.status == 0


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    kinds=st.tuples(*2 * [st.sampled_from(["box", "mesh"])]),
    scale=st.sampled_from([1e-3, 1.0, 10.0]),
)
def test_polytopes_are_as_far_apart_as_optimisation_says(
    seed: int, kinds: tuple[str, str], scale: float
) -> None:
    rng = np.random.default_rng(seed)
    a, b = (random_shape(rng, kind, scale) for kind in kinds)
    T_a, T_b = pose(rng, 0.8 * scale), pose(rng, 0.8 * scale)

    distance, points, normal, is_free = measured(a, T_a, b, T_b)

    x, y = corners(a, T_a), corners(b, T_b)
    if abs(distance) > 1e-7 * scale:
        assert polytopes_meet(x / scale, y / scale) == (distance < 0.0) == (not is_free)
    if distance > 1e-3 * scale:
        wanted = distance_by_optimisation(x / scale, y / scale) * scale
        assert distance == pytest.approx(wanted, rel=1e-5, abs=1e-6 * scale)
    elif distance < -1e-9 * scale:
        wanted = -depth_by_planes(x / scale, y / scale) * scale
        assert distance == pytest.approx(wanted, abs=1e-9 * scale)
    assert normal @ (points[1] - points[0]) == pytest.approx(distance, abs=1e-9 * scale)
    np.testing.assert_allclose(
        points[1] - points[0], distance * normal, atol=1e-8 * scale
    )
    # The plane through each point holds its shape on one side.
    assert ((x - points[0]) @ normal).max() <= 1e-8 * scale
    assert ((y - points[1]) @ normal).min() >= -1e-8 * scale


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    kinds=st.tuples(*2 * [st.sampled_from(KINDS)]),
    scale=st.sampled_from([1e-3, 1.0, 10.0]),
)
def test_the_points_of_any_shapes_are_extreme_along_the_normal(
    seed: int, kinds: tuple[str, str], scale: float
) -> None:
    """Optimality without a solver: both supporting planes stand across the normal."""
    rng = np.random.default_rng(seed)
    a, b = (random_shape(rng, kind, scale) for kind in kinds)
    T_a, T_b = pose(rng, 0.8 * scale), pose(rng, 0.8 * scale)

    distance, points, normal, is_free = measured(a, T_a, b, T_b)

    assert is_free == (distance > 0.0) or abs(distance) < 1e-12 * scale
    assert np.linalg.norm(normal) == pytest.approx(1.0)
    between = reach(b, T_b, -normal) + reach(a, T_a, normal)  # -gap along the normal
    assert -between == pytest.approx(distance, rel=1e-6, abs=3e-7 * scale)
    assert normal @ (points[1] - points[0]) == pytest.approx(
        distance, rel=1e-6, abs=3e-7 * scale
    )
    if distance < 0.0:  # no other direction parts them sooner
        others = rng.normal(size=(200, 3))
        others /= np.linalg.norm(others, axis=1)[:, None]
        depths = [reach(b, T_b, -n) + reach(a, T_a, n) for n in others]
        assert min(depths) >= -distance - 3e-7 * scale


def reach(shape: Geometry, T: np.ndarray, n: np.ndarray) -> float:
    """Farthest extent along n, by the closed form of each kind."""
    d, size = T[:3, :3].T @ n, shape.size
    match shape.kind:
        case "sphere":
            extent = size[0]
        case "capsule":
            extent = size[0] + 0.5 * size[1] * abs(d[2])
        case "cylinder":
            extent = size[0] * math.hypot(d[0], d[1]) + 0.5 * size[1] * abs(d[2])
        case "ellipsoid":
            extent = float(np.linalg.norm(np.asarray(size) * d))
        case "box":
            extent = 0.5 * float(np.abs(d) @ size)
        case _:
            assert shape.data is not None
            extent = float((shape.data.vertices @ d).max())
    return float(T[:3, 3] @ n) + extent


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), kinds=st.tuples(*2 * [st.sampled_from(KINDS)]))
def test_shapes_are_as_far_apart_as_coal_says(
    seed: int, kinds: tuple[str, str]
) -> None:
    coal = pytest.importorskip("coal")
    rng = np.random.default_rng(seed)
    a, b = (random_shape(rng, kind, 1.0) for kind in kinds)
    T_a, T_b = pose(rng, 1.0), pose(rng, 1.0)
    ask, answer = coal.DistanceRequest(), coal.DistanceResult()
    ask.enable_signed_distance = True
    ask.gjk_tolerance = ask.epa_tolerance = 1e-9
    ask.gjk_max_iterations = ask.epa_max_iterations = 500

    wanted = coal.distance(
        _coal_shape(coal, a),
        coal.Transform3s(T_a[:3, :3], T_a[:3, 3]),
        _coal_shape(coal, b),
        coal.Transform3s(T_b[:3, :3], T_b[:3, 3]),
        ask,
        answer,
    )

    assert measured(a, T_a, b, T_b)[0] == pytest.approx(wanted, abs=3e-6)


def _coal_shape(coal, shape: Geometry):
    makers = {
        "box": coal.Box,
        "sphere": coal.Sphere,
        "cylinder": coal.Cylinder,
        "capsule": coal.Capsule,
        "ellipsoid": coal.Ellipsoid,
    }
    if shape.kind != "mesh":
        return makers[shape.kind](*shape.size)
    assert shape.data is not None
    points = coal.StdVec_Vec3s()
    for vertex in shape.data.vertices:
        points.append(vertex)
    return coal.Convex.convexHull(points, False, None)


def ball(radius: float) -> Geometry:
    return Geometry(kind="sphere", size=(radius,), role="collision")


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


@pytest.mark.parametrize("gap", [1.0, 1e-6, 1e-9, 0.0, -1e-9, -1e-3, -0.15])
def test_balls_are_apart_by_the_distance_of_their_centres(gap: float) -> None:
    distance, points, normal, is_free = measured(
        ball(0.1), at(), ball(0.2), at(0.3 + gap, 0.0, 0.0)
    )

    assert distance == pytest.approx(gap, abs=1e-15)
    np.testing.assert_allclose(normal, [1.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(
        points, [[0.1, 0.0, 0.0], [0.1 + gap, 0.0, 0.0]], atol=1e-12
    )
    assert is_free == (gap > 0.0) or abs(gap) < 1e-12


def test_shapes_with_the_same_centre_have_a_depth_and_a_normal() -> None:
    box = Geometry(kind="box", size=(2.0, 4.0, 6.0), role="collision")
    capsule = Geometry(kind="capsule", size=(0.1, 1.0), role="collision")

    for a, b, depth in (
        (ball(0.1), ball(0.2), 0.3),
        (ball(0.1), box, 1.1),
        (capsule, capsule, 0.2),
        (box, box, 2.0),
        (capsule, ball(0.3), 0.4),
    ):
        distance, _, normal, is_free = measured(a, at(), b, at())
        assert distance == pytest.approx(-depth, abs=1e-12)
        assert np.linalg.norm(normal) == pytest.approx(1.0)
        assert not is_free


@pytest.mark.parametrize("gap", [1e-2, 1e-6, 1e-9, -1e-9, -1e-6, -1e-2])
@pytest.mark.parametrize("shift", [0.0, 0.3, 1.0])
def test_faces_that_nearly_touch_are_told_apart(gap: float, shift: float) -> None:
    box = Geometry(kind="box", size=(1.0, 1.0, 1.0), role="collision")
    hull = mesh(corners(box, np.eye(4)))

    for a in (box, hull):
        for b in (box, hull):
            distance, _, normal, is_free = measured(
                a, at(), b, at(0.9 * shift, 0.0, 1.0 + gap)
            )
            assert distance == pytest.approx(gap, abs=1e-14)
            np.testing.assert_allclose(normal, [0.0, 0.0, 1.0], atol=1e-6)
            assert is_free == (gap > 0.0)


@pytest.mark.parametrize("shift", [(0.3, 0.2), (0.0, 0.0), (-0.45, 0.7)])
def test_the_points_of_faces_that_overlap_lie_across_each_other(shift) -> None:
    box = Geometry(kind="box", size=(1.0, 1.0, 1.0), role="collision")

    distance, points, normal, _ = measured(box, at(), box, at(*shift, 0.9))

    assert distance == pytest.approx(-0.1)
    np.testing.assert_allclose(points[0] - points[1], 0.1 * normal, atol=1e-12)
    assert (np.abs(points[0]) <= 0.5 + 1e-12).all()
    assert (np.abs(points[1] - [*shift, 0.9]) <= 0.5 + 1e-12).all()


def test_flat_meshes_are_plates_without_thickness() -> None:
    plate = mesh(np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0.0]]))
    line = mesh(np.array([[-1, 0, 0], [1, 0, 0], [0.5, 0, 0.0]]))
    point = mesh(np.zeros((1, 3)))

    assert measured(plate, at(), ball(0.1), at(0, 0, 0.3))[0] == pytest.approx(0.2)
    assert measured(plate, at(), ball(0.1), at(0, 0, 0.05))[0] == pytest.approx(-0.05)
    assert measured(plate, at(), plate, at(0, 0, 0.25))[0] == pytest.approx(0.25)
    assert measured(line, at(), point, at(0, 3.0, 4.0))[0] == pytest.approx(5.0)
    assert measured(plate, at(), line, at(0.1, 0.1, 0.0))[0] == pytest.approx(0.0)


def test_a_climb_ends_at_the_farthest_corner_of_the_hull() -> None:
    rng = np.random.default_rng(3)
    grid = np.array(np.meshgrid(*3 * [np.linspace(-1.0, 1.0, 9)])).reshape(3, -1).T
    balls = rng.normal(size=(500, 3))
    for points in (grid, balls / np.linalg.norm(balls, axis=1)[:, None]):
        shape = hull_shape(convex_hull(points))
        for d in np.vstack([rng.normal(size=(300, 3)), np.eye(3), -np.eye(3)]):
            assert climbed(shape, d) == pytest.approx((points @ d).max(), abs=1e-12)


def climbed(shape: ConvexShape, d: np.ndarray) -> float:
    from gelenk.collision._build import shape_tables
    from gelenk.collision._support import support

    data, index = shape_tables([shape], [0])
    local = shape.T[:3, :3].T @ d
    point = support(data, index, 0, tuple(local.tolist()))
    return float(d @ (shape.T[:3, :3] @ point + shape.T[:3, 3]))


def test_a_bounding_box_holds_its_hull() -> None:
    rng = np.random.default_rng(4)
    points = rng.normal(size=(80, 3)) @ np.diag([1.0, 0.1, 0.3])
    turned = points @ Rotation.random(random_state=rng).as_matrix().T

    shape = hull_shape(convex_hull(turned))

    assert (np.abs(shape.vertices) <= shape.half + 1e-12).all()
    world = shape.vertices @ shape.T[:3, :3].T + shape.T[:3, 3]
    for corner in world:
        assert np.abs(turned - corner).sum(axis=1).min() < 1e-12
    assert np.prod(shape.half) < 0.6 * np.prod(np.ptp(turned, axis=0) / 2.0)
