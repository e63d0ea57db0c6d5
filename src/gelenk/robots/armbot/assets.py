"""The cells that ship: environment files with their controllers beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gelenk.runtime.files import asset_folders, shipped_files

ROBOT, SUFFIX = "armbot", ".env"


def shipped_cells() -> dict[str, Path]:
    """Return the environment files that ship, by name in alphabetical order."""
    return shipped_files(ROBOT, SUFFIX)


def controller_files() -> Iterator[Path]:
    """Yield the Python files beside the shipped cells."""
    for folder in asset_folders(ROBOT):
        yield from sorted(folder.glob("*.py"))


def summary(path: Path) -> str:
    """Return the first sentence of the comment at the top of a cell, on one line."""
    words: list[str] = []
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            text = line.strip()
            if text.startswith(("//", "/*", "*")):
                words += text.strip("/* \t").split()
            elif words or text:
                break
    sentence, stop, _ = " ".join(words).partition(". ")
    return sentence + stop.strip()
