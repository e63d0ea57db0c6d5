"""People as cameras see them: head, trunk, arms and legs of capsules."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray


class Limb(NamedTuple):
    """A capsule.

    Attributes:
        start, end: Of its axis [m].
        radius: [m].
        albedo: 0 (black) to 1 (white).
    """

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radius: float
    albedo: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who stands somewhere.

    Attributes:
        position: On the floor, x and y in the world [m].
        height: [m].
        facing: Direction of the face from the world's x axis [rad].
        shirt, trousers, skin: Albedos.
        raised: How far the arms are raised, 0 (hanging) to 1 (up).
    """

    position: tuple[float, float]
    height: float = 1.75
    facing: float = -math.pi / 2.0
    shirt: float = 0.25
    trousers: float = 0.15
    skin: float = 0.55
    raised: float = 0.0

    def __post_init__(self) -> None:
        if not (len(self.position) == 2 and all(map(math.isfinite, self.position))):
            raise ConfigError(f"Person: `position` must be x and y: {self.position}")
        if not 0.5 <= self.height <= 2.5:
            raise ConfigError(f"Person: `height` must be in 0.5..2.5 m: {self.height}")

    def limbs(self) -> tuple[Limb, ...]:
        """Return the capsules, world axes."""
        H = self.height
        left = np.array([-math.sin(self.facing), math.cos(self.facing), 0.0])
        ahead = np.array([math.cos(self.facing), math.sin(self.facing), 0.0])
        foot = np.array([*self.position, 0.0])

        def at(side: float, up: float, forward: float = 0.0) -> FloatArray:
            return foot + H * (side * left + forward * ahead) + [0.0, 0.0, H * up]

        limbs = [
            (at(0.0, 0.93), at(0.0, 0.935), 0.065, self.skin),
            (at(0.0, 0.56), at(0.0, 0.76), 0.095, self.shirt),
            (at(-0.07, 0.78), at(0.07, 0.78), 0.045, self.shirt),
        ]
        down = math.pi * (1.0 - self.raised)
        for side in (-1.0, 1.0):
            reach = 0.19 * math.sin(down) + 0.02
            elbow = at(side * (0.12 + 0.02), 0.79 + 0.18 * math.cos(down), reach)
            hand = at(side * 0.13, 0.79 + 0.34 * math.cos(down), 1.7 * reach)
            shoulder = at(side * 0.12, 0.79)
            limbs.append((shoulder, elbow, 0.028, self.shirt))
            limbs.append((elbow, hand, 0.024, self.skin))
            limbs.append((at(side * 0.05, 0.5), at(side * 0.06, 0.04), 0.05,
                          self.trousers))  # fmt: skip
        return tuple(
            Limb(tuple(a.tolist()), tuple(b.tolist()), r * H, albedo)
            for a, b, r, albedo in limbs
        )
