"""Which foot goes next, and where: found by looking ahead.

On level ground an order of feet that repeats is best. On stones feet end up where they
find a hold, and soon the order asks for a foot that bears. So each step is chosen anew:
the next steps are searched with the feet as they stand, each lift with the weight over
the three others, and what comes after is valued by a table, see `step_values`. Only the
first step is done; where the feet then really stand the search begins again.

A leg has no joint that would move the torso sideways, so before each lift the torso can
only be shifted ahead or back. The weight moves with the legs: setting a foot ahead
brings it ahead, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.robots.amee.config import HIPS, NUM_LEGS
from gelenk.robots.amee.gaits.step_values import (
    DISCOUNT,
    EASY_EFFORT,
    EFFORT_COST,
    MAX_EFFORT,
    PLACES,
    SHIFT_COST,
    STEP_COST,
    STRAIN_COST,
    TABLE_DEPTH,
    balance,
    strain_of,
    value_table,
    worth_of,
)
from gelenk.typing import FloatArray, IntArray, Vec3

# Radii of feet are counted from the middle of their strokes.
MAX_RADIUS = 0.24  # [m], of a standing foot
MAX_AHEAD = 0.16  # [m], likewise ahead, where knees bear more
SHIFT_STEP, SHIFT_STEPS = 0.01, 24  # [m], shifts that are tried to both sides
SPARE = 0.005  # [m], margin over the least that a shift aims at
# Of each metre of margin that is missing to this one, over the least. Of lifts with 10
# to 20 mm one in five was given up on stones, of those with more than 40 mm one in 30.
MARGIN_COST, MARGIN_ENOUGH = 6.0, 0.03
SHARED_EFFORT = 8.0  # [N m], that legs share on four feet, compared with three
DEPTH = 3  # steps that are searched
BEAM, WIDE_BEAM = 48, 1024  # sequences that are kept; likewise to find a way out
NEAR_BAD = 0.025  # [m] around a place that did not do


@dataclass(frozen=True, slots=True, kw_only=True)
class Feet:
    """Feet and weight on a level map, torso's centre at its origin, x ahead.

    Attributes:
        radii: Of the feet along their directions, from their hips' axes [m], (4,).
        bases: Where each foot would bear with a radius of zero [m], (4, 2).
        directions: Unit vectors of the feet, (4, 2).
        new_bases: Likewise of feet that are placed anew [m], (4, 2).
        new_directions: Likewise, (4, 2).
        weight: Where the centre of mass is [m], (2,).
        pulls: How far it goes along with each foot's radius, (4,).
        middle: Radius under which feet stand best [m].
        ranges: Least and largest radius that each leg reaches [m], (4, 2).
        offsets: How far ahead of its centre each foot bears now, and may bear when it
            is placed anew [m], (2, 4).
        depths: Of its ankle below its hip now, and when it is placed anew [m], (2, 4).
    """

    radii: FloatArray
    bases: FloatArray
    directions: FloatArray
    new_bases: FloatArray
    new_directions: FloatArray
    weight: FloatArray
    pulls: FloatArray
    middle: float
    ranges: FloatArray
    offsets: FloatArray
    depths: FloatArray


class FreeStep(NamedTuple):
    """What to do next.

    Attributes:
        leg: To lift, index 0..3.
        shift: Of the torso ahead, before [m].
        radius: Where the foot is set, along its direction [m].
        margin: That the lift will have [m].
        worth: Of the whole sequence [m]; little if it leads nowhere.
    """

    leg: int
    shift: float
    radius: float
    margin: float
    worth: float


class _Beam(NamedTuple):
    """Sequences of steps that are kept, best first; each row is one.

    Attributes:
        radii: Of the feet after it [m], (n, 4).
        is_new: Which feet it has placed, (n, 4).
        last: The foot that it has placed last, (n,).
        sums: What it has gained and how far it has shifted the torso [m], (n, 2).
        first: Its first step as in `FreeStep`, leg -1: none, (n, 5).
    """

    radii: FloatArray
    is_new: IntArray
    last: IntArray
    sums: FloatArray
    first: FloatArray


def plan_step(
    feet: Feet,
    least: Sequence[float],
    bad: Sequence[tuple[int, float]] = (),
    last: int = -1,
    max_effort: float = MAX_EFFORT,
    beam: int = BEAM,
) -> FreeStep | None:
    """Return the first step of the best sequence; None if no foot may be lifted.

    Args:
        feet: Where they are.
        least: Margin that the lift of each leg must have [m].
        bad: Legs and radii, torso not shifted, where no foot shall be set [m].
        last: Leg that was placed just now, or -1; it is the next only if no other may.
        max_effort: That a knee may have to bear at a lift, or as the feet stand before
            and after it, should one of them hover [N m].
        beam: Sequences that are kept. With more of them steps are found that lead out
            of a bad stance, but also ones that only prepare for what never comes.
    """
    for avoided in (last, -1):
        leg, *rest = _search(
            feet.radii,
            _stance(feet),
            feet.middle,
            feet.ranges,
            max_effort,
            np.array(least, dtype=np.float64),
            np.array(bad, dtype=np.float64).reshape(-1, 2),
            avoided,
            np.array(PLACES),
            value_table(),
            beam,
        ).tolist()
        if leg >= 0.0:
            return FreeStep(int(leg), *rest)
    return None


def lift_balance(feet: Feet, leg: int, shift: float = 0.0) -> tuple[float, float]:
    """Return the margin that remains when a foot is lifted, and what legs bear then.

    Args:
        feet: Where they are.
        leg: Index 0..3.
        shift: Of the torso ahead, before [m].

    Returns:
        Margin [m], and the largest moment about a knee or hip of the others [N m].
    """
    is_new = np.zeros(NUM_LEGS, dtype=np.int64)
    margin, effort = balance(feet.radii, is_new, feet.radii, _stance(feet), leg, shift)
    return float(margin), float(effort)


def _stance(
    feet: Feet,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return what `balance` asks for: feet as they stand, and placed anew."""
    return (
        np.stack([feet.bases, feet.new_bases]),
        np.stack([feet.directions, feet.new_directions]),
        feet.weight,
        feet.pulls,
        feet.offsets,
        feet.depths,
    )


def warm_up() -> None:
    """Compile what a first plan would have to compile."""
    hips, ahead = np.array([hip[:2] for hip in HIPS]), np.zeros((NUM_LEGS, 2))
    feet = Feet(
        radii=np.zeros(NUM_LEGS),
        bases=hips,
        directions=ahead,
        new_bases=hips,
        new_directions=ahead,
        weight=np.zeros(2),
        pulls=np.zeros(NUM_LEGS),
        middle=0.0,
        ranges=np.zeros((NUM_LEGS, 2)),
        offsets=np.zeros((2, NUM_LEGS)),
        depths=np.full((2, NUM_LEGS), TABLE_DEPTH),
    )
    plan_step(feet, [0.0] * NUM_LEGS)


# -- the search ------------------------------------------------------------------------


@kernel
def _is_within(
    radii: FloatArray, middle: float, ranges: FloatArray, shift: float
) -> bool:
    """Return whether no foot gets too far out, or farther than it is."""
    for i in range(NUM_LEGS):
        low = max(middle - MAX_RADIUS, ranges[i, 0])
        high = min(middle + MAX_AHEAD, ranges[i, 1])
        if not min(low, radii[i]) <= radii[i] - shift <= max(high, radii[i]):
            return False
    return True


@kernel
def _standing_effort(
    radii: FloatArray,
    is_new: IntArray,
    begun: FloatArray,
    stance: tuple[
        FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray
    ],
    shift: float,
) -> float:
    """Return what a leg may have to bear on four feet, one of which hovers [N m].

    On stones one always may. Weight that legs can share is left out: what is returned
    compares with the effort of a lift.
    """
    worst = 0.0
    for leg in range(NUM_LEGS):
        margin, effort = balance(radii, is_new, begun, stance, leg, shift)
        if margin > 0.0:
            worst = max(worst, effort)
    return worst - SHARED_EFFORT


@kernel
def _lifts(
    radii: FloatArray,
    is_new: IntArray,
    begun: FloatArray,
    stance: tuple[
        FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray
    ],
    middle: float,
    ranges: FloatArray,
    max_effort: float,
    leg: int,
    least: float,
) -> tuple[Vec3, Vec3, Vec3]:
    """Return shifts with which a leg may be lifted, margins and what knees bear.

    Those of the nearest shift, of the farthest ahead, and of the one that costs
    least, margin against effort and way; NaN if there is none.
    """
    near, far, best = (np.nan, 0.0, 0.0), (np.nan, 0.0, 0.0), (np.nan, 0.0, 0.0)
    lowest = np.inf
    for k in range(2 * SHIFT_STEPS + 1):
        size = SHIFT_STEP * ((k + 1) // 2)
        shift = size if k % 2 == 1 else -size
        if k > 0 and not _is_within(radii, middle, ranges, shift):
            continue
        margin, effort = balance(radii, is_new, begun, stance, leg, shift)
        if effort > max_effort or margin < least + (SPARE if k > 0 else 0.0):
            continue
        standing = _standing_effort(radii, is_new, begun, stance, shift)
        if k > 0 and standing > max_effort:  # as it stands now it stands
            continue
        effort = max(effort, standing)
        if np.isnan(near[0]):
            near = (shift, margin, effort)
        if np.isnan(far[0]) or shift > far[0]:
            far = (shift, margin, effort)
        cost = MARGIN_COST * max(MARGIN_ENOUGH - margin + least, 0.0)
        cost += SHIFT_COST * size + EFFORT_COST * max(effort - EASY_EFFORT, 0.0)
        if cost < lowest:
            lowest, best = cost, (shift, margin, effort)
    return near, far, best


@kernel
def _search(
    radii: FloatArray,
    stance: tuple[
        FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray
    ],
    middle: float,
    ranges: FloatArray,
    max_effort: float,
    least: FloatArray,
    bad: FloatArray,
    last: int,
    places: FloatArray,
    table: FloatArray,
    width: int,
) -> FloatArray:
    """Return the first step as in `FreeStep`, leg -1: none.

    Step by step all ways to go on with the sequences that are kept are valued, and the
    best of them are kept.
    """
    room = width * NUM_LEGS * 3 * places.shape[0]
    parent = np.empty(room, dtype=np.int64)
    step, value = np.empty((room, 5)), np.empty((room, 2))  # gained, worth
    beam = _Beam(
        np.empty((width, NUM_LEGS)),
        np.zeros((width, NUM_LEGS), dtype=np.int64),
        np.full(width, last, dtype=np.int64),
        np.zeros((width, 2)),
        np.full((width, 5), -1.0),
    )
    beam.radii[0] = radii
    count = 1
    for depth in range(DEPTH):
        found = 0
        for b in range(count):
            for leg in range(NUM_LEGS):
                if leg == beam.last[b]:  # it could have gone there at once
                    continue
                near, far, best = _lifts(
                    beam.radii[b], beam.is_new[b], radii, stance, middle, ranges,
                    max_effort, leg, least[leg],
                )  # fmt: skip
                if np.isnan(near[0]):
                    continue
                for choice in range(3):
                    lift = near if choice == 0 else far if choice == 1 else best
                    if choice > 0 and lift[0] == near[0]:
                        continue
                    if choice > 1 and lift[0] == far[0]:
                        continue
                    begun = found
                    found = _land(
                        beam, b, radii, stance, middle, ranges, max_effort, leg, lift,
                        least[leg], bad, places, table, depth, step, value, found,
                    )  # fmt: skip
                    parent[begun:found] = b
        if found == 0:
            break
        count = min(found, width)
        order = np.argsort(-value[:found, 1], kind="mergesort")[:count]
        beam = _best(beam, order, parent, step, value, depth)
    return beam.first[0]


@kernel
def _land(
    beam: _Beam,
    b: int,
    begun: FloatArray,
    stance: tuple[
        FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray
    ],
    middle: float,
    ranges: FloatArray,
    max_effort: float,
    leg: int,
    lift: Vec3,
    least: float,
    bad: FloatArray,
    places: FloatArray,
    table: FloatArray,
    depth: int,
    step: FloatArray,
    value: FloatArray,
    found: int,
) -> int:
    """Write all places where a lifted foot may land; return how many there are now."""
    shift, margin, effort = lift
    radii, is_new, before = beam.radii[b], beam.is_new[b], beam.sums[b, 1]
    strain = STRAIN_COST * strain_of(radii, leg, middle + shift)
    toil = EFFORT_COST * max(effort - EASY_EFFORT, 0.0)
    landed, was_new = radii.copy(), is_new[leg]
    for place in places:
        radius = place + middle
        if not ranges[leg, 0] <= radius <= ranges[leg, 1]:
            continue
        if _is_bad(bad, leg, radius + shift + before):
            continue
        landed[leg] = radius + shift  # the weight goes with the foot
        after, _ = balance(landed, is_new, begun, stance, leg, shift)
        spare = min(margin, after) - least
        if spare < 0.0:
            continue
        is_new[leg] = 1
        standing = _standing_effort(landed, is_new, begun, stance, shift)
        is_new[leg] = was_new
        if standing > max_effort:
            continue
        gain = radius - (radii[leg] - shift) - STEP_COST - SHIFT_COST * abs(shift)
        gain = gain - strain - toil - MARGIN_COST * max(MARGIN_ENOUGH - spare, 0.0)
        step[found, 0], step[found, 1] = leg, shift
        step[found, 2], step[found, 3] = radius, spare + least
        value[found, 0] = beam.sums[b, 0] + DISCOUNT**depth * gain
        later = worth_of(landed, middle + shift, table)
        value[found, 1] = value[found, 0] + DISCOUNT ** (depth + 1) * later
        found += 1
    return found


@kernel
def _best(
    beam: _Beam,
    order: IntArray,
    parent: IntArray,
    step: FloatArray,
    value: FloatArray,
    depth: int,
) -> _Beam:
    """Return the sequences that are kept, each with one more step."""
    width = beam.last.shape[0]
    radii, is_new = np.empty((width, NUM_LEGS)), np.empty((width, NUM_LEGS), np.int64)
    last, sums = np.empty(width, np.int64), np.empty((width, 2))
    first = np.empty((width, 5))
    for k in range(order.shape[0]):
        n = order[k]
        b, leg = parent[n], int(step[n, 0])
        radii[k] = beam.radii[b] - step[n, 1]
        radii[k, leg] = step[n, 2]
        is_new[k] = beam.is_new[b]
        is_new[k, leg] = 1
        last[k] = leg
        sums[k, 0], sums[k, 1] = value[n, 0], beam.sums[b, 1] + step[n, 1]
        first[k] = step[n] if depth == 0 else beam.first[b]
        first[k, 4] = value[n, 1]
    return _Beam(radii, is_new, last, sums, first)


@kernel
def _is_bad(bad: FloatArray, leg: int, there: float) -> bool:
    """Return whether a place is among those that did not do."""
    for k in range(bad.shape[0]):
        if int(bad[k, 0]) == leg and abs(bad[k, 1] - there) < NEAR_BAD:
            return True
    return False
