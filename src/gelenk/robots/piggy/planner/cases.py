"""Random planner requests that a simulated stroke has shown to be possible."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.robots.piggy.config import GRAVITY
from gelenk.robots.piggy.contact import hit
from gelenk.robots.piggy.kinematics import bat_velocity, forward, normal
from gelenk.robots.piggy.planner.path import BallPath
from gelenk.robots.piggy.planner.plan import PLAN, PlanCfg
from gelenk.typing import FloatArray

POSES = math.radians(50.0)  # [rad], largest roll and tilt drawn
SPEEDS = (4.0, 9.0)  # [m/s], of the ball
AZIMUTH = math.radians(30.0)  # [rad], of its flight, to either side
ELEVATION = (math.radians(-50.0), math.radians(10.0))  # [rad]
MIN_APPROACH = 0.5  # [m/s]: slower touches only graze
BEFORE, AFTER = 0.25, 0.15  # [s], of flight around the touch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cases:
    """Requests, and one stroke each that fulfils them.

    Attributes:
        v_in: Velocity of the ball at the first touch [m/s], (n, 3).
        v_out: Velocity after the contact [m/s], (n, 3).
        normal: Of the workspace where the bat was, (n, 3).
        q: Roll and tilt then [rad], (n, 2).
        qd: Their rates [rad/s], (n, 2).
        n_c: Unit vector from the bat's to the ball's centre, (n, 3).
        time: Of the touch, in the path [s], (n,).
        paths: Flight of each, straight through the place of the touch.
    """

    v_in: FloatArray
    v_out: FloatArray
    normal: FloatArray
    q: FloatArray
    qd: FloatArray
    n_c: FloatArray
    time: FloatArray
    paths: tuple[BallPath, ...]

    def __len__(self) -> int:
        return len(self.v_in)


def make_cases(
    count: int,
    rng: np.random.Generator,
    *,
    cfg: PlanCfg = PLAN,
    dt: float = 0.01,
) -> Cases:
    """Draw strokes and simulate them: every request has a solution.

    Args:
        count: How many.
        rng: Source of all draws.
        cfg: Robot, ball and limits that the strokes obey.
        dt: Between the samples of the flights [s]; the touch falls in between.
    """
    kept = [_draw(count, rng, cfg)]
    while sum(len(k[0]) for k in kept) < count:
        kept.append(_draw(count, rng, cfg))
    q, qd, n_c, v_in = (np.concatenate([k[i] for k in kept])[:count] for i in range(4))
    v_s = bat_velocity(q, qd, cfg=cfg.unit)
    v_out = hit(v_in, n_c, v_s, cfg=cfg.contact).v_out
    ball = forward(q, cfg=cfg.unit) + cfg.contact.radius_sum * n_c
    steps = dt * np.arange(round((BEFORE + AFTER) / dt) + 1, dtype=np.float64)
    touch = BEFORE + rng.uniform(-0.5, 0.5, count) * dt
    return Cases(
        v_in=v_in,
        v_out=v_out,
        normal=normal(q),
        q=q,
        qd=qd,
        n_c=n_c,
        time=touch,
        paths=tuple(_flight(steps, touch[k], ball[k], v_in[k]) for k in range(count)),
    )


def _draw(
    count: int, rng: np.random.Generator, cfg: PlanCfg
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return poses, rates, contact directions and velocities that can be played."""
    q = rng.uniform(-POSES, POSES, (count, 2))
    qd = rng.uniform(-cfg.rate_limit, cfg.rate_limit, (count, 2))
    n_c = rng.normal(size=(count, 3))
    n_c /= np.linalg.norm(n_c, axis=1, keepdims=True)
    azimuth = rng.uniform(-AZIMUTH, AZIMUTH, count)
    elevation = rng.uniform(*ELEVATION, count)
    level = np.cos(elevation)
    course = (level * np.sin(azimuth), -level * np.cos(azimuth), np.sin(elevation))
    v_in = rng.uniform(*SPEEDS, (count, 1)) * np.stack(course, axis=1)
    approach = ((v_in - bat_velocity(q, qd, cfg=cfg.unit)) * n_c).sum(axis=1)
    is_free = (n_c * normal(q)).sum(axis=1) > cfg.lowest
    keep = (approach < -MIN_APPROACH) & is_free
    return q[keep], qd[keep], n_c[keep], v_in[keep]


def _flight(
    steps: FloatArray, touch: float, ball: FloatArray, v_in: FloatArray
) -> BallPath:
    t = (steps - touch)[:, None]
    g = np.array([0.0, 0.0, -GRAVITY])
    return BallPath(
        time=steps, position=ball + v_in * t + 0.5 * g * t * t, velocity=v_in + g * t
    )
