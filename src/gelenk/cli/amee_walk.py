"""`gelenk amee walk`: the whole robot on its way."""

from __future__ import annotations

import enum
import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import Progress, dim, write, write_json

if TYPE_CHECKING:
    from gelenk.robots.amee.command import Moment, Walked


class GaitChoice(enum.StrEnum):
    """How it walks."""

    save = "save"
    crawl = "crawl"
    alternative = "alternative"
    fast = "fast"
    auto = "auto"


class AmeeDriveChoice(enum.StrEnum):
    """Drives of its legs."""

    thesis = "thesis"
    geared = "geared"


def walk(
    gait: Annotated[
        GaitChoice,
        typer.Option(
            "--gait",
            help="save: one foot at a time, then all push; crawl and alternative: in "
            "other orders; fast: diagonal pairs; auto: fast until it runs into things.",
        ),
    ] = GaitChoice.save,
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
        AmeeDriveChoice,
        typer.Option("--drive", help="thesis: 22 N m; geared: 400:1, 42 N m, slower."),
    ] = AmeeDriveChoice.geared,
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
        gait=gait.value,
        distance=distance,
        terrain=terrain,
        drive=drive.value,
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
        distance: Of the walk [m].
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
