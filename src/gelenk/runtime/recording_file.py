"""Creating the file of a recording: whole or not at all, and never over another."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path
from typing import Any

from mcap.writer import CompressionType, Writer

from gelenk.errors import GelenkError

METADATA_NAME = "gelenk"
CHUNK_SIZE = 1 << 20  # [bytes]; a chunk is compressed, and damaged, as a whole


class RecordingError(GelenkError, OSError):
    """A recording cannot be created or written.

    Attributes:
        path: The file.
    """

    def __init__(self, path: Path, problem: str, remedy: str) -> None:
        self.path = path
        super().__init__(f"cannot record to {path}: {problem}; {remedy}")


class RecordingFile(io.FileIO):
    """A file without a buffer of its own, and the MCAP writer on top of it.

    What is written is with the operating system at once; a failed write leaves
    nothing behind that closing would try to write again.
    """

    writer: Writer

    def write(self, data: Any, /) -> int:
        """Write all of `data`; the plain method may stop half-way."""
        view = memoryview(data).cast("B")
        done = 0
        while done < len(view):
            done += super().write(view[done:]) or 0
        return done

    def sync(self) -> None:
        """Wait until the file is on disk."""
        os.fsync(self.fileno())


class _Unbuffered:
    """What the MCAP writer needs of a stream; it would wrap a raw file in a buffer."""

    def __init__(self, file: RecordingFile) -> None:
        self.write, self.tell, self.flush = file.write, file.tell, file.flush


def create_file(path: Path, facts: dict[str, str], *, overwrite: bool) -> RecordingFile:
    """Return the file, complete with header and metadata, under its final name."""
    if path.is_dir():
        raise RecordingError(path, "it is a folder", "name a file in it")
    draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        file = RecordingFile(draft, "wb")
    except OSError as error:
        raise _cannot_create(path, error) from error
    try:
        writer = Writer(
            _Unbuffered(file),  # type: ignore[arg-type]
            chunk_size=CHUNK_SIZE,
            compression=CompressionType.ZSTD,
        )
        file.writer = writer
        writer.start(profile="", library="gelenk")
        writer.add_metadata(METADATA_NAME, facts)
        _give_name(draft, path, overwrite=overwrite)
    except OSError as error:
        file.close()
        draft.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise _exists(path) from None
        raise _cannot_create(path, error) from error
    return file


def _give_name(draft: Path, path: Path, *, overwrite: bool) -> None:
    """Rename; without `overwrite`, atomically fail if the name was taken meanwhile."""
    if overwrite:
        draft.replace(path)
        return
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise FileExistsError(path) from None
        draft.rename(path)
        return
    draft.unlink()


def _exists(path: Path) -> RecordingError:
    return RecordingError(
        path, "it exists already", "choose another name or allow overwriting"
    )


def _cannot_create(path: Path, error: OSError) -> RecordingError:
    if not path.parent.exists():
        return RecordingError(
            path, f"there is no folder {path.parent}", f"mkdir -p {path.parent}"
        )
    remedy = f"is there space, and may you write in {path.parent.absolute()}?"
    return RecordingError(path, str(error.strerror or error), remedy)
