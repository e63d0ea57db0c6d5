"""Files of the package: shipped assets, and results that are replaced as a whole."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from gelenk.errors import FileFormatError

_PACKAGE = Path(__file__).resolve().parents[1]  # .../gelenk
# In an installed package, and in the repository (src/gelenk -> assets).
_ROOTS = (_PACKAGE / "assets", _PACKAGE.parents[1] / "assets")


def asset_folders(robot: str) -> tuple[Path, ...]:
    """Return the folders where a robot's files lie, as far as they exist."""
    return tuple(root / robot for root in _ROOTS if (root / robot).is_dir())


def shipped_files(robot: str, suffix: str) -> dict[str, Path]:
    """Return a robot's files by name, in alphabetical order.

    Args:
        robot: Name of the robot, such as "nao".
        suffix: Ending of the file names, such as ".mot".

    Example:
        >>> "calibration" in shipped_files("nao", ".mot")
        True
    """
    found: dict[str, Path] = {}
    for folder in asset_folders(robot):
        for path in folder.glob(f"*{suffix}"):
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


BACKUP = ".bak"


def backup_of(path: Path) -> Path:
    """Return where the file before lies."""
    return path.with_name(path.name + BACKUP)


def replace_text(path: Path, text: str) -> None:
    """Write a file; what was there under this name becomes its backup.

    Whoever reads meanwhile finds the old file or the new one, never a part.

    Args:
        path: Path of the file.
        text: Whole text of the file.

    Raises:
        FileFormatError: If it cannot be written; the old one stays.
    """
    draft, spare = path.with_name(path.name + ".new"), backup_of(path)
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            copy = spare.with_name(spare.name + ".new")
            shutil.copyfile(path, copy)
            copy.replace(spare)
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        problem = f"cannot be written: {error.strerror or error}"
        remedy = "is there such a folder, space, and may you write there?"
        raise FileFormatError(path, problem, remedy=remedy) from error
