"""One stroke, made exact for the bat on its rod, and kept up to date.

The planner finds strokes for a free bat. From there, contact direction and joint rates
are varied until the ball, reflected by the bat as it is built (`rebound`), reaches the
point in time: three conditions, four unknowns; of all solutions the calm one, near the
start. With every new prediction the last stroke is the start of the next, so that the
bat is not sent hither and thither between strokes of equal rating.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gelenk.core.typing import FloatArray
from gelenk.robots.piggy.aim import wanted_velocity
from gelenk.robots.piggy.config import RADIUS_SUM, SPEED_LIMIT, UNIT
from gelenk.robots.piggy.kinematics import inverse, normal
from gelenk.robots.piggy.planner.path import BallPath, touch_time
from gelenk.robots.piggy.rebound import REBOUND, ReboundCfg, rebound
from gelenk.robots.piggy.surface import unit_params
from gelenk.robots.piggy.workspace import is_valid

ROUNDS = 6
GOOD = 0.02  # [m/s], error at which it is exact enough
CALM = 0.04  # [m/s per rad/s], how much error a faster joint is worth
LARGEST_STEP = 0.25  # [rad] of the contact direction, [rad/s] times 4 of a rate
LOWEST = -0.5  # cosine between n_c and rod: below, the rod's cover is too near
# Time, pose, rates, n_c, ball's place and velocity.
_Met: TypeAlias = tuple[
    float, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray
]
_STEPS = np.array([1e-3, 1e-3, 1e-2, 1e-2])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stroke:
    """How bat and ball meet, and what becomes of it.

    Attributes:
        time: Of the first touch [s].
        q: Roll and tilt then [rad], (2,).
        qd: Their rates [rad/s], (2,).
        n_c: Unit vector from the bat's to the ball's centre, (3,).
        v_in: Velocity of the ball then [m/s], (3,).
        v_out: After the contact [m/s], (3,).
        flight_time: Of the pass [s].
        error: Length of v_out less what the target needs [m/s].
    """

    time: float
    q: FloatArray
    qd: FloatArray
    n_c: FloatArray
    v_in: FloatArray
    v_out: FloatArray
    flight_time: float
    error: float


def fit_stroke(
    path: BallPath,
    target: FloatArray,
    flight_time: float,
    n_c: FloatArray,
    qd: FloatArray,
    *,
    cfg: ReboundCfg = REBOUND,
) -> Stroke | None:
    """Return the stroke near a start that sends the ball to a point; None: none.

    Args:
        path: Predicted flight around the crossing.
        target: Point that the ball shall reach [m], (3,).
        flight_time: When, after the contact [s].
        n_c: Contact direction to begin with, (3,).
        qd: Joint rates to begin with [rad/s], (2,).
        cfg: What is believed about the contact.
    """
    n, rate = np.array(n_c, dtype=np.float64), np.array(qd, dtype=np.float64)
    best: Stroke | None = None
    damping = 1e-4
    for _ in range(ROUNDS):
        e1, e2 = _across(n)
        x = np.concatenate([np.zeros((1, 4)), np.diag(_STEPS)])
        tried = [_turned(n, e1, e2, row) for row in x]
        met = [_meet(path, direction, rate + row[2:]) for direction, row in
               zip(tried, x, strict=True)]  # fmt: skip
        known = [m for m in met if m is not None]
        if len(known) < len(met):
            return best
        results, misses = _misses(known, target, flight_time, cfg)
        stroke = results[0]
        if best is None or stroke.error < best.error:
            best = stroke
        if stroke.error < GOOD and np.abs(stroke.qd).max() < 0.5:
            break
        J = ((misses[1:] - misses[0]) / _STEPS[:, None]).T
        # Calm: the rates themselves count as a small error.
        A = np.vstack([J, CALM * np.eye(4)[2:]])
        b = np.concatenate([misses[0], CALM * rate])
        H = A.T @ A + damping * np.eye(4)
        step = -np.linalg.solve(H, A.T @ b)
        scale = np.abs(step / np.array([1.0, 1.0, 4.0, 4.0])).max() / LARGEST_STEP
        step /= max(scale, 1.0)
        n = _turned(n, e1, e2, step)
        rate = np.clip(rate + step[2:], -SPEED_LIMIT, SPEED_LIMIT)
    return best


def _misses(
    met: list[_Met],
    target: FloatArray,
    flight_time: float,
    cfg: ReboundCfg,
) -> tuple[list[Stroke], FloatArray]:
    """Return strokes, and v_out less what is wanted of each [m/s], (k, 3)."""
    q = np.array([m[1] for m in met])
    qd = np.array([m[2] for m in met])
    n = np.array([m[3] for m in met])
    p = np.array([m[4] for m in met])
    v = np.array([m[5] for m in met])
    end = rebound(q, qd, n, v, cfg=cfg)
    wanted = wanted_velocity(p + end.way, target, flight_time)
    misses = end.v_out - wanted
    strokes = [
        Stroke(
            time=m[0],
            q=m[1],
            qd=m[2],
            n_c=m[3],
            v_in=m[5],
            v_out=end.v_out[k],
            flight_time=flight_time,
            error=float(np.linalg.norm(misses[k])),
        )
        for k, m in enumerate(met)
    ]
    return strokes, misses


def _meet(path: BallPath, n: FloatArray, qd: FloatArray) -> _Met | None:
    """Return time, pose, rates, n_c, ball's place and velocity; None: out of reach."""
    span = float(path.time[0]), float(path.time[-1])
    direction = (float(n[0]), float(n[1]), float(n[2]))
    found, t = touch_time(path.rows, direction, RADIUS_SUM, span, unit_params(UNIT))
    if not found:
        return None
    p, v = path.at(t)
    q = inverse(p - RADIUS_SUM * n)
    if not np.isfinite(q).all() or not bool(is_valid(q)):
        return None
    if float(n @ normal(q)) < LOWEST:
        return None
    return t, q, qd, n, p, v


def _across(n: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return two unit vectors at right angles to n and to each other."""
    axis = np.eye(3)[int(np.argmin(np.abs(n)))]
    e1 = np.asarray(np.cross(n, axis), dtype=np.float64)
    e1 /= np.linalg.norm(e1)
    return e1, np.asarray(np.cross(n, e1), dtype=np.float64)


def _turned(n: FloatArray, e1: FloatArray, e2: FloatArray, x: FloatArray) -> FloatArray:
    turned = n + x[0] * e1 + x[1] * e2
    return turned / np.linalg.norm(turned)
