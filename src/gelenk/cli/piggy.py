"""`gelenk piggy`: the robot that sees a thrown ball and bats it where you want."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import Progress, write, write_json
from gelenk.cli.help_text import examples

if TYPE_CHECKING:
    from gelenk.robots.piggy.setup import Setup

HELP = """Piggy: the robot that sees a thrown ball and bats it to the person you choose.

Try: gelenk piggy play --throws 10
"""
piggy = typer.Typer(
    name="piggy",
    help=HELP,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class PlaceChoice(StrEnum):
    """Where it stands."""

    indoor = "indoor"
    outdoor = "outdoor"


class DriveChoice(StrEnum):
    """How its bat is driven."""

    thesis = "thesis"
    tight = "tight"


class ModeChoice(StrEnum):
    """What it does with balls."""

    hit = "hit"
    left = "left"
    right = "right"
    to_person = "pass"


Seed = Annotated[int, typer.Option("--seed", min=0, help="Of everything random.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Place = Annotated[
    PlaceChoice,
    typer.Option(
        "--place", help="indoor: a hall with lamps; outdoor: a meadow, trees, wind."
    ),
]
Drive = Annotated[
    DriveChoice,
    typer.Option("--drive", help="thesis: 3 degrees of play; tight: without."),
]
SetupFile = Annotated[
    Path | None,
    typer.Option(
        "--setup",
        metavar="FILE.toml",
        help="What the robot knows about itself, as `calibrate --save` wrote it.",
    ),
]


@piggy.callback(invoke_without_command=True)
def _overview(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        write(context.get_help())


@piggy.command(
    epilog=examples(
        "gelenk piggy play --throws 10",
        "gelenk piggy play --throws 50 --place outdoor --seed 3 --json",
        "gelenk piggy play --mode pass --target -0.3 2.8 1.3 --drive tight",
    )
)
def play(
    throws: Annotated[int, typer.Option("--throws", min=1, help="How many.")] = 10,
    place: Place = PlaceChoice.indoor,
    seed: Seed = 0,
    drive: Drive = DriveChoice.thesis,
    mode: Annotated[
        ModeChoice,
        typer.Option(
            "--mode", help="Meet balls, play them aside, or pass them to the target."
        ),
    ] = ModeChoice.hit,
    target: Annotated[
        tuple[float, float, float],
        typer.Option(
            "--target",
            metavar="X Y Z",
            help="Where passes go [m]: x to its right, y to the thrower, z up.",
        ),
    ] = (-0.305, 2.77, 1.3),
    skill: Annotated[
        str,
        typer.Option("--skill", help="Of throwers: skilled, fair, clumsy or fast."),
    ] = "fair",
    setup: SetupFile = None,
    json: Json = False,
) -> int:
    """Throw balls at the robot, from pixels to bat, and count as the thesis did."""
    from gelenk.robots.piggy import command
    from gelenk.robots.piggy.session import PlayCfg

    cfg = PlayCfg(
        place=place.value,
        drive=drive.value,
        mode=mode.value,
        target=target,
        seed=seed,
    )
    with Progress() as progress:
        played = command.play(
            cfg,
            throws,
            skill=skill,
            setup=_read(setup),
            on_throw=lambda done, total, cause: progress.show(
                done, total, f"throws, the last: {cause}"
            ),
        )
    document = command.play_document(played)
    if json:
        write_json(document)
    else:
        _print_play(document)
    return exit_codes.OK


def _read(path: Path | None) -> Setup | None:
    if path is None:
        return None
    from gelenk.robots.piggy.setup import read_setup

    return read_setup(path)


def _print_play(document: dict[str, Any]) -> None:
    throws, reached = document["throws"], document["reached"]

    def line(name: str, count: int, of: int) -> str:
        share = f"{100.0 * count / of:5.1f} %" if of else "    - "
        return f"  {name:<22}{count:>5}  {share}"

    write(f"{throws} throws, {document['place']}, drive {document['drive']}")
    write(line("hits", document["hits"], throws))
    write(line("missed the workspace", document["missed_workspace"], throws))
    write(line("reached the workspace", reached, throws))
    write("of those that reached it")
    write(line("hit", document["hits_of_reached"], reached))
    write(line("no track", document["no_track"], reached))
    write(line("missed by the robot", document["missed_by_robot"], reached))
    for key, words in (
        ("side_share", "of hits to the side wanted"),
        ("within_20_cm_share", "of reached within 20 cm of the target"),
        ("within_30_cm_share", "of reached within 30 cm of the target"),
    ):
        if document.get(key) is not None:
            write(f"  {100.0 * document[key]:.1f} % {words}")
    aim = document["aim_error_median_m"]
    if aim is not None:
        write(f"aim off by {1e3 * aim:.0f} mm (median)")
    write(
        f"images to command {1e3 * document['image_to_command_p95_s']:.1f} ms (95 %), "
        f"{document['simulated_s']:.0f} s simulated in {document['computed_s']:.0f} s"
    )


@piggy.command(epilog=examples("gelenk piggy plan --requests 500 --json"))
def plan(
    requests: Annotated[
        int, typer.Option("--requests", min=1, help="How many, of each test.")
    ] = 200,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Ask the planner for strokes: at poses (test 1) and on whole flights (test 2)."""
    from gelenk.robots.piggy.experiments import planner

    return _tell(planner.requests(requests, seed), json)


@piggy.command(epilog=examples("gelenk piggy tables"))
def tables(json: Json = False) -> int:
    """Build the planner's tables and say what they take."""
    from gelenk.robots.piggy.experiments import planner

    return _tell(planner.building(), json)


@piggy.command(
    epilog=examples(
        "gelenk piggy experiments EX-03 EX-33",
        "gelenk piggy experiments --json > experiments.json",
    )
)
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
    return _tell(figures, json)


def _tell(figures: list[Any], json: bool) -> int:
    from gelenk.robots.piggy.experiments.figures import as_document

    ok = all(figure.holds for figure in figures)
    if json:
        write_json({"ok": ok, "figures": [as_document(figure) for figure in figures]})
    else:
        for figure in figures:
            mark = (
                "     "
                if figure.accepted is None
                else ("ok   " if figure.holds else "MISS ")
            )
            write(
                f"{mark}{figure.experiment}  {figure.quantity}: "
                f"{figure.value:.4g} {figure.unit}".rstrip()
                + (f" (thesis: {figure.thesis})" if figure.thesis else "")
            )
            if figure.note:
                write(f"            {figure.note}")
    return exit_codes.OK if ok else exit_codes.MISSED
