"""Findings about a submission: what is said, with an example, as text and as data."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.robots.armbot.exercise.match import is_no_answer
from gelenk.robots.armbot.exercise.record import (
    Argument,
    Function,
    Given,
    Mistake,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        names: Short names of the mistakes, in the order in which they act.
        function: Where, empty for the file as a whole.
        causes: What is likely wrong, in plain words, one sentence each.
        look: The places to look at.
        alternatives: Other causes with exactly the same effect.
        example: One call with what was expected and what came.
        line: Line of the submission, if there is one.
    """

    names: tuple[str, ...]
    function: str
    causes: tuple[str, ...]
    look: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    example: Example | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is said about a submission.

    Attributes:
        exercise: Name of the exercise.
        is_accepted: Whether everything is right.
        counts: For each function (right answers, cases).
        findings: What is wrong; empty if accepted.
    """

    exercise: str
    is_accepted: bool
    counts: tuple[tuple[str, int, int], ...]
    findings: tuple[Finding, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Short names of everything that was found, without repetitions."""
        return tuple(dict.fromkeys(n for f in self.findings for n in f.names))


def place_of(outcome: Outcome) -> tuple[str, ...]:
    """Return the line of the submission at which a call failed, if it is known."""
    return (f"line {outcome.line}: {outcome.text}",) if outcome.line else ()


def plain_finding(
    name: str,
    function: Function,
    cause: str,
    trial: Trial | None = None,
    outcome: Outcome | None = None,
) -> Finding:
    """Return a finding with one name and one cause."""
    return Finding(
        names=(name,),
        function=function.name,
        causes=(cause,),
        look=place_of(outcome) if outcome is not None else (),
        example=example_of(function, trial, outcome) if trial and outcome else None,
        line=outcome.line if outcome is not None else None,
    )


def finding_from(
    function: Function, mistakes: Sequence[Mistake], trial: Trial, outcome: Outcome
) -> Finding:
    """Return the finding that says these mistakes, shown with one trial."""
    return Finding(
        names=tuple(dict.fromkeys(m.name for m in mistakes)),
        function=function.name,
        causes=tuple(m.cause for m in mistakes),
        look=tuple(m.look for m in mistakes if m.look),
        example=example_of(function, trial, outcome),
    )


WIDTH = 88
GREEN, RED, BOLD, DIM = "32", "31", "1", "2"
Style = Callable[[str, str], str]


def plain_style(text: str, code: str) -> str:
    """Return the text as it is."""
    return text


def color_style(text: str, code: str) -> str:
    """Return the text with an ANSI style around it."""
    return f"\x1b[{code}m{text}\x1b[0m"


def verdict_text(verdict: Verdict, style: Style = plain_style) -> str:
    """Return what a student reads."""
    word = style("accepted", GREEN) if verdict.is_accepted else style("not yet", RED)
    lines = [f"{style(verdict.exercise, BOLD)}: {word}"]
    lines += [
        f"  {name}: {right} of {total} cases right"
        for name, right, total in verdict.counts
    ]
    for finding in verdict.findings:
        lines += ["", *_finding_lines(finding, style)]
    return "\n".join(lines) + "\n"


def _finding_lines(finding: Finding, style: Style) -> list[str]:
    head = finding.function or "the file"
    lines = [f"{style(head, BOLD)}  {style('[' + ', '.join(finding.names) + ']', DIM)}"]
    for i, cause in enumerate(finding.causes):
        lines += _wrapped("what is wrong: " if i == 0 else "and: ", cause)
    for place in finding.look:
        lines += _wrapped("where to look: ", place)
    for other in finding.alternatives[:2]:
        lines += _wrapped("or, with the same effect: ", other)
    if finding.example is not None:
        lines += _example_lines(finding.example)
    return lines


def _wrapped(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        label + text,
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _example_lines(example: Example) -> list[str]:
    lines = ["  for example, with"]
    for name, value in example.inputs:
        lines += _block(f"      {name} = ", value)
    or_another = " (or another right one)" if example.has_more else ""
    lines += _block("    expected ", example.expected + or_another)
    lines += _block("    got      ", example.got)
    if example.reached:
        lines += _block("    which leads to ", example.reached)
    return lines


def _block(label: str, text: str) -> list[str]:
    """Return a value of several lines, aligned behind its label."""
    first, *others = text.splitlines() or [""]
    return [label + first, *(" " * len(label) + line for line in others)]


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """Return the same as plain data."""
    return {
        "exercise": verdict.exercise,
        "accepted": verdict.is_accepted,
        "functions": [
            {"name": name, "right": right, "cases": total}
            for name, right, total in verdict.counts
        ],
        "findings": [_finding_data(finding) for finding in verdict.findings],
    }


def _finding_data(finding: Finding) -> dict[str, Any]:
    example = finding.example
    return {
        "names": list(finding.names),
        "function": finding.function or None,
        "causes": list(finding.causes),
        "look": list(finding.look),
        "alternatives": list(finding.alternatives),
        "line": finding.line,
        "example": None
        if example is None
        else {
            "inputs": dict(example.inputs),
            "expected": example.expected,
            "got": example.got,
            "has_more": example.has_more,
            "reached": example.reached or None,
        },
    }
