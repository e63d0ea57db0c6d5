"""Reads motion files: from bytes to a program, with all problems at once."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import NoReturn

from gelenk.robots.nao.motion import grammar
from gelenk.robots.nao.motion.link import link
from gelenk.robots.nao.motion.motions import MotionFile, Place
from gelenk.robots.nao.motion.parser import parse
from gelenk.robots.nao.motion.problems import MotionFileError, Problem, ProblemList
from gelenk.robots.nao.motion.program import MotionProgram

SUFFIX = ".mot"
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_PACKAGE = Path(__file__).resolve().parents[3]  # .../gelenk
# In an installed package, and in the repository (src/gelenk -> assets).
_FOLDERS = (_PACKAGE / "assets" / "nao", _PACKAGE.parents[1] / "assets" / "nao")


def shipped_motions() -> dict[str, Path]:
    """Return the motion files that ship, by name in alphabetical order."""
    found: dict[str, Path] = {}
    for folder in _FOLDERS:
        for path in folder.glob(f"*{SUFFIX}"):
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


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
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        _refuse(
            file,
            f"expected UTF-8 text, got the byte {data[error.start]:#04x}; save the "
            "file as UTF-8",
            _place_after(before),
        )


def _parse(text: str, problems: ProblemList) -> MotionFile:
    text = text.removeprefix("\ufeff")
    control = _CONTROL.search(text)
    if control is not None:
        problems.add(
            _place_after(text[: control.start()]),
            f"expected text, got the control character {ord(control[0]):#04x}; is it a "
            "motion file?",
        )
        return MotionFile(definitions=())
    return parse(text, problems)


def _read(path: str | Path) -> str:
    file = str(path)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(grammar.MAX_BYTES + 1)
    except FileNotFoundError:
        _refuse(file, f"expected a file, got none{_near_files(Path(path))}")
    except IsADirectoryError:
        _refuse(file, "expected a file, got a folder")
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        _refuse(file, f"expected a readable file, got {error}")
    if len(data) > grammar.MAX_BYTES:
        _refuse(
            file,
            f"expected at most {grammar.MAX_BYTES} bytes, got more; is it a motion "
            "file?",
        )
    return decode(data, file)


def _place_after(before: str) -> Place:
    lines = re.split(r"\r\n|\r|\n", before)
    return Place(len(lines), len(lines[-1]) + 1)


def _refuse(file: str, text: str, place: Place | None = None) -> NoReturn:
    problem = Problem(file=file, place=place or Place(), text=text)
    raise MotionFileError([problem]) from None


def _near_files(path: Path) -> str:
    try:
        names = [p.name for p in path.parent.iterdir() if p.is_file()]
    except (OSError, ValueError):
        return f"; the folder {path.parent} does not exist or cannot be read"
    close = difflib.get_close_matches(path.name, names, n=1)
    return f"; did you mean {path.parent / close[0]}?" if close else ""
