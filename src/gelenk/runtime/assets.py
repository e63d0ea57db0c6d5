"""Files that ship with the robots: cells, motions, calibrations."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]  # .../gelenk
# In an installed package, and in the repository (src/gelenk -> assets).
_ROOTS = (_PACKAGE / "assets", _PACKAGE.parents[1] / "assets")


def asset_folders(robot: str) -> tuple[Path, ...]:
    """Return the folders where a robot's files lie, as far as they exist."""
    return tuple(root / robot for root in _ROOTS if (root / robot).is_dir())


def shipped_files(robot: str, suffix: str) -> dict[str, Path]:
    """Return a robot's files by name, in alphabetical order.

    Args:
        robot: Such as "nao".
        suffix: Of the files, such as ".mot".

    Example:
        >>> "calibration" in shipped_files("nao", ".mot")
        True
    """
    found: dict[str, Path] = {}
    for folder in asset_folders(robot):
        for path in folder.glob(f"*{suffix}"):
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))
