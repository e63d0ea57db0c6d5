"""Looks through an environment file that is being written: problems with their places.

No code of the user is run: of classes only the names of those that ship are looked up.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from gelenk.robots.armbot.assets import controller_files
from gelenk.robots.armbot.environment.description import (
    BallEntry,
    CuboidEntry,
    Environment,
    Given,
)
from gelenk.robots.armbot.environment.problems import EnvironmentFileError, Problem
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.problems import close_match
from gelenk.robots.armbot.workbench.arms import shipped_arms, shipped_grippers
from gelenk.robots.armbot.workbench.fields import check_fields, read_text

MAX_TEXT = 200_000  # characters; a crowded cell has some ten thousand

_WORD = re.compile(r"\S+")
_LINE_END = re.compile(r"\r\n|\r|\n")


def check(value: dict[str, Any]) -> dict[str, Any]:
    """Return what is wrong with a text, and what it describes.

    Args:
        value: `text`, an environment file.

    Returns:
        `problems`: line and column from 1, length in characters, text; `num_more`: how
        many there are beyond them; `summary`: what the cell holds, None as long as the
        text cannot be read.
    """
    text = read_text(check_fields(value, ("text",)), "text", longest=MAX_TEXT)
    lines = _LINE_END.split(text.removeprefix("\ufeff"))
    try:
        environment = parse_environment(text)
    except EnvironmentFileError as error:
        problems = [_describe(problem, lines) for problem in error.problems]
        return {"problems": problems, "num_more": error.num_more, "summary": None}
    unknown = [_describe(problem, lines) for problem in _class_problems(environment)]
    return {"problems": unknown, "num_more": 0, "summary": _summary(environment)}


def _describe(problem: Problem, lines: list[str]) -> dict[str, Any]:
    line, column = max(problem.place.line, 1), max(problem.place.column, 1)
    shown = lines[line - 1] if line <= len(lines) else ""
    word = _WORD.match(shown, column - 1)
    return {
        "line": line,
        "column": column,
        "length": len(word[0]) if word else 1,
        "text": problem.text,
    }


# -- classes -------------------------------------------------------------------------


def _class_problems(environment: Environment) -> Iterator[Problem]:
    for robot in environment.robots:
        yield from _missing(robot.manipulator, "manipulator")
        yield from _missing(robot.gripper, "gripper")
        yield from _missing(robot.controller, "controller")
    if environment.processor is not None:
        yield from _missing(environment.processor.name, "trigger processor")


def _missing(given: Given | None, kind: str) -> Iterator[Problem]:
    if given is None:
        return
    package, _, name = given.text.strip().rpartition(".")
    arms, grippers = shipped_arms(), shipped_grippers()
    known: dict[str, Iterable[str]] = {
        "manipulators": (*arms, *grippers),
        "grippers": tuple(grippers),
        "robotcontroller": _controllers(),
    }
    if package not in known:
        return
    fitting = {"manipulator": tuple(arms), "gripper": tuple(grippers)}
    names = tuple(fitting.get(kind, known[package]))
    if name not in names:
        listing = f"; there are {', '.join(sorted(names))}"
        hint = close_match(name, names, or_list=listing)
        yield Problem(given.place, f"there is no {kind} {name!r} in {package}{hint}")


@lru_cache(maxsize=1)
def _controllers() -> tuple[str, ...]:
    """Return the classes beside the shipped cells and in the package, by name."""
    home = Path(__file__).parents[1] / "controllers"
    names: list[str] = []
    for path in [*sorted(home.glob("*.py")), *controller_files()]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names += [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    return tuple(dict.fromkeys(names))


# -- what it describes ---------------------------------------------------------------


def _summary(environment: Environment) -> dict[str, Any]:
    movables = environment.movables
    num_balls = sum(isinstance(item, BallEntry) for item in movables)
    num_cuboids = sum(isinstance(item, CuboidEntry) for item in movables)
    return {
        "robots": [
            {
                "number": robot.number,
                "manipulator": _text(robot.manipulator),
                "gripper": _text(robot.gripper),
                "controller": _text(robot.controller),
                "pose": list(robot.pose or (0.0, 0.0, 0.0)),
            }
            for robot in environment.robots
        ],
        "num_robots": environment.num_robots or 1,
        "num_balls": num_balls,
        "num_cuboids": num_cuboids,
        "num_cylinders": len(movables) - num_balls - num_cuboids,
        "num_obstacles": len(environment.obstacles),
        "num_triggers": len(environment.triggers),
    }


def _text(given: Given | None) -> str:
    return "" if given is None else given.text
