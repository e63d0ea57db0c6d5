"""`gelenk amee`: the rescue robot whose four legs think for themselves."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import (
    Progress,
    command_group,
    dim,
    examples,
    say,
    write,
    write_json,
)

if TYPE_CHECKING:
    from gelenk.robots.amee.bus import LegProcesses
    from gelenk.robots.amee.command import Moment, Walked
    from gelenk.robots.amee.wire import Message


def walk(
    gait: Annotated[
        Literal["save", "crawl", "alternative", "fast", "auto"],
        typer.Option(
            "--gait",
            help="save: one foot at a time, then all push; crawl and alternative: in "
            "other orders; fast: diagonal pairs; auto: fast until it runs into things.",
        ),
    ] = "save",
    distance: Annotated[
        float, typer.Option("--distance", metavar="M", help="Straight ahead [m].")
    ] = 1.0,
    terrain: Annotated[
        str,
        typer.Option(
            "--terrain",
            metavar="NAME",
            help="flat, plates, steps, rubble, slope, gaps, soft, sharp; with an "
            "amount: rubble:8cm, slope:-10deg.",
        ),
    ] = "flat",
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Of terrain, spread and noise.")
    ] = 0,
    drive: Annotated[
        Literal["thesis", "geared"],
        typer.Option("--drive", help="thesis: 22 N m; geared: 400:1, 42 N m, slower."),
    ] = "geared",
    faults: Annotated[
        str | None,
        typer.Option(
            "--faults",
            metavar="PLAN",
            help="What breaks: joint-locked:front-left:B@12.5, several with commas; "
            "or a file with one per line.",
        ),
    ] = None,
    processes: Annotated[
        bool,
        typer.Option("--processes", help="Each leg as processes of its own."),
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object.")
    ] = False,
) -> int:
    """Let the robot walk, and say what it decides and why.

    Exit code 1 if it does not arrive: it stopped, safely if it could, or fell.
    """
    from gelenk.robots.amee import command
    from gelenk.robots.amee.fault_plan import read_plan

    cfg = command.make_cfg(
        gait=gait,
        distance=distance,
        terrain=terrain,
        drive=drive,
        seed=seed,
        faults=read_plan(faults) if faults is not None else (),
    )
    with Progress() as progress:
        teller = _Teller(progress, distance, is_silent=json)
        walked = command.walk(
            cfg, terrain=terrain, processes=processes, on_moment=teller.tell
        )
    document = command.walk_document(walked)
    if json:
        write_json(document)
    else:
        _print_walk(walked, document)
    return exit_codes.OK if document["ok"] else exit_codes.MISSED


class _Teller:
    """Shows how far it is, and the log line by line.

    Args:
        progress: The bar.
        distance: Length of the walk [m].
        is_silent: Whether the log is not written.
    """

    def __init__(self, progress: Progress, distance: float, *, is_silent: bool) -> None:
        self._progress, self._distance = progress, distance
        self._is_silent = is_silent

    def tell(self, moment: Moment) -> None:
        """Take note of a moment."""
        from gelenk.robots.amee.words import entry_line

        if not self._is_silent:
            for entry in moment.news:
                self._progress.write_above(entry_line(entry))
        label = f"{moment.way:.2f} of {self._distance:.2f} m, {moment.doing}"
        self._progress.show_share(moment.way / self._distance, label)


def _print_walk(walked: Walked, document: dict[str, Any]) -> None:
    from gelenk.robots.amee.command import gait_diagram

    write(_verdict(document))
    margin, time = document["min_margin_m"], document["simulated_s"]
    torque, heat = max(document["max_torque_n_m"]), document["max_temperature_k"]
    rows = {
        "speed": f"{1e3 * document['speed_m_s']:.1f} mm/s, {document['steps']} steps",
        "energy": _energy(document),
        "margin": f"{1e3 * margin:.0f} mm at least" if math.isfinite(margin) else "-",
        "leaned": f"{math.degrees(document['max_tilt_rad']):.1f} deg at most",
        "drives": f"up to {torque:.0f} N m and {heat - 273.15:.0f} degrees Celsius",
        "time": f"{time:.0f} s simulated in {document['computed_s']:.0f} s",
    }
    for name, text in rows.items():
        write(f"  {name:<8}{text}")
    if document["footfalls"]:
        write(dim("  feet, a letter a second: # stands, . in the air"))
        for leg, line in enumerate(gait_diagram(walked.result), start=1):
            write(f"  leg {leg}   {line}")


def _verdict(document: dict[str, Any]) -> str:
    way = f"{document['way_m']:.2f} m of {document['distance_m']:g} m"
    where = f"{document['terrain']}, drive {document['drive']}"
    words = {
        "arrived": "arrived",
        "short": "says that it arrived, but did not",
        "stopped": "stopped" if document["unsafe_s"] > 0.0 else "stopped safely",
        "fallen": "fell",
    }[document["outcome"]]
    reason = f": {document['reason']}" if document["reason"] else ""
    return f"{words} after {way} ({where}){reason}"


def _energy(document: dict[str, Any]) -> str:
    cost = document["cost_j_per_m"]
    per_metre = f", {cost / 1e3:.1f} kJ/m" if math.isfinite(cost) else ""
    return f"{document['energy_j'] / 1e3:.2f} kJ{per_metre}"


HELP = """AMEE: a walking robot whose four legs are computers of their own.

Try: gelenk amee walk --terrain rubble:5cm
"""
amee = command_group("amee", HELP)


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
        Literal["thesis", "geared"],
        typer.Option("--drive", help="Which drives it has."),
    ] = "thesis",
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
        file = LegFile(leg=LegCfg(drive=DRIVES[drive]))
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
