"""One stroke, made exact for the bat on its rod, and kept up to date.

The planner finds strokes for a free bat. From there, contact direction, joint rates and
the time of the pass are varied until the ball, reflected by the bat as it is built
(`rebound`), reaches the point: three conditions, five unknowns, and of all solutions
the one with the calmest bat. A bat at rest need not be on time.

With every new prediction the last stroke is the start of the next, so that the bat is
not sent hither and thither between strokes of equal rating.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gelenk.robots.piggy.aim import wanted_velocity
from gelenk.robots.piggy.config import SPEED_LIMIT
from gelenk.robots.piggy.crossing import Crossing
from gelenk.robots.piggy.planner.path import BallPath
from gelenk.robots.piggy.rebound import REBOUND, ReboundCfg
from gelenk.robots.piggy.stroke_kernels import (
    ASKED,
    LASTING,
    MISS,
    N_C,
    POSE,
    RATES,
    TIME,
    V_IN,
    V_OUT,
    try_strokes,
)
from gelenk.typing import FloatArray

ROUNDS = 20
GOOD = 0.02  # [m/s], error at which it is exact enough
CALM = 0.05  # [m/s per rad/s], how much error a faster joint is worth
RESTING = 0.05  # [rad/s]
SPAN = (0.35, 0.95)  # [s], shortest and longest flight of a pass
LARGEST_STEP = 0.25  # of all unknowns in their scales
DAMPING = 0.3  # [rad^2/s^2], holds the unknowns near their start
FAIR = 0.5  # of the gain that was hoped for; with less, the damping gets
STRICTER, STRICTEST = 4.0, 1e4  # by this factor, at most
WORTHWHILE = 1e-3  # [m/s], a smaller gain ends the search
_STEPS = np.array([1e-3, 1e-3, 1e-2, 1e-2, 1e-3])
_SCALES = np.array([1.0, 1.0, 4.0, 4.0, 0.5])
_CALM = np.array([0.0, 0.0, 1.0, 1.0, 0.0])  # what the joints' rates weigh


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
    flight = path.rows
    found = _around(flight, n, rate, lasting, target, cfg)
    if found is None:
        return None
    best, J, miss = found
    damping = DAMPING
    for _ in range(ROUNDS):
        if best.error < GOOD and np.abs(rate).max() < RESTING:
            break
        step = _calm_step(J, miss, rate, damping)
        tried = _turned(n, *_across(n), step)
        fast = np.clip(rate + step[2:4], -SPEED_LIMIT, SPEED_LIMIT)
        late = float(np.clip(lasting + step[4], *span))
        found = _around(flight, tried, fast, late, target, cfg)
        hoped = _cost(best) - _worth(miss + J @ step, fast)
        gain = -1.0 if found is None else _cost(best) - _cost(found[0])
        if found is None or gain < FAIR * hoped:  # the way is more crooked than that
            damping *= STRICTER
        else:
            damping = max(DAMPING, damping / STRICTER)
        if found is None or gain <= 0.0:
            if damping > STRICTEST:
                break
            continue
        best, J, miss = found
        n, rate, lasting = tried, fast, late
        if best.error < GOOD and gain < WORTHWHILE:
            break
    return replace(best, span=span)


def first_guess(
    crossing: Crossing, target: FloatArray, flight_time: float
) -> FloatArray:
    """Return the contact direction by the law of the mirror, (3,)."""
    v_out = wanted_velocity(crossing.position, target, flight_time)
    change = v_out - crossing.velocity
    return change / np.linalg.norm(change)


def _cost(stroke: Stroke) -> float:
    """Return what a stroke is worth less for: its error, then its speed [m/s]."""
    return _worth(np.array([stroke.error]), stroke.qd)


def _worth(miss: FloatArray, rate: FloatArray) -> float:
    error = math.sqrt(float(miss @ miss))
    return max(error, GOOD) + CALM * float(np.abs(rate).max())


def _around(
    flight: FloatArray,
    n: FloatArray,
    rate: FloatArray,
    lasting: float,
    target: FloatArray,
    cfg: ReboundCfg,
) -> tuple[Stroke, FloatArray, FloatArray] | None:
    """Return a stroke, the derivatives of its miss, (3, 5), and the miss [m/s]."""
    e1, e2 = _across(n)
    asked = np.empty((6, ASKED))
    asked[:, N_C], asked[:, RATES], asked[:, LASTING] = n, rate, lasting
    asked[1, N_C] = _turned(n, e1, e2, (_STEPS[0], 0.0))
    asked[2, N_C] = _turned(n, e1, e2, (0.0, _STEPS[1]))
    for k in (3, 4, 5):
        asked[k, k] += _STEPS[k - 1]
    found = try_strokes(asked, flight, target, cfg)
    if found is None:
        return None
    first, misses = found[0], found[:, MISS]
    stroke = Stroke(
        time=float(first[TIME]),
        q=first[POSE],
        qd=rate,
        n_c=n,
        v_in=first[V_IN],
        v_out=first[V_OUT],
        flight_time=lasting,
        error=float(np.linalg.norm(misses[0])),
    )
    return stroke, ((misses[1:] - misses[0]) / _STEPS[:, None]).T, misses[0]


def _calm_step(
    J: FloatArray, miss: FloatArray, rate: FloatArray, damping: float
) -> FloatArray:
    """Return the step that takes the miss away and leaves the slowest joints, (5,).

    The stricter the damping, the shorter the step, however fast the joints get.
    """
    K = np.zeros((8, 8))
    K[:5, :5] = np.diag(_CALM + damping / _SCALES**2)
    K[:5, 5:], K[5:, :5] = J.T, J
    K[5:, 5:] = -1e-9 * np.eye(3)
    right = np.concatenate([[0.0, 0.0, -rate[0], -rate[1], 0.0], -miss])
    step = np.asarray(np.linalg.solve(K, right)[:5], dtype=np.float64)
    step /= max(float(np.abs(step / _SCALES).max()) / LARGEST_STEP, 1.0)
    return step


def _across(n: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return two unit vectors at right angles to n and to each other."""
    x, y, z = (float(a) for a in n)
    k = int(np.argmin(np.abs(n)))
    e1 = np.array(((0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0))[k])
    e1 /= math.sqrt(float(e1 @ e1))
    a, b, c = (float(e) for e in e1)
    return e1, np.array([y * c - z * b, z * a - x * c, x * b - y * a])


def _turned(
    n: FloatArray, e1: FloatArray, e2: FloatArray, x: Sequence[float] | FloatArray
) -> FloatArray:
    turned = n + x[0] * e1 + x[1] * e2
    return turned / math.sqrt(float(turned @ turned))
