"""Extension of the reference's reader: docstrings as this project writes them.

An example under "Example:" is code, and a unit after a shape, as in `[f; tau] [N]`, is
no link.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^Example:$", re.MULTILINE)
UNIT = re.compile(r"\] \[")


class Examples(griffe.Extension):
    """Rewrites docstrings so that the reader understands them as they are meant."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of an object that was loaded."""
        if obj.docstring:
            text, *example = EXAMPLE.split(obj.docstring.value, maxsplit=1)
            parts = [UNIT.sub(r"] \\[", text), *example]
            obj.docstring.value = "Examples:".join(parts)
