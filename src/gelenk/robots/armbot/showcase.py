"""Scenes of ArmBot: the cells that ship, environment files, and typed text."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from gelenk.errors import ConfigError
from gelenk.robots.armbot.assets import shipped_cells, summary
from gelenk.runtime.config_values import field_hints
from gelenk.runtime.panel_actions import (
    ChoiceField,
    Field,
    NumberField,
    SwitchField,
    TextField,
)
from gelenk.runtime.scene import (
    FloorPaint,
    LiveScene,
    SceneLog,
    SceneSpec,
    Setter,
    Settings,
)

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell
    from gelenk.robots.armbot.environment.description import Environment
    from gelenk.robots.armbot.options import Options
    from gelenk.robots.armbot.setup import Setup

GROUP = "ArmBot"
TOOLS = ("armbot-editor", "ik-race", "assembly")
NOT_STARTED = ("student",)  # an exercise: its program is still to be written
MAX_BELT_SPEED = 2.0  # [m/s]
HELP = {
    "step": "Physics step.",
    "gravity": "Downwards.",
    "border": "Whether objects can leave the floor, or walls stand there.",
    "resistance": "Whether a ball is slowed down while it touches, or always.",
    "resistance_is_remaining": "RESISTANCE is the share of the speed that is left.",
    "spin": "Balls turn and have rotational inertia.",
    "light_cuboids": "Balls push cuboids.",
    "cuboid_density": "Of light cuboids.",
    "ball_density": "Of balls without a mass, with light cuboids.",
    "motors": "Infinitely strong, or with a largest torque and force.",
    "max_torque": "Of servos of limited strength.",
    "max_force": "Of linear motors of limited strength.",
    "trigger_heights": "Triggers see objects only up to their height.",
}


def scene_of_cell(name: str, path: Path) -> SceneSpec:
    """Return the scene of a cell that ships."""
    return SceneSpec(
        name=f"armbot/{name}",
        title=name.replace("_", " ").capitalize(),
        summary=summary(path),
        group=GROUP,
        make=partial(_make_file, path),
        repeats=name not in NOT_STARTED,
    )


def scene_of_request(value: dict[str, Any]) -> SceneSpec:
    """Return the scene of an environment that a page sends.

    Args:
        value: `text` of the environment and its file's `name`.

    Raises:
        EnvironmentFileError: If the text has mistakes.
        ConfigError: If the request or the environment asks for what does not exist.
    """
    from gelenk.robots.armbot.workbench.fields import check_fields

    fields = check_fields(value, ("text", "name"))
    text, name = fields.get("text"), fields.get("name", "cell.env")
    if not isinstance(text, str) or not isinstance(name, str):
        raise ConfigError("`text` and `name` must be texts")
    return scene_of_text(text, name)


def scene_of_file(path: Path) -> SceneSpec:
    """Return the scene of an environment file.

    Raises:
        ConfigError: If it asks for what does not exist.
        EnvironmentFileError: If it cannot be read.
    """
    from gelenk.robots.armbot.options import parse_options

    return scene_of_options(parse_options(["-e", str(path)]))


def scene_of_text(text: str, file: str) -> SceneSpec:
    """Return a scene for the text of an environment file.

    Args:
        text: The text.
        file: Its name; one of a shipped cell finds the programs beside that cell.

    Raises:
        EnvironmentFileError: If the text has mistakes.
        ConfigError: If it asks for what does not exist.
    """
    from gelenk.robots.armbot.environment.read import parse_environment

    name = Path(file.replace("\\", "/")).name or "cell.env"
    place = shipped_cells().get(Path(name).stem)
    environment = parse_environment(text, file=str(place) if place else name)
    _setup(environment, {})  # its mistakes are told before anything is closed
    return SceneSpec(
        name=f"armbot/text/{name}",
        title=name,
        summary="From the editor.",
        group=GROUP,
        make=partial(_make, environment, text, True),
        repeats=False,
    )


def scene_of_options(options: Options) -> SceneSpec:
    """Return a scene for a command line of ArmBot.

    Raises:
        ConfigError: If file or command line have mistakes.
        EnvironmentFileError: If the file cannot be read.
    """
    from gelenk.robots.armbot.session import find_environment, load_setup

    path = find_environment(options)
    environment = load_setup(options).environment
    name, text, sentence = "empty floor", "", ""
    if path is not None:
        name = path.name
        if path.is_file():  # not a pipe, which is empty by now
            text = path.read_text(encoding="utf-8", errors="replace")
            sentence = summary(path)
    return SceneSpec(
        name=f"armbot/file/{name}",
        title=name,
        summary=sentence or "From the command line.",
        group=GROUP,
        make=partial(_make, environment, text, True, options=options),
        repeats=False,
    )


def _make_file(path: Path, seed: int, settings: Settings) -> LiveScene:
    from gelenk.robots.armbot.environment.read import read_environment

    text = path.read_text(encoding="utf-8")
    is_started = path.stem not in NOT_STARTED
    return _make(read_environment(path), text, is_started, seed, settings)


def _make(
    environment: Environment,
    text: str,
    is_started: bool,
    seed: int,
    settings: Settings,
    *,
    options: Options | None = None,
) -> LiveScene:
    from gelenk.robots.armbot.cell import Cell

    setup = _setup(environment, settings, options)
    pace = 1.0 if options is None else options.pace
    cell = Cell(setup, seed=seed, pace=pace, autostart=is_started)
    belts = _belts(environment)
    return LiveScene(
        run=cell.run,
        world=cell.world,
        close=cell.close,
        robots=cell.commander.robots,
        receivers=_receivers(cell),
        parameters=(*_belt_parameters(environment), *_parameters(setup.cfg)),
        tools=TOOLS,
        source=text,
        source_name=Path(environment.file).name,
        connect=partial(_connect, cell),
        send_line=lambda robot, line: _send(cell, robot, line),
        setters={
            f"belt.{name}.{what}": setter
            for name in belts
            for what, setter in _belt_setters(cell, name).items()
        },
        zone_texts=_zone_texts(cell),
        paints=tuple(_paints(environment)),
        facts={"scene": environment.file, "seed": seed},
    )


def _setup(
    environment: Environment, settings: Settings, options: Options | None = None
) -> Setup:
    from gelenk.robots.armbot.options import Options
    from gelenk.robots.armbot.setup import make_setup

    setup = make_setup(environment, options or Options())
    return dataclasses.replace(setup, cfg=dataclasses.replace(setup.cfg, **settings))


# -- what is shown -----------------------------------------------------------------


def _connect(cell: Cell, log: SceneLog) -> None:
    def show_debug(line: Any) -> None:
        source = f"robot{line.robot}"
        log.add_text("debug", line.text, source=source, tick=line.tick, time=line.time)

    def show_command(line: Any) -> None:
        log.add_text(
            "commander",
            line.text,
            source=f"robot{line.robot}",
            tick=line.tick,
            time=line.time,
            level="info" if line.is_answer else "input",
            receiver=line.robot,
        )

    cell.debug_out.listen(show_debug)
    cell.commander.scroll.listen(show_command)


def _send(cell: Cell, robot: int, line: str) -> None:
    cell.commander.send(line, robot)


def _receivers(cell: Cell) -> dict[str, str]:
    receivers = {"-1": "all controllers"}
    for host in cell.run.executors:
        receivers[str(host.instance)] = f"robot{host.instance}: {host.name}"
    processor = cell.setup.processor
    if processor is not None:
        title = f"trigger processor: {processor.processor.__name__}"
        receivers[str(processor.number)] = title
    for number, names in cell.scene.belts.items():
        receivers[str(number)] = f"belt: {', '.join(names)} (RUN, STOP)"
    return receivers


def _zone_texts(cell: Cell) -> dict[str, str]:
    return {
        item.zone: f"sends {item.text!r} to "
        + ("all controllers" if item.receiver < 0 else str(item.receiver))
        for item in cell.scene.zone_triggers
    }


def _paints(environment: Environment) -> Iterator[FloorPaint]:
    from gelenk.robots.armbot.view.shapes import outline_of

    for paint in environment.paints:
        red, green, blue = (channel / 255.0 for channel in paint.color)
        corners = outline_of(paint.plan).ravel()
        yield FloorPaint(
            corners=tuple(float(value) for value in corners),
            rgba=(red, green, blue, paint.alpha),
        )


# -- what can be set ---------------------------------------------------------------


def _belts(environment: Environment) -> dict[str, Any]:
    return {
        item.name: belt
        for item in environment.obstacles
        if (belt := getattr(item, "belt", None)) is not None
    }


def _belt_parameters(environment: Environment) -> Iterator[Field]:
    for name, belt in _belts(environment).items():
        yield NumberField(
            name=f"belt.{name}.speed",
            title=f"{name}: speed",
            default=belt.speed,
            unit="m/s",
            minimum=-MAX_BELT_SPEED,
            maximum=MAX_BELT_SPEED,
            help="Along the belt; takes effect at once.",
        )
        yield SwitchField(
            name=f"belt.{name}.running",
            title=f"{name}: runs",
            default=belt.is_running,
            help="Takes effect at once.",
        )


def _belt_setters(cell: Cell, name: str) -> dict[str, Setter]:
    world = cell.world
    return {
        "speed": lambda value: world.command_conveyor(name, speed=float(value)),
        "running": lambda value: world.command_conveyor(name, running=bool(value)),
    }


def _parameters(cfg: Any) -> Iterator[Field]:
    """Yield a field for each setting of a cell, with its value, unit and range."""
    hints = field_hints(type(cfg))
    for item in dataclasses.fields(cfg):
        value = getattr(cfg, item.name)
        about: dict[str, Any] = {
            "name": item.name,
            "title": item.name.replace("_", " "),
            "default": value,
            "help": HELP.get(item.name, ""),
        }
        if choices := get_args(hints[item.name]):
            yield ChoiceField(**about, choices=choices)
        elif isinstance(value, bool):
            yield SwitchField(**about)
        elif isinstance(value, str):
            yield TextField(**about)
        else:
            ends = (item.metadata["minimum"], item.metadata["maximum"])
            low, high = (end if math.isfinite(end) else None for end in ends)
            unit = item.metadata["unit"]
            yield NumberField(**about, unit=unit, minimum=low, maximum=high)


SCENES = tuple(scene_of_cell(name, path) for name, path in shipped_cells().items())
