"""Servos and the pose of the cameras, from the bat's sphere in 25 poses.

The bat visits a raster; both cameras see the whole sphere. Explained at once: where the
cameras stand in the world, offset and scale of both servos, how far gravity bends their
teeth, and the play of the roll servo, whose flank changes with the side to which the
bat leans. Leaning forward in all poses, the bat lies on one flank of the tilt servo's
play: its offset would swallow that, so the size of this play must be given.

Turning the cameras about the roll axis and shifting the roll servo's offset look the
same in every image. Gravity, which throws show in the cameras, decides: the base stands
level, so it has no part across the roll axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.calibration.identifiability import (
    Identifiability,
    explain_information,
)
from gelenk.checks import as_array, as_finite
from gelenk.errors import ShapeError
from gelenk.estimation.least_squares import LeastSquaresCfg, solve_least_squares
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.robots.piggy.config import CALIBRATED_WEIGHT, UNIT, UnitCfg
from gelenk.robots.piggy.kinematics import forward, gravity_torques
from gelenk.robots.piggy.setup import ServoSetup
from gelenk.spatial import se3, so3
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics
from gelenk.vision.sphere import camera_row, sphere_circle

FEWEST_POSES = 12
LEVEL_SIGMA = math.radians(0.05)  # [rad], how well a spirit level is read
SCALE_SIGMA = 0.03  # relative, of a servo's scale: more is another servo
GAP_SIGMA = math.radians(6.0)  # [rad]
COMPLIANCE_SIGMA = 0.005  # [rad/(N m)], of the teeth of such gears
NAMES = (
    "cameras.turn x", "cameras.turn y", "cameras.turn z",
    "cameras.shift x", "cameras.shift y", "cameras.shift z",
    "roll.j_off", "roll.j_scale", "tilt.j_off", "tilt.j_scale", "roll.half_gap",
    "compliance",
)  # fmt: skip
UNITS = ("rad", "rad", "rad", "m", "m", "m", "rad", "1", "rad", "1", "rad",
         "rad/(N m)")  # fmt: skip
LEAST_NOISE = 0.2  # [px]: shade displaces outlines by that much, unlike noise
LARGEST_RESIDUAL = 12.0  # [px]
RASTER_ROLL = np.radians([-25.0, -16.0, -8.0, 10.0, 25.0])  # never near upright
RASTER_TILT = np.radians([-70.0, -63.0, -56.0, -49.0, -42.0])


def raster(roll: ArrayLike = RASTER_ROLL, tilt: ArrayLike = RASTER_TILT) -> FloatArray:
    """Return the poses to visit, row by row to and fro, roll and tilt [rad], (25, 2).

    Args:
        roll: Angles of the roll motor [rad]; what is nearer to 0 than the play is left
            out: there the bat lies on the flank from which it came.
        tilt: Angles of the tilt joint [rad], all forward: elsewhere cameras see a
            part of the sphere only.
    """
    roll, tilt = np.asarray(roll, dtype=np.float64), np.asarray(tilt, dtype=np.float64)
    rows = [
        np.column_stack([roll[:: 1 if k % 2 == 0 else -1], np.full(len(roll), t)])
        for k, t in enumerate(tilt)
    ]
    return np.concatenate(rows)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BatSights:
    """The sphere in all poses.

    Attributes:
        readings: Of both servos [count], shape (n, 2).
        circles: (u, v, r) in the left and the right image [px], shape (n, 2, 3).
    """

    readings: FloatArray
    circles: FloatArray

    def __post_init__(self) -> None:
        readings = as_finite("readings", self.readings, (2,))
        circles = as_array("circles", self.circles, (2, 3))
        if readings.ndim != 2 or circles.shape != (len(readings), 2, 3):
            raise ShapeError(
                "circles", expected=f"({len(readings)}, 2, 3)", actual=circles.shape
            )
        object.__setattr__(self, "readings", readings)
        object.__setattr__(self, "circles", circles)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelGravity:
    """Gravity as the throws show it.

    Attributes:
        direction: Unit vector in the axes of the left camera, shape (3,).
        sigma: Of its part across the roll axis [rad].
    """

    direction: FloatArray
    sigma: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ServoCalibration:
    """Servos and cameras.

    Attributes:
        T_world_left: Pose of the left camera, shape (4, 4).
        roll, tilt: Servos.
        names, units: Of the parameters; offsets as angles, scales relative.
        values: Changes of what was assumed before; gap and compliance themselves,
            shape (12,).
        covariance: Shape (12, 12).
        residual: Root mean squares of u, v, r [px].
        noise: Standard deviation of one coordinate [px].
        inclination: Of the roll axis against the level, nose up [rad]; NaN without
            gravity.
        poses: How many.
        identifiability: What the poses alone could tell, gravity not counted.
    """

    T_world_left: FloatArray
    roll: ServoSetup
    tilt: ServoSetup
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: FloatArray
    covariance: FloatArray
    residual: tuple[float, float, float]
    noise: float
    inclination: float
    poses: int
    identifiability: Identifiability


def calibrate_servos(
    sights: BatSights,
    *,
    lenses: tuple[Intrinsics, Intrinsics],
    T_left_right: FloatArray,
    T_world_left: FloatArray,
    roll: ServoSetup,
    tilt: ServoSetup,
    gravity: LevelGravity | None,
    has_play: bool = True,
    weight: float = CALIBRATED_WEIGHT,
    cfg: UnitCfg = UNIT,
) -> ServoCalibration:
    """Return servos and the pose of the cameras from the bat's sphere.

    Args:
        sights: The sphere in many poses.
        lenses: Of both cameras.
        T_left_right: Pose between them, shape (4, 4).
        T_world_left: Pose of the left one as known before, shape (4, 4).
        roll: Servo as known before.
        tilt: Servo as known before; its play is kept.
        gravity: From throws; None leaves the cameras' turn about the roll axis to
            what was known before.
        has_play: Whether the roll servo's play is a parameter; else it is none.
        weight: Of the bat, as the gravity compensation counts it [N].
        cfg: Geometry of the unit.

    Raises:
        CalibrationError: If there are too few poses, or nothing explains them.
    """
    good = np.isfinite(sights.circles).all(axis=(1, 2))
    if good.sum() < FEWEST_POSES:
        raise CalibrationError(
            "too few poses",
            f"expected the sphere in {FEWEST_POSES} poses at least, got {good.sum()}",
            advice="visit the raster of 25 poses",
        )
    seen = sights.circles[good]
    problem = _Problem(
        sights.readings[good], seen, lenses, T_left_right, T_world_left, roll, tilt,
        gravity, weight, cfg,
    )  # fmt: skip
    prior = np.full(len(NAMES), math.inf)
    prior[[7, 9]], prior[10] = SCALE_SIGMA, GAP_SIGMA
    prior[11] = COMPLIANCE_SIGMA
    if gravity is None:
        prior[1] = math.radians(1.0)
    start = np.zeros(len(NAMES))
    frozen = np.zeros(len(NAMES), dtype=bool)
    frozen[10] = not has_play
    start[11] = roll.compliance
    start[10] = roll.half_gap if has_play else 0.0
    lower = np.full(len(NAMES), -math.inf)
    lower[11] = 0.0
    first = solve_least_squares(
        problem.residuals, start, prior_mean=start, prior_sigma=prior,
        lower=lower, is_frozen=frozen,
        cfg=LeastSquaresCfg(loss="huber", max_iterations=60),
    )  # fmt: skip
    # Gravity counts in units of the noise, which is known only now.
    problem.noise = max(first.scale, LEAST_NOISE)
    found = solve_least_squares(
        problem.residuals, first.x, prior_mean=start, prior_sigma=prior,
        lower=lower, is_frozen=frozen,
        cfg=LeastSquaresCfg(loss="huber", scale=problem.noise, max_iterations=60),
    )  # fmt: skip
    errors = found.residuals[: seen.size].reshape(-1, 3)
    u, v, r = map(float, np.sqrt(np.mean(errors**2, axis=0)))
    if not found.converged or max(u, v, r) > LARGEST_RESIDUAL:
        raise CalibrationError(
            "no agreement",
            f"the sphere stays {u:.1f}, {v:.1f} and {r:.1f} px (u, v, r) away from "
            f"where any servos put it ({found.status})",
            advice="calibrate the cameras first; check the length of the bat",
        )
    J = problem.image_jacobian(found.x) / max(found.scale, 1e-12)
    free = np.flatnonzero(~frozen)
    return ServoCalibration(
        T_world_left=problem.pose(found.x),
        roll=problem.servo(found.x, 0),
        tilt=problem.servo(found.x, 1),
        names=NAMES,
        units=UNITS,
        values=found.x,
        covariance=found.covariance,
        residual=(u, v, r),
        noise=found.scale,
        inclination=problem.inclination(found.x),
        poses=len(seen),
        identifiability=explain_information(
            (J.T @ J)[np.ix_(free, free)],
            names=[NAMES[i] for i in free],
            units=[UNITS[i] for i in free],
            prior_sigma=prior[free].tolist(),
        ),
    )


class _Problem:
    """Where the sphere should be seen, as a function of one vector, see `NAMES`."""

    def __init__(
        self,
        readings: FloatArray,
        circles: FloatArray,
        lenses: tuple[Intrinsics, Intrinsics],
        T_left_right: FloatArray,
        T_world_left: FloatArray,
        roll: ServoSetup,
        tilt: ServoSetup,
        gravity: LevelGravity | None,
        weight: float,
        cfg: UnitCfg,
    ) -> None:
        self.readings, self.circles = readings, circles
        self.lenses, self.T_right_left = lenses, se3.inverse(T_left_right)
        self.T_world_left = as_finite("T_world_left", T_world_left, (4, 4))
        self.before = (roll, tilt)
        self.gravity, self.weight, self.cfg = gravity, weight, cfg
        self.pivot = np.array(cfg.origin)
        self.noise = 1.0  # [px], of one coordinate

    def pose(self, x: FloatArray) -> FloatArray:
        """Return T_world_left: turned about a point of the roll axis, then shifted."""
        T = np.eye(4)
        T[:3, :3] = so3.exp(x[:3])
        T[:3, 3] = self.pivot - T[:3, :3] @ self.pivot + x[3:6]
        return T @ self.T_world_left

    def servo(self, x: FloatArray, joint: int) -> ServoSetup:
        before = self.before[joint]
        scale = before.j_scale * (1.0 + float(x[7 + 2 * joint]))
        return ServoSetup(
            j_off=before.j_off - float(x[6 + 2 * joint]) / before.j_scale,
            j_scale=scale,
            half_gap=max(float(x[10]), 0.0) if joint == 0 else before.half_gap,
            compliance=float(x[11]),
        )

    def angles(self, x: FloatArray) -> FloatArray:
        """Return where the bat hangs in its poses, roll and tilt [rad], (n, 2)."""
        q = np.empty_like(self.readings)
        for joint in (0, 1):
            before = self.before[joint]
            shift = before.angle(self.readings[:, joint]) + x[6 + 2 * joint]
            q[:, joint] = (1.0 + x[7 + 2 * joint]) * shift
        q[:, 0] += x[10] * np.sign(self.before[0].angle(self.readings[:, 0]))
        q[:, 1] -= self.before[1].half_gap  # forward: the front flank
        return q + x[11] * gravity_torques(q, weight=self.weight, cfg=self.cfg)

    def images(self, x: FloatArray) -> FloatArray:
        T_left_world = se3.inverse(self.pose(x))
        rows = np.stack(
            [
                camera_row(self.lenses[0], T_left_world),
                camera_row(self.lenses[1], self.T_right_left @ T_left_world),
            ]
        )
        places = forward(self.angles(x), cfg=self.cfg)
        return sphere_circle(rows, places, unit.SPHERE_RADIUS)

    def residuals(self, x: FloatArray) -> FloatArray:
        r = (self.images(x) - self.circles).ravel()
        if self.gravity is None:
            return r
        down = self.pose(x)[:3, :3] @ self.gravity.direction
        sigma = math.hypot(self.gravity.sigma, LEVEL_SIGMA)
        return np.append(r, self.noise * down[0] / sigma)

    def image_jacobian(self, x: FloatArray) -> FloatArray:
        """Return d(images)/dx by central differences, (n 6, 12)."""
        columns = []
        for k in range(len(x)):
            step = np.zeros(len(x))
            step[k] = 1e-5
            ends = self.images(x + step) - self.images(x - step)
            columns.append(ends.ravel() / 2e-5)
        return np.stack(columns, axis=1)

    def inclination(self, x: FloatArray) -> float:
        if self.gravity is None:
            return math.nan
        down = self.pose(x)[:3, :3] @ self.gravity.direction
        return math.atan2(-down[1], -down[2])
