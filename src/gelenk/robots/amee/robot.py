"""AMEE, the four-legged rescue robot: torso, four identical legs of four joints.

- Leg lengths: reach of 665 mm below and 440 mm above the hip (Ruhnke 2011 §3.3.3);
  their split between thigh and shank is printed nowhere and chosen here.
- Masses: table 2-1 of the thesis, but 4.6 kg per leg (§3.3.3) instead of 4.8 kg; what
  is missing stays in the torso, so that the whole weighs 35.6 kg. Distribution inside
  of a leg, places inside of the torso, hip spacing and foot pad: chosen.
- Ranges: A by its cables (§5.3.1.9), others chosen. Speed and torque of the drive:
  table 3-1 (21 rpm, 22 N m at 12 V).

Root `torso`: origin amid the four hips at the height of the pitch axes; x forward, y
left, z up. Legs 1 front right, 2 front left, 3 rear left, 4 rear right. Joints of leg
k: `Ak` yaw about z, positive to the left; `Bk`, `Ck` pitch, 0 with thigh and shank
straight ahead, positive upwards; `Dk` 0 with the foot folded onto the shank. The foot
is level at D = pi + B + C. `thigh_k` and `shank_k` have x along the bone; `foot_k` lies
on the ankle's axis with x towards the toes; `sole_k` in the middle of the pad's
underside; `toe_k_fl` and its like where the four toes press. Tool: `sole_1`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.registry import RobotSpec
from gelenk.models.catalog.shapes import (
    BLUE,
    DARK,
    GREEN,
    GREY,
    ORANGE,
    WHITE,
    box,
    capsule,
    cylinder,
    shift,
    solid,
)
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray

Vec3: TypeAlias = tuple[float, float, float]

# -- lengths [m] -----------------------------------------------------------------------

THIGH = 0.280  # axis B to axis C; chosen split of 552.5 mm
SHANK = 0.2725  # axis C to axis D
ANKLE_HEIGHT = 0.1125  # axis D to sole: half of 665 - 440
ANKLE_OFFSET = 0.040  # axis D to the middle of the foot, forwards; chosen
HIP_SPACING = (0.700, 0.400)  # along x and y; chosen
PAD = (0.080, 0.060)  # half extents between the pressing points of the toes; chosen
TOE_RADIUS = 0.012
TOE_ROOT = 0.030  # from the middle of the foot to where a toe's edge begins
STANCE = 0.630  # hip over sole in the home pose; chosen

# -- masses [kg] -----------------------------------------------------------------------

TOTAL_MASS = 35.6
LEG_MASSES = {"shoulder": 0.7, "thigh": 2.2, "shank": 0.5, "foot": 1.2}  # 4.6
TORSO_PARTS: tuple[tuple[float, Vec3, Vec3], ...] = (  # mass, centre, size [m]
    (8.6, (-0.160, 0.0, 0.035), (0.175, 0.166, 0.125)),  # battery
    (3.0, (0.0, 0.0, 0.030), (0.640, 0.260, 0.130)),  # frame and covers
    (3.0, (0.380, 0.0, 0.150), (0.160, 0.140, 0.110)),  # head
    (1.5, (0.080, 0.0, 0.060), (0.200, 0.200, 0.060)),  # computers
    (1.1, (0.0, 0.0, 0.030), (0.700, 0.400, 0.080)),  # cables; rest of the 4.8 kg legs
)

# -- joints ----------------------------------------------------------------------------

RANGES = {  # [deg]
    "A": (-90.0, 90.0),
    "B": (-180.0, 90.0),
    "C": (0.0, 172.0),
    "D": (20.0, 275.0),
}
MAX_SPEED = 21.0 * math.pi / 30.0  # [rad/s], without load at 12 V
MAX_TORQUE = 22.0  # [N m], blocked at 12 V

LEGS = (1, 2, 3, 4)
TOES = ("fl", "fr", "rl", "rr")  # front left, front right, rear left, rear right
_YELLOW = (0.93, 0.78, 0.15, 1.0)
_RED = (0.80, 0.22, 0.20, 1.0)
_UP: Vec3 = (0.0, -1.0, 0.0)  # turns x towards z


def make_amee() -> RobotModel:
    """Return AMEE with its torso held.

    Example:
        >>> from gelenk.robots.amee import make_amee
        >>> len(make_amee().joint_names)
        16
    """
    return assemble("amee", amee_links(), tool="sole_1")


def amee_links(*, floats: bool = False) -> tuple[Link, ...]:
    """Return the links of AMEE, as `assemble` takes them.

    Args:
        floats: Whether the torso is free, not held.
    """
    torso = _torso()
    if floats:
        torso = replace(torso, joint="base", joint_type=JointType.FLOATING)
    return (torso, *(link for leg in LEGS for link in _leg(leg)))


def hip_position(leg: int) -> FloatArray:
    """Return where axes A and B of leg 1 to 4 cross, torso's axes [m], (3,)."""
    front = 1.0 if leg in (1, 2) else -1.0
    left = 1.0 if leg in (2, 3) else -1.0
    return np.array([front * HIP_SPACING[0] / 2.0, left * HIP_SPACING[1] / 2.0, 0.0])


def toe_position(toe: str) -> Vec3:
    """Return where a toe presses, in axes of the foot at its sole's middle [m]."""
    front = 1.0 if toe[0] == "f" else -1.0
    left = 1.0 if toe[1] == "l" else -1.0
    return front * PAD[0], left * PAD[1], 0.0


def standing_angles(height: float = STANCE, x: float = 0.0) -> FloatArray:
    """Return A, B, C, D of a leg whose level foot stands under its hip [rad], (4,).

    Args:
        height: Hip over sole [m].
        x: Middle of the foot in front of the hip [m].
    """
    ahead, up = x - ANKLE_OFFSET, ANKLE_HEIGHT - height
    reach = ahead**2 + up**2
    cosine = (reach - THIGH**2 - SHANK**2) / (2.0 * THIGH * SHANK)
    knee = np.arccos(np.clip(cosine, -1.0, 1.0))
    hip = np.arctan2(up, ahead) - np.arctan2(
        SHANK * np.sin(knee), THIGH + SHANK * np.cos(knee)
    )
    hip = np.arctan2(np.sin(hip), np.cos(hip))
    return np.array([0.0, hip, knee, np.pi + hip + knee])


def _torso() -> Link:
    shapes = [box(centre, size) for _, centre, size in TORSO_PARTS]
    masses = [mass for mass, _, _ in TORSO_PARTS]
    total = sum(masses)
    centres = np.array([centre for _, centre, _ in TORSO_PARTS])
    com = np.array(masses) @ centres / total
    inertia = np.zeros((3, 3))
    for mass, shape, centre in zip(masses, shapes, centres, strict=True):
        filled, _, own = solid([shape], 1.0)
        d = centre - com
        inertia += own * (mass / filled) + mass * (d @ d * np.eye(3) - np.outer(d, d))
    battery, frame, head, computers, _ = shapes
    return Link(
        name="torso",
        mass=total,
        com=com,
        inertia=inertia,
        geometry=(
            _touched(frame),
            _touched(head),
            replace(frame, rgba=GREY),
            replace(battery, rgba=DARK, size=(0.18, 0.27, 0.14)),
            replace(computers, rgba=WHITE, size=(0.22, 0.24, 0.14)),
            replace(head, rgba=ORANGE),
            capsule((0.30, 0.0, 0.08), (0.37, 0.0, 0.13), 0.03, DARK),
            *(
                cylinder((x, y, -0.05), (x, y, 0.08), 0.028, _RED)
                for x, y, _ in (hip_position(leg) for leg in LEGS)
            ),
            cylinder((0.35, -0.2, 0.05), (0.35, 0.2, 0.05), 0.02, GREY),
            cylinder((-0.35, -0.2, 0.05), (-0.35, 0.2, 0.05), 0.02, GREY),
        ),
    )


def _leg(k: int) -> tuple[Link, ...]:
    _, hip, knee, ankle = standing_angles()
    middle = (ANKLE_OFFSET, 0.0, -ANKLE_HEIGHT)
    folded = np.diag([-1.0, 1.0, -1.0, 1.0])  # x back along the shank
    folded[0, 3] = SHANK
    toes = (_toe(k, toe, middle) for toe in TOES)
    return (
        _moved("A", k, "shoulder", "torso", shift(*hip_position(k)), (0, 0, 1), 0.0),
        _moved("B", k, "thigh", f"shoulder_{k}", np.eye(4), _UP, hip),
        _moved("C", k, "shank", f"thigh_{k}", shift(x=THIGH), _UP, knee),
        _moved("D", k, "foot", f"shank_{k}", folded, (0.0, 1.0, 0.0), ankle),
        Link(name=f"sole_{k}", parent=f"foot_{k}", T_parent_joint=shift(*middle)),
        *toes,
    )


def _moved(
    joint: str, k: int, body: str, parent: str, T: FloatArray, axis: Vec3, home: float
) -> Link:
    mass, drawn = LEG_MASSES[body], _shapes()[body]
    filled, com, inertia = solid([s for s in drawn if s.role == "visual"], 1.0)
    lower, upper = np.deg2rad(RANGES[joint])
    return Link(
        name=f"{body}_{k}",
        parent=parent,
        joint=f"{joint}{k}",
        joint_type=JointType.REVOLUTE,
        T_parent_joint=T,
        axis=axis,
        mass=mass,
        com=com,
        inertia=inertia * (mass / filled),
        lower=float(lower),
        upper=float(upper),
        max_velocity=float(MAX_SPEED),
        max_effort=MAX_TORQUE,
        home=float(home),
        geometry=drawn,
    )


def _shapes() -> dict[str, tuple[Geometry, ...]]:
    """Return what is drawn, of even density, and what touches, by body."""
    thigh = box((THIGH / 2.0, 0.0, 0.0), (THIGH + 0.03, 0.055, 0.055), GREY)
    shank = box((SHANK / 2.0, 0.0, 0.0), (SHANK + 0.02, 0.045, 0.035), WHITE)
    instep = box((ANKLE_OFFSET, 0.0, -0.075), (0.12, 0.08, 0.04), DARK)
    drive = box((0.02, 0.0, -0.03), (0.10, 0.04, 0.05), GREY)
    ends = (0.0, 0.0, 0.0)
    return {
        "shoulder": (box(ends, (0.06, 0.075, 0.06), DARK),),
        "thigh": (
            thigh,
            _axle(0.0, 0.032, GREEN),
            _axle(THIGH, 0.030, BLUE),
            _touched(capsule((0.02, 0, 0), (THIGH, 0, 0), 0.035)),
        ),
        "shank": (shank, _touched(capsule((0.03, 0, 0), (SHANK, 0, 0), 0.025))),
        "foot": (
            instep,
            drive,
            _axle(0.0, 0.026, _YELLOW),
            _touched(
                replace(
                    instep,
                    size=(0.14, 0.09, 0.045),
                    T_link_geometry=shift(ANKLE_OFFSET, 0.0, -0.080),
                )
            ),
        ),
    }


def _axle(x: float, radius: float, rgba: tuple[float, float, float, float]) -> Geometry:
    return cylinder((x, -0.035, 0.0), (x, 0.035, 0.0), radius, rgba)


def _toe(k: int, toe: str, middle: Vec3) -> Link:
    """Return a toe: a link without mass whose edge presses on the ground.

    It reaches from the foot's axle to its tip; its frame lies where the tip presses.
    """
    x, y, _ = toe_position(toe)
    root = (TOE_ROOT - PAD[0]) * np.sign(x)
    edge = capsule((root, 0, TOE_RADIUS), (0, 0, TOE_RADIUS), TOE_RADIUS, ORANGE)
    return Link(
        name=f"toe_{k}_{toe}",
        parent=f"foot_{k}",
        T_parent_joint=shift(middle[0] + x, middle[1] + y, middle[2]),
        geometry=(_touched(edge), replace(edge, rgba=DARK)),
    )


def _touched(shape: Geometry) -> Geometry:
    return replace(shape, role="collision", rgba=None)


SPEC = RobotSpec(
    name="amee",
    title="AMEE, four legs of four joints",
    joints="R" * 16,
    provenance=(
        "Ruhnke 2011 §2.4.2, §3.3 (reach, masses, drives); split of the lengths, "
        "hip spacing, foot pad and ranges of B, C, D chosen here"
    ),
    make=make_amee,
)
