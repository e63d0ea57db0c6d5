"""Strokes: where feet stand and which way they push, for a walk, a curve, a turn.

A foot hardly turns on the ground, so its stroke lies on a line through its hip's
vertical axis: the yaw of the leg is constant while it stands. A curve gives every hip
its own direction and length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gelenk.robots.amee import config
from gelenk.robots.amee.coordinator.balance import Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """Way of one foot on the ground, against the way of its hip.

    Attributes:
        yaw: Of the leg, within a quarter turn [rad].
        length: Of the whole stroke along the yaw's direction [m]; negative: the hip
            goes backwards.
    """

    yaw: float
    length: float

    def point(self, radius: float, height: float) -> Point:
        """Return the point of the stroke's line at a radius [m], leg's frame.

        Args:
            radius: Along the yaw's direction, from the hip's axis [m].
            height: Of the sole, negative below the hip [m].
        """
        return radius * math.cos(self.yaw), height, radius * math.sin(self.yaw)


def plan_strokes(length: float, turn: float) -> tuple[Stroke, ...]:
    """Return the strokes of the four legs.

    Args:
        length: Way of the torso's centre, forward positive [m].
        turn: To the left meanwhile [rad].
    """
    strokes: list[Stroke] = []
    for x, y, _ in config.HIPS:
        ahead, left = length - turn * y, turn * x
        yaw, size = math.atan2(left, ahead), math.hypot(ahead, left)
        if abs(yaw) > math.pi / 2:
            yaw -= math.copysign(math.pi, yaw)
            size = -size
        if size == 0.0:
            yaw = 0.0
        strokes.append(Stroke(yaw=yaw, length=size))
    return tuple(strokes)


def releases(counts: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return which legs are released at each tick, so that all end together.

    Args:
        counts: Via points of each leg; the longest line sets the number of ticks.
    """
    ticks = max(counts, default=0)
    return [
        tuple(
            leg
            for leg, count in enumerate(counts)
            if tick * count // ticks > (tick - 1) * count // ticks
        )
        for tick in range(1, ticks + 1)
    ]
