"""The two cameras as they are: near the drawing, but not on it.

Nobody who plays may look here: poses, focal lengths, centres and distortion of the true
cameras are what a calibration has to find.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy import nominal
from gelenk.spatial import so3
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

Mounting = Literal["landscape", "portrait"]
SIDES = ("left", "right")
PORTRAIT_LENS = Intrinsics.from_field_of_view(
    width=580, height=780, horizontal=math.radians(57.0)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RigCfg:
    """How far the cameras are from the drawing.

    Attributes:
        seed: Which of all possible rigs.
        mounting: "landscape", or turned by 90 degrees: then images are 580 wide and
            780 high, and their lower border is level.
        rotation_sigma: About each axis, of each camera [rad].
        position_sigma: Along each axis [m].
        focal_sigma: Relative, of each focal length.
        center_sigma: Of the optical axis in the image [px].
        distortion: Mean of k1; it varies by a quarter of that.
        exposure: Time during which the shutter is open [s].
        latency: From its end until the image has been transferred [s].
        blur: Standard deviation of the Gaussian that a point becomes [px].
        read_noise: Standard deviation in the dark [gray levels].
        shot_noise: Variance that each gray level of light adds [gray levels].
    """

    seed: int = 0
    mounting: Mounting = "landscape"
    rotation_sigma: float = math.radians(0.3)
    position_sigma: float = 0.002
    focal_sigma: float = 0.003
    center_sigma: float = 2.0
    distortion: float = -0.02
    exposure: float = 0.004
    latency: float = 0.008
    blur: float = 0.7
    read_noise: float = 1.5
    shot_noise: float = 0.04

    def __post_init__(self) -> None:
        if self.mounting not in ("landscape", "portrait"):
            raise ConfigError(
                f"`mounting` must be 'landscape' or 'portrait', got {self.mounting!r}"
            )
        if not 0.0 < self.exposure <= 0.01 or self.latency < 0.0:
            raise ConfigError(
                "`exposure` must be in (0, 0.01] s and `latency` >= 0 s, got "
                f"{self.exposure} and {self.latency}"
            )


EXACT = RigCfg(
    rotation_sigma=0.0,
    position_sigma=0.0,
    focal_sigma=0.0,
    center_sigma=0.0,
    distortion=0.0,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrueCamera:
    """One camera.

    Attributes:
        intrinsics: Its lens.
        T_world_camera: Its pose, x right, y down, z forward, (4, 4).
    """

    intrinsics: Intrinsics
    T_world_camera: FloatArray


def make_rig(cfg: RigCfg) -> tuple[TrueCamera, TrueCamera]:
    """Return the left and the right camera, the same for the same configuration."""
    rng = np.random.default_rng([cfg.seed, 0x716])
    left, right = (_camera(cfg, T, rng) for T in nominal.nominal_camera_poses())
    return left, right


def nominal_lens(mounting: Mounting) -> Intrinsics:
    """Return the lens of the drawing."""
    return nominal.NOMINAL_LENS if mounting == "landscape" else PORTRAIT_LENS


def _camera(cfg: RigCfg, T_nominal: FloatArray, rng: np.random.Generator) -> TrueCamera:
    lens = nominal_lens(cfg.mounting)
    T = np.array(T_nominal)
    T[:3, 3] += cfg.position_sigma * rng.normal(size=3)
    T[:3, :3] = so3.exp(cfg.rotation_sigma * rng.normal(size=3)) @ T[:3, :3]
    focal = 1.0 + cfg.focal_sigma * rng.normal()
    cx, cy = cfg.center_sigma * rng.normal(size=2)
    k1 = cfg.distortion * (1.0 + 0.25 * rng.normal())
    T.setflags(write=False)
    return TrueCamera(
        intrinsics=Intrinsics(
            width=lens.width,
            height=lens.height,
            fx=lens.fx * focal,
            fy=lens.fy * focal,
            cx=lens.cx + cx,
            cy=lens.cy + cy,
            distortion=(k1, 0.0, 0.0, 0.0, 0.0),
        ),
        T_world_camera=T,
    )
