"""Two cameras look at a chessboard and find its corners where geometry puts them.

Images are drawn off screen by the engine's renderer and have the pixels of OpenCV: the
centre of the first one is (0, 0). Without an OpenGL library nothing can be drawn; then
this example says what to install, as `gelenk doctor` does, and ends.
"""

from __future__ import annotations

import cv2
import numpy as np

from gelenk.sim import Ball, Camera, Chessboard, Ground, World, looking_at
from gelenk.sim.cameras.description import SensorNoise
from gelenk.sim.cameras.gl import RenderError
from gelenk.spatial import se3, so3
from gelenk.vision import Intrinsics, project

T_world_board = se3.pose_from_rotation_translation(so3.rot_x(np.pi / 2), [0, 0, 0.4])
board = Chessboard(
    name="board", columns=9, rows=6, square=0.04, T_parent_board=T_world_board
)
lens = Intrinsics(
    width=640,
    height=480,
    fx=620.0,
    fy=620.0,
    cx=319.5,
    cy=239.5,
    distortion=(-0.2, 0.05, 0.0, 0.0, 0.0),
)
cameras = [
    Camera(
        name=name,
        intrinsics=lens,
        T_parent_camera=looking_at([x, -0.9, 0.5], [0.0, 0.0, 0.4]),
        rate=25.0,
        noise=SensorNoise(read=1.0),
    )
    for name, x in (("left", -0.15), ("right", 0.15))
]
world = World(seed=7)
for item in (Ground(), board, *cameras):
    world.add(item)
world.add(Ball(name="ball", radius=0.03, mass=0.1, position=(0.3, -0.2, 0.8)))


def main(headless: bool = False, steps: int | None = None) -> None:
    """Take a pair of images and measure how far the corners are from the truth."""
    world.run(0.2)
    try:
        images = world.images()
    except RenderError as error:
        print(f"no pictures on this machine: {error}")
        return
    for camera in cameras:
        image = images[camera.name]
        assert image is not None
        _, corners = cv2.findChessboardCornersSB(image.pixels, (8, 5))
        T_camera_world = se3.inverse(camera.T_parent_camera)
        p_camera = se3.transform_point(T_camera_world @ T_world_board, board.corners())
        truth = project(lens, p_camera)
        # OpenCV may begin at either end of the board.
        orders = corners[:, 0], corners[::-1, 0]
        error = min(np.linalg.norm(found - truth, axis=1).mean() for found in orders)
        print(f"{image.name}: frame {image.frame} of {image.time:.2f} s,", end=" ")
        print(f"corners on average {error:.2f} px from where they are")


if __name__ == "__main__":
    main()
