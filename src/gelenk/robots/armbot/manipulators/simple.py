"""The Simple Arm: a stand that turns, and two segments that swing up and down.

Roth 2021, ArmBot §5.2. Lengths 20, 30 and 25 cm are those of our tests; masses and
ranges are chosen.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Method, Tip
from gelenk.typing import FloatArray

Elbow: TypeAlias = Literal["up", "down"]

STAND, FEMUR, TIBIA = 0.20, 0.30, 0.25  # [m]
SWING = (-math.radians(90.0), math.radians(110.0))  # [rad], of the femur
FOLD = (-math.radians(160.0), math.radians(160.0))  # [rad], of the tibia
STRETCH_TOL = 1e-9  # by which rounding may take a cosine beyond 1


class SimpleArm(ManipulatorModel):
    """Three servos: `stand` turns, `femur` and `tibia` swing, positive upwards.

    Mount: 5 to 55 cm from the shoulder at 20 cm height, so on the floor up to 51 cm
    away, at 50 cm height up to 46 cm. Its x axis goes on along the tibia.

    Attributes:
        elbow: Posture that `closed_inverse` prefers.
    """

    preferred_ik: ClassVar[Method] = "closed"
    elbow: Elbow = "up"

    def build(self, body: Assembly) -> Tip:
        return (
            body.servo("stand", home=0.0)
            .segment((0.0, 0.0, STAND), "stand_column", mass=2.0, radius=0.03)
            .servo("femur", axis="xz", limits=SWING, home=math.radians(60.0), mass=0.3)
            .segment(FEMUR, "femur_bone", mass=0.8, radius=0.02)
            .servo("tibia", axis="xz", limits=FOLD, home=-math.radians(100.0), mass=0.3)
            .segment(TIBIA, "tibia_bone", mass=0.5, radius=0.016)
            .gripper_mount("mount")
        )

    def closed_inverse(
        self, position: FloatArray, q_start: FloatArray
    ) -> FloatArray | None:
        solutions = closed_solutions(position, stand=float(q_start[0]))
        if solutions is None:
            return None
        up, down = solutions
        first, second = (up, down) if self.elbow == "up" else (down, up)
        return first if _is_allowed(first) or not _is_allowed(second) else second


def closed_solutions(
    position: FloatArray, *, stand: float = 0.0
) -> tuple[FloatArray, FloatArray] | None:
    """Return the joint values with the elbow up and down, shape (3,) each.

    Args:
        position: Of the mount in the body frame [m], shape (3,).
        stand: Angle of the stand that is kept above the stand itself [rad].

    Returns:
        Both solutions, equal where the arm is stretched; None out of reach.

    Example:
        >>> up, down = closed_solutions(np.array([0.35, 0.15, 0.10]))
        >>> np.rad2deg(up).round(6).tolist()
        [23.198591, 24.699137, -89.045026]
    """
    x, y, z = (float(value) for value in position)
    along, up = math.hypot(x, y), z - STAND
    distance = math.hypot(along, up)
    if distance == 0.0:
        return None
    gamma = _corner(FEMUR, distance, TIBIA)
    beta = _corner(FEMUR, TIBIA, distance)
    if gamma is None or beta is None:
        return None
    if along > 0.0:
        stand = math.atan2(y, x)
    rise = math.atan2(up, along)  # the paper prints it with the wrong sign
    return (
        np.array([stand, rise + gamma, beta - math.pi]),
        np.array([stand, rise - gamma, math.pi - beta]),
    )


def _corner(a: float, b: float, opposite: float) -> float | None:
    """Return the angle between sides a and b of a triangle [rad]."""
    cosine = (a * a + b * b - opposite * opposite) / (2.0 * a * b)
    if abs(cosine) > 1.0 + STRETCH_TOL:
        return None
    return math.acos(max(-1.0, min(1.0, cosine)))


def _is_allowed(q: FloatArray) -> bool:
    return bool(SWING[0] <= q[1] <= SWING[1] and FOLD[0] <= q[2] <= FOLD[1])
