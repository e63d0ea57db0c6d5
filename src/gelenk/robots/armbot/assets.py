"""The cells that ship: environment files with their controllers beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

SUFFIX = ".env"
_PACKAGE = Path(__file__).resolve().parents[2]  # .../gelenk
# In an installed package, and in the repository (src/gelenk -> assets).
_FOLDERS = (
    _PACKAGE / "assets" / "armbot",
    _PACKAGE.parents[1] / "assets" / "armbot",
)


def cell_folders() -> tuple[Path, ...]:
    """Return the folders where shipped cells lie, as far as they exist."""
    return tuple(folder for folder in _FOLDERS if folder.is_dir())


def shipped_cells() -> dict[str, Path]:
    """Return the environment files that ship, by name in alphabetical order."""
    found: dict[str, Path] = {}
    for folder in cell_folders():
        for path in folder.glob(f"*{SUFFIX}"):
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


def controller_files() -> Iterator[Path]:
    """Yield the Python files beside the shipped cells."""
    for folder in cell_folders():
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
