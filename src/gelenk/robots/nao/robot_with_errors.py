"""The NAO that a calibration believes in, and the one that is there.

`nominal_model` is the documented robot, `true_model` has the errors built in: its joint
values are the readings of the encoders, offsets are turns of its joints' frames. Both
wear sandals, whose mass loads the legs, and lie on their back: gravity along -x of the
torso.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import shift
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.robots.nao import config, sandal
from gelenk.robots.nao import robot as nao
from gelenk.robots.nao.config import nominal_intrinsics as nominal_intrinsics
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.joints import BODY_JOINTS, LEG_JOINTS, SIDES, SIGNS, Side
from gelenk.spatial.so3 import rot_x, rot_y, rot_z, rotation_about
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

LYING_GRAVITY = (-config.GRAVITY, 0.0, 0.0)  # [m/s^2], torso's axes
BUMPER_RADIUS = 0.009  # [m]; they reach a little beyond the foot's box
_BUMPER = (0.07, 0.33, 0.68, 1.0)
_PLATE = (0.75, 0.76, 0.78, 1.0)


def nominal_model(*, sandals: bool = True) -> RobotModel:
    """Return the documented robot, lying; with sandals it has `l_sandal`, `r_sandal`.

    Args:
        sandals: Whether it wears them, exactly on its soles.

    Example:
        >>> from gelenk.robots.nao import nominal_model
        >>> "l_sandal" in nominal_model().link_names
        True
    """
    return _assemble(nao.nao_links(), NaoErrors(), sandals=sandals)


def true_model(
    errors: NaoErrors, *, sandals: bool = True, floats: bool = False
) -> RobotModel:
    """Return the robot with its errors, lying.

    Joint values are readings; `camera_bottom`, `l_sandal` and `r_sandal` are where they
    really are. Compliance and play belong to its drives, see `drives.servo_motors`.

    Args:
        errors: What is wrong.
        sandals: Whether it wears them.
        floats: Whether the torso is free, not held.
    """
    turns = joint_offsets(errors)
    lengths = _lengths(errors)
    links: list[Link] = []
    for link in nao.nao_links():
        T = np.array(link.T_parent_joint)
        if link.name in lengths:
            T[:3, 3] += lengths[link.name]
        if link.joint in turns:
            T[:3, :3] = T[:3, :3] @ rotation_about(
                np.asarray(link.axis), turns[link.joint]
            )
        if link.name == "camera_bottom":
            T[:3, 3] += errors.camera_position
            yaw, pitch, roll = errors.camera
            T[:3, :3] = T[:3, :3] @ rot_y(pitch) @ rot_x(roll) @ rot_z(yaw)
        links.append(replace(link, T_parent_joint=T))
    if floats:
        links[0] = replace(links[0], joint_type=JointType.FLOATING)
    return _assemble(links, errors, sandals=sandals)


def rest_body() -> FloatArray:
    """Return the body vector at rest [rad], (22,): lying, arms beside, legs apart."""
    arm, leg = config.LYING_ARMS, config.PARKED_LEG
    return np.deg2rad((0.0, 0.0, *arm, *arm, *leg, *leg))


def true_intrinsics(errors: NaoErrors) -> Intrinsics:
    """Return what the lens of the lower camera really does."""
    k = nominal_intrinsics()
    return replace(
        k,
        fx=k.fx * errors.focal_scale,
        fy=k.fy * errors.focal_scale,
        cx=k.cx + errors.centre[0],
        cy=k.cy + errors.centre[1],
        distortion=errors.distortion,
    )


def joint_offsets(errors: NaoErrors) -> Mapping[str, float]:
    """Return the offsets that are not 0 by joint [rad], in NAO's signs."""
    offsets = np.zeros(len(BODY_JOINTS))
    offsets[:2] = errors.neck
    for side in SIDES:
        first = BODY_JOINTS.index(LEG_JOINTS[side][0])
        offsets[first : first + 6] = getattr(errors, side)
    signed = SIGNS * offsets
    return {j: float(x) for j, x in zip(BODY_JOINTS, signed, strict=True) if x != 0.0}


def _lengths(errors: NaoErrors) -> dict[str, FloatArray]:
    """Return the shift of each link in its parent [m]."""
    wrong = errors.links
    shifts = {"neck": (0.0, 0.0, wrong.neck)}
    for side in SIDES:
        letter, outwards = side[0], 1.0 if side == "left" else -1.0
        hip = outwards * getattr(wrong, f"{side}_hip")
        shifts[f"{letter}_pelvis"] = (0.0, hip, 0.0)
        shifts[f"{letter}_tibia"] = (0.0, 0.0, -getattr(wrong, f"{side}_thigh"))
        shifts[f"{letter}_ankle_pitch"] = (0.0, 0.0, -getattr(wrong, f"{side}_tibia"))
        shifts[f"{letter}_sole"] = (0.0, 0.0, -getattr(wrong, f"{side}_foot"))
    return {link: np.array(p) for link, p in shifts.items()}


def _assemble(
    links: list[Link] | tuple[Link, ...], errors: NaoErrors, *, sandals: bool
) -> RobotModel:
    worn = [_sandal(side, errors) for side in SIDES] if sandals else []
    return assemble(
        "nao",
        [*links, *_bumpers(), *worn],
        tool="l_sole",
        gravity=LYING_GRAVITY,
    )


def _bumpers() -> list[Link]:
    """Return the four bumpers, links without mass that can be pressed."""
    touched = Geometry(kind="sphere", size=(BUMPER_RADIUS,), role="collision")
    drawn = Geometry(kind="sphere", size=(0.8 * BUMPER_RADIUS,), rgba=_BUMPER)
    return [
        Link(
            name=f"{side[0]}_bumper_{name}",
            parent=f"{side[0]}_ankle",
            T_parent_joint=shift(*config.BUMPERS[side][name]),
            geometry=(touched, drawn),
        )
        for side in SIDES
        for name in SIDES
    ]


def _sandal(side: Side, errors: NaoErrors) -> Link:
    """Return a sandal as a link of its own, fixed to the sole."""
    cfg = sandal.SandalCfg()
    plate, tongue = sandal.plate_boxes(cfg)
    mass, com, inertia = sandal.inertial(cfg)
    boxes = [
        Geometry(kind="box", size=size, T_link_geometry=shift(*at), role="collision")
        for at, size in (plate, tongue)
    ]
    at, size = tongue
    drawn = Geometry(kind="box", size=size, T_link_geometry=shift(*at), rgba=_PLATE)
    return Link(
        name=f"{side[0]}_sandal",
        parent=f"{side[0]}_sole",
        T_parent_joint=sandal.mounting(
            getattr(errors, f"{side}_board"), getattr(errors, f"{side}_tilt")
        ),
        mass=mass,
        com=com,
        inertia=inertia,
        geometry=(*boxes, drawn),
    )
