"""Exercise: a SCARA arm, forward and inverse with joint limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gelenk.models.dh import dh_matrix
from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Arguments,
    Case,
    Exercise,
    Function,
    Mistake,
    Solution,
)
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import FloatArray

Rng = np.random.Generator
TEXT = """\
Two links turn in the horizontal plane about vertical axes, q1 and q2 counter-clockwise
seen from above, q2 counted from the first link; at zero both lie along +x in the
height `base`. A spindle shifts the tool DOWN by q3; below it hangs a tool of length
`tool`. The spindle turns by q4 seen from BELOW, so that the tool has the yaw
q1 + q2 - q4 seen from above."""
LENGTHS = Argument(
    name="lengths",
    text="(base, first link, second link, tool)",
    unit="m",
    parts=("the base", "the first length", "the second length", "the tool length"),
)
JOINTS = ("q1", "q2", "q3", "q4")
JOINT_UNITS = ("rad", "rad", "m", "rad")
PLACE = ("x", "y", "z", "yaw")
PLACE_UNITS = ("m", "m", "m", "rad")


def _forward(q: FloatArray, lengths: FloatArray) -> FloatArray:
    base, first, second, tool = lengths
    T = (
        dh_matrix(q[0], base, first, 0.0)
        @ dh_matrix(q[1], 0.0, second, np.pi)
        @ dh_matrix(0.0, q[2], 0.0, 0.0)
        @ dh_matrix(q[3], tool, 0.0, 0.0)
    )
    return np.array([*T[:3, 3], np.arctan2(T[1, 0], T[0, 0])])


def _changed(change: Callable[[FloatArray, FloatArray], Any]) -> Callable[..., Any]:
    """Return a model that adds `change(q, lengths)` to the right answer."""
    return lambda q, lengths: _forward(q, lengths) + change(q, lengths)


def _absolute(q: FloatArray, lengths: FloatArray) -> FloatArray:
    x, y = lengths[1:3] @ np.array([np.cos(q[:2]), np.sin(q[:2])]).T
    _, _, z, yaw = _forward(q, lengths)
    return np.array([x, y, z, yaw])


def _all_inverse(p: FloatArray, lengths: FloatArray) -> list[FloatArray]:
    """Return both elbows, whatever the limits."""
    base, first, second, tool = lengths
    x, y, z, yaw = p
    cosine = (x * x + y * y - first**2 - second**2) / (2.0 * first * second)
    if abs(cosine) > 1.0 + 1e-9:
        return []
    rows = []
    for elbow in (1.0, -1.0):
        q2 = elbow * float(np.arccos(np.clip(cosine, -1.0, 1.0)))
        q1 = np.arctan2(y, x) - np.arctan2(
            second * np.sin(q2), first + second * np.cos(q2)
        )
        q = np.array([q1, q2, base - tool - z, q1 + q2 - yaw])
        q[[0, 1, 3]] = wrap_angle(q[[0, 1, 3]])
        rows.append(q)
    return rows


def _is_within(q: FloatArray, limits: FloatArray) -> bool:
    q = q.copy()
    q[[0, 1, 3]] = wrap_angle(q[[0, 1, 3]])
    return bool(np.all((q >= limits[:, 0] - 1e-6) & (q <= limits[:, 1] + 1e-6)))


def _inverse(p: FloatArray, lengths: FloatArray, limits: FloatArray) -> list[Any]:
    rows = [q for q in _all_inverse(p, lengths) if _is_within(q, limits)]
    return rows or [None]


def _accept(args: Arguments, got: Solution) -> bool:
    assert got is not None
    miss = _forward(got, args["lengths"]) - args["p"]
    miss[3] = float(wrap_angle(miss[3]))
    return bool(np.abs(miss).max() < 1e-4) and _is_within(got, args["limits"])


def _draw_joints(rng: Rng) -> list[Case]:
    return [
        Case(
            args={
                "q": rng.uniform((-2.9, -2.4, 0.0, -2.9), (2.9, 2.4, 0.3, 2.9)),
                "lengths": rng.uniform((0.3, 0.2, 0.2, 0.05), (0.6, 0.5, 0.5, 0.15)),
            }
        )
        for _ in range(14)
    ]


def _draw_targets(rng: Rng) -> list[Case]:
    cases = []
    for i in range(18):
        lengths = rng.uniform((0.3, 0.2, 0.2, 0.05), (0.6, 0.5, 0.5, 0.15))
        side = 1.0 if i % 2 else -1.0
        q = rng.uniform((-2.5, 0.3, 0.02, -2.9), (2.5, 2.3, 0.28, 2.9))
        q[1] *= side
        # Every third arm may bend both ways, the others only to one side.
        bend = (-2.6, 2.6) if i % 3 == 0 else tuple(sorted((0.05 * side, 2.6 * side)))
        limits = np.array([(-np.pi, np.pi), bend, (0.0, 0.3), (-np.pi, np.pi)])
        args = {"p": _forward(q, lengths), "lengths": lengths, "limits": limits}
        cases.append(Case(args=args))
    wide = np.array([(-np.pi, np.pi), (-2.6, 2.6), (0.0, 0.3), (-np.pi, np.pi)])
    lengths = np.array([0.4, 0.3, 0.25, 0.05])
    for p in ((0.5, 0.4, 0.2, 0.3), (-0.7, 0.1, 0.2, 0.0)):
        args = {"p": np.array(p), "lengths": lengths, "limits": wide}
        cases.append(Case(args=args, tag="unreachable"))
    for p in ((0.3, 0.2, -0.2, 0.3), (0.2, -0.3, 0.6, 1.0)):
        args = {"p": np.array(p), "lengths": lengths, "limits": wide}
        cases.append(Case(args=args, tag="outside the limits"))
    return cases


_FORWARD = Function(
    name="forward",
    text="Return (x, y, z, yaw) of the tool's tip.",
    arguments=(
        Argument(
            name="q",
            text="(q1, q2, q3, q4), q3 a length",
            unit=JOINT_UNITS,
            parts=JOINTS,
        ),
        LENGTHS,
    ),
    answer=Answer(
        text="position and yaw of the tip", shape=(4,), unit=PLACE_UNITS, parts=PLACE
    ),
    solve=_forward,
    draw=_draw_joints,
    mistakes=(
        Mistake(
            name="spindle-sign",
            cause="the spindle shifts the tool down: z becomes smaller with q3",
            look="the sum for z",
            before=lambda args: args | {"q": args["q"] * (1, 1, -1, 1)},
        ),
        Mistake(
            name="yaw-sign",
            cause="q4 turns seen from below: the yaw is q1 + q2 - q4",
            look="the line that computes the yaw",
            before=lambda args: args | {"q": args["q"] * (1, 1, 1, -1)},
        ),
        Mistake(
            name="tool-missing",
            cause="the tool length is missing: the tip is below the spindle",
            look="the sum for z",
            instead=_changed(lambda q, lengths: (0, 0, lengths[3], 0)),
        ),
        Mistake(
            name="tool-sign",
            cause="the tool length is added to z; the tool hangs down",
            look="the sum for z",
            instead=_changed(lambda q, lengths: (0, 0, 2 * lengths[3], 0)),
        ),
        Mistake(
            name="base-missing",
            cause="the height of the base is missing",
            look="the sum for z",
            instead=_changed(lambda q, lengths: (0, 0, -lengths[0], 0)),
        ),
        Mistake(
            name="absolute-angle",
            cause="the second angle is taken as if it counted from the x axis; it "
            "counts from the first link",
            look="cos(q2) and sin(q2) must be cos(q1 + q2) and sin(q1 + q2)",
            instead=_absolute,
        ),
        Mistake(
            name="yaw-of-spindle",
            cause="the yaw of the arm is missing: the spindle turns with both links",
            look="the line that computes the yaw: q1 + q2 - q4",
            instead=_changed(lambda q, lengths: (0, 0, 0, -q[0] - q[1])),
        ),
        Mistake(
            name="yaw-of-spindle",
            cause="the yaw is q4 alone; the spindle turns with both links, and seen "
            "from above q4 counts the other way",
            look="the line that computes the yaw: q1 + q2 - q4",
            instead=_changed(lambda q, lengths: (0, 0, 0, 2 * q[3] - q[0] - q[1])),
        ),
    ),
)


def _spoiled(change: Callable[..., FloatArray]) -> Callable[..., Any]:
    """Return a model: every solution plus `change`, then filtered by the limits."""

    def instead(p: FloatArray, lengths: FloatArray, limits: FloatArray) -> list[Any]:
        rows = [q + change(q, p, lengths) for q in _all_inverse(p, lengths)]
        return [q for q in rows if _is_within(q, limits)] or [None]

    return instead


def _mixed(p: FloatArray, lengths: FloatArray, limits: FloatArray) -> list[Any]:
    rows = _all_inverse(p, lengths)
    crossed = []
    for q, other in zip(rows, rows[::-1], strict=True):
        mixed = np.array([q[0], other[1], q[2], q[0] + other[1] - p[3]])
        crossed.append(mixed)
    return [q for q in crossed if _is_within(q, limits)] or [None]


_INVERSE = Function(
    name="inverse",
    text="Return joint values within the limits, or None.",
    arguments=(
        Argument(name="p", text="(x, y, z, yaw)", unit=PLACE_UNITS, parts=PLACE),
        LENGTHS,
        Argument(
            name="limits",
            text="smallest and largest value of each joint, 4 x 2",
            unit=JOINT_UNITS,
        ),
    ),
    answer=Answer(
        text="(q1, q2, q3, q4) within the limits, or None",
        shape=(4,),
        unit=JOINT_UNITS,
        parts=JOINTS,
        may_be_none=True,
    ),
    solve=_inverse,
    draw=_draw_targets,
    accept=_accept,
    reached=lambda args, q: _forward(q, args["lengths"]),
    mistakes=(
        Mistake(
            name="limits-ignored",
            cause="the joint limits are ignored: one elbow is always returned, even "
            "where only the other one stays within the limits",
            look="try both elbows and return the one within `limits`, or None",
            instead=lambda p, lengths, limits: list(_all_inverse(p, lengths)) or [None],
        ),
        *(
            Mistake(
                name="one-elbow",
                cause="only one elbow is tried, and None is returned where it is "
                "outside the limits; the other one may fit",
                look="`arccos` has a second value, -arccos: try both",
                instead=lambda p, lengths, limits, index=index: (
                    [
                        q
                        for q in _all_inverse(p, lengths)[index : index + 1]
                        if _is_within(q, limits)
                    ]
                    or [None]
                ),
            )
            for index in (0, 1)
        ),
        Mistake(
            name="spindle-sign",
            cause="the spindle has the wrong sign: q3 shifts down, "
            "q3 = base - tool - z",
            look="the line that computes q3",
            instead=_spoiled(lambda q, p, lengths: np.array([0, 0, -2 * q[2], 0])),
        ),
        Mistake(
            name="yaw-sign",
            cause="q4 has the wrong sign: yaw = q1 + q2 - q4, so q4 = q1 + q2 - yaw",
            look="the line that computes q4",
            undo=lambda got, _: got * (1, 1, 1, -1),
        ),
        Mistake(
            name="tool-missing",
            cause="the tool length is missing in q3",
            look="the line that computes q3",
            instead=_spoiled(lambda q, p, lengths: np.array([0, 0, lengths[3], 0])),
        ),
        Mistake(
            name="yaw-of-spindle",
            cause="q4 is the wanted yaw (or minus it); the spindle turns with the arm: "
            "q4 = q1 + q2 - yaw",
            look="the line that computes q4",
            instead=_spoiled(lambda q, p, lengths: np.array([0, 0, 0, p[3] - q[3]])),
        ),
        Mistake(
            name="yaw-of-spindle",
            cause="q4 is minus the wanted yaw; the spindle turns with the arm: "
            "q4 = q1 + q2 - yaw",
            look="the line that computes q4",
            instead=_spoiled(lambda q, p, lengths: np.array([0, 0, 0, -p[3] - q[3]])),
        ),
        Mistake(
            name="mixed-elbows",
            cause="the first angle of one elbow is paired with the second angle of the "
            "other",
            look="q1 must be computed with the sign of q2",
            instead=_mixed,
        ),
        Mistake(
            name="atan-quadrant",
            cause="`arctan(y / x)` knows only half of the circle; use `np.arctan2(y, "
            "x)`",
            look="every `arctan` and `atan`",
            instead=_spoiled(
                lambda q, p, lengths: (
                    (np.arctan(p[1] / p[0]) - np.arctan2(p[1], p[0]))
                    * np.array([1.0, 0.0, 0.0, 1.0])
                )
            ),
        ),
    ),
    specials={
        "unreachable": Mistake(
            name="reach-check",
            cause="a target that the arm cannot reach is not noticed; return None",
            look="before the arc cosine is taken",
        ),
        "outside the limits": Mistake(
            name="limits-ignored",
            cause="a target that can only be reached outside the joint limits (here of "
            "the spindle, q3) is not noticed; return None",
            look="compare every joint value with `limits`",
        ),
    },
)

SCARA = Exercise(
    name="scara",
    title="A SCARA arm: where its tool is, and joint values within the limits.",
    task=TEXT + "\n\nThe inverse returns any joint values within the limits (angles up "
    "to whole turns), None if there\nare none.",
    functions=(_FORWARD, _INVERSE),
)
