"""Reads environment files: text in centimetres and degrees becomes an Environment.

Everything that is wrong with a file is said at once, each with its place. The steps:
bytes, text, words (tokens.py), statements (parse.py, by the table in grammar.py),
environment (build.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from gelenk import text_file
from gelenk.robots.armbot.environment.build import build_environment
from gelenk.robots.armbot.environment.description import Environment, Place
from gelenk.robots.armbot.environment.parse import read_statements
from gelenk.robots.armbot.environment.problems import (
    EnvironmentFileError,
    Problem,
    ProblemList,
)
from gelenk.text_file import TextFileError, plain_text, read_text

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


def decode(data: bytes, file: str) -> str:
    """Return UTF-8 bytes as text.

    Raises:
        EnvironmentFileError: With the place of the first byte that is not UTF-8.
    """
    try:
        return text_file.decode(data)
    except TextFileError as error:
        _refuse(error, file)


def _refuse(error: TextFileError, file: str) -> NoReturn:
    place = Place(file, error.line, error.column) if error.line else Place(file)
    raise EnvironmentFileError([Problem(place, error.problem)]) from None
