"""What is wrong with the form of a submission: it cannot be loaded, called, or read."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import numpy as np

from gelenk.robots.armbot.exercise.finding import Finding, finding_from, plain_finding
from gelenk.robots.armbot.exercise.match import expected_shape
from gelenk.robots.armbot.exercise.record import Function, Trial
from gelenk.robots.armbot.exercise.runner import Limits, Outcome, Run
from gelenk.typing import FloatArray

SIGNATURE_WORDS = ("positional argument", "unexpected keyword", "takes no arguments")


def loading_finding(outcome: Outcome, limits: Limits) -> Finding:
    """Say why the file could not be loaded."""
    place = f"line {outcome.line}: {outcome.text}" if outcome.line else ""
    if outcome.state == "slow":
        names, cause = (
            ("too-slow",),
            f"loading the file takes more than {limits.load:g} s",
        )
    elif outcome.state == "ended":
        names, cause = ("process-ended",), f"loading ends the process: {outcome.error}"
    elif outcome.error.startswith(("SyntaxError", "IndentationError", "TabError")):
        names, cause = ("syntax",), f"the file is not valid Python: {outcome.error}"
    elif outcome.error.startswith(("ModuleNotFoundError", "ImportError")):
        names = ("import",)
        cause = (
            f"an import fails: {outcome.error}; there are Python's own modules, NumPy "
            "and what is installed beside it, and no files beside yours"
        )
    else:
        names, cause = ("raises",), f"loading the file raises {outcome.error}"
    return Finding(
        names=names,
        function="",
        causes=(cause,),
        look=(place,) if place else (),
        line=outcome.line,
    )


def form_findings(
    function: Function,
    trials: Sequence[Trial],
    outcomes: Sequence[Outcome],
    run: Run,
    limits: Limits,
) -> list[Finding]:
    """Say what prevents a comparison at all."""
    first = outcomes[0]
    slow = next((i for i, o in enumerate(outcomes) if o.state == "slow"), None)
    if first.state == "missing":
        close = difflib.get_close_matches(function.name, run.functions, n=1)
        hint = f"; there is `{close[0]}`" if close else ""
        cause = f"there is no function `{function.name}` in the file{hint}"
        return [plain_finding("missing-function", function, cause)]
    if first.state == "not run":
        cause = "it was not called, because the calls before it came to no end"
        return [plain_finding("not-run", function, cause)]
    for index, outcome in enumerate(outcomes):
        if outcome.state == "ended":
            cause = f"it ends the whole process: {outcome.error}"
            return [
                plain_finding("process-ended", function, cause, trials[index], outcome)
            ]
    if slow is not None:
        return [_slow_finding(function, trials, slow, outcomes[slow], limits)]
    if all(o.error.startswith("NotImplementedError") for o in outcomes) or (
        all(o.kind == "none" and not o.printed for o in outcomes)
    ):
        cause = "it is not written yet: it returns nothing"
        return [plain_finding("unfinished", function, cause)]
    if all(o.kind == "none" for o in outcomes):
        cause = "it prints its result but returns nothing; use `return`"
        return [plain_finding("prints-only", function, cause, trials[0], first)]
    if first.error.startswith("TypeError") and any(
        word in first.error for word in SIGNATURE_WORDS
    ):
        cause = f"it must be called as `{function.signature}`: {first.error}"
        return [plain_finding("signature", function, cause)]
    return _shape_findings(function, trials, outcomes)


def _slow_finding(
    function: Function,
    trials: Sequence[Trial],
    index: int,
    outcome: Outcome,
    limits: Limits,
) -> Finding:
    names = list(function.review(trials) if function.review else ())
    cause = f"a call takes longer than {limits.call:g} s: a loop that never ends?"
    found = plain_finding("too-slow", function, cause, trials[index], outcome)
    special = function.specials.get(trials[index].case.tag)
    known = [m for m in function.mistakes if m.name in names]
    known += [special] if special and not known else []
    return Finding(
        names=(*(m.name for m in known), "too-slow"),
        function=function.name,
        causes=(*(m.cause for m in known), *found.causes),
        look=(*(m.look for m in known if m.look), *found.look),
        example=found.example,
        line=outcome.line,
    )


def _shape_findings(
    function: Function, trials: Sequence[Trial], outcomes: Sequence[Outcome]
) -> list[Finding]:
    """Say that what is returned has not the form of an answer."""
    for trial, outcome in zip(trials, outcomes, strict=True):
        if outcome.state != "returned" or not trial.failure or trial.case.tag:
            continue
        known = {m.name: m for m in function.mistakes}
        names = function.review(trials) if function.review else ()
        if names:
            found = [known[name] for name in names]
            return [finding_from(function, found, trial, outcome)]
        wanted = expected_shape(function.answer)
        cause = f"{trial.failure}; expected {wanted}: {function.answer.text}"
        name = "shape"
        shape = function.answer.shape
        is_matrix = len(shape) == 2 and outcome.value is not None
        if is_matrix and outcome.value.shape == shape[::-1] != shape:  # type: ignore[union-attr]
            name = "transposed"
            cause = f"the matrix is transposed: {cause}"
        return [plain_finding(name, function, cause, trial, outcome)]
    return []


def manner_findings(
    function: Function, outcomes: Sequence[Outcome], repeat: Outcome, *, is_wrong: bool
) -> list[Finding]:
    """Say that a function changes its arguments or does not repeat itself."""
    changed = sorted({i for o in outcomes for i in o.changed})
    if changed:
        names = ", ".join(f"`{function.arguments[i].name}`" for i in changed)
        cause = (
            f"it changes its argument {names} in place, so that the caller's array is "
            "another one afterwards; work on a copy (`np.array(...)`, `.copy()`)"
        )
        return [plain_finding("changes-arguments", function, cause)]
    first = outcomes[0]
    if is_wrong or first.state != "returned" or repeat.state != "returned":
        return []
    if not _is_same_value(first.value, repeat.value):
        cause = (
            "the same call gives another answer the second time: something random, or "
            "something remembered from earlier calls (a global, a default argument)"
        )
        return [plain_finding("not-repeatable", function, cause)]
    return []


def _is_same_value(one: FloatArray | None, other: FloatArray | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and np.allclose(
        one, other, rtol=0.0, atol=1e-9, equal_nan=True
    )
