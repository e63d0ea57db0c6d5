"""Touch and nearness: pressure images of a skin, switches with hysteresis."""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray


def pressure_image(
    points: ArrayLike, forces: ArrayLike, *, shape: tuple[int, int], pitch: float
) -> FloatArray:
    """Return what an array of pressure cells feels [Pa], shape (rows, columns).

    Each force spreads over the four cells around it in inverse proportion to distance:
    total and centre of the force are kept.

    Args:
        points: Where forces act, (x along columns, y along rows) from the middle of
            the first cell [m], shape (k, 2).
        forces: Normal [N], shape (k,).
        shape: Rows and columns.
        pitch: Size of a cell [m].

    Example:
        >>> image = pressure_image([[0.01, 0.0]], [2.0], shape=(2, 3), pitch=0.01)
        >>> print((image * 1e-4).round(9))
        [[0. 2. 0.]
         [0. 0. 0.]]
    """
    p, f = as_finite("points", points, (2,)), as_finite("forces", forces, ())
    at = p / pitch
    limit = np.array([shape[1] - 1, shape[0] - 1])
    if np.any((at < 0.0) | (at > limit)):
        raise ConfigError("a force acts outside the skin")
    image = np.zeros(shape)
    low = np.minimum(np.floor(at).astype(np.int64), np.maximum(limit - 1, 0))
    share = at - low
    for dx in (0, 1):
        for dy in (0, 1):
            weight = np.abs(1 - dx - share[:, 0]) * np.abs(1 - dy - share[:, 1])
            column = np.minimum(low[:, 0] + dx, limit[0])
            row = np.minimum(low[:, 1] + dy, limit[1])
            np.add.at(image, (row, column), weight * f)
    return image / pitch**2


def contact_centre(image: ArrayLike, *, pitch: float) -> tuple[float, FloatArray]:
    """Return the force [N] on a skin and its place (x, y) [m]; NaN without touch."""
    pressure = as_finite("image", image, ())
    force = float(pressure.sum()) * pitch**2
    rows, columns = np.indices(pressure.shape)
    total = float(pressure.sum())
    if total <= 0.0:
        return 0.0, np.full(2, np.nan)
    centre = np.array([(pressure * columns).sum(), (pressure * rows).sum()])
    return force, centre / total * pitch


def proximity_switch(
    distances: ArrayLike, *, close: float, release: float
) -> BoolArray:
    """Return the states of a nearness switch over time, shape (k,).

    Inductive, capacitive or infrared: on below `close`, off above `release`, in between
    as it was.

    Example:
        >>> print(proximity_switch([9, 4, 5, 7, 5], close=4, release=6))
        [False  True  True False False]
    """
    if not close < release:
        raise ConfigError(f"`close` must be below `release`, got {close}, {release}")
    state, states = False, []
    for d in as_finite("distances", distances, ()).ravel():
        state = d <= close if not state else d < release
        states.append(bool(state))
    return np.array(states, dtype=np.bool_)
