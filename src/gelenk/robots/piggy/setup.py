"""Set-up of one built Piggy: cameras, servos, ball; and the set-ups that ship.

Calibration writes it, tracker, control and behaviour read it. A file is TOML in SI
units and radians, with the covariance and the residuals that every number rests on.
World axes: x to the robot's right, y towards the thrower, z up.

A bat rests on one flank of the play: its angle is that of the motor plus `half_gap`
times the sign of what gravity does to the joint, and the motor's angle is
(reading - `j_off`) * `j_scale`. `compliance` adds what gravity bends the teeth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, FileFormatError, NameNotFoundError
from gelenk.estimation.ball_tracks import ThrowPrior
from gelenk.robots.piggy.config import CALIBRATED_WEIGHT, DRAG, GRAVITY
from gelenk.robots.piggy.kinematics import gravity_torques
from gelenk.robots.piggy.nominal import (
    NOMINAL_GAP,
    NOMINAL_LENS,
    NOMINAL_LIFT,
    SERVO_MIDDLE,
    SERVO_STEP,
    nominal_camera_poses,
    nominal_throw_prior,
)
from gelenk.runtime.config import InvalidConfigError, resolve
from gelenk.runtime.config_toml import file_layer, to_toml
from gelenk.runtime.files import backup_of, replace_text, shipped_files
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics
from gelenk.vision.sphere import camera_row

FORMAT = "gelenk piggy setup 1"
STEPS = ("cameras", "servos", "flight", "prior")

# What each step of the calibration measures with: exchange it, and the step is void.
PARTS: Mapping[str, tuple[str, ...]] = {
    "cameras": ("camera left", "camera right"),
    "servos": ("camera left", "camera right", "servo roll", "servo tilt", "bat"),
    "flight": ("camera left", "camera right", "ball"),
    "prior": ("camera left", "camera right", "ball"),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CameraSetup:
    """One camera.

    Attributes:
        intrinsics: Size, focal lengths, centre, distortion.
        T_world_camera: Its pose, columns are its axes (right, down, forward), (4, 4).
    """

    intrinsics: Intrinsics
    T_world_camera: FloatArray

    def __post_init__(self) -> None:
        T = np.array(as_finite("T_world_camera", self.T_world_camera, (4, 4)))
        R = T[:3, :3]
        is_turn = np.allclose(R @ R.T, np.eye(3), atol=1e-6) and np.linalg.det(R) > 0.0
        if T.ndim != 2 or not is_turn or not np.array_equal(T[3], [0.0, 0.0, 0.0, 1.0]):
            raise ConfigError(
                "`T_world_camera` must be a rotation and a translation, rows of 4 with "
                "(0, 0, 0, 1) below"
            )
        T.setflags(write=False)
        object.__setattr__(self, "T_world_camera", T)

    @property
    def T_camera_world(self) -> FloatArray:  # noqa: N802
        """The inverse pose, shape (4, 4)."""
        R, p = self.T_world_camera[:3, :3], self.T_world_camera[:3, 3]
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = R.T, -R.T @ p
        return T

    @property
    def row(self) -> FloatArray:
        """The camera as kernels read it, see `camera_row`, shape (21,)."""
        return camera_row(self.intrinsics, self.T_camera_world)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServoSetup:
    """One servo with its gear.

    Attributes:
        j_off: Reading with the bat upright in the middle of the play [count].
        j_scale: [rad/count].
        half_gap: Of the play, to either side [rad].
        compliance: Of the teeth: how far a torque turns the bat [rad/(N m)].
    """

    j_off: float
    j_scale: float
    half_gap: float
    compliance: float = 0.0

    def __post_init__(self) -> None:
        if not math.isfinite(self.j_off):
            raise ConfigError(f"`j_off` must be finite, got {self.j_off}")
        if not 0.0 < abs(self.j_scale) < math.inf:
            raise ConfigError(f"`j_scale` must not be zero, got {self.j_scale}")
        if not 0.0 <= self.half_gap < math.pi / 4.0:
            raise ConfigError(
                f"`half_gap` must be between 0 and pi/4 [rad], got {self.half_gap}"
            )
        if not 0.0 <= self.compliance < math.inf:
            raise ConfigError(
                f"`compliance` must not be negative, got {self.compliance}"
            )

    def angle(self, reading: ArrayLike) -> FloatArray:
        """Return the motor's angle [rad] for readings [count], any shape."""
        return (np.asarray(reading, dtype=np.float64) - self.j_off) * self.j_scale

    def reading(self, angle: ArrayLike) -> FloatArray:
        """Return the reading [count], not rounded, for motor angles [rad]."""
        return np.asarray(angle, dtype=np.float64) / self.j_scale + self.j_off


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """What the numbers of one step rest on.

    Attributes:
        source: "drawings" or "measured".
        date: When, in the caller's words; ISO 8601 is wise.
        parts: Serial numbers of what was measured with, by part.
        names, units: Of the parameters.
        values: Shape (p,).
        covariance: Shape (p, p).
        residuals: Root mean squares that the fit leaves, by name with unit.
        remarks: What the data could not say, in words.
    """

    source: Literal["drawings", "measured"] = "drawings"
    date: str = ""
    parts: Mapping[str, str] = field(default_factory=dict[str, str])
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    values: FloatArray = field(default_factory=lambda: np.zeros(0))
    covariance: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    residuals: Mapping[str, float] = field(default_factory=dict[str, float])
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        p = len(self.names)
        values = np.asarray(self.values, dtype=np.float64).reshape(-1)
        covariance = np.asarray(self.covariance, dtype=np.float64)
        if covariance.size == 0:
            covariance = covariance.reshape(0, 0)
        if len(self.units) != p or values.shape != (p,) or covariance.shape != (p, p):
            raise ConfigError(
                f"{p} names need as many units and values and a covariance of that "
                f"size, got {len(self.units)}, {values.shape}, {covariance.shape}"
            )
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "covariance", covariance)

    def sigma(self, name: str) -> float:
        """Return the standard deviation of a parameter; NaN if it was not measured."""
        if name not in self.names:
            return math.nan
        i = self.names.index(name)
        return math.sqrt(max(0.0, float(self.covariance[i, i])))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidences:
    """The evidence of every step, see `STEPS`."""

    cameras: Evidence = field(default_factory=Evidence)
    servos: Evidence = field(default_factory=Evidence)
    flight: Evidence = field(default_factory=Evidence)
    prior: Evidence = field(default_factory=Evidence)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setup:
    """All that calibration finds out.

    Attributes:
        left, right: Cameras.
        roll, tilt: Servos.
        weight: F of the gravity compensation [N].
        gravity: Acceleration of free fall in the world [m/s^2].
        drag: Of the ball [1/m].
        drag_sigma: Of the natural logarithm of the drag, from ball to ball.
        lift_sigma: Of the lift about each axis, from throw to throw [1/s]: how much
            these throwers spin their balls.
        prior: Where balls come from and how fast.
        date: When it was last changed; empty: never measured.
        evidence: What the numbers rest on.
        format: Of the file.
    """

    left: CameraSetup
    right: CameraSetup
    roll: ServoSetup
    tilt: ServoSetup
    weight: float
    gravity: tuple[float, float, float]
    drag: float
    drag_sigma: float
    prior: ThrowPrior
    lift_sigma: float = NOMINAL_LIFT
    date: str = ""
    evidence: Evidences = field(default_factory=Evidences)
    format: Literal["gelenk piggy setup 1"] = FORMAT

    def __post_init__(self) -> None:
        for name in ("weight", "drag", "drag_sigma", "lift_sigma"):
            value = getattr(self, name)
            if not 0.0 < value < math.inf:
                raise ConfigError(f"`{name}` must be positive, got {value}")
        size = math.hypot(*self.gravity)
        if not 0.0 < size < math.inf:
            raise ConfigError(f"`gravity` must pull somewhere, got {self.gravity}")

    @property
    def cameras(self) -> tuple[CameraSetup, CameraSetup]:
        """Left and right."""
        return self.left, self.right

    @property
    def camera_rows(self) -> FloatArray:
        """Both cameras as kernels read them, shape (2, 21)."""
        return np.stack([self.left.row, self.right.row])

    @property
    def servos(self) -> tuple[ServoSetup, ServoSetup]:
        """Roll and tilt."""
        return self.roll, self.tilt

    def motor_angles(self, readings: ArrayLike) -> FloatArray:
        """Return roll and tilt of the motors [rad] for readings [count], (..., 2)."""
        counts = as_finite("readings", readings, (2,))
        pair = [s.angle(counts[..., i]) for i, s in enumerate(self.servos)]
        return np.stack(pair, axis=-1)

    def resting_angles(self, motor: ArrayLike) -> FloatArray:
        """Return where a bat at rest hangs in the play [rad], for motor angles.

        Gravity holds it on the lower flank: outwards of upright, in both joints; and
        it bends the teeth.
        """
        q = as_finite("motor", motor, (2,))
        gap = np.array([s.half_gap for s in self.servos])
        bend = np.array([s.compliance for s in self.servos])
        q = q + gap * np.sign(q)
        return q + bend * gravity_torques(q, weight=self.weight)


def nominal_setup(*, drive: Literal["thesis", "tight"] = "thesis") -> Setup:
    """Return what drawings and data sheets say, before anything was measured.

    Args:
        drive: "thesis" has 3 degrees of play to either side, "tight" none.

    Example:
        >>> from gelenk.robots.piggy import nominal_setup
        >>> nominal_setup(drive="tight").roll.half_gap
        0.0
    """
    left, right = (
        CameraSetup(intrinsics=NOMINAL_LENS, T_world_camera=T)
        for T in nominal_camera_poses()
    )
    gap = NOMINAL_GAP if drive == "thesis" else 0.0
    servo = ServoSetup(j_off=SERVO_MIDDLE, j_scale=SERVO_STEP, half_gap=gap)
    return Setup(
        left=left,
        right=right,
        roll=servo,
        tilt=servo,
        weight=CALIBRATED_WEIGHT,
        gravity=(0.0, 0.0, -GRAVITY),
        drag=DRAG,
        drag_sigma=0.12,
        prior=nominal_throw_prior(),
    )


def stale_steps(setup: Setup, parts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the steps to repeat: never done, or done with another part.

    Args:
        setup: What is known.
        parts: Serial numbers now, by part as in `PARTS`; parts not named are as before.
    """
    stale: list[str] = []
    for step in STEPS:
        evidence: Evidence = getattr(setup.evidence, step)
        then = evidence.parts
        changed = any(
            part in parts and parts[part] != then.get(part, parts[part])
            for part in PARTS[step]
        )
        if evidence.source != "measured" or changed:
            stale.append(step)
    return tuple(stale)


def write_setup(path: str | Path, setup: Setup) -> None:
    """Write a setup; what was there under this name becomes its backup, `.bak`.

    Raises:
        FileFormatError: If the file cannot be written; the old one stays.
    """
    replace_text(Path(path), to_toml(setup))


def read_setup(path: str | Path) -> Setup:
    """Return a setup from its file.

    Raises:
        FileFormatError: If it is missing or something else; with line and key.
    """
    path = Path(path)
    spare = backup_of(path)
    remedy = f"the setup before it is {spare}" if spare.exists() else ""
    try:
        layer = file_layer(path)
        found = layer.values.get("format")
        if found != FORMAT:
            problem = f"expected {FORMAT!r}, got {found!r:.40}: another kind of file"
            raise FileFormatError(path, problem, element="format", remedy=remedy)
        return resolve(Setup, [layer]).config
    except InvalidConfigError as error:
        raise FileFormatError(path, str(error), remedy=remedy) from error
    except FileFormatError:
        raise
    except ConfigError as error:
        raise FileFormatError(path, f"cannot be read: {error}") from error


@cache
def shipped_setup(drive: str) -> Setup:
    """Return the calibrated setup of a robot with this drive."""
    files = shipped_files("piggy", ".toml")
    if drive not in files:
        raise NameNotFoundError("setup", drive, files)
    return read_setup(files[drive])
