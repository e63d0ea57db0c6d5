"""Calibrations in which something goes wrong: each must end in its verdict, safely."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.harness import Row, Settings
from testkit.nao_situations import SITUATIONS, drill

QUICK = ("no board", "leg locked", "time-out")


def failure_drill(settings: Settings) -> Iterator[Row]:
    """Situations that end in the right verdict, robot safe and nothing overwritten."""
    names = QUICK if settings.quick else tuple(SITUATIONS)
    wrong: list[str] = []
    for name in names:
        situation = SITUATIONS[name]
        settings.tell(name)
        drilled = drill(situation)
        is_well = drilled.is_right and drilled.is_safe and drilled.is_untouched
        if not (is_well and drilled.is_off == situation.is_off):
            wrong.append(f"{name}: {drilled.outcome.verdict.value}")
    yield Row(
        name="failures_named",
        value=100.0 * (len(names) - len(wrong)) / len(names),
        unit="%",
        target=100.0,
        direction=">=",
        note=f"{len(names)} situations; wrong: {', '.join(wrong) or 'none'}",
    )


FIGURES = (failure_drill,)
