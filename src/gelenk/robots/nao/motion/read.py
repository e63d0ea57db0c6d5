"""Reads motion files: from bytes to a program, with all problems at once."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from gelenk import text_file
from gelenk.robots.nao.motion import grammar
from gelenk.robots.nao.motion.link import link
from gelenk.robots.nao.motion.motions import MotionFile, Place
from gelenk.robots.nao.motion.parser import parse
from gelenk.robots.nao.motion.problems import MotionFileError, Problem, ProblemList
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.runtime.files import shipped_files
from gelenk.text_file import TextFileError, plain_text, read_text

SUFFIX = ".mot"
WHAT = "a motion file"


def shipped_motions() -> dict[str, Path]:
    """Return the motion files that ship, by name in alphabetical order."""
    return shipped_files("nao", SUFFIX)


def load_motions(path: str | Path) -> MotionProgram:
    """Read a motion file and make it ready to be played.

    Raises:
        MotionFileError: With all its errors.
    """
    return make_program(parse_motions(_read(path), str(path)), str(path))


def check_motion_file(path: str | Path) -> list[Problem]:
    """Return errors and warnings of a file in their order; none if all is well."""
    try:
        text = _read(path)
    except MotionFileError as error:
        return list(error.problems)
    return check_motions(text, str(path))


def check_motions(text: str, file: str = "motions") -> list[Problem]:
    """Return errors and warnings of a text in their order."""
    problems = ProblemList(file)
    definitions = _parse(text, problems)
    if not problems.has_errors:
        link(definitions, problems)
    return problems.sorted()


def parse_motions(text: str, file: str = "motions") -> MotionFile:
    """Return the definitions of a text; its names are not resolved yet.

    Args:
        text: Lines may end in any way; a byte order mark at the start is ignored.
        file: Its name in messages.

    Raises:
        MotionFileError: With all mistakes against the grammar.
    """
    problems = ProblemList(file)
    definitions = _parse(text, problems)
    problems.raise_if_any()
    return definitions


def make_program(definitions: MotionFile, file: str = "motions") -> MotionProgram:
    """Return the program of definitions, read or made.

    Raises:
        MotionFileError: If names, labels or transitions do not fit together.
    """
    problems = ProblemList(file)
    program = link(definitions, problems)
    problems.raise_if_any()
    if program is None:
        raise AssertionError("a program without errors was not made")
    return program


def decode(data: bytes, file: str) -> str:
    """Return UTF-8 bytes as text.

    Raises:
        MotionFileError: With the place of the first byte that is not UTF-8.
    """
    try:
        return text_file.decode(data)
    except TextFileError as error:
        _refuse(error, file)


def _parse(text: str, problems: ProblemList) -> MotionFile:
    try:
        return parse(plain_text(text, what=WHAT), problems)
    except TextFileError as error:
        problems.add(Place(error.line, error.column), error.problem)
        return MotionFile(definitions=())


def _read(path: str | Path) -> str:
    try:
        return read_text(path, max_bytes=grammar.MAX_BYTES, what=WHAT)
    except TextFileError as error:
        _refuse(error, str(path))


def _refuse(error: TextFileError, file: str) -> NoReturn:
    place = Place(error.line, error.column)
    raise MotionFileError(
        [Problem(file=file, place=place, text=error.problem)]
    ) from None
