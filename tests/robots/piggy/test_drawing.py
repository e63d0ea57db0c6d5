"""Tests of the drawn images.

Oracles: the ellipse of a sphere's outline (other code), a second ray caster that shares
none, geometry of occlusion, statistics of noise.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.piggy.cameras import RigCfg, TrueCamera, make_rig
from gelenk.robots.piggy.config import BALL_RADIUS
from gelenk.robots.piggy.drawing import Eye, capsules
from gelenk.robots.piggy.people import Person
from gelenk.robots.piggy.places.hall import level_pose
from gelenk.robots.piggy.places.place import Light
from gelenk.spatial import se3
from gelenk.vision.camera import Intrinsics, project
from gelenk.vision.sphere import camera_row, sphere_circle
from testkit.ball_images import BallCamera, Place, draw_shot

CLEAR = RigCfg(read_noise=0.0, shot_noise=0.0)
UP = np.array([0.0, 0.0, 1.0])


def eye_of(
    camera: TrueCamera, gray: float = 200.0, cfg: RigCfg = CLEAR, ambient: float = 0.0
) -> Eye:
    lens = camera.intrinsics
    picture = np.full((lens.height, lens.width), gray)
    light = Light(direction=UP, ambient=ambient, direct=0.0)
    return Eye(camera, picture, light, cfg, (1, 2))


def ball_at(p: np.ndarray, v: np.ndarray | None = None) -> np.ndarray:
    speed = np.zeros(3) if v is None else v
    return capsules([(*p, *p, *speed, *speed, BALL_RADIUS, 0.5)])


def centroid(image: np.ndarray, gray: float = 200.0) -> tuple[np.ndarray, float]:
    dark = (gray - image.astype(float)) / gray
    rows, columns = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    area = dark.sum()
    return np.array([(columns * dark).sum(), (rows * dark).sum()]) / area, area


@pytest.mark.parametrize("p", [(-0.9, 3.2, 2.6), (0.3, 1.1, 1.7), (-0.3, 5.0, 2.4)])
@pytest.mark.parametrize("side", [0, 1])
def test_a_ball_is_drawn_on_its_exact_outline(
    p: tuple[float, float, float], side: int
) -> None:
    camera = make_rig(RigCfg(seed=3))[side]
    image = eye_of(camera).shoot([ball_at(np.array(p))], 0)
    row = camera_row(camera.intrinsics, se3.inverse(camera.T_world_camera))
    u, v, r = sphere_circle(row[None], np.array(p), BALL_RADIUS)[0]
    middle, area = centroid(image)
    assert_allclose(middle, [u, v], atol=0.04)
    assert area == pytest.approx(np.pi * r * r, rel=0.01)


def test_a_flying_ball_is_drawn_as_by_an_independent_ray_caster() -> None:
    pinhole = BallCamera(width=240, height=200, noise=0.0, shot_noise=0.0)
    lens = Intrinsics(
        width=240, height=200, fx=pinhole.focal, fy=pinhole.focal, cx=119.5, cy=99.5
    )
    camera = TrueCamera(intrinsics=lens, T_world_camera=level_pose(pinhole.pitch))
    R = camera.T_world_camera[:3, :3]
    up = R.T @ UP
    place = Place(
        kind="plain", image=np.full((200, 240), 150.0), light=up, ambient=120.0,
        direct=70.0, camera=pinhole,
    )  # fmt: skip
    light = Light(direction=UP, ambient=120.0, direct=70.0)
    cfg = RigCfg(read_noise=0.0, shot_noise=0.0, exposure=pinhole.exposure)
    eye = Eye(camera, place.image, light, cfg, (0, 0))
    p, v = np.array([0.12, -0.07, 1.6]), np.array([2.0, 1.0, -6.0])
    shot = draw_shot(place, p, v, 0.5, np.random.default_rng(0))
    drawn = eye.shoot([ball_at(R @ p, R @ v)], 0)
    off = drawn.astype(float) - shot.image
    assert np.abs(off).max() <= 4.0
    assert np.abs(off).mean() < 0.02


def test_motion_blurs_along_the_way_and_leaves_the_middle() -> None:
    camera = make_rig(RigCfg(distortion=0.0))[0]
    p, v = np.array([-0.3, 2.5, 2.2]), np.array([8.0, 0.0, 0.0])
    still = eye_of(camera).shoot([ball_at(p)], 0)
    moved = eye_of(camera).shoot([ball_at(p, v)], 0)
    assert_allclose(centroid(moved)[0], centroid(still)[0], atol=0.05)

    def spread(image: np.ndarray) -> np.ndarray:
        dark = (200.0 - image) / 200.0
        rows, columns = np.mgrid[0:580, 0:780]
        (x, y), area = centroid(image)
        away = np.stack([columns - x, rows - y])
        return np.einsum("aij,bij,ij->ab", away, away, dark) / area

    T_camera_world = se3.inverse(camera.T_world_camera)
    ends = [
        project(camera.intrinsics, (T_camera_world @ [*(p + t * v), 1.0])[:3])
        for t in (-0.002, 0.002)
    ]
    way = ends[1] - ends[0]  # passed at an even speed: the square of it over twelve
    assert_allclose(spread(moved) - spread(still), np.outer(way, way) / 12, atol=0.12)


def test_who_stands_in_front_hides_the_ball() -> None:
    camera = make_rig(RigCfg())[0]
    eye = eye_of(camera, ambient=100.0)
    eye.set_people([Person(position=(-0.4, 2.0), height=2.1)])
    empty = eye.shoot([], 0)
    head = np.array([-0.4, 2.0, 0.93 * 2.1])
    ray = head - camera.T_world_camera[:3, 3]
    behind = eye.shoot([ball_at(head + 0.5 * ray)], 0)
    before = eye.shoot([ball_at(head - 0.3 * ray)], 0)
    assert (empty < 150).sum() > 1000  # somebody is seen
    assert np.array_equal(behind, empty)
    assert not np.array_equal(before, empty)
    again = eye.shoot([], 0)
    assert np.array_equal(again, empty)  # nothing stays of a ball that is gone
    eye.set_people([])
    assert (eye.shoot([], 0) == 200).all()


def test_a_ball_at_the_border_or_behind_the_camera_does_no_harm() -> None:
    camera = make_rig(RigCfg())[1]
    eye = eye_of(camera)
    T = camera.T_world_camera
    for p_camera in ((0.0, 0.0, -1.0), (5.0, 0.0, 1.0), (0.62, 0.0, 1.15), (0, 0, 0.1)):
        image = eye.shoot([ball_at(T[:3, :3] @ p_camera + T[:3, 3])], 0)
        assert image.shape == (580, 780)


def test_noise_grows_with_light_and_differs_from_image_to_image() -> None:
    camera = make_rig(RigCfg())[0]
    for gray in (20.0, 180.0):
        eye = eye_of(camera, gray=gray, cfg=RigCfg())
        one, two = (eye.shoot([], k).astype(float) for k in (0, 1))
        sigma = np.sqrt(1.5**2 + 0.04 * gray + 1.0 / 12.0)
        assert one.std() == pytest.approx(sigma, rel=0.02)
        assert (one - two).std() == pytest.approx(2**0.5 * sigma, rel=0.02)
        assert np.array_equal(one, eye.shoot([], 0))


def test_a_rod_is_as_wide_as_it_looks_from_there() -> None:
    camera = make_rig(RigCfg(distortion=0.0))[0]
    T = camera.T_world_camera
    ends = [T[:3, :3] @ np.array([x, 0.0, 2.0]) + T[:3, 3] for x in (-0.5, 0.5)]
    rod = capsules([(*ends[0], *ends[1], *(0.0,) * 6, 0.03, 0.5)])
    image = eye_of(camera).shoot([rod], 0)
    column = round(camera.intrinsics.cx)
    width = ((200.0 - image[:, column].astype(float)) / 200.0).sum()
    # Tangents from the eye to a circle of 3 cm, 2 m away.
    expected = 2.0 * camera.intrinsics.fy * np.tan(np.arcsin(0.03 / 2.0))
    assert width == pytest.approx(expected, rel=0.01)


def test_a_large_sphere_is_drawn_alike_whether_in_tiles_or_pixel_by_pixel() -> None:
    camera = make_rig(RigCfg())[0]
    T = camera.T_world_camera
    p = T[:3, :3] @ np.array([0.1, -0.1, 1.0]) + T[:3, 3]
    sphere = [*p, *p, *(0.0,) * 6, 0.125, 0.85]
    light = Light(direction=UP, ambient=100.0, direct=80.0)
    eye = Eye(camera, np.full((580, 780), 200.0), light, CLEAR, (0, 0))
    whole = eye.shoot([capsules([sphere])], 0)
    # A second sphere in the same place keeps tiles from being drawn at once.
    twice = eye.shoot([capsules([sphere, sphere])], 0)
    assert (whole != 200).sum() > 20_000
    assert np.abs(whole.astype(int) - twice).max() <= 2
