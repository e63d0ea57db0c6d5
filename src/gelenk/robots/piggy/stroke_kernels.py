"""What strokes make of a flight, compiled: where they meet the ball, how it leaves.

One row per stroke; rows do not know of each other, so a stroke and its neighbours, of
which its derivatives are made, are one call.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gelenk.dynamics.flight import FlightCfg, flight_leap, kernel_arguments
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, dot, scaled, sub
from gelenk.robots.piggy import robot as body
from gelenk.robots.piggy.aim import AIR, ROUNDS, STEP
from gelenk.robots.piggy.planner.path import path_at, touch_time
from gelenk.robots.piggy.rebound import ReboundCfg, kernel_beliefs, on_rod
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
    housing = (*(float(a) for a in body.HOUSING), float(body.SPHERE_RADIUS))
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
