"""A torso set right on four feet: feet that hover go down, then it is levelled.

On stones a foot may stand between its toes, so that none of them is pressed, or hover.
What the torso does when such a foot moves tells which.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gelenk.robots.amee import config
from gelenk.robots.amee.config import TOES_FRONT, TOES_REAR
from gelenk.robots.amee.coordinator.balance import Point, Up
from gelenk.robots.amee.coordinator.desk import Plan
from gelenk.robots.amee.gaits.posture import (
    between,
    ground_slope,
    largest_share,
    levelling,
    moved,
)
from gelenk.robots.amee.gaits.step import LOCATE_LEAN, lean_towards, locate
from gelenk.robots.amee.gaits.survey import survey

if TYPE_CHECKING:
    from gelenk.robots.amee.gaits.walker import Walker

BAD_LEAN = math.radians(3.5)  # beyond which only legs of the high side level it
MAX_HELD = 0.020  # [m], that one part of levelling brings the torso back to its place
MAX_BLIND = 0.060  # [m], that a foot which feels nothing is drawn up to level the torso
# Drawn up so much, a foot that bears lets its corner of the torso come down by half.
LEAST_DRAWN, FOLLOWED = 0.004, 0.15  # [m], share of its way that tells
EASED = 0.7  # of what a foot has lifted its corner in vain that is let down again
MAX_RISEN = math.radians(0.7)  # of a corner whose foot bears between its toes


def set_down(walker: Walker, lifted: Sequence[int] = ()) -> Plan:
    """Let feet that hover feel for the ground below them.

    Args:
        walker: Who walks.
        lifted: Indices of the feet that are lifted next and may hover.
    """
    desk = walker.desk
    yield from survey(desk)
    for other in desk.standing(lifted):
        # pressed down, a foot on the high side would tip the torso farther
        if leans_badly(walker) and raised(walker, other) > 0.0:
            continue
        toes = desk.legs[other].toes
        if not toes and not props(walker, other):
            desk.journal.decide(
                "feels no ground where it should stand: goes down to it", other
            )
            lifts = yield from locate(desk, other)
            if lifts and walker.cfg.plans_steps:
                yield from _ease(walker, other)
        elif walker.cfg.lays_soles and not (toes & TOES_FRONT and toes & TOES_REAR):
            desk.journal.decide("stands on one end of its sole: lays it down", other)
            yield from locate(desk, other)
    yield from survey(desk)


def leans_badly(walker: Walker) -> bool:
    """Return whether a torso leans so much that legs of its low side bear too much."""
    attitude = walker.desk.attitude
    pitch = attitude.pitch if walker.cfg.plans_steps else 0.0  # slopes have some
    return max(abs(attitude.roll), abs(pitch)) > BAD_LEAN


def raised(walker: Walker, leg: int) -> float:
    """Return by how much the corner of a leg is higher than others [rad]."""
    x, y, _ = config.HIPS[leg]
    ahead, left, _ = walker.desk.attitude.up
    if not walker.cfg.plans_steps:
        x = 0.0
    return (ahead * x + left * y) / math.hypot(x, y)


def props(walker: Walker, leg: int) -> bool:
    """Return whether a foot that feels nothing is known to bear all the same."""
    then = walker.propped.get(leg)
    if then is None or walker.desk.legs[leg].toes:
        return False
    return lean_towards(leg, then, walker.desk.attitude.up) > -MAX_RISEN


def _ease(walker: Walker, leg: int) -> Plan:
    """Let the corner down that a foot has lifted without a toe: the foot bears.

    It is not asked again as long as its corner stays where it is: each time it would
    lift the torso farther.
    """
    desk = walker.desk
    desk.journal.decide("lifts the torso: it stands between its toes", leg)
    yield from survey(desk, (leg,))
    view = desk.legs[leg]
    x, y, _ = config.HIPS[leg]
    up = EASED * LOCATE_LEAN * math.hypot(x, y)
    yield from walker.carry({leg: moved(view.foot, view.yaw, 0.0, up)})
    walker.propped[leg] = desk.attitude.up


def level_out(walker: Walker, badly: float) -> Plan:
    """Set height and level right on the feet that stand, if the torso lies badly.

    Args:
        walker: Who walks.
        badly: Error of one foot's height that is worth it [m].
    """
    change = height_changes(walker)
    worst = max((abs(dy) for dy in change.values()), default=0.0)
    if worst < badly or walker.is_tired:
        return
    desk, cfg = walker.desk, walker.cfg
    home = desk.way.x
    desk.journal.note("torso is levelled before the next lift")
    parts = math.ceil(worst / cfg.level_part)
    for part in range(parts):
        remaining: float = parts
        if part and cfg.plans_steps:  # on stones little comes as planned
            change = height_changes(walker)
            worst = max((abs(dy) for dy in change.values()), default=0.0)
            if worst == 0.0:
                return
            remaining = max(parts - part, worst / cfg.level_part)
        before, ends = desk.attitude.up, _raised(walker, change, remaining, home)
        ways = {leg: end[1] - desk.legs[leg].foot[1] for leg, end in ends.items()}
        yield from walker.carry(ends)
        if cfg.plans_steps:
            yield from _put_back_hovering(walker, ways, before)


def _put_back_hovering(walker: Walker, ways: Mapping[int, float], before: Up) -> Plan:
    """Put back feet that feel nothing if the torso stayed as they were drawn up.

    They hover: drawn up they level nothing, and are missing when the torso rolls.

    Args:
        walker: Who walks.
        ways: How far feet were drawn up [m], by leg.
        before: Where the sky was before, torso's axes.
    """
    desk = walker.desk
    hovering: dict[int, Point] = {}
    for leg, way in ways.items():
        view = desk.legs[leg]
        x, y, _ = config.HIPS[leg]
        down = lean_towards(leg, before, desk.attitude.up) * math.hypot(x, y)
        stays = abs(down) < FOLLOWED * way  # leaning away, others give in: no sign
        if way >= LEAST_DRAWN and not view.toes and stays:
            hovering[leg] = moved(view.foot, view.yaw, 0.0, -way)
            # no farther up from there
            walker.felt[leg] = hovering[leg][1] - MAX_BLIND
            walker.propped.pop(leg, None)
            desk.journal.decide("hovers: put back, the torso does not follow", leg)
    if hovering:
        yield from walker.carry(hovering)


def _raised(
    walker: Walker, change: Mapping[int, float], parts: float, home: float
) -> dict[int, Point]:
    """Return where feet shall be after a part of levelling [m].

    Args:
        walker: Who walks.
        change: How far each foot goes up in all [m], by leg.
        parts: Into which that way is divided.
        home: Where the torso was along the way when levelling began [m].
    """
    desk = walker.desk
    # on bent knees the torso falls back a little with each part
    along = desk.way.x - home if walker.cfg.plans_steps else 0.0
    along = max(-MAX_HELD, min(MAX_HELD, along))
    ends: dict[int, Point] = {}
    for leg, dy in change.items():
        begin = desk.legs[leg].foot
        end = moved(begin, desk.legs[leg].yaw, along, dy / parts)
        possible = largest_share([begin], [end], desk.leg_cfg)
        ends[leg] = between(begin, end, possible)
    return ends


def height_changes(walker: Walker) -> dict[int, float]:
    """Return by how much feet go up so that height and level are right [m], by leg."""
    desk, cfg = walker.desk, walker.cfg
    feet = {leg: desk.legs[leg].foot for leg in desk.standing()}
    for leg, foot in feet.items():
        if desk.legs[leg].toes:
            walker.felt[leg] = foot[1]
    height = -ground_slope(feet)[0] if len(feet) > 2 else walker.height
    is_bad = leans_badly(walker) and height > walker.height - cfg.max_squat
    # three legs that bear everything cannot push the torso up
    is_bad = is_bad or (cfg.plans_steps and len(feet) == 3)
    change = levelling(
        feet,
        height if is_bad else walker.height,
        cfg.level_limit,
        pitch=desk.attitude.pitch,
        roll=desk.attitude.roll,
        follow=cfg.follow_slope,
    )
    if max(abs(dy) for dy in change.values()) < cfg.level_dead_band:
        return {}
    if is_bad:  # legs on the low side bear much: the others give in
        lowest = min(change.values())
        change = {leg: dy - lowest for leg, dy in change.items()}
    return _bounded(walker, change) if cfg.plans_steps else change


def _bounded(walker: Walker, change: Mapping[int, float]) -> dict[int, float]:
    """Return changes of height with which no foot is drawn far from its ground [m].

    A foot whose toes are open may stand between them, and then the torso comes down
    with it; or it hovers, and then it would be missed when the torso rolls over.
    """
    bounded = dict(change)
    for leg, dy in change.items():
        view = walker.desk.legs[leg]
        if dy > 0.0 and not view.toes:
            most = walker.felt[leg] + MAX_BLIND - view.foot[1]
            bounded[leg] = min(dy, max(0.0, most))
    return bounded
