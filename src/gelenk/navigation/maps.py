"""Maps of features and of cells: conversion, files, labels, and cells that forget.

Labels: P_c <- n P_c P(label | c) with the confusion matrix of the classifier. Change:
before each update a cell may have changed, p <- (1 - λ_off) p + λ_on (1 - p).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.ndimage import center_of_mass, label

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, FileFormatError
from gelenk.planning.occupancy import OccupancyGrid, empty_grid, log_odds
from gelenk.typing import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FeatureMap:
    """Places of features: sparse, small, good for localising.

    Attributes:
        places: Positions of the features [m], shape (n, 2).
        covariances: Covariances of the positions [m²], shape (n, 2, 2).
        names: Names of the features; empty strings: nameless.

    Example:
        >>> posts = FeatureMap(places=[[1.0, 2.0]], covariances=[np.eye(2) * 0.01])
        >>> posts.names
        ('',)
    """

    places: FloatArray
    covariances: FloatArray
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        places = np.array(as_finite("places", self.places, (2,))).reshape(-1, 2)
        spread = np.array(as_finite("covariances", self.covariances, (2, 2)))
        if len(spread) != len(places):
            raise ConfigError(f"{len(places)} places need as many covariances")
        names = self.names or ("",) * len(places)
        if len(names) != len(places):
            raise ConfigError(f"{len(places)} places have {len(names)} names")
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "covariances", spread)
        object.__setattr__(self, "names", tuple(names))


def features_from_grid(grid: OccupancyGrid, *, occupied: float = 0.65) -> FeatureMap:
    """Return one feature per connected piece of occupied cells: posts, trees, legs.

    The place is the mean of the cells, the covariance their spread and that within one.

    Args:
        grid: The map of cells.
        occupied: Probability from which a cell counts.
    """
    labels = np.zeros(grid.odds.shape, dtype=np.int64)
    label(grid.probability > occupied, structure=np.ones((3, 3)), output=labels)
    count = int(labels.max(initial=0))
    places: list[FloatArray] = []
    spreads: list[FloatArray] = []
    inside = grid.cell**2 / 12.0 * np.eye(2)
    for k in range(1, count + 1):
        cells = np.argwhere(labels == k)
        middle = np.array(center_of_mass(labels == k))
        gap = cells - middle
        places.append(grid.origin + grid.cell * (middle + 0.5))
        spreads.append(grid.cell**2 * gap.T @ gap / len(cells) + inside)
    return FeatureMap(
        places=np.array(places).reshape(-1, 2),
        covariances=np.array(spreads).reshape(-1, 2, 2),
    )


def grid_from_features(
    features: FeatureMap, lower: ArrayLike, upper: ArrayLike, cell: float
) -> OccupancyGrid:
    """Return cells that are occupied where features are, free elsewhere.

    p = 0.05 + 0.9 max_k exp(-½ dᵀ (C_k + cell²)⁻¹ d): dense, good for planning.

    Args:
        features: The sparse map.
        lower: Corner [m], shape (2,).
        upper: Opposite corner [m], shape (2,).
        cell: Side of a cell [m].
    """
    grid = empty_grid(lower, upper, cell)
    p = np.full(grid.odds.shape, 0.05)
    for place, spread in zip(features.places, features.covariances, strict=True):
        d = grid.centers() - place
        C = spread + cell**2 * np.eye(2)
        scaled = np.asarray(np.linalg.solve(C, d[..., None])[..., 0], dtype=np.float64)
        square = (d * scaled).sum(axis=-1)
        p = np.maximum(p, 0.05 + 0.9 * np.exp(-0.5 * square))
    return OccupancyGrid(origin=grid.origin, cell=cell, odds=log_odds(p))


def save_features(features: FeatureMap, path: str | Path) -> None:
    """Write a map of features as JSON."""
    rows = [
        {"name": name, "place": place.tolist(), "covariance": spread.tolist()}
        for name, place, spread in zip(
            features.names, features.places, features.covariances, strict=True
        )
    ]
    document = {"kind": "feature map", "unit": "m", "features": rows}
    Path(path).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def load_features(path: str | Path) -> FeatureMap:
    """Return a map of features from a file.

    Raises:
        FileFormatError: If the file is none.
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        rows = document["features"]
        return FeatureMap(
            places=np.array([row["place"] for row in rows], float).reshape(-1, 2),
            covariances=np.array([row["covariance"] for row in rows], float).reshape(
                -1, 2, 2
            ),
            names=tuple(str(row["name"]) for row in rows),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        remedy = "write one with save_features"
        raise FileFormatError(
            path, f"is no map of features: {error}", remedy=remedy
        ) from error


def save_grid(grid: OccupancyGrid, path: str | Path) -> None:
    """Write a map of cells as a compressed NumPy archive (.npz)."""
    numbers = [*grid.origin, grid.cell, grid.prior, grid.clamp]
    with Path(path).open("wb") as stream:
        np.savez_compressed(stream, odds=grid.odds, numbers=np.array(numbers))


def load_grid(path: str | Path) -> OccupancyGrid:
    """Return a map of cells from a file.

    Raises:
        FileFormatError: If the file is none.
    """
    try:
        with np.load(Path(path)) as data:
            x, y, cell, prior, clamp = data["numbers"].tolist()
            odds = np.asarray(data["odds"], dtype=np.float64)
    except (OSError, ValueError, KeyError) as error:
        remedy = "write one with save_grid"
        raise FileFormatError(
            path, f"is no map of cells: {error}", remedy=remedy
        ) from error
    return OccupancyGrid(
        origin=np.array([x, y]), cell=cell, odds=odds, prior=prior, clamp=clamp
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelLayer:
    """Labels of cells or voxels, with probabilities.

    Attributes:
        classes: Names, such as ("floor", "door").
        probability: Probabilities of the labels, shape (..., c); the last axis sums to
            1.
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
        shape: Numbers of cells along the axes.
        confusion: P(label | class), rows summing to 1, all > 0, shape (c, c).
    """
    count = len(classes)
    M = as_finite("confusion", confusion, (count, count))
    if not ((M > 0.0).all() and np.allclose(M.sum(axis=1), 1.0)):
        raise ConfigError("rows of `confusion` must be positive and sum to 1")
    p = np.full((*shape, count), 1.0 / count)
    return LabelLayer(classes=classes, probability=p, confusion=M)


def fade_probability(probability: ArrayLike, *, off: float, on: float) -> FloatArray:
    """Return p after a time in which cells may have been cleared or occupied.

    p <- (1 - λ_off) p + λ_on (1 - p), a chain of two states.

    Args:
        probability: Probability of being occupied, shape (...).
        off: λ_off, chance that an occupied cell became free.
        on: λ_on, chance that a free one became occupied.

    Example:
        >>> print(fade_probability(0.9, off=0.1, on=0.02).round(6))
        0.812
    """
    p = as_finite("probability", probability, ())
    return (1.0 - off) * p + on * (1.0 - p)


def fade_grid(grid: OccupancyGrid, *, off: float, on: float) -> OccupancyGrid:
    """Return a map of cells that may have changed meanwhile (`fade_probability`)."""
    p = np.clip(fade_probability(grid.probability, off=off, on=on), 1e-12, 1.0 - 1e-12)
    return replace(grid, odds=np.clip(log_odds(p), -grid.clamp, grid.clamp))


def trusted_sensors(
    returns: dict[str, ArrayLike], *, near: float = 0.5, share: float = 0.5
) -> tuple[str, ...]:
    """Return the range sensors that smoke does not blind.

    In smoke a laser returns short ranges everywhere; radar and sonar look through.

    Args:
        returns: Ranges of each sensor in the last second [m].
        near: Range below which a return may be smoke [m].
        share: Share of near returns from which on a sensor is not trusted.

    Example:
        >>> trusted_sensors({"laser": [0.2, 0.3, 0.2, 4.0], "radar": [4.1, 3.9]})
        ('radar',)
    """
    return tuple(
        name
        for name, ranges in returns.items()
        if float((np.asarray(ranges, dtype=float) < near).mean()) < share
    )
