"""Exercises on rotations in planes and on roto-translations."""

from __future__ import annotations

import numpy as np

from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Case,
    Exercise,
    Function,
    Mistake,
)
from gelenk.spatial.plane_angles import (
    matrix_from_plane_angles,
    plane_angles_from_matrix,
    rotation_xy,
    rotation_xz,
    rotation_yz,
)
from gelenk.spatial.so3 import rot_y
from gelenk.typing import FloatArray

Rng = np.random.Generator
PLANES = ("the angle in x-y", "the angle in x-z", "the angle in y-z")
SENSE = (
    "the angle in the x-z plane turns the wrong way: here +x turns towards +z "
    "('up'), which is a right-handed rotation about MINUS y; a library's "
    "'rotation about y' has the other sign"
)
PLANE_TEXT = """\
Angles are named by the plane they turn in: xy turns +x towards +y, xz turns +x towards
+z ("up"), yz turns +y towards +z.

      | ca -sa 0 |        | cb 0 -sb |        | 1  0   0 |
Rxy = | sa  ca 0 |  Rxz = | 0  1   0 |  Ryz = | 0 cc -sc |
      | 0   0  1 |        | sb 0  cb |        | 0 sc  cc |"""


def _entries(a: float, b: float, c: float, d: float, middle: float) -> FloatArray:
    return np.array([[a, 0.0, b], [0.0, middle, 0.0], [c, 0.0, d]])


def _draw_angles(rng: Rng) -> list[Case]:
    return [Case(args={"angle": a}) for a in rng.uniform(-3.1, 3.1, size=16)]


ROTATION_XZ = Exercise(
    name="rotation-xz",
    title="The matrix that turns +x towards +z, with the sign of the ArmBot.",
    task="Write the matrix of a rotation in the x-z plane. A positive angle turns +x "
    "towards +z,\nso that an arm along x is lifted.",
    functions=(
        Function(
            name="rotation_xz",
            text="Return the rotation matrix R; R @ p turns the column vector p.",
            arguments=(Argument(name="angle", text="angle of the turn", unit="rad"),),
            answer=Answer(text="the matrix R", shape=(3, 3)),
            solve=rotation_xz,
            draw=_draw_angles,
            mistakes=(
                Mistake(
                    name="sign-xz",
                    cause=SENSE + " (or the matrix is transposed, which is the same)",
                    look="the signs of the two sines: -sin stands in the first row",
                    instead=rot_y,
                ),
                Mistake(
                    name="wrong-plane",
                    cause="this turns in the x-y plane (about z)",
                    look="which row and column stay 0, 1, 0: here the second",
                    instead=rotation_xy,
                ),
                Mistake(
                    name="wrong-plane",
                    cause="this turns in the y-z plane (about x)",
                    look="which row and column stay 0, 1, 0: here the second",
                    instead=rotation_yz,
                ),
                Mistake(
                    name="sin-cos-swapped",
                    cause="sine and cosine are swapped: angle 0 must give the identity",
                    look="the diagonal: the cosines stand there",
                    instead=lambda angle: _entries(
                        np.sin(angle), -np.cos(angle), np.cos(angle), np.sin(angle), 1.0
                    ),
                ),
                *(
                    Mistake(
                        name="no-rotation",
                        cause="both sines have the same sign, so this is no rotation: "
                        "its columns are not perpendicular",
                        look="the two sines: one of them carries a minus",
                        instead=lambda angle, s=s: _entries(
                            np.cos(angle),
                            s * np.sin(angle),
                            s * np.sin(angle),
                            np.cos(angle),
                            1.0,
                        ),
                    )
                    for s in (1.0, -1.0)
                ),
                Mistake(
                    name="missing-one",
                    cause="the 1 in the middle is missing: y must stay as it is",
                    look="the entry in the second row and column",
                    undo=lambda got, _: got + np.diag([0.0, 1.0, 0.0]),
                ),
            ),
        ),
    ),
)


def _forward(angles: FloatArray) -> FloatArray:
    return matrix_from_plane_angles(angles, order="forward")


def _equivalent(angles: FloatArray, order: tuple[int, int, int]) -> FloatArray:
    """Return angles that give, in the right order, the turns made in another one.

    Args:
        angles: Angles (xy, xz, yz) [rad].
        order: Indices of the turns, that which is made first comes first.
    """
    turns = (rotation_xy(angles[0]), rotation_xz(angles[1]), rotation_yz(angles[2]))
    R = turns[order[2]] @ turns[order[1]] @ turns[order[0]]
    return plane_angles_from_matrix(R, order="forward").angles


def _draw_points(rng: Rng) -> list[Case]:
    return [
        Case(
            args={
                "angles": rng.uniform(-2.5, 2.5, 3),
                "t": rng.uniform(-1.0, 1.0, 3),
                "p": rng.uniform(-1.0, 1.0, 3),
            }
        )
        for _ in range(16)
    ]


_POINT_ARGUMENTS = (
    Argument(name="angles", text="angles (xy, xz, yz)", unit="rad", parts=PLANES),
    Argument(name="t", text="translation", unit="m"),
    Argument(name="p", text="point", unit="m"),
)
_POINT = Answer(text="the point", shape=(3,), unit="m", parts=("x", "y", "z"))
_TURNS = (
    *(
        Mistake(
            name="rotation-order",
            cause="the rotations are made in another order: a point is turned first in "
            "x-y, then in x-z, then in y-z, and the first turn stands rightmost, "
            "R = Ryz @ Rxz @ Rxy",
            look="the product of the three matrices",
            before=lambda args, order=order: (
                args | {"angles": _equivalent(args["angles"], order)}
            ),
        )
        for order in ((2, 1, 0), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1))
    ),
    Mistake(
        name="sign-xz",
        cause=SENSE,
        look="Rxz: -sin stands in its first row",
        before=lambda args: args | {"angles": args["angles"] * (1.0, -1.0, 1.0)},
    ),
)
ROTO_TRANSLATION = Exercise(
    name="roto-translation",
    title="Apply three turns and a shift to a point, and undo them.",
    task="A roto-translation turns a point first in the x-y, then in the x-z, then in "
    "the y-z plane\nand shifts it last: p' = Ryz Rxz Rxy p + t.\n\n" + PLANE_TEXT,
    functions=(
        Function(
            name="apply",
            text="Return p' = R p + t.",
            arguments=_POINT_ARGUMENTS,
            answer=_POINT,
            solve=lambda angles, t, p: _forward(angles) @ p + t,
            draw=_draw_points,
            mistakes=(
                *_TURNS,
                Mistake(
                    name="translation-first",
                    cause="the point is shifted before it is turned; the shift comes "
                    "last",
                    look="R @ (p + t) must be R @ p + t",
                    instead=lambda angles, t, p: _forward(angles) @ (p + t),
                ),
                Mistake(
                    name="translation-missing",
                    cause="the translation t is missing",
                    look="the `return` line",
                    undo=lambda got, args: got + args["t"],
                ),
                Mistake(
                    name="transposed",
                    cause="the rotation is transposed (or p is multiplied from the "
                    "left): it turns back",
                    look="every `.T`, and R @ p, not p @ R",
                    instead=lambda angles, t, p: _forward(angles).T @ p + t,
                ),
                Mistake(
                    name="inverse",
                    cause="this is the inverse of the roto-translation",
                    look="whether `apply` and `apply_inverse` are exchanged",
                    instead=lambda angles, t, p: _forward(angles).T @ (p - t),
                ),
            ),
        ),
        Function(
            name="apply_inverse",
            text="Return the p for which apply(angles, t, p) is the given point.",
            arguments=_POINT_ARGUMENTS,
            answer=_POINT,
            solve=lambda angles, t, p: _forward(angles).T @ (p - t),
            draw=_draw_points,
            mistakes=(
                Mistake(
                    name="pose-instead-of-inverse",
                    cause="this is the roto-translation itself, not its inverse",
                    look="the inverse is (R.T, -R.T @ t)",
                    instead=lambda angles, t, p: _forward(angles) @ p + t,
                ),
                Mistake(
                    name="inverse-translation",
                    cause="the translation of the inverse is not turned: it is "
                    "-R.T @ t, not -t (undo the last step first)",
                    look="R.T @ p - t must be R.T @ (p - t)",
                    instead=lambda angles, t, p: _forward(angles).T @ p - t,
                ),
                Mistake(
                    name="inverse-translation",
                    cause="the translation is added in the inverse; it must be "
                    "subtracted",
                    look="R.T @ (p + t) must be R.T @ (p - t)",
                    instead=lambda angles, t, p: _forward(angles).T @ (p + t),
                ),
                Mistake(
                    name="not-transposed",
                    cause="the rotation of the inverse is R, but must be its transpose",
                    look="R @ (p - t) must be R.T @ (p - t)",
                    instead=lambda angles, t, p: _forward(angles) @ (p - t),
                ),
                Mistake(
                    name="inverse-order",
                    cause="the angles are negated, but the order of the turns is not "
                    "reversed; (A B C)^-1 = C^-1 B^-1 A^-1",
                    look="the product of the three inverse rotations",
                    instead=lambda angles, t, p: _forward(-angles) @ (p - t),
                ),
                *_TURNS,
                Mistake(
                    name="translation-missing",
                    cause="the translation t is missing",
                    look="the `return` line",
                    instead=lambda angles, t, p: _forward(angles).T @ p,
                ),
            ),
        ),
    ),
)
