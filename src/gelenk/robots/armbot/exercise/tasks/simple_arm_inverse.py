"""Exercise: the closed inverse kinematics of the Simple Arm (Roth 2021, ArmBot 5.2)."""

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
    Solution,
)
from gelenk.robots.armbot.exercise.tasks.planar import QUADRANT, STRETCHED
from gelenk.robots.armbot.exercise.tasks.simple_arm import LENGTHS, TEXT, forward
from gelenk.typing import FloatArray

Rng = np.random.Generator
POSITION_TOLERANCE = 1e-4  # [m]; an iterative solution is as good as a closed one
Angles = Callable[[float, float, float, float], tuple[float, float]]


def _triangle(
    reach: float, height: float, lengths: FloatArray
) -> tuple[float, float, float]:
    """Return gamma at the femur servo, beta at the knee and the bearing, or NaN."""
    _, femur, tibia = lengths
    span = np.hypot(reach, height)
    cosines = (
        (femur**2 + span**2 - tibia**2) / (2.0 * femur * span),
        (femur**2 + tibia**2 - span**2) / (2.0 * femur * tibia),
    )
    if max(map(abs, cosines)) > 1.0 + 1e-9:
        return np.nan, np.nan, np.nan
    gamma, beta = np.arccos(np.clip(cosines, -1.0, 1.0))
    return float(gamma), float(beta), float(np.arctan2(height, reach))


def _solve(p: FloatArray, lengths: FloatArray) -> list[Any]:
    """Return all four solutions: elbow up or down, facing the target or not."""
    reach, height = float(np.hypot(p[0], p[1])), float(p[2] - lengths[0])
    stand = float(np.arctan2(p[1], p[0]))
    solutions: list[Any] = []
    for turn, out in ((0.0, reach), (np.pi, -reach)):
        gamma, beta, bearing = _triangle(out, height, lengths)
        if np.isnan(gamma):
            return [None]
        for elbow in (1.0, -1.0):
            femur = bearing + elbow * gamma
            solutions.append(np.array([stand + turn, femur, elbow * (beta - np.pi)]))
    return solutions


def _accept(args: Arguments, got: Solution) -> bool:
    assert got is not None
    miss = forward(got, args["lengths"]) - args["p"]
    return bool(np.linalg.norm(miss) < POSITION_TOLERANCE)


def _variant(
    angles: Angles | None = None,
    *,
    stand: Callable[[FloatArray], float] | None = None,
    reach: Callable[[FloatArray], float] | None = None,
    height: Callable[[FloatArray, FloatArray], float] | None = None,
) -> Callable[..., list[Any]]:
    """Return a closed solution in which one step is another.

    Args:
        angles: (gamma, beta, bearing, elbow) -> (femur, tibia), elbow +1 for up.
        stand: Target -> stand angle.
        reach: Target -> horizontal distance.
        height: Target, lengths -> height above the femur servo.
    """

    def instead(p: FloatArray, lengths: FloatArray) -> list[Any]:
        out = reach(p) if reach else float(np.hypot(p[0], p[1]))
        up = height(p, lengths) if height else float(p[2] - lengths[0])
        gamma, beta, bearing = _triangle(out, up, lengths)
        turn = stand(p) if stand else float(np.arctan2(p[1], p[0]))
        rows: list[Any] = []
        for elbow in (1.0, -1.0):
            if angles is not None:
                pair = angles(gamma, beta, bearing, elbow)
            else:
                pair = (bearing + elbow * gamma, elbow * (beta - np.pi))
            rows.append(np.array([turn, *pair]))
        return rows

    return instead


def _draw(rng: Rng) -> list[Case]:
    cases = []
    for _ in range(20):
        lengths = rng.uniform(0.15, 0.45, 3)
        q = rng.uniform((-3.1, -0.6, -2.3), (3.1, 1.2, -0.3))
        p = forward(q, lengths)
        if forward(q * (0, 1, 1), lengths)[0] < 0.02:  # keep off the axis
            continue
        cases.append(Case(args={"p": p, "lengths": lengths}))
    for p, lengths in (
        ((0.6, 0.5, 0.3), (0.2, 0.3, 0.25)),
        ((-0.2, 0.1, 1.2), (0.3, 0.3, 0.3)),
        ((0.03, 0.02, 0.21), (0.2, 0.4, 0.2)),
    ):
        args = {"p": np.array(p), "lengths": np.array(lengths)}
        cases.append(Case(args=args, tag="unreachable"))
    for q in ((0.4, 0.3, 0.0), (-2.5, 0.9, 0.0), (1.9, -0.2, 0.0)):
        lengths = rng.uniform(0.15, 0.45, 3)
        args = {"p": forward(np.array(q), lengths), "lengths": lengths}
        cases.append(Case(args=args, tag="stretched"))
    above = {"p": np.array([0.0, 0.0, 0.55]), "lengths": np.array([0.2, 0.3, 0.25])}
    cases.append(Case(args=above, tag="on the axis"))
    return cases


MISTAKES = (
    Mistake(
        name="misprint",
        cause="the femur angle has the wrong sign in front of `atan2`: it is "
        "gamma + atan2(z', x'). The ArmBot paper prints gamma - atan2(z', x'), which "
        "is right only for an angle counted below the horizon; so the arm reaches the "
        "point mirrored at the height of the femur servo",
        look="the line that computes the femur angle",
        instead=_variant(
            lambda gamma, beta, bearing, elbow: (
                elbow * gamma - bearing,
                elbow * (beta - np.pi),
            )
        ),
    ),
    Mistake(
        name="stand-missing",
        cause="the length of the stand is not subtracted from the height: the triangle "
        "begins at the femur servo, z' = z - L_stand",
        look="the line that computes z'",
        instead=_variant(height=lambda p, lengths: float(p[2])),
    ),
    Mistake(
        name="stand-missing",
        cause="the length of the stand is added to the height, but must be subtracted",
        look="the line that computes z'",
        instead=_variant(height=lambda p, lengths: float(p[2] + lengths[0])),
    ),
    Mistake(
        name="inner-angle",
        cause="the tibia angle is the angle between femur and tibia (beta); the servo "
        "counts from the direction of the femur: beta - 180 degrees",
        look="the line that computes the tibia angle",
        instead=_variant(
            lambda gamma, beta, bearing, elbow: (bearing + elbow * gamma, elbow * beta)
        ),
    ),
    Mistake(
        name="inner-angle",
        cause="the tibia angle is minus the angle between femur and tibia (beta); the "
        "servo counts from the direction of the femur: beta - 180 degrees",
        look="the line that computes the tibia angle",
        instead=_variant(
            lambda gamma, beta, bearing, elbow: (bearing + elbow * gamma, -elbow * beta)
        ),
    ),
    Mistake(
        name="mixed-elbows",
        cause="the femur angle of one elbow is paired with the tibia angle of the "
        "other: elbow up is (atan2 + gamma, beta - 180 deg), elbow down is "
        "(atan2 - gamma, 180 deg - beta)",
        look="the signs of gamma and of the tibia angle: they belong together",
        instead=_variant(
            lambda gamma, beta, bearing, elbow: (
                bearing + elbow * gamma,
                elbow * (np.pi - beta),
            )
        ),
    ),
    Mistake(
        name="sign-xz",
        cause="femur and tibia count downwards; here positive angles lift (+x turns "
        "towards +z)",
        look="the signs of femur and tibia angle",
        undo=lambda got, _: got * (1.0, -1.0, -1.0),
    ),
    Mistake(
        name="atan-quadrant",
        cause=QUADRANT,
        look="the stand angle: every `arctan` and `atan`",
        instead=_variant(stand=lambda p: float(np.arctan(p[1] / p[0]))),
    ),
    Mistake(
        name="atan2-arguments",
        cause="the arguments of `atan2` are swapped in the stand angle: y comes first",
        look="np.arctan2(y, x)",
        instead=_variant(stand=lambda p: float(np.arctan2(p[0], p[1]))),
    ),
    Mistake(
        name="atan2-arguments",
        cause="the arguments of `atan2` are swapped in the femur angle: height first",
        look="np.arctan2(z', x')",
        instead=_variant(
            lambda gamma, beta, bearing, elbow: (
                np.pi / 2.0 - bearing + elbow * gamma,
                elbow * (beta - np.pi),
            )
        ),
    ),
    Mistake(
        name="distance",
        cause="the horizontal distance is taken as x alone; it is sqrt(x^2 + y^2)",
        look="the line that computes x'",
        instead=_variant(reach=lambda p: float(p[0])),
    ),
    Mistake(
        name="missing-angle",
        cause="gamma is missing in the femur angle: the femur does not point to the "
        "target, but gamma above it",
        look="the line that computes the femur angle",
        instead=_variant(
            lambda gamma, beta, bearing, elbow: (bearing, elbow * (beta - np.pi))
        ),
    ),
    Mistake(
        name="missing-angle",
        cause="the direction to the target, atan2(z', x'), is missing in the femur "
        "angle",
        look="the line that computes the femur angle",
        instead=_variant(
            lambda gamma, beta, bearing, elbow: (elbow * gamma, elbow * (beta - np.pi))
        ),
    ),
    Mistake(
        name="absolute-angle",
        cause="the tibia angle is returned as counted from the horizon; it counts from "
        "the femur",
        look="the line that computes the tibia angle",
        undo=lambda got, _: got - got[1] * np.array([0.0, 0.0, 1.0]),
    ),
)

SIMPLE_INVERSE = Exercise(
    name="simple-arm-inverse",
    title="Joint angles with which the end of the Simple Arm reaches a point.",
    task=TEXT + "\n\nReturn any joint angles (stand, femur, tibia) that reach the "
    "target, either elbow, angles up to\nwhole turns; None if the target is out of "
    "reach. The stretched arm and targets straight above\nthe stand must work.",
    functions=(
        Function(
            name="inverse",
            text="Return joint angles for which the end is in p, or None.",
            arguments=(
                Argument(
                    name="p", text="target (x, y, z)", unit="m", parts=("x", "y", "z")
                ),
                LENGTHS,
            ),
            answer=Answer(
                text="(stand, femur, tibia), or None if out of reach",
                shape=(3,),
                unit="rad",
                parts=("the stand angle", "the femur angle", "the tibia angle"),
                may_be_none=True,
            ),
            solve=_solve,
            draw=_draw,
            accept=_accept,
            reached=lambda args, q: forward(q, args["lengths"]),
            mistakes=MISTAKES,
            specials={
                "unreachable": Mistake(
                    name="reach-check",
                    cause="a target that the arm cannot reach is not noticed: return "
                    "None if the distance from the femur servo is not between "
                    "|L_femur - L_tibia| and L_femur + L_tibia",
                    look="before the arc cosines are taken",
                ),
                "stretched": STRETCHED,
                "on the axis": Mistake(
                    name="on-the-axis",
                    cause="a target straight above the stand fails: x = y = 0 allows "
                    "any stand angle, but y / x divides by zero",
                    look="the stand angle: np.arctan2(y, x) has a value there",
                ),
            },
        ),
    ),
)
