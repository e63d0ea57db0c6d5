"""A directive of an environment file as it was read, before it means anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gelenk.robots.armbot.environment.description import Place
from gelenk.robots.armbot.environment.grammar import Directive


@dataclass(slots=True, kw_only=True)
class PlanWords:
    """A plan as read: its keyword, its parameters, and the corners of a POLY."""

    word: str
    place: Place
    values: dict[str, Any] = field(default_factory=dict)
    points: list[tuple[float, float]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Statement:
    """A directive with its values, in SI units.

    Attributes:
        directive: Row of the table.
        number: Digit of the robot, None if the keyword has none.
        place: Of the keyword.
        values: By name of the parameter; classes and line texts as `Given`.
        plan: For those that have one.
        is_ok: False if a problem with it has been noted; values may be missing then.
    """

    directive: Directive
    number: int | None
    place: Place
    values: dict[str, Any] = field(default_factory=dict)
    plan: PlanWords | None = None
    is_ok: bool = True
