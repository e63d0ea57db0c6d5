"""Motions as data: degrees and milliseconds, as written or mirrored.

`program` converts to radians and seconds, and nobody else does. Places do not count
in comparisons: two motions are equal if they move alike, wherever they are written.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, TypeVar

from gelenk.robots.nao.joints import BODY_JOINTS
from gelenk.robots.nao.motion.tokens import NOWHERE, Place, ProblemList, quote


class Special(enum.StrEnum):
    """What a complete line may say in place of an angle."""

    KEEP = "*"
    OFF = "#"


Value: TypeAlias = float | Special  # float: [deg]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A name that transitions lead to."""

    name: str
    place: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One line of angles.

    Attributes:
        form: "complete": all joints in order; "absolute": some joints by name;
            "relative": added to the last target of the named joints.
        values: Joints and their values [deg].
        duration_ms: Time that the move takes; 0: as fast as the speeds allow.
        max_speed: Of every joint [deg/s]; 0: what the joint can do.
        is_milestone: Whether the pose is held until the request says to go on.
        token: Shown while the line is executed; empty for none.
    """

    form: Literal["complete", "absolute", "relative"]
    values: tuple[tuple[str, Value], ...]
    duration_ms: int = 0
    max_speed: int = 0
    is_milestone: bool = False
    token: str = ""
    place: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardness:
    """Stiffness of all joints.

    Attributes:
        values: In percent, in the order of the joints, shape (22,).
        duration_ms: Time in which it changes, while the motion goes on.
    """

    values: tuple[int, ...]
    duration_ms: int = 0
    place: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """Where to go on.

    Attributes:
        motion, label: The goal.
        request: Taken only if this motion is requested; None: always.
    """

    motion: str
    label: str
    request: str | None = None
    place: Place = field(default=NOWHERE, compare=False, repr=False)


Line: TypeAlias = Label | Move | Hardness | Transition


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """A motion that is written out.

    Attributes:
        name: What transitions call it.
        lines: The first is a label, the last an unconditional transition.
        end: Place of the closing brace.
    """

    name: str
    lines: tuple[Line, ...]
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    end: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirrored:
    """A motion that is another one with left and right exchanged.

    Attributes:
        name: What transitions call it.
        source: The motion that is copied.
        lines: Labels that rename those of the source, in order; transitions that
            replace those of the source, as many as there are.
    """

    name: str
    source: str
    lines: tuple[Label | Transition, ...]
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    end: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionFile:
    """All definitions of a file, in order; the first is `motions`."""

    definitions: tuple[Motion | Mirrored, ...]


_T = TypeVar("_T")
_SIDES = {"L": "R", "R": "L"}
_NEGATED = "HeadYaw"  # all other joints turn alike on both sides


def mirror_joint(name: str) -> str:
    """Return the joint on the other side; the head has only one side.

    Example:
        >>> mirror_joint("LKneePitch"), mirror_joint("HeadYaw")
        ('RKneePitch', 'HeadYaw')
    """
    if name.startswith("Head"):
        return name
    return _SIDES[name[0]] + name[1:]


def mirror_motion(
    mirrored: Mirrored, source: Motion, problems: ProblemList
) -> Motion | None:
    """Return the motion that `mirrored` stands for, None if it does not fit.

    Args:
        mirrored: Labels and transitions of its own.
        source: The motion that it copies.
        problems: Gets what does not fit.
    """
    labels = [line for line in mirrored.lines if isinstance(line, Label)]
    goals = [line for line in mirrored.lines if isinstance(line, Transition)]
    there = [line for line in source.lines if isinstance(line, Label)]
    needed = sum(isinstance(line, Transition) for line in source.lines)
    if len(goals) != needed:
        problems.add(
            mirrored.end,
            f"expected {needed} transitions in {quote(mirrored.name)}, as many as "
            f"{quote(source.name)} has, got {len(goals)}; each one replaces the one at "
            "its place",
        )
    if len(labels) > len(there):
        problems.add(
            labels[len(there)].place,
            f"expected at most {len(there)} labels in {quote(mirrored.name)}, as many "
            f"as {quote(source.name)} has, got {len(labels)}",
        )
    if goals and goals[-1].request is not None:
        problems.add(
            goals[-1].place,
            f"expected a transition without a condition at the end of motion "
            f"{quote(mirrored.name)}, got one that waits for "
            f"{quote(goals[-1].request)}",
        )
    if len(goals) != needed or len(labels) > len(there):
        return None
    new_labels, new_goals = iter(labels), iter(goals)
    lines: list[Line] = []
    for line in source.lines:
        if isinstance(line, Label):
            line = next(new_labels, line)
        elif isinstance(line, Transition):
            line = next(new_goals)
        lines.append(mirror_line(line))
    return Motion(
        name=mirrored.name,
        lines=tuple(lines),
        place=mirrored.place,
        end=mirrored.end,
    )


def mirror_line(line: Line) -> Line:
    """Return a line with left and right exchanged; labels and goals stay."""
    if isinstance(line, Hardness):
        return replace(line, values=_exchange(line.values))
    if not isinstance(line, Move):
        return line
    if line.form == "complete":
        values = _exchange(tuple(value for _, value in line.values))
        pairs = list(zip(BODY_JOINTS, values, strict=True))
    else:
        pairs = [(mirror_joint(joint), value) for joint, value in line.values]
    return replace(line, values=tuple(_turn(joint, value) for joint, value in pairs))


def _exchange(values: tuple[_T, ...]) -> tuple[_T, ...]:
    """Return values in the order of the joints of the other side."""
    by_joint = dict(zip(BODY_JOINTS, values, strict=True))
    return tuple(by_joint[mirror_joint(joint)] for joint in BODY_JOINTS)


def _turn(joint: str, value: Value) -> tuple[str, Value]:
    if joint == _NEGATED and isinstance(value, float):
        return joint, 0.0 - value  # not -0.0
    return joint, value
