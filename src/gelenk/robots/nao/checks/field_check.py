"""Field lines as a test of a calibration: projected lines against seen ones.

A robot stands at a known place of the field and looks ahead. Where its lines should be
in the image is computed from readings, accelerometer and compensation; where they are,
from the image that its camera takes in the simulated world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gelenk.robots.nao import config
from gelenk.robots.nao.checks.field import (
    FieldCfg,
    field_lines,
    field_pose,
    ground_point,
    line_offsets,
    paint_field,
    project_field,
)
from gelenk.robots.nao.checks.stance import mean_ground, stand_body, standing_load
from gelenk.robots.nao.checks.standing import (
    SETTLE,
    Standing,
    make_standing_world,
    observe,
)
from gelenk.robots.nao.compensation import Compensation, camera_pose, sole_poses
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.robot_with_errors import true_intrinsics
from gelenk.robots.nao.world import CameraName, Level
from gelenk.sim.cameras.boards import PictureBoard
from gelenk.sim.cameras.description import Camera, Light
from gelenk.sim.world import Addable
from gelenk.spatial.se3 import inverse
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

HEAD: dict[CameraName, tuple[float, float]] = {
    "lower": (0.0, math.radians(-25.0)),
    "upper": (0.0, math.radians(10.0)),
}
"""HeadYaw and HeadPitch that bring the spot 3 m ahead into the image [rad]."""
_LONG = 3  # lines that stand alone: the first ones of `field_lines`
_MARGIN = 0.5  # [m] of carpet around the field
_PARENT: dict[CameraName, str] = {
    "lower": "nao/camera_bottom",
    "upper": "nao/camera_top",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCheckCfg:
    """Where the robot stands and how it looks.

    Attributes:
        field: Sizes of the field.
        place: x, y [m] and heading [rad] of the point between its feet.
        spot: A point of the halfway line whose distance is measured, x and y [m].
        camera: Which one.
        is_leveled: Whether the accelerometer says how the torso leans; else the legs.
        level: Of what is real, see `world.make_world`.
        seed: Of all noise.
    """

    field: FieldCfg = field(default_factory=FieldCfg)
    place: tuple[float, float, float] = (-3.0, 0.0, 0.0)
    spot: tuple[float, float] = (0.0, 0.0)
    camera: CameraName = "lower"
    is_leveled: bool = True
    level: Level = 3
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FieldCheck:
    """How well the lines of the field are predicted.

    Attributes:
        pixels: Projected lines, (n, 2) each, NaN where nothing is seen.
        true_pixels: Where they really are.
        offset: Root mean square distance of projected from true points across their
            lines, of those inside of the image [px].
        seen_offset: Median distance of the projected halfway and touch lines from those
            that are found in the image [px]; NaN if none are where they are looked for.
        spot_error: From the true spot to where the robot believes what it sees there,
            along x and y of the field [m].
        image: What the camera sees, gray.
    """

    pixels: tuple[FloatArray, ...]
    true_pixels: tuple[FloatArray, ...]
    offset: float
    seen_offset: float
    spot_error: tuple[float, float]
    image: np.ndarray

    @property
    def distance_error(self) -> float:
        """Length of `spot_error` [m]."""
        return math.hypot(*self.spot_error)


def believed_camera(
    compensation: Compensation,
    readings: FloatArray,
    up: FloatArray | None,
    camera: CameraName = "lower",
) -> FloatArray:
    """Return `T_ground_camera` as the robot computes it, (4, 4).

    Args:
        compensation: What it knows about itself.
        readings: Raw, body vector [rad], (22,).
        up: What its accelerometer reads, (3,); None: the legs alone decide.
        camera: Which one.
    """
    load = standing_load()
    soles = sole_poses(compensation, compensation.corrected(readings, load))
    T_torso_ground = mean_ground(soles, up)
    return inverse(T_torso_ground) @ camera_pose(compensation, readings, camera)


def check_field(
    errors: NaoErrors,
    compensation: Compensation | None = None,
    cfg: FieldCheckCfg | None = None,
) -> FieldCheck:
    """Let a robot stand on the field and return how well it predicts the lines.

    Args:
        errors: What is wrong with it; only its world knows.
        compensation: What it knows about itself, for standing and for projecting; None:
            nothing.
        cfg: Where and how.
    """
    cfg = cfg or FieldCheckCfg()
    known = compensation or Compensation()
    desired = stand_body(HEAD[cfg.camera])
    load = standing_load() if compensation is not None else None
    command = known.command(desired, load, keeps_soles=compensation is not None)
    world = make_standing_world(
        errors,
        command,
        level=cfg.level,
        seed=cfg.seed,
        T_world_ground=field_pose(*cfg.place),
        extras=_scenery(errors, cfg),
    )
    with world:
        world.run(SETTLE)
        standing = observe(world, errors)
        T_world_camera = world.pose(_PARENT[cfg.camera])
        # It has slid a little as it came to rest: it stands where it stands.
        T_world_ground = world.pose("nao/torso") @ standing.stand.T_torso_ground
        picture = world.image(cfg.camera)
    assert picture is not None
    return _compare(
        errors, known, cfg, standing, T_world_ground, T_world_camera, picture.pixels
    )


def _compare(
    errors: NaoErrors,
    known: Compensation,
    cfg: FieldCheckCfg,
    standing: Standing,
    T_field_ground: FloatArray,
    T_field_camera: FloatArray,
    image: np.ndarray,
) -> FieldCheck:
    is_lower = cfg.camera == "lower"
    lens = true_intrinsics(errors) if is_lower else config.nominal_intrinsics()
    believed_lens = known.lens if is_lower else config.nominal_intrinsics()
    up = standing.up if cfg.is_leveled else None
    believed = T_field_ground @ believed_camera(
        known, standing.stand.readings, up, cfg.camera
    )
    lines = field_lines(cfg.field)
    pixels = [project_field(line, believed, believed_lens) for line in lines]
    truth = [project_field(line, T_field_camera, lens) for line in lines]
    across = [_across(*pair, lens) for pair in zip(pixels, truth, strict=True)]
    spot = np.array([[*cfg.spot, 0.0]])
    seen = project_field(spot, T_field_camera, lens)[0]
    taken = ground_point(seen, believed, believed_lens) - cfg.spot
    gray = image if image.ndim == 2 else image.mean(axis=2)
    found = np.concatenate([line_offsets(gray, line) for line in pixels[:_LONG]])
    found = np.abs(found[np.isfinite(found)])
    return FieldCheck(
        pixels=tuple(pixels),
        true_pixels=tuple(truth),
        offset=_rms(np.concatenate(across)),
        seen_offset=float(np.median(found)) if len(found) else math.nan,
        spot_error=(float(taken[0]), float(taken[1])),
        image=gray,
    )


def _across(pixels: FloatArray, truth: FloatArray, lens: Intrinsics) -> FloatArray:
    """Return distances across the true line of points that are in the image [px]."""
    along = np.gradient(truth, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        along = along / np.linalg.norm(along, axis=1, keepdims=True)
    off = pixels - truth
    distance = off[:, 0] * -along[:, 1] + off[:, 1] * along[:, 0]
    return np.where(lens.contains(truth), distance, np.nan)


def _rms(values: FloatArray) -> float:
    good = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(good**2))) if len(good) else math.nan


def _scenery(errors: NaoErrors, cfg: FieldCheckCfg) -> list[Addable]:
    """Return lights, the painted field and the camera."""
    eye = config.EyeCfg()
    is_lower = cfg.camera == "lower"
    T_world_paint = np.eye(4)
    T_world_paint[2, 3] = 1e-4  # above the ground, not in it
    return [
        Light(
            name="ceiling",
            direction=(0.2, 0.1, -1.0),
            diffuse=(0.5, 0.5, 0.5),
            ambient=(0.4, 0.4, 0.4),
            specular=(0.0, 0.0, 0.0),
            casts_shadows=False,
        ),
        PictureBoard(
            name="field",
            pixels=paint_field(cfg.field, margin=_MARGIN),
            width=cfg.field.length + 2.0 * _MARGIN,
            T_parent_board=T_world_paint,
        ),
        Camera(
            name=cfg.camera,
            intrinsics=true_intrinsics(errors)
            if is_lower
            else config.nominal_intrinsics(),
            parent=_PARENT[cfg.camera],
            T_parent_camera=config.T_MOUNT_CAMERA,
            rate=config.FRAME_RATE,
            blur=eye.blur,
            samples=eye.samples,
        ),
    ]
