"""What is said about a submission, and how findings are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gelenk.robots.armbot.exercise.example import Example, example_of
from gelenk.robots.armbot.exercise.record import Function, Mistake, Trial
from gelenk.robots.armbot.exercise.runner import Outcome


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
