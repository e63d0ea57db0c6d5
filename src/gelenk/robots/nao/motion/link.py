"""Makes a program of a file's definitions, and finds what does not fit together.

Whatever a file can have wrong beyond its grammar is told here, before anything moves.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.robots.nao.joints import BODY_JOINTS
from gelenk.robots.nao.motion import grammar
from gelenk.robots.nao.motion.circles import check_circles
from gelenk.robots.nao.motion.limits import LEFT_HIP, RIGHT_HIP, clip_command, differs
from gelenk.robots.nao.motion.mirror import mirror_motion
from gelenk.robots.nao.motion.motions import (
    Hardness,
    Label,
    Mirrored,
    Motion,
    MotionFile,
    Move,
    Special,
    Transition,
)
from gelenk.robots.nao.motion.problems import ProblemList, quote
from gelenk.robots.nao.motion.program import (
    DRIVE,
    KEEP,
    OFF,
    Jump,
    MotionProgram,
    MoveStep,
    Step,
    StiffnessStep,
)


def link(file: MotionFile, problems: ProblemList) -> MotionProgram | None:
    """Return the program of a file; what is wrong goes to `problems`.

    Args:
        file: Its definitions, as the parser made them.
        problems: Gets errors and warnings.

    Returns:
        None if there are errors.
    """
    motions = _write_out(file, problems)
    num_lines = sum(len(motion.lines) for motion in motions)
    goals = [x for m in motions for x in m.lines if isinstance(x, Transition)]
    for number, largest, noun in (
        (num_lines, grammar.MAX_LINES, "lines"),
        (len(goals), grammar.MAX_TRANSITIONS, "transitions"),
    ):
        if number > largest:
            text = f"expected at most {largest} {noun} in a file, got {number}"
            problems.add(motions[-1].place, text)
            return None
    addresses = _number_labels(motions, problems)
    _check_goals(motions, addresses, problems)
    for motion in motions:
        for line in motion.lines:
            if isinstance(line, Move | Hardness):
                _check_hips(line, problems)
            if isinstance(line, Move):
                _warn_of_limits(line, problems)
    if problems.has_errors:
        return None
    program = _compile(motions, addresses)
    check_circles(program, motions, problems)
    return None if problems.has_errors else program


def _write_out(file: MotionFile, problems: ProblemList) -> list[Motion]:
    """Return all motions, mirrored ones written out."""
    known: dict[str, Motion | Mirrored] = {}
    for definition in file.definitions:
        first = known.setdefault(definition.name, definition)
        if first is not definition:
            problems.add(
                definition.place,
                f"expected a new name, got {quote(definition.name)} again; line "
                f"{first.place.line} has the first motion of this name",
            )
    motions: list[Motion] = []
    for definition in known.values():
        if isinstance(definition, Motion):
            motions.append(definition)
            continue
        source = known.get(definition.source)
        if isinstance(source, Motion):
            mirrored = mirror_motion(definition, source, problems)
            # One that does not fit must still be known to transitions.
            motions.append(mirrored or Motion(name=definition.name, lines=source.lines))
            continue
        written = [m.name for m in known.values() if isinstance(m, Motion)]
        hint = problems.did_you_mean(definition.source, written)
        if source is not None:
            hint = "; a mirrored motion cannot be mirrored again"
        problems.add(
            definition.place,
            f"expected a motion that is written out after `|`, got "
            f"{quote(definition.source)}{hint}",
        )
    return motions


def _number_labels(
    motions: list[Motion], problems: ProblemList
) -> dict[str, dict[str, int]]:
    """Return the number of the step behind each label, by motion and label."""
    addresses: dict[str, dict[str, int]] = {}
    number = 0
    for motion in motions:
        labels = addresses.setdefault(motion.name, {})
        for line in motion.lines:
            if not isinstance(line, Label):
                number += 1
            elif line.name in labels:
                problems.add(
                    line.place,
                    f"expected a new label, got {quote(line.name)} again in motion "
                    f"{quote(motion.name)}",
                )
            else:
                labels[line.name] = number
    return addresses


def _check_goals(
    motions: list[Motion], addresses: dict[str, dict[str, int]], problems: ProblemList
) -> None:
    for motion in motions:
        for line in motion.lines:
            if not isinstance(line, Transition):
                continue
            labels = addresses.get(line.motion)
            if labels is None:
                near = problems.did_you_mean(line.motion, addresses)
                text = f"expected the name of a motion, got {quote(line.motion)}{near}"
                problems.add(line.place, text)
            elif line.label not in labels:
                near = problems.did_you_mean(line.label, labels)
                problems.add(
                    line.place,
                    f"expected a label of motion {quote(line.motion)}, got "
                    f"{quote(line.label)}{near}",
                )
            if line.request is not None and line.request not in addresses:
                near = problems.did_you_mean(line.request, addresses)
                problems.warn(
                    line.place,
                    f"no motion has the name {quote(line.request)} that this "
                    f"transition waits for{near}",
                )


def _check_hips(line: Move | Hardness, problems: ProblemList) -> None:
    """One motor drives both HipYawPitch joints: a line cannot want two things of it."""
    if isinstance(line, Hardness):
        left: object = line.values[LEFT_HIP]
        right: object = line.values[RIGHT_HIP]
    else:
        values = {j: v for j, v in line.values if v is not Special.KEEP}
        left, right = (values.get(BODY_JOINTS[i]) for i in (LEFT_HIP, RIGHT_HIP))
    if left is not None and right is not None and left != right:
        problems.add(
            line.place,
            f"expected the same value for {BODY_JOINTS[LEFT_HIP]} and "
            f"{BODY_JOINTS[RIGHT_HIP]}, got {left} and {right}; one motor drives both, "
            "give one of them",
        )


def _warn_of_limits(line: Move, problems: ProblemList) -> None:
    if line.form == "relative":
        return
    step = _move_step(line)
    clipped = clip_command(step.values)
    is_driven = step.modes == DRIVE
    # What the line leaves to others cannot be judged here: only whole pairs can.
    own = np.where(is_driven, step.values, clipped)
    for i in np.flatnonzero(differs(own, clip_command(own)) & is_driven):
        got, reached = math.degrees(own[i]), math.degrees(clip_command(own)[i])
        problems.warn(
            line.place,
            f"{BODY_JOINTS[i]} {got:g} is beyond what the joint reaches; it will stop "
            f"at {reached:.4g}",
        )


def _compile(
    motions: list[Motion], addresses: dict[str, dict[str, int]]
) -> MotionProgram:
    steps: list[Step] = []
    owners: list[str] = []
    requests: set[str] = set()
    for motion in motions:
        for line in motion.lines:
            if isinstance(line, Label):
                continue
            if isinstance(line, Move):
                steps.append(_move_step(line))
            elif isinstance(line, Hardness):
                stiffness = _frozen(np.array(line.values) / 100.0)
                duration = line.duration_ms * 1e-3
                steps.append(StiffnessStep(stiffness=stiffness, duration=duration))
            else:
                is_rest = motion.name == grammar.ENTRY and line is motion.lines[-1]
                goal = addresses[line.motion][line.label]
                steps.append(Jump(goal=goal, request=line.request, is_rest=is_rest))
                requests |= {line.request} - {None}  # type: ignore[arg-type]
            owners.append(motion.name)
    return MotionProgram(
        steps=tuple(steps),
        owners=tuple(owners),
        motions=tuple(motion.name for motion in motions),
        requests=frozenset(requests),
    )


def _move_step(line: Move) -> MoveStep:
    values = np.zeros(grammar.NUM_JOINTS)
    modes = np.full(grammar.NUM_JOINTS, KEEP)
    for joint, value in line.values:
        i = BODY_JOINTS.index(joint)
        if isinstance(value, Special):
            modes[i] = OFF if value is Special.OFF else KEEP
        else:
            values[i], modes[i] = math.radians(value), DRIVE
    named, other = LEFT_HIP, RIGHT_HIP
    if modes[named] == KEEP:
        named, other = other, named
    values[other], modes[other] = values[named], modes[named]
    return MoveStep(
        values=_frozen(values),
        modes=_frozen(modes),
        is_relative=line.form == "relative",
        duration=line.duration_ms * 1e-3,
        max_speed=math.radians(line.max_speed) if line.max_speed else math.inf,
        is_milestone=line.is_milestone,
        token=line.token,
        line=line.place.line,
    )


def _frozen(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array
