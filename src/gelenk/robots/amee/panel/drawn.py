"""Measurements of a walking AMEE, and what is drawn into the world around it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.geometry.support_polygons import support_polygon
from gelenk.robots.amee.config import NUM_LEGS
from gelenk.robots.amee.coordinator.balance import torso_point
from gelenk.robots.amee.coordinator.desk import Desk
from gelenk.robots.amee.truth import Moment
from gelenk.robots.amee.world import NUM_JOINTS, ROBOT, AmeeWorld
from gelenk.runtime.panel import (
    Color,
    Overlay,
    WorldArrows,
    WorldPath,
    WorldPoints,
    WorldPolygon,
    WorldSpheres,
    WorldTexts,
)
from gelenk.sim.appearance import compiled_world_of
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
    state = compiled_world_of(place.world).banks.motors.state
    return state[:NUM_JOINTS, column].reshape(NUM_LEGS, -1)


SAFE, NEAR = 0.030, 0.0  # [m], margins from which the polygon is green, then yellow
FORCE_SCALE = 2e-3  # [m/N]
LIFTED = 0.004  # [m], so that the polygon does not lie in the ground
LEG_COLORS: tuple[Color, ...] = ("one", "two", "three", "four")
TRAIL = 40  # places of each foot
LABEL = 0.2  # [m], over the soles


def support(look: Look) -> Iterator[Overlay]:
    """Draw the support polygon, the weight, and where its vertical meets the ground."""
    moment = look.moment
    if not len(moment.points):
        return
    margin = moment.margin
    color = "good" if margin >= SAFE else "warning" if margin >= NEAR else "bad"
    corners = look.polygon()
    if len(corners) >= 3:
        yield WorldPolygon(
            name="support polygon",
            corners=corners + np.array((0.0, 0.0, LIFTED)),
            color=color,
            opacity=0.35,
        )
    x, y, z = moment.com.tolist()
    ground = float(moment.points[:, 2].mean()) + LIFTED
    yield WorldPath(name="plumb line", at=[(x, y, z), (x, y, ground)], color="target")
    yield WorldSpheres(
        name="centre of mass",
        centers=[(x, y, z), (x, y, ground)],
        radii=[0.03, 0.018],
        color="target",
        opacity=0.9,
    )


def forces(look: Look) -> Iterator[Overlay]:
    """Draw what the toes bear."""
    moment = look.moment
    if len(moment.points):
        up = np.zeros((len(moment.forces), 3))
        up[:, 2] = FORCE_SCALE * moment.forces
        yield WorldArrows(
            name="foot forces (0.2 m is 100 N)", starts=moment.points, vectors=up
        )


def believed(desk: Desk, T_world_torso: FloatArray) -> Iterator[Overlay]:
    """Draw where the main controller believes the standing feet."""
    places = [
        T_world_torso[:3, :3] @ torso_point(leg, view.foot) + T_world_torso[:3, 3]
        for leg, view in enumerate(desk.legs)
        if view.stands
    ]
    if places:
        yield WorldPoints(
            name="feet as believed", at=places, radius=0.016, color="model"
        )


def labels(look: Look, words: Sequence[str]) -> Iterator[Overlay]:
    """Write beside each foot what its leg does."""
    yield WorldTexts(
        name="what legs do",
        at=look.soles + np.array((0.0, 0.0, LABEL)),
        texts=tuple(words),
    )


class Trails:
    """The last ways of the four feet, in the colours of the legs."""

    def __init__(self) -> None:
        self._places: list[deque[FloatArray]] = [
            deque(maxlen=TRAIL) for _ in LEG_COLORS
        ]
        self._time = 0.0

    def note(self, look: Look) -> None:
        """Take the present places; a robot that begins anew leaves its trails."""
        if look.moment.time < self._time:
            for own in self._places:
                own.clear()
        self._time = look.moment.time
        for own, sole in zip(self._places, look.soles, strict=True):
            if not own or np.abs(own[-1] - sole).max() > 0.004:
                own.append(sole)

    def drawn(self) -> Iterator[Overlay]:
        """Draw them."""
        for leg, own in enumerate(self._places):
            if len(own) > 1:
                yield WorldPath(
                    name=f"way of foot {leg + 1}",
                    at=list(own),
                    color=LEG_COLORS[leg],
                    opacity=0.7,
                )
