"""Thrown balls and the circles two cameras find: a plant for estimators of flights.

Written anew from the physics, not with the estimators' code: another integrator, spin
and gusts of its own, outlines of spheres by angles instead of by algebra.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.typing import BoolArray, FloatArray

STEP = 1e-3  # [s]
RADIUS = 0.0605  # [m]
GRAVITY = np.array([0.0, 0.0, -9.81])
FRAME = 0.02  # [s]
WIDTH, HEIGHT = 780, 580
CENTER = np.array([(WIDTH - 1) / 2, (HEIGHT - 1) / 2])
FOCAL = 0.5 * WIDTH / math.tan(math.radians(28.5))
AIM = np.array([-0.305, -0.23, 1.70])
ROLL_AXIS = np.array([-0.305, -0.23, 0.898])


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowCfg:
    """How people throw and what the air does.

    Attributes:
        flight_time: Shortest and longest [s], to the point aimed at.
        aim_sigma: Of the point aimed at, across and up [m].
        drag: [1/m].
        drag_sigma: Relative.
        spin_sigma: About each axis [rad/s].
        lift: Acceleration per spin and speed across it.
        wind_sigma: Of the mean wind along each horizontal axis [m/s].
        max_wind: Largest mean wind [m/s].
        gust_sigma: Of gusts along each axis [m/s].
        gust_time: How long gusts last [s].
    """

    flight_time: tuple[float, float] = (0.85, 1.05)
    aim_sigma: float = 0.2
    drag: float = 0.0612
    drag_sigma: float = 0.1
    spin_sigma: float = 10.0
    lift: float = 0.0079
    wind_sigma: float = 0.0
    max_wind: float = math.inf
    gust_sigma: float = 0.0
    gust_time: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Throws:
    """True flights, in steps of 1 ms from the release.

    Attributes:
        path: Position and velocity [m, m/s], shape (n, k, 6).
        drag: [1/m], shape (n,).
        spin: [rad/s], shape (n, 3).
        wind: Mean wind [m/s], shape (n, 3).
    """

    path: FloatArray
    drag: FloatArray
    spin: FloatArray
    wind: FloatArray

    def at(self, k: int, time: float) -> FloatArray:
        """Return position and velocity of throw k at a time [s], shape (6,)."""
        step = min(int(time / STEP), self.path.shape[1] - 2)
        part = time / STEP - step
        return (1.0 - part) * self.path[k, step] + part * self.path[k, step + 1]


def throw(count: int, rng: np.random.Generator, cfg: ThrowCfg | None = None) -> Throws:
    """Return throws from 5 to 6 m; throwers allow for drag, not for spin and wind."""
    cfg = cfg or ThrowCfg()
    drag = cfg.drag * (1.0 + cfg.drag_sigma * rng.normal(size=count))
    spin = cfg.spin_sigma * rng.normal(size=(count, 3))
    wind = np.zeros((count, 3))
    wind[:, :2] = cfg.wind_sigma * rng.normal(size=(count, 2))
    speed = np.linalg.norm(wind, axis=1, keepdims=True)
    wind *= np.minimum(1.0, cfg.max_wind / np.maximum(speed, 1e-12))
    distance, azimuth = (
        rng.uniform(5.0, 6.0, count),
        rng.uniform(-0.1745, 0.1745, count),
    )
    start = np.column_stack(
        [
            AIM[0] + distance * np.sin(azimuth),
            AIM[1] + distance * np.cos(azimuth),
            rng.uniform(1.4, 1.9, count),
        ]
    )
    target = AIM + cfg.aim_sigma * rng.normal(size=(count, 3)) * [1.0, 0.0, 1.0]
    duration = rng.uniform(*cfg.flight_time, count)
    still = np.zeros((count, 3))
    velocity = (target - start) / duration[:, None] - 0.5 * duration[:, None] * GRAVITY
    last = np.rint(duration / STEP).astype(int)
    for _ in range(5):  # each leaves a third of the miss
        path = _integrate(start, velocity, drag, still, still[:, None], cfg, last.max())
        missed = target - path[np.arange(count), last, :3]
        velocity = velocity + missed / duration[:, None]
    steps = int(1.4 / STEP)
    air = wind[:, None] + _gusts(count, steps, rng, cfg)
    path = _integrate(start, velocity, drag, spin, air, cfg, steps)
    return Throws(path=path, drag=drag, spin=spin, wind=wind)


def _integrate(
    position: FloatArray,
    velocity: FloatArray,
    drag: FloatArray,
    spin: FloatArray,
    air: FloatArray,
    cfg: ThrowCfg,
    steps: int,
) -> FloatArray:
    """Integrate by Heun's method; `air` has shape (n, 1 or steps, 3)."""
    path = np.empty((len(position), steps + 1, 6))
    p, v = position.copy(), velocity.copy()

    def acceleration(v: FloatArray, wind: FloatArray) -> FloatArray:
        u = v - wind
        brake = drag[:, None] * np.linalg.norm(u, axis=1, keepdims=True) * u
        return GRAVITY - brake + cfg.lift * np.cross(spin, u)

    for k in range(steps + 1):
        path[:, k, :3], path[:, k, 3:] = p, v
        wind = air[:, min(k, air.shape[1] - 1)]
        first = acceleration(v, wind)
        second = acceleration(v + STEP * first, wind)
        p = p + STEP * v + 0.5 * STEP**2 * first
        v = v + 0.5 * STEP * (first + second)
    return path


def _gusts(
    count: int, steps: int, rng: np.random.Generator, cfg: ThrowCfg
) -> FloatArray:
    """Return an Ornstein-Uhlenbeck process, shape (count, steps, 3) [m/s]."""
    if cfg.gust_sigma == 0.0:
        return np.zeros((count, 1, 3))
    keep = math.exp(-STEP / cfg.gust_time)
    fresh = cfg.gust_sigma * math.sqrt(1.0 - keep**2)
    gust = np.empty((count, steps, 3))
    gust[:, 0] = cfg.gust_sigma * rng.normal(size=(count, 3))
    for k in range(1, steps):
        gust[:, k] = keep * gust[:, k - 1] + fresh * rng.normal(size=(count, 3))
    return gust


def crossing(throws: Throws, k: int, offset: float = 0.06, reach: float = 0.84):
    """Return when and where throw k enters the workspace; None if it does not."""
    x, y, z = (throws.path[k, :, :3] - ROLL_AXIS).T
    value = np.hypot(np.hypot(x, z) - offset, y) - reach
    inside = np.flatnonzero((value[:-1] > 0.0) & (value[1:] <= 0.0))
    if not inside.size:
        return None
    i = int(inside[0])
    time = STEP * (i + value[i] / (value[i] - value[i + 1]))
    return time, throws.at(k, time)


def camera_poses(pitch: float = math.radians(35.0), inward: float = math.radians(10.0)):
    """Return T_camera_world of the left and the right camera, shape (2, 4, 4)."""
    poses = []
    for side in (-1.0, 1.0):
        yaw = side * inward  # about world z: the left camera looks to the right
        forward = np.array([-math.sin(yaw), math.cos(yaw), 0.0]) * math.cos(pitch)
        forward[2] = math.sin(pitch)
        right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
        R = np.array([right, np.cross(forward, right), forward])
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = R, -R @ np.array([-0.305 + side * 0.26, -0.41, 0.75])
        poses.append(T)
    return np.array(poses)


def circle_of(T_camera_world: FloatArray, p: FloatArray) -> FloatArray:
    """Return (u, v, r) of a ball at p, by the angles of its outline; NaN if hidden.

    A circle counts as seen only if all of it is in the image.
    """
    X, Y, Z = T_camera_world[:3, :3] @ p + T_camera_world[:3, 3]
    distance, across = math.sqrt(X * X + Y * Y + Z * Z), math.hypot(X, Y)
    theta, alpha = math.atan2(across, Z), math.asin(min(1.0, RADIUS / distance))
    if theta + alpha > 1.2:
        return np.full(3, np.nan)
    far, near = math.tan(theta + alpha), math.tan(theta - alpha)
    a, b = (
        0.5 * (far - near),
        math.sin(alpha) / math.sqrt(math.cos(theta) ** 2 - math.sin(alpha) ** 2),
    )
    direction = np.array([X, Y]) / max(across, 1e-300)
    u, v = CENTER + FOCAL * 0.5 * (far + near) * direction
    r = FOCAL * math.sqrt(a * b)
    is_whole = r - 0.5 <= u <= WIDTH - 0.5 - r and r - 0.5 <= v <= HEIGHT - 0.5 - r
    return np.array([u, v, r]) if is_whole else np.full(3, np.nan)


def circle_noise(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Return errors as measured with the detector [px]: 92 % 0.06, 8 % 0.4."""
    bad: BoolArray = rng.random(shape) < 0.08
    return np.where(bad, 0.4, 0.06) * rng.normal(size=shape)
