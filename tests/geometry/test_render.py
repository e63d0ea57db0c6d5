"""Pictures of meshes: silhouettes, depth and light, against geometry by hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from gelenk.errors import ConfigError, ShapeError
from gelenk.geometry import Mesh, MeshInstance, convex_hull, render_meshes
from gelenk.geometry.png import encode_png
from gelenk.geometry.solids import box_mesh, ellipsoid_mesh
from gelenk.spatial import so3
from gelenk.vision import Intrinsics

CAMERA = Intrinsics(width=160, height=120, fx=150.0, fy=140.0, cx=75.0, cy=62.0)


def pose(R: np.ndarray, p: tuple[float, ...]) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def rays(camera: Intrinsics) -> np.ndarray:
    """Return the directions of all pixels in camera axes, z = 1, shape (h, w, 3)."""
    v, u = np.mgrid[: camera.height, : camera.width].astype(float)
    x, y = (u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy
    return np.stack([x, y, np.ones_like(x)], axis=-1)


def moller_trumbore(mesh: Mesh, directions: np.ndarray) -> np.ndarray:
    """Return how far along rays from the origin the first triangle is."""
    nearest = np.full(directions.shape[:2], np.inf)
    for a, b, c in mesh.vertices[mesh.faces]:
        p = np.cross(directions, c - a)
        scale = p @ (b - a)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = -(p @ a) / scale
            q = np.cross(-a, b - a)
            v = directions @ q / scale
            t = (c - a) @ q / scale
            hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)
        nearest = np.where(hit & (t < nearest), t, nearest)
    return nearest


def random_body(seed: int) -> Mesh:
    points = np.random.default_rng(seed).normal(size=(12, 3)) * 0.6
    return convex_hull(points + np.array([0.0, 0.0, 4.0]))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_depth_and_silhouette_are_those_of_rays(seed: int) -> None:
    bodies = [random_body(seed), random_body(seed + 10)]
    expected = np.stack([moller_trumbore(body, rays(CAMERA)) for body in bodies])

    items = [MeshInstance(mesh=body) for body in bodies]
    image = render_meshes(items, CAMERA, np.eye(4), samples=1)

    nearest = expected.min(axis=0)
    seen = np.isfinite(nearest)
    assert seen.sum() > 500
    assert (np.isfinite(image.depth) == seen).mean() > 0.9999
    both = seen & np.isfinite(image.depth)
    np.testing.assert_allclose(image.depth[both], nearest[both], rtol=1e-9)
    which = np.where(seen, expected.argmin(axis=0), -1)
    assert (image.segments == which).mean() > 0.9999


def test_a_ball_covers_the_ellipse_that_geometry_says() -> None:
    radius, center = 0.5, np.array([0.3, -0.2, 3.0])
    ball = MeshInstance(
        mesh=ellipsoid_mesh((radius,) * 3), T_world_mesh=pose(np.eye(3), tuple(center))
    )

    seen = np.isfinite(render_meshes([ball], CAMERA, np.eye(4), samples=1).depth)

    # A ray meets the ball if the angle to its centre is small enough.
    directions = rays(CAMERA)
    along = directions @ center
    square = (directions**2).sum(axis=-1)
    inside = along**2 >= square * (center @ center - radius**2)
    assert (seen & inside).sum() / (seen | inside).sum() > 0.97
    assert not (seen & ~inside).any()


def test_the_camera_may_stand_anywhere() -> None:
    body = random_body(4)
    T = pose(so3.exp([0.4, -1.0, 2.0]), (0.7, -3.0, 5.0))
    moved = MeshInstance(mesh=body, T_world_mesh=T)

    one = render_meshes([MeshInstance(mesh=body)], CAMERA, np.eye(4), samples=1)
    other = render_meshes([moved], CAMERA, T, samples=1)

    both = np.isfinite(one.depth) & np.isfinite(other.depth)
    assert both.sum() > 500
    assert (np.isfinite(one.depth) != np.isfinite(other.depth)).sum() <= 3
    np.testing.assert_allclose(one.depth[both], other.depth[both], rtol=1e-9)


def test_a_room_is_seen_from_within() -> None:
    room = MeshInstance(mesh=box_mesh((4.0, 6.0, 8.0)))

    image = render_meshes([room], CAMERA, pose(np.eye(3), (0.5, 0.0, 1.0)), samples=2)

    assert (image.segments == 0).all()
    directions = rays(CAMERA)
    x, y, _ = np.moveaxis(np.where(directions == 0.0, 1e-9, directions), -1, 0)
    walls = np.where(x > 0, 1.5, 2.5) / np.abs(x), 3.0 / np.abs(y), np.full_like(x, 3.0)
    depth = np.minimum.reduce(walls)
    # Depth of a pixel is that of one sample, a quarter of a pixel from its middle.
    np.testing.assert_allclose(image.depth, depth, rtol=0.02)


def test_colours_are_shown_and_light_comes_from_above() -> None:
    colors = np.tile([0.9, 0.1, 0.1, 1.0], (12, 1))
    box = box_mesh((1.0, 1.0, 1.0))
    red = Mesh(vertices=box.vertices, faces=box.faces, face_colors=colors)
    # From the front, looking along -x and a little down.
    forward = np.array([-1.0, 0.0, -0.5]) / np.sqrt(1.25)
    right = np.array([0.0, 1.0, 0.0])
    R = np.stack([right, np.cross(forward, right), forward], axis=1)
    T = pose(R, (3.0, 0.0, 1.5))

    image = render_meshes([MeshInstance(mesh=red)], CAMERA, T).color.astype(int)

    v, u = int(CAMERA.cy), int(CAMERA.cx)
    top, front = image[v - 15, u], image[v + 15, u]
    assert top[0] > front[0] > 80
    for pixel in (top, front):
        assert pixel[0] > 1.8 * pixel[1:].max()
    green = MeshInstance(mesh=red, color=(0.1, 0.8, 0.1))
    pixel = render_meshes([green], CAMERA, T).color[v, u].astype(int)
    assert pixel[1] > 1.5 * pixel[0]


def test_a_texture_lies_where_its_places_say() -> None:
    corners = np.array([[-1, 1, 2], [1, 1, 2], [1, -1, 2], [-1, -1, 2]], dtype=float)
    texture = np.full((8, 8, 3), 255, dtype=np.uint8)
    texture[:4, 4:] = [0, 0, 255]  # upper right
    texture[4:, :4] = [255, 0, 0]  # lower left
    plate = Mesh(
        vertices=corners, faces=np.array([[0, 1, 2], [0, 2, 3]]),
        uv=np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]), texture=texture,
    )  # fmt: skip

    image = render_meshes([MeshInstance(mesh=plate)], CAMERA, np.eye(4)).color.astype(
        int
    )

    u, v, step = int(CAMERA.cx), int(CAMERA.cy), 30
    assert image[v - step, u + step, 2] > 2 * image[v - step, u + step, 0]
    assert image[v + step, u - step, 0] > 2 * image[v + step, u - step, 2]
    for pixel in (image[v - step, u - step], image[v + step, u + step]):
        assert np.ptp(pixel) < 20


def test_what_is_transparent_lets_through_and_hides_nothing_in_front() -> None:
    wall = MeshInstance(
        mesh=box_mesh((9.0, 9.0, 0.1)), T_world_mesh=pose(np.eye(3), (0, 0, 5.0)),
        color=(0.9, 0.1, 0.1),
    )  # fmt: skip
    pane = MeshInstance(
        mesh=box_mesh((1.0, 1.0, 0.1)), T_world_mesh=pose(np.eye(3), (0, 0, 3.0)),
        color=(0.1, 0.1, 0.9, 0.5),
    )  # fmt: skip
    v, u = int(CAMERA.cy), int(CAMERA.cx)

    bare = render_meshes([wall], CAMERA, np.eye(4)).color[v, u].astype(int)
    both = render_meshes([pane, wall], CAMERA, np.eye(4))
    hidden = MeshInstance(
        mesh=pane.mesh, T_world_mesh=pose(np.eye(3), (0, 0, 7.0)), color=pane.color
    )
    behind = render_meshes([hidden, wall], CAMERA, np.eye(4)).color[v, u].astype(int)

    seen = both.color[v, u].astype(int)
    assert 20 < seen[0] < bare[0] - 20
    assert seen[2] > bare[2] + 20
    assert both.segments[v, u] == 1
    np.testing.assert_array_equal(behind, bare)


def test_the_ground_bears_a_shadow() -> None:
    ball = MeshInstance(
        mesh=ellipsoid_mesh((0.3,) * 3), T_world_mesh=pose(np.eye(3), (0, 0, 0.3))
    )
    down = pose(np.diag([1.0, -1.0, -1.0]), (0.0, 0.0, 6.0))

    plain = render_meshes([ball], CAMERA, down).color.astype(int).sum(axis=-1)
    ground = render_meshes([ball], CAMERA, down, floor=0.0)
    ground_sum = ground.color.astype(int).sum(axis=-1)

    outside = ground.segments < 0
    dark = outside & (ground_sum < 0.8 * np.median(ground_sum[outside]))
    assert 20 < dark.sum() < 2000
    # The main light comes from +x and -y, so the shadow falls to -x and +y (up).
    v, u = np.nonzero(dark)
    assert u.mean() < CAMERA.cx
    assert v.mean() < CAMERA.cy
    assert not (outside & (plain < 0.8 * np.median(plain[outside]))).any()
    assert np.isinf(ground.depth[outside]).all()


def test_more_samples_smooth_the_edges() -> None:
    body = [MeshInstance(mesh=random_body(6), color=(0.0, 0.0, 0.0))]

    counts = [
        len(np.unique(render_meshes(body, CAMERA, np.eye(4), samples=k).color[..., 0]))
        for k in (1, 3)
    ]

    assert counts[1] > counts[0]


def test_more_samples_move_nothing() -> None:
    body = [MeshInstance(mesh=random_body(6), color=(0.0, 0.0, 0.0))]
    v, u = np.mgrid[: CAMERA.height, : CAMERA.width]
    places = []
    for samples in (1, 2, 4):
        image, empty = (
            render_meshes(items, CAMERA, np.eye(4), samples=samples).color
            for items in (body, [])
        )
        weight = np.abs(image.astype(float) - empty.astype(float)).sum(axis=-1)
        places.append([(weight * axis).sum() / weight.sum() for axis in (u, v)])

    np.testing.assert_allclose(places, [places[0]] * 3, atol=0.1)


def test_an_empty_scene_and_a_mesh_behind_the_eye_show_the_background() -> None:
    empty = render_meshes([], CAMERA, np.eye(4), floor=0.0)
    behind = MeshInstance(
        mesh=box_mesh((1, 1, 1)), T_world_mesh=pose(np.eye(3), (0, 0, -3.0))
    )

    image = render_meshes([behind], CAMERA, np.eye(4))

    assert (empty.segments == -1).all()
    np.testing.assert_array_equal(empty.color, image.color)


def test_impossible_pictures_are_refused() -> None:
    large = Intrinsics(width=9000, height=10, fx=1.0, fy=1.0, cx=0.0, cy=0.0)
    with pytest.raises(ConfigError, match="8192"):
        render_meshes([], large, np.eye(4))
    with pytest.raises(ConfigError, match="samples"):
        render_meshes([], CAMERA, np.eye(4), samples=5)
    with pytest.raises(ShapeError, match="T_world_camera"):
        render_meshes([], CAMERA, np.eye(3))
    with pytest.raises(ShapeError, match="color"):
        MeshInstance(mesh=box_mesh((1, 1, 1)), color=(1.0, 0.0))


def test_a_png_file_holds_the_picture_bit_for_bit() -> None:
    image = np.random.default_rng(0).integers(0, 256, (17, 31, 3), dtype=np.uint8)

    back = cv2.imdecode(np.frombuffer(encode_png(image), np.uint8), cv2.IMREAD_COLOR)

    assert back is not None
    np.testing.assert_array_equal(back[:, :, ::-1], image)
