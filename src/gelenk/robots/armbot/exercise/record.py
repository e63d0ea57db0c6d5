"""What an exercise is made of, as data.

An exercise asks for one or several functions. For each there is a reference, which
returns every right answer, and a list of known mistakes. A mistake is a model of what
a student did instead: it misreads the arguments (`before`), computes something else
(`instead`), or spoils the answer at the end (`undo` is what would mend it). Models can
be combined, and those that predict a student's answers in all cases explain them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from gelenk.robots.armbot.exercise.given import make_given
from gelenk.typing import FloatArray

Arguments: TypeAlias = Mapping[str, Any]
"""Argument values by name: float, int, array or `Given`."""

Solution: TypeAlias = FloatArray | None
"""One answer: an array, or None for "there is none"."""

TOLERANCE = 1e-5  # [m] or [rad]; single precision passes, 3.14 for pi does not


@dataclass(frozen=True, slots=True)
class Given:
    """A function that is handed to the student as an argument.

    Attributes:
        what: "position", "jacobian" or "inverse".
        arm: "simple" or "planar".
        lengths: Of its links [m].
    """

    what: str
    arm: str
    lengths: tuple[float, ...]

    def __call__(self, value: FloatArray) -> Any:
        """Return what the student's call would return."""
        return make_given(self.what, self.arm, self.lengths)(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a function.

    Attributes:
        name: As in the signature.
        text: Meaning, for the template.
        unit: Of all its numbers, or one per component: "rad", "m", "m/s", "1". An empty
            one for functions.
        parts: Names of its components, empty for a scalar or a matrix.
    """

    name: str
    text: str
    unit: str | tuple[str, ...] = ""
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a function returns.

    Attributes:
        text: In words, for the template.
        shape: Of one answer.
        unit: Of all its numbers, or one per component.
        parts: Names of the components of a vector.
        is_list: The answer is a list of solutions, each of `shape`, in any order.
        may_be_none: None (or an empty list) is right where there is no solution.
        tolerance: Largest difference of a right answer.
    """

    text: str
    shape: tuple[int, ...]
    unit: str | tuple[str, ...] = "1"
    parts: tuple[str, ...] = ()
    is_list: bool = False
    may_be_none: bool = False
    tolerance: float = TOLERANCE

    def is_angle(self) -> FloatArray:
        """Return 1.0 where a number is an angle, shape `shape`."""
        units = (self.unit,) if isinstance(self.unit, str) else self.unit
        flags = np.array([unit == "rad" for unit in units], dtype=float)
        return np.broadcast_to(flags if len(flags) > 1 else flags[0], self.shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A typical mistake and its model.

    Attributes:
        name: Short name, for machines.
        cause: What is likely wrong, in plain words.
        look: The place to look at.
        before: What the student's code takes the arguments for.
        instead: What it computes, like `Function.solve`.
        undo: What would make a right answer of the given one.
        rank: Smaller is more typical; decides between equal explanations.
    """

    name: str
    cause: str
    look: str = ""
    before: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    instead: Callable[..., Any] | None = None
    undo: Callable[[FloatArray, Arguments], FloatArray] | None = None
    rank: int = 0

    @property
    def has_model(self) -> bool:
        """Whether it predicts answers; others are found by a function's `review`."""
        return not (self.before is None and self.instead is None and self.undo is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One call of a function.

    Attributes:
        args: Values by argument name.
        tag: Empty for an ordinary case; otherwise a key of `Function.specials`.
    """

    args: Arguments
    tag: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One call and what came of it, as a `review` sees it.

    Attributes:
        case: The call.
        answer: The answer, None if there was none or nothing usable.
        raw: What was returned, in whatever shape, if it was numbers.
        failure: Why there is no answer; empty if there is one.
        trace: Joint values at which the given function was evaluated.
        is_right: Whether it was accepted.
    """

    case: Case
    answer: Solution
    raw: Solution
    failure: str
    trace: tuple[tuple[float, ...], ...]
    is_right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function that an exercise asks for.

    Attributes:
        name: As the student must call it.
        text: What it returns, one sentence.
        arguments: In the order of the signature.
        answer: What it returns.
        solve: Reference; takes the arguments by name and returns one answer or a list
            of all right ones.
        draw: Makes the hidden cases from a generator.
        accept: Whether an answer is right, where that is not "one of those of `solve`".
        reached: Where the answer of an inverse leads, like the argument it is the
            inverse of.
        mistakes: Known ones, most typical first.
        specials: Mistake that is likely if only cases of this tag fail.
        has_generic_mistakes: Whether mistakes that are possible everywhere are tried.
        review: Finds mistakes from the way a function works, right answers or not;
            returns their names.
    """

    name: str
    text: str
    arguments: tuple[Argument, ...]
    answer: Answer
    solve: Callable[..., Any]
    draw: Callable[[np.random.Generator], Sequence[Case]]
    accept: Callable[[Arguments, Solution], bool] | None = None
    reached: Callable[[Arguments, FloatArray], FloatArray] | None = None
    mistakes: tuple[Mistake, ...] = ()
    specials: Mapping[str, Mistake] = field(default_factory=dict)
    has_generic_mistakes: bool = True
    review: Callable[[Sequence[Trial]], Sequence[str]] | None = None

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(a.name for a in self.arguments)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """An exercise.

    Attributes:
        name: As on the command line.
        title: One sentence.
        task: What to do, units and conventions, in paragraphs of plain text.
        functions: What the submission must define.
    """

    name: str
    title: str
    task: str
    functions: tuple[Function, ...]


def solutions_of(result: object) -> list[Solution]:
    """Return what a reference or a model returned as a list of answers."""
    if isinstance(result, list):
        return [None if r is None else np.asarray(r, dtype=float) for r in result]
    return [None if result is None else np.asarray(result, dtype=float)]
