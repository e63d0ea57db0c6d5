"""`gelenk piggy`: the robot that sees a thrown ball and bats it where you want."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import Progress, command_group, examples, say, write, write_json
from gelenk.errors import ConfigError

if TYPE_CHECKING:
    from gelenk.robots.piggy.setup import Setup


Seed = Annotated[int, typer.Option("--seed", min=0, help="Of everything random.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Place = Annotated[
    Literal["indoor", "outdoor"],
    typer.Option(
        "--place", help="indoor: a hall with lamps; outdoor: a meadow, trees, wind."
    ),
]
Drive = Annotated[
    Literal["thesis", "tight"],
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


HELP = """Piggy: the robot that sees a thrown ball and bats it to the person you choose.

Try: gelenk piggy play --throws 10
"""
piggy = command_group("piggy", HELP)


@piggy.command(
    epilog=examples(
        "gelenk piggy play --throws 10",
        "gelenk piggy play --throws 50 --place outdoor --seed 3 --json",
        "gelenk piggy play --mode pass --target -0.3 2.8 1.3 --drive tight",
    )
)
def play(
    throws: Annotated[int, typer.Option("--throws", min=1, help="How many.")] = 10,
    place: Place = "indoor",
    seed: Seed = 0,
    drive: Drive = "thesis",
    mode: Annotated[
        Literal["hit", "left", "right", "pass"],
        typer.Option(
            "--mode", help="Meet balls, play them aside, or pass them to the target."
        ),
    ] = "hit",
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
    record: Annotated[
        Path | None,
        typer.Option("--record", help="Keep circles and predictions in this file."),
    ] = None,
    json: Json = False,
) -> int:
    """Throw balls at the robot, from pixels to bat, and count as the thesis did."""
    from gelenk.robots.piggy import command
    from gelenk.robots.piggy.session import PlayCfg

    cfg = PlayCfg(
        place=place,
        drive=drive,
        mode=mode,
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
            record=record,
        )
    document = command.play_document(played)
    if json:
        write_json(document)
    else:
        _print_play(document)
    return exit_codes.OK


@piggy.command(epilog=examples("gelenk piggy replay flights.npz --json"))
def replay(
    path: Annotated[Path, typer.Argument(help="Recorded by `play --record`.")],
    json: Json = False,
) -> int:
    """Tell from recorded flights alone how their predictions sharpened."""
    from gelenk.robots.piggy.command import replay_document

    document = replay_document(path)
    if json:
        write_json(document)
        return exit_codes.OK
    write(
        f"{document['frames']} frames, {document['predictions']} predictions of "
        f"{document['balls']} balls"
    )
    drift = document["first_to_last_landing_m"]
    if drift is not None:
        write(
            "first to last landing: "
            f"{drift[0]:.3f} m across, {drift[1]:.3f} m along (mean)"
        )
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


@piggy.command(
    epilog=examples(
        "gelenk piggy game --minutes 2",
        "gelenk piggy game --minutes 10 --team skilled,average,beginner --json",
    )
)
def game(
    minutes: Annotated[
        float, typer.Option("--minutes", min=0.1, help="Of simulated time.")
    ] = 2.0,
    place: Place = "indoor",
    seed: Seed = 0,
    drive: Drive = "tight",
    team: Annotated[
        str, typer.Option("--team", help="Skills: skilled, average, beginner.")
    ] = "skilled,skilled,skilled",
    opponents: Annotated[
        str, typer.Option("--opponents", help="Skills, as of the team.")
    ] = "average,average",
    setup: SetupFile = None,
    json: Json = False,
) -> int:
    """Play piggy in the middle: team-mates throw, the robot passes on."""
    from gelenk.robots.piggy import command
    from gelenk.robots.piggy.game.game import GameCfg

    cfg = GameCfg(
        place=place,
        drive=drive,
        team=tuple(team.split(",")),
        opponents=tuple(opponents.split(",")) if opponents else (),
        seed=seed,
    )
    with Progress() as progress:
        result = command.play_game(
            cfg,
            minutes,
            setup=_read(setup),
            on_event=lambda done, event: progress.show(
                round(done * 100), 100, f"% played, the last: {event}"
            ),
        )
    document = command.game_document(cfg, result)
    if json:
        write_json(document)
    else:
        _print_game(document)
    return exit_codes.OK


def _print_game(document: dict[str, Any]) -> None:
    write(f"{document['minutes']:.1f} minutes, {document['throws']} throws")
    for name, count in document["endings"].items():
        write(f"  {name:<22}{count:>5}")
    write(
        f"rallies: best {document['best_rally']}, median "
        f"{document['median_rally']:.0f} hits"
    )
    seen, there, ghosts = document["sightings"]
    write(f"people seen {seen} of {there}, {ghosts} who were not there")
    for fault in document["faults"]:
        write(f"fault: {fault}")


@piggy.command(
    epilog=examples(
        "gelenk piggy calibrate --save mine.toml",
        "gelenk piggy play --setup mine.toml",
    )
)
def calibrate(
    seed: Seed = 0,
    place: Place = "indoor",
    drive: Drive = "thesis",
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
            place=place,
            drive=drive,
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
