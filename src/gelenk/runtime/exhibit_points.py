"""Colours by meaning, and arrays of points that are checked where they are made."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, TypeAlias

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray

Color: TypeAlias = Literal[
    "neutral",
    "model",
    "measured",
    "target",
    "good",
    "warning",
    "bad",
    "one",
    "two",
    "three",
    "four",
]
"""What a colour means; the page knows how it looks in the dark and in the light.

`model` is what was computed or predicted, `measured` what was seen; `one` to `four`
tell equals apart, such as legs, balls or cameras.
"""

Pixels: TypeAlias = ArrayLike  # x to the right, y down [px], shape (n, 2)
Places: TypeAlias = ArrayLike  # in the world [m], shape (n, 3)
Numbers: TypeAlias = ArrayLike  # shape (n,)
ROWS: dict[str, tuple[int, ...]] = {"Pixels": (2,), "Places": (3,), "Numbers": ()}

MAX_POINTS = 20_000  # of one array; more cannot be told apart on a page


def freeze_points(item: Any) -> None:
    """Make checked, read-only float64 arrays of the points of a frozen dataclass.

    They are the fields annotated as one of `ROWS`; lists are taken as well as arrays.

    Raises:
        ShapeError: If one has another shape.
        ConfigError: If a number is not finite, there are too many, or arrays that
            belong together differ in length.
    """
    name, lengths = type(item).__name__, dict[str, int]()
    for field in dataclasses.fields(item):
        row = ROWS.get(str(field.type))
        if row is None:
            continue
        array = _as_rows(f"{name}.{field.name}", getattr(item, field.name), row)
        array.setflags(write=False)
        object.__setattr__(item, field.name, array)
        lengths[field.name] = len(array)
    if len(set(lengths.values())) > 1:
        listing = ", ".join(f"{key} {count}" for key, count in lengths.items())
        raise ConfigError(f"the arrays of {name} must have one length, got {listing}")
    if any(count > MAX_POINTS for count in lengths.values()):
        raise ConfigError(f"{name} has more than {MAX_POINTS} points")


def _as_rows(name: str, value: ArrayLike, row: tuple[int, ...]) -> FloatArray:
    if np.size(value) == 0:
        return np.zeros((0, *row))
    array = as_finite(name, value, row)
    if array.ndim != 1 + len(row):
        expected = f"(n, {row[0]})" if row else "(n,)"
        raise ShapeError(name, expected=expected, actual=array.shape)
    return array.copy()
