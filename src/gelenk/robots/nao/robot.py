"""NAO H25, the humanoid of the RoboCup Standard Platform League, with V4 dimensions.

- Lengths: Aldebaran, "NAO H25 V4 links", equal to B-Human's `robotDimensions.cfg` of
  2013; ankle to sole 45.19 mm as there (45.11 mm in Aldebaran's URDF).
- Ranges and speeds: Aldebaran, "NAO H25 V4 joints" and "motors".
- Masses and centres of torso, head and legs: B-Human's `massCalibration` of 2013; of
  the arms, and all torques: ros-naoqi/nao_robot, naoV40 URDF at 2b408d99. Inertias are
  those of the touched (else drawn) body of that mass, about the stated centre.
- Bodies that touch: B-Human's SimRobot scene. What is drawn stays inside of them.

Root `torso`: origin halfway between the hip joints, 85 mm below Aldebaran's torso; x
forward, y left, z up. All link frames are parallel to it at q = 0 and lie on their
joint. Joints have Aldebaran's names and signs. One motor turns both HipYawPitch joints:
the right one follows the left one. LHand and RHand open the fingers, 0 closed, 1 rad
open. Cameras look along x of `camera_bottom` and `camera_top`. Tool: `l_sole`, the
ankle's projection onto the sole of the left foot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.registry import RobotSpec
from gelenk.models.catalog.shapes import shift, solid
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.robots.nao import bodies
from gelenk.typing import FloatArray

Vec3: TypeAlias = tuple[float, float, float]
Side: TypeAlias = Literal["left", "right"]

# -- lengths [m] -----------------------------------------------------------------------

NECK_HEIGHT = 0.2115  # hip axis to the head joints
HIP_WIDTH = 0.1  # between the hip joints
UPPER_LEG = 0.1  # hip to knee
LOWER_LEG = 0.1029  # knee to ankle
FOOT_HEIGHT = 0.04519  # ankle to sole
SHOULDER = (0.0, 0.098, 0.185)  # left
UPPER_ARM, ELBOW_OFFSET = 0.105, 0.015  # along x; outwards
LOWER_ARM = 0.05595  # elbow to wrist
HAND = (0.05775, 0.0, -0.01231)  # wrist to the middle of the hand
LOWER_CAMERA, LOWER_CAMERA_TILT = (0.05071, 0.0, 0.01774), 0.692895713  # [rad], down
UPPER_CAMERA, UPPER_CAMERA_TILT = (0.05871, 0.0, 0.06364), 0.020943951  # [rad], down


class JointData(NamedTuple):
    """Range and strength of a joint, NAO's sign.

    Attributes:
        lower, upper: Range of the left or only one [deg].
        right: Range of the right one [deg].
        speed: Largest [deg/s].
        torque: Largest [N m].
    """

    lower: float
    upper: float
    right: tuple[float, float]
    speed: float
    torque: float


JOINTS = {
    "HeadYaw": JointData(-119.5, 119.5, (-119.5, 119.5), 474.0, 1.547),
    "HeadPitch": JointData(-38.5, 29.5, (-38.5, 29.5), 412.0, 1.532),
    "ShoulderPitch": JointData(-119.5, 119.5, (-119.5, 119.5), 474.0, 1.329),
    "ShoulderRoll": JointData(-18.0, 76.0, (-76.0, 18.0), 412.0, 1.783),
    "ElbowYaw": JointData(-119.5, 119.5, (-119.5, 119.5), 474.0, 1.547),
    "ElbowRoll": JointData(-88.5, -2.0, (2.0, 88.5), 412.0, 1.532),
    "WristYaw": JointData(-104.5, 104.5, (-104.5, 104.5), 1410.8, 0.4075),
    "Hand": JointData(0.0, 57.29577951, (0.0, 57.29577951), 477.3, 0.292),
    "HipYawPitch": JointData(-65.62, 42.44, (-65.62, 42.44), 238.0, 3.348),
    "HipRoll": JointData(-21.74, 45.29, (-45.29, 21.74), 238.0, 3.348),
    "HipPitch": JointData(-88.0, 27.73, (-88.0, 27.73), 367.0, 3.023),
    "KneePitch": JointData(-5.29, 121.04, (-5.90, 121.47), 367.0, 3.023),
    "AnklePitch": JointData(-68.15, 52.86, (-67.97, 53.40), 367.0, 3.023),
    "AnkleRoll": JointData(-22.79, 44.06, (-44.06, 22.80), 238.0, 3.348),
}

# Mass [kg] and centre [m] in the link's frame; left side, y of the right one negated.
MASSES: dict[str, tuple[float, Vec3]] = {
    "torso": (1.04956, (-0.00413, 0.00009, 0.12842)),
    "neck": (0.06442, (-0.00001, 0.00014, -0.02742)),
    "head": (0.60533, (-0.00112, 0.00003, 0.05258)),
    "pelvis": (0.06981, (-0.00781, -0.01114, 0.02661)),
    "hip": (0.13053, (-0.01549, 0.00029, -0.00515)),
    "thigh": (0.38968, (0.00138, 0.00221, -0.05373)),
    "tibia": (0.29142, (0.00453, 0.00225, -0.04936)),
    "ankle_pitch": (0.13416, (0.00045, 0.00029, 0.00685)),
    "ankle": (0.16184, (0.02542, 0.0033, -0.03239)),
    "shoulder": (0.07504, (-0.00165, -0.02663, 0.00014)),
    "bicep": (0.15777, (0.02455, 0.00563, 0.0033)),
    "elbow": (0.06483, (-0.02744, 0.0, -0.00014)),
    "forearm": (0.07761, (0.02556, 0.00281, 0.00076)),
    "wrist": (0.17533, (0.03434, -0.00088, 0.00308)),
    "finger": (0.010, (0.02, 0.0, 0.0)),  # part of the hand's 185.33 g
}

_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def make_nao() -> RobotModel:
    """Return the NAO H25, standing: gravity along -z of the torso."""
    return assemble("nao", nao_links(), tool="l_sole")


def nao_links() -> tuple[Link, ...]:
    """Return the links of a NAO, as `assemble` takes them."""
    torso = _body("torso", bodies.torso(), mirrored=False)
    return (
        Link(name="torso", **torso),
        *_head(),
        *_arm("left"),
        *_arm("right"),
        *_leg("left"),
        *_leg("right"),
    )


def tilted(position: Sequence[float], tilt: float) -> FloatArray:
    """Return the pose at `position` [m] whose x axis looks down by `tilt` [rad]."""
    T = shift(*position)
    c, s = np.cos(tilt), np.sin(tilt)
    T[0, 0], T[0, 2], T[2, 0], T[2, 2] = c, s, -s, c
    return T


def _head() -> tuple[Link, ...]:
    neck = _moved("HeadYaw", "neck", "torso", (0.0, 0.0, NECK_HEIGHT), _Z)
    head = _moved("HeadPitch", "head", "neck", (0.0, 0.0, 0.0), _Y)
    lower = tilted(LOWER_CAMERA, LOWER_CAMERA_TILT)
    upper = tilted(UPPER_CAMERA, UPPER_CAMERA_TILT)
    return (
        neck,
        head,
        Link(name="camera_bottom", parent="head", T_parent_joint=lower),
        Link(name="camera_top", parent="head", T_parent_joint=upper),
    )


def _arm(side: Side) -> tuple[Link, ...]:
    s = 1.0 if side == "left" else -1.0
    x, y, z = SHOULDER
    elbow = (UPPER_ARM, s * ELBOW_OFFSET, 0.0)
    at = (0.0, 0.0, 0.0)
    palm = (0.03, 0.0, -0.005)
    return (
        _moved("ShoulderPitch", "shoulder", "torso", (x, s * y, z), _Y, side),
        _moved("ShoulderRoll", "bicep", "shoulder", at, _Z, side),
        _moved("ElbowYaw", "elbow", "bicep", elbow, _X, side),
        _moved("ElbowRoll", "forearm", "elbow", at, _Z, side),
        _moved("WristYaw", "wrist", "forearm", (LOWER_ARM, 0.0, 0.0), _X, side),
        _moved("Hand", "finger", "wrist", palm, (0.0, -1.0, 0.0), side),
        Link(
            name=f"{side[0]}_hand",
            parent=f"{side[0]}_wrist",
            T_parent_joint=shift(*HAND),
        ),
    )


def _leg(side: Side) -> tuple[Link, ...]:
    s = 1.0 if side == "left" else -1.0
    at = (0.0, 0.0, 0.0)
    hip = (0.0, s * HIP_WIDTH / 2.0, 0.0)
    yaw_pitch = (0.0, 1.0, -s)
    knee, ankle = (0.0, 0.0, -UPPER_LEG), (0.0, 0.0, -LOWER_LEG)
    return (
        _moved("HipYawPitch", "pelvis", "torso", hip, yaw_pitch, side),
        _moved("HipRoll", "hip", "pelvis", at, _X, side),
        _moved("HipPitch", "thigh", "hip", at, _Y, side),
        _moved("KneePitch", "tibia", "thigh", knee, _Y, side),
        _moved("AnklePitch", "ankle_pitch", "tibia", ankle, _Y, side),
        _moved("AnkleRoll", "ankle", "ankle_pitch", at, _X, side),
        Link(
            name=f"{side[0]}_sole",
            parent=f"{side[0]}_ankle",
            T_parent_joint=shift(z=-FOOT_HEIGHT),
        ),
    )


def _moved(
    joint: str, body: str, parent: str, at: Vec3, axis: Vec3, side: Side | None = None
) -> Link:
    """Return the link that a joint carries; of one side, names get its letter."""
    data = JOINTS[joint]
    lower, upper = data.right if side == "right" else (data.lower, data.upper)
    shapes = getattr(bodies, body)()
    letter, prefix = ("", "") if side is None else (side[0].upper(), f"{side[0]}_")
    if parent != "torso":
        parent = f"{prefix}{parent}"
    follows = "LHipYawPitch" if (letter, joint) == ("R", "HipYawPitch") else None
    home = np.deg2rad(np.clip(0.0, lower, upper))
    return Link(
        name=f"{prefix}{body}",
        parent=parent,
        joint=f"{letter}{joint}",
        joint_type=JointType.REVOLUTE,
        T_parent_joint=shift(*at),
        axis=axis,
        lower=float(np.deg2rad(lower)),
        upper=float(np.deg2rad(upper)),
        max_velocity=float(np.deg2rad(data.speed)),
        max_effort=data.torque,
        mimic=follows,
        home=float(home),
        **_body(body, shapes, mirrored=side == "right"),
    )


def _body(name: str, shapes: tuple[Geometry, ...], *, mirrored: bool) -> dict[str, Any]:
    """Return mass, centre, inertia and shapes of a body as keywords of a `Link`."""
    mass, (x, y, z) = MASSES[name]
    if mirrored:
        y = -y
        shapes = tuple(bodies.mirrored(shape) for shape in shapes)
    touched = [shape for shape in shapes if shape.role == "collision"]
    filled, _, inertia = solid(touched or shapes, 1.0)
    return {
        "mass": mass,
        "com": (x, y, z),
        "inertia": inertia * (mass / filled),
        "geometry": shapes,
    }


SPEC = RobotSpec(
    name="nao",
    title="NAO H25, humanoid with 25 motors",
    joints="R" * 25,
    provenance=(
        "Aldebaran NAO H25 V4 (lengths, ranges, speeds); ros-naoqi/nao_robot (arms' "
        "masses, torques); B-Human 2013 (masses of torso, head, legs)"
    ),
    make=make_nao,
)
