"""Light in which a NAO looks at its feet: four scenes after a luxmeter.

The scenes are those of Kastner 2014 (lights off 45 lx; half lit, 105 lx in the dark and
290 lx in the bright part; all lights on 711 lx). A camera adapts to the light as far as
it can: what is left is a darker image, and noise that grows with the gain.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gelenk.errors import NameNotFoundError
from gelenk.sim.cameras.description import Light
from gelenk.sim.fixed_objects import Box

# [m], world: the lamp hangs above and behind the head and shines at the feet, which
# look at it; the pole stands between them, where no camera sees it.
_LAMP = (-2.0, 0.4, 0.9)
_FEET = (0.25, 0.0, 0.25)
_SIDE_LAMP = (-0.5, 1.1, 0.9)
LEAN = (math.cos(0.13), -math.sin(0.13), 0.0, 0.0)  # of the pole, 15 deg


@dataclass(frozen=True, slots=True, kw_only=True)
class LightScene:
    """How a scene is lit, and what the cameras make of it.

    Attributes:
        name: Such as "711lx".
        ambient: Light from everywhere, 1: white paper is just white.
        lamp: Light of the lamp on what faces it, likewise.
        glare: Light of a lamp from the side, whose brightness falls off across a board.
        shadow: Whether a pole casts the shadow of its edges across the boards; where it
            falls, only `ambient` is left.
        gain: Of the cameras' sensors; their noise grows with it.
    """

    name: str
    ambient: float
    lamp: float
    glare: float = 0.0
    shadow: bool = False
    gain: float = 1.0

    @property
    def step(self) -> float:
        """Brightness of a board that faces the lamp over that in its shadow."""
        return (self.ambient + self.lamp) / self.ambient

    def lights(self) -> tuple[Light, ...]:
        """Return the lamps."""
        black = (0.0, 0.0, 0.0)
        lights = [
            Light(
                name="room",
                direction=(0.6, -0.2, -1.0),
                diffuse=_gray(0.15 * self.ambient),
                ambient=_gray(0.9 * self.ambient),
                specular=black,
                casts_shadows=False,
            ),
            Light(
                name="lamp",
                kind="spot",
                position=_LAMP,
                direction=_towards(_LAMP, _FEET),
                cutoff=0.45,
                diffuse=_gray(self.lamp),
                specular=black,
                casts_shadows=self.shadow,
            ),
        ]
        if self.glare:
            lights.append(
                Light(
                    name="side lamp",
                    kind="spot",
                    position=_SIDE_LAMP,
                    direction=_towards(_SIDE_LAMP, _FEET),
                    cutoff=0.6,
                    diffuse=_gray(self.glare),
                    specular=black,
                    casts_shadows=False,
                )
            )
        return tuple(lights)

    def walls(self) -> tuple[Box, ...]:
        """Return wall and ceiling, so that what is behind the feet is lit as they are.

        In the light stands a pole, whose shadow is 0.1 m wide at the feet.

        It leans a little, so that its edges run askew across the boards, the right one
        across the right board and the left one across the left.
        """
        paint = (0.62, 0.63, 0.60, 1.0)
        room = (
            Box(
                name="wall",
                size=(0.1, 8.0, 4.0),
                position=(3.0, 0.0, 1.5),
                group="none",
                rgba=paint,
            ),
            Box(
                name="ceiling",
                size=(8.0, 8.0, 0.1),
                position=(0.0, 0.0, 2.8),
                group="none",
                rgba=paint,
            ),
        )
        if not self.shadow:
            return room
        share = 0.5  # of the way from the lamp to the feet
        way = _towards(_LAMP, _FEET)
        place = (
            _LAMP[0] + share * way[0],
            _LAMP[1] + share * way[1],
            _LAMP[2] + share * way[2],
        )
        return (
            *room,
            Box(
                name="pole",
                size=(0.01, 0.05, 1.2),
                position=place,
                quat=LEAN,
                group="none",
                rgba=(0.3, 0.3, 0.3, 1.0),
            ),
        )


_SCENES = (
    LightScene(name="45lx", ambient=0.36, lamp=0.06, gain=4.0),
    LightScene(name="105lx", ambient=0.2, lamp=0.8, shadow=True, gain=2.0),
    LightScene(name="290lx", ambient=0.32, lamp=0.6, glare=0.1, shadow=True, gain=1.5),
    LightScene(name="711lx", ambient=0.45, lamp=0.45, glare=0.15),
)
SCENES = {scene.name: scene for scene in _SCENES}


def light_scene(name: str) -> LightScene:
    """Return a scene by its name.

    Raises:
        NameNotFoundError: If there is no such scene.
    """
    if name not in SCENES:
        raise NameNotFoundError("light scene", name, SCENES)
    return SCENES[name]


def _gray(level: float) -> tuple[float, float, float]:
    return level, level, level


def _towards(
    a: tuple[float, float, float], b: tuple[float, float, float]
) -> tuple[float, float, float]:
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]
