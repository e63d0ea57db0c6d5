"""All experiments of the thesis by their number, and where they are repeated."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable

from experiments.figures import ComparedFigure, chosen_experiments

ROOMS = ("design", "calibration", "drive", "load", "planner", "play", "track")

Measure = Callable[[], list[ComparedFigure]]


def experiments() -> dict[str, Measure]:
    """Return what measures them, by one or several numbers: `EX-14, EX-15`."""
    found: dict[str, Measure] = {}
    for room in ROOMS:
        module = importlib.import_module(f"experiments.piggy.{room}")
        found.update(module.EXPERIMENTS)
    return dict(sorted(found.items()))


def chosen(names: Iterable[str] = ()) -> dict[str, Measure]:
    """Return the experiments that are named; all without names.

    Raises:
        NameNotFoundError: If there is none of that number.
    """
    return chosen_experiments(experiments(), names)
