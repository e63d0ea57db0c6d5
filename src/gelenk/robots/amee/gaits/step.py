"""One foot leaves the ground and finds it again.

Messages may be lost. A leg that rests answers a new `speed` at once, a leg at work does
not: so silence can be told from an order that never arrived.
"""

from __future__ import annotations

import math
from collections.abc import Generator

from gelenk.robots.amee import config
from gelenk.robots.amee.coordinator.balance import LEAST_GAP, Point, Up, least_gap
from gelenk.robots.amee.coordinator.desk import (
    Desk,
    Plan,
    TroubleError,
    wait_for,
    wire_point,
)
from gelenk.robots.amee.gaits.posture import moved, on_line
from gelenk.robots.amee.gaits.pull import pull
from gelenk.robots.amee.gaits.strokes import Stroke
from gelenk.robots.amee.gaits.survey import survey
from gelenk.robots.amee.wire import Command, ErrorCode, Message, Report

SWING_LIMIT = 20.0  # [s]: lift, half way, over, with three repeats
TOUCH_LIMIT = 40.0  # [s]: down, and three searches
LOCATE_LIMIT = 3.0  # [s], for a leg that stands
LOCATE_LEAN = math.radians(1.5)  # by which a foot may lift its corner of the torso
MAX_LEAN = math.radians(2.5)  # of the torso while one foot feels for ground
LEAST_WITHOUT = 0.030  # [m], margin on the other feet without which a foot must stay
DRAWN_UP = 0.030  # [m], of a foot that has lifted the torso in vain
NO_FOOTHOLD = Message(Report.ERROR, (float(ErrorCode.NO_FOOTHOLD),))
ANSWER_LIMIT = 0.2  # [s], for a leg that rests
ASK_TIMES = 3
FIRST_TOUCH = 20.0  # [s], after which a foot that says nothing is released again
_LINE_AHEAD = 0.05  # [m], of a line that only says which way the foot points


def lift(desk: Desk, leg: int, stroke: Stroke, foothold: Point) -> Plan:
    """Carry a foot over its next foothold and let it wait in the air.

    Args:
        desk: What is known.
        leg: Index 0..3.
        stroke: That will follow.
        foothold: Where the foot shall touch down, leg's frame [m].

    Raises:
        TroubleError: If the leg cannot, or does not answer.
    """
    begin = wire_point(foothold)
    end = stroke.point(_radius(foothold, stroke) - _LINE_AHEAD, foothold[1])
    view = desk.legs[leg]
    _keep_apart(desk, leg, begin)
    view.inbox.clear()
    desk.order_points(leg, Command.DO_STEP, begin, wire_point(end))
    view.stands = False
    desk.way.lift(leg)
    view.yaw = stroke.yaw
    view.foot = (begin[0], begin[1] + desk.leg_cfg.lift, begin[2])
    message = yield from _wait(desk, leg, SWING_LIMIT, Report.SYNC)
    if message is not None:
        return
    if (yield from answers(desk, leg)):
        desk.journal.warn("the order to step was lost; told again", leg)
        desk.findings.miss(leg)
        desk.order_points(leg, Command.DO_STEP, begin, wire_point(end))
        yield from wait_for(desk, leg, Report.SYNC, limit=SWING_LIMIT)
    else:
        desk.journal.warn("says nothing in the air; told to go on", leg)


def _keep_apart(desk: Desk, leg: int, foothold: Point) -> None:
    """Refuse a foothold at which the leg would touch another one.

    Raises:
        TroubleError: If so; another place may do.
    """
    feet = [view.foot for view in desk.legs]
    feet[leg] = foothold
    gap, pair = least_gap(feet, desk.leg_cfg.geometry)
    if gap < LEAST_GAP and leg in pair:
        desk.journal.warn(
            f"would touch leg {sum(pair) - leg + 1} at its foothold: refused", leg
        )
        raise TroubleError(leg, Message(Report.OUT_OF_RANGE))


def put_down(desk: Desk, leg: int, max_lean: float = MAX_LEAN) -> Plan:
    """Let a foot that waits in the air feel for ground; it stands thereafter.

    Args:
        desk: What is known.
        leg: Index 0..3.
        max_lean: Of the torso meanwhile; beyond it the leg is stopped [rad].

    Raises:
        TroubleError: If there is no ground, or none that bears.
    """
    view = desk.legs[leg]
    view.inbox.clear()
    desk.order(leg, Command.NEXT)
    found = yield from _feel(desk, leg, max_lean)
    if found.report == Report.FOUND:
        x, y, z = found.values
        view.foot = on_line((x, y, z), view.yaw)
    else:
        desk.journal.warn("stands, but its report of where was lost", leg)
        desk.findings.miss(leg)
        x, y, z = view.foot
        view.foot = (x, y - desk.leg_cfg.lift, z)
    view.stands = True
    yield from _wait(desk, leg, ANSWER_LIMIT, Report.SYNC)
    # the stroke that a step contains is not used: pulls are ordered for all legs
    desk.order(leg, Command.STOP)
    yield


def _feel(desk: Desk, leg: int, max_lean: float) -> Generator[None, None, Message]:
    """Wait for a foothold; stop a leg that lifts the robot instead of finding one."""
    before = desk.attitude.up
    again_at = desk.now + FIRST_TOUCH
    feeling = wait_for(desk, leg, Report.FOUND, Report.SYNC, limit=TOUCH_LIMIT)
    while True:
        try:
            next(feeling)
        except StopIteration as end:
            return end.value
        if desk.now >= again_at:
            again_at = math.inf
            if (yield from answers(desk, leg)):  # it rests: it stands, or gave up
                desk.findings.miss(leg)
                raise TroubleError(leg, NO_FOOTHOLD)
            desk.journal.warn("says nothing; released again", leg)
            desk.order(leg, Command.NEXT)
        leaned = math.dist(before, desk.attitude.up)  # small angles: radians
        if leaned > max_lean:
            desk.journal.warn(
                f"pushes the torso over by {math.degrees(leaned):.1f} deg: stopped", leg
            )
            return (yield from _take_or_leave(desk, leg))
        yield


def _take_or_leave(desk: Desk, leg: int) -> Generator[None, None, Message]:
    """Stop a foot that lifts the robot; take it as standing if a toe is pressed.

    Raises:
        TroubleError: If it pushes with something else and is not needed there; it is
            drawn up then, so that the torso comes back.
    """
    view = desk.legs[leg]
    desk.order(leg, Command.STOP)
    yield
    yield from survey(desk, (leg,))
    is_needed = desk.margin() < LEAST_WITHOUT
    if not view.toes and not is_needed:
        yield from pull(desk, {leg: moved(view.foot, view.yaw, 0.0, DRAWN_UP)})
        raise TroubleError(leg, NO_FOOTHOLD)
    why = "bears with its toes" if view.toes else "is needed where it is"
    desk.journal.decide(f"{why}: taken as a foothold", leg)
    return Message(Report.FOUND, view.foot)


def locate(desk: Desk, leg: int) -> Generator[None, None, bool]:
    """Ask a leg that stands where its foot is: it feels for the ground it stands on.

    Ground between its toes closes none of them: a leg that lifts its corner of the
    torso instead of finding more ground is stopped.

    Returns:
        Whether it was.
    """
    view = desk.legs[leg]
    view.inbox.clear()
    desk.order_points(leg, Command.MOVE_POINT_TOUCH, wire_point(view.foot))
    before = desk.attitude.up
    feeling = _wait(desk, leg, LOCATE_LIMIT, Report.FOUND)
    found, lifts = None, True
    try:
        while lean_towards(leg, before, desk.attitude.up) > -LOCATE_LEAN:
            next(feeling)
            yield
    except StopIteration as end:
        found, lifts = end.value, False
    except TroubleError as trouble:
        if trouble.leg != leg:
            raise
        lifts = False
    if found is not None:
        x, y, z = found.values
        view.foot = on_line((x, y, z), view.yaw)
    desk.order(leg, Command.STOP)
    yield
    view.inbox.clear()  # it stands, whatever it has said of its search meanwhile
    return lifts


def lean_towards(leg: int, before: Up, now: Up) -> float:
    """Return by how much a torso has gone down at the corner of a leg [rad].

    Args:
        leg: Index 0..3.
        before: Where the sky was, torso's axes.
        now: Where it is.
    """
    x, y, _ = config.HIPS[leg]
    ahead, left = before[0] - now[0], before[1] - now[1]  # small angles: radians
    return (ahead * x + left * y) / math.hypot(x, y)


def answers(desk: Desk, leg: int) -> Generator[None, None, bool]:
    """Ask a leg whether it rests; a leg at work or without power says nothing."""
    for attempt in range(ASK_TIMES):  # question or answer may be lost
        desk.legs[leg].inbox.clear()
        desk.order(leg, Command.SPEED, float(desk.leg_cfg.rotation.default_speed))
        message = yield from _wait(desk, leg, ANSWER_LIMIT, Report.READY)
        if message is not None:
            if attempt:
                desk.findings.miss(leg)
            return True
    return False


def _wait(
    desk: Desk, leg: int, limit: float, wanted: Report
) -> Generator[None, None, Message | None]:
    """Wait for a report; return None if nothing comes."""
    try:
        return (yield from wait_for(desk, leg, wanted, limit=limit))
    except TroubleError as trouble:
        if trouble.message is not None:
            raise
        return None


def _radius(point: Point, stroke: Stroke) -> float:
    x, _, z = stroke.point(1.0, 0.0)
    return point[0] * x + point[2] * z
