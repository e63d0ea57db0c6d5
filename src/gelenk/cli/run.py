"""`gelenk run`: a scenario, a scene or a robot computed once, and its figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gelenk.errors import ConfigError, NameNotFoundError


def run(
    name: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO|SCENE|ROBOT",
            help="Name (`gelenk list`), package.module:function or file.py:function of "
            "a scenario; or a robot by name or file.",
        ),
    ],
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.0, help="Simulated time [s].")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the draws.")] = 0,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="KEY=VALUE, as in ball.mass=0.2.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="Write all messages to this file.")
    ] = None,
    simtime: Annotated[
        float | None,
        typer.Option(
            "--simtime",
            metavar="FACTOR",
            help="Simulated seconds per second; without it as fast as can be.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """Compute a scenario or a scene once and print its figures.

    A robot follows a figure eight with its tool: the figures say how well inverse
    kinematics meets it, which efforts that takes and what one call costs.

    Exit code 1 if the criterion of the scenario is missed.
    """
    if _is_robot(name):
        from gelenk.cli.robot_study import print_study

        given = {
            "seconds": seconds is not None,
            "set": bool(settings),
            "record": bool(record),
            "simtime": bool(simtime),
        }
        for option, is_given in given.items():
            if is_given:
                raise ConfigError(f"--{option} belongs to a scenario, {name} is none")
        return print_study(name, seed, json=json)
    from gelenk.cli.run_scenario import RunOptions, run_once
    from gelenk.runtime.scenario import get_scenario

    options = RunOptions(
        seed=seed,
        seconds=seconds,
        settings=tuple(settings or ()),
        record=record,
        pace=simtime,
    )
    try:
        scenario = get_scenario(name)
    except NameNotFoundError as error:
        if ":" in name:
            raise
        from gelenk.models import catalog

        known = {*error.available, *catalog.names()}
        raise NameNotFoundError("scenario, scene or robot", name, known) from None
    return run_once(scenario, options, json=json)


def _is_robot(name: str) -> bool:
    """Return whether a name is a robot of the catalogue or a file of one."""
    from gelenk.models import catalog

    is_file = "." in name or Path(name).is_file()
    return ":" not in name and (is_file or name in catalog.names())
