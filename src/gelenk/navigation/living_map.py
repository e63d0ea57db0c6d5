"""Maps that know more and change: labels, cells that forget, sensors in smoke.

Labels: P_c <- n P_c P(label | c) with the confusion matrix of the classifier. Change:
before each update a cell may have changed, p <- (1 - λ_off) p + λ_on (1 - p).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.occupancy import OccupancyGrid, log_odds
from gelenk.typing import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelLayer:
    """What cells or voxels are, with probabilities.

    Attributes:
        classes: Names, such as ("floor", "door").
        probability: Shape (..., c); the last axis sums to 1.
        confusion: P(label | class), row class to column label, shape (c, c).

    Example:
        >>> layer = empty_labels(("floor", "door"), (1,), [[0.8, 0.2], [0.3, 0.7]])
        >>> layer = layer.labelled([[0]], [1]).labelled([[0]], [1])
        >>> print(layer.probability.round(3))
        [[0.075 0.925]]
    """

    classes: tuple[str, ...]
    probability: FloatArray
    confusion: FloatArray

    def labelled(self, cells: ArrayLike, labels: ArrayLike) -> LabelLayer:
        """Return the layer after cells were classified.

        Args:
            cells: Indices, shape (k, d); one cell may occur several times.
            labels: Numbers of classes that the classifier named, shape (k,).
        """
        ids = np.asarray(cells, dtype=np.int64)
        named = np.asarray(labels, dtype=np.int64)
        logs = np.log(self.probability)
        np.add.at(logs, tuple(ids.T), np.log(self.confusion[:, named].T))
        p = np.exp(logs - logs.max(axis=-1, keepdims=True))
        return replace(self, probability=p / p.sum(axis=-1, keepdims=True))

    @property
    def most_likely(self) -> IntArray:
        """Number of the likeliest class of each cell, shape (...)."""
        return self.probability.argmax(axis=-1)


def empty_labels(
    classes: tuple[str, ...], shape: tuple[int, ...], confusion: ArrayLike
) -> LabelLayer:
    """Return a layer that knows nothing.

    Args:
        classes: Names.
        shape: Of the cells.
        confusion: P(label | class), rows summing to 1, all > 0, shape (c, c).
    """
    count = len(classes)
    M = as_finite("confusion", confusion, (count, count))
    if not ((M > 0.0).all() and np.allclose(M.sum(axis=1), 1.0)):
        raise ConfigError("rows of `confusion` must be positive and sum to 1")
    p = np.full((*shape, count), 1.0 / count)
    return LabelLayer(classes=classes, probability=p, confusion=M)


def faded(probability: ArrayLike, *, off: float, on: float) -> FloatArray:
    """Return p after a time in which cells may have been cleared or occupied.

    p <- (1 - λ_off) p + λ_on (1 - p), a chain of two states.

    Args:
        probability: Of being occupied, shape (...).
        off: λ_off, chance that an occupied cell became free.
        on: λ_on, chance that a free one became occupied.

    Example:
        >>> print(faded(0.9, off=0.1, on=0.02).round(6))
        0.812
    """
    p = as_finite("probability", probability, ())
    return (1.0 - off) * p + on * (1.0 - p)


def fade_grid(grid: OccupancyGrid, *, off: float, on: float) -> OccupancyGrid:
    """Return a map of cells in which things may have changed meanwhile (`faded`)."""
    p = np.clip(faded(grid.probability, off=off, on=on), 1e-12, 1.0 - 1e-12)
    return replace(grid, odds=np.clip(log_odds(p), -grid.clamp, grid.clamp))


def trusted_sensors(
    returns: dict[str, ArrayLike], *, near: float = 0.5, share: float = 0.5
) -> tuple[str, ...]:
    """Return the range sensors that smoke does not blind.

    In smoke a laser returns short ranges everywhere; radar and sonar look through.

    Args:
        returns: Ranges of each sensor in the last second [m].
        near: Range below which a return may be smoke [m].
        share: Of near returns from which on a sensor is not trusted.

    Example:
        >>> trusted_sensors({"laser": [0.2, 0.3, 0.2, 4.0], "radar": [4.1, 3.9]})
        ('radar',)
    """
    return tuple(
        name
        for name, ranges in returns.items()
        if float((np.asarray(ranges, dtype=float) < near).mean()) < share
    )
