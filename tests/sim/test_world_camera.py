"""What a camera of a world shows is where the world says it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from gelenk.sim import Ball, World, WorldConfig
from gelenk.sim.cameras.description import Camera, Light, looking_at
from gelenk.sim.cameras.gl import RenderError, describe_renderer
from gelenk.vision.camera import Intrinsics

LENS = Intrinsics(
    width=320,
    height=240,
    fx=300.0,
    fy=305.0,
    cx=155.0,
    cy=122.0,
    distortion=(-0.2, 0.05, 0.001, -0.001, 0.0),
)
T_WORLD_CAMERA = looking_at([0.0, -2.0, 1.2], [0.0, 0.0, 1.0])
RADIUS = 0.05  # [m]: about 7 px
LATENCY = 0.02  # [s]


def make_world() -> World:
    world = World(WorldConfig(step=0.001), seed=2)
    # Light from everywhere: the ball is a disc of one brightness.
    white, black = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)
    world.add(Light(name="glow", ambient=white, diffuse=black, specular=black))
    world.add(
        Ball(
            name="ball",
            radius=RADIUS,
            mass=0.1,
            position=(-0.6, 0.1, 1.0),
            velocity=(2.0, 0.3, 1.5),
        )
    )
    world.add(
        Camera(
            name="eye",
            intrinsics=LENS,
            T_parent_camera=T_WORLD_CAMERA,
            rate=50.0,
            latency=LATENCY,
            samples=4,
        )
    )
    return world


def centre_seen(pixels: np.ndarray, background: np.ndarray) -> np.ndarray:
    """Return the middle of what differs from the background [px], (2,)."""
    cover = np.abs(pixels.astype(float) - background)
    cover[cover < 0.02 * cover.max()] = 0.0
    y, x = np.mgrid[: cover.shape[0], : cover.shape[1]]
    return np.array([(cover * x).sum(), (cover * y).sum()]) / cover.sum()


def centre_by_opencv(p_world: np.ndarray) -> np.ndarray:
    """Return where the outline of the ball has its middle [px], (2,)."""
    T_camera_world = np.linalg.inv(T_WORLD_CAMERA)
    p = T_camera_world[:3, :3] @ p_world + T_camera_world[:3, 3]
    distance = np.linalg.norm(p)
    axis = p / distance
    across = np.cross(axis, [0.0, 1.0, 0.0])
    across /= np.linalg.norm(across)
    t = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)[:, None]
    ring = np.cos(t) * across + np.sin(t) * np.cross(axis, across)
    ring *= RADIUS * np.sqrt(1.0 - (RADIUS / distance) ** 2)
    ring += axis * (distance - RADIUS**2 / distance)
    zero = np.zeros(3)
    uv = cv2.projectPoints(ring, zero, zero, LENS.matrix, np.array(LENS.distortion))
    contour = uv[0].astype(np.float32)
    moments = cv2.moments(contour)
    return np.array([moments["m10"], moments["m01"]]) / moments["m00"]


@pytest.fixture(scope="module")
def renderer() -> str:
    try:
        return describe_renderer()
    except RenderError as error:
        pytest.skip(f"nothing can be drawn here: {error}")


@pytest.mark.slow
def test_a_flying_ball_is_seen_where_opencv_projects_its_place(renderer: str) -> None:
    with make_world() as world:
        places: dict[int, np.ndarray] = {}
        for _ in range(500):
            places[world.tick] = world.pose("ball")[:3, 3]
            world.step()
        world.run(1.0)
        assert world.pose("ball")[2, 3] < -1.0  # it has left the picture
        background = world.image("eye")
        assert background is not None
    errors = []
    with make_world() as world:
        for _ in range(10):
            world.run(0.04)
            image = world.image("eye")
            assert image is not None
            assert world.time - image.time >= LATENCY - 1e-9
            place = places[round(image.time / 0.001)]
            seen = centre_seen(image.pixels, background.pixels)
            errors.append(seen - centre_by_opencv(place))
    assert np.abs(errors).max() < 0.1  # [px]
    assert np.abs(np.mean(errors, axis=0)).max() < 0.05


def test_before_the_first_image_has_arrived_there_is_none() -> None:
    with make_world() as world:
        world.run(LATENCY - 0.001)
        assert world.image("eye") is None
