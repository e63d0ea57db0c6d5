"""A five-axis arm from parts, in one expression.

Each line attaches the next part: servos turn in a plane (`xz` lifts, `yz` rolls),
segments are lengths along x or end points. What comes out is a `RobotModel` like any
other: with forward kinematics, Jacobians and dynamics.
"""

from __future__ import annotations

import numpy as np

from gelenk.models import Assembly, RobotModel


def make_arm() -> RobotModel:
    """Return the arm: waist, shoulder, elbow, and a wrist that pitches and rolls."""
    return (
        Assembly()
        .servo("waist", limits=(-2.6, 2.6))
        .segment((0.0, 0.0, 0.3), "column", mass=4.0, radius=0.05)
        .servo("shoulder", axis="xz", limits=(-1.0, 2.0))
        .segment(0.4, "upper_arm", mass=2.0, radius=0.03)
        .servo("elbow", axis="xz", limits=(-2.5, 0.5))
        .segment(0.3, "forearm", mass=1.0, radius=0.03)
        .servo("wrist_pitch", axis="xz")
        .servo("wrist_roll", axis="yz")
        .gripper_mount("hand")
        .build("five_axis_arm")
    )


def main(headless: bool = False, steps: int | None = None) -> None:
    """Build the arm and print where its hand is."""
    arm = make_arm()
    q = np.deg2rad([30.0, 45.0, -60.0, 15.0, 0.0])
    T_base_hand = arm.forward(q)
    print(arm)
    print("hand at", T_base_hand[:3, 3].round(4), "m for q =", np.rad2deg(q), "deg")
    # The pitch angles add up to zero, so the hand is level.
    assert abs(T_base_hand[2, 0]) < 1e-12


if __name__ == "__main__":
    main()
