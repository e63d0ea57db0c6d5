"""Files of results that must not get lost: replaced as a whole, with a backup."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from gelenk.errors import FileFormatError

BACKUP = ".bak"


def backup_of(path: Path) -> Path:
    """Return where the file before lies."""
    return path.with_name(path.name + BACKUP)


def replace_text(path: Path, text: str) -> None:
    """Write a file; what was there under this name becomes its backup.

    Whoever reads meanwhile finds the old file or the new one, never a part.

    Args:
        path: Of the file.
        text: All of it.

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
