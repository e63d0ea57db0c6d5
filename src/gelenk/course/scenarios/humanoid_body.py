"""The body of the humanoid scenario, and the frames of its walk."""

from __future__ import annotations

from typing import Any

import numpy as np

from gelenk.course.film import Film
from gelenk.dynamics.balance import zmp_from_contacts
from gelenk.dynamics.walking import Walk
from gelenk.kinematics.biped_leg import BipedLeg, leg_inverse
from gelenk.models.assembler import assemble
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.sim.world import World
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.typing import FloatArray

LEGS = BipedLeg(hip_offset=0.1), BipedLeg(hip_offset=-0.1)
ANKLE = 0.06  # above the sole [m]
HIP = 0.55  # above the ankles [m], knees bent
SOLE = (0.2, 0.12, 0.02)  # [m]
_KNUCKLE: dict[str, Any] = {
    "mass": 0.1,
    "inertia": 1e-4 * np.eye(3),
}  # between axes that meet


def humanoid_model(body_mass: float = 20.0) -> RobotModel:
    """Return body and legs; the body's origin lies between the hips.

    Args:
        body_mass: Of everything above the hips [kg].
    """
    size = np.array([0.2, 0.24, 0.3])
    links = [
        Link(
            name="body",
            joint_type=JointType.FLOATING,
            mass=body_mass,
            com=(0.0, 0.0, 0.2),
            inertia=_box(body_mass, size),
        )
    ]
    for name, leg in zip(("left", "right"), LEGS, strict=True):
        links += _leg(name, leg)
    return assemble("humanoid", links)


def joint_angles(centre: FloatArray, feet: FloatArray, ahead: float) -> FloatArray:
    """Return the twelve angles for a place of the mass and of both feet [rad].

    Args:
        centre: Of mass, seen from above [m], shape (2,).
        feet: Soles [m], shape (2, 3).
        ahead: Of the body's origin lies the mass [m].
    """
    body = np.array([centre[0] - ahead, centre[1], HIP + ANKLE])
    found: list[FloatArray] = []
    for leg, foot in zip(LEGS, feet, strict=True):
        found.append(leg_inverse(leg, _shifted(*(foot - body + [0.0, 0.0, ANKLE]))))
    return np.concatenate(found)


def _leg(name: str, leg: BipedLeg) -> list[Link]:
    sole = Geometry(
        kind="box",
        size=SOLE,
        T_link_geometry=_shifted(0.0, 0.0, -0.05),
        role="collision",
    )
    foot: dict[str, Any] = {
        "mass": 0.5,
        "com": (0.0, 0.0, -0.05),
        "inertia": _box(0.5, np.array(SOLE)),
        "geometry": (sole,),
    }
    x, y, z = np.eye(3)
    rows = (
        ("yaw", z, (0.0, leg.hip_offset, 0.0), _KNUCKLE),
        ("roll", x, (0.0, 0.0, 0.0), _KNUCKLE),
        ("thigh", y, (0.0, 0.0, 0.0), _bone(1.0, leg.thigh)),
        ("shank", y, (0.0, 0.0, -leg.thigh), _bone(0.8, leg.shank)),
        ("ankle", y, (0.0, 0.0, -leg.shank), _KNUCKLE),
        ("foot", x, (0.0, 0.0, 0.0), foot),
    )
    links: list[Link] = []
    parent = "body"
    for part, axis, place, inertia in rows:
        links.append(
            Link(
                name=f"{name}_{part}",
                parent=parent,
                joint_type=JointType.REVOLUTE,
                axis=axis,
                T_parent_joint=_shifted(*place),
                **inertia,
            )
        )
        parent = f"{name}_{part}"
    return links


def _bone(mass: float, length: float) -> dict[str, Any]:
    across = mass * length**2 / 12.0
    inertia = np.diag([across, across, mass * 0.03**2 / 2.0])
    return {"mass": mass, "com": (0.0, 0.0, -0.5 * length), "inertia": inertia}


def _box(mass: float, size: FloatArray) -> FloatArray:
    square = size**2
    return mass / 12.0 * np.diag(square.sum() - square)


def _shifted(x: float, y: float, z: float) -> FloatArray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


LEAST_LOAD = 1.0  # [N], below it there is no zero-moment point


class WalkFilm:
    """Takes the frames.

    Args:
        film: Takes frames.
        model: Of the walker.
        walk: As it was planned.
    """

    def __init__(self, film: Film, model: RobotModel, walk: Walk) -> None:
        self.film = film
        film.arm("walker", model)
        film.line("planned centre of mass", color="target")
        film.line("planned left sole", color="one")
        film.line("planned right sole", color="two")
        film.cloud("zero-moment point", color="measured", radius=0.012)
        flat = np.zeros((len(walk.centre), 3))
        flat[:, :2] = walk.centre[:, 0]
        self._plan = {
            "planned centre of mass": flat,
            "planned left sole": walk.feet[:, 0],
            "planned right sole": walk.feet[:, 1],
        }

    def shoot(self, time: float, world: World) -> None:
        """Take a frame of the world at a time [s], if one is due."""
        if not self.film.wants(time):
            return
        T = world.pose("walker/body")
        base = [*T[:3, 3], *quaternion_from_matrix(T[:3, :3])]
        contacts = world.contacts()
        loads = np.array([abs(float(contact.force[2])) for contact in contacts])
        zmp = np.zeros((0, 3))
        if loads.sum() > LEAST_LOAD:
            points = np.array([contact.position[:2] for contact in contacts])
            zmp = np.array([[*zmp_from_contacts(points, loads), 0.005]])
        self.film.shoot(
            time,
            joints={"walker": [*base, *world.joint_positions("walker")[-12:]]},
            lines=self._plan,
            clouds={"zero-moment point": zmp},
            curves={"height of the body [m]": float(T[2, 3])},
            text="walks by its zero-moment point",
        )
