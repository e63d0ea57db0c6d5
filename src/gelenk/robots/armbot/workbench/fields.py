"""Reads the fields of a request; what is wrong is told with its field."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray

MAX_QUOTED = 60  # characters of a wrong value that a message repeats
LARGEST = 1e6  # of any number of a request [m] or [rad]


class FieldError(ConfigError):
    """A request with a wrong field.

    Attributes:
        field: Its name; the message can be shown beside it.
    """

    def __init__(self, field: str, text: str) -> None:
        self.field = field
        super().__init__(f"`{field}`: {text}")


def check_fields(value: object, known: Iterable[str]) -> dict[str, Any]:
    """Return a request as a dict, after looking for fields that do not exist.

    Raises:
        FieldError: If it is no dict or has an unknown field.
    """
    if not isinstance(value, dict):
        raise FieldError("value", f"expected named fields, got {quoted(value)}")
    names = tuple(known)
    for name in value:
        if name not in names:
            close = difflib.get_close_matches(str(name), names, n=1)
            hint = f"did you mean `{close[0]}`?" if close else "leave it out"
            listing = ", ".join(names) or "none"
            raise FieldError(str(name)[:MAX_QUOTED], f"unknown; {hint} ({listing})")
    return value


def read_text(value: Mapping[str, Any], field: str, *, longest: int) -> str:
    """Return a text.

    Raises:
        FieldError: If it is missing, no text or too long.
    """
    text = value.get(field)
    if not isinstance(text, str):
        raise FieldError(field, f"expected a text, got {quoted(text)}")
    if len(text) > longest:
        raise FieldError(
            field, f"expected at most {longest} characters, got {len(text)}; shorten it"
        )
    return text


def as_number(field: str, value: object) -> float:
    """Return a finite number.

    Raises:
        FieldError: If it is none, or beyond all measure.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldError(field, f"expected a number, got {quoted(value)}")
    if not abs(value) <= LARGEST:  # also refuses what is no number
        raise FieldError(
            field, f"expected a number within {LARGEST:g}, got {quoted(value)}"
        )
    return float(value)


def as_numbers(field: str, value: object, count: int, what: str) -> FloatArray:
    """Return finite numbers, shape (count,).

    Args:
        field: Its name.
        value: A list.
        count: How many there must be.
        what: What they are, for the message.

    Raises:
        FieldError: If these are not so many numbers.
    """
    if not isinstance(value, list | tuple) or len(value) != count:
        raise FieldError(field, f"expected {what}, got {quoted(value)}")
    return np.array([as_number(field, item) for item in value])


def quoted(value: object) -> str:
    """Return a value as a message repeats it, cut if it is long."""
    if value is None:
        return "nothing"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict | list | tuple) and len(value) > 8:
        return f"a {type(value).__name__} of {len(value)}"
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # deep nesting, numbers of endless digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 3] + "..."
