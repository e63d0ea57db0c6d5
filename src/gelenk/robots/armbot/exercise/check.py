"""Checks a submission against an exercise and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from gelenk.robots.armbot.exercise import explain
from gelenk.robots.armbot.exercise.finding import (
    Finding,
    Verdict,
    finding_from,
    place_of,
    plain_finding,
)
from gelenk.robots.armbot.exercise.form import (
    form_findings,
    loading_finding,
    manner_findings,
)
from gelenk.robots.armbot.exercise.match import (
    is_no_answer,
    is_right,
    read_answer,
)
from gelenk.robots.armbot.exercise.record import (
    Case,
    Exercise,
    Function,
    Mistake,
    Trial,
    solutions_of,
)
from gelenk.robots.armbot.exercise.runner import Call, Limits, Outcome, Run, Runner
from gelenk.typing import FloatArray


def check_submission(
    exercise: Exercise,
    path: Path,
    *,
    seed: int = 0,
    runner: Runner | None = None,
    limits: Limits | None = None,
) -> Verdict:
    """Run a submission against the hidden cases of an exercise.

    Args:
        exercise: What is asked for.
        path: File with the student's code.
        seed: Of the hidden cases.
        runner: Worker to use; by default one of its own.
        limits: On time and memory.
    """
    if runner is None:
        with Runner() as own:
            return check_submission(
                exercise, path, seed=seed, runner=own, limits=limits
            )
    limits = limits or Limits()
    rng = np.random.default_rng(seed)
    drawn = [(f, tuple(f.draw(rng))) for f in exercise.functions]
    calls = [_call(f, case) for f, cases in drawn for case in cases]
    # The first case of each function once more: the same must come again.
    calls += [_call(f, cases[0]) for f, cases in drawn]
    run = runner.run(path, calls, limits=limits)
    if run.loading.state != "returned":
        finding = loading_finding(run.loading, limits)
        counts = tuple((f.name, 0, len(cases)) for f, cases in drawn)
        return Verdict(
            exercise=exercise.name,
            is_accepted=False,
            counts=counts,
            findings=(finding,),
        )
    return _verdict(exercise, drawn, run, limits)


def _call(function: Function, case: Case) -> Call:
    return Call(
        function=function.name,
        args=tuple(case.args[a.name] for a in function.arguments),
    )


def _verdict(
    exercise: Exercise,
    drawn: Sequence[tuple[Function, tuple[Case, ...]]],
    run: Run,
    limits: Limits,
) -> Verdict:
    start, findings, counts = 0, [], []
    repeats = run.outcomes[-len(drawn) :]
    for (function, cases), repeat in zip(drawn, repeats, strict=True):
        outcomes = run.outcomes[start : start + len(cases)]
        start += len(cases)
        trials = [_trial(function, c, o) for c, o in zip(cases, outcomes, strict=True)]
        right = sum(t.is_right for t in trials)
        counts.append((function.name, right, len(trials)))
        found = form_findings(function, trials, outcomes, run, limits)
        if not found:
            found = _value_findings(function, trials, outcomes)
        found += manner_findings(function, outcomes, repeat, is_wrong=bool(found))
        findings += found
    return Verdict(
        exercise=exercise.name,
        is_accepted=not findings,
        counts=tuple(counts),
        findings=tuple(findings),
    )


def _trial(function: Function, case: Case, outcome: Outcome) -> Trial:
    answer, problem = None, f"{outcome.state} {outcome.error}"
    if outcome.state == "returned":
        answer, problem = read_answer(function.answer, outcome)
    right = solutions_of(function.solve(**case.args))
    return Trial(
        case=case,
        answer=answer,
        raw=outcome.value,
        failure=problem,
        trace=outcome.trace,
        is_right=not problem and is_right(function, case.args, answer, right),
    )


def _value_findings(
    function: Function, trials: Sequence[Trial], outcomes: Sequence[Outcome]
) -> list[Finding]:
    """Say why answers are wrong."""
    reviewed = list(function.review(trials)) if function.review else []
    known = {m.name: m for m in (*function.mistakes, *function.specials.values())}
    if reviewed:
        wrong = next((i for i, t in enumerate(trials) if not t.is_right), 0)
        mistakes = [known[name] for name in reviewed]
        first = finding_from(function, mistakes, trials[wrong], outcomes[wrong])
        others = _special_findings(function, trials, outcomes, ())
        return [first, *(f for f in others if not set(f.names) & set(first.names))]
    ordinary = [t for t in trials if not t.case.tag]
    if all(t.is_right for t in ordinary):
        return _special_findings(function, trials, outcomes, ())
    outcome_of = {id(t): o for t, o in zip(trials, outcomes, strict=True)}
    explanation = explain.find_explanation(function, ordinary)
    if explanation is None:
        return [_unexplained_finding(function, ordinary, outcome_of)]
    return [
        _explained_finding(function, ordinary, outcome_of, explanation),
        *_special_findings(function, trials, outcomes, explanation.mistakes),
    ]


def _explained_finding(
    function: Function,
    trials: Sequence[Trial],
    outcome_of: dict[int, Outcome],
    explanation: explain.Explanation,
) -> Finding:
    shown = _shown_trial(trials)
    found = finding_from(function, explanation.mistakes, shown, outcome_of[id(shown)])
    return replace(found, alternatives=tuple(m.cause for m in explanation.alternatives))


def _shown_trial(trials: Sequence[Trial]) -> Trial:
    """Return the first wrong trial, if possible one with an answer."""
    wrong = [t for t in trials if not t.is_right]
    return next((t for t in wrong if not is_no_answer(t.answer)), wrong[0])


def _unexplained_finding(
    function: Function, trials: Sequence[Trial], outcome_of: dict[int, Outcome]
) -> Finding:
    wrong = [t for t in trials if not t.is_right]
    failed = next((t for t in wrong if t.failure.startswith("raised")), None)
    if failed is not None:
        outcome = outcome_of[id(failed)]
        cause = f"it raises {outcome.error}"
        return plain_finding("raises", function, cause, failed, outcome)
    lost = next((t for t in wrong if _is_nan(t.answer)), None)
    if lost is not None:
        cause = (
            "the answer contains nan or inf: a division by zero, or `arccos`, `arcsin` "
            "or `sqrt` of a number outside their range"
        )
        return plain_finding(
            "not-a-number", function, cause, lost, outcome_of[id(lost)]
        )
    sentences = explain.describe_difference(function, trials)
    shown = _shown_trial(trials)
    found = plain_finding(
        "unexplained",
        function,
        f"{len(wrong)} of {len(trials)} answers are wrong, in a way that fits no "
        "typical mistake; begin with the example and compute it by hand",
        shown,
        outcome_of[id(shown)],
    )
    return replace(found, causes=(*found.causes, *sentences))


def _special_findings(
    function: Function,
    trials: Sequence[Trial],
    outcomes: Sequence[Outcome],
    explained: tuple[Mistake, ...],
) -> list[Finding]:
    """Say which special cases fail beyond what the explained mistakes do to them."""
    failing: dict[str, tuple[Trial, Outcome]] = {}
    for trial, outcome in zip(trials, outcomes, strict=True):
        tag = trial.case.tag
        if not tag or trial.is_right:
            continue
        is_void = trial.failure or _is_nan(trial.answer)
        if explained and not is_void and explain.predicts(function, explained, trial):
            continue
        failing.setdefault(tag, (trial, outcome))
    found = []
    for tag, (trial, outcome) in failing.items():
        finding = finding_from(function, [function.specials[tag]], trial, outcome)
        if outcome.error:
            finding = replace(
                finding,
                causes=(*finding.causes, f"there it raises {outcome.error}"),
                look=(*finding.look, *place_of(outcome)),
                line=outcome.line,
            )
        found.append(finding)
    return found


def _is_nan(answer: FloatArray | None) -> bool:
    return answer is not None and answer.size > 0 and not np.all(np.isfinite(answer))
