"""Feet that stand move together: lines in step, via point by via point."""

from __future__ import annotations

from collections.abc import Mapping

from gelenk.robots.amee.coordinator.balance import Point
from gelenk.robots.amee.coordinator.desk import Desk, Plan, TroubleError, wire_point
from gelenk.robots.amee.gaits.posture import first_within_reach
from gelenk.robots.amee.gaits.strokes import releases
from gelenk.robots.amee.leg.logic.line import line_point, num_line_points
from gelenk.robots.amee.wire import Command, Report

BEGIN_LIMIT = 5.0  # [s], to settle where the line begins
VIA_LIMIT = 4.0  # [s], for one via point; a leg that pushes against a load is slow


def pull(desk: Desk, ends: Mapping[int, Point]) -> Plan:
    """Move some feet to points, all starting and ending together.

    Args:
        desk: What is known.
        ends: Where each foot shall be in its leg's frame [m], by leg.

    Raises:
        TroubleError: If a leg cannot follow; the others wait where they are.
    """
    begins = {
        leg: wire_point(first_within_reach(desk.legs[leg].foot, end, desk.leg_cfg))
        for leg, end in ends.items()
    }
    targets = {leg: wire_point(end) for leg, end in ends.items()}
    step = desk.leg_cfg.min_step
    counts = {leg: num_line_points(begins[leg], targets[leg], step) for leg in ends}
    legs = [leg for leg in ends if counts[leg] > 0]
    if not legs:
        return
    desk.moves = True
    try:
        for leg in legs:
            desk.legs[leg].inbox.clear()
            desk.order_points(leg, Command.LINE, begins[leg], targets[leg])
        yield from _begin(desk, legs, begins, targets)
        done = dict.fromkeys(legs, 0)
        for tick in releases(tuple(counts[leg] for leg in legs)):
            released = [legs[i] for i in tick]
            for leg in released:
                desk.order(leg, Command.NEXT)
            yield from await_all(desk, released, VIA_LIMIT, is_repeated=True)
            for leg in released:
                done[leg] += 1
                desk.legs[leg].foot = line_point(
                    begins[leg], targets[leg], done[leg], counts[leg]
                )
    finally:
        desk.moves = False


def _begin(
    desk: Desk,
    legs: list[int],
    begins: Mapping[int, Point],
    targets: Mapping[int, Point],
) -> Plan:
    """Wait until all are where their lines begin; say it twice to who is silent."""
    try:
        yield from await_all(desk, legs, BEGIN_LIMIT)
    except TroubleError as trouble:
        if trouble.message is not None or trouble.leg in desk.findings.unreachable:
            raise
        desk.journal.warn("does not begin its line; told again", trouble.leg)
        desk.findings.miss(trouble.leg, is_certain=False)
        # or the leg would do both lines, one after the other
        desk.order(trouble.leg, Command.STOP)
        desk.order_points(
            trouble.leg, Command.LINE, begins[trouble.leg], targets[trouble.leg]
        )
        yield from await_all(desk, [trouble.leg], BEGIN_LIMIT)


def await_all(
    desk: Desk, legs: list[int], limit: float, *, is_repeated: bool = False
) -> Plan:
    """Wait until each of some legs has reached its point.

    Args:
        desk: What is known.
        legs: Which.
        limit: Longest wait [s].
        is_repeated: Whether legs that say nothing are released once more before they
            are given up: one of the two messages may have been lost.

    Raises:
        TroubleError: If any leg reports one, or one of these nothing.
    """
    missing, repeated = list(legs), list[int]()
    end = desk.now + limit
    while True:
        missing = [
            leg
            for leg in missing
            if desk.take(leg, (Report.SYNC, Report.READY)) is None
        ]
        if not missing:
            for leg in repeated:
                desk.findings.miss(leg, is_certain=False)
            return
        desk.listen(missing)
        if desk.now >= end:
            if not is_repeated:
                raise TroubleError(missing[0], None)
            is_repeated, end = False, desk.now + limit
            repeated = list(missing)
            for leg in missing:
                desk.journal.warn("via point not reached in time; released again", leg)
                desk.order(leg, Command.NEXT)
        yield
