"""Every number of NAO beyond its model, with unit and source.

Lengths, masses, ranges and speeds stand in `gelenk.core.model.catalog.nao`; the
sandal's in `sandal`. "Chosen" means that no source states it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gelenk.core.vision.camera import Intrinsics

IMAGE_SIZE = (640, 480)  # [px], VGA, as B-Human used both cameras
FIELD_OF_VIEW = 1.0641  # [rad], horizontal, Aldebaran "video camera" V4 (60.97 deg)
FRAME_RATE = 30.0  # [1/s]
MOTION_PERIOD = 0.01  # [s], of NAOqi's DCM cycle
ENCODER_STEP = math.radians(0.1)  # [rad], as read by NAOqi (12 bit: 0.088 deg)
FLOOR = -0.075  # [m], x of the floor in the torso's frame when lying on the back
GRAVITY = 9.81  # [m/s^2]
BUMPER_FORCE = 0.5  # [N], chosen

# Poses of the body [deg], B-Human's signs: arms beside the body, legs stretched; and
# the six angles of a leg out of the way of the other one's board.
LYING_ARMS = (-90.0, 12.0, 0.0, -5.0)
PARKED_LEG = (0.0, -25.0, 10.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServoCfg:
    """The position servos.

    Attributes:
        bandwidth: Of the position loop at full stiffness: kp = inertia bandwidth^2
            [rad/s]; chosen so that a leg under its weight sags by about 0.3 deg.
        damping: Damping ratio of that loop; chosen.
        stall_share: Stall torque over the torque that can be held for long; Aldebaran
            "motors": 68 / 16.1 mN m.
        rotor_inertia: At the motor's shaft [kg m^2], typical of coreless motors of this
            size (Maxon RE-max 24: 4.3 g cm^2).
        tooth_damping: Damping ratio of a drive's teeth against the leg; chosen.
    """

    bandwidth: float = 40.0
    damping: float = 1.0
    stall_share: float = 4.2
    rotor_inertia: float = 4.3e-7
    tooth_damping: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class EyeCfg:
    """What a camera does to light.

    Attributes:
        blur: Standard deviation of a point's image [px]; chosen, fixed focus.
        samples: Rays per side of a pixel.
        vignetting: Share of the cos^4 law; chosen.
        read_noise: Standard deviation in the dark at gain 1 [gray levels]; MT9M114,
            37 dB at best.
        shot_noise: Variance per gray level at gain 1 [gray levels].
    """

    blur: float = 0.7
    samples: int = 4
    vignetting: float = 0.3
    read_noise: float = 0.8
    shot_noise: float = 0.02


def nominal_intrinsics() -> Intrinsics:
    """Return the documented camera, either of the two: 543.5945 px, no distortion."""
    width, height = IMAGE_SIZE
    return Intrinsics.from_field_of_view(
        width=width, height=height, horizontal=FIELD_OF_VIEW
    )
