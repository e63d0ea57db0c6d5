"""Figures of experiments: one measured number beside what a thesis printed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from gelenk.errors import NameNotFoundError

Measure = TypeVar("Measure")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedFigure:
    """A result of an experiment.

    Attributes:
        experiment: Its number: "EX-25", "AN-10".
        quantity: What was measured, in words.
        value: In the unit; NaN if it could not be measured.
        unit: As people read it, "deg", "s".
        thesis: What the thesis says, in words; empty: nothing.
        accepted: Lowest and highest value that are accepted; None: only reported.
        note: What else a reader must know.
    """

    experiment: str
    quantity: str
    value: float
    unit: str = ""
    thesis: str = ""
    accepted: tuple[float, float] | None = None
    note: str = ""

    @property
    def holds(self) -> bool:
        """Whether the value is accepted; figures that are only reported always are."""
        if self.accepted is None:
            return True
        low, high = self.accepted
        return not math.isnan(self.value) and low <= self.value <= high


def as_document(figure: ComparedFigure) -> dict[str, Any]:
    """Return a figure as JSON holds it."""
    return {
        "experiment": figure.experiment,
        "quantity": figure.quantity,
        "value": figure.value,
        "unit": figure.unit,
        "thesis": figure.thesis,
        "accepted": figure.accepted,
        "holds": figure.holds,
        "note": figure.note,
    }


def chosen_experiments(
    every: Mapping[str, Measure], names: Iterable[str] = ()
) -> dict[str, Measure]:
    """Return the experiments that are named; all without names.

    Args:
        every: What measures them, by one or several numbers: `EX-14, EX-15`.
        names: Numbers, in any case.

    Raises:
        NameNotFoundError: If there is none of that number.

    Example:
        >>> chosen_experiments({"EX-14, EX-15": 1, "EX-16": 2}, ["ex-15"])
        {'EX-14, EX-15': 1}
    """
    numbers = {number: key for key in every for number in key.split(", ")}
    wanted = [name.upper() for name in names]
    for name in wanted:
        if name not in numbers:
            raise NameNotFoundError("experiment", name, sorted(numbers))
    keys = {numbers[name] for name in wanted} or set(every)
    return {key: measure for key, measure in every.items() if key in keys}
