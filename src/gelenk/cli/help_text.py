"""Pieces of help texts."""

from __future__ import annotations


def examples(*lines: str) -> str:
    """Return lines that help texts leave as they are."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])
