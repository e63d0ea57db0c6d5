"""Robot files on disk: read with located errors, written so that they appear whole."""

from __future__ import annotations

import difflib
import os
import secrets
from pathlib import Path

from gelenk.errors import ConfigError, FileFormatError

MAX_BYTES = 64 * 2**20  # the largest robot descriptions in use have about 5 MiB


def read_bytes(path: str | Path) -> bytes:
    """Return the content of a regular file.

    Raises:
        FileFormatError: If it does not exist, is a directory, empty, too large or may
            not be read.
    """
    path = Path(path)
    try:
        if not path.exists():
            raise FileFormatError(path, "no such file", remedy=_where(path))
        if path.is_dir():
            remedy = "name the robot file inside it"
            raise FileFormatError(path, "this is a directory", remedy=remedy)
        if not path.is_file():
            raise FileFormatError(path, "not a regular file", remedy="copy it to one")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileFormatError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "check the path and its permissions"
        raise FileFormatError(
            path, f"cannot be read: {reason}", remedy=remedy
        ) from error
    if len(data) > MAX_BYTES:
        raise FileFormatError(
            path,
            f"larger than {MAX_BYTES // 2**20} MiB",
            remedy="keep meshes in their own files",
        )
    return data


def _where(path: Path) -> str:
    """Return the remedy for a missing file: a near name, or where was looked."""
    folder = path.parent
    if not folder.is_dir():
        return f"the folder {str(folder.absolute())!r:.200} does not exist either"
    names = [entry.name for entry, _ in zip(folder.iterdir(), range(500), strict=False)]
    near = difflib.get_close_matches(path.name, names, n=3, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(repr(name) for name in near) + "?"
    return f"looked in {str(folder.absolute())!r:.200}; check the spelling"


def save_text(path: str | Path, text: str) -> None:
    """Write a UTF-8 file that is complete at every moment it exists.

    The text goes to a file beside `path`, which then takes its name; a crash leaves the
    old file untouched.

    Raises:
        ConfigError: If the folder does not exist or cannot be written.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ConfigError(
            f"cannot write {str(path)!r}: {error.strerror or error}; "
            "check that the folder exists and may be written"
        ) from error
