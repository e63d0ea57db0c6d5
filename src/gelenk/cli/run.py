"""`gelenk run`: the page, one run of a scenario, or an arm at work in the terminal."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import say
from gelenk.errors import ConfigError, NameNotFoundError

if TYPE_CHECKING:
    from gelenk.runtime.scenario import Scenario

LOOPBACK = "127.0.0.1"


def run(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[SCENE|SCENARIO|ROBOT]",
            help="Scene of the page, such as armbot/sorting; scenario by name, "
            "package.module:function or file.py:function; or a robot by name or file, "
            "which then follows a figure eight in the terminal.",
        ),
    ] = None,
    headless: Annotated[
        bool, typer.Option("--headless", help="Nothing that moves, only the figures.")
    ] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Here instead of in the browser.")
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
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            help="Port of the page; without it 8765 or the next free one.",
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option("--host", help="Address of the page; 0.0.0.0 for the network."),
    ] = LOOPBACK,
    token: Annotated[
        str | None,
        typer.Option("--token", help="Token of the page; empty for none."),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address of the page only.")
    ] = False,
) -> int:
    """Show robots in the browser; or run a scenario once and print its figures.

    Exit code 1 if the scenario misses its criterion.
    """
    if list_all:
        from gelenk.cli.campaign_report import print_scenarios
        from gelenk.runtime.scenario import list_scenarios

        print_scenarios(list_scenarios(), json=json)
        return exit_codes.OK
    is_plain = headless or terminal or json or seconds is not None
    is_plain = is_plain or bool(settings or record or simtime)
    if not is_plain and (name is None or _is_scene(name)):
        from gelenk.cli.page import PageWish, open_page, page_problem

        if not (problem := page_problem()):
            wish = PageWish(
                host=host,
                port=port,
                token=token,
                open_browser=not no_browser,
                seed=seed,
            )
            return open_page(name, wish)
        say(f"gelenk: {problem}")
    else:
        page_only = {
            "port": port is not None,
            "host": host != LOOPBACK,
            "token": token is not None,
            "no-browser": no_browser,
        }
        _refuse(page_only, "belongs to the page, which this command does not open")
    scenario = None if name is None else _find_scenario(name)
    if scenario is not None:
        from gelenk.cli.run_scenario import Wish, run_once

        wanted = Wish(
            seed=seed,
            seconds=seconds,
            settings=tuple(settings or ()),
            record=record,
            pace=simtime,
            headless=headless or json,
        )
        return run_once(scenario, wanted, json=json)
    given = {"set": bool(settings), "record": bool(record), "simtime": bool(simtime)}
    _refuse(given, "belongs to a scenario; `gelenk run --list` shows them")
    from gelenk.cli.demo.show import show_robot

    length = 12.0 if seconds is None else seconds
    return show_robot(name or "panda", headless, length, seed, json=json)


def _refuse(given: dict[str, bool], why: str) -> None:
    for option, is_given in given.items():
        if is_given:
            raise ConfigError(f"--{option} {why}")


def _is_scene(name: str) -> bool:
    """Return whether a name is one of the gallery.

    Raises:
        NameNotFoundError: If it looks like one, but is none.
    """
    group, slash, rest = name.partition("/")
    if not slash or ":" in name or "." in rest or Path(name).exists():
        return False
    from gelenk.ui.gallery import list_scenes

    scenes = list_scenes()
    if name in scenes:
        return True
    groups = {scene.partition("/")[0] for scene in scenes}
    if difflib.get_close_matches(group, groups, cutoff=0.8):
        raise NameNotFoundError("scene", name, scenes)
    return False


def _find_scenario(name: str) -> Scenario | None:
    """Return the scenario of a name, None if it names a robot.

    Raises:
        NameNotFoundError: If it is neither; the closest of both are named.
        ConfigError: If it is a scene and no scenario.
    """
    from gelenk.models import catalog
    from gelenk.runtime.scenario import get_scenario, list_scenarios

    if ":" not in name and ("." in name or name in catalog.names()):
        return None  # a robot of the catalogue or in a file
    try:
        return get_scenario(name)
    except NameNotFoundError:
        if ":" in name:
            raise
        if _is_scene(name):
            raise ConfigError(
                f"{name} is a scene of the page and has no figures; without options "
                f"`gelenk run {name}` shows it"
            ) from None
        if "/" in name or "\\" in name:
            return None
        known = [item.name for item in list_scenarios()]
        raise NameNotFoundError(
            "scenario or robot", name, (*known, *catalog.names())
        ) from None
