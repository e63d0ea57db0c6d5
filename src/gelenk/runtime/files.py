"""Files of the package: shipped assets, results as JSON has them and as files."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

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


def as_plain(value: Any) -> Any:
    """Return `value` made of what JSON knows: arrays as lists, inf and nan as None.

    Example:
        >>> as_plain({"upper": (1, float("inf"))})
        {'upper': [1, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): as_plain(item) for key, item in value.items()}
    if isinstance(value, bool | int | str | None):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if hasattr(value, "tolist"):  # NumPy arrays and scalars, without importing NumPy
        return as_plain(value.tolist())
    if isinstance(value, Sequence | set | frozenset):
        return [as_plain(item) for item in value]
    raise TypeError(f"cannot write a {type(value).__name__} as JSON")
