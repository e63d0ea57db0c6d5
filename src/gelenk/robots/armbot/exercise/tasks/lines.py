"""Exercise: a straight line of the mount, not of the joints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Arguments,
    Case,
    Exercise,
    Function,
    Given,
    Mistake,
    Solution,
    Trial,
)
from gelenk.typing import FloatArray

Rng = np.random.Generator
COUNT = 9


def _line(
    q_start: FloatArray, q_end: FloatArray, count: int, position: Given, inverse: Given
) -> FloatArray:
    shares = np.linspace(0.0, 1.0, count)
    return _at(q_start, q_end, shares, position, inverse)


def _unchanged(value: FloatArray) -> FloatArray:
    return value


def _at(
    q_start: FloatArray,
    q_end: FloatArray,
    shares: FloatArray,
    position: Given,
    inverse: Given,
) -> FloatArray:
    start, end = position(q_start), position(q_end)
    return np.array([inverse(start + s * (end - start)) for s in shares])


def _accept(args: Arguments, got: Solution) -> bool:
    assert got is not None
    position = args["position"]
    start, end = position(args["q_start"]), position(args["q_end"])
    wanted = start + np.linspace(0.0, 1.0, COUNT)[:, None] * (end - start)
    reached = np.array([position(q) for q in got])
    return bool(np.abs(reached - wanted).max() < 1e-4)


def _draw(rng: Rng) -> list[Case]:
    cases: list[Case] = []
    while len(cases) < 10:
        lengths = tuple(rng.uniform(0.2, 0.45, 3).round(3).tolist())
        q_start, q_end = rng.uniform((-1.2, 0.0, -2.0), (1.2, 1.0, -0.4), (2, 3))
        args = {
            "q_start": q_start,
            "q_end": q_end,
            "count": COUNT,
            "position": Given("position", "simple", lengths),
            "inverse": Given("inverse", "simple", lengths),
        }
        shares = np.linspace(0.0, 1.0, COUNT)
        points = [
            (1 - s) * args["position"](q_start) + s * args["position"](q_end)
            for s in shares
        ]
        # Every point within reach, and away from the axis of the stand.
        if all(
            args["inverse"](p) is not None and np.hypot(*p[:2]) > 0.1 for p in points
        ):
            cases.append(Case(args=args))
    return cases


def _review(trials: Sequence[Trial]) -> list[str]:
    """Notice paths with one point too few or too many."""
    rows = {len(t.raw) for t in trials if t.raw is not None and t.raw.ndim == 2}
    is_all = all(t.raw is not None and t.raw.ndim == 2 for t in trials)
    if is_all and len(rows) == 1 and rows <= {COUNT - 2, COUNT - 1, COUNT + 1}:
        return ["number-of-points"]
    return []


STRAIGHT_LINE = Exercise(
    name="straight-line",
    title="Joint angles along a straight line of the Simple Arm's end.",
    task="The end of the Simple Arm is to run along a STRAIGHT line in space from "
    "position(q_start) to\nposition(q_end). `position(q)` and `inverse(p)` of the arm "
    "are given. Return `count` rows of joint\nangles: the first at the start, the last "
    "at the end, the points in equal distances on the line.",
    functions=(
        Function(
            name="line",
            text="Return joint angles for points on the line, one row per point.",
            arguments=(
                Argument(name="q_start", text="joint angles at the start", unit="rad"),
                Argument(name="q_end", text="joint angles at the end", unit="rad"),
                Argument(
                    name="count", text="number of points, ends included", unit="1"
                ),
                Argument(name="position", text="function of q that returns (x, y, z)"),
                Argument(name="inverse", text="function of (x, y, z) that returns q"),
            ),
            answer=Answer(
                text="joint angles (stand, femur, tibia), one row per point",
                shape=(COUNT, 3),
                unit="rad",
            ),
            solve=_line,
            draw=_draw,
            accept=_accept,
            review=_review,
            mistakes=(
                Mistake(
                    name="joint-space",
                    cause="the joint angles are interpolated, so the end runs along a "
                    "curve; interpolate the positions and take the inverse of each",
                    look="what is interpolated",
                    # Without the two functions the same steps interpolate joints.
                    before=lambda args: (
                        args | {"position": _unchanged, "inverse": _unchanged}
                    ),
                ),
                Mistake(
                    name="number-of-points",
                    cause="the number of points is not `count`: both ends belong to "
                    "it, so there are count - 1 gaps",
                    look="`range` and the divisor",
                ),
                Mistake(
                    name="end-missing",
                    cause="the last point is not the end: with count points there are "
                    "count - 1 gaps, i / (count - 1)",
                    look="the divisor (or `endpoint=False`)",
                    instead=lambda q_start, q_end, count, position, inverse: _at(
                        q_start, q_end, np.arange(count) / count, position, inverse
                    ),
                ),
                Mistake(
                    name="start-missing",
                    cause="the first point is not the start: the share must begin at 0",
                    look="(i + 1) / count must be i / (count - 1)",
                    instead=lambda q_start, q_end, count, position, inverse: _at(
                        q_start,
                        q_end,
                        (np.arange(count) + 1) / count,
                        position,
                        inverse,
                    ),
                ),
                Mistake(
                    name="backwards",
                    cause="the line runs from the end to the start",
                    look="start + s * (end - start)",
                    undo=lambda got, _: got[::-1],
                ),
                Mistake(
                    name="positions-returned",
                    cause="the positions are returned; joint angles are asked for",
                    look="call `inverse` for each point",
                    undo=lambda got, args: np.array([args["inverse"](p) for p in got]),
                ),
            ),
        ),
    ),
)
