"""Places in which balls fly, as one camera sees them: Piggy's halls and meadows."""

from __future__ import annotations

import numpy as np

from gelenk.robots.piggy.places import hall, meadow
from gelenk.robots.piggy.places import place as painted
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics, project
from testkit.ball_images import BallCamera, Place

_SAMPLES = 3  # per pixel and axis


def indoor_place(rng: np.random.Generator, camera: BallCamera | None = None) -> Place:
    """Return a hall: white walls, beams, windows, shelves, pictures, round lamps."""
    camera = camera or BallCamera()
    scene = hall.random_hall(rng)
    lamps = lamp_circles(scene, _lens(camera), hall.level_pose(camera.pitch))
    return _painted("indoor", scene, camera, lamps)


def outdoor_place(rng: np.random.Generator, camera: BallCamera | None = None) -> Place:
    """Return a meadow's horizon: sky with clouds, trees of many leaves, a house."""
    scene = meadow.random_meadow(rng)
    return _painted("outdoor", scene, camera or BallCamera(), np.zeros((0, 3)))


def _painted(
    kind: str, scene: painted.Place, camera: BallCamera, lamps: np.ndarray
) -> Place:
    T = hall.level_pose(camera.pitch)
    return Place(
        kind=kind,
        image=scene.paint(_lens(camera), T, _SAMPLES),
        light=T[:3, :3].T @ scene.light.direction,
        ambient=scene.light.ambient,
        direct=scene.light.direct,
        lamps=lamps,
        camera=camera,
    )


def lamp_circles(
    scene: hall.Hall, lens: Intrinsics, T_place_camera: FloatArray
) -> FloatArray:
    """Return where lamps appear: x, y, radius of each [px], (n, 3)."""
    if not scene.lamps:
        return np.zeros((0, 3))
    R, eye = T_place_camera[:3, :3], T_place_camera[:3, 3]
    p = (np.array([lamp.position for lamp in scene.lamps]) - eye) @ R
    size = lens.fx * np.array([lamp.radius for lamp in scene.lamps]) / p[:, 2]
    return np.column_stack([project(lens, p), size])


def _lens(camera: BallCamera) -> Intrinsics:
    cx, cy = camera.axis
    return Intrinsics(
        width=camera.width,
        height=camera.height,
        fx=camera.focal,
        fy=camera.focal,
        cx=cx,
        cy=cy,
    )
