"""Reader and writer of motion files: what is printed reads back as itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.robots.nao.joints import BODY_JOINTS, LEG_JOINTS, parked_hip_pitch
from gelenk.robots.nao.motion import tokens
from gelenk.robots.nao.motion.link import link
from gelenk.robots.nao.motion.motions import (
    Hardness,
    Label,
    Line,
    Mirrored,
    Motion,
    MotionFile,
    Move,
    Special,
    Transition,
    Value,
)
from gelenk.robots.nao.motion.parser import parse
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.motion.tokens import MotionFileError, Place, Problem, ProblemList
from gelenk.runtime.files import shipped_files
from gelenk.text_file import TextFileError, plain_text, read_text
from gelenk.typing import ArrayLike, FloatArray

LEFT_MOTION, RIGHT_MOTION = "calibrateLeft", "calibrateRight"
END_TOKEN = "end"
_PARTS = (2, 4, 4, 6, 6)  # head, arms, legs: groups of a complete line


def print_motions(file: MotionFile, *, heading: str = "") -> str:
    """Return the text of a file; reading it gives the same definitions.

    Args:
        file: Definitions.
        heading: Lines of a comment at the top.
    """
    parts = ["".join(f"// {line}".rstrip() + "\n" for line in heading.splitlines())]
    for definition in file.definitions:
        name = definition.name
        if isinstance(definition, Mirrored):
            name += f" | {definition.source}"
        body = "".join(f"  {print_line(line)}\n" for line in definition.lines)
        parts.append(f"{name}\n{{\n{body}}}\n")
    return "\n".join(part for part in parts if part)


def print_line(line: Line) -> str:
    """Return the text of one line, without a break."""
    match line:
        case Label():
            return f"label {line.name}"
        case Transition():
            names = [line.request, line.motion, line.label]
            return " ".join(["transition", *(name for name in names if name)])
        case Hardness():
            time = f" {line.duration_ms}" if line.duration_ms else ""
            return f"hardness({' '.join(map(str, line.values))}){time}"
        case Move():
            return _print_move(line)


def _print_move(move: Move) -> str:
    if move.form == "complete":
        values = iter(_print_value(value) for _, value in move.values)
        groups = [" ".join(next(values) for _ in range(size)) for size in _PARTS]
        inner = "  ".join(groups)
    else:
        inner = ", ".join(f"{joint} {_print_value(v)}" for joint, v in move.values)
    opening, closing = "{}" if move.form == "relative" else "()"
    words = [f"{opening}{inner}{closing}", str(move.duration_ms), str(move.max_speed)]
    words += ["milestone"] if move.is_milestone else []
    return " ".join([*words, *([move.token] if move.token else [])])


def _print_value(value: Value) -> str:
    if isinstance(value, Special):
        return value.value
    # The shortest digits that read back as this number; the grammar has no exponents.
    return np.format_float_positional(value, trim="-")


def complete_line(q22: ArrayLike, *, decimals: int = 2, **options: object) -> Move:
    """Return a line for a whole pose.

    Args:
        q22: Body vector [rad], shape (22,); NaN: keep.
        decimals: Of the degrees that are written.
        options: `duration_ms`, `max_speed`, `is_milestone` and `token` of the line.
    """
    q = np.asarray(q22, dtype=np.float64)
    if q.shape != (tokens.NUM_JOINTS,):
        raise ConfigError(f"`q22` must have {tokens.NUM_JOINTS} angles, got {q.shape}")
    degrees = _degrees(q, decimals)
    values = tuple(Special.KEEP if np.isnan(v) else float(v) for v in degrees)
    pairs = tuple(zip(BODY_JOINTS, values, strict=True))
    return replace(Move(form="complete", values=pairs), **options)  # type: ignore[arg-type]


def leg_line(angles: ArrayLike, *, decimals: int = 2, **options: object) -> Move:
    """Return a line for the left leg; a mirrored motion makes the right one of it.

    The parked right leg keeps off the floor, see `parked_hip_pitch`.

    Args:
        angles: HipYawPitch to AnkleRoll [rad], shape (6,).
        decimals: Of the degrees that are written.
        options: `duration_ms`, `max_speed`, `is_milestone` and `token` of the line.
    """
    leg = as_finite("angles", angles, (6,))
    degrees = _degrees(np.append(leg, parked_hip_pitch(leg[0])), decimals)
    names = (*LEG_JOINTS["left"], "RHipPitch")
    pairs = tuple(zip(names, map(float, degrees), strict=True))
    return replace(Move(form="absolute", values=pairs), **options)  # type: ignore[arg-type]


def _degrees(angles: FloatArray, decimals: int) -> FloatArray:
    degrees = np.round(np.rad2deg(angles), decimals) + 0.0  # no -0
    return degrees.astype(np.float64)


def calibration_motions(
    poses: ArrayLike,
    *,
    base: ArrayLike,
    stiffness: Sequence[int],
    max_speed: int = 60,
    via: Iterable[int] = (),
    decimals: int = 2,
) -> MotionFile:
    """Return motions through poses of one leg and, mirrored, of the other.

    Both begin and end in a base pose. Every pose of the leg is a milestone with the
    token `p01`, `p02` and so on; the way back has the token `end`.

    Args:
        poses: Left leg, HipYawPitch to AnkleRoll [rad], shape (n, 6).
        base: Body vector [rad], shape (22,), right leg parked; NaN: left to others,
            as the head should be.
        stiffness: Of all joints [%], shape (22,).
        max_speed: Of all joints [deg/s].
        via: Poses (counted from 0) to pass through without a hold, and without a
            number.
        decimals: Of the degrees that are written.
    """
    legs = np.asarray(poses, dtype=np.float64)
    if legs.ndim != 2 or legs.shape[1] != 6:
        raise ConfigError(f"`poses` must have shape (n, 6), got {legs.shape}")
    passed = frozenset(via)
    home = Transition(motion=tokens.ENTRY, label=tokens.ENTRY_LABEL)
    start = Label(name=tokens.ENTRY_LABEL)
    begin = complete_line(base, decimals=decimals, max_speed=max_speed)
    lines: list[Line] = [
        start,
        Hardness(values=tuple(stiffness), duration_ms=500),
        begin,
    ]
    number = 0
    for i, angles in enumerate(legs):
        line = leg_line(angles, decimals=decimals, max_speed=max_speed)
        if i not in passed:
            number += 1
            line = replace(line, is_milestone=True, token=f"p{number:02d}")
        lines.append(line)
    lines += [replace(begin, token=END_TOKEN), home]
    requests = [
        Transition(request=name, motion=name, label=tokens.ENTRY_LABEL)
        for name in (LEFT_MOTION, RIGHT_MOTION)
    ]
    return MotionFile(
        definitions=(
            Motion(name=tokens.ENTRY, lines=(start, *requests, home)),
            Motion(name=LEFT_MOTION, lines=tuple(lines)),
            Mirrored(name=RIGHT_MOTION, source=LEFT_MOTION, lines=(start, home)),
        )
    )


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


def _parse(text: str, problems: ProblemList) -> MotionFile:
    try:
        return parse(plain_text(text, what=WHAT), problems)
    except TextFileError as error:
        problems.add(Place(error.line, error.column), error.problem)
        return MotionFile(definitions=())


def _read(path: str | Path) -> str:
    try:
        return read_text(path, max_bytes=tokens.MAX_BYTES, what=WHAT)
    except TextFileError as error:
        _refuse(error, str(path))


def _refuse(error: TextFileError, file: str) -> NoReturn:
    place = Place(error.line, error.column)
    raise MotionFileError(
        [Problem(file=file, place=place, text=error.problem)]
    ) from None
