"""Which robots there are, and what is said about each, file and command line together.

The command line wins over the file, an option with a robot number over one without, and
among equals the later one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from gelenk.robots.armbot.environment.description import (
    Environment,
    Place,
    RobotEntry,
)
from gelenk.robots.armbot.options import Choice, Options, Selector


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
