"""What all geoms share: contact properties, groups, colour, and what was placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.sim.bridge.engine import (
    NUM_USER,
    USER_FLIGHT_RESISTANCE,
    USER_RESISTANCE,
    USER_RESTITUTION,
)
from gelenk.sim.surface import ContactGroup, Surface

# Group: (own bit, bits of the groups that it looks for). MuJoCo lets two geoms touch if
# either looks for the other, so every rule is written on both sides.
CONTACT_BITS: dict[ContactGroup, tuple[int, int]] = {
    "world": (1, 2 | 4),
    "object": (2, 1 | 2 | 4 | 8),
    "robot": (4, 1 | 2 | 4),
    "touch": (8, 2),
    "none": (0, 0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JointStart:
    """Where a joint begins, in MuJoCo's own coordinates.

    Attributes:
        joint: Name.
        qpos, qvel: Values for the addresses of the joint.
    """

    joint: str
    qpos: tuple[float, ...]
    qvel: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Names under which an object stands in the engine.

    Attributes:
        name: Of the object, also of its main body.
        bodies, geoms, joints: Names, the main body first.
        start: Coordinates of its joints at the start.
    """

    name: str
    bodies: tuple[str, ...]
    geoms: tuple[str, ...]
    joints: tuple[str, ...] = ()
    start: tuple[JointStart, ...] = ()


def dress_geom(
    spec: Any, geom: Any, surface: Surface, *, group: ContactGroup, condim: int = 4
) -> None:
    """Give a geom its contact properties and colour.

    Args:
        spec: Specification whose defaults say how stiff contacts are.
        geom: The geom.
        surface: Properties.
        group: Contact group if the surface names none.
        condim: Contact directions if the surface names none.
    """
    contype, conaffinity = CONTACT_BITS[surface.group or group]
    geom.contype, geom.conaffinity = contype, conaffinity
    geom.condim = surface.condim or condim
    geom.friction = (surface.friction, surface.torsion, surface.rolling)
    geom.priority = surface.priority
    geom.solref, geom.solimp = spec.default.geom.solref, spec.default.geom.solimp
    geom.margin = geom.gap = 0.0
    geom.rgba = surface.rgba
    user = np.zeros(NUM_USER)
    user[USER_RESTITUTION] = (
        -1.0 if surface.restitution is None else surface.restitution
    )
    user[USER_RESISTANCE] = surface.rolling_resistance
    user[USER_FLIGHT_RESISTANCE] = surface.flight_resistance
    geom.userdata = user


def apply_start(model: Any, data: Any, placed: Placed) -> None:
    """Write the start of an object into `data.qpos` and `data.qvel`."""
    for start in placed.start:
        joint = model.joint(start.joint)
        adr, dof = int(joint.qposadr[0]), int(joint.dofadr[0])
        data.qpos[adr : adr + len(start.qpos)] = start.qpos
        data.qvel[dof : dof + len(start.qvel)] = start.qvel
