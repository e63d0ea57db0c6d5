"""The orbit camera: what the mouse does, and that it agrees with the pinhole of core."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.robots.armbot.view.camera import (
    MAX_DISTANCE,
    MIN_DISTANCE,
    OrbitCamera,
    camera_for,
)
from gelenk.vision.camera import project

pixels = st.floats(-5000.0, 5000.0)
cameras = st.builds(
    OrbitCamera,
    focus=st.tuples(*[st.floats(-5.0, 5.0)] * 3),
    distance=st.floats(0.1, 50.0),
    azimuth=st.floats(-3.0, 3.0),
    elevation=st.floats(-1.5, 1.5),
)


def seen(camera: OrbitCamera, point, width=640, height=480) -> np.ndarray:
    """Pixel of a world point, through the camera model of core."""
    T_camera_world = np.linalg.inv(camera.pose)
    p_camera = T_camera_world[:3, :3] @ point + T_camera_world[:3, 3]
    return project(camera.intrinsics(width, height), p_camera)


@pytest.mark.capability("AB-90")
@given(camera=cameras, dx=pixels, dy=pixels)
def test_orbiting_keeps_the_distance_to_the_focus(camera, dx, dy):
    moved = camera.orbit(dx, dy)
    assert moved.focus == camera.focus
    assert np.linalg.norm(moved.eye - camera.focus) == pytest.approx(
        camera.distance, rel=1e-9
    )


@pytest.mark.capability("AB-90")
def test_orbiting_looks_from_all_sides():
    camera = OrbitCamera()
    eyes = []
    for _ in range(40):
        camera = camera.orbit(20.0, 0.0)
        eyes.append(camera.eye - camera.focus)
    angles = np.sort([math.atan2(y, x) for x, y, _ in eyes])
    assert np.diff(angles).max() < 0.5
    assert OrbitCamera().orbit(0.0, 5000.0).eye[2] > 2.0
    assert OrbitCamera().orbit(0.0, -5000.0).eye[2] < -2.0


def test_what_is_in_front_of_the_focus_follows_the_mouse_when_orbiting():
    camera = OrbitCamera(elevation=0.4)
    near = np.array(camera.focus) - 0.3 * camera.axes[:, 2]
    before = seen(camera, near)
    right = seen(camera.orbit(10.0, 0.0), near) - before
    down = seen(camera.orbit(0.0, 10.0), near) - before
    assert right[0] > 0.5
    assert down[1] > 0.5


@pytest.mark.capability("AB-91")
@given(camera=cameras, dx=pixels, dy=pixels)
def test_panning_moves_the_focus_in_x_and_y_only(camera, dx, dy):
    moved = camera.pan(dx, dy)
    assert moved.focus[2] == camera.focus[2]
    assert (moved.distance, moved.azimuth, moved.elevation) == (
        camera.distance,
        camera.azimuth,
        camera.elevation,
    )
    way = np.subtract(moved.focus, camera.focus)
    assert np.linalg.norm(way) == pytest.approx(
        0.0014 * camera.distance * math.hypot(dx, dy), rel=1e-6, abs=1e-9
    )


def test_the_floor_follows_the_mouse_when_panning():
    camera = OrbitCamera(elevation=1.2)
    point = np.array(camera.focus)
    right = seen(camera.pan(30.0, 0.0), point) - seen(camera, point)
    down = seen(camera.pan(0.0, 30.0), point) - seen(camera, point)
    assert right[0] > 5.0
    assert abs(right[1]) < 1e-6
    assert down[1] > 5.0


@pytest.mark.capability("AB-92")
@given(camera=cameras, dy=st.floats(0.1, 300.0))
def test_dragging_down_goes_farther_and_up_nearer(camera, dy):
    farther, nearer = camera.zoom(dy), camera.zoom(-dy)
    assert farther.distance > camera.distance or farther.distance == MAX_DISTANCE
    assert nearer.distance < camera.distance or nearer.distance == MIN_DISTANCE
    assert farther.focus == nearer.focus == camera.focus


def test_zooming_ends_somewhere():
    assert OrbitCamera().zoom(1e9).distance == MAX_DISTANCE
    assert OrbitCamera().zoom(-1e9).distance == MIN_DISTANCE


@pytest.mark.parametrize(
    ("button", "shift", "move"),
    [("left", False, "orbit"), ("left", True, "pan")],
)
def test_the_mouse_means_what_it_should(button, shift, move):
    camera = OrbitCamera()
    assert camera.drag(button, 7.0, 3.0, shift=shift) == getattr(camera, move)(7.0, 3.0)
    assert camera.drag("right", 7.0, 3.0) == camera.zoom(3.0)
    with pytest.raises(ConfigError, match="left or right"):
        camera.drag("middle", 1.0, 1.0)


@given(camera=cameras)
def test_the_focus_is_in_the_middle_and_up_is_up(camera):
    assert_allclose(seen(camera, np.array(camera.focus)), [319.5, 239.5], atol=1e-6)
    R = camera.axes
    assert_allclose(R.T @ R, np.eye(3), atol=1e-12)
    assert np.linalg.det(R) == pytest.approx(1.0)
    up = np.array([0.0, 0.0, 0.01 * camera.distance])
    above = seen(camera, camera.focus + up)
    assert above[1] < 239.5


def test_a_camera_for_points_sees_them_all_and_large():
    rng = np.random.default_rng(3)
    points = rng.uniform([-3, -2, 0], [1, 4, 1.5], (200, 3))
    camera = camera_for(points)
    at = np.array([seen(camera, point) for point in points])
    reach = np.abs(at - [319.5, 239.5]) / [320.0, 240.0]
    assert 0.8 < reach.max() <= 0.86


def test_a_camera_of_nonsense_is_refused():
    with pytest.raises(ConfigError, match="finite"):
        OrbitCamera(distance=math.nan)
    with pytest.raises(ConfigError, match="distance"):
        OrbitCamera(distance=0.0)
    with pytest.raises(ConfigError, match="elevation"):
        OrbitCamera(elevation=2.0)
