"""Feet that look for a place: what they try when the planned one does not do."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gelenk.robots.amee.coordinator.balance import Point
from gelenk.robots.amee.coordinator.desk import (
    Desk,
    Plan,
    TroubleError,
    UnsafeError,
)
from gelenk.robots.amee.coordinator.diagnosis import Cause, cause_of
from gelenk.robots.amee.gaits.pull import await_all
from gelenk.robots.amee.gaits.step import lift, locate, put_down
from gelenk.robots.amee.gaits.strokes import Stroke
from gelenk.robots.amee.gaits.survey import survey
from gelenk.robots.amee.wire import Command

if TYPE_CHECKING:
    from gelenk.robots.amee.gaits.walker import Walker

OTHER_PLACES = (0.0, -0.04, 0.03, -0.08, 0.05)  # [m], along the stroke, in this order
MODE_LIMIT = 1.0  # [s], to take a new mode
PAIR_LEAN = math.radians(8.0)  # a torso on two feet rocks until the others stand
GUARD_PERIOD = 0.020  # [s]
TIPS = math.radians(2.5)  # a torso that leans so much while a foot is lifted tips
CAUTION = 0.020  # [m], margin that each such lift adds to what the next one wants
MAX_CAUTION = 0.060  # [m]
PUT_DOWN = 0.015  # [m], margin below which what is in the air is put down at once


class TipsError(Exception):
    """The torso tipped when a foot was lifted; the foot is down again."""


def set_high(walker: Walker, legs: Sequence[int], *, high: bool) -> Plan:
    """Tell legs how high their steps shall be, and wait until they know."""
    desk = walker.desk
    for leg in legs:
        desk.legs[leg].inbox.clear()
        desk.order(leg, Command.SAVE_WALK, 1.0 if high else 0.0)
    yield from await_all(desk, list(legs), MODE_LIMIT)


def try_places(walker: Walker, leg: int, first: int = 0) -> Plan:
    """Step to the planned place, or to others near it.

    Args:
        walker: Who walks.
        leg: Index 0..3.
        first: Index of the place to begin with; others than the planned one are
            approached as high as the leg can.

    Raises:
        TroubleError: If no place does, or if the leg is broken.
        UnsafeError: If the torso tips whenever the foot is lifted.
    """
    desk, usual = walker.desk, walker.cfg.uses_high_lift
    is_high = usual
    attempt, walker.caution = first, 0.0
    while True:
        if attempt > 0 and not is_high:
            is_high = True
            yield from set_high(walker, (leg,), high=True)
        where = walker.foothold(leg, OTHER_PLACES[attempt])
        try:
            yield from _lift_guarded(walker, leg, *where)
            yield from put_down(desk, leg, walker.cfg.max_lean)
            break
        except TipsError:
            yield from _lean_away(walker, leg)
        except TroubleError as trouble:
            cause = judge(walker, trouble, leg)
            if attempt == len(OTHER_PLACES) - 1 or attempt >= walker.cfg.retries:
                raise
            yield from _see_whether_it_stands(desk, leg)
            attempt += 1
            yield from _prepare(walker, leg, cause, attempt)
    walker.caution = 0.0
    if is_high != usual:
        yield from set_high(walker, (leg,), high=usual)


def _see_whether_it_stands(desk: Desk, leg: int) -> Plan:
    """Take a foot whose step has failed as standing if something must carry it.

    That is a pressed toe, or a weight that is not over the other feet and yet at rest.
    """
    yield from survey(desk, (leg,))
    view = desk.legs[leg]
    view.stands = bool(view.toes) or desk.margin(without=(leg,)) < PUT_DOWN


def _lift_guarded(walker: Walker, leg: int, stroke: Stroke, foothold: Point) -> Plan:
    """Lift a foot; bring it down at once if the torso begins to tip.

    Raises:
        TroubleError: If the leg cannot.
        TipsError: If it had to come down.
    """
    desk = walker.desk
    looked, before, height = desk.now, desk.attitude.up, desk.legs[leg].foot[1]
    for _ in lift(desk, leg, stroke, foothold):
        yield
        if desk.now - looked < GUARD_PERIOD:
            continue
        looked = desk.now
        margin = desk.margin()
        leaned = math.dist(before, desk.attitude.up)  # small angles: radians
        if margin >= PUT_DOWN and leaned < TIPS:
            continue
        desk.journal.warn(
            f"put down at once: the torso tips by {math.degrees(leaned):.1f} deg, "
            f"{margin * 1e3:.0f} mm remain",
            leg,
        )
        yield from _come_down(desk, leg, height)
        raise TipsError


def _come_down(desk: Desk, leg: int, height: float) -> Plan:
    """Let a foot feel for the ground below where it is now.

    Args:
        desk: What is known.
        leg: Index 0..3.
        height: Of the ground it has left, leg's frame [m].
    """
    view = desk.legs[leg]
    desk.order(leg, Command.STOP)
    yield
    yield from survey(desk, (leg,))
    view.foot = (view.foot[0], min(height, view.foot[1]), view.foot[2])
    yield from locate(desk, leg)
    view.stands = True


def _lean_away(walker: Walker, leg: int) -> Plan:
    """Bring the weight farther away from a foot whose lift has tipped the torso.

    Raises:
        UnsafeError: If that was tried before, or cannot be done.
    """
    desk = walker.desk
    walker.trouble_steps.append(walker.steps)
    walker.caution += CAUTION
    if walker.caution > MAX_CAUTION:
        raise UnsafeError(leg, desk.margin(without=(leg,)))
    desk.journal.decide(
        f"ground gives way under the others: {walker.caution * 1e3:.0f} mm more margin "
        "before it is lifted again",
        leg,
    )
    yield from walker.steady(leg)


def _prepare(walker: Walker, leg: int, cause: Cause, attempt: int) -> Plan:
    """Say what is tried next; go down where there was no ground."""
    walker.desk.journal.decide(
        f"{cause.text}; lifted higher, next try "
        f"{OTHER_PLACES[attempt] * 1e3:+.0f} mm along its way",
        leg,
    )
    if cause.kind == "no_ground":
        yield from walker.crouch()
    yield from walker.steady(leg)


def judge(walker: Walker, trouble: TroubleError, leg: int) -> Cause:
    """Return why a foot did not come down.

    Raises:
        TroubleError: If another place would not help.
    """
    cause = cause_of(trouble.leg, trouble.message)
    if trouble.leg != leg or not cause.is_curable:
        raise trouble
    walker.trouble_steps.append(walker.steps)
    if cause.kind == "collision":
        walker.collision_steps.append(walker.steps)
    return cause


def place_pair(
    walker: Walker, swing: Sequence[int], carry_on: Callable[[], Plan]
) -> Plan:
    """Swing two feet at once; one that finds no place tries others by itself.

    Args:
        walker: Who walks.
        swing: The pair.
        carry_on: What the others do while the pair is in the air.

    Raises:
        TroubleError: If no place does, or if a leg is broken.
    """
    desk = walker.desk
    failed: dict[int, TroubleError] = {}
    desk.busy = tuple(swing)
    try:
        yield from together(
            [_attempt(lift(desk, i, *walker.foothold(i)), i, failed) for i in swing]
        )
        if desk.margin() < PUT_DOWN:
            desk.journal.warn(
                f"pair put down at once: it rocks, {desk.margin() * 1e3:.0f} mm remain"
            )
        elif not failed:
            yield from carry_on()
        landing = [i for i in swing if i not in failed]
        yield from together(
            [_attempt(put_down(desk, i, PAIR_LEAN), i, failed) for i in landing]
        )
    finally:
        desk.busy = ()
    for leg, trouble in failed.items():
        yield from _prepare(walker, leg, judge(walker, trouble, leg), 1)
        yield from try_places(walker, leg, 1)


def _attempt(plan: Plan, leg: int, failed: dict[int, TroubleError]) -> Plan:
    """Run a plan of one leg; note its trouble instead of passing it on."""
    try:
        yield from plan
    except TroubleError as trouble:
        if trouble.leg != leg:
            raise
        failed[leg] = trouble


def together(plans: list[Plan]) -> Plan:
    """Let several plans go on in each loop until all have ended."""
    while plans:
        still: list[Plan] = []
        for plan in plans:
            try:
                next(plan)
            except StopIteration:
                continue
            still.append(plan)
        plans = still
        if plans:
            yield
