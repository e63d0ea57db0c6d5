"""Reader of environment files: a text becomes an environment in metres and radians.

Everything that is wrong with a file is said at once, each with its place. The steps:
bytes, text, words (tokens.py), statements (parse.py, by the table in grammar.py),
environment (build.py).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NoReturn

from gelenk.robots.armbot.environment.description import (
    Border,
    Environment,
    FixedSphere,
    Given,
    Movable,
    Obstacle,
    Paint,
    Place,
    ProcessorEntry,
    RobotEntry,
    Tile,
    Trigger,
)
from gelenk.robots.armbot.environment.parse import read_statements
from gelenk.robots.armbot.environment.problems import (
    EnvironmentFileError,
    Problem,
    ProblemList,
    one_of,
)
from gelenk.robots.armbot.environment.things import (
    make_border,
    make_movable,
    make_obstacle,
    make_paint,
    make_tile,
    make_trigger,
)
from gelenk.robots.armbot.environment.tokens import Statement
from gelenk.text_file import TextFileError, plain_text, read_text

ROBOT_WORDS = ("ROBOT", "CONTROLLER", "CONFIG", "MANIPULATOR", "GRIPPER")
ONCE_WORDS = ("MULTIROBOT", "BORDER", "TRIGGERPROCESSOR", "TPCONFIG")
OBSTACLE_WORDS = ("STEP", "SLOPE", "SLICE", "WEDGE", "CONVEYOR", "SPHERE")
MOVABLE_WORDS = ("BALL", "CUBOID", "CYLINDER")
LABEL_WORDS = ("DEBUGNAME", "MASS")

_TAKEN = re.compile(r"ground|robot\d")  # names that the world has already


def build_environment(
    file: str, statements: list[Statement], problems: ProblemList
) -> Environment:
    """Return what the statements say; what contradicts goes to `problems`.

    The result is of use only if there are no problems.
    """
    _check_repetitions(statements, problems)
    _check_robot_numbers(statements, problems)
    labels = _read_labels(statements, problems)
    names = _choose_names(statements, labels)
    said: dict[str, Statement] = {}
    border: Border | None = None
    tiles: list[Tile] = []
    paints: list[Paint | None] = []
    obstacles: list[Obstacle | FixedSphere | None] = []
    movables: list[Movable] = []
    triggers: list[Trigger | None] = []
    for index, statement in enumerate(statements):
        if not statement.is_ok:
            continue
        word = statement.directive.word
        said.setdefault(word, statement)
        if word in OBSTACLE_WORDS:
            obstacles.append(make_obstacle(statement, names[index], problems))
        elif word in MOVABLE_WORDS:
            mass = labels[index].get("mass")
            movables.append(make_movable(statement, names[index], mass))
        elif word == "TRIGGER":
            triggers.append(make_trigger(statement, problems))
        elif word == "BORDER":
            border = make_border(statement, problems)
        elif word == "TILE":
            tiles.append(make_tile(statement))
        elif word == "BOTTOMPAINT":
            paints.append(make_paint(statement, problems))
    count = said.get("MULTIROBOT")
    processor, config = _read_processor(said)
    return Environment(
        file=file,
        num_robots=None if count is None else count.values["count"],
        robots=_read_robots(statements),
        processor=processor,
        processor_config=config if processor is None else None,
        border=border,
        tiles=tuple(tiles),
        paints=tuple(paint for paint in paints if paint is not None),
        obstacles=tuple(thing for thing in obstacles if thing is not None),
        movables=tuple(movables),
        triggers=tuple(trigger for trigger in triggers if trigger is not None),
    )


# What may stand there once, and in which order.


def _check_repetitions(statements: list[Statement], problems: ProblemList) -> None:
    first: dict[tuple[str, int], Statement] = {}
    for statement in statements:
        word = statement.directive.word
        if word not in ONCE_WORDS and word not in ROBOT_WORDS:
            continue
        key = (word, statement.number or 0)
        if key not in first:
            first[key] = statement
            continue
        whose = f" of robot {key[1]}" if word in ROBOT_WORDS else ""
        _refuse_statement(
            statement,
            problems,
            f"expected one {word}{whose}, got a second one; line "
            f"{first[key].place.line} has the first, remove one of them",
        )


def _check_robot_numbers(statements: list[Statement], problems: ProblemList) -> None:
    counts = [s for s in statements if s.directive.word == "MULTIROBOT"]
    robots = [s for s in statements if s.directive.word in ROBOT_WORDS]
    limit = 1
    if counts:
        count = counts[0]
        limit = count.values.get("count")
        first = robots[0].place if robots else count.place
        if (first.line, first.column) < (count.place.line, count.place.column):
            _refuse_statement(
                count,
                problems,
                f"expected MULTIROBOT before all that is about robots, got it after "
                f"line {first.line}; move it up",
            )
        if limit is None:  # refused already
            return
    refused: set[int] = set()
    for statement in robots:
        number = statement.number or 0
        if number >= limit and number in refused:
            statement.is_ok = False
        elif number >= limit:
            refused.add(number)
            there = f"MULTIROBOT {limit}" if counts else "no MULTIROBOT"
            _refuse_statement(
                statement,
                problems,
                f"expected a robot number below {limit} with {there}, got {number}; "
                f"write MULTIROBOT {number + 1} or more above",
            )


def _refuse_statement(statement: Statement, problems: ProblemList, text: str) -> None:
    if statement.is_ok:
        problems.add(statement.place, text)
    statement.is_ok = False


def _read_robots(statements: list[Statement]) -> tuple[RobotEntry, ...]:
    said: dict[int, dict[str, Any]] = {}
    for statement in statements:
        word, values = statement.directive.word, statement.values
        if word not in ROBOT_WORDS or not statement.is_ok:
            continue
        number = statement.number or 0
        entry = said.setdefault(number, {"number": number, "place": statement.place})
        if word == "ROBOT":
            entry["pose"] = (values["x"], values["y"], values["angle"])
        else:
            entry[word.lower()] = values["config" if word == "CONFIG" else "class"]
    return tuple(RobotEntry(**said[number]) for number in sorted(said))


def _read_processor(
    said: dict[str, Statement],
) -> tuple[ProcessorEntry | None, Given | None]:
    config = said.get("TPCONFIG")
    text = None if config is None else config.values["config"]
    processor = said.get("TRIGGERPROCESSOR")
    if processor is None:
        return None, text
    values = processor.values
    return ProcessorEntry(
        number=values["instnr"], name=values["class"], config=text
    ), text


# Names and weights of things.


def _read_labels(
    statements: list[Statement], problems: ProblemList
) -> dict[int, dict[str, Any]]:
    """Return DEBUGNAME and MASS by the index of the statement they belong to."""
    labels: dict[int, dict[str, Any]] = {}
    waiting: list[Statement] = []
    for index, statement in enumerate(statements):
        word = statement.directive.word
        if word in LABEL_WORDS and all(w.directive.word != word for w in waiting):
            waiting.append(statement)
            continue
        labels[index] = {}
        for label in waiting:
            _attach(label, statement, labels[index], problems)
        waiting = [statement] if word in LABEL_WORDS else []
    for label in waiting:
        _attach(label, None, {}, problems)
    return labels


def _attach(
    label: Statement,
    owner: Statement | None,
    values: dict[str, Any],
    problems: ProblemList,
) -> None:
    word = label.directive.word
    allowed = MOVABLE_WORDS if word == "MASS" else OBSTACLE_WORDS + MOVABLE_WORDS
    if owner is not None and owner.directive.word in allowed:
        values |= label.values
        return
    got = "the end of the file"
    if owner is not None:
        got = f"{owner.directive.word} in line {owner.place.line}"
    _refuse_statement(
        label, problems, f"expected {one_of(allowed)} directly after {word}, got {got}"
    )


def _choose_names(
    statements: list[Statement], labels: dict[int, dict[str, Any]]
) -> dict[int, str]:
    """Return a unique name for every thing, by the index of its statement.

    A DEBUGNAME keeps its text where it can; the others are counted by kind.
    """
    given: dict[int, str] = {}
    counted: dict[int, str] = {}
    counts: dict[str, int] = {}
    for index, statement in enumerate(statements):
        word = statement.directive.word
        if word not in OBSTACLE_WORDS + MOVABLE_WORDS:
            continue
        counts[word] = counts.get(word, 0) + 1
        label = labels.get(index, {}).get("name")
        if label is None:
            counted[index] = f"{word.lower()}_{counts[word]}"
        else:
            given[index] = label
    used: set[str] = set()
    last_tried: dict[str, int] = {}
    names: dict[int, str] = {}
    for index, wanted in (given | counted).items():
        names[index] = _unique(wanted, used, last_tried)
        used.add(names[index])
    return names


def _unique(wanted: str, used: set[str], last_tried: dict[str, int]) -> str:
    if wanted not in used and not _TAKEN.fullmatch(wanted):
        return wanted
    stem = f"thing_{wanted}" if _TAKEN.fullmatch(wanted) else wanted
    if stem not in used:
        return stem
    number = last_tried.get(stem, 1) + 1
    while f"{stem}_{number}" in used:
        number += 1
    last_tried[stem] = number
    return f"{stem}_{number}"


MAX_BYTES = 1024 * 1024  # of a file; a crowded cell has some ten thousand
WHAT = "an environment file"


def read_environment(path: str | Path) -> Environment:
    """Read an environment file.

    Raises:
        EnvironmentFileError: If it cannot be read, with all reasons.
    """
    file = str(path)
    try:
        text = read_text(path, max_bytes=MAX_BYTES, what=WHAT)
    except TextFileError as error:
        _refuse(error, file)
    return parse_environment(text, file=file)


def parse_environment(text: str, file: str = "environment") -> Environment:
    """Return what a text says.

    Args:
        text: Lines may end in any way; a byte order mark at the start is ignored.
        file: Its name in places.

    Raises:
        EnvironmentFileError: With all problems of the text.
    """
    try:
        text = plain_text(text, what=WHAT)
    except TextFileError as error:
        _refuse(error, file)
    problems = ProblemList()
    statements = read_statements(text, file, problems)
    environment = build_environment(file, statements, problems)
    problems.raise_if_any()
    return environment


def _refuse(error: TextFileError, file: str) -> NoReturn:
    place = Place(file, error.line, error.column) if error.line else Place(file)
    raise EnvironmentFileError([Problem(place, error.problem)]) from None
