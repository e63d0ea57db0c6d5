"""The rod bends: how far the sphere trails behind the joints, and how long it rings.

One bending mode for each joint, as a mass on a spring that the joint carries along:

    u'' + 2 d w u' + w^2 u = -a

with the sphere's deflection u [m] and the acceleration a that a stiff rod would give
it. The joints do not feel it: at 15 Hz the sphere pulls at a drive that is far stiffer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.robots.piggy import robot as unit
from gelenk.typing import ArrayLike, FloatArray

TUBE_SHARE = 33.0 / 140.0  # of a cantilever's own mass, felt at its end


@dataclass(frozen=True, slots=True, kw_only=True)
class RodCfg:
    """A tube that carries the sphere.

    Attributes:
        modulus: Of its material along the fibres [Pa]; 100 to 140 GPa are usual.
        damping: Of the mode, 1: no ringing at all; chosen, carbon with a rubber cover.
        length: That bends freely [m].
        diameters: Outer and inner [m].
    """

    modulus: float = 120e9
    damping: float = 0.02
    length: float = unit.FREE_LENGTH
    diameters: tuple[float, float] = unit.TUBE_DIAMETERS

    def __post_init__(self) -> None:
        if not (self.modulus > 0.0 and self.length > 0.0 and 0.0 < self.damping < 1.0):
            raise ConfigError(
                "`modulus` and `length` must be positive and `damping` between 0 and "
                f"1, got {self.modulus}, {self.length} and {self.damping}"
            )

    @property
    def stiffness(self) -> float:
        """Force at the end over its way [N/m]: 3 E I / l^3."""
        outer, inner = self.diameters
        area_moment = math.pi / 64.0 * (outer**4 - inner**4)
        return 3.0 * self.modulus * area_moment / self.length**3

    @property
    def mass(self) -> float:
        """Sphere and the tube's share [kg]."""
        tube = unit.TUBE_MASS / unit.TUBE_LENGTH * self.length + unit.COVER_MASS
        return unit.SPHERE_MASS + TUBE_SHARE * tube

    @property
    def frequency(self) -> float:
        """Of the undamped mode [rad/s]."""
        return math.sqrt(self.stiffness / self.mass)


ROD = RodCfg()


def deflections(
    acceleration: ArrayLike,
    dt: float,
    *,
    start: ArrayLike = (0.0, 0.0),
    cfg: RodCfg = ROD,
) -> FloatArray:
    """Return how far the sphere is from where a stiff rod would have it [m], (n,).

    Exact for accelerations that stay the same within each step.

    Args:
        acceleration: Of a stiff rod's end [m/s^2], shape (n,).
        dt: Between them [s].
        start: Deflection [m] and its rate [m/s] before, shape (2,).
        cfg: The rod.
    """
    a = as_finite("acceleration", acceleration, ())
    x = np.array(as_finite("start", start, (2,)))
    w, d = cfg.frequency, cfg.damping
    ringing = w * math.sqrt(1.0 - d * d)
    c, s, fade = math.cos(ringing * dt), math.sin(ringing * dt), math.exp(-d * w * dt)
    k = d * w / ringing
    A = fade * np.array([[c + k * s, s / ringing], [-w * w * s / ringing, c - k * s]])
    out = np.empty(len(a))
    for i, value in enumerate(a):
        bent = np.array([-value / (w * w), 0.0])  # where it would come to rest
        x = bent + A @ (x - bent)
        out[i] = x[0]
    return out
