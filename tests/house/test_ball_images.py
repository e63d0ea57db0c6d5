"""Tests of the rendered balls: outlines by tangents, light and noise by statistics."""

import numpy as np
import pytest

from testkit.ball_images import (
    BALL_RADIUS,
    BallCamera,
    Place,
    draw_shot,
    outline,
)


def plain_place(gray: float = 150.0, **options: float) -> Place:
    camera = BallCamera(width=240, height=200, **options)
    return Place(
        kind="plain",
        image=np.full((200, 240), gray),
        light=np.array([0.0, -1.0, 0.0]),
        ambient=120.0,
        direct=0.0,
        camera=camera,
    )


def test_the_outline_is_where_rays_touch_the_sphere() -> None:
    camera = BallCamera()
    p = np.array([0.9, -0.5, 2.1])
    center, along, across = outline(camera, p)
    distance = np.linalg.norm(p)
    axis = p / distance
    side = np.cross(axis, [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    angle = np.linspace(0.0, 2.0 * np.pi, 100)[:, None]
    sine = BALL_RADIUS / distance  # of the cone that touches the sphere
    rays = np.sqrt(1.0 - sine**2) * axis + sine * (
        np.cos(angle) * side + np.sin(angle) * other
    )
    pixels = camera.focal * rays[:, :2] / rays[:, 2:] + np.array(camera.axis)
    radial = center - np.array(camera.axis)
    radial = radial / np.linalg.norm(radial)
    u = (pixels - center) @ radial / along
    v = (pixels - center) @ np.array([-radial[1], radial[0]]) / across
    assert np.abs(u * u + v * v - 1.0).max() < 1e-9


def test_the_ball_covers_the_area_of_its_outline() -> None:
    place = plain_place(psf=0.7, exposure=0.0, noise=0.0, shot_noise=0.0)
    p = np.array([0.11, 0.07, 2.0])
    shot = draw_shot(place, p, np.zeros(3), 0.0, np.random.default_rng(0))
    dark = (150.0 - shot.image) / 150.0
    assert dark.sum() == pytest.approx(np.pi * shot.radius**2, rel=3e-3)
    rows, columns = np.mgrid[0:200, 0:240]
    centroid = np.array([(columns * dark).sum(), (rows * dark).sum()]) / dark.sum()
    assert np.abs(centroid - shot.center).max() < 0.03
    assert shot.visible == 1.0


def test_motion_blurs_along_its_direction_only() -> None:
    place = plain_place(noise=0.0, shot_noise=0.0)
    rng = np.random.default_rng(0)
    p = np.array([0.0, 0.0, 2.0])
    still = draw_shot(place, p, np.zeros(3), 0.2, rng).image.astype(int)
    moving = draw_shot(place, p, np.array([8.0, 0.0, 0.0]), 0.2, rng).image.astype(int)
    width = np.flatnonzero(moving[100] < 149).size - np.flatnonzero(still[100] < 149).size  # fmt: skip
    height = np.flatnonzero(moving[:, 120] < 149).size - np.flatnonzero(still[:, 120] < 149).size  # fmt: skip
    travel = 8.0 * place.camera.exposure * place.camera.focal / 2.0
    assert width == pytest.approx(0.8 * travel, abs=3.0)  # five moments, no ends
    assert abs(height) <= 1


def test_noise_grows_with_the_light() -> None:
    rng = np.random.default_rng(1)
    p = np.array([0.0, 0.0, 5.0])
    for gray in (20.0, 200.0):
        place = plain_place(gray)
        image = draw_shot(place, p, np.zeros(3), 0.5, rng).image[:60].astype(float)
        expected = np.sqrt(1.5**2 + 0.04 * gray + 1.0 / 12.0)
        assert image.std() == pytest.approx(expected, rel=0.03)
        assert image.mean() == pytest.approx(gray, abs=0.1)


def test_a_ball_as_bright_as_the_wall_is_hardly_visible() -> None:
    place = plain_place(110.0)
    rng = np.random.default_rng(2)
    p = np.array([0.0, 0.0, 3.0])
    assert draw_shot(place, p, np.zeros(3), 1.0, rng).visible < 0.75
    assert draw_shot(place, p, np.zeros(3), 0.3, rng).visible == 1.0
