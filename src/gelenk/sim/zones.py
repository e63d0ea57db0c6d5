"""Zones: circles entered or left, and one-way light barriers, which notice objects.

Only an object's centre counts. Zones are watched in every physics tick
(`gelenk.sim.zone_bank`), so that fast objects do not slip through.

A circle has a rim with hysteresis: an object counts as outside again only beyond
`radius + hysteresis`. A barrier fires when the straight path between two positions
beside its line leads from its left to its right, seen from `start` towards `end`, and
passes between the two. The first look at an object only learns where it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gelenk.errors import ConfigError

COLOR_TOLERANCE = 10  # RGB values, each channel; the ArmBot paper's figure
HYSTERESIS = 1e-5  # [m], far above rounding, far below anything one can see

SHORTEST = 1e-9  # [m], of a barrier


@dataclass(frozen=True, slots=True, kw_only=True)
class CircleZone:
    """A vertical cylinder that reports objects whose centre comes in or goes out.

    Attributes:
        name: Name in messages.
        on: Whether arriving or departing objects are reported.
        center: x and y of its axis in world [m].
        radius: Radius [m], above 0.
        watches: Kind of objects it sees ("ball", "cuboid"), or "*" for every kind.
        color: RGB of the objects it sees, 0 to 255; None for every colour.
        heights: Lowest and highest z it sees [m]; infinite unless said.
        hysteresis: Width of the rim [m].

    Example:
        >>> from gelenk.sim import CircleZone
        >>> CircleZone(name="bin", on="enter", center=(1.0, 0.0), radius=0.2).watches
        '*'
    """

    name: str
    on: Literal["enter", "leave"]
    center: tuple[float, float]
    radius: float
    watches: str = "*"
    color: tuple[int, int, int] | None = None
    heights: tuple[float, float] = (-math.inf, math.inf)
    hysteresis: float = HYSTERESIS

    def __post_init__(self) -> None:
        if not (self.radius > 0.0 and math.isfinite(self.radius)):
            raise ConfigError(
                f"zone {self.name!r}: `radius` must be above 0 m, got {self.radius}"
            )
        if not (self.hysteresis >= 0.0 and math.isfinite(self.hysteresis)):
            raise ConfigError(
                f"zone {self.name!r}: `hysteresis` must be at least 0 m, got "
                f"{self.hysteresis}"
            )
        _check_numbers(self.name, self.center, self.heights)


@dataclass(frozen=True, slots=True, kw_only=True)
class LightBarrier:
    """A light barrier that reports objects crossing it from left to right.

    Attributes:
        name: Name in messages.
        start: x and y of its first end in world [m].
        end: x and y of its second end in world [m]; left and right are meant seen
            from `start` towards `end`, from above.
        watches: Kind of objects it sees ("ball", "cuboid"), or "*" for every kind.
        color: RGB of the objects it sees, 0 to 255; None for every colour.
        heights: Lowest and highest z of a crossing it sees [m]; infinite unless said.

    Example:
        >>> from gelenk.sim import LightBarrier
        >>> LightBarrier(name="gate", start=(0.0, -1.0), end=(0.0, 1.0)).end
        (0.0, 1.0)
    """

    name: str
    start: tuple[float, float]
    end: tuple[float, float]
    watches: str = "*"
    color: tuple[int, int, int] | None = None
    heights: tuple[float, float] = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        _check_numbers(self.name, (*self.start, *self.end), self.heights)
        if math.dist(self.start, self.end) < SHORTEST:
            raise ConfigError(
                f"zone {self.name!r}: `start` and `end` must differ, got {self.start} "
                "twice; a barrier needs a line"
            )


Zone = CircleZone | LightBarrier


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """An object as zones see it: its name, kind, and colour (RGB, 0 to 255)."""

    name: str
    kind: str
    color: tuple[int, int, int] = (128, 128, 128)


def sees(zone: Zone, item: Watched) -> bool:
    """Return whether the zone looks at objects of this kind and colour at all."""
    if zone.watches not in ("*", item.kind):
        return False
    return zone.color is None or are_alike(zone.color, item.color)


def are_alike(a: tuple[int, int, int], b: tuple[int, int, int]) -> bool:
    """Return whether no channel of two RGB colours differs by more than allowed."""
    return all(abs(x - y) <= COLOR_TOLERANCE for x, y in zip(a, b, strict=True))


def _check_numbers(
    name: str, places: Sequence[float], heights: tuple[float, float]
) -> None:
    """Raise ConfigError if a place is not finite or heights are upside down."""
    if not all(math.isfinite(value) for value in places):
        raise ConfigError(f"zone {name!r}: places must be finite, got {tuple(places)}")
    if not heights[0] < heights[1]:
        raise ConfigError(
            f"zone {name!r}: `heights` must be (lowest, highest), got {heights}"
        )
