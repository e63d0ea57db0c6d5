"""A gantry: three linear motors at right angles, hung from a beam."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from gelenk.robots.armbot.manipulators.telescope import motor_telescope
from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Method, Tip
from gelenk.typing import FloatArray

HEIGHT = 0.62  # [m], of the beam
ALONG = (0.10, 0.70)  # [m], forwards from the post
ACROSS = (-0.35, 0.35)  # [m], to the left
LIFT = (0.10, 0.54)  # [m], below the beam
HOME = (0.35, 0.0, 0.25)  # [m]
QUARTER = 0.5 * math.pi


class GantryArm(ManipulatorModel):
    """`along`, `across` and `lift` move the mount forwards, to the left and down.

    Mount: a box from 10 to 70 cm in front of the post, 35 cm to both sides, 8 to 52 cm
    above the floor; its x axis points down.
    """

    preferred_ik: ClassVar[Method] = "closed"

    def build(self, body: Assembly) -> Tip:
        top = body.segment((0.0, 0.0, HEIGHT), "post", mass=5.0, radius=0.04)
        beam = top.t_connector("beam")
        beam.segment(ALONG[1], "beam_bar", mass=2.0, radius=0.02).termination_point()
        trolley = beam.linear_motor("along", limits=ALONG, home=HOME[0]).t_connector(
            "trolley"
        )
        for side, end in zip(("right", "left"), ACROSS, strict=True):
            trolley.segment(
                (0.0, end, 0.0), f"cross_bar_{side}", mass=0.6, radius=0.015
            ).termination_point()
        carriage = trolley.linear_motor(
            "across", limits=ACROSS, home=HOME[1], turn=(QUARTER, 0.0, 0.0)
        ).t_connector("carriage", turn=(-QUARTER, 0.0, 0.0))
        end = motor_telescope(
            carriage, "lift", limits=LIFT, home=HOME[2], turn=(0.0, -QUARTER, 0.0)
        )
        return end.gripper_mount("mount")

    def closed_inverse(
        self, position: FloatArray, q_start: FloatArray
    ) -> FloatArray | None:
        return np.array([position[0], position[1], HEIGHT - position[2]])
