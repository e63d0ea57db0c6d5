"""A SCARA arm: two vertical hinges and a vertical linear motor."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from gelenk.robots.armbot.manipulators.telescope import motor_telescope
from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Method, Tip
from gelenk.typing import FloatArray

HEIGHT, UPPER_ARM, FOREARM = 0.58, 0.28, 0.24  # [m]
TURN = (-math.radians(150.0), math.radians(150.0))  # [rad], of both hinges
LIFT = (0.08, 0.50)  # [m], how far the mount hangs below the forearm
DOWN = (0.0, -0.5 * math.pi, 0.0)  # turn of a frame whose x axis points down


class ScaraArm(ManipulatorModel):
    """`shoulder` and `elbow` turn about vertical axes, `lift` is a length downwards.

    Mount: 14 to 52 cm from the column, 8 to 50 cm above the floor; its x axis points
    down.
    """

    preferred_ik: ClassVar[Method] = "closed"

    def build(self, body: Assembly) -> Tip:
        forearm = (
            body.segment((0.0, 0.0, HEIGHT), "column", mass=4.0, radius=0.04)
            .servo("shoulder", limits=TURN, home=-math.radians(40.0))
            .segment(UPPER_ARM, "upper_arm", mass=1.5, radius=0.03)
            .servo("elbow", limits=TURN, home=math.radians(80.0))
            .segment(FOREARM, "forearm", mass=1.0, radius=0.025)
        )
        end = motor_telescope(forearm, "lift", limits=LIFT, home=0.25, turn=DOWN)
        return end.gripper_mount("mount")

    def closed_inverse(
        self, position: FloatArray, q_start: FloatArray
    ) -> FloatArray | None:
        x, y, z = (float(value) for value in position)
        distance = math.hypot(x, y)
        cosine = (distance**2 - UPPER_ARM**2 - FOREARM**2) / (2 * UPPER_ARM * FOREARM)
        if abs(cosine) > 1.0:
            return None
        bend = math.acos(cosine)
        choices: list[FloatArray] = []
        for elbow in (bend, -bend):
            inner = math.atan2(
                FOREARM * math.sin(elbow), UPPER_ARM + FOREARM * math.cos(elbow)
            )
            shoulder = math.remainder(math.atan2(y, x) - inner, 2.0 * math.pi)
            choices.append(np.array([shoulder, elbow, HEIGHT - z]))
        allowed = [q for q in choices if np.abs(q[:2]).max() <= TURN[1]]
        return min(
            allowed or choices, key=lambda q: float(np.abs(q - q_start)[:2].max())
        )
