"""One stroke in full: from contact direction and joint rates to the ball's velocity.

Four numbers decide a stroke: two of the direction n_c in which the ball lies at the
first touch, and the two joint rates. With the flight they fix time and pose: the bat's
centre p(t) - (r_s + r_b) n_c must lie on the workspace. The contact simulation does the
rest.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, dot, norm, scaled, sub
from gelenk.robots.piggy.contact import ContactParams, run_contact
from gelenk.robots.piggy.planner.path import path_at, touch_time
from gelenk.robots.piggy.surface import (
    UnitParams,
    bat_centre,
    is_valid_pose,
    pose_near,
    tangents,
)
from gelenk.typing import FloatArray, Vec2, Vec3


class Setting(NamedTuple):
    """What all strokes for a request share.

    Attributes:
        flight: Rows of the ball's path, (n, 7).
        wanted: Outgoing velocity at each sample, (n, 3), or one for all, (1, 3).
        is_posed: Whether the pose is given instead of found on the flight.
        q: That pose.
        v_in: Velocity of the ball there.
        spin: Of the ball.
        rate_limit: Largest joint rate.
        lowest: Smallest cosine between n_c and the rod: below, the ball meets the rod.
        unit: Geometry.
        contact: Ball, bat, integration.
    """

    flight: FloatArray
    wanted: FloatArray
    is_posed: bool
    q: tuple[float, float]
    v_in: tuple[float, float, float]
    spin: tuple[float, float, float]
    rate_limit: float
    lowest: float
    unit: UnitParams
    contact: ContactParams


@kernel
def wanted_at(t: float, setting: Setting) -> Vec3:
    """Return the outgoing velocity wanted at time t."""
    w = setting.wanted
    if len(w) == 1:
        return (w[0, 0], w[0, 1], w[0, 2])
    times = setting.flight[:, 0]
    k = 0
    while k < len(w) - 2 and times[k + 1] < t:
        k += 1
    s = (t - times[k]) / (times[k + 1] - times[k])
    return (
        w[k, 0] + s * (w[k + 1, 0] - w[k, 0]),
        w[k, 1] + s * (w[k + 1, 1] - w[k, 1]),
        w[k, 2] + s * (w[k + 1, 2] - w[k, 2]),
    )


@kernel
def meet(n_c: Vec3, span: Vec2, setting: Setting) -> tuple[bool, float, Vec2, Vec3]:
    """Return whether, when, in which pose and how fast the ball meets the bat."""
    if setting.is_posed:
        return True, 0.0, setting.q, setting.v_in
    radius = setting.contact.ball_radius + setting.contact.bat_radius
    is_met, t = touch_time(setting.flight, n_c, radius, span, setting.unit)
    p, v = path_at(setting.flight, t)
    q = pose_near(sub(p, scaled(radius, n_c)), setting.unit)
    return is_met and is_valid_pose(q, setting.unit), t, q, v


@kernel
def strike(
    n_c: Vec3, rates: Vec2, span: Vec2, setting: Setting
) -> tuple[bool, float, Vec2, Vec3, Vec3, Vec3]:
    """Return whether a stroke works, its time, pose, v_in, bat velocity and v_out."""
    zero = (0.0, 0.0, 0.0)
    is_met, t, q, v_in = meet(n_c, span, setting)
    if not is_met:
        return False, t, q, v_in, zero, zero
    roll, tilt, n = tangents(q, setting.unit)
    v_s = add(scaled(rates[0], roll), scaled(rates[1], tilt))
    if dot(n_c, n) < setting.lowest or dot(sub(v_in, v_s), n_c) >= 0.0:
        return False, t, q, v_in, v_s, zero
    v_out = run_contact(v_in, n_c, v_s, setting.spin, setting.contact)[0]
    return True, t, q, v_in, v_s, v_out


@kernel
def tangential_rates(v_s: Vec3, q: Vec2, setting: Setting) -> Vec2:
    """Return the rates of v_s turned into the tangent plane, its length kept.

    Faster rates than the limit are slowed down together.
    """
    roll, tilt, n = tangents(q, setting.unit)
    flat = sub(v_s, scaled(dot(v_s, n), n))
    speed, size = norm(v_s), norm(flat)
    if size < 1e-9 * max(speed, 1e-9):
        return 0.0, 0.0
    flat = scaled(speed / size, flat)
    a, b = dot(flat, roll) / dot(roll, roll), dot(flat, tilt) / dot(tilt, tilt)
    slow = min(1.0, setting.rate_limit / max(abs(a), abs(b), 1e-12))
    return a * slow, b * slow


@kernel
def printed_meeting(
    n_c: Vec3, segment: int, setting: Setting
) -> tuple[bool, float, Vec2, Vec3, Vec3]:
    """Return the meeting as printed in §4.4.7: workspace as a sphere, straight flight.

    The sphere has the workspace's radius near the rough place; the bat's centre is put
    on the true workspace afterwards, and the direction of the contact is corrected.
    Returns whether, when, pose, v_in, n_c.
    """
    a, b = setting.flight[segment], setting.flight[segment + 1]
    p, q = (a[1], a[2], a[3]), (b[1], b[2], b[3])
    radius = setting.contact.ball_radius + setting.contact.bat_radius
    rough = sub(scaled(0.5, add(p, q)), scaled(radius, n_c))
    origin = setting.unit.origin
    local = norm(sub(bat_centre(pose_near(rough, setting.unit), setting.unit), origin))
    start, way = sub(sub(p, scaled(radius, n_c)), origin), sub(q, p)
    # |start + s way| = local, the entry from outside
    A, B, C = dot(way, way), dot(way, start), dot(start, start) - local * local
    root = B * B - A * C
    pose = pose_near(rough, setting.unit)
    if root < 0.0 or A == 0.0:
        return False, a[0], pose, path_at(setting.flight, a[0])[1], n_c
    s = (-B - math.sqrt(root)) / A
    t = a[0] + s * (b[0] - a[0])
    centre = add(p, scaled(s, way))
    pose = pose_near(sub(centre, scaled(radius, n_c)), setting.unit)
    apart = sub(centre, bat_centre(pose, setting.unit))
    is_met = is_valid_pose(pose, setting.unit) and -0.5 < s < 1.5
    t = min(max(t, setting.flight[0, 0]), setting.flight[-1, 0])
    v = path_at(setting.flight, t)[1]
    return is_met, t, pose, v, scaled(1.0 / norm(apart), apart)
