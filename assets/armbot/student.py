"""A template for kinematics of your own: copy this file and write the two formulas.

The Simple Arm has three servos. `stand` turns about the vertical axis. `femur` and
`tibia` swing in the vertical plane, positive upwards; the tibia counts from the
direction of the femur. The mount, at the end of the tibia, has its x axis along the
tibia, and its z axis points up when the tibia is level.
"""

from gelenk.robots.armbot import DirectKinematics, InverseKinematics, InverseResult
from gelenk.robots.armbot.controllers import PickAndPlace
from gelenk.typing import ArrayLike, FloatArray

STAND, FEMUR, TIBIA = 0.20, 0.30, 0.25  # [m], lengths of the segments


class OwnDirectKinematics(DirectKinematics):
    """Where the mount is, and how it is turned."""

    def pose(self, q: ArrayLike) -> FloatArray:
        """Return the pose of the mount in the body frame, (4, 4).

        Args:
            q: Angles of stand, femur and tibia [rad], shape (3,).
        """
        raise NotImplementedError(
            "write OwnDirectKinematics.pose: rotation and position of the mount, "
            "(4, 4), from the angles of stand, femur and tibia"
        )


class OwnInverseKinematics(InverseKinematics):
    """Angles that bring the mount to a place."""

    def solve(self, position: ArrayLike, q_start: ArrayLike) -> InverseResult:
        """Return the angles for a position of the mount, elbow up.

        Args:
            position: In the body frame [m], shape (3,).
            q_start: Angles now [rad], shape (3,).

        Returns:
            InverseResult(q=..., ok=True, error=0.0); out of reach `ok` is False and
            `error` the distance that is missing [m].
        """
        raise NotImplementedError(
            "write OwnInverseKinematics.solve: the angles of stand, femur and tibia "
            "from the law of cosines"
        )


class Student(PickAndPlace):
    """Carries a ball along a square with kinematics of its own."""

    def run(self) -> None:
        self.manipulator.direct_kinematics = OwnDirectKinematics()
        self.manipulator.inverse_kinematics = OwnInverseKinematics()
        super().run()
