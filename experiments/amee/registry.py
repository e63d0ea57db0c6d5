"""All experiments of one leg by their number, and where they are repeated."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from experiments.figures import ComparedFigure, chosen_experiments

ROOMS = (
    "kinematics",
    "timing",
    "accuracy",
    "collision",
    "touch",
    "flood",
    "gliding",
    "clamp",
    "broken",
    "endurance",
    "walking",
)

# Gets whether to take as long as the thesis did.
Measure = Callable[[bool], list[ComparedFigure]]


def experiments() -> dict[str, Measure]:
    """Return what measures them, by one or several numbers: `AN-07, AN-11`."""
    found: dict[str, Measure] = {}
    for room in ROOMS:
        module = importlib.import_module(f"experiments.amee.{room}")
        for numbers, parts in module.EXPERIMENTS.items():
            found[numbers] = partial(_all, parts)
    return dict(sorted(found.items()))


def _all(parts: Iterable[Measure], full: bool) -> list[ComparedFigure]:
    return [figure for part in parts for figure in part(full)]


def chosen(names: Iterable[str] = ()) -> dict[str, Measure]:
    """Return the experiments that are named; all without names.

    Raises:
        NameNotFoundError: If there is none of that number.
    """
    return chosen_experiments(experiments(), names)


def measure(
    names: Iterable[str] = (), *, full: bool = False
) -> Iterator[ComparedFigure]:
    """Measure experiments one after the other and yield their figures."""
    for experiment in chosen(names).values():
        yield from experiment(full)
