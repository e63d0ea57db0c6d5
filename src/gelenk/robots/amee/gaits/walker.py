"""AMEE walks: careful gaits foot by foot, the fast one pair by pair."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gelenk.robots.amee.coordinator.balance import Point, centre_of_mass
from gelenk.robots.amee.coordinator.desk import Desk, Plan, UnsafeError
from gelenk.robots.amee.gaits.config import ORDERS, PAIRS, GaitCfg
from gelenk.robots.amee.gaits.posture import (
    is_reachable,
    largest_share,
    levelling,
    moved,
    radius_of,
)
from gelenk.robots.amee.gaits.pull import pull
from gelenk.robots.amee.gaits.step import check_lift, lift, put_down
from gelenk.robots.amee.gaits.strokes import Stroke, plan_strokes
from gelenk.robots.amee.wire import Command

ALL = (0, 1, 2, 3)
STRAIGHT = math.radians(25.0)  # [rad], yaws up to which the torso may shift ahead
SHIFTS = tuple(sign * 0.02 * k for k in range(1, 8) for sign in (1, -1))  # [m]
CENTRE_LIMIT = 0.16  # [m], how far feet are set back uphill, or forward downhill
SHIFT_GAIN = 0.015  # [m] over the least margin that a shift aims at


class Walker:
    """Moves of the whole robot; keeps account of the way.

    Args:
        desk: What is known.
        cfg: How it walks.

    Attributes:
        x: Way along the heading of the start [m].
        y: To the left of it [m].
        steps: Feet placed so far.
        footfalls: Leg, time of lift and of touch-down of each step [s].
    """

    def __init__(self, desk: Desk, cfg: GaitCfg) -> None:
        self.desk, self.cfg = desk, cfg
        self.x = self.y = 0.0
        self.steps = 0
        self.footfalls: list[tuple[int, float, float]] = []
        self.strokes = plan_strokes(cfg.stroke, 0.0)

    # -- moves of the whole robot ------------------------------------------------------

    def set_mode(self, *, high: bool) -> Plan:
        """Tell all legs how high steps shall be."""
        for leg in ALL:
            self.desk.order(leg, Command.SAVE_WALK, 1.0 if high else 0.0)
        yield

    def cycle(self, order: Sequence[Sequence[int]], length: float, turn: float) -> Plan:
        """Place all feet once, pull after each group.

        Args:
            order: Groups of legs.
            length: Way of the torso [m].
            turn: To the left [rad].
        """
        self.strokes = plan_strokes(length, turn)
        share = 1.0 / len(order)
        for group in order:
            for leg in group:
                yield from self.place(leg)
            yield from self.advance(ALL, share, length, turn)

    def pair_cycle(self, length: float, turn: float) -> Plan:
        """Let both diagonal pairs swing once while the other pulls."""
        self.strokes = plan_strokes(length, turn)
        for swing, stance in (PAIRS, PAIRS[::-1]):
            yield from self.make_safe(swing)
            begun = self.desk.now
            plans = [lift(self.desk, leg, *self.foothold(leg)) for leg in swing]
            yield from together(plans)
            yield from self.advance(stance, 1.0, length, turn)
            yield from together([put_down(self.desk, leg) for leg in swing])
            self.count(swing, begun)

    # -- one foot ----------------------------------------------------------------------

    def foothold(self, leg: int) -> tuple[Stroke, Point]:
        """Return the stroke and the planned foothold of a leg."""
        stroke = self.strokes[leg]
        radius = self.centre() + stroke.length / 2.0
        return stroke, stroke.point(radius, -self.cfg.height)

    def centre(self) -> float:
        """Return the middle of the strokes: the weight shall lie amid the feet [m]."""
        desk = self.desk
        feet = [view.foot for view in desk.legs]
        x, _, z = centre_of_mass(feet, desk.leg_cfg.geometry)
        up = desk.attitude.up
        under = x - (z + self.cfg.height) * up[0] / up[2]
        return self.cfg.centre + max(-CENTRE_LIMIT, min(CENTRE_LIMIT, under))

    def place(self, leg: int) -> Plan:
        """Lift a foot and put it down ahead."""
        yield from self.make_safe((leg,))
        begun = self.desk.now
        yield from lift(self.desk, leg, *self.foothold(leg))
        yield from put_down(self.desk, leg)
        self.count((leg,), begun)

    def count(self, legs: Sequence[int], begun: float) -> None:
        """Take steps into account."""
        self.steps += len(legs)
        self.footfalls += [(leg, begun, self.desk.now) for leg in legs]

    # -- the torso ---------------------------------------------------------------------

    def advance(
        self, legs: Sequence[int], share: float, length: float, turn: float
    ) -> Plan:
        """Pull the torso ahead, and set its height and level right on the way."""
        desk = self.desk
        views = desk.legs
        if abs(length) > 1e-6:
            share = self._wanted_share(legs, share, length)
        level = self._levelling()
        ends = {
            leg: moved(
                views[leg].foot,
                views[leg].yaw,
                -share * self._length(leg, length),
                level.get(leg, 0.0),
            )
            for leg in legs
        }
        begins = [views[leg].foot for leg in legs]
        possible = largest_share(begins, list(ends.values()), desk.leg_cfg)
        if possible < 1.0:
            desk.journal.decide(f"pull shortened to {possible:.0%}: a leg's reach ends")
            ends = {leg: _between(views[leg].foot, ends[leg], possible) for leg in legs}
        yield from pull(desk, ends)
        way = possible * share * length
        self.x += way * math.cos(desk.attitude.heading)
        self.y += way * math.sin(desk.attitude.heading)

    def _wanted_share(self, legs: Sequence[int], share: float, length: float) -> float:
        """Return the share of the stroke after which the feet are where they should."""
        views = self.desk.legs
        radii = [
            radius_of(views[leg].foot, views[leg].yaw)
            * math.copysign(1.0, self.strokes[leg].length)
            for leg in legs
        ]
        goal = self.centre() - 0.5 * abs(length)
        if len(legs) == len(ALL):
            goal += 0.5 * abs(length) * (1.0 - share)  # half of the feet are half way
        return (sum(radii) / len(radii) - goal) / abs(length)

    def _length(self, leg: int, length: float) -> float:
        """Return the stroke of a leg along the way its foot really points [m]."""
        stroke = self.strokes[leg]
        off = stroke.yaw - self.desk.legs[leg].yaw
        return stroke.length * math.cos(off) if stroke.length else length

    def _levelling(self) -> dict[int, float]:
        """Return by how much feet go down or up in this pull [m]."""
        feet = {leg: self.desk.legs[leg].foot for leg in self.desk.standing()}
        change = levelling(feet, self.cfg.height, self.cfg.level_limit)
        if max(abs(dy) for dy in change.values()) < self.cfg.level_dead_band:
            return {}
        return change

    def make_safe(self, legs: Sequence[int]) -> Plan:
        """See that some legs may be lifted; shift the torso if that helps.

        Raises:
            UnsafeError: If nothing helps.
        """
        desk, least = self.desk, self.cfg.least_margin
        if len(legs) > 1:
            least = self.cfg.fast_margin
        margin = desk.margin(without=legs)
        if margin >= least:
            return
        names = " and ".join(str(leg + 1) for leg in legs)
        shift = self._helpful_shift(legs, least)
        if shift == 0.0:
            raise UnsafeError(legs[0], margin)
        desk.journal.decide(
            f"torso shifts by {shift * 1e3:+.0f} mm before leg {names} is lifted: "
            f"only {margin * 1e3:.0f} mm would remain"
        )
        ends = {leg: moved(v.foot, v.yaw, -shift) for leg, v in enumerate(desk.legs)}
        yield from pull(desk, ends)
        self.x += shift * math.cos(desk.attitude.heading)
        self.y += shift * math.sin(desk.attitude.heading)
        check_lift(desk, legs, least)

    def _helpful_shift(self, legs: Sequence[int], least: float) -> float:
        """Return the least shift ahead that gives a margin, else the best one [m]."""
        desk = self.desk
        views = desk.legs
        if any(abs(view.yaw) > STRAIGHT for view in views):
            return 0.0
        feet = [view.foot for view in views]
        best, found = desk.margin(without=legs), 0.0
        for shift in SHIFTS:
            tried = [moved(v.foot, v.yaw, -shift) for v in views]
            if not all(is_reachable(point, desk.leg_cfg) for point in tried):
                continue
            for view, point in zip(views, tried, strict=True):
                view.foot = point
            margin = desk.margin(without=legs)
            for view, foot in zip(views, feet, strict=True):
                view.foot = foot
            if margin > best + 1e-6:
                best, found = margin, shift
            if best >= least + SHIFT_GAIN:
                break
        return found if best >= least else 0.0


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


def gait_order(name: str) -> Sequence[Sequence[int]]:
    """Return the groups of a careful gait."""
    return ORDERS[name]


def _between(begin: Point, end: Point, share: float) -> Point:
    return (
        begin[0] + share * (end[0] - begin[0]),
        begin[1] + share * (end[1] - begin[1]),
        begin[2] + share * (end[2] - begin[2]),
    )
