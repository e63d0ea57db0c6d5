"""Where feet really stand, and on which toes: legs are asked, not believed.

A loaded leg falls short of where it is sent, and a foot on a stone may stand on one toe
or hover. What was ordered is a plan; what is measured carries.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from gelenk.robots.amee.coordinator.balance import seen_from_above, torso_point
from gelenk.robots.amee.coordinator.desk import Desk, Plan
from gelenk.robots.amee.gaits.posture import on_line
from gelenk.robots.amee.wire import Command, Report

ANSWER_LIMIT = 0.2  # [s], for a leg that rests
ASK_TIMES = 3
_ANSWERS = (Report.STANDS, Report.TOES, Report.READY)


def survey(desk: Desk, legs: Sequence[int] | None = None) -> Plan:
    """Ask legs that rest where their feet are; take the torso's way into account.

    Args:
        desk: What is known.
        legs: Which; by default all that stand.

    Raises:
        TroubleError: If a leg reports one meanwhile.
    """
    legs = desk.standing() if legs is None else list(legs)
    missing = list(legs)
    for attempt in range(ASK_TIMES):  # question or answer may be lost
        silent = yield from _ask(desk, missing)
        for leg in missing:
            if attempt and leg not in silent:
                desk.findings.miss(leg)
        missing = silent
        if not missing:
            break
    for leg in missing:
        desk.journal.warn("does not say where its foot is: believed as ordered", leg)
    feel_way(desk)


def feel_way(desk: Desk) -> None:
    """Take where the feet stand into the account of the way."""
    standing = desk.standing()
    places = [torso_point(leg, desk.legs[leg].foot) for leg in standing]
    seen = seen_from_above(places, desk.attitude.up).tolist()
    feet = {leg: (x, y) for leg, (x, y) in zip(standing, seen, strict=True)}
    desk.way.feel(feet, desk.attitude.heading)


def _ask(desk: Desk, legs: list[int]) -> Generator[None, None, list[int]]:
    """Ask once; return who has not answered completely."""
    missing = list(legs)
    for leg in legs:
        desk.legs[leg].inbox.clear()
        desk.order(leg, Command.WHERE)
    end = desk.now + ANSWER_LIMIT
    while missing and desk.now < end:
        missing = [leg for leg in missing if not _has_answered(desk, leg)]
        desk.listen((*missing, *desk.busy))
        if missing:
            yield
    return missing


def _has_answered(desk: Desk, leg: int) -> bool:
    """Take what a leg has said; its last word is that it is done."""
    view = desk.legs[leg]
    while (message := desk.take(leg, _ANSWERS)) is not None:
        if message.report == Report.STANDS:
            x, y, z = message.values
            view.foot = on_line((x, y, z), view.yaw)
        elif message.report == Report.TOES:
            view.toes = int(message.values[0])
        else:
            return True
    return False
