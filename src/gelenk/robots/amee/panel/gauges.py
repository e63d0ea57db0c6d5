"""What can be measured of an AMEE in its world, for the eyes of onlookers only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.geometry.support_polygons import support_polygon
from gelenk.robots.amee.config import NUM_LEGS
from gelenk.robots.amee.truth import Moment
from gelenk.robots.amee.world import NUM_JOINTS, ROBOT, AmeeWorld
from gelenk.sim.appearance import plant_of
from gelenk.sim.motors.bank import CURRENT, TEMPERATURE
from gelenk.typing import FloatArray, IntArray

SOLES = tuple(f"{ROBOT}/sole_{leg + 1}" for leg in range(NUM_LEGS))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """How a robot stands.

    Attributes:
        moment: What the judge sees.
        soles: Middles of the soles, world [m], (4, 3).
        owners: Leg of each bearing point, (n,).
        forces: Normal force on each foot [N], (4,).
    """

    moment: Moment
    soles: FloatArray
    owners: IntArray
    forces: FloatArray

    def polygon(self) -> FloatArray:
        """Return the corners of the support polygon, world [m], (k, 3)."""
        points = self.moment.points
        corners = support_polygon(points[:, :2])
        nearest = [
            int(np.argmin(np.abs(points[:, :2] - corner).sum(axis=1)))
            for corner in corners
        ]
        return points[nearest]


def look(place: AmeeWorld) -> Look:
    """Return how the robot stands now."""
    moment = place.truth.look()
    soles = np.array([place.world.pose(name)[:3, 3] for name in SOLES])
    gaps = np.linalg.norm(moment.points[:, None, :] - soles[None], axis=2)
    owners = np.argmin(gaps, axis=1) if len(gaps) else np.zeros(0, dtype=np.int64)
    forces = np.zeros(NUM_LEGS)
    np.add.at(forces, owners, moment.forces)
    return Look(moment=moment, soles=soles, owners=owners, forces=forces)


def temperatures(place: AmeeWorld) -> FloatArray:
    """Return how warm the drives are [K], (4, 4): legs, joints."""
    return _column(place, TEMPERATURE)


def currents(place: AmeeWorld) -> FloatArray:
    """Return the currents in the windings [A], (4, 4): legs, joints."""
    return np.abs(_column(place, CURRENT))


def _column(place: AmeeWorld, column: int) -> FloatArray:
    state = plant_of(place.world).banks.motors.state
    return state[:NUM_JOINTS, column].reshape(NUM_LEGS, -1)
