"""Frames of the humanoid's walk: the body, planned feet, the zero-moment point."""

from __future__ import annotations

import numpy as np

from gelenk.course.film import Film
from gelenk.dynamics.balance import zmp_from_contacts
from gelenk.dynamics.walking import Walk
from gelenk.models.tree import RobotModel
from gelenk.sim.world import World
from gelenk.spatial.quaternion import quaternion_from_matrix

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
