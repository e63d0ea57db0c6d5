"""The native renderer against rays, against OpenGL, and without any graphics library."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace

import cv2
import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.robots.armbot.view import meshes, native
from gelenk.robots.armbot.view.camera import OrbitCamera
from gelenk.robots.armbot.view.parts import Drawable, Kind, Part
from gelenk.robots.armbot.view.picture import encode_png, save_png

WIDTH, HEIGHT = 120, 90
CAMERA = OrbitCamera(focus=(0.0, 0.0, 0.3), distance=2.0, azimuth=-1.0, elevation=0.5)


def drawable(
    mesh, color, at=(0.0, 0.0, 0.0), *, alpha=1.0, has_shadow=True, kind: Kind = "ball"
):
    T = np.eye(4)
    T[:3, 3] = at
    part = Part(
        name="x", kind=kind, mesh=mesh, color=color, alpha=alpha, has_shadow=has_shadow
    )
    return Drawable(part, T, color, None)


def floor(size: float = 4.0) -> Drawable:
    half = 0.5 * size
    plate = meshes.plate(np.array([[-half, -half], [half, -half], [half, half], [-half, half]]))  # fmt: skip
    return drawable(plate, (220, 220, 220), kind="floor", has_shadow=False)


def render(*drawn: Drawable, camera=CAMERA, samples=2) -> np.ndarray:
    image = native.render(drawn, camera, width=WIDTH, height=HEIGHT, samples=samples)
    return image.astype(float)


def rays(camera=CAMERA) -> np.ndarray:
    """Directions through the middles of all pixels, world, from the pinhole's law."""
    f = 0.5 * HEIGHT / math.tan(0.5 * camera.view)
    u = (np.arange(WIDTH) - 0.5 * (WIDTH - 1)) / f
    v = (np.arange(HEIGHT) - 0.5 * (HEIGHT - 1)) / f
    local = np.stack([*np.meshgrid(u, v), np.ones((HEIGHT, WIDTH))], axis=-1)
    d = local @ camera.pose[:3, :3].T
    return d / np.linalg.norm(d, axis=-1, keepdims=True)


def meets_ball(center, radius, camera=CAMERA) -> np.ndarray:
    """Distance at which the ray of each pixel meets a ball, infinite if never."""
    d, o = rays(camera), camera.eye - np.asarray(center)
    b = d @ o
    root = b * b - (o @ o - radius**2)
    return np.where(root > 0.0, -b - np.sqrt(np.abs(root)), np.inf)


def is_red(image: np.ndarray) -> np.ndarray:
    return image[..., 0] > image[..., 1:].max(axis=-1) + 30.0


def is_blue(image: np.ndarray) -> np.ndarray:
    return image[..., 2] > image[..., :2].max(axis=-1) + 30.0


RED, BLUE = (230, 20, 20), (20, 40, 230)


def test_a_ball_covers_the_pixels_whose_rays_meet_it():
    center, radius = (0.1, -0.2, 0.4), 0.25
    image = render(drawable(meshes.sphere(radius), RED, center))
    distance = meets_ball(center, radius)
    expected = np.isfinite(distance)
    wrong = is_red(image) != expected
    edge = np.isfinite(meets_ball(center, 1.04 * radius)) & ~np.isfinite(
        meets_ball(center, 0.94 * radius)
    )
    assert expected.sum() > 300
    assert not (wrong & ~edge).any()


def test_what_is_nearer_hides_what_is_farther_wherever_they_cross():
    balls = {(0.0, 0.0, 0.3): RED, (0.22, 0.1, 0.34): BLUE}
    drawn = [drawable(meshes.sphere(0.25), color, at) for at, color in balls.items()]
    red, blue = (meets_ball(at, 0.25) for at in balls)
    both = np.isfinite(red) & np.isfinite(blue)
    both[both] = np.abs(red[both] - blue[both]) > 0.02
    for image in (render(*drawn), render(*drawn[::-1])):
        assert both.sum() > 100
        # At the rim a ray may pass beside one of the polyhedra.
        agree = is_red(image)[both] == (red < blue)[both]
        assert agree.mean() > 0.98


def test_a_face_towards_the_light_is_brighter_than_one_away_from_it():
    camera = replace(CAMERA, azimuth=math.atan2(native.SUN[1], native.SUN[0]))
    cube = drawable(meshes.box((0.4, 0.4, 0.4)), (180, 180, 180), (0.0, 0.0, 0.3))
    lit = render(cube, camera=camera)
    dark = render(cube, camera=replace(camera, azimuth=camera.azimuth + math.pi))
    middle = (HEIGHT // 2 + 10, WIDTH // 2)
    assert lit[middle].mean() > dark[middle].mean() + 30.0


def test_shadows_lie_where_rays_to_the_light_meet_the_ball():
    center, radius = np.array([0.0, 0.0, 0.5]), 0.2
    camera = replace(CAMERA, azimuth=2.2, elevation=1.0)
    ball = drawable(meshes.sphere(radius), RED, tuple(center))
    image, bare = render(floor(), ball, camera=camera), render(floor(), camera=camera)
    d = rays(camera)
    point = camera.eye + (-camera.eye[2] / d[..., 2])[..., None] * d
    on_floor = (np.abs(point[..., :2]) < 1.9).all(axis=-1) & ~np.isfinite(
        meets_ball(center, 1.1 * radius, camera)
    )
    gap = np.linalg.norm(np.cross(point - center, native.SUN), axis=-1) / radius
    darker = bare.mean(axis=-1) - image.mean(axis=-1) > 15.0
    assert (on_floor & (gap < 0.85)).sum() > 50
    assert darker[on_floor & (gap < 0.85)].all()
    assert not darker[on_floor & (gap > 1.15)].any()


def test_what_is_transparent_lets_the_floor_shine_through():
    camera = replace(CAMERA, elevation=1.2, focus=(0.0, 0.0, 0.0))
    green = meshes.plate(0.5 * meshes.circle(40), 0.001)
    images = [
        render(floor(), drawable(green, (0, 255, 0), alpha=alpha, has_shadow=False),
               camera=camera)[HEIGHT // 2, WIDTH // 2]
        for alpha in (0.2, 0.6, 1.0)
    ]  # fmt: skip
    reds = [pixel[0] for pixel in images]
    assert reds[0] > reds[1] + 30 > reds[2] + 60
    assert reds[2] < 40


def test_the_triangles_of_a_transparent_area_do_not_show():
    camera = replace(CAMERA, elevation=1.3, focus=(0.0, 0.0, 0.0))
    green = meshes.plate(0.5 * meshes.circle(40), 0.001)
    image = render(
        floor(),
        drawable(green, (0, 255, 0), alpha=0.5, has_shadow=False),
        camera=camera,
    )
    inside = image[
        HEIGHT // 2 - 15 : HEIGHT // 2 + 15, WIDTH // 2 - 15 : WIDTH // 2 + 15
    ]
    assert np.ptp(inside, axis=(0, 1)).max() <= 4.0  # a soft highlight, no lines


def test_transparent_things_behind_solid_ones_are_not_seen():
    wall = drawable(meshes.box((0.1, 2.0, 2.0)), (200, 200, 200), (0.5, 0.0, 0.3))
    camera = replace(CAMERA, azimuth=0.0, elevation=0.1)
    veil = drawable(meshes.sphere(0.2), RED, (-0.3, 0.0, 0.3), alpha=0.5)
    assert (render(wall, veil, camera=camera) == render(wall, camera=camera)).all()
    assert is_red(render(veil, camera=camera)).any()


def test_a_floor_that_reaches_behind_the_eye_is_cut_and_not_torn():
    camera = OrbitCamera(focus=(0.0, 0.0, 0.1), distance=0.3, elevation=0.2)
    image = render(floor(40.0), camera=camera)
    below = image[HEIGHT * 3 // 4 :]
    assert below.std(axis=(0, 1)).max() < 12.0
    assert abs(below.mean() - 220.0) < 30.0


def test_more_samples_only_smooth_the_edges():
    ball = drawable(meshes.sphere(0.3), RED, (0.0, 0.0, 0.3))
    coarse, fine = render(floor(), ball, samples=1), render(floor(), ball, samples=3)
    assert np.abs(coarse - fine).mean() < 2.0
    reddish = fine[..., 0] - fine[..., 1]
    levels = np.unique(np.rint(reddish / 8.0))
    assert len(levels) > len(
        np.unique(np.rint((coarse[..., 0] - coarse[..., 1]) / 8.0))
    )


def test_nothing_to_draw_is_a_sky():
    image = render()
    assert (np.diff(image[:, 0, 0]) >= 0.0).all()
    assert image.std(axis=1).max() == 0.0


@pytest.mark.parametrize("size", [(0, 10), (10, 100_000)])
def test_a_picture_without_a_possible_size_is_refused(size):
    with pytest.raises(ConfigError, match="pixels per side"):
        native.render([], CAMERA, width=size[0], height=size[1])


# -- files -----------------------------------------------------------------------------


def read_back(path) -> np.ndarray:
    """Blue, green and red of a file, as another library reads it."""
    image = cv2.imread(str(path))
    assert image is not None
    return image


def test_opencv_reads_from_a_png_what_was_written(tmp_path):
    image = np.random.default_rng(1).integers(0, 256, (17, 23, 3), dtype=np.uint8)
    path = tmp_path / "a.PNG"
    save_png(path, image)
    assert (read_back(path)[..., ::-1] == image).all()


def test_pictures_that_cannot_be_written_are_named(tmp_path):
    image = np.zeros((2, 2, 3), dtype=np.uint8)
    with pytest.raises(ConfigError, match=r"ends with \.png"):
        save_png(tmp_path / "a.jpg", image)
    with pytest.raises(ConfigError, match="cannot write the picture"):
        save_png(tmp_path / "none" / "a.png", image)
    with pytest.raises(ConfigError, match="uint8"):
        encode_png(image.astype(float))  # type: ignore[arg-type]


# -- without libraries -----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.capability("AB-110", "AB-184")
def test_a_scene_is_drawn_where_no_graphics_library_can_be_imported(tmp_path):
    program = """
import sys
from pathlib import Path
BLOCKED = ("mujoco", "OpenGL", "matplotlib", "cv2", "PIL", "glfw", "pyglet", "viser")
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Blocked())
import numpy as np
from gelenk.kinematics.forward import link_poses
from gelenk.robots.armbot.design import design_robot
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.manipulators import SimpleArm
from gelenk.robots.armbot.view import native
from gelenk.robots.armbot.view.camera import OrbitCamera
from gelenk.robots.armbot.view.parts import drawables
from gelenk.robots.armbot.view.picture import save_png
from gelenk.robots.armbot.view.shapes import DrawnRobot, make_parts
model = design_robot(SimpleArm(), None).robot
poses = dict(zip((f"robot0/{n}" for n in model.link_names),
                 link_poses(model, model.home_configuration)))
parts = make_parts(parse_environment(""), [DrawnRobot(name="robot0", number=0, model=model)])
image = native.render(drawables(parts, poses), OrbitCamera(), width=160, height=120)
save_png(Path(sys.argv[1]), image)
assert not {name.split(".")[0] for name in sys.modules} & set(BLOCKED)
"""
    path = tmp_path / "a.png"
    result = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    image = read_back(path).astype(float)  # blue, green, red
    orange = image[..., 2] - image[..., 0]
    assert (orange > 60.0).sum() > 50  # the arm
