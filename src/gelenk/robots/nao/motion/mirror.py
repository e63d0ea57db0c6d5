"""Left becomes right: a mirrored motion written out."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from gelenk.robots.nao.joints import BODY_JOINTS
from gelenk.robots.nao.motion.motions import (
    Hardness,
    Label,
    Line,
    Mirrored,
    Motion,
    Move,
    Transition,
    Value,
)
from gelenk.robots.nao.motion.problems import ProblemList, quote

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
