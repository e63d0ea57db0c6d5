"""Circles of transitions in which no time passes: found before anything moves."""

from __future__ import annotations

from gelenk.robots.nao.motion.motions import Label, Motion, Place
from gelenk.robots.nao.motion.problems import ProblemList, quote
from gelenk.robots.nao.motion.program import (
    Jump,
    MotionProgram,
    MoveStep,
    Step,
    StiffnessStep,
)


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
