"""Reads environment files: text in centimetres and degrees becomes an Environment.

Everything that is wrong with a file is said at once, each with its place. The steps:
bytes, text, words (tokens.py), statements (parse.py, by the table in grammar.py),
environment (build.py).
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import NoReturn

from gelenk.robots.armbot.environment.build import build_environment
from gelenk.robots.armbot.environment.description import Environment, Place
from gelenk.robots.armbot.environment.parse import read_statements
from gelenk.robots.armbot.environment.problems import (
    EnvironmentFileError,
    Problem,
    ProblemList,
)

MAX_BYTES = 1024 * 1024  # of a file; a crowded cell has some ten thousand

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def read_environment(path: str | Path) -> Environment:
    """Read an environment file.

    Raises:
        EnvironmentFileError: If it cannot be read, with all reasons.
    """
    file = str(path)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        _refuse(Place(file), f"expected a file, got none{_near_files(Path(path))}")
    except IsADirectoryError:
        _refuse(Place(file), "expected a file, got a folder")
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        _refuse(Place(file), f"expected a readable file, got {error}")
    if len(data) > MAX_BYTES:
        _refuse(
            Place(file),
            f"expected at most {MAX_BYTES} bytes, got more; is it an environment file?",
        )
    return parse_environment(decode(data, file), file=file)


def parse_environment(text: str, file: str = "environment") -> Environment:
    """Return what a text says.

    Args:
        text: Lines may end in any way; a byte order mark at the start is ignored.
        file: Its name in places.

    Raises:
        EnvironmentFileError: With all problems of the text.
    """
    text = text.removeprefix("\ufeff")
    control = _CONTROL.search(text)
    if control is not None:
        _refuse(
            _place(text[: control.start()], file),
            f"expected text, got the control character {ord(control[0]):#04x}; is it "
            "an environment file?",
        )
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
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        _refuse(
            _place(before.removeprefix("\ufeff"), file),
            f"expected UTF-8 text, got the byte {data[error.start]:#04x}; save the "
            "file as UTF-8",
        )


def _place(before: str, file: str) -> Place:
    """Return the place of what follows a text."""
    lines = re.split(r"\r\n|\r|\n", before)
    return Place(file, len(lines), len(lines[-1]) + 1)


def _refuse(place: Place, text: str) -> NoReturn:
    raise EnvironmentFileError([Problem(place, text)]) from None


def _near_files(path: Path) -> str:
    try:
        names = [p.name for p in path.parent.iterdir() if p.is_file()]
    except (OSError, ValueError):
        return f"; the folder {path.parent} does not exist or cannot be read"
    close = difflib.get_close_matches(path.name, names, n=1)
    return f"; did you mean {path.parent / close[0]}?" if close else ""
