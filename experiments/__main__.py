"""Repeats experiments of the theses, beside what they printed.

Usage:
    python -m experiments piggy [EX-25 ...] [--json]
    python -m experiments amee [AN-01 ...] [--full] [--json]
    python -m experiments plan --requests 200
    python -m experiments track --throws 24 --place outdoor
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Literal

import typer

from experiments.figures import ComparedFigure, as_document
from gelenk.cli import exit_codes
from gelenk.cli.console import Progress, say, write, write_json
from gelenk.errors import GelenkError

Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Of everything random.")]

app = typer.Typer(
    help="Repeat experiments of the theses, beside what they printed.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def piggy(
    numbers: Annotated[
        list[str] | None,
        typer.Argument(metavar="[EX-01 ...]", help="Which; all by default."),
    ] = None,
    json: Json = False,
) -> int:
    """Repeat experiments of Piggy's thesis. All of them take a while."""
    from experiments.piggy.registry import chosen

    return _measure(chosen(numbers or ()), json)


@app.command()
def amee(
    numbers: Annotated[
        list[str] | None,
        typer.Argument(metavar="[AN-01 ...]", help="Which; all by default."),
    ] = None,
    full: Annotated[
        bool,
        typer.Option("--full", help="As long and as often as the thesis did it."),
    ] = False,
    json: Json = False,
) -> int:
    """Repeat the experiments of AMEE's thesis that need one leg."""
    from experiments.amee.registry import chosen

    wanted = chosen(numbers or ())
    return _measure({name: partial(m, full) for name, m in wanted.items()}, json)


@app.command()
def plan(
    requests: Annotated[
        int, typer.Option("--requests", min=1, help="How many, of each test.")
    ] = 200,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Ask Piggy's planner for strokes: at poses (test 1), on whole flights (test 2)."""
    from experiments.piggy import planner

    return tell(planner.requests(requests, seed), json)


@app.command()
def track(
    throws: Annotated[int, typer.Option("--throws", min=1, help="How many.")] = 12,
    place: Annotated[
        Literal["indoor", "outdoor"], typer.Option("--place", help="Where it stands.")
    ] = "indoor",
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Watch throws and say how well Piggy predicts them, from images alone."""
    from experiments.piggy.track import prediction_figures, watch_throws

    watched = watch_throws(place, throws, seed=seed)
    return tell(prediction_figures(place, watched), json)


def _measure(
    wanted: Mapping[str, Callable[[], list[ComparedFigure]]], json: bool
) -> int:
    figures: list[ComparedFigure] = []
    with Progress() as progress:
        for done, (name, measure) in enumerate(wanted.items()):
            progress.show(done, len(wanted), name)
            figures += measure()
    return tell(figures, json)


def tell(figures: Sequence[ComparedFigure], json: bool) -> int:
    """Print figures; return 1 if one is not as it should be."""
    ok = all(figure.holds for figure in figures)
    if json:
        write_json({"ok": ok, "figures": [as_document(figure) for figure in figures]})
    else:
        for figure in figures:
            verdict = "ok   " if figure.holds else "MISS "
            mark = "     " if figure.accepted is None else verdict
            write(
                f"{mark}{figure.experiment}  {figure.quantity}: "
                f"{figure.value:.4g} {figure.unit}".rstrip()
                + (f" (thesis: {figure.thesis})" if figure.thesis else "")
            )
            if figure.note:
                write(f"            {figure.note}")
    return exit_codes.OK if ok else exit_codes.MISSED


def main(argv: Sequence[str] | None = None) -> int:
    """Parse `argv`, measure and return the exit code."""
    try:
        code = app(
            args=list(sys.argv[1:] if argv is None else argv),
            prog_name="python -m experiments",
            standalone_mode=False,
        )
    except (GelenkError, typer.TyperException) as error:
        say(f"experiments: error: {error}")
        return exit_codes.IMPOSSIBLE
    except (KeyboardInterrupt, typer.Abort):
        return exit_codes.INTERRUPTED
    return int(code or exit_codes.OK)


if __name__ == "__main__":
    sys.exit(main())
