"""Measurement models of range beams: beam model and likelihood field."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.ndimage import distance_transform_edt

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.occupancy import OccupancyGrid
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamModel:
    """Shares of what may happen to a beam; they sum to 1.

    Attributes:
        hit: Meets what the map says.
        short: Meets something before it, as a visitor.
        max: Returns nothing.
        rand: Anything.
        sigma: Standard deviation of a hit [m].
        decay: λ of short readings [1/m].
        max_range: Largest range of the sensor [m].
    """

    hit: float = 0.75
    short: float = 0.1
    max: float = 0.05
    rand: float = 0.1
    sigma: float = 0.1
    decay: float = 0.5
    max_range: float = 8.0

    def __post_init__(self) -> None:
        total = self.hit + self.short + self.max + self.rand
        if abs(total - 1.0) > 1e-9 or not (self.sigma > 0 and self.max_range > 0):
            raise ConfigError(f"shares must sum to 1 (here {total}), sigma be positive")


def beam_likelihood(
    model: BeamModel, ranges: ArrayLike, expected: ArrayLike
) -> FloatArray:
    """Return the density of readings [1/m], where the map expects others.

    p(z) = hit N(z; z*, σ²) + short λ e^(-λ z) [z <= z*] + max [z = max] + rand / max.

    Args:
        model: Shares of what may happen.
        ranges: z [m], shape (...).
        expected: z* [m], shape (...).

    Example:
        >>> near, far = beam_likelihood(BeamModel(), [2.0, 5.0], [2.1, 2.1])
        >>> bool(near > 50 * far)
        True
    """
    z, want = as_finite("ranges", ranges, ()), as_finite("expected", expected, ())
    m = model
    bell = np.exp(-0.5 * ((z - want) / m.sigma) ** 2) / (
        m.sigma * math.sqrt(2.0 * math.pi)
    )
    early = np.where(z <= want, m.decay * np.exp(-m.decay * z), 0.0)
    nothing = np.where(z >= m.max_range, m.max, 0.0)
    return m.hit * bell + m.short * early + nothing + m.rand / m.max_range


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LikelihoodField:
    """Log-likelihood of a beam that ends in a cell.

    Attributes:
        origin: Corner of cell (0, 0) [m], shape (2,).
        cell: Side of a cell [m].
        log_density: Logarithmic density at the cells, shape (nx, ny).
        outside: Log-likelihood of ends beyond the grid.
        padded: The log-likelihoods with one ring of `outside` around them, for loops
            that look up without asking where they are, shape (nx + 2, ny + 2).
    """

    origin: FloatArray
    cell: float
    log_density: FloatArray
    outside: float
    padded: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        ring = np.pad(self.log_density, 1, constant_values=self.outside)
        object.__setattr__(self, "padded", np.ascontiguousarray(ring))

    def at(self, points: ArrayLike) -> FloatArray:
        """Return the log-likelihoods of end points in the world, shape (...)."""
        p = as_finite("points", points, (2,))
        ids = np.floor((p - self.origin) / self.cell).astype(np.int64)
        limit = np.array(self.log_density.shape)
        inside = ((ids >= 0) & (ids < limit)).all(axis=-1)
        i, j = np.moveaxis(np.clip(ids, 0, limit - 1), -1, 0)
        return np.where(inside, self.log_density[i, j], self.outside)


def likelihood_field(
    grid: OccupancyGrid,
    *,
    sigma: float = 0.15,
    rand: float = 0.1,
    max_range: float = 8.0,
    occupied: float = 0.5,
) -> LikelihoodField:
    """Return log[(1 - rand) N(d; 0, σ²) + rand / max_range], d: gap to the next wall.

    Args:
        grid: The map.
        sigma: Standard deviation of the end of a beam [m].
        rand: Share of readings that mean nothing.
        max_range: Largest range of the sensor [m].
        occupied: Probability from which a cell is a wall.

    Example:
        >>> from gelenk.navigation import likelihood_field
        >>> from gelenk.planning.occupancy import OccupancyGrid
        >>> odds = np.full((5, 3), -4.0)
        >>> odds[4] = 4.0
        >>> field = likelihood_field(
        ...     OccupancyGrid(origin=np.zeros(2), cell=0.1, odds=odds)
        ... )
        >>> bool(field.at([0.45, 0.1]) > field.at([0.15, 0.1]))
        True
    """
    walls = grid.probability > occupied
    if not walls.any():
        raise ConfigError("a map without walls tells nothing of ends of beams")
    away = grid.cell * np.asarray(distance_transform_edt(~walls), dtype=np.float64)
    bell = np.exp(-0.5 * (away / sigma) ** 2) / (sigma * math.sqrt(2.0 * math.pi))
    density = (1.0 - rand) * bell + rand / max_range
    return LikelihoodField(
        origin=grid.origin,
        cell=grid.cell,
        log_density=np.ascontiguousarray(np.log(density)),
        outside=math.log(rand / max_range),
    )
