"""One cycle of each gait: every foot is placed once."""

from __future__ import annotations

from collections.abc import Sequence

from gelenk.robots.amee.coordinator.desk import Plan, UnsafeError
from gelenk.robots.amee.gaits.config import PAIRS
from gelenk.robots.amee.gaits.placing import place_pair
from gelenk.robots.amee.gaits.shift import make_safe
from gelenk.robots.amee.gaits.strokes import plan_strokes
from gelenk.robots.amee.gaits.walker import ALL, Walker

SORTINGS = 3  # other feet that are set right before one that must stay is given up
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
            yield from place_or_sort(walker, leg)
        yield from walker.advance(ALL, share, length, -0.5 * share)
    walker.rise()


def place_or_sort(walker: Walker, leg: int) -> Plan:
    """Place a foot; where it must stay, others are set under their hips first.

    Args:
        walker: Who walks.
        leg: Index 0..3.

    Raises:
        UnsafeError: If no foot may be lifted, or that does not help.
    """
    desk, usual = walker.desk, walker.reach
    for attempt in range(SORTINGS + 1):
        try:
            yield from walker.place(leg)
            return
        except UnsafeError:
            if attempt == SORTINGS:
                raise
        walker.reach = 0.0
        try:
            yield from _sort(walker, leg)
        finally:
            walker.reach = usual
        desk.journal.decide("tried again", leg)


def _sort(walker: Walker, leg: int) -> Plan:
    """Set one other foot under its hip, the one whose lift leaves the most margin.

    Raises:
        UnsafeError: If none may be lifted.
    """
    desk = walker.desk
    others = [other for other in ALL if other != leg]
    others.sort(key=lambda other: -desk.margin(without=(other,)))
    last: UnsafeError | None = None
    for other in others:
        desk.journal.decide(
            f"leg {leg + 1} must stay for now; stepped under its hip instead", other
        )
        try:
            yield from walker.place(other)
            return
        except UnsafeError as unsafe:
            last = unsafe
    assert last is not None
    raise last


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
