"""Exercises on ArmBot's Simple Arm: where it is and how it moves.

The closed inverse is in `simple_arm_inverse`.
"""

from __future__ import annotations

import numpy as np

from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Case,
    Exercise,
    Function,
    Mistake,
)
from gelenk.spatial.plane_angles import rotation_xy, rotation_xz
from gelenk.spatial.so3 import rot_y
from gelenk.typing import FloatArray

Rng = np.random.Generator
X, Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
TEXT = """\
The Simple Arm stands on the origin. The stand, a segment along +z, turns about z; at
its upper end the femur swings in the vertical plane, at the femur's end the tibia. At
q = (0, 0, 0) femur and tibia lie along +x. Positive femur and tibia angles lift (turn
+x towards +z); the tibia angle counts from the direction of the femur: 0 is the
stretched arm."""
JOINTS = Argument(
    name="q",
    text="joint angles (stand, femur, tibia)",
    unit="rad",
    parts=("the stand angle", "the femur angle", "the tibia angle"),
)
LENGTHS = Argument(
    name="lengths",
    text="lengths (stand, femur, tibia)",
    unit="m",
    parts=("the stand length", "the femur length", "the tibia length"),
)
POSITION = Answer(
    text="the position (x, y, z) of the arm's end",
    shape=(3,),
    unit="m",
    parts=("x", "y", "z"),
)
SIGN_XZ = (
    "femur and tibia swing downwards for positive angles; here a positive angle lifts "
    "(+x turns towards +z), which is a right-handed rotation about MINUS y"
)


def forward(q: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return the position of the mount [m], shape (3,)."""
    stand, femur, tibia = lengths
    tail = femur * X + rotation_xz(q[2]) @ (tibia * X)
    return rotation_xy(q[0]) @ (stand * Z + rotation_xz(q[1]) @ tail)


def _downwards(q: FloatArray, lengths: FloatArray) -> FloatArray:
    stand, femur, tibia = lengths
    tail = femur * X + rot_y(q[2]) @ (tibia * X)
    return rotation_xy(q[0]) @ (stand * Z + rot_y(q[1]) @ tail)


def _in_plane(q: FloatArray, lengths: FloatArray) -> tuple[float, float]:
    """Return how far out and how high above the femur servo the end is."""
    _, femur, tibia = lengths
    both = q[1] + q[2]
    reach = femur * np.cos(q[1]) + tibia * np.cos(both)
    return reach, femur * np.sin(q[1]) + tibia * np.sin(both)


def _swapped_in_plane(q: FloatArray, lengths: FloatArray) -> FloatArray:
    reach, height = _in_plane(q, lengths)
    return np.array([height * np.cos(q[0]), height * np.sin(q[0]), lengths[0] + reach])


def _swapped_about_z(q: FloatArray, lengths: FloatArray) -> FloatArray:
    reach, height = _in_plane(q, lengths)
    return np.array([reach * np.sin(q[0]), reach * np.cos(q[0]), lengths[0] + height])


def _draw(rng: Rng) -> list[Case]:
    return [
        Case(
            args={
                "q": rng.uniform(-1.0, 1.0, 3) * (3.1, 1.5, 2.6),
                "lengths": rng.uniform(0.15, 0.45, 3),
            }
        )
        for _ in range(18)
    ]


SIMPLE_FORWARD = Exercise(
    name="simple-arm-forward",
    title="Where the end of the Simple Arm is for given joint angles.",
    task=TEXT,
    functions=(
        Function(
            name="forward",
            text="Return the position (x, y, z) of the end of the tibia.",
            arguments=(JOINTS, LENGTHS),
            answer=POSITION,
            solve=forward,
            draw=_draw,
            mistakes=(
                Mistake(
                    name="sign-xz",
                    cause=SIGN_XZ,
                    look="the signs of the sines in z",
                    instead=_downwards,
                ),
                Mistake(
                    name="stand-missing",
                    cause="the length of the stand is missing: the femur begins at its "
                    "upper end",
                    look="the sum for z",
                    instead=lambda q, lengths: forward(q, lengths * (0, 1, 1)),
                ),
                Mistake(
                    name="absolute-angle",
                    cause="the tibia angle is taken as if it counted from the horizon; "
                    "it counts from the femur, so the tibia points along femur + tibia",
                    look="cos(q[2]) and sin(q[2]) must be cos(q[1] + q[2]), "
                    "sin(q[1] + q[2])",
                    before=lambda args: args | {"q": args["q"] - (0, 0, args["q"][1])},
                ),
                Mistake(
                    name="tibia-difference",
                    cause="the tibia angle is subtracted from the femur angle; they "
                    "add up: both are positive upwards",
                    look="q[1] - q[2] must be q[1] + q[2]",
                    before=lambda args: args | {"q": args["q"] * (1, 1, -1)},
                ),
                Mistake(
                    name="sin-cos-swapped",
                    cause="sine and cosine of femur and tibia are swapped: at angle 0 "
                    "they lie along x, not upright",
                    look="the reach gets the cosines, the height the sines",
                    instead=_swapped_in_plane,
                ),
                Mistake(
                    name="sin-cos-swapped",
                    cause="sine and cosine of the stand angle are swapped: at 0 the "
                    "arm looks along x",
                    look="x gets cos(q[0]), y gets sin(q[0])",
                    instead=_swapped_about_z,
                ),
                Mistake(
                    name="missing-link",
                    cause="the femur is missing in the sum",
                    look="one term per segment in reach and height",
                    instead=lambda q, lengths: forward(q, lengths * (1, 0, 1)),
                ),
                Mistake(
                    name="missing-link",
                    cause="the tibia is missing in the sum",
                    look="one term per segment in reach and height",
                    instead=lambda q, lengths: forward(q, lengths * (1, 1, 0)),
                ),
                Mistake(
                    name="stand-ignored",
                    cause="the turn of the stand is missing: x and y are not those of "
                    "the turned plane",
                    look="x = reach * cos(q[0]), y = reach * sin(q[0])",
                    before=lambda args: args | {"q": args["q"] * (0, 1, 1)},
                ),
            ),
        ),
    ),
)


def _frames(q: FloatArray, lengths: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return axes and origins of the three servos, one per row."""
    R_stand = rotation_xy(q[0])
    sideways = R_stand @ np.array([0.0, -1.0, 0.0])
    knee = R_stand @ (lengths[0] * Z + rotation_xz(q[1]) @ (lengths[1] * X))
    return np.array([Z, sideways, sideways]), np.array([0.0 * Z, lengths[0] * Z, knee])


def jacobian(q: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return dp/dq [m/rad] of the mount in the body frame, shape (3, 3)."""
    axes, origins = _frames(q, lengths)
    return np.cross(axes, forward(q, lengths) - origins).T


def _femur_alone(q: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return the Jacobian of an arm whose tibia keeps its direction."""
    J = jacobian(q, lengths)
    return np.column_stack([J[:, 0], J[:, 1] - J[:, 2], J[:, 2]])


def _turned_back(q: FloatArray, lengths: FloatArray, *, stand_only: bool) -> FloatArray:
    R = rotation_xy(q[0])
    if not stand_only:
        R = R @ rotation_xz(q[1] + q[2])
    return R.T @ jacobian(q, lengths)


SIMPLE_JACOBIAN = Exercise(
    name="simple-arm-jacobian",
    title="How the end of the Simple Arm moves when its joints do: the 3 x 3 Jacobian.",
    task=TEXT + "\n\nThe Jacobian has one column per joint: J[:, i] is the derivative "
    "of (x, y, z) by q[i],\nin axes of the body (not of the turned arm). For a servo "
    "with axis w in the point o the\ncolumn is w x (p - o).",
    functions=(
        Function(
            name="jacobian",
            text="Return J with J @ qd = velocity of the end.",
            arguments=(JOINTS, LENGTHS),
            answer=Answer(text="the Jacobian J [m/rad]", shape=(3, 3), unit="m/rad"),
            solve=jacobian,
            draw=_draw,
            mistakes=(
                Mistake(
                    name="sign-xz",
                    cause="the columns of femur and tibia have the wrong sign: their "
                    "axis is MINUS y of the turned stand, since positive angles lift",
                    look="the axes of femur and tibia",
                    undo=lambda got, _: got * (1.0, -1.0, -1.0),
                ),
                Mistake(
                    name="wrong-frame",
                    cause="the Jacobian is expressed in axes of the tibia (tool "
                    "frame); axes of the body are asked for",
                    look="multiply by the rotation of the arm's end, R @ J",
                    instead=lambda q, lengths: _turned_back(
                        q, lengths, stand_only=False
                    ),
                ),
                Mistake(
                    name="wrong-frame",
                    cause="the Jacobian is expressed in axes that turn with the stand; "
                    "axes of the body are asked for",
                    look="the columns of femur and tibia need cos(q[0]) and sin(q[0])",
                    instead=lambda q, lengths: _turned_back(
                        q, lengths, stand_only=True
                    ),
                ),
                Mistake(
                    name="missing-cross",
                    cause="the columns are the axes of the joints (how the arm turns); "
                    "a position moves with axis x lever",
                    look="np.cross(axis, p - origin)",
                    instead=lambda q, lengths: _frames(q, lengths)[0].T,
                ),
                Mistake(
                    name="cross-order",
                    cause="the cross product is the wrong way round: axis x lever, not "
                    "lever x axis",
                    look="the order of the arguments of `np.cross`",
                    undo=lambda got, _: -got,
                ),
                Mistake(
                    name="lever",
                    cause="the lever arms all start in the origin; each must start in "
                    "its own servo: p - o",
                    look="np.cross(axis, p) must be np.cross(axis, p - origin)",
                    instead=lambda q, lengths: (
                        np.cross(_frames(q, lengths)[0], forward(q, lengths)).T
                    ),
                ),
                Mistake(
                    name="lever",
                    cause="the lever is the position of the servo; it must reach from "
                    "the servo to the end: p - o",
                    look="np.cross(axis, origin) must be np.cross(axis, p - origin)",
                    instead=lambda q, lengths: np.cross(*_frames(q, lengths)).T,
                ),
                Mistake(
                    name="chain-rule",
                    cause="the femur's column contains only the femur; the tibia is "
                    "carried along (the derivative of cos(q1 + q2) by q1 is not zero)",
                    look="the second column: femur AND tibia terms",
                    instead=_femur_alone,
                ),
                Mistake(
                    name="absolute-angle",
                    cause="the tibia angle is taken as if it counted from the horizon",
                    look="cos(q[2]) must be cos(q[1] + q[2]), likewise the sine",
                    before=lambda args: args | {"q": args["q"] - (0, 0, args["q"][1])},
                ),
                Mistake(
                    name="per-degree",
                    cause="these are derivatives per degree; per radian they are "
                    "180 / pi times as large",
                    look="the unit of the step or of the angles",
                    undo=lambda got, _: got * 180.0 / np.pi,
                ),
                Mistake(
                    name="stand-missing",
                    cause="the stand turns the whole arm about z; its column is zero "
                    "here",
                    look="the first column",
                    instead=lambda q, lengths: jacobian(q, lengths) * (0, 1, 1),
                ),
            ),
        ),
    ),
)
