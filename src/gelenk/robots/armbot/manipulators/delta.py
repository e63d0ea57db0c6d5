"""A delta robot that hangs from a crown: three servos, a platform that never turns.

Architecture of R. Clavel (1985), dimensions chosen. The parallelograms hold the
platform's orientation, so it gets three passive slides and no hinge; one rod stands for
each pair. The closure is solved numerically: 3 slides and 3 ball joints of two angles
against 9 equations.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Method, Tip
from gelenk.spatial.se3 import pose_from_rotation_translation
from gelenk.spatial.so3 import rot_z
from gelenk.typing import FloatArray

CENTRE, HEIGHT = 0.35, 0.92  # [m], of the crown, in front of the post and above
BASE_RADIUS, PLATFORM_RADIUS = 0.15, 0.05  # [m]
UPPER_ARM, LOWER_ARM = 0.30, 0.60  # [m]
AZIMUTHS = (math.pi, -math.pi / 3.0, math.pi / 3.0)  # [rad], of the servos
SWING = (-math.radians(100.0), math.radians(45.0))  # [rad], up is positive
HOME = (CENTRE, 0.0, 0.40)  # [m], of the mount
QUARTER = 0.5 * math.pi


class DeltaArm(ManipulatorModel):
    """`shoulder_1` to `shoulder_3` swing the upper arms, positive upwards.

    Mount: within 15 cm around a point 35 cm in front of the post, 8 to 52 cm above the
    floor; its x axis always points down.
    """

    preferred_ik: ClassVar[Method] = "closed"

    def build(self, body: Assembly) -> Tip:
        post = body.segment((0.0, 0.0, HEIGHT), "post", mass=6.0, radius=0.04)
        beam = post.segment(CENTRE, "beam", mass=2.0, radius=0.03)
        crown = beam.t_connector("crown")
        platform = _platform(crown)
        for number, azimuth in enumerate(AZIMUTHS, 1):
            rod = _arm(crown, number, azimuth)
            corner = rot_z(azimuth) @ [PLATFORM_RADIUS, 0.0, 0.0]
            body.closed_chain(f"arm_{number}", [platform.point(at=corner), rod])
        return platform.gripper_mount("mount", turn=(0.0, -QUARTER, 0.0))

    def closed_inverse(
        self, position: FloatArray, q_start: FloatArray
    ) -> FloatArray | None:
        angles = [_home_angles(position, azimuth) for azimuth in AZIMUTHS]
        values = [found[0] for found in angles if found is not None]
        return np.array(values) if len(values) == 3 else None


def _platform(crown: Tip) -> Tip:
    """Attach the platform by three slides; its axes stay those of the body."""
    turned = pose_from_rotation_translation((rot_z(QUARTER) @ _down()).T, np.zeros(3))
    platform = (
        crown.linear("slide_x", home=HOME[0] - CENTRE)
        .linear("slide_y", home=HOME[1], turn=(QUARTER, 0.0, 0.0))
        .linear("slide_z", home=HEIGHT - HOME[2], turn=(0.0, -QUARTER, 0.0))
        .t_connector("platform", mass=0.1, pose=turned)
    )
    for number, azimuth in enumerate(AZIMUTHS, 1):
        x, y, z = rot_z(azimuth) @ [PLATFORM_RADIUS, 0.0, 0.0]
        platform.segment(
            (float(x), float(y), float(z)), f"spoke_{number}", mass=0.05, radius=0.012
        ).termination_point()
    return platform


def _arm(crown: Tip, number: int, azimuth: float) -> Tip:
    """Attach a servo with its upper arm and its rod; return the end of the rod."""
    found = _home_angles(np.array(HOME), azimuth)
    assert found is not None
    shoulder, side, swing = found
    x, y, z = rot_z(azimuth) @ [BASE_RADIUS, 0.0, 0.0]
    bracket = crown.segment(
        (float(x), float(y), float(z)), f"bracket_{number}", mass=0.3, radius=0.02
    )
    return (
        bracket.servo(
            f"shoulder_{number}",
            axis="xz",
            limits=SWING,
            home=shoulder,
            turn=(azimuth, 0.0, 0.0),
        )
        .segment(UPPER_ARM, f"upper_arm_{number}", mass=0.3, radius=0.015)
        .fullrot(f"elbow_{number}", home=(side, swing))
        .segment(LOWER_ARM, f"rod_{number}", mass=0.1, radius=0.006)
    )


def _home_angles(
    position: FloatArray, azimuth: float
) -> tuple[float, float, float] | None:
    """Return shoulder, and x-y and x-z angle of the elbow, for a mount position [rad].

    In the arm's plane the elbow lies on a circle about the servo and on a sphere about
    the platform's corner: a cos(t) + b sin(t) = c; the root with the elbow outwards.
    None if they do not meet.
    """
    p = rot_z(-azimuth) @ (position - [CENTRE, 0.0, HEIGHT])
    p[0] += PLATFORM_RADIUS - BASE_RADIUS
    a, b = float(p[0]), float(p[2])
    c = (float(p @ p) + UPPER_ARM**2 - LOWER_ARM**2) / (2.0 * UPPER_ARM)
    square = a * a + b * b - c * c
    if square < 0.0:
        return None
    shoulder = math.atan2(b, a) + math.atan2(math.sqrt(square), c)
    shoulder = math.remainder(shoulder, 2.0 * math.pi)
    cosine, sine = math.cos(shoulder), math.sin(shoulder)
    along, up = a - UPPER_ARM * cosine, b - UPPER_ARM * sine
    # The rod in the frame of the upper arm.
    x, z = cosine * along + sine * up, cosine * up - sine * along
    side = math.asin(max(-1.0, min(1.0, float(p[1]) / LOWER_ARM)))
    return shoulder, side, math.atan2(z, x)


def _down() -> FloatArray:
    """Return the rotation that turns the x axis down, in the x-z plane."""
    return np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
