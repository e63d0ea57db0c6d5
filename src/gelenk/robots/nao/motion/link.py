"""Linker: a program of a file's definitions, without cycles in which no time passes.

Whatever a file can have wrong beyond its grammar is told here, before anything moves.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.robots.nao.joints import BODY_JOINTS
from gelenk.robots.nao.motion import tokens
from gelenk.robots.nao.motion.motions import (
    Hardness,
    Label,
    Mirrored,
    Motion,
    MotionFile,
    Move,
    Special,
    Transition,
    mirror_motion,
)
from gelenk.robots.nao.motion.program import (
    DRIVE,
    KEEP,
    LEFT_HIP,
    OFF,
    RIGHT_HIP,
    Jump,
    MotionProgram,
    MoveStep,
    Step,
    StiffnessStep,
    clip_command,
    differs,
)
from gelenk.robots.nao.motion.tokens import Place, ProblemList, quote


def check_circles(
    program: MotionProgram, motions: list[Motion], problems: ProblemList
) -> None:
    """Refuse circles of transitions that never let time pass.

    While time stands still the request cannot change, so for each request there is
    one way through the program; it must come to a line of angles or to a rest.
    """
    places = [x.place for m in motions for x in m.lines if not isinstance(x, Label)]
    refused: set[int] = set()
    for request in (None, *sorted(program.requests)):
        is_paused: set[int] = set()  # steps from which time passes sooner or later
        for start, step in enumerate(program.steps):
            if not isinstance(step, Jump):
                continue
            way: dict[int, None] = {}
            at: int | None = start
            while at is not None and at not in is_paused and at not in way:
                way[at] = None
                at = _follow(program.steps[at], at, request)
            if at is not None and at in way:
                circle = list(way)[list(way).index(at) :]
                _refuse_circle(circle, program, request, places, refused, problems)
            is_paused.update(way)


def _follow(step: Step, at: int, request: str | None) -> int | None:
    """Return the next step that is reached at once, None if time passes."""
    if isinstance(step, StiffnessStep):
        return at + 1
    if isinstance(step, MoveStep) or step.is_rest:
        return None
    return step.goal if step.request in (None, request) else at + 1


def _refuse_circle(
    circle: list[int],
    program: MotionProgram,
    request: str | None,
    places: list[Place],
    refused: set[int],
    problems: ProblemList,
) -> None:
    taken = [
        at
        for at in circle
        if isinstance(jump := program.steps[at], Jump)
        and jump.request in (None, request)
    ]
    if refused & set(taken):  # the same circle, met with another request
        return
    refused |= set(taken)
    names = list(dict.fromkeys(program.owners[at] for at in circle))
    when = f" while {quote(request)} is requested" if request else ""
    problems.add(
        places[max(taken)],
        "expected a line of angles in every circle of transitions, got none on the way "
        f"through {', '.join(map(quote, names[:5]))}{when}; it would turn for ever at "
        "one moment",
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
        (num_lines, tokens.MAX_LINES, "lines"),
        (len(goals), tokens.MAX_TRANSITIONS, "transitions"),
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
                is_rest = motion.name == tokens.ENTRY and line is motion.lines[-1]
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
    values = np.zeros(tokens.NUM_JOINTS)
    modes = np.full(tokens.NUM_JOINTS, KEEP)
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
