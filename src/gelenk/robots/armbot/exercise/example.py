"""One call of a submission with what was expected and what came, as text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.robots.armbot.exercise.match import is_no_answer
from gelenk.robots.armbot.exercise.record import (
    Argument,
    Function,
    Given,
    Solution,
    Trial,
    solutions_of,
)
from gelenk.robots.armbot.exercise.runner import Outcome

DIGITS = 6
MAX_TEXT = 400  # characters of a value


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A call that went wrong.

    Attributes:
        inputs: (name, value with unit) of every argument.
        expected: The right answer, or the first of several, with unit.
        got: What came instead.
        has_more: Whether there are other right answers.
        reached: Where the answer leads, for an inverse; empty for others.
    """

    inputs: tuple[tuple[str, str], ...]
    expected: str
    got: str
    has_more: bool
    reached: str = ""


def example_of(function: Function, trial: Trial, outcome: Outcome) -> Example:
    """Return a trial as text."""
    right = solutions_of(function.solve(**trial.case.args))
    unit = _unit_text(function.answer.unit)
    got = f"{outcome.kind}" if outcome.kind != "none" else "None"
    if outcome.state != "returned":
        got = outcome.error or "no answer in time"
    elif outcome.value is not None:
        got = _value_text(outcome.value, "")
    return Example(
        inputs=tuple(
            (a.name, _argument_text(a, trial.case.args[a.name]))
            for a in function.arguments
        ),
        expected=_solution_text(right[0], unit),
        got=got,
        has_more=len(right) > 1,
        reached=_reached_text(function, trial),
    )


def _reached_text(function: Function, trial: Trial) -> str:
    if function.reached is None or trial.answer is None or is_no_answer(trial.answer):
        return ""
    return _value_text(function.reached(trial.case.args, trial.answer), "")


def _argument_text(argument: Argument, value: object) -> str:
    if isinstance(value, Given):
        lengths = ", ".join(f"{length:g}" for length in value.lengths)
        return f"the {value.what} of the {value.arm} arm with lengths {lengths} m"
    if isinstance(value, int):
        return str(value)
    return _value_text(np.asarray(value, dtype=float), _unit_text(argument.unit))


def _solution_text(solution: Solution, unit: str) -> str:
    if solution is None or is_no_answer(solution):
        return "None, there is no solution"
    return _value_text(solution, unit)


def _value_text(value: np.ndarray, unit: str) -> str:
    rounded = np.round(value, DIGITS) + 0.0  # makes 0.0 of -0.0
    text = np.array2string(
        rounded, separator=", ", max_line_width=200, threshold=40, suppress_small=True
    )
    if len(text) > MAX_TEXT:
        text = text[:MAX_TEXT] + " ..."
    return f"{text} {unit}".rstrip()


def _unit_text(unit: str | tuple[str, ...]) -> str:
    if isinstance(unit, str):
        return "" if unit == "1" else unit
    if len(set(unit)) == 1:
        return unit[0]
    return f"({', '.join(unit)})"
