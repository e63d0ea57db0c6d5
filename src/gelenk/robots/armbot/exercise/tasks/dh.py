"""Exercise: one row of a Denavit-Hartenberg table."""

from __future__ import annotations

import numpy as np

from gelenk.models.dh import dh_matrix
from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Case,
    Exercise,
    Function,
    Mistake,
)
from gelenk.typing import FloatArray

Rng = np.random.Generator


def _modified(theta: float, d: float, a: float, alpha: float) -> FloatArray:
    return dh_matrix(theta, d, a, alpha, convention="modified")


def _shift_last(theta: float, d: float, a: float, alpha: float) -> FloatArray:
    """Return the turns first and (a, 0, d) as translation in the old frame."""
    T = dh_matrix(theta, d, a, alpha)
    T[:3, 3] = (a, 0.0, d)
    return T


def _shift_in_new_frame(theta: float, d: float, a: float, alpha: float) -> FloatArray:
    T = dh_matrix(theta, 0.0, 0.0, alpha)
    T[:3, 3] = T[:3, :3] @ (a, 0.0, d)
    return T


def _turns_swapped(theta: float, d: float, a: float, alpha: float) -> FloatArray:
    """Return the right translation with the turns multiplied in the other order."""
    T = dh_matrix(theta, d, a, alpha)
    T[:3, :3] = _modified(theta, 0.0, 0.0, alpha)[:3, :3]
    return T


def _draw(rng: Rng) -> list[Case]:
    return [
        Case(
            args={
                "theta": float(rng.uniform(-3.1, 3.1)),
                "d": float(rng.uniform(-0.6, 0.6)),
                "a": float(rng.uniform(-0.6, 0.6)),
                "alpha": float(rng.uniform(-3.1, 3.1)),
            }
        )
        for _ in range(16)
    ]


DH_ROW = Exercise(
    name="dh-row",
    title="The 4 x 4 matrix of one Denavit-Hartenberg row, standard convention.",
    task="In the standard convention the frame i is reached from the frame i-1 by: "
    "turn by theta about z, shift\nby d along z, shift by a along the new x, turn by "
    "alpha about the new x:\nT = Rz(theta) Tz(d) Tx(a) Rx(alpha). T maps coordinates "
    "of frame i to those of frame i-1.",
    functions=(
        Function(
            name="dh_matrix",
            text="Return T, the pose of frame i in frame i-1.",
            arguments=(
                Argument(name="theta", text="turn about z", unit="rad"),
                Argument(name="d", text="shift along z", unit="m"),
                Argument(name="a", text="shift along x", unit="m"),
                Argument(name="alpha", text="turn about x", unit="rad"),
            ),
            answer=Answer(text="the matrix T, lengths in m", shape=(4, 4)),
            solve=dh_matrix,
            draw=_draw,
            mistakes=(
                Mistake(
                    name="dh-convention",
                    cause="this is the modified convention (Craig), "
                    "Rx(alpha) Tx(a) Rz(theta) Tz(d), or the four factors in reverse "
                    "order, which is the same; the standard convention is asked for",
                    look="the product of the matrices: Rz(theta) stands leftmost",
                    instead=_modified,
                ),
                Mistake(
                    name="shift-not-turned",
                    cause="the shift by a is made along the old x axis; it is made "
                    "along the new one, after the turn by theta: (a cos, a sin, d)",
                    look="the last column",
                    instead=_shift_last,
                ),
                Mistake(
                    name="rotation-order",
                    cause="the shifts are made after both turns, in the new frame; the "
                    "turn about x comes last",
                    look="the product of the matrices: Rz Tz Tx Rx",
                    instead=_shift_in_new_frame,
                ),
                Mistake(
                    name="rotation-order",
                    cause="the rotation is Rx(alpha) @ Rz(theta); it must be "
                    "Rz(theta) @ Rx(alpha)",
                    look="the upper left 3 x 3 block",
                    instead=_turns_swapped,
                ),
                Mistake(
                    name="translation-missing",
                    cause="the translation is missing in the last column",
                    look="the last column: (a cos theta, a sin theta, d, 1)",
                    instead=lambda theta, d, a, alpha: dh_matrix(theta, 0, 0, alpha),
                ),
            ),
        ),
    ),
)
