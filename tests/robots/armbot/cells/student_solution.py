"""A solution of the exercise `student`: the Simple Arm by its geometry."""

import math

import numpy as np

from gelenk.robots.armbot import DirectKinematics, InverseKinematics, InverseResult
from gelenk.robots.armbot.controllers import PickAndPlace
from gelenk.typing import ArrayLike, FloatArray

STAND, FEMUR, TIBIA = 0.20, 0.30, 0.25  # [m], lengths of the segments


class OwnDirectKinematics(DirectKinematics):
    """A turn about z, then a chain of two segments in the vertical plane."""

    def pose(self, q: ArrayLike) -> FloatArray:
        stand, femur, tibia = np.asarray(q, dtype=np.float64)
        rise = femur + tibia  # of the tibia over the horizon
        forward = np.array([math.cos(stand), math.sin(stand), 0.0])
        up = np.array([0.0, 0.0, 1.0])
        x = math.cos(rise) * forward + math.sin(rise) * up
        z = math.cos(rise) * up - math.sin(rise) * forward
        T = np.eye(4)
        T[:3, :3] = np.column_stack([x, np.cross(z, x), z])
        elbow = math.cos(femur) * forward + math.sin(femur) * up
        T[:3, 3] = STAND * up + FEMUR * elbow + TIBIA * x
        return T


class OwnInverseKinematics(InverseKinematics):
    """The triangle of shoulder, elbow and wrist, with the elbow up."""

    def solve(self, position: ArrayLike, q_start: ArrayLike) -> InverseResult:
        x, y, z = np.asarray(position, dtype=np.float64)
        along, up = math.hypot(x, y), z - STAND
        distance = math.hypot(along, up)
        nearest = min(max(distance, FEMUR - TIBIA), FEMUR + TIBIA)
        if abs(nearest - distance) > 1e-9:
            q = np.asarray(q_start, dtype=np.float64)
            return InverseResult(q=q, ok=False, error=abs(nearest - distance))
        at_shoulder = _corner(FEMUR, nearest, TIBIA)
        at_elbow = _corner(FEMUR, TIBIA, nearest)
        q = np.array(
            [
                math.atan2(y, x),
                math.atan2(up, along) + at_shoulder,
                at_elbow - math.pi,
            ]
        )
        return InverseResult(q=q, ok=True, error=0.0)


def _corner(a: float, b: float, opposite: float) -> float:
    """Return the angle between two sides of a triangle [rad]."""
    cosine = (a * a + b * b - opposite * opposite) / (2.0 * a * b)
    return math.acos(min(max(cosine, -1.0), 1.0))


class Student(PickAndPlace):
    """Carries a ball along a square with kinematics of its own."""

    def run(self) -> None:
        self.manipulator.direct_kinematics = OwnDirectKinematics()
        self.manipulator.inverse_kinematics = OwnInverseKinematics()
        super().run()
