"""Before a foot is lifted: is the weight over the others? If not, shift the torso."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from gelenk.robots.amee.coordinator.balance import Point, estimated_margin
from gelenk.robots.amee.coordinator.desk import Desk, Plan, UnsafeError
from gelenk.robots.amee.gaits.posture import is_reachable, moved

STRAIGHT = math.radians(25.0)  # [rad], yaws up to which the torso may shift ahead
SHIFTS = tuple(sign * 0.01 * k for k in range(1, 15) for sign in (1, -1))  # [m]
MAX_SHIFTS = 3  # before one lift
SLACK = 0.010  # [m], that may be missing where shifts have done what they can
SHIFT_GAIN = 0.005  # [m] over the least margin that a shift aims at


def helpful_shift(desk: Desk, legs: Sequence[int], least: float) -> float:
    """Return the least shift of the torso ahead after which legs may be lifted [m].

    Zero if none helps, or if the feet point in too many directions.

    Args:
        desk: What is known.
        legs: That shall be lifted.
        least: Margin that must remain [m].
    """
    views = desk.legs
    if any(abs(view.yaw) > STRAIGHT for view in views):
        return 0.0
    yaws = [view.yaw for view in views]
    standing = desk.standing(legs)

    def margin_of(feet: list[Point]) -> float:
        up, geometry = desk.attitude.up, desk.leg_cfg.geometry
        return estimated_margin(feet, yaws, standing, up, geometry, desk.pad_share)

    best, found = margin_of([view.foot for view in views]), 0.0
    for shift in SHIFTS:
        feet = [moved(view.foot, view.yaw, -shift) for view in views]
        if not all(is_reachable(point, desk.leg_cfg) for point in feet):
            continue
        margin = margin_of(feet)
        if margin > best + 1e-6:
            best, found = margin, shift
        if best >= least + SHIFT_GAIN:
            break
    return found if best >= least else 0.0


def make_safe(
    desk: Desk,
    legs: Sequence[int],
    least: float,
    carry: Callable[[Mapping[int, Point]], Plan],
) -> Plan:
    """See that some legs may be lifted; shift the torso if that helps.

    Args:
        desk: What is known.
        legs: That shall be lifted.
        least: Margin that must remain [m].
        carry: Moves standing feet to points of their legs' frames [m].

    Raises:
        UnsafeError: If nothing helps.
    """
    names = " and ".join(str(leg + 1) for leg in legs)
    for _ in range(MAX_SHIFTS):
        margin = desk.margin(without=legs)
        if margin >= least:
            return
        shift = helpful_shift(desk, legs, least)
        if shift == 0.0:
            break
        desk.journal.decide(
            f"torso shifts by {shift * 1e3:+.0f} mm before leg {names} is lifted: "
            f"only {margin * 1e3:.0f} mm would remain"
        )
        views = desk.legs
        yield from carry(
            {i: moved(views[i].foot, views[i].yaw, -shift) for i in desk.standing()}
        )
    margin = desk.margin(without=legs)
    if margin < least - SLACK:
        raise UnsafeError(legs[0], margin)
