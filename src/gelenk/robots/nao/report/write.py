"""The report of a calibration: a page for people, JSON for programs, in one folder."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gelenk.errors import ConfigError
from gelenk.robots.nao.command import Finished
from gelenk.robots.nao.report.advice import Advice, advise
from gelenk.robots.nao.report.document import make_document
from gelenk.robots.nao.report.page import MARKER, make_page

PAGE, DATA = "index.html", "report.json"


def check_folder(folder: Path) -> None:
    """Make sure that a report may be written into a folder.

    Raises:
        ConfigError: If it holds something else than an older report, or cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"`--report {folder}` is a file; name a folder")
    if folder.is_dir() and not _is_report(folder):
        names = sorted(path.name for path in folder.iterdir())
        if names:
            raise ConfigError(
                f"`--report {folder}` is not empty and holds no report ({names[0]} ...)"
                "; name a new folder"
            )
    parent = folder.absolute().parent
    if not parent.is_dir():
        raise ConfigError(f"`--report {folder}`: the folder {parent} does not exist")


def write_report(
    finished: Finished,
    folder: Path,
    *,
    document: Mapping[str, Any] | None = None,
    advice: Advice | None = None,
) -> Path:
    """Write a report; an older one in the same folder is replaced in one go.

    Args:
        finished: The calibration; with images if pictures are wanted.
        folder: Where; made if needed.
        document: What `make_document` said, if that is known already.
        advice: What `advise` said, likewise.

    Returns:
        The page.

    Raises:
        ConfigError: If the folder holds something else, or cannot be written.
    """
    folder = Path(folder)
    check_folder(folder)
    advice = advice or advise(finished)
    document = document or make_document(finished, advice)
    texts = {
        PAGE: make_page(finished, document, advice),
        DATA: json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False)
        + "\n",
    }
    try:
        _swap(texts, folder)
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(f"`--report {folder}` cannot be written: {reason}") from error
    return folder / PAGE


def _swap(texts: Mapping[str, str], folder: Path) -> None:
    """Write files into a folder beside, then let it take the place of the old one."""
    parent = folder.absolute().parent
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=parent))
    try:
        for name, text in texts.items():
            (draft / name).write_text(text, encoding="utf-8")
        draft.chmod(0o777 & ~_umask())
        if folder.exists():
            for name in texts:  # whoever looks at the folder always finds a whole file
                os.replace(draft / name, folder / name)
            draft.rmdir()
        else:
            os.replace(draft, folder)
    except OSError:
        with contextlib.suppress(OSError):
            shutil.rmtree(draft)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _is_report(folder: Path) -> bool:
    """Return whether a folder holds a report of this command and nothing else."""
    if {path.name for path in folder.iterdir()} - {PAGE, DATA}:
        return False
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return MARKER in (folder / PAGE).read_text(encoding="utf-8")[:2000]
    return False
