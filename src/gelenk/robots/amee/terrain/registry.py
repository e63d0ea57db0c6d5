"""Terrains by name, and the way from a word on the command line to the things."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.amee.terrain import terrains
from gelenk.robots.amee.terrain.course import Course
from gelenk.sim.noise import stream_id
from gelenk.sim.world import Addable

Builder: TypeAlias = Callable[[Course, float, np.random.Generator], list[Any]]


class Terrain(NamedTuple):
    """A kind of ground.

    Attributes:
        build: Makes its things.
        words: What it is.
        amount: How bad it is by default, SI.
        bounds: Least and largest amount.
        unit: In which people say the amount; empty if there is none.
    """

    build: Builder
    words: str
    amount: float
    bounds: tuple[float, float]
    unit: str


_DEG = math.pi / 180.0
TERRAINS: dict[str, Terrain] = {
    "flat": Terrain(terrains.flat, "level ground", 0.0, (0.0, 0.0), ""),
    "plates": Terrain(
        terrains.plates, "plates that lean", 6.0 * _DEG, (0.0, 15.0 * _DEG), "deg"
    ),
    "steps": Terrain(terrains.steps, "stairs up and down", 0.05, (0.005, 0.15), "cm"),
    "rubble": Terrain(
        terrains.rubble, "stones of all sizes", 0.05, (0.005, 0.08), "cm"
    ),
    "slope": Terrain(
        terrains.slope, "a ramp", 10.0 * _DEG, (-15.0 * _DEG, 15.0 * _DEG), "deg"
    ),
    "gaps": Terrain(terrains.gaps, "gaps across the way", 0.08, (0.01, 0.20), "cm"),
    "soft": Terrain(terrains.soft, "tiles that may sink", 0.25, (0.0, 1.0), "%"),
    "sharp": Terrain(terrains.sharp, "spikes and edges", 8.0, (0.0, 40.0), "/m2"),
}
_UNITS = {
    "mm": 1e-3,
    "cm": 1e-2,
    "m": 1.0,
    "deg": _DEG,
    "rad": 1.0,
    "%": 1e-2,
    "/m2": 1.0,
}
_KINDS = {"cm": ("mm", "cm", "m"), "deg": ("deg", "rad"), "%": ("%",), "/m2": ("/m2",)}
_TEXT = re.compile(r"(?P<name>\w+)(:(?P<value>[-+]?[\d.]+)(?P<unit>[a-z%/0-9]*))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainCfg:
    """A ground to walk on.

    Attributes:
        name: One of `TERRAINS`.
        amount: How bad it is: angle [rad], height or width [m], share, or number per
            square metre; None: as the terrain's own default.
        course: Where it lies.
    """

    name: str = "flat"
    amount: float | None = None
    course: Course = field(default_factory=Course)

    def __post_init__(self) -> None:
        if self.name not in TERRAINS:
            raise NameNotFoundError("terrain", self.name, TERRAINS)
        low, high = TERRAINS[self.name].bounds
        slack = 1e-9
        if not low - slack <= self.value <= high + slack:
            unit = TERRAINS[self.name].unit
            scale = _UNITS.get(unit, 1.0)
            raise ConfigError(
                f"terrain {self.name!r} takes {low / scale:g} to {high / scale:g} "
                f"{unit}, got {self.value / scale:g} {unit}"
            )

    @property
    def value(self) -> float:
        """The amount, or the default."""
        return TERRAINS[self.name].amount if self.amount is None else self.amount


def terrain_from_text(text: str, course: Course | None = None) -> TerrainCfg:
    """Return the terrain that a word such as `rubble` or `slope:-10deg` means.

    Args:
        text: Name, and after a colon the amount with its unit: mm, cm, m, deg, rad,
            %, /m2; without a unit that of the terrain (cm, deg).
        course: Where it lies.

    Example:
        >>> terrain_from_text("rubble:8cm").amount
        0.08

    Raises:
        NameNotFoundError: If there is no such terrain.
        ConfigError: If the amount cannot be read or is out of bounds.
    """
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise ConfigError(f"a terrain is written name or name:amount, got {text!r}")
    name = found["name"]
    if name not in TERRAINS:
        raise NameNotFoundError("terrain", name, TERRAINS)
    course = course or Course()
    if found["value"] is None:
        return TerrainCfg(name=name, course=course)
    own = TERRAINS[name].unit
    allowed = _KINDS.get(own, ())
    unit = found["unit"] or own
    if unit not in allowed:
        takes = f"an amount in {' or '.join(allowed)}" if allowed else "no amount"
        raise ConfigError(f"terrain {name!r} takes {takes}, got {text!r}")
    try:
        amount = float(found["value"]) * _UNITS[unit]
    except ValueError as error:
        raise ConfigError(f"not a number in terrain {text!r}") from error
    return TerrainCfg(name=name, amount=amount, course=course)


def build_terrain(cfg: TerrainCfg, seed: int) -> list[Addable]:
    """Return the things of a terrain; one seed, one terrain."""
    rng = np.random.default_rng([seed, stream_id("terrain", cfg.name)])
    return TERRAINS[cfg.name].build(cfg.course, cfg.value, rng)
