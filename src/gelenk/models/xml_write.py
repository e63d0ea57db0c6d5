"""Writing XML: indented elements, escaped names, numbers that read back exactly."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray

# Characters that XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class XmlText:
    """Indented XML, built line by line."""

    def __init__(self) -> None:
        self._lines = ['<?xml version="1.0" encoding="utf-8"?>']
        self._open: list[str] = []
        self._last_open = ""

    def open(self, tag: str, **attributes: str | None) -> None:
        """Open an element; attributes that are None are left out."""
        self._put(f"<{tag}{_attributes(tag, attributes)}>")
        self._last_open = self._lines[-1]
        self._open.append(tag)

    def leaf(self, tag: str, **attributes: str | None) -> None:
        """Write an element without content."""
        self._put(f"<{tag}{_attributes(tag, attributes)}/>")

    def close(self) -> None:
        """Close the element opened last."""
        tag = self._open.pop()
        if self._lines[-1] == self._last_open:  # nothing came in between
            self._lines[-1] = f"{self._last_open[:-1]}/>"
        else:
            self._put(f"</{tag}>")
        self._last_open = ""

    def text(self) -> str:
        """Return everything written; all elements must be closed."""
        assert not self._open, f"elements left open: {self._open}"
        return "\n".join(self._lines) + "\n"

    def _put(self, line: str) -> None:
        self._lines.append("  " * len(self._open) + line)


def _attributes(tag: str, attributes: dict[str, str | None]) -> str:
    words = []
    for key, value in attributes.items():
        if value is None:
            continue
        if _FORBIDDEN.search(value):
            raise ConfigError(
                f"{tag} attribute `{key}` holds a character that XML cannot: "
                f"{value!r:.80}; rename it"
            )
        words.append(f" {key.rstrip('_')}={quoteattr(value)}")
    return "".join(words)


def number(value: float) -> str:
    """Return the shortest text that reads back as the same float64."""
    value = float(value)
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value)) if value or math.copysign(1.0, value) > 0 else "-0.0"
    return repr(value)


def numbers(values: Iterable[float] | FloatArray) -> str:
    """Return numbers separated by spaces."""
    return " ".join(number(value) for value in np.ravel(np.asarray(values, float)))
