"""A tripod that hangs from a crown: three linear motors meet in one point.

The closed chain of Roth 2021, ArmBot §4.3, pattern TRIPOD; turned upside down, so that
the arm works on what lies in front of its post.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from gelenk.robots.armbot.manipulators.telescope import motor_telescope
from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Method, Tip
from gelenk.typing import FloatArray

CENTRE, HEIGHT = 0.35, 1.0  # [m], of the crown, in front of the post and above
RADIUS = 0.22  # [m], of the crown
# Counterclockwise from above; the first leg stands at the post and carries the gripper.
AZIMUTHS = (math.pi, -math.pi / 3.0, math.pi / 3.0)  # [rad]
LENGTH = (0.45, 1.05)  # [m], of a leg
HOME = (CENTRE, 0.0, 0.40)  # [m], of the mount
BELOW = -1  # branch: where the legs meet below the crown
DOWN = (0.0, -0.5 * math.pi, 0.0)  # turn of a frame whose x axis points down


class TripodArm(ManipulatorModel):
    """`leg_1` to `leg_3` are lengths; each leg hangs on a passive ball joint.

    Mount: within 20 cm around a point 35 cm in front of the post, 6 to 52 cm above the
    floor (narrower at the top). Its x axis goes on along the first leg, mostly down.
    """

    preferred_ik: ClassVar[Method] = "closed"

    def build(self, body: Assembly) -> Tip:
        top = body.segment((0.0, 0.0, HEIGHT), "post", mass=6.0, radius=0.04)
        crown = top.t_connector("crown")
        legs: list[Tip] = []
        for number, (foot, home) in enumerate(
            zip(feet(), leg_lengths(np.array(HOME)), strict=True), 1
        ):
            x, y, z = (float(value) for value in foot - [0.0, 0.0, HEIGHT])
            beam = crown.segment((x, y, z), f"beam_{number}", mass=0.5, radius=0.02)
            joint = beam.fullrot(f"joint_{number}", turn=DOWN)
            legs.append(
                motor_telescope(
                    joint, f"leg_{number}", limits=LENGTH, home=float(home), mass=0.8
                )
            )
        union = body.closed_chain("union", legs, branch=BELOW, pattern="required")
        return union.gripper_mount("mount")

    def closed_inverse(
        self, position: FloatArray, q_start: FloatArray
    ) -> FloatArray | None:
        return leg_lengths(position)


def feet() -> FloatArray:
    """Return where the legs hang in the body frame [m], shape (3, 3)."""
    return np.array(
        [
            [CENTRE + RADIUS * math.cos(a), RADIUS * math.sin(a), HEIGHT]
            for a in AZIMUTHS
        ]
    )


def leg_lengths(position: FloatArray) -> FloatArray:
    """Return the lengths of the legs that meet in a position [m], shape (3,)."""
    return np.linalg.norm(feet() - position, axis=1)
