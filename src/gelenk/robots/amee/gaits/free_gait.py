"""Which foot goes next, and where: found by looking ahead.

On level ground an order of feet that repeats is best. On stones feet end up where they
find a hold, and soon the order asks for a foot that bears. So each step is chosen anew:
the next steps are searched with the feet as they stand, each lift with the weight over
the three others, and what comes after is valued by a table. Only the first step is
done; where the feet then really stand the search begins again.

The table holds what all further steps of a robot on even ground are worth from feet at
given places, by value iteration: it knows from which places no way leads on.

A leg has no joint that would move the torso sideways, so before each lift the torso can
only be shifted ahead or back. The weight moves with the legs: setting a foot ahead
brings it ahead, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gelenk.core.kernels.compile import kernel
from gelenk.core.typing import FloatArray
from gelenk.robots.amee.config import (
    COM_OFFSET,
    HIPS,
    LINK_MASSES,
    NUM_LEGS,
    ROBOT_MASS,
    LegGeometry,
)

# Radii of feet are counted from the middle of their strokes.
MAX_RADIUS = 0.24  # [m], of a standing foot
MAX_AHEAD = 0.20  # [m], likewise ahead, where knees bear more
# What a knee or hip bears while a foot is lifted. Drives give 42 N m; friction at the
# feet takes some of it.
MAX_EFFORT, EASY_EFFORT = 46.0, 34.0  # [N m]
WEIGHT = 9.81 * ROBOT_MASS  # [N]
FOOT = 9.81 * LINK_MASSES[3]  # [N], that no joint bears
THIGH, SHANK = LegGeometry().thigh, LegGeometry().shank  # [m]
TOE_AHEAD = LegGeometry().toe_ahead  # [m]
PLACES = tuple(0.01 * k for k in range(-16, 17, 4))  # [m], where feet are set
SHIFT_STEP, SHIFT_STEPS = 0.01, 24  # [m], shifts that are tried to both sides
SPARE = 0.005  # [m], margin over the least that a shift aims at
EASY_RADIUS = 0.16  # [m], beyond which a standing foot strains its drives
# What steps are worth: the ways of feet [m], less what takes time or is risky.
STEP_COST = 0.04  # [m], of each step
SHIFT_COST = 0.2  # of each metre of shift
STRAIN_COST = 1.0  # of each metre that a foot stands farther out at a lift
EFFORT_COST = 0.006  # [m], of each newton metre that a knee bears beyond what is easy
MARGIN_WORTH, MARGIN_ENOUGH = 1.0, 0.03  # of each metre over the least; so much at most
DISCOUNT = 0.96  # what each later step counts less
DEPTH, BEAM = 3, 48  # steps that are searched, sequences that are kept
CELL, NUM_CELLS = 0.04, 13  # [m], of the table: radii up to `MAX_RADIUS`
SWEEPS = 150  # of value iteration
TABLE_MARGIN = 0.030  # [m], that lifts in the table keep
TABLE_DEPTH = 0.4575  # [m], of ankles below hips in it
PULL = 0.058  # [1], how far the weight goes along with a foot
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


def plan_step(
    feet: Feet,
    least: Sequence[float],
    bad: Sequence[tuple[int, float]] = (),
    last: int = -1,
    max_effort: float = MAX_EFFORT,
) -> FreeStep | None:
    """Return the first step of the best sequence; None if no foot may be lifted.

    Args:
        feet: Where they are.
        least: Margin that the lift of each leg must have [m].
        bad: Legs and radii, torso not shifted, where no foot shall be set [m].
        last: Leg that was placed just now, or -1; it is the next only if no other may.
        max_effort: That a knee may have to bear [N m].
    """
    for avoided in (last, -1):
        leg, *rest = _search(
            feet.radii,
            np.stack([feet.bases, feet.new_bases]),
            np.stack([feet.directions, feet.new_directions]),
            feet.weight,
            feet.pulls,
            feet.middle,
            feet.ranges,
            feet.offsets,
            feet.depths,
            max_effort,
            np.array(least, dtype=np.float64),
            np.array(bad, dtype=np.float64).reshape(-1, 2),
            avoided,
            np.array(PLACES),
            value_table(),
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
    margin, effort = _balance(
        feet.radii,
        np.zeros(NUM_LEGS, dtype=np.int64),
        feet.radii,
        np.stack([feet.bases, feet.new_bases]),
        np.stack([feet.directions, feet.new_directions]),
        feet.weight,
        feet.pulls,
        feet.offsets,
        feet.depths,
        leg,
        shift,
    )
    return float(margin), float(effort)


def may_shift(feet: Feet, shift: float) -> bool:
    """Return whether no foot gets too far out by a shift of the torso.

    Args:
        feet: Where they are.
        shift: Ahead [m].
    """
    return bool(_is_within(feet.radii, feet.middle, feet.ranges, shift))


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


@lru_cache(maxsize=1)
def value_table() -> FloatArray:
    """Return what further steps are worth from feet in given cells, (13**4,)."""
    hips = np.array([hip[:2] for hip in HIPS])
    bases = np.stack([hips, hips])
    directions = np.zeros((2, NUM_LEGS, 2))
    directions[..., 0] = 1.0
    weight = np.array([COM_OFFSET, 0.0])
    return _iterate(bases, directions, weight, np.full(NUM_LEGS, PULL))


@kernel
def _lever(radius, depth):
    """Return how far a foot's centre is ahead of its knee [m]."""
    ahead = radius - TOE_AHEAD
    length = min(math.hypot(ahead, depth), THIGH + SHANK - 1e-6)
    along = (THIGH**2 - SHANK**2 + length**2) / (2.0 * length)
    aside = math.sqrt(max(THIGH**2 - along**2, 0.0))
    return radius - (along * ahead - aside * depth) / length


@kernel
def _balance(
    radii, is_new, begun, bases, directions, weight, pulls, offsets, depths, leg, shift
):
    """Return the margin of the weight on three feet, and what their legs bear.

    These are the signed distance to the nearest side, and the largest moment about one
    of their knees and hips. Each foot bears the share that keeps the balance. What
    friction between feet and ground may add is left out.
    """
    cx, cy = weight[0], weight[1]
    for i in range(NUM_LEGS):
        way = radii[i] - shift - begun[i]
        cx += pulls[i] * way * directions[is_new[i], i, 0]
        cy += pulls[i] * way * directions[is_new[i], i, 1]
    nearest, total = np.inf, 0.0
    shares = np.zeros(NUM_LEGS)
    for k in range(1, NUM_LEGS):  # hips are numbered anticlockwise
        i, j = (leg + k) % NUM_LEGS, (leg + k % 3 + 1) % NUM_LEGS
        ax = bases[is_new[i], i, 0] + (radii[i] - shift) * directions[is_new[i], i, 0]
        ay = bases[is_new[i], i, 1] + (radii[i] - shift) * directions[is_new[i], i, 1]
        bx = bases[is_new[j], j, 0] + (radii[j] - shift) * directions[is_new[j], j, 0]
        by = bases[is_new[j], j, 1] + (radii[j] - shift) * directions[is_new[j], j, 1]
        ex, ey = bx - ax, by - ay
        area = ex * (cy - ay) - ey * (cx - ax)
        nearest = min(nearest, area / max(math.hypot(ex, ey), 1e-9))
        shares[(leg + (k % 3 + 1) % 3 + 1) % NUM_LEGS] = area
        total += area
    effort = 0.0
    for i in range(NUM_LEGS):
        if i != leg and total > 1e-9:
            force = WEIGHT * max(shares[i] / total, 0.0) - FOOT
            radius, offset = radii[i] - shift, offsets[is_new[i], i]
            knee = abs(_lever(radius, depths[is_new[i], i]) + offset)
            effort = max(effort, force * max(knee, abs(radius + offset)))
    return nearest, effort


@kernel
def _strain(radii, leg, middle):
    """Return how far feet other than one are beyond where they stand easily [m]."""
    total = 0.0
    for i in range(NUM_LEGS):
        if i != leg:
            total += max(abs(radii[i] - middle) - EASY_RADIUS, 0.0)
    return total


# -- the table -------------------------------------------------------------------------


@kernel
def _radii_of(state, radii):
    """Write the radii of a state of the table."""
    for i in range(NUM_LEGS):
        radii[NUM_LEGS - 1 - i] = (state % NUM_CELLS - NUM_CELLS // 2) * CELL
        state //= NUM_CELLS


@kernel
def _iterate(bases, directions, weight, pulls):
    """Return the table: sweeps of lifts and of shifts until little changes."""
    count = NUM_CELLS**NUM_LEGS
    strides = np.array([NUM_CELLS**3, NUM_CELLS**2, NUM_CELLS, 1])
    zeros, is_new = np.zeros(NUM_LEGS), np.zeros(NUM_LEGS, dtype=np.int64)
    radii, offsets = np.empty(NUM_LEGS), np.zeros((2, NUM_LEGS))
    depths = np.full((2, NUM_LEGS), TABLE_DEPTH)
    may, strain = np.empty((count, NUM_LEGS), dtype=np.bool_), np.empty((count, 4))
    for state in range(count):
        _radii_of(state, radii)
        for leg in range(NUM_LEGS):
            margin, effort = _balance(
                radii, is_new, zeros, bases, directions, weight, pulls, offsets, depths,
                leg, 0.0,
            )  # fmt: skip
            may[state, leg] = margin >= TABLE_MARGIN and effort <= MAX_EFFORT
            strain[state, leg] = STRAIN_COST * _strain(radii, leg, 0.0)
            strain[state, leg] += EFFORT_COST * max(effort - EASY_EFFORT, 0.0)
    value = np.zeros(count)
    lifted = np.empty(count)
    farthest = round(PLACES[-1] / CELL) + NUM_CELLS // 2
    nearest = NUM_CELLS - 1 - farthest
    together = int(strides.sum())
    for _ in range(SWEEPS):
        for state in range(count):
            best = -1.0  # a state from which no foot may be lifted
            for leg in range(NUM_LEGS):
                if not may[state, leg]:
                    continue
                cell = state // strides[leg] % NUM_CELLS
                for place in range(nearest, farthest + 1):
                    there = state + (place - cell) * strides[leg]
                    if place == cell or not may[there, leg]:
                        continue
                    gain = (place - cell) * CELL - STEP_COST - strain[state, leg]
                    best = max(best, gain + DISCOUNT * value[there])
            lifted[state] = best
        for state in range(count):
            low, high = NUM_CELLS, 0
            for leg in range(NUM_LEGS):
                cell = state // strides[leg] % NUM_CELLS
                low, high = min(low, cell), max(high, cell)
            best = -1.0
            for shift in range(high - NUM_CELLS + 1, low + 1):
                cost = SHIFT_COST * CELL * abs(shift)
                best = max(best, lifted[state - shift * together] - cost)
            value[state] = best
    return value


@kernel
def _worth(radii, middle, table):
    """Return what further steps are worth: the table between its entries."""
    first = 0
    shares = np.empty(NUM_LEGS)
    for i in range(NUM_LEGS):
        place = (radii[i] - middle) / CELL + NUM_CELLS // 2
        place = min(max(place, 0.0), NUM_CELLS - 1.001)
        cell = int(place)
        shares[i] = place - cell
        first = first * NUM_CELLS + cell
    total = 0.0
    for corner in range(2**NUM_LEGS):
        share, state, stride = 1.0, first, NUM_CELLS**3
        for i in range(NUM_LEGS):
            is_upper = corner >> i & 1
            share *= shares[i] if is_upper else 1.0 - shares[i]
            state += is_upper * stride
            stride //= NUM_CELLS
        total += share * table[state]
    return total


# -- the search ------------------------------------------------------------------------


@kernel
def _is_within(radii, middle, ranges, shift):
    """Return whether no foot gets too far out, or farther than it is."""
    for i in range(NUM_LEGS):
        low = max(middle - MAX_RADIUS, ranges[i, 0])
        high = min(middle + MAX_AHEAD, ranges[i, 1])
        if not min(low, radii[i]) <= radii[i] - shift <= max(high, radii[i]):
            return False
    return True


@kernel
def _lifts(
    radii, is_new, begun, bases, directions, weight, pulls, middle, ranges, offsets,
    depths, max_effort, leg, least,
):  # fmt: skip
    """Return shifts with which a leg may be lifted, margins and what knees bear.

    Those of the nearest shift, and of the farthest ahead; NaN if there is none.
    """
    near, far = (np.nan, 0.0, 0.0), (np.nan, 0.0, 0.0)
    for k in range(2 * SHIFT_STEPS + 1):
        size = SHIFT_STEP * ((k + 1) // 2)
        shift = size if k % 2 == 1 else -size
        if k > 0 and not _is_within(radii, middle, ranges, shift):
            continue
        margin, effort = _balance(
            radii, is_new, begun, bases, directions, weight, pulls, offsets, depths,
            leg, shift,
        )  # fmt: skip
        if effort > max_effort or margin < least + (SPARE if k > 0 else 0.0):
            continue
        if np.isnan(near[0]):
            near = (shift, margin, effort)
        if np.isnan(far[0]) or shift > far[0]:
            far = (shift, margin, effort)
    return near, far


@kernel
def _search(
    radii, bases, directions, weight, pulls, middle, ranges, offsets, depths,
    max_effort, least, bad, last, places, table,
):  # fmt: skip
    """Return the first step as in `FreeStep`, leg -1: none."""
    room = BEAM * NUM_LEGS * 2 * places.shape[0]
    beam_radii = np.empty((BEAM, NUM_LEGS))
    beam_new = np.zeros((BEAM, NUM_LEGS), dtype=np.int64)
    beam_value = np.zeros((BEAM, 2))  # gained, shifted
    beam_first = np.full((BEAM, 5), -1.0)
    beam_last = np.full(BEAM, last, dtype=np.int64)
    beam_radii[0] = radii
    count = 1
    parent = np.empty(room, dtype=np.int64)
    step = np.empty((room, 5))
    gained, worth = np.empty(room), np.empty(room)
    landed = np.empty(NUM_LEGS)
    for depth in range(DEPTH):
        found = 0
        for b in range(count):
            for leg in range(NUM_LEGS):
                if leg == beam_last[b]:  # it could have gone there at once
                    continue
                near, far = _lifts(
                    beam_radii[b], beam_new[b], radii, bases, directions, weight,
                    pulls, middle, ranges, offsets, depths, max_effort, leg, least[leg],
                )  # fmt: skip
                if np.isnan(near[0]):
                    continue
                for choice in range(1 if far[0] <= near[0] else 2):
                    shift, margin, effort = near if choice == 0 else far
                    landed[:] = beam_radii[b]
                    for place in places:
                        radius = place + middle
                        if not ranges[leg, 0] <= radius <= ranges[leg, 1]:
                            continue
                        if _is_bad(bad, leg, radius + shift + beam_value[b, 1]):
                            continue
                        landed[leg] = radius + shift  # the weight goes with the foot
                        after, _ = _balance(
                            landed, beam_new[b], radii, bases, directions, weight,
                            pulls, offsets, depths, leg, shift,
                        )  # fmt: skip
                        spare = min(margin, after) - least[leg]
                        if spare < 0.0:
                            continue
                        gain = (
                            radius
                            - (beam_radii[b, leg] - shift)
                            - STEP_COST
                            - SHIFT_COST * abs(shift)
                            - STRAIN_COST * _strain(beam_radii[b], leg, middle + shift)
                            - EFFORT_COST * max(effort - EASY_EFFORT, 0.0)
                            + MARGIN_WORTH * min(spare, MARGIN_ENOUGH)
                        )
                        parent[found] = b
                        step[found, 0], step[found, 1] = leg, shift
                        step[found, 2], step[found, 3] = radius, spare + least[leg]
                        gained[found] = beam_value[b, 0] + DISCOUNT**depth * gain
                        worth[found] = gained[found] + DISCOUNT ** (depth + 1) * _worth(
                            landed, middle + shift, table
                        )
                        found += 1
        if found == 0:
            break
        next_radii = np.empty((BEAM, NUM_LEGS))
        next_new = np.zeros((BEAM, NUM_LEGS), dtype=np.int64)
        next_value = np.zeros((BEAM, 2))
        next_first = np.empty((BEAM, 5))
        next_last = np.empty(BEAM, dtype=np.int64)
        count = min(found, BEAM)
        order = np.argsort(-worth[:found], kind="mergesort")
        for k in range(count):
            n = order[k]
            b, leg = parent[n], int(step[n, 0])
            next_radii[k] = beam_radii[b] - step[n, 1]
            next_radii[k, leg] = step[n, 2]
            next_new[k] = beam_new[b]
            next_new[k, leg] = 1
            next_last[k] = leg
            next_value[k, 0] = gained[n]
            next_value[k, 1] = beam_value[b, 1] + step[n, 1]
            next_first[k] = step[n] if depth == 0 else beam_first[b]
            next_first[k, 4] = worth[n]
        beam_radii, beam_new, beam_value = next_radii, next_new, next_value
        beam_first, beam_last = next_first, next_last
    return beam_first[0]


@kernel
def _is_bad(bad, leg, there):
    """Return whether a place is among those that did not do."""
    for k in range(bad.shape[0]):
        if int(bad[k, 0]) == leg and abs(bad[k, 1] - there) < NEAR_BAD:
            return True
    return False
