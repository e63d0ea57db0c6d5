"""Grippers: the Franka hand, the Robotiq 2F-85, a suction cup.

Each has `base` on the flange it is mounted on, z away from it, and the tool `tcp` where
it holds things. `gelenk.dynamics.with_attached` mounts them on an arm:

    arm = with_attached(panda, "hand", franka_hand, prefix="gripper_")

**Franka hand**, from frankaemika/franka_ros, folder franka_description, as of 0.10:

- joints, ranges, speeds, forces, damping, boxes of the fingers, masses and inertias of
  hand and fingers: robots/common/hand.xacro and utils.xacro;
- `tcp`: `hand_tcp`, robots/common/franka_robot.xacro;
- housing: the box about meshes/collision/hand.stl above the flange.

`joint_1` is `finger_joint1` of the source: half of the width between the fingers.

**Robotiq 2F-85**, from ros-industrial/robotiq, robotiq_2f_85_gripper_visualization:

- joints, pads, range: urdf/robotiq_arg2f_85_macro.xacro, which gives each finger's
  four-bar linkage as joints that follow the first one; as the bars are parallel, the
  pads keep their direction, and that is exact but for the spring of the real fingers;
- housing: the box about meshes/collision/robotiq_arg2f_base_link.stl;
- 900 g, 20 to 235 N, 20 to 150 mm/s: Robotiq, 2F-85 & 2F-140 instruction manual,
  specifications. The largest force and speed are turned into those of `joint_1` by the
  longest lever of its motion. Fingers are bars of aluminium of a thickness chosen here;
  the housing has the rest of the mass, evenly.

**Suction cup**: dimensions chosen for Gelenk, on a flange of the size of ISO
9409-1-50-4-M6 (diameter 63 mm); one cup of 40 mm. No joint.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import (
    BLUE,
    DARK,
    DENSITY,
    GREY,
    WHITE,
    box,
    capsule,
    cylinder,
    moved,
    shift,
    solid,
)
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.spatial.se3 import pose_from_rotation_translation
from gelenk.spatial.so3 import rot_x, rot_z

# -- Franka hand --------------------------------------------------------------------

_HAND_MASS, _HAND_COM = 0.73, (-0.01, 0.0, 0.03)  # [kg], [m]
_HAND_INERTIA = (0.001, 0.0025, 0.0017)  # [kg m^2]
_HOUSING = ((-0.0316, -0.104, 0.0), (0.0316, 0.1004, 0.066))  # corners [m]
_FINGER_MASS, _FINGER_INERTIA = 0.015, (2.375e-6, 2.375e-6, 7.5e-7)
_FINGER_Z, _FINGER_STROKE = 0.0584, 0.04  # [m]
_FINGER_SPEED, _FINGER_FORCE, _FINGER_DAMPING = 0.2, 100.0, 0.3  # [m/s], [N], [N s/m]
_TCP_Z = 0.1034  # [m]
# Boxes of a finger: edges [m], centre [m], turn about x [rad].
_FINGER_BOXES = (
    ((0.022, 0.015, 0.020), (0.0, 0.0185, 0.011), 0.0),  # screw mount
    ((0.022, 0.0088, 0.0038), (0.0, 0.0068, 0.0022), 0.0),  # carriage
    ((0.0175, 0.007, 0.0235), (0.0, 0.0159, 0.02835), np.pi / 6.0),
    ((0.0175, 0.0152, 0.0185), (0.0, 0.00758, 0.04525), 0.0),  # rubber tip
)


def make_franka_hand() -> RobotModel:
    """Return the Franka hand; `joint_2` follows `joint_1`."""
    low, high = np.array(_HOUSING)
    centre, edges = (low + high) / 2.0, high - low
    x, y, z = centre.tolist()
    base = Link(
        name="base",
        mass=_HAND_MASS,
        com=_HAND_COM,
        inertia=np.diag(_HAND_INERTIA),
        geometry=(box((x, y, z), tuple(edges.tolist()), WHITE),),
    )
    left = _franka_finger("left_finger", 1.0)
    right = _franka_finger("right_finger", -1.0)
    tcp = Link(name="tcp", parent="base", T_parent_joint=shift(z=_TCP_Z))
    return assemble("franka_hand", [base, left, right, tcp], tool="tcp")


def _franka_finger(name: str, side: float) -> Link:
    shapes = [
        moved(
            box((0.0, 0.0, 0.0), edges, DARK if i == 3 else GREY),
            pose_from_rotation_translation(
                rot_x(side * turn), [centre[0], side * centre[1], centre[2]]
            ),
        )
        for i, (edges, centre, turn) in enumerate(_FINGER_BOXES)
    ]
    is_left = side > 0.0
    return Link(
        name=name,
        parent="base",
        joint="joint_1" if is_left else "joint_2",
        joint_type=JointType.PRISMATIC,
        T_parent_joint=shift(z=_FINGER_Z),
        axis=(0.0, side, 0.0),
        mass=_FINGER_MASS,
        inertia=np.diag(_FINGER_INERTIA),
        lower=0.0,
        upper=_FINGER_STROKE,
        max_velocity=_FINGER_SPEED,
        max_effort=_FINGER_FORCE,
        damping=_FINGER_DAMPING,
        home=_FINGER_STROKE,
        mimic=None if is_left else "joint_1",
        geometry=tuple(shapes),
    )


# -- Robotiq 2F-85 --------------------------------------------------------------------

_MASS, _GRIP_FORCE, _CLOSING_SPEED = 0.9, 235.0, 0.150  # [kg], [N], [m/s]
_BODY = (0.075, 0.0848, 0.09)  # [m]
_KNUCKLE = (0.0306011, 0.054904)  # y and z of the outer hinge [m]
_INNER_KNUCKLE = (0.0127, 0.06142)  # ... of the inner one
_ELBOW = (0.0315, -0.0041)  # end of the knuckle, in its own frame
_FINGER = (0.0061, 0.0471)  # hinge of the fingertip behind the elbow
_CLOSED = 0.8  # [rad]
_PAD = (0.022, 0.00635, 0.0375)  # [m]
_PAD_AT = (-0.0220203446692936, 0.03242)  # y and z of its middle in the fingertip
_BAR = 0.006  # [m], radius chosen


def make_robotiq_2f85() -> RobotModel:
    """Return the 2F-85; all joints follow `joint_1`, the left knuckle: 0 is open."""
    # Both hinges of a finger carry bars of this vector, which is its lever.
    lever = np.add(_ELBOW, _FINGER)
    links: list[Link] = []
    for side, turn in (("left", np.pi), ("right", 0.0)):
        links += _robotiq_finger(side, turn, lever)
    base_mass = _MASS - sum(link.mass for link in links)
    a, b, c = np.square(_BODY).tolist()
    base = Link(
        name="base",
        mass=base_mass,
        com=(0.0, 0.0, _BODY[2] / 2.0),
        inertia=base_mass / 12.0 * np.diag([b + c, a + c, a + b]),
        geometry=(box((0.0, 0.0, _BODY[2] / 2.0), _BODY, DARK),),
    )
    height = _KNUCKLE[1] + lever @ [np.sin(_CLOSED), np.cos(_CLOSED)] + _PAD_AT[1]
    tcp = Link(name="tcp", parent="base", T_parent_joint=shift(z=float(height)))
    return assemble("robotiq_2f85", [base, *links, tcp], tool="tcp")


def _robotiq_finger(side: str, turn: float, lever: np.ndarray) -> list[Link]:
    """Return knuckle, fingertip and inner knuckle of one side."""
    R = rot_z(turn)
    x, end = np.array([1.0, 0.0, 0.0]), np.array([0.0, *lever])
    elbow = np.array([0.0, *_ELBOW])
    length = float(np.linalg.norm(lever))
    limits = _CLOSING_SPEED / (2.0 * length), 2.0 * _GRIP_FORCE * length
    is_first = side == "left"
    first = "joint_1"
    knuckle = _bar(
        f"{side}_knuckle",
        parent="base",
        joint=first if is_first else "right_knuckle_joint",
        T=pose_from_rotation_translation(R, R @ np.array([0.0, *_KNUCKLE])),
        axis=x,
        shapes=(
            capsule(np.zeros(3), elbow, _BAR, GREY),
            capsule(elbow, end, _BAR, DARK),
        ),
        mimic=None if is_first else first,
        limits=limits,
    )
    pad_y, pad_z = _PAD_AT
    tip = _bar(
        f"{side}_finger",
        parent=f"{side}_knuckle",
        joint=f"{side}_finger_joint",
        T=shift(*end.tolist()),
        axis=-x,
        shapes=(
            capsule(np.zeros(3), (0.0, -0.01, 0.02), _BAR, GREY),
            box((0.0, pad_y + 0.008, pad_z), (0.015, 0.00965, 0.0375), GREY),
            box((0.0, pad_y, pad_z), _PAD, DARK),
        ),
        mimic=first,
        limits=limits,
    )
    inner = _bar(
        f"{side}_inner_knuckle",
        parent="base",
        joint=f"{side}_inner_knuckle_joint",
        T=pose_from_rotation_translation(R, R @ np.array([0.0, *_INNER_KNUCKLE])),
        axis=x,
        shapes=(capsule(np.zeros(3), end, _BAR, GREY),),
        mimic=first,
        limits=limits,
    )
    return [knuckle, tip, inner]


def _bar(
    name: str,
    *,
    parent: str,
    joint: str,
    T: np.ndarray,
    axis: np.ndarray,
    shapes: tuple[Geometry, ...],
    mimic: str | None,
    limits: tuple[float, float],
) -> Link:
    mass, com, inertia = solid(shapes, DENSITY)
    return Link(
        name=name,
        parent=parent,
        joint=joint,
        joint_type=JointType.REVOLUTE,
        T_parent_joint=T,
        axis=axis,
        mass=mass,
        com=com,
        inertia=inertia,
        lower=0.0,
        upper=_CLOSED,
        mimic=mimic,
        geometry=shapes,
        max_velocity=limits[0],
        max_effort=limits[1],
    )


# -- suction cup ----------------------------------------------------------------------

_FLANGE, _STEM, _CUP = (0.0315, 0.010), (0.008, 0.050), (0.020, 0.015)  # radius, length


def make_suction_cup() -> RobotModel:
    """Return the suction cup: `base` with its stem, `cup`, and `tcp` at its lip."""
    top, bottom = _FLANGE[1], _FLANGE[1] + _STEM[1]
    shapes = (
        cylinder((0, 0, 0), (0, 0, top), _FLANGE[0], GREY),
        cylinder((0, 0, top), (0, 0, bottom), _STEM[0], GREY),
    )
    mass, com, inertia = solid(shapes, DENSITY)
    base = Link(name="base", mass=mass, com=com, inertia=inertia, geometry=shapes)
    rubber = (cylinder((0, 0, 0), (0, 0, _CUP[1]), _CUP[0], BLUE),)
    mass, com, inertia = solid(rubber, 1200.0)  # [kg/m^3], of rubber
    cup = Link(
        name="cup",
        parent="base",
        T_parent_joint=shift(z=bottom),
        mass=mass,
        com=com,
        inertia=inertia,
        geometry=rubber,
    )
    tcp = Link(name="tcp", parent="cup", T_parent_joint=shift(z=_CUP[1]))
    return assemble("suction_cup", [base, cup, tcp], tool="tcp")
