"""Images of spheres against outlines traced point by point, and the way back."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gelenk.errors import ConfigError, ShapeError
from gelenk.vision.camera import Intrinsics, project
from gelenk.vision.sphere import (
    camera_row,
    sphere_circle,
    sphere_circle_jacobian,
    sphere_image,
    triangulate_spheres,
)

RADIUS = 0.0605
PINHOLE = Intrinsics.from_field_of_view(
    width=780, height=580, horizontal=math.radians(57)
)
BENT = Intrinsics(
    width=780,
    height=580,
    fx=718.0,
    fy=722.0,
    cx=385.0,
    cy=291.0,
    distortion=(-0.2, 0.05, 1e-3, -2e-3, -0.01),
)


def _pose(yaw, x):
    """T_camera_world of a camera at (x, 0, 0) that looks along world y, turned by yaw."""
    c, s = math.cos(yaw), math.sin(yaw)
    R_world_camera = np.column_stack([[c, s, 0.0], [0.0, 0.0, -1.0], [-s, c, 0.0]])
    T = np.eye(4)
    T[:3, :3] = R_world_camera.T
    T[:3, 3] = -R_world_camera.T @ [x, 0.0, 0.0]
    return T


def _rig(intrinsics):
    return np.array(
        [
            camera_row(intrinsics, _pose(0.1, 0.26)),
            camera_row(intrinsics, _pose(-0.1, -0.26)),
        ]
    )


def _outline(intrinsics, center, radius, count=4000):
    """Pixels of the rays that touch the sphere."""
    distance = np.linalg.norm(center)
    n = center / distance
    a = np.linalg.svd(n[None])[2][1:]
    angle = np.linspace(0.0, 2 * np.pi, count, endpoint=False)[:, None]
    half = math.asin(radius / distance)
    rays = math.cos(half) * n + math.sin(half) * (
        np.cos(angle) * a[0] + np.sin(angle) * a[1]
    )
    return project(intrinsics, rays)


def _area_and_centroid(polygon):
    x, y = (polygon - polygon[0]).T
    step = x * np.roll(y, -1) - np.roll(x, -1) * y
    area = step.sum() / 2
    middle = [np.sum((q + np.roll(q, -1)) * step) / (6 * area) for q in (x, y)]
    return abs(area), polygon[0] + np.array(middle)


CENTERS = [
    (0.3, -0.2, 1.0),
    (0.0, 0.0, 0.5),
    (-0.4, 0.3, 0.9),
    (1.5, 1.0, 5.0),
    (0.02, 0.0, 0.2),
]


@pytest.mark.parametrize("center", CENTERS)
def test_every_ray_that_touches_the_sphere_ends_on_the_ellipse(center):
    image = sphere_image(PINHOLE, center, RADIUS)
    outline = _outline(PINHOLE, np.array(center), RADIUS) - image.center

    c, s = np.cos(image.angle), np.sin(image.angle)
    along, across = outline @ [c, s], outline @ [-s, c]

    assert_allclose(
        (along / image.axes[0]) ** 2 + (across / image.axes[1]) ** 2, 1.0, atol=1e-9
    )


@pytest.mark.parametrize("center", CENTERS)
def test_a_circle_has_the_centre_and_the_area_of_the_outline(center):
    camera = camera_row(PINHOLE, np.eye(4))[None]
    area, middle = _area_and_centroid(_outline(PINHOLE, np.array(center), RADIUS))

    u, v, r = sphere_circle(camera, center, RADIUS)[0]

    assert_allclose((u, v), middle, atol=1e-5)
    assert math.pi * r * r == pytest.approx(area, rel=1e-5)


def test_behind_a_lens_with_distortion_the_circle_is_close_to_the_outline():
    camera = camera_row(BENT, np.eye(4))[None]
    center = np.array([0.9, -0.6, 3.0])
    area, middle = _area_and_centroid(_outline(BENT, center, RADIUS))

    u, v, r = sphere_circle(camera, center, RADIUS)[0]

    assert_allclose((u, v), middle, atol=0.08)
    assert r == pytest.approx(math.sqrt(area / math.pi), abs=0.01)
    plain = sphere_circle(camera_row(PINHOLE, np.eye(4))[None], center, RADIUS)[0]
    assert abs(plain[0] - u) > 5.0  # the lens matters here


@pytest.mark.parametrize("intrinsics", [PINHOLE, BENT])
def test_slopes_are_those_of_differences(intrinsics):
    camera = _rig(intrinsics)
    points = np.random.default_rng(0).normal((0.0, 2.5, 0.2), (0.5, 0.8, 0.4), (20, 3))
    h = 1e-5

    J = sphere_circle_jacobian(camera, points, RADIUS)

    for j in range(3):
        step = h * np.eye(3)[j]
        slope = (
            sphere_circle(camera, points + step, RADIUS)
            - sphere_circle(camera, points - step, RADIUS)
        ) / (2 * h)
        assert_allclose(J[..., j], slope, atol=1e-4, rtol=1e-7)


def test_a_sphere_behind_the_camera_is_not_seen():
    camera = camera_row(PINHOLE, np.eye(4))[None]

    assert np.isnan(sphere_circle(camera, [0.0, 0.0, -2.0], RADIUS)).all()
    assert np.isnan(sphere_circle(camera, [0.0, 0.0, 0.05], RADIUS)).all()


@pytest.mark.parametrize("intrinsics", [PINHOLE, BENT])
def test_exact_circles_lead_back_to_the_place(intrinsics):
    camera = _rig(intrinsics)
    points = np.random.default_rng(1).normal(
        (0.0, 3.5, 0.2), (0.4, 0.8, 0.4), (2, 10, 3)
    )

    found = triangulate_spheres(
        camera, sphere_circle(camera, points, RADIUS), (0.1, 0.1, 0.2), RADIUS
    )

    assert_allclose(found.position, points, atol=1e-8)
    assert_allclose(found.chi2, 0.0, atol=1e-12)


def test_one_camera_suffices_and_none_does_not():
    camera = _rig(PINHOLE)
    circle = sphere_circle(camera, [0.1, 3.0, 0.3], RADIUS)
    alone, nothing = circle.copy(), np.full_like(circle, np.nan)
    alone[0] = np.nan

    assert_allclose(
        triangulate_spheres(camera, alone, (0.1, 0.1, 0.2), RADIUS).position,
        [0.1, 3.0, 0.3],
        atol=1e-8,
    )
    found = triangulate_spheres(camera, nothing, (0.1, 0.1, 0.2), RADIUS)
    assert np.isnan(found.position).all()
    assert np.isnan(found.chi2)


def test_circles_that_fit_no_place_raise_nothing():
    camera, rng = _rig(PINHOLE), np.random.default_rng(0)
    low, high = (-50.0, -50.0, 0.5), (830.0, 630.0, 300.0)
    circles = rng.uniform(low, high, (1000, 2, 3))

    found = triangulate_spheres(camera, circles, (0.6, 0.8, 0.8), RADIUS)

    assert not (found.chi2 < 20.0).any()  # they are no balls
    assert found.position.shape == (1000, 3)


def test_errors_of_triangulation_are_as_large_as_it_says():
    camera, rng = _rig(PINHOLE), np.random.default_rng(2)
    truth, sigma = np.array([0.2, 4.0, 0.5]), np.array([0.15, 0.15, 0.25])
    circles = sphere_circle(camera, truth, RADIUS) + sigma * rng.normal(
        size=(2000, 2, 3)
    )

    found = triangulate_spheres(camera, circles, sigma, RADIUS)

    error = found.position - truth
    nees = np.einsum("ni,nij,nj->n", error, np.linalg.inv(found.covariance), error)
    assert nees.mean() == pytest.approx(3.0, abs=0.25)  # sigma of the mean: 0.055
    assert found.chi2.mean() == pytest.approx(3.0, abs=0.25)  # 6 numbers for 3 unknowns
    depth = np.sqrt(found.covariance[:, 1, 1]).mean()
    assert depth > 3.0 * np.sqrt(found.covariance[:, 0, 0]).mean()


def test_a_batch_equals_its_elements():
    camera = _rig(BENT)
    points = np.random.default_rng(3).normal((0.0, 3.0, 0.2), 0.3, (2, 3, 3))
    circles, J = (
        sphere_circle(camera, points, RADIUS),
        sphere_circle_jacobian(camera, points, RADIUS),
    )

    for i in np.ndindex(2, 3):
        assert_array_equal(circles[i], sphere_circle(camera, points[i], RADIUS))
        assert_array_equal(J[i], sphere_circle_jacobian(camera, points[i], RADIUS))


def test_mistakes_are_named():
    camera = _rig(PINHOLE)
    with pytest.raises(ConfigError, match="distortion"):
        sphere_image(BENT, [0.0, 0.0, 1.0], RADIUS)
    with pytest.raises(ShapeError, match="camera"):
        sphere_circle(camera[0], [0.0, 1.0, 0.0], RADIUS)
    with pytest.raises(ConfigError, match="radius"):
        sphere_circle(camera, [0.0, 1.0, 0.0], -1.0)
    with pytest.raises(ConfigError, match="sigma"):
        triangulate_spheres(camera, np.zeros((2, 3)), (0.1, 0.0, 0.1), RADIUS)
