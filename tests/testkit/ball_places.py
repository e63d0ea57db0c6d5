"""Places in which balls fly, as one camera sees them: Piggy's halls and meadows."""

from __future__ import annotations

import numpy as np

from gelenk.robots.piggy.places import hall, meadow
from gelenk.robots.piggy.places import place as painted
from gelenk.vision.camera import Intrinsics
from testkit.ball_images import BallCamera, Place

_SAMPLES = 3  # per pixel and axis


def indoor_place(rng: np.random.Generator, camera: BallCamera | None = None) -> Place:
    """Return a hall: white walls, beams, windows, shelves, pictures, round lamps."""
    camera = camera or BallCamera()
    scene = hall.random_hall(rng)
    lamps = scene.lamp_circles(_lens(camera), hall.level_pose(camera.pitch))
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
