"""`gelenk run`: one run of a scenario, or an arm at work in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gelenk.cli import exit_codes
from gelenk.core.errors import ConfigError, NameNotFoundError

if TYPE_CHECKING:
    from gelenk.runtime.scenario import Scenario


def run(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[SCENARIO|ROBOT]",
            help="Scenario by name, package.module:function or file.py:function; or a "
            "robot by name or file, which then follows a figure eight.",
        ),
    ] = None,
    headless: Annotated[
        bool, typer.Option("--headless", help="Nothing that moves, only the figures.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", min=0.0, help="Simulated time; of the film [s]."),
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
    list_all: Annotated[
        bool, typer.Option("--list", help="List the scenarios that ship.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """Run a scenario once; without a name, watch an arm in the terminal.

    Exit code 1 if the scenario misses its criterion.
    """
    if list_all:
        from gelenk.cli.campaign_report import print_scenarios
        from gelenk.runtime.scenario import list_scenarios

        print_scenarios(list_scenarios(), json=json)
        return exit_codes.OK
    scenario = None if name is None else _find_scenario(name)
    if scenario is not None:
        from gelenk.cli.run_scenario import Wish, run_once

        wish = Wish(
            seed=seed,
            seconds=seconds,
            settings=tuple(settings or ()),
            record=record,
            pace=simtime,
            headless=headless or json,
        )
        return run_once(scenario, wish, json=json)
    for option, value in (("set", settings), ("record", record), ("simtime", simtime)):
        if value:
            raise ConfigError(
                f"--{option} belongs to a scenario; `gelenk run --list` shows them"
            )
    from gelenk.cli.demo.show import show_robot

    length = 12.0 if seconds is None else seconds
    return show_robot(name or "panda", headless, length, seed, json=json)


def _find_scenario(name: str) -> Scenario | None:
    """Return the scenario of a name, None if it names a robot.

    Raises:
        NameNotFoundError: If it is neither; the closest of both are named.
    """
    from gelenk.core.model import catalog
    from gelenk.runtime.scenario import get_scenario, list_scenarios

    if ":" not in name and ("." in name or name in catalog.names()):
        return None  # a robot of the catalogue or in a file
    try:
        return get_scenario(name)
    except NameNotFoundError:
        if ":" in name:
            raise
        if "/" in name or "\\" in name:
            return None
        known = [item.name for item in list_scenarios()]
        raise NameNotFoundError(
            "scenario or robot", name, (*known, *catalog.names())
        ) from None
