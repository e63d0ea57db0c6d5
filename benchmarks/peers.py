"""Other libraries to compare with; each may be absent."""

from __future__ import annotations

import importlib
from types import ModuleType

INSTALL = "pip install 'gelenk[bench]'"


def find_peer(module: str) -> ModuleType | None:
    """Return the module of another library, or None if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def missing_note(*names: str) -> str:
    """Return the note of a row whose peers are missing: which, and what to do.

    Example:
        >>> missing_note("Pinocchio")
        "not compared: Pinocchio is missing; pip install 'gelenk[bench]'"
    """
    verb = "is" if len(names) == 1 else "are"
    return f"not compared: {' and '.join(names)} {verb} missing; {INSTALL}"
