"""Commands of `gelenk piggy` that measure: planner, tracker, calibration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import Progress, say, write, write_json
from gelenk.cli.figures import tell
from gelenk.cli.piggy_options import (
    Drive,
    DriveChoice,
    Json,
    Place,
    PlaceChoice,
    Seed,
)
from gelenk.errors import ConfigError


def plan(
    requests: Annotated[
        int, typer.Option("--requests", min=1, help="How many, of each test.")
    ] = 200,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Ask the planner for strokes: at poses (test 1) and on whole flights (test 2)."""
    from gelenk.robots.piggy.experiments import planner

    return tell(planner.requests(requests, seed), json)


def tables(json: Json = False) -> int:
    """Build the planner's tables and say what they take."""
    from gelenk.robots.piggy.experiments import planner

    return tell(planner.building(), json)


def experiments(
    numbers: Annotated[
        list[str] | None,
        typer.Argument(metavar="[EX-01 ...]", help="Which; all by default."),
    ] = None,
    json: Json = False,
) -> int:
    """Repeat the experiments of the thesis, beside what it printed.

    Exit code 1 if a figure is not as it should be. All of them take a while.
    """
    from gelenk.robots.piggy.experiments.registry import chosen

    wanted = chosen(numbers or ())
    figures = []
    with Progress() as progress:
        for done, (name, measure) in enumerate(wanted.items()):
            progress.show(done, len(wanted), name)
            figures += measure()
    return tell(figures, json)


def track(
    throws: Annotated[int, typer.Option("--throws", min=1, help="How many.")] = 12,
    place: Place = PlaceChoice.indoor,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Watch throws and say how well they were predicted, from images alone."""
    from gelenk.robots.piggy.experiments.track import (
        prediction_figures,
        watch_throws,
    )

    watched = watch_throws(place.value, throws, seed=seed)
    return tell(prediction_figures(place.value, watched), json)


def calibrate(
    seed: Seed = 0,
    place: Place = PlaceChoice.indoor,
    drive: Drive = DriveChoice.thesis,
    throws: Annotated[
        int, typer.Option("--throws", min=12, help="Balls that are thrown.")
    ] = 36,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE.toml", help="Store what was found."),
    ] = None,
    json: Json = False,
) -> int:
    """Calibrate cameras, servos, gravity, drag and throws, from images.

    Nine boards are held up, balls are thrown, the bat goes through 25 poses. Exit code
    1 if it does not end with the verdict "calibrated"; then nothing is stored.
    """
    from gelenk.robots.piggy import command

    if save is not None and not save.absolute().parent.is_dir():
        raise ConfigError(
            f"`--save {save}`: there is no folder {save.absolute().parent}"
        )
    with Progress() as progress:
        run = command.calibrate(
            place=place.value,
            drive=drive.value,
            seed=seed,
            throws=throws,
            progress=lambda words, share: progress.show(round(100 * share), 100, words),
        )
    document = command.calibration_document(run)
    if save is not None and run.is_calibrated:
        from gelenk.robots.piggy.setup import write_setup

        write_setup(save, run.after)
        say(f"stored: {save}")
    if json:
        write_json(document)
    else:
        _print_calibration(document)
    return exit_codes.OK if run.is_calibrated else exit_codes.MISSED


def _print_calibration(document: dict[str, Any]) -> None:
    write(f"{document['verdict']}: {document['reason']}")
    for step, residuals in document["residuals"].items():
        words = ", ".join(f"{name} {value:.3g}" for name, value in residuals.items())
        write(f"  {step:<10}{words}")
    for line in document["advice"]:
        write(f"  {line}")
