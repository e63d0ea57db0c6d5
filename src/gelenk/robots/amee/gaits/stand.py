"""Standing up from the belly, and lying down again."""

from __future__ import annotations

import math

from gelenk.robots.amee.config import PARK_ANGLES, ROBOT_MASS
from gelenk.robots.amee.coordinator.attitude import GRAVITY
from gelenk.robots.amee.coordinator.desk import Desk, Plan, pause, wire_point
from gelenk.robots.amee.gaits.config import ORDERS
from gelenk.robots.amee.gaits.cycles import careful_cycle
from gelenk.robots.amee.gaits.pull import await_all, pull
from gelenk.robots.amee.gaits.walker import ALL, Walker
from gelenk.robots.amee.wire import Command

CROUCHED = 0.230  # [m], hip over sole at which the belly is just off the ground
# Where feet go first [m], legs' frames. A leg that is far ahead of the others would
# carry the torso alone, so that all wait for each other; behind these axis B ends.
UNFOLDING = (
    (0.035, -0.160, 0.0),
    (0.025, -0.185, 0.0),
    (0.015, -0.210, 0.0),
    (0.000, -CROUCHED, 0.0),
)
UNDER_HIP = 0.040  # [m], from its hip's axis, a foot that need not step before
UNFOLDED = 0.020  # [m], ahead of the hips: behind them axis B ends
MOVE_LIMIT = 15.0  # [s]
BOOT = 0.2  # [s], legs that have just got power do not listen


def stand_up(walker: Walker) -> Plan:
    """Unfold the legs beside the torso, then push it up, all feet in step."""
    desk = walker.desk
    yield from pause(desk, BOOT)
    desk.journal.decide("stands up: feet under the hips, then all push together")
    _warn_of_load(desk)
    for point in UNFOLDING:
        for leg in ALL:
            desk.legs[leg].inbox.clear()
            desk.order_points(leg, Command.MOVE_POINT, wire_point(point))
        yield from await_all(desk, list(ALL), MOVE_LIMIT)
    for view in desk.legs:
        view.foot, view.yaw, view.stands = wire_point(UNFOLDING[-1]), 0.0, True
    yield from pull(desk, dict.fromkeys(ALL, (0.0, -walker.height, 0.0)))


def _warn_of_load(desk: Desk) -> None:
    """Say so if knees must bear more than their drives can give."""
    lever = desk.leg_cfg.geometry.thigh + UNFOLDING[0][0]  # thighs lie level
    load = ROBOT_MASS * GRAVITY / len(ALL) * lever
    torque = desk.leg_cfg.drive.stall_torque
    if load > torque:
        desk.journal.warn(
            f"knees must lift {load:.0f} N m, their drives stall at {torque:.0f} N m"
        )


def park(walker: Walker) -> Plan:
    """Let the torso down, all feet in step, then fold the legs to it.

    A leg reaches the ground beside a torso that lies there only near its hip: feet that
    are elsewhere step under their hips first, and the torso shifts over them.
    """
    desk = walker.desk
    desk.journal.decide("parks: feet under the hips, torso down, then legs folded")
    if any(math.hypot(v.foot[0], v.foot[2]) > UNDER_HIP for v in desk.legs):
        yield from careful_cycle(walker, ORDERS["crawl"], 0.0, 0.0)
    ahead = sum(view.foot[0] for view in desk.legs) / len(desk.legs) - UNFOLDED
    ends = {
        leg: (view.foot[0] - ahead, -CROUCHED, view.foot[2])
        for leg, view in enumerate(desk.legs)
    }
    yield from pull(desk, ends)
    for leg in ALL:
        desk.legs[leg].inbox.clear()
        desk.order(leg, Command.MOVE_ANGLE, *PARK_ANGLES)
    yield from await_all(desk, list(ALL), MOVE_LIMIT)
