"""Damaged environment files, and the exercises' eye for mistakes."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.harness import Row, Settings
from gelenk.robots.armbot.assets import shipped_cells
from testkit.environment_mutations import fuzz
from testkit.exercise_mistakes import score_mistakes

MUTANTS = 10_000
REJECTED, NAMED = 90.0, 60.0  # [%], targets


def damaged_files(settings: Settings) -> Row:
    """Read damaged copies of the shipped environment files."""
    count = settings.pick(MUTANTS, 500)
    texts = [path.read_text(encoding="utf-8") for path in shipped_cells().values()]
    found = fuzz(count, settings.seed, texts)
    return Row(
        name="damaged_files_unexplained",
        value=float(found.unlocated + found.crashed),
        unit=f"of {count} files",
        target=0.0,
        note=f"{found.loaded} could still be read, {found.refused} were refused with "
        f"the place of every mistake; slowest {1e3 * found.slowest_s:.0f} ms"
        + (
            f"; first failure: {found.first_failure[:200]}"
            if found.first_failure
            else ""
        ),
    )


def exercise_mistakes(settings: Settings) -> Iterator[Row]:
    """Mark wrong and right submissions of students."""
    score = score_mistakes(settings.seed)
    held_out = score["held_out"]
    yield Row(
        name="mistakes_rejected",
        value=100.0 * score["rejected_share"],
        unit="%",
        target=REJECTED,
        direction=">=",
        note=f"of {score['wrong']} wrong submissions; of {held_out['wrong']} written "
        f"after the models of mistakes {100 * held_out['rejected_share']:.0f} %",
    )
    yield Row(
        name="mistakes_named",
        value=100.0 * score["named_share"],
        unit="%",
        target=NAMED,
        direction=">=",
        note=f"every mistake of a submission found; of those written after the models "
        f"{100 * held_out['named_share']:.0f} %",
    )
    yield Row(
        name="right_rejected",
        value=float(score["right_rejected"] + held_out["right_rejected"]),
        unit="submissions",
        target=0.0,
        note=f"of {score['right'] + held_out['right']} right ones",
    )
