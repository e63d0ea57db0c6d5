"""What a lift asks of the legs that stand, and what further steps are worth.

The table holds what all further steps of a robot on even ground are worth from feet at
given places, by value iteration: it knows from which places no way leads on. Radii of
feet are counted from the middle of their strokes.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.robots.amee.config import (
    COM_OFFSET,
    HIPS,
    LINK_MASSES,
    NUM_LEGS,
    ROBOT_MASS,
    LegGeometry,
)
from gelenk.typing import FloatArray, IntArray, Vec2

# What a knee or hip bears while a foot is lifted. Drives give 42 N m; friction at the
# feet takes some of it. Of lifts beyond 44 N m every sixth was given up.
MAX_EFFORT, EASY_EFFORT = 44.0, 34.0  # [N m]
WEIGHT = 9.81 * ROBOT_MASS  # [N]
FOOT = 9.81 * LINK_MASSES[3]  # [N], that no joint bears
THIGH, SHANK = LegGeometry().thigh, LegGeometry().shank  # [m]
TOE_AHEAD = LegGeometry().toe_ahead  # [m]
EASY_RADIUS = 0.16  # [m], beyond which a standing foot strains its drives
PLACES = tuple(0.01 * k for k in range(-16, 17, 2))  # [m], where feet are set
# What steps are worth: the ways of feet [m], less what takes time or is risky.
STEP_COST = 0.04  # [m], of each step
SHIFT_COST = 0.2  # of each metre of shift
STRAIN_COST = 1.0  # of each metre that a foot stands farther out at a lift
EFFORT_COST = 0.006  # [m], of each newton metre that a leg bears beyond what is easy
DISCOUNT = 0.96  # what each later step counts less
CELL, NUM_CELLS = 0.04, 13  # [m], of the table: radii up to 0.24 m
SWEEPS = 150  # of value iteration
TABLE_MARGIN = 0.030  # [m], that lifts in the table keep
TABLE_DEPTH = 0.4575  # [m], of ankles below hips in it
PULL = 0.058  # [1], how far the weight goes along with a foot


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
def _lever(radius: float, depth: float) -> float:
    """Return how far a foot's centre is ahead of its knee [m]."""
    ahead = radius - TOE_AHEAD
    length = min(math.hypot(ahead, depth), THIGH + SHANK - 1e-6)
    along = (THIGH**2 - SHANK**2 + length**2) / (2.0 * length)
    aside = math.sqrt(max(THIGH**2 - along**2, 0.0))
    return radius - (along * ahead - aside * depth) / length


@kernel
def balance(
    radii: FloatArray,
    is_new: IntArray,
    begun: FloatArray,
    stance: tuple[
        FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray
    ],
    leg: int,
    shift: float,
) -> Vec2:
    """Return the margin of the weight on three feet, and what their legs bear.

    These are the signed distance to the nearest side, and the largest moment about one
    of their knees and hips. Each foot bears the share that keeps the balance. What
    friction between feet and ground may add is left out. A stance is a tuple of bases,
    directions, weight, pulls, offsets and depths as in `free_gait.Feet`, those of feet
    as they stand and placed anew where both differ.
    """
    bases, directions, weight, pulls, offsets, depths = stance
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
def strain_of(radii: FloatArray, leg: int, middle: float) -> float:
    """Return how far feet other than one are beyond where they stand easily [m]."""
    total = 0.0
    for i in range(NUM_LEGS):
        if i != leg:
            total += max(abs(radii[i] - middle) - EASY_RADIUS, 0.0)
    return total


@kernel
def _radii_of(state: int, radii: FloatArray) -> None:
    """Write the radii of a state of the table."""
    for i in range(NUM_LEGS):
        radii[NUM_LEGS - 1 - i] = (state % NUM_CELLS - NUM_CELLS // 2) * CELL
        state //= NUM_CELLS


@kernel
def _iterate(
    bases: FloatArray, directions: FloatArray, weight: FloatArray, pulls: FloatArray
) -> FloatArray:
    """Return the table: sweeps of lifts and of shifts until little changes."""
    count = NUM_CELLS**NUM_LEGS
    strides = np.array([NUM_CELLS**3, NUM_CELLS**2, NUM_CELLS, 1])
    zeros, is_new = np.zeros(NUM_LEGS), np.zeros(NUM_LEGS, dtype=np.int64)
    radii, offsets = np.empty(NUM_LEGS), np.zeros((2, NUM_LEGS))
    depths = np.full((2, NUM_LEGS), TABLE_DEPTH)
    stance = (bases, directions, weight, pulls, offsets, depths)
    may, strain = np.empty((count, NUM_LEGS), dtype=np.bool_), np.empty((count, 4))
    for state in range(count):
        _radii_of(state, radii)
        for leg in range(NUM_LEGS):
            margin, effort = balance(radii, is_new, zeros, stance, leg, 0.0)
            may[state, leg] = margin >= TABLE_MARGIN and effort <= MAX_EFFORT
            strain[state, leg] = STRAIN_COST * strain_of(radii, leg, 0.0)
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
def worth_of(radii: FloatArray, middle: float, table: FloatArray) -> float:
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
