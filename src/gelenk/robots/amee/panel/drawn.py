"""What is drawn into the world around a walking AMEE."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np

from gelenk.robots.amee.coordinator.balance import torso_point
from gelenk.robots.amee.coordinator.desk import Desk
from gelenk.robots.amee.panel.gauges import Look
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
from gelenk.typing import FloatArray

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
