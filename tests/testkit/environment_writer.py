"""Writes an environment as a file that reads back as the same environment."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from gelenk.errors import ConfigError
from gelenk.robots.armbot.environment.description import (
    BallEntry,
    CirclePlan,
    CircleTrigger,
    Color,
    CuboidEntry,
    CylinderEntry,
    Environment,
    FixedSphere,
    Movable,
    Obstacle,
    Plan,
    PolyPlan,
    RectPlan,
    Trigger,
)
from gelenk.robots.armbot.environment.values import CM_PER_M, decimal_text, si_from_file

# Stands between characters that would mean something else side by side.
EMPTY_NAME = "NOTHING"
_EMPTY = f"_S{{{EMPTY_NAME}}}_"
_SPECIAL = re.compile(r"/(?=[/*])|_(?=[IDS]\{)")


def write_environment(environment: Environment) -> str:
    """Return the text of an environment file.

    Names of numbers and strings are gone, they have been resolved. Reading the text
    gives an environment that differs in its file and its places only, if the numbers
    came from a file; others may differ in the last digit.

    Raises:
        ConfigError: If something cannot be said in a file: a turned cuboid, a text with
            a line break, a name with a blank.
    """
    lines: list[str] = []
    if environment.num_robots is not None:
        lines.append(f"MULTIROBOT {environment.num_robots}")
    if environment.border is not None:
        limits = (*environment.border.low, *environment.border.high)
        lines.append(f"BORDER {_lengths(*limits)}")
    for tile in environment.tiles:
        columns, rows = (f"{low}~{high}" for low, high in (tile.columns, tile.rows))
        lines.append(f"TILE {columns} {rows} {_hex(tile.color)}")
    lines += _robot_lines(environment)
    for paint in environment.paints:
        head = f"BOTTOMPAINT {_hex(paint.color)} {decimal_text(paint.alpha)}"
        lines += [head, _plan_line(paint.plan), "ENDBOTTOMPAINT"]
    counts: dict[str, int] = {}
    for obstacle in environment.obstacles:
        kind = "sphere" if isinstance(obstacle, FixedSphere) else obstacle.kind
        lines += _name_lines(obstacle.name, kind, counts)
        lines += _obstacle_lines(obstacle)
    for movable in environment.movables:
        kind, line = _movable_line(movable)
        lines += _name_lines(movable.name, kind, counts)
        if movable.mass is not None:
            lines.append(f"MASS {decimal_text(movable.mass)}")
        lines.append(line)
    for index, trigger in enumerate(environment.triggers):
        lines += _trigger_lines(trigger, f"TEXT_{index}")
    if any(_EMPTY in line for line in lines):
        lines.insert(0, f"STRING {EMPTY_NAME}")
    return "".join(f"{line}\n" for line in lines)


def _robot_lines(environment: Environment) -> list[str]:
    lines: list[str] = []
    for robot in environment.robots:
        number = robot.number
        for word, given in (
            ("MANIPULATOR", robot.manipulator),
            ("GRIPPER", robot.gripper),
            ("CONTROLLER", robot.controller),
        ):
            if given is not None:
                lines.append(f"{word}{number} {given.text}")
        if robot.config is not None:
            lines.append(f"CONFIG{number} {_text(robot.config.text)}")
        if robot.pose is not None:
            x, y, heading = robot.pose
            lines.append(f"ROBOT{number} {_lengths(x, y)} {_degrees(heading)}")
    config = environment.processor_config
    if environment.processor is not None:
        processor = environment.processor
        lines.append(f"TRIGGERPROCESSOR {processor.number} {processor.name.text}")
        config = processor.config
    if config is not None:
        lines.append(f"TPCONFIG {_text(config.text)}")
    return lines


def _name_lines(name: str, kind: str, counts: dict[str, int]) -> list[str]:
    counts[kind] = counts.get(kind, 0) + 1
    if name == f"{kind}_{counts[kind]}":
        return []
    if name.split() != [name] or "/" in name:
        raise ConfigError(f"`name` must be one word without `/`, got {name!r}")
    return [f"DEBUGNAME {name}"]


def _plan_line(plan: Plan) -> str:
    match plan:
        case RectPlan():
            return f"  RECT {_lengths(*plan.center, *plan.size)}"
        case CirclePlan():
            return f"  CIRCLE {_lengths(*plan.center, plan.radius)}"
        case PolyPlan():
            points = (coordinate for point in plan.points for coordinate in point)
            return f"  POLY {len(plan.points)} {_lengths(*points)}"


def _obstacle_lines(obstacle: Obstacle | FixedSphere) -> list[str]:
    color = _hex(obstacle.color)
    if isinstance(obstacle, FixedSphere):
        return [f"SPHERE {_lengths(*obstacle.center, obstacle.radius)} {color}"]
    word, axis = obstacle.kind.upper(), obstacle.direction
    bottom, top = obstacle.bottom, obstacle.top
    match obstacle.kind:
        case "step":
            head = _lengths(top[0])
        case "slope":
            head = f"{_lengths(*top)} {axis}"
        case "slice":
            head = _lengths(bottom[0], top[0])
        case "wedge":
            head = f"{_lengths(*top, *bottom)} {axis}"
        case "conveyor":
            if obstacle.belt is None:
                raise ConfigError(f"conveyor {obstacle.name!r} must have a belt")
            belt = obstacle.belt
            state = "RUN" if belt.is_running else "STOP"
            speeds = _lengths(belt.speed, belt.to_middle_speed)
            head = f"{belt.number} {state} {_lengths(*top)} {axis} {speeds}"
    return [f"{word} {head} {color}", _plan_line(obstacle.plan), f"END{word}"]


def _movable_line(movable: Movable) -> tuple[str, str]:
    center, color = _lengths(*movable.center), _hex(movable.color)
    match movable:
        case BallEntry():
            shares = (
                f"{decimal_text(movable.resistance)} {decimal_text(movable.bounce)}"
            )
            line = f"BALL {center} {_lengths(movable.radius)} {shares} {color}"
            return "ball", line
        case CuboidEntry():
            if movable.yaw != 0.0:
                raise ConfigError(
                    f"cuboid {movable.name!r} must not be turned, a file cannot say so"
                )
            return "cuboid", f"CUBOID {center} {_lengths(*movable.size)} {color}"
        case CylinderEntry():
            size = _lengths(movable.radius, movable.height)
            return "cylinder", f"CYLINDER {center} {size} {color}"


def _trigger_lines(trigger: Trigger, name: str) -> list[str]:
    text = _text(trigger.text)
    lines: list[str] = []
    if text.split() != [text]:  # a word may hold blanks only through a STRING
        lines.append(f"STRING {name} {text}")
        text = f"_S{{{name}}}_"
    watched = trigger.watches.upper()
    if isinstance(trigger, CircleTrigger):
        variant = f"{watched}{'ENTERS' if trigger.on == 'enter' else 'LEAVES'}"
        where = _lengths(*trigger.center, trigger.radius)
    else:
        variant = f"{watched}BARRIER"
        where = _lengths(*trigger.start, *trigger.end)
    color = "*" if trigger.color is None else _hex(trigger.color)
    height = _lengths(trigger.height)
    lines.append(
        f"TRIGGER {variant} {trigger.receiver} {text} {where} {height} {color}"
    )
    return lines


def _text(text: str) -> str:
    """Return a text written so that it reads back as itself."""
    if "\n" in text or "\r" in text:
        raise ConfigError(f"`text` must be one line, got {text!r}")
    written = _SPECIAL.sub(lambda match: match[0] + _EMPTY, text)
    if written and written != written.strip():
        written = f"{_EMPTY}{written}{_EMPTY}"
    return written


def _hex(color: Color) -> str:
    return bytes(color).hex().upper()


def _lengths(*metres: float) -> str:
    return " ".join(
        _inverse(m, m * CM_PER_M, lambda cm: si_from_file(cm, "cm")) for m in metres
    )


def _degrees(radians: float) -> str:
    return _inverse(
        radians, math.degrees(radians), lambda angle: si_from_file(angle, "degrees")
    )


def _inverse(wanted: float, guess: float, convert: Callable[[float], float]) -> str:
    """Return the shortest number near a guess that is converted to what is wanted."""
    near = [guess]
    for direction in (-math.inf, math.inf):
        value = guess
        for _ in range(3):
            value = math.nextafter(value, direction)
            near.append(value)
    hits = [decimal_text(value) for value in near if convert(value) == wanted]
    return min(hits, key=len, default=decimal_text(guess)).removesuffix(".0")
