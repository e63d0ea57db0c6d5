"""Measures this machine against targets, and against other libraries where they exist.

Usage:
    python -m benchmarks [AREA] [--json] [--save FILE] [--against FILE]
"""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.harness import Settings, area_names, run_area
from benchmarks.rows import BenchResult, Row, as_document, load_values
from gelenk.cli import exit_codes
from gelenk.cli.console import (
    Progress,
    bold,
    dim,
    format_table,
    say,
    write,
    write_json,
)
from gelenk.errors import ConfigError, GelenkError

app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Baseline = dict[tuple[str, str], float]


@app.command()
def bench(
    area: Annotated[
        str | None, typer.Argument(metavar="[AREA]", help="By default all areas.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Less of everything: within a minute.")
    ] = False,
    long: Annotated[
        bool, typer.Option("--long", help="Hours, where a claim is about hours.")
    ] = False,
    only: Annotated[
        str, typer.Option("--only", help="One experiment of an area, as in reloads.")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the draws.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    save: Annotated[
        Path | None, typer.Option("--save", help="Write the JSON object here too.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option("--against", help="Compare with a saved run.")
    ] = None,
) -> int:
    """Measure against targets and peers; exit code 1 if one is missed."""
    if save and not save.absolute().parent.is_dir():
        raise ConfigError(f"`--save {save}`: the folder {save.parent} does not exist")
    if only and area is None:
        raise ConfigError(
            "`--only` is for one area: `python -m benchmarks AREA --only NAME`"
        )
    if quick and long:
        raise ConfigError("`--quick` and `--long` exclude each other")
    baseline = load_values(against) if against else {}
    results: list[BenchResult] = []
    for name in (area,) if area else area_names():
        settings = Settings(quick=quick, long=long, seed=seed, tell=_tell)
        with Progress() as progress:
            result = run_area(name, settings, only=only, on_step=progress.show)
        results.append(result)
        if save:  # before printing: a closed pipe must not lose what was measured
            save.write_text(jsonlib.dumps(as_document(results), indent=1) + "\n")
        if not json:
            print_result(results[-1], baseline)
    if save:
        say(f"saved to {save}")
    if json:
        write_json(as_document(results))
    is_met = all(result.ok for result in results)
    return exit_codes.OK if is_met else exit_codes.MISSED


def _tell(text: str) -> None:
    say(dim(f"  {text}"))


def print_result(result: BenchResult, baseline: Baseline) -> None:
    """Write the rows of an area as a table, notes below."""
    machine = result.machine
    write(bold(result.area))
    write(dim(f"{machine['cpu']}, {machine['cores']} cores, commit {result.commit}"))
    header = ("", "figure", "value", "unit", "target", "peers (ratio)")
    rows = [_cells(row) for row in result.rows]
    if baseline:
        header = (*header, "before")
        rows = [
            (*cells, _before(row, baseline.get((result.area, row.name))))
            for cells, row in zip(rows, result.rows, strict=True)
        ]
    write(format_table(header, rows, align="llrlrlr"))
    for row in result.rows:
        if row.note:
            write(dim(f"  {row.name}: {row.note}"))
    write()


def _cells(row: Row) -> tuple[str, ...]:
    mark = ("ok" if row.target is not None else "--") if row.ok else "!!"
    target = "" if row.target is None else f"{row.direction} {row.target:.4g}"
    peers = ", ".join(
        f"{name} {value:.4g}{_ratio(row.value, value)}"
        for name, value in row.peers.items()
    )
    value = "not measured" if row.value is None else f"{row.value:.4g}"
    return mark, row.name, value, row.unit, target, peers


def _ratio(value: float | None, other: float) -> str:
    return f" ({value / other:.2f}x)" if value is not None and other else ""


def _before(row: Row, value: float | None) -> str:
    if value is None:
        return "new"
    return f"{value:.4g}{_ratio(row.value, value)}"


def main(argv: Sequence[str] | None = None) -> int:
    """Parse `argv`, measure and return the exit code."""
    try:
        code = app(
            args=list(sys.argv[1:] if argv is None else argv),
            prog_name="python -m benchmarks",
            standalone_mode=False,
        )
    except (GelenkError, typer.TyperException) as error:
        say(f"benchmarks: error: {error}")
        return exit_codes.IMPOSSIBLE
    except (KeyboardInterrupt, typer.Abort):
        return exit_codes.INTERRUPTED
    return int(code or exit_codes.OK)


if __name__ == "__main__":
    sys.exit(main())
