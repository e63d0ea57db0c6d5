"""Exercise: where three rods meet, the forward kinematics of a tripod."""

from __future__ import annotations

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
from gelenk.typing import FloatArray

Rng = np.random.Generator


def _meeting(feet: FloatArray, lengths: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the point in the plane of the feet below the tip, and the way up to it.

    A way of NaN means that the rods are too short to meet.
    """
    first, u, v = feet[0], feet[1] - feet[0], feet[2] - feet[0]
    # |p|^2 = l1^2 and |p - u|^2 = l2^2 differ by a linear equation; p = (u, v) k.
    right = (
        np.array(
            [
                u @ u + lengths[0] ** 2 - lengths[1] ** 2,
                v @ v + lengths[0] ** 2 - lengths[2] ** 2,
            ]
        )
        / 2.0
    )
    gram = np.array([[u @ u, u @ v], [u @ v, v @ v]])
    k = np.linalg.solve(gram, right)
    below = k[0] * u + k[1] * v
    square = lengths[0] ** 2 - below @ below
    normal = np.cross(u, v)
    normal = normal / np.linalg.norm(normal)
    way = normal * np.sqrt(square) if square >= 0.0 else np.full(3, np.nan)
    return first + below, way


def _tip(feet: FloatArray, lengths: FloatArray) -> Any:
    below, way = _meeting(feet, lengths)
    if np.isnan(way[0]):
        return None
    return below + way * np.sign(way[2])


def _accept(args: Arguments, got: Solution) -> bool:
    assert got is not None
    distances = np.linalg.norm(args["feet"] - got, axis=1)
    right = _tip(args["feet"], args["lengths"])
    if right is None:
        return False
    # The other point reaches all feet, too, but lies below.
    return bool(np.abs(distances - args["lengths"]).max() < 1e-5) and bool(
        got[2] > right[2] - 1e-3
    )


def _draw(rng: Rng) -> list[Case]:
    cases = []
    for i in range(16):
        angles = np.array([0.0, 2.1, 4.2]) + rng.uniform(-0.4, 0.4, 3)
        order = [0, 1, 2] if i % 2 else [0, 2, 1]
        radius = rng.uniform(0.2, 0.4, 3)
        feet = np.array([radius * np.cos(angles), radius * np.sin(angles), 0 * angles])
        feet = (feet.T + rng.uniform(-0.1, 0.1, (3, 3)))[order]
        tip = np.array([*rng.uniform(-0.15, 0.15, 2), rng.uniform(0.3, 0.7)])
        lengths = np.linalg.norm(feet - tip, axis=1)
        cases.append(Case(args={"feet": feet, "lengths": lengths}))
    feet = np.array([[0.3, 0.0, 0.0], [-0.2, 0.3, 0.0], [-0.2, -0.3, 0.05]])
    for lengths in ((0.1, 0.12, 0.15), (0.9, 0.1, 0.1)):
        args = {"feet": feet, "lengths": np.array(lengths)}
        cases.append(Case(args=args, tag="no meeting"))
    return cases


def _flat(feet: FloatArray, lengths: FloatArray) -> Any:
    return _tip(feet * (1.0, 1.0, 0.0), lengths)


def _along_normal(sign: float) -> Any:
    def instead(feet: FloatArray, lengths: FloatArray) -> FloatArray:
        below, way = _meeting(feet, lengths)
        return below + sign * way

    return instead


def _lower(feet: FloatArray, lengths: FloatArray) -> FloatArray:
    below, way = _meeting(feet, lengths)
    return below - way * np.sign(way[2])


def _straight_up(feet: FloatArray, lengths: FloatArray) -> FloatArray:
    below, way = _meeting(feet, lengths)
    return below + np.array([0.0, 0.0, np.linalg.norm(way)])


def _root_missing(feet: FloatArray, lengths: FloatArray) -> FloatArray:
    below, way = _meeting(feet, lengths)
    return below + way * np.linalg.norm(way) * np.sign(way[2])


TRIPOD = Exercise(
    name="tripod",
    title="Where the three rods of a tripod meet: the intersection of three spheres.",
    task="Three rods of given lengths are hinged at three feet, anywhere in space but "
    "not on one line; their\nupper ends meet in one point. Three spheres have two "
    "common points: return the upper one (larger z),\nNone if the rods cannot meet.",
    functions=(
        Function(
            name="tip",
            text="Return the upper common point, or None.",
            arguments=(
                Argument(name="feet", text="the feet, one per row, 3 x 3", unit="m"),
                Argument(
                    name="lengths",
                    text="lengths of the rods",
                    unit="m",
                    parts=("the first rod", "the second rod", "the third rod"),
                ),
            ),
            answer=Answer(
                text="the point (x, y, z), or None",
                shape=(3,),
                unit="m",
                parts=("x", "y", "z"),
                may_be_none=True,
            ),
            solve=_tip,
            draw=_draw,
            accept=_accept,
            mistakes=(
                Mistake(
                    name="lower-point",
                    cause="this is the lower of the two common points",
                    look="the sign of the root",
                    instead=_lower,
                ),
                *(
                    Mistake(
                        name="lower-point",
                        cause="the point is taken on the side of the normal of the "
                        "feet, which points up or down depending on their order; "
                        "compare the z of both points",
                        look="the sign of the root",
                        instead=_along_normal(sign),
                    )
                    for sign in (1.0, -1.0)
                ),
                Mistake(
                    name="feet-heights",
                    cause="the heights of the feet are ignored: they are not all in "
                    "the plane z = 0",
                    look="the third column of `feet`",
                    instead=_flat,
                ),
                Mistake(
                    name="straight-up",
                    cause="the way from the plane of the feet to the tip is taken "
                    "along z; it is along the normal of that plane",
                    look="the last step",
                    instead=_straight_up,
                ),
                Mistake(
                    name="root-missing",
                    cause="the square root is missing in the last step",
                    look="the height above the plane of the feet",
                    instead=_root_missing,
                ),
                Mistake(
                    name="shift-missing",
                    cause="the result counts from the first foot; its position must be "
                    "added",
                    look="the `return` line",
                    undo=lambda got, args: got + args["feet"][0],
                ),
            ),
            specials={
                "no meeting": Mistake(
                    name="reach-check",
                    cause="rods that cannot meet are not noticed: return None if the "
                    "number under the root is negative",
                    look="before the root is taken",
                )
            },
        ),
    ),
)
