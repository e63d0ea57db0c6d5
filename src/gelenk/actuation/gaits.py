"""Legs as a drive: which foot stands when, and where each foot moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.typing import ArrayLike, BoolArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Gait:
    """A rhythm of legs.

    Attributes:
        offsets: o_i, phase of each leg, share of a cycle.
        duty: β, share of a cycle on the ground.
    """

    offsets: tuple[float, ...]
    duty: float

    def __post_init__(self) -> None:
        if not 0.0 < self.duty < 1.0:
            raise ConfigError(f"`duty` must lie between 0 and 1, got {self.duty}")


# Legs: left front, right front, left hind, right hind; of six: left and right in turn.
GAITS = {
    "walk": Gait(offsets=(0.0, 0.5, 0.25, 0.75), duty=0.75),
    "trot": Gait(offsets=(0.0, 0.5, 0.5, 0.0), duty=0.5),
    "pace": Gait(offsets=(0.0, 0.5, 0.0, 0.5), duty=0.5),
    "bound": Gait(offsets=(0.0, 0.0, 0.5, 0.5), duty=0.5),
    "tripod": Gait(offsets=(0.0, 0.5, 0.5, 0.0, 0.0, 0.5), duty=0.5),
}


def get_gait(name: str) -> Gait:
    """Return a gait by name.

    Example:
        >>> get_gait("trot").duty
        0.5
    """
    if name not in GAITS:
        raise NameNotFoundError("gait", name, GAITS)
    return GAITS[name]


def leg_phases(gait: Gait, t: ArrayLike, period: float) -> FloatArray:
    """Return (t/T + o_i) mod 1 of every leg, shape (..., n)."""
    share = np.asarray(t, np.float64)[..., None] / period
    return np.mod(share + np.array(gait.offsets), 1.0)


def standing_legs(gait: Gait, t: ArrayLike, period: float) -> BoolArray:
    """Return which legs stand: phase < duty, shape (..., n).

    Example:
        >>> print(standing_legs(get_gait("trot"), 0.1, 1.0))
        [ True False False  True]
    """
    return leg_phases(gait, t, period) < gait.duty


def foot_places(
    gait: Gait, t: ArrayLike, *, period: float, speed: float, lift: float
) -> FloatArray:
    """Return the feet relative to their middle (forward, up) [m], shape (..., n, 2).

    On the ground a foot moves back by v β T; in the air it returns on a curve without
    jumps of speed, lifted by `lift` in the middle.

    Args:
        gait: Rhythm.
        t: [s], shape (...).
        period: T of a cycle [s].
        speed: v of the body [m/s].
        lift: [m].
    """
    phase = leg_phases(gait, t, period)
    stride = speed * gait.duty * period
    stance = phase / gait.duty
    swing = np.clip((phase - gait.duty) / (1.0 - gait.duty), 0.0, 1.0)
    # Hermite: leaves and meets the ground at the speed of the ground.
    back = -speed * (1.0 - gait.duty) * period
    s = swing
    rise = -0.5 + s * s * (3.0 - 2.0 * s)
    tangents = back * (s * (1.0 - s) ** 2 - s * s * (1.0 - s))
    x_swing = stride * rise + tangents
    is_down = phase < gait.duty
    x = np.where(is_down, stride * (0.5 - stance), x_swing)
    z = np.where(is_down, 0.0, 16.0 * lift * (s * (1.0 - s)) ** 2)
    return np.stack([x, z], axis=-1)
