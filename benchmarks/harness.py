"""Find the areas and run them, figure by figure."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks import areas
from benchmarks.machine import describe_commit, describe_machine
from benchmarks.rows import BenchResult as BenchResult
from benchmarks.rows import Row as Row
from benchmarks.timing import interleaved as interleaved
from gelenk.errors import NameNotFoundError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the caller of a benchmark chose.

    Attributes:
        quick: Less of everything: the whole area within a minute.
        long: Whether claims about hours are measured for hours.
        seed: Seed of all draws.
        tell: Takes words about the progress of a figure that takes long.
    """

    quick: bool = False
    long: bool = False
    seed: int = 0
    tell: Callable[[str], None] = lambda text: None

    def rng(self) -> np.random.Generator:
        """Return a new generator, the same for every figure."""
        return np.random.default_rng(self.seed)

    def pick(self, full: int, quick: int) -> int:
        """Return the count that fits the setting."""
        return quick if self.quick else full


Figure = Callable[[Settings], Row | Iterable[Row]]
"""Measures one row, or several that come from one experiment."""

OnStep = Callable[[int, int, str], None]
"""Called before each figure with its number, how many there are, and its name."""


def area_names() -> tuple[str, ...]:
    """Return the names of all areas that exist."""
    found = (module.name for module in pkgutil.iter_modules(areas.__path__))
    return tuple(sorted(name for name in found if not name.startswith("_")))


def run_area(
    name: str,
    settings: Settings,
    *,
    only: str = "",
    on_step: OnStep = lambda done, total, label: None,
) -> BenchResult:
    """Measure all figures of an area, or one experiment.

    Args:
        name: One of `area_names()`.
        settings: What the caller chose.
        only: Name of the experiment; empty: all.
        on_step: Told about every figure before it is measured.

    Raises:
        NameNotFoundError: If there is no such area or experiment.
    """
    if name not in area_names():
        raise NameNotFoundError("benchmark area", name, area_names())
    module = importlib.import_module(f"{areas.__name__}.{name}")
    figures: Sequence[Figure] = module.FIGURES
    if only:
        labels = [_label(figure) for figure in figures]
        wanted = only.replace("_", " ")
        if wanted not in labels:
            raise NameNotFoundError(f"experiment of {name}", only, labels)
        figures = (figures[labels.index(wanted)],)
    return measure(name, figures, settings, on_step=on_step)


def measure(
    area: str, figures: Sequence[Figure], settings: Settings, *, on_step: OnStep
) -> BenchResult:
    """Return the rows of `figures`, each with a name of its own, as one result."""
    rows: list[Row] = []
    for done, figure in enumerate(figures):
        on_step(done, len(figures), _label(figure))
        measured = figure(settings)
        rows.extend([measured] if isinstance(measured, Row) else measured)
    names = [row.name for row in rows]
    doubled = sorted({name for name in names if names.count(name) > 1})
    assert not doubled, f"area {area!r} has several rows named {', '.join(doubled)}"
    return BenchResult(
        area=area,
        commit=describe_commit(),
        machine=describe_machine(),
        rows=tuple(rows),
    )


def _label(figure: Figure) -> str:
    return getattr(figure, "__name__", "figure").replace("_", " ")
