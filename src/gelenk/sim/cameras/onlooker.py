"""`Onlooker`: looks at a world from anywhere, without being a part of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gelenk.closing import Closing
from gelenk.sim.cameras.description import as_pose
from gelenk.sim.cameras.drawing import Drawing, View
from gelenk.sim.world import World
from gelenk.typing import ArrayLike
from gelenk.vision.camera import Intrinsics

NEAR, FAR = 0.02, 500.0  # [m]


class Onlooker(Closing):
    """Draws a world through a camera that may be elsewhere in every picture.

    Unlike the cameras of a world it changes nothing in it and need not be announced.

    Args:
        world: What is looked at; between two steps.
        shadows: Whether lights cast shadows.
    """

    def __init__(self, world: World, *, shadows: bool = True) -> None:
        self._world, self._shadows = world, shadows
        self._drawing: Drawing | None = None

    def look(
        self, intrinsics: Intrinsics, T_world_camera: ArrayLike, *, samples: int = 2
    ) -> NDArray[np.uint8]:
        """Return a picture, shape (rows, columns, 3), RGB.

        Args:
            intrinsics: Size of the picture and lens; without distortion.
            T_world_camera: Pose in OpenCV axes, shape (4, 4).
            samples: Rays per side of a pixel.

        Raises:
            RenderError: If this machine cannot draw.
        """
        plant = self._world._looked_at()
        if self._drawing is None:
            self._drawing = Drawing(plant.model, shadows=self._shadows)
        view = View(
            pinhole=intrinsics,
            samples=samples,
            T_world_camera=as_pose("T_world_camera", T_world_camera),
            near=NEAR,
            far=FAR,
            shadows=self._shadows,
        )
        colors, _ = self._drawing.draw(plant.data, view)
        rows, columns = intrinsics.height, intrinsics.width
        blocks = colors[::-1].reshape(rows, samples, columns, samples, 3)
        return np.rint(blocks.mean(axis=(1, 3))).astype(np.uint8)

    def close(self) -> None:
        """Free the graphics context; twice does no harm."""
        if self._drawing is not None:
            self._drawing.close()
            self._drawing = None
