"""One cycle of each gait: every foot is placed once."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gelenk.robots.amee.config import TOES_ALL
from gelenk.robots.amee.coordinator.desk import Plan, UnsafeError
from gelenk.robots.amee.gaits.config import PAIRS
from gelenk.robots.amee.gaits.placing import place_pair
from gelenk.robots.amee.gaits.shift import SLACK, best_shift, make_safe
from gelenk.robots.amee.gaits.strokes import plan_strokes
from gelenk.robots.amee.gaits.walker import ALL, Walker

SORTINGS = 6  # other feet that are set right before one that must stay is given up
MAX_SKIPPED = 5  # feet in a row that must stay
BOLDNESS = 0.015  # [m], margin that is given up then; a lift that tips is taken back
REACHES = (0.0, -0.5, 0.5, -0.25, 0.25)  # of a stroke, where they are set
PAIR_BADLY = 0.005  # [m], as `walker.BADLY`, on two feet


def careful_cycle(
    walker: Walker, order: Sequence[Sequence[int]], length: float, turn: float
) -> Plan:
    """Place all feet one after the other, pull after each group.

    Args:
        walker: Who walks.
        order: Groups of legs.
        length: Way of the torso [m].
        turn: To the left [rad].
    """
    walker.strokes, walker.reach = plan_strokes(length, turn), 0.5
    share = 1.0 / len(order)
    for group in order:
        for leg in group:
            yield from place_or_skip(walker, leg)
        yield from walker.advance(ALL, share, length, -0.5 * share)
    walker.rise()


def place_or_skip(walker: Walker, leg: int) -> Plan:
    """Place a foot; one that must stay is left out, until too many are in a row.

    Args:
        walker: Who walks.
        leg: Index 0..3.

    Raises:
        UnsafeError: If no foot has been placed for too long.
    """
    try:
        yield from place_or_sort(walker, leg)
        walker.skipped = 0
    except UnsafeError:
        walker.skipped += 1
        if walker.skipped > MAX_SKIPPED:
            raise
        walker.desk.journal.decide("stays where it is in this cycle", leg)


def place_or_sort(walker: Walker, leg: int) -> Plan:
    """Place a foot; where it must stay, others are set elsewhere first.

    Args:
        walker: Who walks.
        leg: Index 0..3.

    Raises:
        UnsafeError: If no foot may be lifted, or that does not help.
    """
    desk, usual = walker.desk, walker.reach
    tried: set[tuple[int, float]] = set()
    for attempt in range(SORTINGS + 1):
        try:
            yield from walker.place(leg)
            return
        except UnsafeError as unsafe:
            last = unsafe
        found = None if attempt == SORTINGS else _helpful_step(walker, leg, tried)
        if found is None:
            break
        other, walker.reach = found
        tried.add(found)
        desk.journal.decide(
            f"leg {leg + 1} must stay for now, it would keep {last.margin * 1e3:.0f} "
            f"mm; stepped to {walker.foothold(other)[1][0] * 1e3:+.0f} mm instead",
            other,
        )
        try:
            yield from walker.place(other)
        except UnsafeError:
            desk.journal.decide("must stay as well", other)
        finally:
            walker.reach = usual
        desk.journal.decide("tried again", leg)
    desk.journal.decide("nothing else helps: lifted with little margin", leg)
    yield from walker.place(leg, -BOLDNESS)


def _helpful_step(
    walker: Walker, leg: int, tried: set[tuple[int, float]]
) -> tuple[int, float] | None:
    """Return which other foot to set where, so that one may be lifted afterwards.

    Args:
        walker: Who walks.
        leg: That must stay for now, index 0..3.
        tried: What was tried before.

    Returns:
        Leg and reach, as a share of its stroke; None if nothing is left.
    """
    desk, least = walker.desk, walker.cfg.least_margin
    feet, usual = [view.foot for view in desk.legs], walker.reach
    best, found = -math.inf, None
    for other in ALL:
        if other == leg or best_shift(desk, (other,), feet, least)[1] < least - SLACK:
            continue
        toes = [view.toes for view in desk.legs]
        toes[other] = TOES_ALL
        for reach in REACHES:
            if (other, reach) in tried:
                continue
            walker.reach = reach
            there = [*feet]
            there[other] = walker.foothold(other)[1]
            margin = best_shift(desk, (leg,), there, least, toes)[1]
            if margin > best:
                best, found = margin, (other, reach)
    walker.reach = usual
    return found


def pair_cycle(walker: Walker, length: float, turn: float) -> Plan:
    """Let both diagonal pairs swing once while the other one carries.

    The weight must pass over the line between the standing feet, and rubber toes give
    way the more the farther it is from there: so the standing pair pulls only around
    that line, and all four pull the rest.

    Args:
        walker: Who walks.
        length: Way of the torso per swing [m].
        turn: To the left per swing [rad].
    """
    desk, alone = walker.desk, walker.cfg.swing_pull
    walker.strokes, walker.reach = plan_strokes(length, turn), 1.0 - 0.5 * alone
    for swing, stance in (PAIRS, PAIRS[::-1]):
        yield from walker.set_down(swing)
        yield from walker.level_out(PAIR_BADLY)
        yield from make_safe(desk, swing, walker.cfg.fast_margin, walker.carry)
        begun = desk.now
        yield from place_pair(
            walker, swing, lambda legs=stance: _pull_alone(walker, legs, length)
        )
        walker.count(swing, begun)
        yield from walker.advance(ALL, 1.0 - alone, length, -0.5 * (1.0 - alone))
    walker.rise()


def _pull_alone(walker: Walker, stance: Sequence[int], length: float) -> Plan:
    alone = walker.cfg.swing_pull
    if alone > 0.0:
        yield from walker.advance(stance, alone, length, -0.5 * alone)
