"""Cameras as plain data: what they see, when, and how badly."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.sim.surface import require
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics, unproject

MAX_SAMPLES = 6  # per side of a pixel; more shows nothing new in 8 bits


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorNoise:
    """Noise of a pixel of brightness I in 0..255: sigma^2 = read^2 + shot I.

    Attributes:
        read: Standard deviation in the dark [gray levels].
        shot: Variance that each gray level of light adds [gray levels].
    """

    read: float = 1.5
    shot: float = 0.04

    def __post_init__(self) -> None:
        require(self, "read", minimum=0.0, unit="gray levels")
        require(self, "shot", minimum=0.0, unit="gray levels")


NO_NOISE = SensorNoise(read=0.0, shot=0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Camera:
    """A camera in the world or on a moving part.

    Frame k is exposed from phase + k / rate on, is made of the states at
    `sub_exposures` equally spaced moments, and can be read `latency` after the last of
    them. Images of a camera are equal, bit for bit, whenever seed and states are.

    Attributes:
        name: Name, unique in its world.
        intrinsics: Size of the image and lens.
        parent: Carrier: None for the world, an object, or "robot/link".
        T_parent_camera: Pose on the parent, OpenCV axes (x right, y down, z forward),
            shape (4, 4).
        rate: Images per second [1/s].
        phase: Start of the first exposure [s].
        latency: Time from the end of the exposure until the image can be read [s].
        exposure: Time during which the shutter is open [s].
        sub_exposures: States that are averaged over the exposure; 1: a sharp moment.
        gain: Factor on the rendered brightness.
        color: Kind of image: "gray" (rows, columns) or "rgb" (rows, columns, 3); 8 bit
            either way.
        blur: Standard deviation of the Gaussian that a point becomes [px].
        vignetting: 0: none; 1: brightness falls with cos^4 of the angle to the axis.
        noise: Noise of the sensor.
        near, far: Only what is between them is seen [m]; distances along z.
        samples: Rays per side of a pixel; a pixel is the mean of samples^2 rays.
        shadows: Whether lights cast shadows in this camera's images (slow).
        method: Way of drawing. "full": everything for each image. "cached": what cannot
            move once and for each image only what moves, with the same result; needs a
            camera that stands still. "auto": cached wherever it is possible.

    Example:
        >>> from gelenk.sim import Camera, looking_at
        >>> from gelenk.vision import Intrinsics
        >>> lens = Intrinsics(fx=40, fy=40, cx=15.5, cy=11.5, width=32, height=24)
        >>> pose = looking_at([0.0, -1.0, 0.5], [0.0, 0.0, 0.5])
        >>> eye = Camera(name="eye", intrinsics=lens, T_parent_camera=pose)
        >>> print(eye.T_parent_camera[:3, 3])
        [ 0.  -1.   0.5]
    """

    name: str
    intrinsics: Intrinsics
    parent: str | None = None
    T_parent_camera: ArrayLike = field(default_factory=lambda: np.eye(4))
    rate: float = 50.0
    phase: float = 0.0
    latency: float = 0.0
    exposure: float = 0.0
    sub_exposures: int = 1
    gain: float = 1.0
    color: Literal["gray", "rgb"] = "gray"
    blur: float = 0.0
    vignetting: float = 0.0
    noise: SensorNoise = NO_NOISE
    near: float = 0.05
    far: float = 100.0
    samples: int = 2
    shadows: bool = False
    method: Literal["auto", "full", "cached"] = "auto"

    def __post_init__(self) -> None:
        if not self.name or "/" in self.name:
            raise ConfigError(
                f"`name` of a Camera must be a word without '/', got {self.name!r}"
            )
        object.__setattr__(
            self, "T_parent_camera", as_pose("T_parent_camera", self.T_parent_camera)
        )
        require(self, "rate", above=0.0, unit="1/s")
        require(self, "gain", above=0.0)
        for name in ("phase", "latency", "exposure"):
            require(self, name, minimum=0.0, unit="s")
        require(self, "blur", minimum=0.0, maximum=10.0, unit="px")
        require(self, "vignetting", minimum=0.0, maximum=1.0)
        require(self, "samples", minimum=1, maximum=MAX_SAMPLES)
        require(self, "sub_exposures", minimum=1)
        require(self, "near", above=0.0, unit="m")
        require(self, "far", above=self.near, unit="m")
        self._require_words()
        if self.exposure >= 1.0 / self.rate:
            raise ConfigError(
                f"Camera {self.name!r}: `exposure` {self.exposure} s must be shorter "
                f"than the time between images, {1.0 / self.rate:g} s"
            )
        border = unproject(self.intrinsics, border_pixels(self.intrinsics))
        if not np.isfinite(border).all():
            raise ConfigError(
                f"Camera {self.name!r}: `distortion` {self.intrinsics.distortion} "
                "folds back inside of the image; no ray ends in its corners"
            )

    def _require_words(self) -> None:
        for name, allowed in (
            ("color", ("gray", "rgb")),
            ("method", ("auto", "full", "cached")),
        ):
            value = getattr(self, name)
            if value not in allowed:
                raise ConfigError(
                    f"Camera {self.name!r}: `{name}` must be one of "
                    f"{', '.join(allowed)}, got {value!r}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """A lamp.

    Attributes:
        name: Name, unique in its world.
        parent: Carrier: None for the world, an object, or "robot/link".
        position: Position in the parent's frame [m].
        direction: Direction of the light in the parent's frame; any length.
        kind: Kind of light: "directional" like the sun, "spot" from a point in a cone.
        diffuse: Color that falls on lit faces, 0..1.
        ambient: Color that it adds everywhere, 0..1.
        specular: Color of highlights, 0..1.
        cutoff: Half angle of a spot's cone [rad].
        casts_shadows: Whether it does for cameras that draw shadows.

    Example:
        >>> from gelenk.sim import Light
        >>> Light(name="lamp", position=(0, 0, 2), direction=(0, 0, -1)).name
        'lamp'
    """

    name: str
    parent: str | None = None
    position: tuple[float, float, float] = (0.0, 0.0, 5.0)
    direction: tuple[float, float, float] = (0.0, 0.0, -1.0)
    kind: Literal["directional", "spot"] = "directional"
    diffuse: tuple[float, float, float] = (0.7, 0.7, 0.7)
    ambient: tuple[float, float, float] = (0.0, 0.0, 0.0)
    specular: tuple[float, float, float] = (0.3, 0.3, 0.3)
    cutoff: float = 0.8
    casts_shadows: bool = True

    def __post_init__(self) -> None:
        if not np.linalg.norm(self.direction) > 0.0:
            raise ConfigError(f"Light {self.name!r}: `direction` has no length")
        require(self, "cutoff", above=0.0, maximum=np.pi / 2.0, unit="rad")


DEFAULT_LIGHTS = (
    Light(name="sun", direction=(0.4, 0.6, -1.0), diffuse=(0.62, 0.62, 0.60)),
    Light(
        name="sky",
        direction=(-0.5, -0.3, -0.8),
        diffuse=(0.24, 0.25, 0.27),
        ambient=(0.38, 0.38, 0.38),
        specular=(0.0, 0.0, 0.0),
        casts_shadows=False,
    ),
)


def as_pose(name: str, value: ArrayLike) -> FloatArray:
    """Return a read-only copy of a pose, shape (4, 4), after checking that it is one.

    Raises:
        ShapeError, ConfigError: If it is not a rotation and a translation.
    """
    pose = np.array(as_finite(name, value, (4, 4)))
    if pose.ndim != 2:
        raise ShapeError(name, expected="(4, 4)", actual=pose.shape)
    R = pose[:3, :3]
    is_rigid = np.allclose(R @ R.T, np.eye(3), rtol=0, atol=1e-9)
    if not (is_rigid and np.linalg.det(R) > 0.0 and (pose[3] == [0, 0, 0, 1]).all()):
        raise ConfigError(
            f"`{name}` must be a pose (rotation, translation, last row 0 0 0 1), got "
            f"{pose.round(6).tolist()}"
        )
    pose.setflags(write=False)
    return pose


def looking_at(p_world_camera: ArrayLike, p_world_target: ArrayLike) -> FloatArray:
    """Return `T_world_camera` that has a point on its axis and its rows level.

    Args:
        p_world_camera: Position of the camera [m], shape (3,).
        p_world_target: Point to look at [m], shape (3,), not straight above or below.

    Example:
        >>> from gelenk.sim import looking_at
        >>> T = looking_at([0.0, -1.0, 0.5], [0.0, 0.0, 0.5])
        >>> print(T[:3, 2] + 0.0)  # the optical axis
        [0. 1. 0.]
    """
    p = as_finite("p_world_camera", p_world_camera, (3,))
    z = as_finite("p_world_target", p_world_target, (3,)) - p
    x = np.cross(z, [0.0, 0.0, 1.0])
    if np.linalg.norm(x) <= 1e-9 * max(np.linalg.norm(z), 1e-9):
        raise ConfigError(
            "a camera that looks straight up or down has no level rows; give the pose"
        )
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    T_world_camera = np.eye(4)
    T_world_camera[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    T_world_camera[:3, 3] = p
    return T_world_camera


def border_pixels(intrinsics: Intrinsics, count: int = 64) -> FloatArray:
    """Return points along the border of an image [px], shape (4 count, 2)."""
    u = np.linspace(-0.5, intrinsics.width - 0.5, count)
    v = np.linspace(-0.5, intrinsics.height - 0.5, count)
    sides = [
        np.stack([u, np.full(count, v[0])], axis=1),
        np.stack([u, np.full(count, v[-1])], axis=1),
        np.stack([np.full(count, u[0]), v], axis=1),
        np.stack([np.full(count, u[-1]), v], axis=1),
    ]
    return np.concatenate(sides)
