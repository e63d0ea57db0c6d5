"""Reads the answers of a submission and compares them with right ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.robots.armbot.exercise.record import Answer, Arguments, Function, Solution
from gelenk.robots.armbot.exercise.runner import Outcome
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import BoolArray, FloatArray


def read_answer(answer: Answer, outcome: Outcome) -> tuple[Solution, str]:
    """Return a returned value in the expected shape, and a problem with its form.

    A column is as good as a row, a single solution as good as a list of one, an empty
    list as good as None.

    Returns:
        The array (a list of solutions has shape (k, *shape)) or None, and a sentence
        if the value cannot be read as an answer.
    """
    if outcome.kind == "none":
        return (np.empty((0, *answer.shape)) if answer.is_list else None), ""
    if outcome.value is None:
        return None, f"it returns {outcome.kind}"
    value = outcome.value
    if value.size == 0 and (answer.is_list or answer.may_be_none):
        return (np.empty((0, *answer.shape)) if answer.is_list else None), ""
    size = int(np.prod(answer.shape))
    if answer.is_list:
        if value.ndim >= 2 and value.size == len(value) * size:
            return value.reshape(len(value), *answer.shape), ""
        if value.shape == answer.shape:
            return value[None], ""
    elif value.shape == answer.shape:
        return value, ""
    elif len(answer.shape) < 2 and value.size == size:
        return value.reshape(answer.shape), ""
    return None, f"it returns {_shape_in_words(value.shape)}"


def expected_shape(answer: Answer) -> str:
    """Return in words what form an answer must have."""
    words = _shape_in_words(answer.shape)
    return f"a list of solutions, each {words}" if answer.is_list else words


def is_no_answer(solution: Solution) -> bool:
    """Return whether it is None, an empty list or not a number."""
    return solution is None or solution.size == 0 or not np.all(np.isfinite(solution))


def component_matches(answer: Answer, got: FloatArray, right: FloatArray) -> BoolArray:
    """Return for each number whether it is right, angles up to whole turns."""
    with np.errstate(invalid="ignore"):
        difference = got - right
        is_angle = answer.is_angle() > 0.0
        turned = np.where(is_angle, wrap_angle(difference), difference)
        # Large wrong answers are computed with larger rounding errors.
        slack = answer.tolerance * np.maximum(1.0, np.abs(right))
        return np.abs(turned) <= slack


def is_one_of(answer: Answer, got: Solution, candidates: Sequence[Solution]) -> bool:
    """Return whether an answer is one of the candidates."""
    return any(_is_same(answer, got, candidate) for candidate in candidates)


def is_right(function: Function, args: Arguments, got: Solution, right: object) -> bool:
    """Return whether a function's answer is right.

    Args:
        function: The function.
        args: What it was given.
        got: Its answer.
        right: The list of right answers.
    """
    assert isinstance(right, list)
    if function.accept is not None and not is_no_answer(got):
        return function.accept(args, got)
    if is_no_answer(got):
        is_nan = got is not None and got.size > 0
        return not is_nan and any(is_no_answer(candidate) for candidate in right)
    return is_one_of(function.answer, got, right)


def _is_same(answer: Answer, got: Solution, right: Solution) -> bool:
    if is_no_answer(got) or is_no_answer(right):
        return is_no_answer(got) and is_no_answer(right)
    assert got is not None
    assert right is not None
    if not answer.is_list:
        return got.shape == right.shape and bool(
            np.all(component_matches(answer, got, right))
        )
    if got.shape[1:] != right.shape[1:]:
        return False
    same = np.array(
        [[np.all(component_matches(answer, g, r)) for r in right] for g in got]
    )
    return bool(np.all(same.any(axis=0)) and np.all(same.any(axis=1)))


def _shape_in_words(shape: tuple[int, ...]) -> str:
    if not shape:
        return "one number"
    if len(shape) == 1:
        return f"{shape[0]} numbers"
    return " x ".join(map(str, shape)) + " numbers"
