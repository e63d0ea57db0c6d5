"""Exercises on angles that are read from rotation matrices."""

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
from gelenk.robots.armbot.exercise.tasks.rotations import PLANE_TEXT, PLANES, SENSE
from gelenk.spatial.plane_angles import (
    PlaneOrder,
    matrix_from_plane_angles,
    plane_angles_from_matrix,
)
from gelenk.typing import FloatArray

Rng = np.random.Generator


def reverse_matrix(angles: FloatArray) -> FloatArray:
    """Return Rxy Rxz Ryz."""
    return matrix_from_plane_angles(angles, order="reverse")


def both_triples(R: FloatArray, order: PlaneOrder) -> list[FloatArray]:
    """Return the two triples of plane angles of a rotation matrix."""
    xy, xz, yz = plane_angles_from_matrix(R, order=order).angles
    return [np.array([xy, xz, yz]), np.array([xy + np.pi, np.pi - xz, yz + np.pi])]


def _accept_triple(order: PlaneOrder) -> Any:
    def accept(args: Arguments, got: Solution) -> bool:
        assert got is not None
        R = matrix_from_plane_angles(got, order=order)
        return bool(np.abs(R - args["R"]).max() < 1e-5)

    return accept


def _one_quadrant(R: FloatArray, order: PlaneOrder) -> FloatArray:
    if order == "forward":
        a = -np.arctan(R[0, 1] / R[0, 0])
        c = -np.arctan(R[1, 2] / R[2, 2])
        return np.array([a, np.arcsin(-R[0, 2]), c])
    a, c = np.arctan(R[1, 0] / R[0, 0]), np.arctan(R[2, 1] / R[2, 2])
    return np.array([a, np.arcsin(R[2, 0]), c])


def _draw_matrices(order: PlaneOrder) -> Any:
    def draw(rng: Rng) -> list[Case]:
        cases = []
        for _ in range(18):
            angles = rng.uniform(-1.0, 1.0, 3) * (3.1, 1.4, 3.1)
            R = matrix_from_plane_angles(angles, order=order)
            cases.append(Case(args={"R": R}))
        for quarter in (0.5, -0.5, 0.5, -0.5):
            a, c = rng.uniform(-3.0, 3.0, 2)
            # Rounded: the entries that vanish are exactly zero, as after any other
            # way of making such a matrix they are zero or noise.
            R = matrix_from_plane_angles([a, quarter * np.pi, c], order=order).round(14)
            cases.append(Case(args={"R": R}, tag="gimbal lock"))
        return cases

    return draw


GIMBAL = Mistake(
    name="gimbal-lock",
    cause="it fails only where the angle in x-z is +-90 degrees: there cos(b) is zero, "
    "and the two arguments of the other `atan2` are zero, too; only the sum or the "
    "difference of the other angles is determined, so choose one (c = 0) and read the "
    "other from entries that do not vanish",
    look="the case cos(b) = 0 (test sqrt(..) < 1e-9)",
)


def _angle_function(name: str, order: PlaneOrder, product: str) -> Function:
    other: PlaneOrder = "reverse" if order == "forward" else "forward"
    return Function(
        name=name,
        text=f"Return angles (xy, xz, yz) with {product} = R.",
        arguments=(Argument(name="R", text="rotation matrix, 3 x 3", unit="1"),),
        answer=Answer(
            text="the angles (xy, xz, yz)", shape=(3,), unit="rad", parts=PLANES
        ),
        solve=lambda R: both_triples(R, order),
        draw=_draw_matrices(order),
        accept=_accept_triple(order),
        mistakes=(
            Mistake(
                name="rotation-order",
                cause="these are the angles for the other order of the rotations",
                look=f"which product the entries are read from: {product}",
                instead=lambda R: both_triples(R, other),
            ),
            Mistake(
                name="atan-quadrant",
                cause="`arctan` of a quotient knows only half of the circle; use "
                "`np.arctan2(numerator, denominator)`",
                look="every `arctan` and `atan`",
                instead=lambda R: _one_quadrant(R, order),
            ),
            Mistake(
                name="sign-xz",
                cause=SENSE,
                look="the sign of the entry that is sin(b)",
                undo=lambda got, _: got * (1.0, -1.0, 1.0),
            ),
            Mistake(
                name="transposed",
                cause="the entries are read from the transposed matrix: R[row, column]",
                look="the indices of R",
                before=lambda args: args | {"R": args["R"].T},
            ),
        ),
        specials={"gimbal lock": GIMBAL},
    )


PLANE_ANGLES = Exercise(
    name="plane-angles",
    title="The three angles of a rotation matrix, in both orders, gimbal lock "
    "included.",
    task="Find the angles (xy, xz, yz) of a rotation matrix R. Any triple that gives R "
    "is right;\nit must work for xz = +-90 degrees, too.\n\n" + PLANE_TEXT,
    functions=(
        _angle_function("angles_forward", "forward", "Ryz @ Rxz @ Rxy"),
        _angle_function("angles_reverse", "reverse", "Rxy @ Rxz @ Ryz"),
    ),
)


def _accept_wrist(args: Arguments, got: Solution) -> bool:
    assert got is not None
    R = args["R_mount"] @ reverse_matrix(got)
    return bool(np.abs(R - args["R_target"]).max() < 1e-5)


def _draw_wrists(rng: Rng) -> list[Case]:
    cases = []
    for _ in range(16):
        mount, wrist = rng.uniform(-1.0, 1.0, (2, 3)) * (3.1, 1.4, 3.1)
        R_mount = reverse_matrix(mount)
        args = {"R_mount": R_mount, "R_target": R_mount @ reverse_matrix(wrist)}
        cases.append(Case(args=args))
    return cases


WRIST = Exercise(
    name="wrist",
    title="Angles of the three wrist servos for a wanted orientation of the gripper.",
    task="The mount of an arm has the orientation R_mount. Behind it stand three "
    "servos, which turn\nin x-y, x-z and y-z, in this order seen from the arm: the "
    "gripper has\nR = R_mount @ Rxy(w1) @ Rxz(w2) @ Ryz(w3). Find the angles for which "
    "R is R_target.\nAny triple that does it is right.\n\n" + PLANE_TEXT,
    functions=(
        Function(
            name="wrist_angles",
            text="Return (w1, w2, w3).",
            arguments=(
                Argument(
                    name="R_mount", text="orientation of the mount, 3 x 3", unit="1"
                ),
                Argument(name="R_target", text="wanted orientation, 3 x 3", unit="1"),
            ),
            answer=Answer(
                text="the angles (w1, w2, w3)",
                shape=(3,),
                unit="rad",
                parts=("w1 (x-y)", "w2 (x-z)", "w3 (y-z)"),
            ),
            solve=lambda R_mount, R_target: both_triples(
                R_mount.T @ R_target, "reverse"
            ),
            draw=_draw_wrists,
            accept=_accept_wrist,
            mistakes=(
                Mistake(
                    name="mount-ignored",
                    cause="the angles of the target are sent to the servos as they "
                    "are; but the mount turns with the arm, and the servos stand "
                    "behind it",
                    look="what is decomposed: R_mount.T @ R_target, not R_target",
                    instead=lambda R_mount, R_target: both_triples(R_target, "reverse"),
                ),
                Mistake(
                    name="not-transposed",
                    cause="R_mount is not inverted: R_mount @ W = R_target gives "
                    "W = R_mount.T @ R_target",
                    look="the product that is decomposed",
                    instead=lambda R_mount, R_target: both_triples(
                        R_mount @ R_target, "reverse"
                    ),
                ),
                Mistake(
                    name="wrong-side",
                    cause="the inverse of R_mount is multiplied on the wrong side: it "
                    "must be R_mount.T @ R_target, not R_target @ R_mount.T",
                    look="the product that is decomposed",
                    instead=lambda R_mount, R_target: both_triples(
                        R_target @ R_mount.T, "reverse"
                    ),
                ),
                Mistake(
                    name="inverse",
                    cause="this is the turn from the target back to the mount",
                    look="R_target.T @ R_mount must be R_mount.T @ R_target",
                    instead=lambda R_mount, R_target: both_triples(
                        R_target.T @ R_mount, "reverse"
                    ),
                ),
                Mistake(
                    name="rotation-order",
                    cause="these are the angles for the order Ryz @ Rxz @ Rxy; the "
                    "servos stand in the order x-y, x-z, y-z",
                    look="the formulas that read the angles from the matrix",
                    instead=lambda R_mount, R_target: both_triples(
                        R_mount.T @ R_target, "forward"
                    ),
                ),
                Mistake(
                    name="sign-xz",
                    cause=SENSE,
                    look="the sign of the entry that is sin(w2)",
                    undo=lambda got, _: got * (1.0, -1.0, 1.0),
                ),
                Mistake(
                    name="atan-quadrant",
                    cause="`arctan` of a quotient knows only half of the circle; use "
                    "`np.arctan2(numerator, denominator)`",
                    look="every `arctan` and `atan`",
                    instead=lambda R_mount, R_target: _one_quadrant(
                        R_mount.T @ R_target, "reverse"
                    ),
                ),
            ),
        ),
    ),
)
