"""`gelenk amee`: the rescue robot whose four legs think for themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gelenk.cli import exit_codes
from gelenk.cli.amee_walk import DriveChoice, walk
from gelenk.cli.console import say, write, write_json
from gelenk.cli.help_text import examples

if TYPE_CHECKING:
    from gelenk.robots.amee.bus import LegProcesses
    from gelenk.robots.amee.wire import Message

HELP = """AMEE: a walking robot whose four legs are computers of their own.

Try: gelenk amee walk --terrain rubble:5cm
"""
amee = typer.Typer(
    name="amee",
    help=HELP,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@amee.callback(invoke_without_command=True)
def _overview(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        write(context.get_help())


@amee.command(
    epilog=examples(
        "gelenk amee leg --port 3550",
        "curl localhost:3550/Move2Point:0:-400:0",
        "curl localhost:3550/stop",
    )
)
def leg(
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            help="Where it listens, 3550 by default; 0: any that is free.",
        ),
    ] = None,
    ground: Annotated[
        float,
        typer.Option("--ground", metavar="MM", help="Height of the ground [mm]."),
    ] = -630.0,
    drive: Annotated[
        DriveChoice, typer.Option("--drive", help="Which drives it has.")
    ] = DriveChoice.thesis,
    settings: Annotated[
        Path | None,
        typer.Option("--settings", help="TOML file with what this leg is like."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.0, help="End by itself after a while.")
    ] = float("inf"),
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per report.")
    ] = False,
) -> int:
    """Put one leg on a stand and talk to it over HTTP; Ctrl-C ends it.

    Two processes: the Ethernet computer, which filters, and the leg computer. Points
    are in mm from the hip: forward, up, left.
    """
    import time

    from gelenk.robots.amee.bus import LegProcesses
    from gelenk.robots.amee.bus.leg_process import StandCfg
    from gelenk.robots.amee.config import DRIVES, LegCfg
    from gelenk.robots.amee.leg_file import LegFile, read_leg

    if settings is None:
        file = LegFile(leg=LegCfg(drive=DRIVES[drive.value]))
    else:
        file = read_leg(settings)
    chosen = file.port if port is None else port
    processes = LegProcesses(file.leg, chosen, StandCfg(ground=ground / 1e3))
    try:
        processes.wait_ready()
        _say_what_to_try(processes.port)
        begin = time.monotonic()
        while (now := time.monotonic() - begin) < seconds:
            for message in processes.inbox.take(1, timeout=min(0.5, seconds - now)):
                _print_report(time.monotonic() - begin, message, processes, json)
            if (
                processes.leg.poll() is not None
                or processes.ethernet.poll() is not None
            ):
                say("gelenk: one of the leg's processes has ended")
                return exit_codes.MISSED
    except KeyboardInterrupt:
        say("\nthe leg is off")
    finally:
        processes.close()
    return exit_codes.OK


def _say_what_to_try(port: int) -> None:
    say(f"one leg on its stand listens on http://localhost:{port} (Ctrl-C ends it)")
    for words, what in (
        ("Move2Point:0:-400:0", "foot to a point"),
        ("Move2PointTouch:60:-600:0", "... and on until it feels ground"),
        ("DoStep:60:-630:0:-60:-630:0", "a step; reports syncNext, waits for next"),
        ("next", "release it, again and again"),
        ("stop", "drives off"),
        ("", "all commands"),
    ):
        say(f"  curl localhost:{port}/{words:<30}{what}")
    say(f"  curl -N localhost:{port}/{'listen':<27}what it reports, as below")


def _print_report(
    now: float, message: Message, processes: LegProcesses, json: bool
) -> None:
    from gelenk.robots.amee.wire import format_words

    foot = [round(1e3 * value, 1) for value in processes.ask()["foot"]]
    words = format_words(message)
    if json:
        write_json({"time": round(now, 3), "report": words, "foot_mm": foot})
        return
    place = " ".join(f"{value:.0f}" for value in foot)
    write(f"{now:8.2f} s  {words:<28}foot at {place} mm")


amee.command(
    epilog=examples(
        "gelenk amee walk --distance 2",
        "gelenk amee walk --gait auto --terrain rubble:8cm --seed 3 --json",
        "gelenk amee walk --faults joint-locked:front-left:B@12.5,killed:3@20",
    )
)(walk)
