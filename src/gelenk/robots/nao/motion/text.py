"""Writes motion files: what is printed reads back as itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.robots.nao.joints import BODY_JOINTS, LEG_JOINTS, parked_hip_pitch
from gelenk.robots.nao.motion import grammar
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
    if q.shape != (grammar.NUM_JOINTS,):
        raise ConfigError(f"`q22` must have {grammar.NUM_JOINTS} angles, got {q.shape}")
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
    home = Transition(motion=grammar.ENTRY, label=grammar.ENTRY_LABEL)
    start = Label(name=grammar.ENTRY_LABEL)
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
        Transition(request=name, motion=name, label=grammar.ENTRY_LABEL)
        for name in (LEFT_MOTION, RIGHT_MOTION)
    ]
    return MotionFile(
        definitions=(
            Motion(name=grammar.ENTRY, lines=(start, *requests, home)),
            Motion(name=LEFT_MOTION, lines=tuple(lines)),
            Mirrored(name=RIGHT_MOTION, source=LEFT_MOTION, lines=(start, home)),
        )
    )
