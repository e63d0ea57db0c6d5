"""What a field codec is, its errors, and how numbers are written.

JSON has no nan and no infinities: they are the strings "NaN", "Infinity" and
"-Infinity". Every other float is its shortest text that reads back to the same bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

NON_FINITE = {
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
_JSON_OF_NON_FINITE = {"nan": '"NaN"', "inf": '"Infinity"', "-inf": '"-Infinity"'}
float_text = float.__repr__


class FieldError(Exception):
    """A value does not fit its field; containers add their step to `path`."""

    def __init__(self, problem: str, path: str = "") -> None:
        self.problem, self.path = problem, path
        super().__init__(problem)

    def inside(self, step: str) -> FieldError:
        """Return the same error as seen from the container."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        return FieldError(self.problem, step + joint + self.path)


class FieldCodec(NamedTuple):
    """What is known about one annotation.

    Attributes:
        schema: JSON Schema of the value.
        encode: Value to JSON text.
        decode: Parsed JSON to value.
        freeze: Value to an equal one that nobody can change; None if it already is.
        is_optional: Whether None is allowed, and is then left out.
    """

    schema: dict[str, Any]
    encode: Callable[[Any], str]
    decode: Callable[[Any], Any]
    freeze: Callable[[Any], Any] | None = None
    is_optional: bool = False


def wrong(expected: str, value: object) -> FieldError:
    """Return the error for a value of the wrong kind."""
    return FieldError(f"expected {expected}, got {type(value).__name__} {value!r:.60}")


def quote_non_finite(text: str) -> str:
    """Return Python's text of numbers with nan and inf as JSON strings.

    Example:
        >>> quote_non_finite("[1.0, nan, -inf]")
        '[1.0, "NaN", "-Infinity"]'
    """
    return re.sub(r"-?inf|nan", lambda found: _JSON_OF_NON_FINITE[found[0]], text)


def encode_float(value: Any) -> str:
    """Return a number as JSON; whole numbers count as floats, booleans do not."""
    try:
        text = float_text(value)
    except TypeError:
        if isinstance(value, bool) or not isinstance(
            value, int | np.integer | np.floating
        ):
            raise wrong("a number", value) from None
        text = float_text(float(value))
    return _JSON_OF_NON_FINITE[text] if text[-1] in "nf" else text


def decode_float(value: Any) -> float:
    """Return the float that `encode_float` wrote, to the bit."""
    if type(value) is float:
        return value
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise FieldError("expected a number below 1.8e308") from None
    if isinstance(value, str) and value in NON_FINITE:
        return NON_FINITE[value]
    raise wrong("a number", value)
