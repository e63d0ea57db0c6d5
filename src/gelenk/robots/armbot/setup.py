"""From an environment file and a command line to what is built: the command line wins.

All mistakes of both are told in one go, each with its place and a remedy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gelenk.errors import ConfigError
from gelenk.robots.armbot.classes import load_class
from gelenk.robots.armbot.config import ArmBotCfg
from gelenk.robots.armbot.environment.description import (
    Environment,
    Given,
    RobotEntry,
)
from gelenk.robots.armbot.interface import RobotController, TriggerProcessor
from gelenk.robots.armbot.merge import merge_robots
from gelenk.robots.armbot.model import GripperModel, ManipulatorModel
from gelenk.robots.armbot.options import IkChoice, Options
from gelenk.robots.armbot.problems import ProblemsError
from gelenk.robots.armbot.skills import Skills
from gelenk.runtime.config import InvalidConfigError, options_layer, resolve


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
