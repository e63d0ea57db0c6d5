"""One stroke, made exact for the bat on its rod, and kept up to date.

The planner finds strokes for a free bat. From there, contact direction, joint rates and
the time of the pass are varied until the ball, reflected by the bat as it is built
(`rebound`), reaches the point: three conditions, five unknowns, and of all solutions
the one with the calmest bat. A bat at rest need not be on time.

With every new prediction the last stroke is the start of the next, so that the bat is
not sent hither and thither between strokes of equal rating.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from gelenk.core.typing import FloatArray
from gelenk.robots.piggy.aim import wanted_velocity
from gelenk.robots.piggy.config import RADIUS_SUM, SPEED_LIMIT, UNIT
from gelenk.robots.piggy.crossing import Crossing
from gelenk.robots.piggy.kinematics import inverse, normal
from gelenk.robots.piggy.planner.path import BallPath, touch_time
from gelenk.robots.piggy.rebound import REBOUND, ReboundCfg, rebound
from gelenk.robots.piggy.surface import unit_params
from gelenk.robots.piggy.workspace import height, is_valid

ROUNDS = 8
GOOD = 0.02  # [m/s], error at which it is exact enough
CALM = 0.05  # [m/s per rad/s], how much error a faster joint is worth
RESTING = 0.05  # [rad/s]
SPAN = (0.35, 0.95)  # [s], shortest and longest flight of a pass
LARGEST_STEP = 0.25  # of all unknowns in their scales
DAMPING = 0.3  # [rad^2/s^2], holds the unknowns near their start
LOWEST = -0.5  # cosine between n_c and rod: below, the rod's cover is too near
# Time, pose, rates, n_c, ball's place and velocity, time of the pass.
_Met: TypeAlias = tuple[
    float, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, float
]
_STEPS = np.array([1e-3, 1e-3, 1e-2, 1e-2, 1e-3])
_SCALES = np.array([1.0, 1.0, 4.0, 4.0, 0.5])


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
        span: Shortest and longest flight that were allowed [s].
    """

    time: float
    q: FloatArray
    qd: FloatArray
    n_c: FloatArray
    v_in: FloatArray
    v_out: FloatArray
    flight_time: float
    error: float
    span: tuple[float, float] = SPAN


def fit_stroke(
    path: BallPath,
    target: FloatArray,
    flight_time: float,
    n_c: FloatArray,
    qd: FloatArray,
    *,
    span: tuple[float, float] = SPAN,
    cfg: ReboundCfg = REBOUND,
) -> Stroke | None:
    """Return the stroke near a start that sends the ball to a point; None: none.

    Args:
        path: Predicted flight around the crossing.
        target: Point that the ball shall reach [m], (3,).
        flight_time: Of the pass to begin with [s].
        n_c: Contact direction to begin with, (3,).
        qd: Joint rates to begin with [rad/s], (2,).
        span: Shortest and longest flight of the pass [s].
        cfg: What is believed about the contact.
    """
    n, rate = np.array(n_c, dtype=np.float64), np.array(qd, dtype=np.float64)
    lasting = float(np.clip(flight_time, *span))
    best: Stroke | None = None
    e1, e2 = _across(n)
    step = np.zeros(5)
    for _ in range(ROUNDS):
        tried = _turned(n, e1, e2, step)
        fast = np.clip(rate + step[2:4], -SPEED_LIMIT, SPEED_LIMIT)
        late = float(np.clip(lasting + step[4], *span))
        found = _around(path, tried, fast, late, target, cfg)
        if found is None:  # too far: half of it
            if best is None:
                return None
            step = 0.5 * step
            continue
        stroke, J, miss = found
        if best is None or _cost(stroke) < _cost(best):
            best = stroke
        n, rate, lasting = tried, fast, late
        if stroke.error < GOOD and np.abs(rate).max() < RESTING:
            break
        e1, e2 = _across(n)
        step = _calm_step(J, miss, rate)
    return None if best is None else replace(best, span=span)


def first_guess(
    crossing: Crossing, target: FloatArray, flight_time: float
) -> FloatArray:
    """Return the contact direction by the law of the mirror, (3,)."""
    v_out = wanted_velocity(crossing.position, target, flight_time)
    change = v_out - crossing.velocity
    return change / np.linalg.norm(change)


def _cost(stroke: Stroke) -> float:
    """Return what a stroke is worth less for: its error, then its speed [m/s]."""
    return max(stroke.error, GOOD) + CALM * float(np.abs(stroke.qd).max())


def _around(
    path: BallPath,
    n: FloatArray,
    rate: FloatArray,
    span: float,
    target: FloatArray,
    cfg: ReboundCfg,
) -> tuple[Stroke, FloatArray, FloatArray] | None:
    """Return a stroke, the derivatives of its miss, (3, 5), and the miss [m/s]."""
    e1, e2 = _across(n)
    rows = np.concatenate([np.zeros((1, 5)), np.diag(_STEPS)])
    met = [
        _meet(path, _turned(n, e1, e2, row), rate + row[2:4], span + row[4])
        for row in rows
    ]
    known = [m for m in met if m is not None]
    if len(known) < len(met):
        return None
    stroke, misses = _misses(known, target, cfg)
    return stroke, ((misses[1:] - misses[0]) / _STEPS[:, None]).T, misses[0]


def _calm_step(J: FloatArray, miss: FloatArray, rate: FloatArray) -> FloatArray:
    """Return the step that takes the miss away and leaves the slowest joints, (5,)."""
    W = DAMPING * np.diag(1.0 / _SCALES**2)
    W[2, 2] += 1.0
    W[3, 3] += 1.0
    K = np.zeros((8, 8))
    K[:5, :5], K[:5, 5:], K[5:, :5] = W, J.T, J
    K[5:, 5:] = -1e-9 * np.eye(3)
    right = np.concatenate([[0.0, 0.0, -rate[0], -rate[1], 0.0], -miss])
    step = np.asarray(np.linalg.solve(K, right)[:5], dtype=np.float64)
    step /= max(float(np.abs(step / _SCALES).max()) / LARGEST_STEP, 1.0)
    return step


def _misses(
    met: list[_Met], target: FloatArray, cfg: ReboundCfg
) -> tuple[Stroke, FloatArray]:
    """Return the first stroke, and v_out less what is wanted of all [m/s], (k, 3)."""
    q, qd, n, p, v = (np.array([m[i] for m in met]) for i in range(1, 6))
    end = rebound(q, qd, n, v, cfg=cfg)
    start = p + end.way
    # Only the last one differs in the time of the pass.
    wanted = wanted_velocity(start, target, met[0][6], spin=end.spin_out)
    wanted[-1] = wanted_velocity(start[-1], target, met[-1][6], spin=end.spin_out[-1])
    misses = end.v_out - wanted
    stroke = Stroke(
        time=met[0][0],
        q=q[0],
        qd=qd[0],
        n_c=n[0],
        v_in=v[0],
        v_out=end.v_out[0],
        flight_time=met[0][6],
        error=float(np.linalg.norm(misses[0])),
    )
    return stroke, misses


def _meet(path: BallPath, n: FloatArray, qd: FloatArray, span: float) -> _Met | None:
    """Return how bat and ball meet with a contact direction; None: out of reach."""
    heights = height(path.position - RADIUS_SUM * n)
    enters = np.flatnonzero((heights[:-1] > 0.0) & (heights[1:] <= 0.0))
    if not len(enters):
        return None
    k = int(enters[0])
    ends = float(path.time[k]), float(path.time[k + 1])
    direction = (float(n[0]), float(n[1]), float(n[2]))
    _, t = touch_time(path.rows, direction, RADIUS_SUM, ends, unit_params(UNIT))
    p, v = path.at(t)
    q = inverse(p - RADIUS_SUM * n)
    if not np.isfinite(q).all() or not bool(is_valid(q)):
        return None
    if float(n @ normal(q)) < LOWEST:
        return None
    return t, q, qd, n, p, v, span


def _across(n: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return two unit vectors at right angles to n and to each other."""
    axis = np.eye(3)[int(np.argmin(np.abs(n)))]
    e1 = np.asarray(np.cross(n, axis), dtype=np.float64)
    e1 /= np.linalg.norm(e1)
    return e1, np.asarray(np.cross(n, e1), dtype=np.float64)


def _turned(n: FloatArray, e1: FloatArray, e2: FloatArray, x: FloatArray) -> FloatArray:
    turned = n + x[0] * e1 + x[1] * e2
    return turned / np.linalg.norm(turned)
