"""`gelenk run`: a scenario, a scene or a robot computed once, and its figures."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import LiveArea, bold, dim, format_table, say, write, write_json
from gelenk.errors import ConfigError, GelenkError, NameNotFoundError

if TYPE_CHECKING:
    from gelenk.runtime.config import Resolved
    from gelenk.runtime.scenario import Outcome, Scenario


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of one run of a scenario.

    Attributes:
        seed: Seed of everything that is drawn.
        seconds: Simulated time [s], if the scenario has such a setting.
        settings: Settings as texts KEY=VALUE.
        record: File for all messages; None: nothing is recorded.
        pace: Simulated seconds per second of wall time; None: as fast as possible.
    """

    seed: int
    seconds: float | None
    settings: tuple[str, ...]
    record: Path | None
    pace: float | None


def run_once(scenario: Scenario, options: RunOptions, *, json: bool) -> int:
    """Run a scenario and print its figures; return the exit code.

    Raises:
        ConfigError: If a setting or a file is not possible.
    """
    from gelenk.runtime.controls import Spectator, watched_by

    resolved = _resolve(scenario, options)
    line = LiveLine(scenario.name, is_shown=not json)
    spectator = Spectator(pace=options.pace, on_time=line.show)
    if scenario.warm_up is not None:
        scenario.warm_up()  # unwatched: not a part of the run
    start = time.perf_counter()
    try:
        with line, watched_by(spectator):
            outcome = _run(scenario, resolved, options)
    except GelenkError:
        raise
    except Exception as error:
        if scenario.is_ours:
            raise
        return _report_raised(scenario, error)
    wall = time.perf_counter() - start
    if options.pace is not None and spectator.num_looks == 0:
        say(
            f"--simtime had no effect: {scenario.name} keeps its time to itself; use "
            "`gelenk.runtime.Run`, or call `gelenk.runtime.controls.pass_time`"
        )
    document = _as_document(scenario, resolved, options, outcome, spectator.time, wall)
    if json:
        write_json(document)
    else:
        _print(document)
    return exit_codes.OK if outcome.ok else exit_codes.MISSED


class LiveLine(LiveArea):
    """Simulated time and speed on one line of the terminal; silent elsewhere.

    Args:
        name: Text before the time.
        is_shown: Whether anything is drawn, on a terminal.
    """

    def __init__(self, name: str, *, is_shown: bool) -> None:
        super().__init__(is_shown=is_shown)
        self._name = name
        self._start = time.monotonic()

    def __enter__(self) -> Self:
        self._start = time.monotonic()
        return super().__enter__()

    def show(self, sim_time: float) -> None:
        """Draw a simulated time [s], not more often than eyes can follow."""
        if self.is_due:
            factor = sim_time / max(time.monotonic() - self._start, 1e-9)
            self.draw(f"{self._name} {sim_time:.2f} s, {factor:.3g}x real time")


def _resolve(scenario: Scenario, options: RunOptions) -> Resolved[Any]:
    from gelenk.runtime.config import options_layer

    texts = list(options.settings)
    if options.seconds is not None:
        fields = getattr(scenario.config_type, "__dataclass_fields__", {})
        if "seconds" not in fields:
            raise ConfigError(
                f"--seconds: scenario {scenario.name!r} has no such setting, it ends "
                f"by itself; its settings are {', '.join(fields) or 'none'}"
            )
        texts.append(f"seconds={options.seconds!r}")
    if options.record is not None and options.record.exists():
        raise ConfigError(f"`--record {options.record}` exists already; choose another")
    return scenario.resolve(*([options_layer(texts)] if texts else []))


def _run(scenario: Scenario, resolved: Resolved[Any], options: RunOptions) -> Outcome:
    if options.record is None:
        return scenario(resolved.config, options.seed, None)
    from gelenk.runtime.config import to_plain
    from gelenk.runtime.recorder import Recorder

    facts = {
        "scenario": scenario.address,
        "config": to_plain(resolved.config),
        "origins": dict(resolved.origins),
        "seed": options.seed,
    }
    with Recorder(options.record, facts) as recorder:
        return scenario(resolved.config, options.seed, recorder)


def _report_raised(scenario: Scenario, error: Exception) -> int:
    """Say where somebody's own scenario went wrong."""
    import traceback

    say("".join(traceback.format_exception(error)).rstrip())
    say(f"scenario {scenario.name!r} raised {type(error).__name__}: {error}")
    return exit_codes.MISSED


def _as_document(
    scenario: Scenario,
    resolved: Resolved[Any],
    options: RunOptions,
    outcome: Outcome,
    sim_time: float,
    wall: float,
) -> dict[str, Any]:
    from gelenk.runtime.config import effective

    units = {name: figure.unit for name, figure in scenario.figures.items()}
    return {
        "scenario": scenario.name,
        "seed": options.seed,
        "ok": outcome.ok,
        "reason": outcome.reason,
        "figures": {
            name: {"value": value, "unit": units.get(name, "")}
            for name, value in outcome.figures.items()
        },
        "simulated_time": sim_time,
        "wall_time": wall,
        "real_time_factor": sim_time / wall,
        "recording": None if options.record is None else str(options.record),
        "config": effective(resolved),
    }


def _print(document: dict[str, Any]) -> None:
    verdict = "ok" if document["ok"] else f"missed: {document['reason']}"
    write(f"{bold(document['scenario'])}, seed {document['seed']}: {verdict}")
    if document["simulated_time"] > 0.0:
        write(
            dim(
                f"{document['simulated_time']:.2f} s simulated in "
                f"{document['wall_time']:.2f} s, "
                f"{document['real_time_factor']:.3g}x real time"
            )
        )
    rows = [
        (name, f"{figure['value']:.5g}", figure["unit"])
        for name, figure in document["figures"].items()
    ]
    if rows:
        write(format_table(("figure", "value", "unit"), rows, align="lrl"))
    if document["recording"]:
        write(f"recorded: {document['recording']}")
