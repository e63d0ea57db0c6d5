"""Exercises on the planar arm with two hinges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Arguments,
    Case,
    Exercise,
    Function,
    Mistake,
)
from gelenk.spatial.so3 import rot_z
from gelenk.typing import FloatArray

Rng = np.random.Generator
LENGTHS = Argument(
    name="lengths",
    text="lengths (l1, l2) of the two links",
    unit="m",
    parts=("the first length", "the second length"),
)
QUADRANT = (
    "`arctan(y / x)` knows only half of the circle and fails for x = 0; use "
    "`np.arctan2(y, x)`"
)
REACH = Mistake(
    name="reach-check",
    cause="a target that the arm cannot reach is not noticed: check whether its "
    "distance lies between |l1 - l2| and l1 + l2 before the arc cosine is taken",
    look="the argument of `arccos`: outside -1 ... 1 there is no solution",
)
STRETCHED = Mistake(
    name="stretched",
    cause="the exactly stretched arm fails: rounding carries the argument of `arccos` "
    "a little beyond 1; allow 1e-9 more and clip it (`np.clip(c, -1, 1)`)",
    look="the reachability check and the argument of `arccos`",
)


def _forward(q: FloatArray, lengths: FloatArray) -> FloatArray:
    link = np.array([1.0, 0.0, 0.0])
    R1, R2 = rot_z(q[0]), rot_z(q[1])
    p = R1 @ (lengths[0] * link + R2 @ (lengths[1] * link))
    return np.array([p[0], p[1], q[0] + q[1]])


def _absolute(q: FloatArray, lengths: FloatArray) -> FloatArray:
    p = lengths @ np.array([np.cos(q), np.sin(q)]).T
    return np.array([p[0], p[1], q[1]])


def _swapped(q: FloatArray, lengths: FloatArray) -> FloatArray:
    x, y, phi = _forward(q, lengths)
    return np.array([y, x, phi])


def _draw_joints(rng: Rng) -> list[Case]:
    return [
        Case(args={"q": rng.uniform(-3.0, 3.0, 2), "lengths": rng.uniform(0.2, 0.6, 2)})
        for _ in range(16)
    ]


PLANAR_FORWARD = Exercise(
    name="planar-2r-forward",
    title="Where the end of a planar arm with two hinges is, and how it is turned.",
    task="Two links turn in the x-y plane; at q = (0, 0) both lie along +x. Angles "
    "count counter-clockwise,\nthe second from the direction of the first link.",
    functions=(
        Function(
            name="forward",
            text="Return (x, y, phi) of the end.",
            arguments=(
                Argument(
                    name="q",
                    text="joint angles (q1, q2)",
                    unit="rad",
                    parts=("q1", "q2"),
                ),
                LENGTHS,
            ),
            answer=Answer(
                text="position (x, y) and direction phi of the last link",
                shape=(3,),
                unit=("m", "m", "rad"),
                parts=("x", "y", "phi"),
            ),
            solve=_forward,
            draw=_draw_joints,
            mistakes=(
                Mistake(
                    name="absolute-angle",
                    cause="the second angle is taken as if it counted from the x axis; "
                    "it counts from the first link, so the second link points along "
                    "q1 + q2",
                    look="cos(q2) and sin(q2) must be cos(q1 + q2) and sin(q1 + q2)",
                    instead=_absolute,
                ),
                Mistake(
                    name="sin-cos-swapped",
                    cause="sine and cosine are swapped: at q = (0, 0) the arm lies "
                    "along x",
                    look="x gets the cosines, y the sines",
                    instead=_swapped,
                ),
                Mistake(
                    name="missing-link",
                    cause="the first link is missing in the position",
                    look="the sums for x and y: one term per link",
                    instead=lambda q, lengths: _forward(q, lengths * (0.0, 1.0)),
                ),
                Mistake(
                    name="missing-link",
                    cause="the second link is missing in the position",
                    look="the sums for x and y: one term per link",
                    instead=lambda q, lengths: _forward(q, lengths * (1.0, 0.0)),
                ),
            ),
        ),
    ),
)


def _parts(p: FloatArray, lengths: FloatArray) -> tuple[float, float, float] | None:
    """Return the direction to the target, the angle at the base and that between."""
    l1, l2 = lengths
    r = np.hypot(*p)
    if not abs(l1 - l2) - 1e-9 <= r <= l1 + l2 + 1e-9:
        return None
    at_base = (l1**2 + r**2 - l2**2) / (2.0 * l1 * r)
    between = (l1**2 + l2**2 - r**2) / (2.0 * l1 * l2)
    gamma, beta = np.arccos(np.clip([at_base, between], -1.0, 1.0))
    return float(np.arctan2(p[1], p[0])), float(gamma), float(beta)


def _inverse(p: FloatArray, lengths: FloatArray) -> FloatArray:
    parts = _parts(p, lengths)
    if parts is None:
        return np.empty((0, 2))
    phi, gamma, beta = parts
    bend = np.pi - beta
    return np.array([[phi - gamma, bend], [phi + gamma, -bend]])


def _with_parts(rows: Callable[..., Any]) -> Callable[..., Any]:
    """Return a model that makes its rows of (phi, gamma, beta) and the target."""

    def instead(p: FloatArray, lengths: FloatArray) -> FloatArray:
        parts = _parts(p, lengths)
        if parts is None:
            return np.empty((0, 2))
        return np.array(rows(*parts, p))

    return instead


def _mirrored(got: FloatArray, args: Arguments) -> FloatArray:
    """Return a single solution and its mirror image at the line to the target."""
    phi = np.arctan2(args["p"][1], args["p"][0])
    if len(got) != 1:
        return got
    q1, q2 = got[0]
    return np.array([[q1, q2], [2.0 * phi - q1, -q2]])


def _draw_targets(rng: Rng) -> list[Case]:
    cases = []
    for _ in range(18):
        lengths = rng.uniform(0.2, 0.6, 2)
        q = np.array([rng.uniform(-3.1, 3.1), rng.uniform(0.3, 2.6)])
        cases.append(
            Case(args={"p": _forward(q, lengths)[:2], "lengths": lengths}),
        )
    for factor in (1.2, 2.0):
        lengths, angle = rng.uniform(0.2, 0.6, 2), rng.uniform(-3.0, 3.0)
        p = factor * lengths.sum() * np.array([np.cos(angle), np.sin(angle)])
        cases.append(Case(args={"p": p, "lengths": lengths}, tag="unreachable"))
    near = {"p": np.array([0.05, -0.1]), "lengths": np.array([0.6, 0.3])}
    cases.append(Case(args=near, tag="unreachable"))
    for angle in (0.3, 2.0, -2.2):
        lengths = rng.uniform(0.2, 0.6, 2)
        p = _forward(np.array([angle, 0.0]), lengths)[:2]
        cases.append(Case(args={"p": p, "lengths": lengths}, tag="stretched"))
    return cases


PLANAR_INVERSE = Exercise(
    name="planar-2r-inverse",
    title="All joint angles with which a planar arm reaches a point: both elbows.",
    task="Two links turn in the x-y plane; at q = (0, 0) both lie along +x. Angles "
    "count counter-clockwise,\nthe second from the direction of the first link. Return "
    "a list of ALL solutions (q1, q2), in any\norder, angles up to whole turns: two in "
    "general, one (or the same twice) for the stretched arm (allow for rounding), an "
    "empty list if the point is out of reach.",
    functions=(
        Function(
            name="inverse",
            text="Return the list of all solutions (q1, q2).",
            arguments=(
                Argument(name="p", text="target (x, y)", unit="m", parts=("x", "y")),
                LENGTHS,
            ),
            answer=Answer(
                text="a list of pairs (q1, q2), empty if there is none",
                shape=(2,),
                unit="rad",
                parts=("q1", "q2"),
                is_list=True,
                may_be_none=True,
            ),
            solve=_inverse,
            draw=_draw_targets,
            mistakes=(
                Mistake(
                    name="one-elbow",
                    cause="only one of the two solutions is returned; the arm mirrored "
                    "at the line to the target reaches it, too",
                    look="the `return` line: `arccos` has a second value, -arccos",
                    undo=_mirrored,
                ),
                Mistake(
                    name="mixed-elbows",
                    cause="the first angle of one elbow is paired with the second "
                    "angle of the other: with q2 > 0 the first is phi - gamma, with q2 "
                    "< 0 it is phi + gamma",
                    look="which q1 belongs to which q2",
                    instead=_with_parts(
                        lambda phi, gamma, beta, p: [
                            [phi + gamma, np.pi - beta],
                            [phi - gamma, beta - np.pi],
                        ]
                    ),
                ),
                *(
                    Mistake(
                        name="mixed-elbows",
                        cause="both solutions have the same first angle; with q2 < 0 "
                        "it is phi + gamma, with q2 > 0 phi - gamma",
                        look="the first angle of the second solution",
                        instead=_with_parts(
                            lambda phi, gamma, beta, p, s=s: [
                                [phi + s * gamma, np.pi - beta],
                                [phi + s * gamma, beta - np.pi],
                            ]
                        ),
                    )
                    for s in (1.0, -1.0)
                ),
                Mistake(
                    name="atan-quadrant",
                    cause=QUADRANT,
                    look="every `arctan` and `atan`",
                    instead=_with_parts(
                        lambda phi, gamma, beta, p: [
                            [np.arctan(p[1] / p[0]) - gamma, np.pi - beta],
                            [np.arctan(p[1] / p[0]) + gamma, beta - np.pi],
                        ]
                    ),
                ),
                *(
                    Mistake(
                        name="inner-angle",
                        cause="the law of cosines gives the angle between the links; "
                        "q2 counts from the direction of the first link, so it is "
                        "180 degrees minus that angle (check the sign in the law)",
                        look="the line that computes q2",
                        instead=_with_parts(
                            lambda phi, gamma, beta, p, s=s: [
                                [phi - s * gamma, beta],
                                [phi + s * gamma, -beta],
                            ]
                        ),
                    )
                    for s in (1.0, -1.0)
                ),
                Mistake(
                    name="absolute-angle",
                    cause="the second angle is returned as counted from the x axis; it "
                    "counts from the first link",
                    look="the line that computes q2",
                    undo=lambda got, _: got - np.roll(got * (1.0, 0.0), 1, axis=-1),
                ),
                Mistake(
                    name="missing-angle",
                    cause="the angle between the first link and the line to the target "
                    "(gamma) is missing in q1",
                    look="q1 = atan2(y, x) -+ gamma",
                    instead=_with_parts(
                        lambda phi, gamma, beta, p: [
                            [phi, np.pi - beta],
                            [phi, beta - np.pi],
                        ]
                    ),
                ),
                Mistake(
                    name="atan2-arguments",
                    cause="the arguments of `atan2` are swapped: y comes first",
                    look="np.arctan2(y, x)",
                    instead=_with_parts(
                        lambda phi, gamma, beta, p: [
                            [np.arctan2(p[0], p[1]) - gamma, np.pi - beta],
                            [np.arctan2(p[0], p[1]) + gamma, beta - np.pi],
                        ]
                    ),
                ),
            ),
            specials={"unreachable": REACH, "stretched": STRETCHED},
        ),
    ),
)
