"""Exercise: the numeric Jacobian of a function that is given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Case,
    Exercise,
    Function,
    Given,
    Mistake,
)
from gelenk.typing import FloatArray

Rng = np.random.Generator
Position = Callable[[FloatArray], FloatArray]


def central(position: Position, q: FloatArray, h: float) -> FloatArray:
    """Return the columns (position(q + h e) - position(q - h e)) / (2 h)."""
    steps = h * np.eye(len(q))
    columns = [(position(q + e) - position(q - e)) / (2.0 * h) for e in steps]
    return np.array(columns).T


def _one_sided(position: Position, q: FloatArray, h: float) -> FloatArray:
    steps = h * np.eye(len(q))
    return np.array([(position(q + e) - position(q)) / h for e in steps]).T


def _left_shifted(position: Position, q: FloatArray, h: float) -> FloatArray:
    """Return what comes if a joint that was shifted back too far stays there."""
    q, columns = q.copy(), []
    for i in range(len(q)):
        q[i] += h
        ahead = position(q)
        q[i] -= 2.0 * h
        columns.append((ahead - position(q)) / (2.0 * h))
    return np.array(columns).T


def _left_ahead(position: Position, q: FloatArray, h: float) -> FloatArray:
    """Return one-sided differences in which joints stay shifted."""
    q, columns = q.copy(), []
    for i in range(len(q)):
        behind = position(q)
        q[i] += h
        columns.append((position(q) - behind) / h)
    return np.array(columns).T


def _kept_start(position: Position, q: FloatArray, h: float) -> FloatArray:
    """Return one-sided differences from the start, joints staying shifted."""
    start, q, columns = position(q), q.copy(), []
    for i in range(len(q)):
        q[i] += h
        columns.append((position(q) - start) / h)
    return np.array(columns).T


def _all_at_once(position: Position, q: FloatArray, h: float) -> FloatArray:
    column = (position(q + h) - position(q - h)) / (2.0 * h)
    return np.array([column] * len(q)).T


def _draw(rng: Rng) -> list[Case]:
    cases = []
    for _ in range(14):
        lengths = tuple(rng.uniform(0.2, 0.6, 3).round(3).tolist())
        args = {
            "position": Given("position", "planar", lengths),
            "q": rng.uniform(-2.0, 2.0, 3),
            "h": float(rng.uniform(0.05, 0.3)),
        }
        cases.append(Case(args=args))
    return cases


_STAYS = (
    "a joint that was shifted is not put back before the next one is shifted, so the "
    "later columns are taken somewhere else"
)
NUMERIC_JACOBIAN = Exercise(
    name="numeric-jacobian",
    title="The Jacobian of a given position function by central differences.",
    task="`position(q)` returns the end (x, y) of a planar arm with three hinges. "
    "Estimate its Jacobian\nat q: column i is the central difference\n"
    "(position(q with q_i + h) - position(q with q_i - h)) / (2 h).\nUse the given h "
    "as it is, even where it is large, and leave q as it was.",
    functions=(
        Function(
            name="jacobian",
            text="Return the 2 x 3 matrix of central differences.",
            arguments=(
                Argument(name="position", text="function of q that returns (x, y)"),
                Argument(
                    name="q",
                    text="joint angles",
                    unit="rad",
                    parts=("q1", "q2", "q3"),
                ),
                Argument(name="h", text="half distance of the points", unit="rad"),
            ),
            answer=Answer(
                text="one row per coordinate, one column per joint",
                shape=(2, 3),
                unit="m/rad",
            ),
            solve=central,
            draw=_draw,
            mistakes=(
                Mistake(
                    name="one-sided",
                    cause="this is the difference to one side, "
                    "(position(q + h) - position(q)) / h; the central one takes "
                    "position(q - h), too",
                    look="the second call of `position`",
                    instead=_one_sided,
                ),
                Mistake(
                    name="one-sided",
                    cause="this is the difference to the lower side, "
                    "(position(q) - position(q - h)) / h; the central one takes "
                    "position(q + h), too",
                    look="the first call of `position`",
                    instead=lambda position, q, h: _one_sided(position, q, -h),
                ),
                Mistake(
                    name="factor-two",
                    cause="the difference is divided by h; the two points are 2 h "
                    "apart",
                    look="the divisor",
                    undo=lambda got, _: 0.5 * got,
                ),
                Mistake(
                    name="factor-two",
                    cause="the difference is divided by 2, not by 2 h",
                    look="the divisor; `/ 2 * h` multiplies by h",
                    undo=lambda got, args: got / args["h"],
                ),
                Mistake(
                    name="factor-two",
                    cause="`/ 2 * h` divides by 2 and multiplies by h; write / (2 * h)",
                    look="the divisor",
                    undo=lambda got, args: got / args["h"] ** 2,
                ),
                Mistake(
                    name="not-divided",
                    cause="the difference is not divided by 2 h",
                    look="the divisor",
                    undo=lambda got, args: got / (2.0 * args["h"]),
                ),
                Mistake(
                    name="difference-sign",
                    cause="the difference is the wrong way round: ahead minus behind",
                    look="the order of the two positions",
                    undo=lambda got, _: -got,
                ),
                Mistake(
                    name="joint-stays-shifted",
                    cause=_STAYS,
                    look="where q[i] is put back, or copy q in the loop",
                    instead=_left_shifted,
                ),
                Mistake(
                    name="joint-stays-shifted",
                    cause=_STAYS,
                    look="where q[i] is put back, or copy q in the loop",
                    instead=_left_ahead,
                ),
                Mistake(
                    name="joint-stays-shifted",
                    cause=_STAYS,
                    look="where q[i] is put back, or copy q in the loop",
                    instead=_kept_start,
                ),
                Mistake(
                    name="all-joints-shifted",
                    cause="all joints are shifted at once; column i shifts joint i "
                    "only",
                    look="q + h: only q[i] may change",
                    instead=_all_at_once,
                ),
                Mistake(
                    name="aliasing",
                    cause="both positions are the same: `b = a` does not copy an "
                    "array, so a change of one changes the other",
                    look="use `q.copy()` for each of the two shifted vectors",
                    instead=lambda position, q, h: np.zeros((2, len(q))),
                ),
                Mistake(
                    name="own-step",
                    cause="the given h is not used: this is the difference for "
                    "another, much smaller step",
                    look="where h is set",
                    instead=lambda position, q, h: central(position, q, 1e-5),
                ),
            ),
        ),
    ),
)
