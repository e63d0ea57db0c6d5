"""Which mistake explains the answers of a submission.

A model explains if it predicts the answers of all ordinary cases, the right ones too.
Single mistakes are tried first, then pairs, then one mistake per component. If nothing
explains, there remains what is visible: which components are wrong, and where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from gelenk.robots.armbot.exercise.generic import COLUMN_WORDS, generic_mistakes
from gelenk.robots.armbot.exercise.match import (
    component_matches,
    is_no_answer,
    is_one_of,
    is_right,
)
from gelenk.robots.armbot.exercise.record import (
    Arguments,
    Function,
    Mistake,
    Solution,
    Trial,
    solutions_of,
)
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import BoolArray, FloatArray, IntArray

MIN_EVIDENCE = 3  # wrong answers that a model must predict, if there are as many
MAX_PAIR_COST = 4000  # predictions spent on pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One or two mistakes that together explain all answers.

    Attributes:
        mistakes: In the order in which they act.
        alternatives: Other single mistakes that predict exactly the same answers.
    """

    mistakes: tuple[Mistake, ...]
    alternatives: tuple[Mistake, ...] = ()


def find_explanation(function: Function, trials: Sequence[Trial]) -> Explanation | None:
    """Return the mistakes that predict the answers of all these trials, if any do."""
    known = [m for m in function.mistakes if m.has_model]
    known = sorted((*known, *generic_mistakes(function)), key=lambda m: m.rank)
    singles = [m for m in known if explains(function, (m,), trials)]
    if singles:
        others = {m.name: m for m in singles[1:] if m.name != singles[0].name}
        return Explanation(mistakes=(singles[0],), alternatives=tuple(others.values()))
    shift = _constant_shift(function, trials)
    if shift is not None:
        return Explanation(mistakes=(shift,))
    for pair in _pairs(known):
        if explains(function, pair, trials):
            return Explanation(mistakes=pair)
    return _by_component(function, known, trials)


def explains(
    function: Function, mistakes: tuple[Mistake, ...], trials: Sequence[Trial]
) -> bool:
    """Return whether these mistakes predict every answer."""
    evidence, wrong = 0, sum(not t.is_right for t in trials)
    # Wrong ones first: most models fail at the first of them.
    for trial in sorted(trials, key=lambda t: t.is_right):
        if not predicts(function, mistakes, trial):
            return False
        evidence += not trial.is_right and not is_no_answer(trial.answer)
    return evidence >= min(MIN_EVIDENCE, wrong)


def predicts(function: Function, mistakes: tuple[Mistake, ...], trial: Trial) -> bool:
    """Return whether these mistakes lead to the answer of one trial."""
    got = trial.answer
    if got is not None and not is_no_answer(got):
        for mistake in reversed(mistakes):
            if mistake.undo is not None:
                undone = _quietly(mistake.undo, got, trial.case.args)
                if undone is None:
                    return False
                got = np.asarray(undone, dtype=float)
    candidates = predictions(function, mistakes, trial.case.args)
    if all(m.before is None and m.instead is None for m in mistakes):
        return is_right(function, trial.case.args, got, candidates)
    return is_one_of(function.answer, got, candidates)


def predictions(
    function: Function, mistakes: tuple[Mistake, ...], args: Arguments
) -> list[Solution]:
    """Return what a reference with these mistakes would answer, `undo` left aside."""
    changed: dict[str, Any] = dict(args)
    solve = function.solve
    for mistake in mistakes:
        if mistake.before is not None:
            changed = mistake.before(changed)
        if mistake.instead is not None:
            solve = mistake.instead
    return solutions_of(_quietly(solve, **changed))


def _quietly(function: Any, *args: Any, **named: Any) -> Any:
    """Return the result, or None where the wrong formula has no value."""
    try:
        with np.errstate(all="ignore"):
            return function(*args, **named)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        return None


def _pairs(known: Sequence[Mistake]) -> Iterator[tuple[Mistake, Mistake]]:
    """Yield pairs of different mistakes that can act together, typical ones first."""
    pairs = [
        (one, other)
        for one, other in combinations(known, 2)
        if (one.instead is None or other.instead is None)
        and (one.name != other.name or one.name.endswith("sign"))
    ]
    pairs.sort(key=lambda pair: pair[0].rank + pair[1].rank)
    yield from pairs[:MAX_PAIR_COST]


def _constant_shift(function: Function, trials: Sequence[Trial]) -> Mistake | None:
    """Return "always too large by the same amount", if one component is."""
    usable = [t for t in trials if not is_no_answer(t.answer)]
    answer = function.answer
    if answer.is_list or len(answer.shape) != 1 or len(usable) < len(trials):
        return None
    got = np.array([t.answer for t in usable])
    right = np.array([_nearest(function, t) for t in usable])
    parts = ~np.array(
        [component_matches(answer, g, r) for g, r in zip(got, right, strict=True)]
    )
    if parts.any(axis=0).sum() != 1 or not parts.any(axis=1).all():
        return None
    index = int(np.argmax(parts.any(axis=0)))
    offset = got[:, index] - right[:, index]
    if answer.is_angle()[index]:
        offset = wrap_angle(offset)
    if np.ptp(offset) > answer.tolerance:
        return None
    part = _part_name(function, np.array([index]))
    in_degrees = f" ({np.degrees(offset[0]):.4g} degrees)"
    amount = f"{offset[0]:.6g}" + (in_degrees if answer.is_angle()[index] else "")
    return Mistake(
        name="constant-offset",
        cause=f"{part} is always too large by the same amount, {amount}",
        look=f"the line that computes {part}: a constant is missing or too much",
        undo=lambda got, _: got - offset[0] * np.eye(len(got))[index],
    )


def _by_component(
    function: Function, known: Sequence[Mistake], trials: Sequence[Trial]
) -> Explanation | None:
    """Return one mistake per wrong component, if each has one that explains it."""
    answer = function.answer
    # In a matrix some model fits many a single entry by chance.
    if answer.is_list or len(answer.shape) != 1 or answer.shape == (1,):
        return None
    usable = [t for t in trials if not is_no_answer(t.answer)]
    if len(usable) < MIN_EVIDENCE:
        return None
    open_parts = ~_matching_parts(function, (), usable)
    found: list[Mistake] = []
    for mistake in known:
        if mistake.undo is not None or not open_parts.any():
            continue
        solved = _matching_parts(function, (mistake,), usable) & open_parts
        if solved.any():
            found.append(mistake)
            open_parts = open_parts & ~solved
    if open_parts.any() or not 1 <= len(found) <= 3:
        return None
    return Explanation(mistakes=tuple(found))


def _matching_parts(
    function: Function, mistakes: tuple[Mistake, ...], trials: Sequence[Trial]
) -> BoolArray:
    """Return which components the prediction has right in all trials."""
    matching = np.ones(function.answer.shape, dtype=bool)
    for trial in trials:
        candidates = predictions(function, mistakes, trial.case.args)
        if len(candidates) != 1 or is_no_answer(candidates[0]):
            return np.zeros_like(matching)
        first = candidates[0]
        assert trial.answer is not None
        assert first is not None
        matching &= component_matches(function.answer, trial.answer, first)
    return matching


def describe_difference(function: Function, trials: Sequence[Trial]) -> list[str]:
    """Return what is visible in answers that nothing explains, as sentences."""
    answer = function.answer
    usable = [t for t in trials if not is_no_answer(t.answer)]
    if answer.is_list or not usable:
        return _where(function, trials)
    got = np.array([t.answer for t in usable])
    right = np.array([_nearest(function, t) for t in usable])
    if not np.all(np.isfinite(right)):
        return _where(function, trials)
    matches = np.array(
        [component_matches(answer, g, r) for g, r in zip(got, right, strict=True)]
    )
    sentences: list[str] = []
    always = matches.all(axis=0)
    if always.any() and not always.all():
        # Whichever list is the shorter one.
        is_few = always.sum() <= (~always).sum()
        shown = np.argwhere(always if is_few else ~always)
        words = ", ".join(_part_name(function, index) for index in shown)
        head = "right in all cases" if is_few else "right but for"
        sentences.append(f"{head}: {words}")
    for index in map(tuple, np.argwhere(~always)):
        column = (slice(None), *index)
        relation = _relation(got[column], right[column])
        if relation:
            sentences.append(f"{_part_name(function, np.array(index))} {relation}")
    return sentences + _where(function, trials)


def _nearest(function: Function, trial: Trial) -> FloatArray:
    """Return the right answer that shares most components with the given one."""
    assert trial.answer is not None
    candidates = [
        c
        for c in solutions_of(function.solve(**trial.case.args))
        if c is not None and c.shape == trial.answer.shape
    ]
    if not candidates:
        return np.full(function.answer.shape, np.nan)
    return max(
        candidates,
        key=lambda c: int(component_matches(function.answer, trial.answer, c).sum()),  # type: ignore[arg-type]
    )


def _relation(got: FloatArray, right: FloatArray) -> str:
    """Return how wrong numbers follow from right ones, if they simply do."""
    if len(got) < MIN_EVIDENCE:
        return ""
    offset = got - right
    if np.ptp(offset) < 1e-6 * max(1.0, float(np.abs(offset).max())):
        return f"is always too large by {offset[0]:.6g}"
    is_large = np.abs(right) > 1e-6
    if is_large.sum() < MIN_EVIDENCE or np.any(np.abs(got[~is_large]) > 1e-6):
        return ""
    ratio = got[is_large] / right[is_large]
    if np.ptp(ratio) < 1e-6 * max(1.0, float(np.abs(ratio).max())):
        factor = float(ratio.mean())
        is_zero = abs(factor) < 1e-9
        return (
            "is always 0"
            if is_zero
            else f"is always {factor:.6g} times the right value"
        )
    return ""


def _where(function: Function, trials: Sequence[Trial]) -> list[str]:
    """Return whether the failures lie exactly where one argument is negative."""
    wrong = np.array([not t.is_right for t in trials])
    if wrong.all() or wrong.sum() < MIN_EVIDENCE:
        return []
    for argument in function.arguments:
        if not argument.unit:
            continue
        values = np.array([np.ravel(t.case.args[argument.name]) for t in trials])
        for i in range(values.shape[1]):
            for is_negative in (True, False):
                side = values[:, i] < 0.0 if is_negative else values[:, i] > 0.0
                if np.array_equal(side, wrong):
                    part = f"`{argument.name}`"
                    part += f"[{i}]" if values.shape[1] > 1 else ""
                    word = "negative" if is_negative else "positive"
                    return [f"it is wrong exactly where {part} is {word}"]
    return []


def _part_name(function: Function, index: IntArray) -> str:
    answer = function.answer
    if answer.parts and len(index) == 1:
        return answer.parts[int(index[0])]
    if len(index) == 2:
        return f"entry ({int(index[0]) + 1}, {int(index[1]) + 1})"
    return f"the {COLUMN_WORDS[int(index[0])]} number" if len(index) else "the number"
