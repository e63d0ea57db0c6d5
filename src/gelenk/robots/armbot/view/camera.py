"""`OrbitCamera`: looks at a focus point from all sides; moved with the mouse.

Every move returns a new camera. Mouse movements are in pixels, x to the right and y
downwards, as windows count them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

ORBIT_RATE = 0.008  # [rad/px]
PAN_RATE = 0.0014  # [1/px], share of the distance
ZOOM_RATE = 0.006  # [1/px], of the logarithm of the distance
MAX_ELEVATION = math.radians(89.0)  # above, "up" in the picture would be lost
MIN_DISTANCE, MAX_DISTANCE = 0.05, 200.0  # [m]
FILLED = 0.85  # share of the picture that `camera_for` fills
MAX_FOCUS = 1000.0  # [m], from the origin along x and y


@dataclass(frozen=True, slots=True, kw_only=True)
class OrbitCamera:
    """A camera on a sphere around its focus; z is up in the picture.

    Attributes:
        focus: The point in the middle of the picture [m].
        distance: From the focus to the eye [m].
        azimuth: Direction from the focus to the eye, counter-clockwise from +x [rad].
        elevation: Of the eye above the focus [rad].
        view: Vertical angle of view [rad].
    """

    focus: tuple[float, float, float] = (0.0, 0.0, 0.15)
    distance: float = 2.5
    azimuth: float = math.radians(-60.0)
    elevation: float = math.radians(30.0)
    view: float = math.radians(40.0)

    def __post_init__(self) -> None:
        values = (*self.focus, self.distance, self.azimuth, self.elevation, self.view)
        if not all(map(math.isfinite, values)) or len(self.focus) != 3:
            raise ConfigError(f"a camera must be made of finite numbers, got {values}")
        if not (MIN_DISTANCE <= self.distance <= MAX_DISTANCE):
            raise ConfigError(
                f"`distance` must be {MIN_DISTANCE} to {MAX_DISTANCE:g} m, got "
                f"{self.distance}"
            )
        if abs(self.elevation) > MAX_ELEVATION or not 0.0 < self.view < 3.0:
            raise ConfigError(
                f"`elevation` must be within {MAX_ELEVATION:.3f} rad and `view` 0 to "
                f"3 rad, got {self.elevation} and {self.view}"
            )

    # -- moving --------------------------------------------------------------------

    def orbit(self, dx: float, dy: float) -> Self:
        """Turn about the focus: what is seen follows the mouse. Left button."""
        elevation = self.elevation + ORBIT_RATE * dy
        azimuth = self.azimuth - ORBIT_RATE * dx
        return replace(
            self,
            azimuth=math.remainder(azimuth, 2.0 * math.pi),
            elevation=min(max(elevation, -MAX_ELEVATION), MAX_ELEVATION),
        )

    def pan(self, dx: float, dy: float) -> Self:
        """Move the focus in x and y: the floor follows the mouse. Shift, left."""
        c, s = math.cos(self.azimuth), math.sin(self.azimuth)
        right, ahead = (-s, c), (-c, -s)
        step = PAN_RATE * self.distance
        x, y = (
            self.focus[k] - step * dx * right[k] + step * dy * ahead[k]
            for k in range(2)
        )
        x, y = (min(max(value, -MAX_FOCUS), MAX_FOCUS) for value in (x, y))
        return replace(self, focus=(x, y, self.focus[2]))

    def zoom(self, dy: float) -> Self:
        """Go farther away for a mouse that moves down, nearer for up. Right button."""
        exponent = min(max(ZOOM_RATE * dy, -50.0), 50.0)
        distance = self.distance * math.exp(exponent)
        return replace(self, distance=min(max(distance, MIN_DISTANCE), MAX_DISTANCE))

    def drag(self, button: str, dx: float, dy: float, *, shift: bool = False) -> Self:
        """Do what a mouse means: "left" turns, with Shift moves; "right" zooms."""
        match button, shift:
            case "left", False:
                return self.orbit(dx, dy)
            case "left", True:
                return self.pan(dx, dy)
            case "right", _:
                return self.zoom(dy)
            case _:
                raise ConfigError(f"button must be left or right, got {button!r}")

    # -- looking -------------------------------------------------------------------

    @property
    def eye(self) -> FloatArray:
        """Where the camera is, world [m], shape (3,)."""
        return np.array(self.focus) - self.distance * self.axes[:, 2]

    @property
    def axes(self) -> FloatArray:
        """Axes of the camera in the world as columns: right, down, forward, (3, 3)."""
        ca, sa = math.cos(self.azimuth), math.sin(self.azimuth)
        ce, se = math.cos(self.elevation), math.sin(self.elevation)
        forward = np.array([-ca * ce, -sa * ce, -se])
        right = np.array([-sa, ca, 0.0])
        return np.stack([right, np.cross(forward, right), forward], axis=1)

    @property
    def pose(self) -> FloatArray:
        """T_world_camera: x right, y down, z forward, shape (4, 4)."""
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = self.axes, self.eye
        return T

    def intrinsics(self, width: int, height: int) -> Intrinsics:
        """Return the projection to an image [px]."""
        focal = 0.5 * height / math.tan(0.5 * self.view)
        return Intrinsics(
            width=width,
            height=height,
            fx=focal,
            fy=focal,
            cx=0.5 * (width - 1),
            cy=0.5 * (height - 1),
        )


def camera_for(points: FloatArray, *, aspect: float = 4.0 / 3.0) -> OrbitCamera:
    """Return a camera that sees all points and has them large.

    Args:
        points: World [m], shape (n, 3).
        aspect: Width of the picture over its height.
    """
    focus = 0.5 * (points.min(axis=0) + points.max(axis=0))
    camera = OrbitCamera(focus=(float(focus[0]), float(focus[1]), float(focus[2])))
    x, y, z = ((points - focus) @ camera.axes).T
    half = FILLED * math.tan(0.5 * camera.view)
    distance = float((np.maximum(abs(y), abs(x) / aspect) / half - z).max())
    return replace(
        camera, distance=min(max(distance, 4.0 * MIN_DISTANCE), MAX_DISTANCE)
    )
