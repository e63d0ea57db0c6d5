"""Feet that look for a place: what they try when the planned one does not do."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING

from gelenk.robots.amee.coordinator.balance import Point, Up
from gelenk.robots.amee.coordinator.desk import (
    Desk,
    Plan,
    TroubleError,
    UnsafeError,
    pause,
    wait_for,
    wire_point,
)
from gelenk.robots.amee.coordinator.diagnosis import Cause, cause_of
from gelenk.robots.amee.gaits.posture import moved, radius_of
from gelenk.robots.amee.gaits.pull import await_all
from gelenk.robots.amee.gaits.step import lean_towards, lift, locate, put_down
from gelenk.robots.amee.gaits.strokes import Stroke
from gelenk.robots.amee.gaits.survey import survey
from gelenk.robots.amee.wire import Command, Report

if TYPE_CHECKING:
    from gelenk.robots.amee.gaits.walker import Walker

OTHER_PLACES = (0.0, -0.04, 0.03, -0.08, 0.05)  # [m], along the stroke, in this order
MODE_LIMIT = 1.0  # [s], to take a new mode
PAIR_LEAN = math.radians(8.0)  # a torso on two feet rocks until the others stand
GUARD_PERIOD = 0.020  # [s]
# A torso that leans so much while a foot is lifted, and goes on leaning, tips. On
# rubber toes it may also settle; beyond the larger angle nobody waits for that.
TIPS, TIPPING_RATE = math.radians(1.3), math.radians(4.0)  # [rad], [rad/s]
MAX_SETTLING = math.radians(5.0)
AMPLE = 0.030  # [m], margin with which it settles, however quickly
# A foot is drawn up so far first, in parts. A torso that leans little stands on the
# others. One that leans more may only have come to rest on them, as their rubber gives:
# then the foot comes free. Or it follows the foot down, part by part.
TRIALS = (0.014, 0.021, 0.028, 0.035, 0.042)  # [m]
TRIAL_TIME, TRIAL_WAITS = 0.25, 3  # [s], and how often, until it rests
TRIAL_LEAN, MAX_TRIAL_LEAN = math.radians(1.0), math.radians(4.5)
# A foot between two stones may be held by both: one that was put back is drawn harder.
HARDER = (*TRIALS, 0.049, 0.056, 0.063, 0.070, 0.077, 0.084)  # [m]
HARDER_LEAN = math.radians(7.0)
CREEP, FOLLOWS = math.radians(0.2), math.radians(0.7)  # in each wait, in each part
LOOK_PERIOD = 1.0  # [s], in which legs that bear are asked while a foot feels
NEAR_HOME = 0.06  # [m], of a foot that has hardly left its place
DROP_LIMIT = 1.0  # [s], for it to be back
SETTLE = 0.1  # [s], until a leg that was stopped rests
RATE_TIME = 0.1  # [s], over which the rate is taken
CAUTION = 0.020  # [m], margin that each such lift adds to what the next one wants
MAX_CAUTION = 0.060  # [m]


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
    home, is_high, attempt = desk.legs[leg].foot, usual, first
    while True:
        if attempt > 0 and not is_high:
            is_high = True
            yield from set_high(walker, (leg,), high=True)
        places = min(len(OTHER_PLACES), walker.cfg.retries + 1)
        is_last = attempt >= places
        try:
            where = _place(walker, leg, attempt, home if is_last else None)
            yield from _lift_guarded(walker, leg, *where)
            yield from _put_down_guarded(walker, leg)
            yield from survey(desk, (leg,))
            break
        except TipsError:
            yield from _lean_away(walker, leg)
            continue
        except TroubleError as trouble:
            cause = judge(walker, trouble, leg)
            if is_last:
                raise
            reason = cause.text
            yield from _see_whether_it_stands(walker, leg)
            if cause.kind == "no_ground":
                yield from walker.crouch()
        attempt += 1
        yield from _prepare(walker, leg, reason, attempt, places)
    walker.caution = 0.0
    if is_high != usual:
        yield from set_high(walker, (leg,), high=usual)


def step_or_return(walker: Walker, leg: int) -> Plan:
    """Step to the planned place, or back to where the foot stood.

    On stones three legs cannot bear the torso for long, and nowhere is ground as sure
    as where the foot came from. With four feet down the next step is planned.

    Raises:
        TroubleError: If a leg is broken.
        UnsafeError: If the torso tips when the foot is lifted.
    """
    desk = walker.desk
    home = desk.legs[leg].foot
    try:
        yield from _lift_guarded(walker, leg, *walker.foothold(leg))
        yield from _put_down_guarded(walker, leg)
        yield from survey(desk, (leg,))
    except TipsError:
        walker.trouble_steps.append(walker.steps)
        raise UnsafeError(leg, desk.margin(without=(leg,))) from None
    except TroubleError as trouble:
        cause = judge(walker, trouble, leg)
        desk.journal.decide(f"{cause.text}; back to where it stood", leg)
        yield from _go_home(walker, leg, home)
        if cause.kind == "no_ground":
            walker.sink()  # when four feet bear


def _go_home(walker: Walker, leg: int, home: Point) -> Plan:
    """Bring a foot whose step has failed back over where it stood, and down.

    Raises:
        TroubleError: If another leg reports one meanwhile.
    """
    stroke = walker.strokes[leg]
    radius = radius_of(home, walker.desk.legs[leg].yaw)
    yield from _see_whether_it_stands(walker, leg)
    yield from set_high(walker, (leg,), high=True)
    where = walker.desk.legs[leg].foot
    try:
        yield from _lift_guarded(walker, leg, stroke, stroke.point(radius, home[1]))
        where = home
    except TipsError:  # it bears where it is
        pass
    except TroubleError as trouble:
        if trouble.leg != leg:
            raise
    if not walker.desk.legs[leg].stands:
        yield from come_down(walker, leg, where)
    yield from set_high(walker, (leg,), high=walker.cfg.uses_high_lift)


def _place(
    walker: Walker, leg: int, attempt: int, home: Point | None
) -> tuple[Stroke, Point]:
    """Return where a foot is set: near the planned place, or where it came from."""
    if home is None:
        return walker.foothold(leg, OTHER_PLACES[attempt])
    stroke = walker.strokes[leg]
    return stroke, stroke.point(radius_of(home, walker.desk.legs[leg].yaw), home[1])


def _see_whether_it_stands(walker: Walker, leg: int) -> Plan:
    """Take a foot whose step has failed as standing if something must carry it.

    That is a pressed toe, or a weight that is not over the other feet and yet at rest.
    """
    desk = walker.desk
    desk.order(leg, Command.STOP)
    yield from pause(desk, SETTLE)
    yield from survey(desk, (leg,))
    view = desk.legs[leg]
    rests = desk.margin(without=(leg,)) < walker.cfg.last_margin
    view.stands = bool(view.toes) or rests


def _lift_guarded(walker: Walker, leg: int, stroke: Stroke, foothold: Point) -> Plan:
    """Lift a foot; bring it down at once if the torso begins to tip.

    Raises:
        TroubleError: If the leg cannot.
        TipsError: If it had to come down.
    """
    desk = walker.desk
    before, home = desk.attitude.up, desk.legs[leg].foot
    if walker.cfg.plans_steps:
        yield from _try_lift(walker, leg)
    looked, first = desk.now, lean_towards(leg, before, desk.attitude.up)
    leans = deque([first], maxlen=round(RATE_TIME / GUARD_PERIOD) + 1)
    for _ in lift(desk, leg, stroke, foothold):
        yield
        if desk.now - looked < GUARD_PERIOD:
            continue
        looked = desk.now
        margin = desk.margin()
        leans.append(lean_towards(leg, before, desk.attitude.up))
        if margin >= walker.cfg.last_margin and not tips(leans, margin):
            continue
        desk.journal.warn(
            f"put down at once: the torso tips by {math.degrees(leans[-1]):.1f} deg, "
            f"{margin * 1e3:.0f} mm remain",
            leg,
        )
        yield from come_down(walker, leg, home)
        raise TipsError


def _put_down_guarded(walker: Walker, leg: int) -> Plan:
    """Let a foot feel for ground; drop it if legs that bear give way meanwhile.

    Raises:
        TroubleError: If there is no ground, or none that bears.
        TipsError: If it was dropped.
    """
    desk = walker.desk
    looked = desk.now
    landing = put_down(desk, leg, walker.cfg.max_lean)
    for _ in landing:
        yield
        if not walker.cfg.plans_steps or desk.now - looked < LOOK_PERIOD:
            continue
        yield from survey(desk)
        looked = desk.now
        shift = walker.strayed(is_lifted=True)
        if shift and not desk.legs[leg].stands:
            landing.close()
            desk.journal.warn(
                f"dropped: legs that bear give way by {abs(shift) * 1e3:.0f} mm", leg
            )
            x, y, z = desk.legs[leg].foot
            yield from come_down(walker, leg, (x, y - desk.leg_cfg.lift, z))
            raise TipsError


def _try_lift(walker: Walker, leg: int) -> Plan:
    """Draw a foot up a little and see whether the torso follows it down.

    From there it is back on the ground in no time; from its full height it is not.

    Raises:
        TipsError: If the torso follows; the foot is where it was.
    """
    desk = walker.desk
    view = desk.legs[leg]
    home, before, leans = view.foot, desk.attitude.up, [0.0]
    is_held = walker.put_back[leg] > 0
    max_lean = HARDER_LEAN if is_held else MAX_TRIAL_LEAN
    for drawn in HARDER if is_held else TRIALS:
        yield from walker.carry({leg: moved(home, view.yaw, 0.0, drawn)})
        rests = yield from _rests(desk, leg, before, max_lean)
        yield from survey(desk, (leg,))
        leans.append(lean_towards(leg, before, desk.attitude.up))
        follows = len(leans) > 2 and leans[-1] - leans[-2] > FOLLOWS
        if follows or not rests:
            break
        if leans[-1] < TRIAL_LEAN or not view.toes:
            yield from _level_without(walker, leg)
            return
    desk.journal.decide(
        f"put back: the torso follows it by {math.degrees(leans[-1]):.1f} deg", leg
    )
    walker.put_back[leg] += 1
    yield from walker.carry({leg: home})
    raise TipsError


def _rests(
    desk: Desk, leg: int, before: Up, max_lean: float
) -> Generator[None, None, bool]:
    """Wait until a torso leans no farther to a corner; return whether it came to that.

    Args:
        desk: What is known.
        leg: Whose corner, index 0..3.
        before: Where the sky was when it did not lean, torso's axes.
        max_lean: Beyond which nobody waits for that [rad].
    """
    lean = lean_towards(leg, before, desk.attitude.up)
    for _ in range(TRIAL_WAITS):
        last = lean
        yield from pause(desk, TRIAL_TIME)
        lean = lean_towards(leg, before, desk.attitude.up)
        if lean > max_lean:
            return False
        if lean - last < CREEP:
            return True
    return False


def _level_without(walker: Walker, leg: int) -> Plan:
    """Level the torso on the other feet while one of them hovers."""
    view = walker.desk.legs[leg]
    view.stands = False
    try:
        yield from walker.level_out()
    finally:
        view.stands = True


def tips(leans: Sequence[float], margin: float = 0.0) -> bool:
    """Return whether a torso tips, not only settles on softer ground.

    Args:
        leans: Of the last moments, `GUARD_PERIOD` apart [rad].
        margin: That remains, the lean counted in [m].
    """
    rate = (leans[-1] - leans[0]) / (GUARD_PERIOD * max(len(leans) - 1, 1))
    goes_on = leans[-1] > TIPS and rate > TIPPING_RATE and margin < AMPLE
    return leans[-1] > MAX_SETTLING or goes_on


def come_down(walker: Walker, leg: int, home: Point) -> Plan:
    """Let a foot drop to the ground it has left, or to that below where it is now.

    A torso that tips falls within a second: there is no time to feel for the ground.

    Args:
        walker: Who walks.
        leg: Index 0..3.
        home: Where it stood, leg's frame [m].

    Raises:
        TroubleError: If another leg reports one meanwhile.
    """
    desk = walker.desk
    view = desk.legs[leg]
    desk.order(leg, Command.STOP)
    yield
    yield from survey(desk, (leg,))
    x, y, z = view.foot
    is_near = math.hypot(x - home[0], z - home[2]) < NEAR_HOME
    view.foot = home if is_near else (x, min(home[1], y), z)
    view.inbox.clear()
    desk.order_points(leg, Command.MOVE_POINT, wire_point(view.foot))
    try:
        yield from wait_for(desk, leg, Report.READY, limit=DROP_LIMIT)
    except TroubleError as trouble:  # on ground before it is where it was sent
        if trouble.leg != leg:
            raise
    desk.order(leg, Command.STOP)
    yield
    view.stands = True
    yield from survey(desk, (leg,))
    if not view.toes:
        yield from locate(desk, leg)


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


def _prepare(walker: Walker, leg: int, reason: str, attempt: int, places: int) -> Plan:
    """Say what is tried next, and bring the weight over the other feet again."""
    where = "back to where it stood"
    if attempt < places:
        where = f"{OTHER_PLACES[attempt] * 1e3:+.0f} mm along its way"
    walker.desk.journal.decide(f"{reason}; lifted higher, next try {where}", leg)
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
        if desk.margin() < walker.cfg.last_margin:
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
        cause = judge(walker, trouble, leg)
        if cause.kind == "no_ground":
            yield from walker.crouch()
        yield from _prepare(walker, leg, cause.text, 1, len(OTHER_PLACES))
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
