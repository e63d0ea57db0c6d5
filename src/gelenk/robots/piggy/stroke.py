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
from typing import TYPE_CHECKING

import numpy as np

from gelenk.dynamics.flight import FlightCfg, flight_leap, kernel_arguments
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, dot, scaled, sub
from gelenk.robots.piggy import robot as body
from gelenk.robots.piggy.aim import AIR, ROUNDS, STEP, wanted_velocity
from gelenk.robots.piggy.config import SPEED_LIMIT
from gelenk.robots.piggy.crossing import Crossing
from gelenk.robots.piggy.planner.path import BallPath, path_at, touch_time
from gelenk.robots.piggy.rebound import REBOUND, ReboundCfg, kernel_beliefs, on_rod
from gelenk.robots.piggy.surface import (
    bat_centre,
    height_of,
    is_valid_pose,
    pose_near,
    tangents,
)
from gelenk.typing import FloatArray, Vec2, Vec3

if TYPE_CHECKING:
    from gelenk.robots.piggy.contact import ContactParams
    from gelenk.robots.piggy.surface import UnitParams


# Columns of a stroke that is asked for, and of what it does.
N_C, RATES, LASTING = slice(0, 3), slice(3, 5), 5
TIME, POSE, V_IN, V_OUT, MISS = 0, slice(1, 3), slice(3, 6), slice(6, 9), slice(9, 12)
ASKED, ANSWERED = 6, 12
LOWEST = -0.5  # cosine between n_c and rod: below, the rod's cover is too near


def try_strokes(
    asked: FloatArray,
    flight: FloatArray,
    target: FloatArray,
    cfg: ReboundCfg,
    air: FlightCfg = AIR,
) -> FloatArray | None:
    """Return what strokes do; None if one of them cannot be.

    Args:
        asked: Contact direction, joint rates [rad/s], time of the pass [s], (k, 6).
        flight: Rows of the ball's path, (n, 7).
        target: Point that the ball shall reach [m], (3,).
        cfg: What is believed about ball and bat.
        air: What pulls at the ball afterwards.

    Returns:
        Time of the touch [s], roll and tilt [rad], velocity of the ball before, after,
        and after it less what the target needs [m/s], (k, 12).
    """
    out = np.empty((len(asked), ANSWERED))
    goal = (float(target[0]), float(target[1]), float(target[2]))
    parts = kernel_beliefs(cfg)
    x, y, z = body.HOUSING
    housing = (float(x), float(y), float(z), float(body.SPHERE_RADIUS))
    fine = _strokes(asked, flight, goal, parts, kernel_arguments(air), housing, out)
    return out if fine else None


@kernel
def _strokes(
    asked: FloatArray,
    flight: FloatArray,
    goal: Vec3,
    parts: tuple[tuple[float, float, float, float], float, UnitParams, ContactParams],
    air: tuple[Vec3, float, float, Vec3],
    housing: tuple[float, float, float, float],
    out: FloatArray,
) -> bool:
    masses, restitution, unit, par = parts
    gravity, drag, factor, wind = air
    radius = par.ball_radius + par.bat_radius
    still = (0.0, 0.0, 0.0)
    for i in range(len(asked)):
        n = (asked[i, 0], asked[i, 1], asked[i, 2])
        qd = (asked[i, 3], asked[i, 4])
        lasting = asked[i, 5]
        is_met, t, q, p, v = _meet(flight, n, radius, unit, housing)
        if not is_met:
            return False
        v_out, way, spin, _ = on_rod(q, qd, n, v, still, masses, restitution, unit, par)
        start, lift = add(p, way), scaled(factor, spin)
        wanted = add(
            scaled(1.0 / lasting, sub(goal, start)), scaled(-0.5 * lasting, gravity)
        )
        for _ in range(ROUNDS):
            end, _ = flight_leap(
                start, wanted, gravity, drag, lift, wind, lasting, STEP
            )
            wanted = add(wanted, scaled(1.0 / lasting, sub(goal, end)))
        miss = sub(v_out, wanted)
        out[i, 0], out[i, 1], out[i, 2] = t, q[0], q[1]
        for k in range(3):
            out[i, 3 + k], out[i, 6 + k], out[i, 9 + k] = v[k], v_out[k], miss[k]
    return True


@kernel
def _meet(
    flight: FloatArray,
    n: Vec3,
    radius: float,
    unit: UnitParams,
    housing: tuple[float, float, float, float],
) -> tuple[bool, float, Vec2, Vec3, Vec3]:
    """Return whether, when, at which pose and where bat and ball meet."""
    nowhere = (0.0, 0.0, 0.0)
    shift = scaled(radius, n)
    before = -1.0
    for k in range(len(flight)):
        p = (flight[k, 1], flight[k, 2], flight[k, 3])
        after = height_of(sub(p, shift), unit)[0]
        if k > 0 and before > 0.0 and after <= 0.0:
            ends = (flight[k - 1, 0], flight[k, 0])
            _, t = touch_time(flight, n, radius, ends, unit)
            p, v = path_at(flight, t)
            q = pose_near(sub(p, shift), unit)
            is_met = _is_allowed(sub(p, shift), q, unit, housing)
            rod = tangents(q, unit)[2]
            return is_met and dot(n, rod) >= LOWEST, t, q, p, v
        before = after
    return False, 0.0, (0.0, 0.0), nowhere, nowhere


@kernel
def _is_allowed(
    centre: Vec3, q: Vec2, unit: UnitParams, housing: tuple[float, float, float, float]
) -> bool:
    """Return whether a pose is above the axes, in range and clear of the housing."""
    x, z = centre[0] - unit.origin[0], centre[2] - unit.origin[2]
    if z <= 0.0 or math.sqrt(x * x + z * z) <= unit.axis_offset:
        return False
    if not is_valid_pose(q, unit):
        return False
    p = bat_centre(q, unit)
    near = (
        min(max(p[0], -housing[0]), 0.0),
        min(max(p[1], -housing[1]), 0.0),
        min(max(p[2], 0.0), housing[2]),
    )
    off = sub(p, near)
    return dot(off, off) >= housing[3] * housing[3]


_MAX_ROUNDS = 20
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
    for _ in range(_MAX_ROUNDS):
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
