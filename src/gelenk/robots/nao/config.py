"""Every number of NAO beyond its model, with unit and source.

Lengths, masses, ranges and speeds stand in `gelenk.robots.nao.robot`; the
sandal's in `sandal`. "Chosen" means that no source states it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

# OpenCV's axes (right, down, forward) in a frame with x forward, y left, z up.
T_MOUNT_CAMERA: FloatArray = np.array(
    [
        [0.0, 0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0, 0.0],
        [0.0, -1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
)
T_MOUNT_CAMERA.setflags(write=False)

IMAGE_SIZE = (640, 480)  # [px], VGA, as B-Human used both cameras
FIELD_OF_VIEW = 1.0641  # [rad], horizontal, Aldebaran "video camera" V4 (60.97 deg)
FRAME_RATE = 30.0  # [1/s]
MOTION_PERIOD = 0.01  # [s], of NAOqi's DCM cycle
ENCODER_STEP = math.radians(0.1)  # [rad], as read by NAOqi (12 bit: 0.088 deg)
FLOOR = -0.075  # [m], x of the floor in the torso's frame when lying on the back
GRAVITY = 9.81  # [m/s^2]
# [m], ankle's frame, the left and the right one of each foot; Aldebaran, "contact".
BUMPERS = {
    "left": {"left": (0.0876, 0.019, -0.0353), "right": (0.0876, -0.014, -0.0353)},
    "right": {"left": (0.0876, 0.014, -0.0353), "right": (0.0876, -0.019, -0.0353)},
}
BUMPER_FORCE = 0.5  # [N], chosen

# Poses of the body [deg], B-Human's signs: arms beside the body, legs stretched; and
# the six angles of a leg out of the way of the other one's board.
LYING_ARMS = (-90.0, 12.0, 0.0, -5.0)
PARKED_LEG = (0.0, -25.0, 0.0, 0.0, 0.0, 0.0)


ENCODER_NOISE = math.radians(0.02)  # [rad], of each sample; chosen

# Default stiffness of the motors, B-Human 2013 [1].
HARDNESS = {"Head": 0.7, "Arm": 0.2, "Leg": 0.75}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServoCfg:
    """A position servo of one kind of joint.

    Attributes:
        kp: Torque per error at full stiffness [N m/rad]; chosen so that a leg that is
            raised sags by about half a degree, as NAOs do, which its encoder sees.
        kd: Torque per speed [N m s/rad]; chosen for an aperiodic motion.
        gear_ratio: Aldebaran, "motors".
        rotor_inertia: At the motor's shaft [kg m^2], typical of motors of that size.
    """

    kp: float
    kd: float
    gear_ratio: float
    rotor_inertia: float


_LEG_A = ServoCfg(kp=250.0, kd=9.0, gear_ratio=201.3, rotor_inertia=4.3e-7)
_LEG_B = ServoCfg(kp=250.0, kd=9.0, gear_ratio=130.85, rotor_inertia=4.3e-7)
_UPPER_A = ServoCfg(kp=60.0, kd=1.5, gear_ratio=150.27, rotor_inertia=1.0e-7)
_UPPER_B = ServoCfg(kp=60.0, kd=1.5, gear_ratio=173.22, rotor_inertia=1.0e-7)
_WRIST = ServoCfg(kp=6.0, kd=0.1, gear_ratio=50.61, rotor_inertia=0.5e-7)
SERVOS = {
    "HeadYaw": _UPPER_A,
    "HeadPitch": _UPPER_B,
    "ShoulderPitch": _UPPER_A,
    "ShoulderRoll": _UPPER_B,
    "ElbowYaw": _UPPER_A,
    "ElbowRoll": _UPPER_B,
    "WristYaw": _WRIST,
    "Hand": _WRIST,
    "HipYawPitch": _LEG_A,
    "HipRoll": _LEG_A,
    "HipPitch": _LEG_B,
    "KneePitch": _LEG_B,
    "AnklePitch": _LEG_B,
    "AnkleRoll": _LEG_A,
}

STALL_CURRENT = 2.0  # [A] at the torque limit; Aldebaran, "motors": about 2 A

# Teeth stiffer than this [N m/rad] swing faster than the physics' step can follow.
MAX_TOOTH_STIFFNESS = 3000.0
TOOTH_DAMPING = 0.02  # [s], damping over stiffness of teeth in contact; chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class EyeCfg:
    """What a camera does to light.

    Attributes:
        blur: Standard deviation of a point's image [px]; chosen, fixed focus.
        samples: Rays per side of a pixel; 2, 3 and 4 put corners 0.011 x 0.014 px
            from where they are (rms), at 37, 61 and 94 ms of a core per image.
        vignetting: Share of the cos^4 law; chosen.
        read_noise: Standard deviation in the dark at gain 1 [gray levels]; MT9M114,
            37 dB at best.
        shot_noise: Variance per gray level at gain 1 [gray levels].
    """

    blur: float = 0.7
    samples: int = 2
    vignetting: float = 0.3
    read_noise: float = 0.8
    shot_noise: float = 0.02


def nominal_intrinsics() -> Intrinsics:
    """Return the documented camera, either of the two: 543.5945 px, no distortion."""
    width, height = IMAGE_SIZE
    return Intrinsics.from_field_of_view(
        width=width, height=height, horizontal=FIELD_OF_VIEW
    )
