"""One foot leaves the ground and finds it again."""

from __future__ import annotations

import math

from gelenk.robots.amee.coordinator.balance import Point
from gelenk.robots.amee.coordinator.desk import (
    Desk,
    Plan,
    wait_for,
    wire_point,
)
from gelenk.robots.amee.gaits.strokes import Stroke
from gelenk.robots.amee.wire import Command, Report

SWING_LIMIT = 25.0  # [s]: lift, half way, over, with three repeats
TOUCH_LIMIT = 40.0  # [s]: down, and three searches
_LINE_AHEAD = 0.05  # [m], of a line that only says which way the foot points


def lift(desk: Desk, leg: int, stroke: Stroke, foothold: Point) -> Plan:
    """Carry a foot over its next foothold and let it wait in the air.

    Args:
        desk: What is known.
        leg: Index 0..3.
        stroke: That will follow.
        foothold: Where the foot shall touch down, leg's frame [m].
    """
    begin = wire_point(foothold)
    end = stroke.point(_radius(foothold, stroke) - _LINE_AHEAD, foothold[1])
    view = desk.legs[leg]
    view.inbox.clear()
    desk.order_points(leg, Command.DO_STEP, begin, wire_point(end))
    view.stands = False
    view.yaw = stroke.yaw
    view.foot = (begin[0], begin[1] + desk.leg_cfg.lift, begin[2])
    yield from wait_for(desk, leg, Report.SYNC, limit=SWING_LIMIT)


def put_down(desk: Desk, leg: int) -> Plan:
    """Let a foot that waits in the air feel for ground; it stands thereafter.

    Raises:
        TroubleError: If there is no ground, or none that bears.
    """
    desk.order(leg, Command.NEXT)
    found = yield from wait_for(desk, leg, Report.FOUND, limit=TOUCH_LIMIT)
    view = desk.legs[leg]
    x, y, z = found.values
    c, s = math.cos(view.yaw), math.sin(view.yaw)
    radius = c * x + s * z  # beside the stroke's line there is nothing but noise
    view.foot, view.stands = (radius * c, y, radius * s), True
    yield from wait_for(desk, leg, Report.SYNC, limit=1.0)
    # the stroke that a step contains is not used: pulls are ordered for all legs
    desk.order(leg, Command.STOP)
    yield


def _radius(point: Point, stroke: Stroke) -> float:
    x, _, z = stroke.point(1.0, 0.0)
    return point[0] * x + point[2] * z
