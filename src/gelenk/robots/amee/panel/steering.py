"""What visitors want of a walking AMEE, and the plan that follows their wishes."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gelenk.robots.amee.coordinator.desk import Desk, Plan, TroubleError, pause
from gelenk.robots.amee.coordinator.diagnosis import cause_of
from gelenk.robots.amee.gaits.config import ORDERS, GaitName
from gelenk.robots.amee.gaits.cycles import careful_cycle
from gelenk.robots.amee.gaits.shift import STRAIGHT
from gelenk.robots.amee.gaits.stand import park, stand_up
from gelenk.robots.amee.gaits.walker import Walker
from gelenk.robots.amee.gaits.walking import GaitChooser, begin, turn_towards
from gelenk.robots.amee.wire import Command

Wish: TypeAlias = Literal["ahead", "left", "right", "halt", "park"]
TURN = math.radians(12.0)  # per cycle on the spot
TURN_MARGIN = 0.030  # [m], below which no foot is lifted while turning
RISES = 4  # attempts to stand up
SETTLE = 0.1  # [s], after legs were told to stop


@dataclass(slots=True, kw_only=True, eq=False)
class Wishes:
    """What a visitor wants; the exhibit writes, the plan reads.

    Attributes:
        wish: What to do.
        gait: How to walk ahead.
        number: Counts wishes.
        is_down: Whether the robot lies on its belly, or is on its way there.
    """

    wish: Wish = "ahead"
    gait: GaitName = "save"
    number: int = 0
    is_down: bool = False

    def want(self, wish: Wish, gait: GaitName | None = None) -> None:
        """Take a wish."""
        self.wish, self.gait = wish, gait or self.gait
        self.number += 1


def follow(walker: Walker, wishes: Wishes, *, is_again: bool = False) -> Plan:
    """Do what is wanted, for ever; turn to another wish as soon as all feet stand.

    Args:
        walker: Who walks.
        wishes: Of visitors.
        is_again: Whether legs have been stopped before, feet may hang in the air.

    Raises:
        TroubleError: If a leg cannot.
        UnsafeError: If no foot may be lifted.
    """
    desk = walker.desk
    if not is_again:
        yield from begin(walker)
    elif not wishes.is_down:
        yield from regain(walker)
    while True:
        number = wishes.number
        plan = _doing(walker, wishes)
        for _ in plan:
            yield
            all_stand = len(desk.standing()) == len(desk.legs)
            if wishes.number != number and all_stand and not desk.moves:
                plan.close()
                yield from _still(desk)
                break


def regain(walker: Walker) -> Plan:
    """Stand on four feet again."""
    desk = walker.desk
    desk.journal.decide("goes on: feet that hang in the air are put down first")
    for leg, view in enumerate(desk.legs):
        if not view.stands:
            yield from walker.place(leg)


def _doing(walker: Walker, wishes: Wishes) -> Plan:
    """Return what the present wish asks for; ends when the next wish is due."""
    if wishes.wish == "park":
        return _lie(walker, wishes)
    if wishes.is_down:
        return _rise(walker, wishes)
    match wishes.wish:
        case "ahead":
            return _ahead(walker, wishes)
        case "left" | "right":
            turn = TURN if wishes.wish == "left" else -TURN
            cycle = careful_cycle(walker, ORDERS["crawl"], 0.0, turn)
            return _with_less_margin(walker, cycle)
        case _:
            return _rest(walker.desk)


def _ahead(walker: Walker, wishes: Wishes) -> Plan:
    heading, number = walker.desk.attitude.heading, wishes.number
    chooser = GaitChooser(walker, wishes.gait)
    if _is_turned(walker):
        cycle = careful_cycle(walker, ORDERS["crawl"], walker.cfg.stroke, 0.0)
        yield from _with_less_margin(walker, cycle)
    while wishes.number == number:
        yield from chooser.cycle(turn_towards(walker, heading))


def _is_turned(walker: Walker) -> bool:
    """Return whether feet point aside, so that no shift of the torso helps."""
    return any(abs(view.yaw) > STRAIGHT for view in walker.desk.legs)


def _with_less_margin(walker: Walker, plan: Plan) -> Plan:
    """Follow a plan that lifts feet with less margin than usual."""
    cfg = walker.cfg
    walker.cfg = dataclasses.replace(cfg, least_margin=TURN_MARGIN)
    try:
        yield from plan
    finally:
        walker.cfg = cfg


def _rest(desk: Desk) -> Plan:
    """Wait for one loop."""
    desk.listen(())
    yield


def _lie(walker: Walker, wishes: Wishes) -> Plan:
    if wishes.is_down:
        yield
        return
    wishes.is_down = True
    plan = park(walker)
    yield from _with_less_margin(walker, plan) if _is_turned(walker) else plan


def _rise(walker: Walker, wishes: Wishes) -> Plan:
    """Stand up; legs that push against the weight may take it for a collision."""
    desk = walker.desk
    for attempt in range(RISES):
        try:
            yield from stand_up(walker)
            break
        except TroubleError as trouble:
            cause = cause_of(trouble.leg, trouble.message)
            if not cause.is_curable or attempt == RISES - 1:
                raise
            desk.journal.decide(f"{cause.text}; all legs rest and try again", cause.leg)
            yield from _still(desk)
    wishes.is_down = False


def _still(desk: Desk) -> Plan:
    """Bring all legs to rest."""
    for leg, view in enumerate(desk.legs):
        desk.order(leg, Command.STOP)
        view.inbox.clear()
    yield from pause(desk, SETTLE)
