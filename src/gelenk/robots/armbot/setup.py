"""Set-up of a cell from an environment file and a command line.

All mistakes of both are told in one go, each with its place and a remedy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from gelenk.errors import ConfigError
from gelenk.robots.armbot.classes import load_class
from gelenk.robots.armbot.config import ArmBotCfg
from gelenk.robots.armbot.environment.description import (
    Environment,
    Given,
    Place,
    RobotEntry,
)
from gelenk.robots.armbot.interface.controller import RobotController
from gelenk.robots.armbot.model import GripperModel, ManipulatorModel
from gelenk.robots.armbot.options import Choice, IkChoice, Options, Selector
from gelenk.robots.armbot.problems import ProblemsError
from gelenk.robots.armbot.skills import Skills
from gelenk.runtime.config import InvalidConfigError, options_layer, resolve
from gelenk.runtime.controller import TriggerProcessor


class _Option(NamedTuple):
    """Something that an option says to robots: `value` is a `Given` or a pose."""

    part: str
    selector: Selector
    value: Any
    place: Place


def merge_robots(
    environment: Environment, options: Options, problems: list[str]
) -> list[RobotEntry]:
    """Return what is said about each robot once the command line has had its word."""
    limit = environment.num_robots or 1
    said = [
        item
        for item in _robot_options(options)
        if _has_robots(item, environment, problems)
    ]
    numbered = {number for item in said for number in item.selector.numbers}
    in_file = {entry.number: entry for entry in environment.robots}
    # An option with no number speaks to all robots there are. Where a file knows of
    # none, there are as many as it says there may be.
    everybody = set(in_file) or set(range(limit))
    has_defaults = any(item.selector.kind == "default" for item in said)
    existing = set(in_file) | {number for number in numbered if number < limit}
    if has_defaults:
        existing |= everybody
    robots = []
    for number in sorted(existing):
        entry = in_file.get(number)
        mine = [item for item in said if _speaks_to(item.selector, number)]
        if entry is None:
            entry = RobotEntry(number=number, place=mine[0].place)
        parts = {item.part: item.value for item in _by_weight(mine)}
        robots.append(replace(entry, **parts))
    return robots


def _robot_options(options: Options) -> list[_Option]:
    """Return the options for robots; `-cfg` and `-robot` alone mean robot 0."""
    classes: tuple[tuple[str, tuple[Choice, ...]], ...] = (
        ("manipulator", options.manipulators),
        ("gripper", options.grippers),
        ("controller", options.controllers),
    )
    found = [
        _Option(part, choice.selector, choice.given, choice.given.place)
        for part, choices in classes
        for choice in choices
    ]
    singles = [
        _Option("config", item.selector, item.given, item.given.place)
        for item in options.configs
    ]
    singles += [
        _Option("pose", item.selector, item.pose, item.place) for item in options.poses
    ]
    robot_0 = Selector(kind="one", numbers=(0,))
    for item in _by_weight(singles):
        is_default = item.selector.kind == "default"
        found.append(item._replace(selector=robot_0) if is_default else item)
    return found


def _has_robots(item: _Option, environment: Environment, problems: list[str]) -> bool:
    """Return whether the robots of an option can exist; if not, say so."""
    limit = environment.num_robots or 1
    beyond = [number for number in item.selector.numbers if number >= limit]
    if not beyond:
        return True
    file = environment.file or "an empty floor"
    if environment.num_robots is None:
        problems.append(
            f"{item.place}: expected robot 0, the only one where MULTIROBOT is not "
            f"said, got {beyond[0]}; add MULTIROBOT {beyond[-1] + 1} to {file}"
        )
        return False
    is_cut = item.selector.kind == "range" and len(beyond) < len(item.selector.numbers)
    if is_cut:
        return True
    problems.append(
        f"{item.place}: expected robots 0 to {limit - 1}, got {beyond[0]}; {file} says "
        f"MULTIROBOT {limit}"
    )
    return False


def _speaks_to(selector: Selector, number: int) -> bool:
    return selector.kind == "default" or number in selector.numbers


def _by_weight(said: Iterable[_Option]) -> list[_Option]:
    """Return options so that later ones win: those with no number first."""
    return sorted(said, key=lambda item: item.selector.kind != "default")


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotSetup:
    """One robot.

    Attributes:
        number: 0 to 9.
        manipulator: Class of its arm.
        gripper: Class of its gripper; None: the arm ends at its mount.
        controller: Class of its controller; None: it stands still.
        config: Text for the controller; None: there is none.
        x, y: Where it stands [m].
        heading: Counter-clockwise, 0 looks along +y [rad].
    """

    number: int
    manipulator: type[ManipulatorModel]
    gripper: type[GripperModel] | None = None
    controller: type[RobotController] | None = None
    config: str | None = None
    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessorSetup:
    """The trigger processor: its number, its class, and a text for it or None."""

    number: int
    processor: type[TriggerProcessor]
    config: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Everything that a cell is built from.

    Attributes:
        environment: What stands in the cell.
        robots: By rising number.
        processor: The trigger processor, if any.
        ik: Method of the inverse kinematics.
        skills: What arms can do by themselves.
        cfg: Constants and rules.
        options: The command line.
    """

    environment: Environment
    robots: tuple[RobotSetup, ...] = ()
    processor: ProcessorSetup | None = None
    ik: IkChoice = "pref"
    skills: Skills = field(default_factory=Skills)
    cfg: ArmBotCfg = field(default_factory=ArmBotCfg)
    options: Options = field(default_factory=Options)


def make_setup(environment: Environment, options: Options) -> Setup:
    """Return the cell that a file and a command line describe together.

    Args:
        environment: The file.
        options: The command line; it wins wherever both say something.

    Raises:
        ProblemsError: Robots that do not exist or have no arm, classes that cannot be
            loaded, missing configurations, impossible settings: all of them.
    """
    problems: list[str] = []
    folder = Path(environment.file).parent if environment.file else None
    entries = merge_robots(environment, options, problems)
    robots = [_make_robot(entry, options, folder, problems) for entry in entries]
    processor = _make_processor(environment, options, folder, problems)
    cfg = _make_cfg(options, problems)
    if problems:
        raise ProblemsError(problems)
    return Setup(
        environment=environment,
        robots=tuple(robot for robot in robots if robot is not None),
        processor=processor,
        ik=options.ik,
        skills=options.skills,
        cfg=cfg,
        options=options,
    )


# -- what they are -----------------------------------------------------------------


def _make_robot(
    entry: RobotEntry, options: Options, folder: Path | None, problems: list[str]
) -> RobotSetup | None:
    if entry.manipulator is None:
        problems.append(
            f"{entry.place}: robot {entry.number} has no arm; add MANIPULATOR"
            f"{entry.number} to the file, or say -man{entry.number} "
            "manipulators.SimpleArm"
        )
    loads = (
        (entry.manipulator, ManipulatorModel, "manipulator"),
        (entry.gripper, GripperModel, "gripper"),
        (entry.controller, RobotController, "controller"),
    )
    arm, gripper, controller = (
        _load(given, base, kind, folder, problems) for given, base, kind in loads
    )
    if arm is not None:
        _check_method(arm, entry.number, options, problems)
    if controller is not None:
        _check_config(controller, entry, problems)
    elif entry.controller is None and entry.config is not None:
        _check_use(entry.config, entry.number, problems)
    if arm is None:
        return None
    config = entry.config if entry.controller is not None else None
    x, y, heading = entry.pose or (0.0, 0.0, 0.0)
    return RobotSetup(
        number=entry.number,
        manipulator=arm,
        gripper=gripper,
        controller=controller,
        config=None if config is None else config.text,
        x=x,
        y=y,
        heading=heading,
    )


def _load(
    given: Given | None,
    base: type,
    kind: str,
    folder: Path | None,
    problems: list[str],
) -> type[Any] | None:
    if given is None:
        return None
    try:
        return load_class(given, base, kind=kind, folder=folder)
    except ConfigError as error:
        problems.append(str(error))
        return None


def _check_method(
    arm: type[ManipulatorModel], number: int, options: Options, problems: list[str]
) -> None:
    has_formula = arm.closed_inverse is not ManipulatorModel.closed_inverse
    if options.ik == "closed" and not has_formula:
        problems.append(
            f"command line, -ik closed: robot {number} has the arm {arm.__name__}, "
            "which has no formula for its inverse kinematics; it can do down and jac"
        )


def _check_config(
    controller: type[RobotController], entry: RobotEntry, problems: list[str]
) -> None:
    if entry.config is None and _requires_configuration(controller):
        assert entry.controller is not None
        problems.append(
            f"{entry.controller.place}: controller {controller.__name__} of robot "
            f"{entry.number} requires a configuration and has none; add CONFIG"
            f'{entry.number} to the file, or say -cfg{entry.number} "..."'
        )


def _check_use(config: Given, number: int, problems: list[str]) -> None:
    """Refuse a configuration that nobody reads; a file may keep one for later."""
    if not config.place.line:
        problems.append(
            f"{config.place}: a configuration for robot {number}, which has no "
            f"controller; say -c{number} <class>, or leave it out"
        )


def _requires_configuration(program: type[Any]) -> bool:
    """Return whether a program says so, as far as it can before it is made.

    Its constructor runs once, when the cell is built; here a bare object is asked. One
    that cannot answer yet is asked again by the runtime.
    """
    try:
        return bool(program.requires_configuration(object.__new__(program)))
    except Exception:
        return False


def _make_processor(
    environment: Environment,
    options: Options,
    folder: Path | None,
    problems: list[str],
) -> ProcessorSetup | None:
    entry = environment.processor
    chosen = options.processor
    config = options.processor_config or (None if entry is None else entry.config)
    if chosen is not None:
        number, name = chosen.number, chosen.name
    elif entry is not None:
        number, name = entry.number, entry.name
    else:
        if config is not None:
            problems.append(
                f"{config.place}: a configuration, but there is no trigger processor; "
                "say -tp <number>:<class>"
            )
        return None
    if number < 0:
        problems.append(
            f"{name.place}: expected a number that is 0 or more, got {number}; -1 is "
            "the address of all controllers"
        )
    processor = _load(name, TriggerProcessor, "trigger processor", folder, problems)
    if processor is None:
        return None
    if config is None and _requires_configuration(processor):
        problems.append(
            f"{name.place}: trigger processor {processor.__name__} requires a "
            'configuration and has none; add TPCONFIG to the file, or say -tpcfg "..."'
        )
    text = None if config is None else config.text
    return ProcessorSetup(number=number, processor=processor, config=text)


def _make_cfg(options: Options, problems: list[str]) -> ArmBotCfg:
    try:
        layers: Sequence[Any] = [options_layer(options.settings)]
        return resolve(ArmBotCfg, layers).config
    except InvalidConfigError as error:
        problems.extend(str(problem) for problem in error.problems)
    except ConfigError as error:
        problems.append(str(error))
    return ArmBotCfg()
