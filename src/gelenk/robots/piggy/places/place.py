"""`Place`: what surrounds the ball, as any camera sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Light:
    """What falls on a ball, a bat, a person.

    Attributes:
        direction: Towards the brightest light, unit vector in world axes, (3,).
        ambient: Gray level of a white surface without that light.
        direct: Gray levels that the light adds to a white surface facing it.
    """

    direction: FloatArray
    ambient: float
    direct: float


class Place(Protocol):
    """A place of which pictures can be painted; the same from all sides."""

    @property
    def light(self) -> Light:
        """What falls on things in it."""
        ...

    def paint(
        self, lens: Intrinsics, T_place_camera: FloatArray, samples: int
    ) -> np.ndarray:
        """Return what a camera sees of it, gray levels before the lens's blur.

        Args:
            lens: Of the camera.
            T_place_camera: Its pose (4, 4); the place's origin is the middle between
                the cameras, y ahead, z up.
            samples: Per side of a pixel.

        Returns:
            Shape (rows, columns).
        """
        ...
