"""Before a foot is lifted: is the weight over the others? If not, shift the torso."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from gelenk.robots.amee.coordinator.balance import Point, centre_of_mass
from gelenk.robots.amee.coordinator.desk import Desk, Plan, UnsafeError
from gelenk.robots.amee.gaits.posture import is_reachable, moved, radius_of

STRAIGHT = math.radians(25.0)  # [rad], yaws up to which the torso may shift ahead
SHIFTS = tuple(sign * 0.01 * k for k in range(1, 26) for sign in (1, -1))  # [m]
MAX_RADIUS = 0.20  # [m], of a foot from the middle of its strokes after a shift
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
    feet = [view.foot for view in desk.legs]
    shift, margin = best_shift(desk, legs, feet, least)
    return shift if margin >= least - SLACK else 0.0


def best_shift(
    desk: Desk,
    legs: Sequence[int],
    feet: Sequence[Point],
    least: float,
    toes: Sequence[int] | None = None,
) -> tuple[float, float]:
    """Return the shift ahead with the best margin, or the least that does [m].

    Args:
        desk: What is known.
        legs: That shall be lifted.
        feet: Where all feet are, or would be, legs' frames [m].
        least: Margin with which we are content [m].
        toes: Bits of the toes that would bear; by default those that are pressed.

    Returns:
        The shift, and the margin after it.
    """
    yaws = [view.yaw for view in desk.legs]
    found, best = 0.0, desk.margin_at(feet, without=legs, toes=toes)
    middle = lean_offset(desk, mean_height(desk))
    if any(abs(yaw) > STRAIGHT for yaw in yaws):
        return found, best
    for shift in SHIFTS:
        ends = [moved(foot, yaw, -shift) for foot, yaw in zip(feet, yaws, strict=True)]
        if not all(is_reachable(end, desk.leg_cfg) for end in ends):
            continue
        if _strains(feet, ends, yaws, middle):
            continue
        margin = desk.margin_at(ends, without=legs, toes=toes)
        if margin > best + 1e-6:
            best, found = margin, shift
        if best >= least + SHIFT_GAIN:
            break
    return found, best


def mean_height(desk: Desk) -> float:
    """Return the height of the hips over the soles [m]."""
    return -sum(view.foot[1] for view in desk.legs) / len(desk.legs)


def lean_offset(desk: Desk, height: float) -> float:
    """Return how far ahead the weight comes over the ground as the torso leans [m].

    Args:
        desk: What is known.
        height: Of the hips over the ground [m].
    """
    feet = [view.foot for view in desk.legs]
    _, _, z = centre_of_mass(feet, desk.leg_cfg.geometry)
    up = desk.attitude.up
    return -(z + height) * up[0] / up[2]


def _strains(
    feet: Sequence[Point],
    ends: Sequence[Point],
    yaws: Sequence[float],
    middle: float,
) -> bool:
    """Return whether a foot would get too far from the middle, farther than it is."""

    def farthest(points: Sequence[Point]) -> float:
        pairs = zip(points, yaws, strict=True)
        return max(abs(radius_of(point, yaw) - middle) for point, yaw in pairs)

    return farthest(ends) > max(farthest(feet), MAX_RADIUS)


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
