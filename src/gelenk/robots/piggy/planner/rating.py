"""Ratings of candidates (4.56) to (4.60), and the heap of the best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import dot, norm, sub
from gelenk.robots.piggy.planner.vectors import as_tuple
from gelenk.typing import ArrayLike, FloatArray, IntArray, Vec3


class Limits(NamedTuple):
    """What the kernels need of a `RatingCfg`."""

    v_in: float
    v_out: float
    angle: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingCfg:
    """Deviations at which a rating falls to zero; all chosen.

    Attributes:
        v_in: Of the incoming velocity [m/s].
        v_out: Of the outgoing velocity [m/s].
        angle: Of the bat's velocity from the tangent plane [rad].
    """

    v_in: float = 1.0
    v_out: float = 1.5
    angle: float = math.radians(20.0)

    def __post_init__(self) -> None:
        if not min(self.v_in, self.v_out, self.angle) > 0.0:
            raise ConfigError(f"limits of ratings must be positive, got {self}")

    @property
    def limits(self) -> Limits:
        """The same as the kernels take it."""
        return Limits(float(self.v_in), float(self.v_out), float(self.angle))


RATING = RatingCfg()


def rate(
    found: tuple[ArrayLike, ArrayLike, ArrayLike],
    wanted: tuple[ArrayLike, ArrayLike],
    normal: ArrayLike,
    *,
    r_sim: float = 1.0,
    cfg: RatingCfg = RATING,
) -> float:
    """Return the product of all partial ratings, 0 to 1.

    Args:
        found: v_in, v_out and the bat's velocity of a result [m/s], each (3,).
        wanted: v_in and v_out of the request [m/s], each (3,).
        normal: Of the workspace, unit vector, (3,).
        r_sim: Rating of the simulation itself.
        cfg: Limits.
    """
    v_in, v_out, v_s = (as_tuple(v) for v in found)
    off_in = norm(sub(v_in, as_tuple(wanted[0])))
    off_out = norm(sub(v_out, as_tuple(wanted[1])))
    angle = off_tangent(v_s, as_tuple(normal))
    return float(r_sim * rate_all(off_in, off_out, angle, cfg.limits))


@kernel
def fraction(deviation: float, limit: float) -> float:
    """Return 1 - deviation / limit, not less than 0."""
    return max(1.0 - deviation / limit, 0.0)


@kernel
def off_tangent(v_s: Vec3, n: Vec3) -> float:
    """Return the angle of the bat's velocity to the tangent plane; 0 at rest."""
    speed = norm(v_s)
    if speed < 1e-6:
        return 0.0
    return math.asin(min(abs(dot(v_s, n)) / speed, 1.0))


@kernel
def rate_all(off_in: float, off_out: float, angle: float, limits: Limits) -> float:
    """Return the product of the three partial ratings."""
    return (
        fraction(off_in, limits.v_in)
        * fraction(off_out, limits.v_out)
        * fraction(angle, limits.angle)
    )


@kernel
def push(
    ratings: FloatArray, keys: IntArray, size: int, rating: float, key: int
) -> int:
    """Put a rated key into a heap of the best and return its new size.

    The worst lies on top; a full heap drops it for a better one.
    """
    if size < len(ratings):
        k = size
        size += 1
        while k > 0 and ratings[(k - 1) // 2] > rating:
            ratings[k], keys[k] = ratings[(k - 1) // 2], keys[(k - 1) // 2]
            k = (k - 1) // 2
        ratings[k], keys[k] = rating, key
        return size
    if rating <= ratings[0]:
        return size
    k = 0
    while 2 * k + 1 < size:
        child = 2 * k + 1
        if child + 1 < size and ratings[child + 1] < ratings[child]:
            child += 1
        if ratings[child] >= rating:
            break
        ratings[k], keys[k] = ratings[child], keys[child]
        k = child
    ratings[k], keys[k] = rating, key
    return size
