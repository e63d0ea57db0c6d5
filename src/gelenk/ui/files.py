"""Files that a page can fetch: recordings and tables, in a folder that goes away."""

from __future__ import annotations

import contextlib
import csv
import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gelenk.errors import ConfigError
from gelenk.runtime.bus import Bus
from gelenk.runtime.recorder import Recorder
from gelenk.typing import FloatArray

MAX_FILES = 20  # that are offered at a time; older ones are deleted
MAX_TOTAL = 2**30  # bytes of all of them together; the newest one stays
MAX_BYTES = 500 * 2**20  # of one recording, which then ends by itself
SIZE_PERIOD = 100  # points between two looks at the size of a recording

_ODD = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobotJoints:
    """Joints of a robot in the order of its model.

    Attributes:
        values: [rad] or [m], shape (n,).
        speeds: [rad/s] or [m/s], shape (n,).
    """

    values: FloatArray = field(metadata={"shape": (None,)})
    speeds: FloatArray = field(metadata={"shape": (None,)})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ObjectPoses:
    """Poses of the movable objects.

    Attributes:
        names: Names of the objects.
        poses: x, y, z [m], qw, qx, qy, qz in the world, shape (n, 7).
    """

    names: tuple[str, ...]
    poses: FloatArray = field(metadata={"shape": (None, 7)})


def safe_name(text: str) -> str:
    """Return a text as a part of a file name.

    Example:
        >>> safe_name("armbot/../sorting")
        'armbot-sorting'
    """
    return _ODD.sub("-", text).strip("-")[:60] or "scene"


class Files:
    """A folder of files that are offered by name; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._offered: dict[str, Path] = {}
        self._count = 0
        self._finalizer: Any = None

    def new(self, stem: str, suffix: str) -> Path:
        """Return a path for a new file, which is not offered yet.

        Args:
            stem: Any text; becomes a part of the name.
            suffix: Ending with its dot.
        """
        with self._lock:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="gelenk-page-"))
                self._finalizer = weakref.finalize(
                    self, shutil.rmtree, self._folder, ignore_errors=True
                )
            self._count += 1
            return self._folder / f"{safe_name(stem)}-{self._count}{suffix}"

    def offer(self, path: Path) -> dict[str, Any]:
        """Let a file be fetched; return its name, address and size [bytes]."""
        with self._lock:
            self._offered[path.name] = path
            sizes = {name: _size(file) for name, file in self._offered.items()}
            while len(sizes) > 1 and _is_too_much(sizes):
                oldest = next(iter(sizes))
                del sizes[oldest]
                self._offered.pop(oldest).unlink(missing_ok=True)
        size = path.stat().st_size
        return {"name": path.name, "url": f"/files/{path.name}", "size": size}

    def find(self, name: str) -> Path | None:
        """Return the file that is offered under a name; None if none is."""
        with self._lock:
            return self._offered.get(name)

    def close(self) -> None:
        """Delete everything; twice does no harm."""
        with self._lock:
            self._offered.clear()
            if self._finalizer is not None:
                self._finalizer()
            self._folder = self._finalizer = None


def _is_too_much(sizes: Mapping[str, int]) -> bool:
    return len(sizes) > MAX_FILES or sum(sizes.values()) > MAX_TOTAL


def _size(path: Path) -> int:
    """Return the size of a file [bytes]; 0 if somebody has deleted it."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


class SceneRecording:
    """Writes all messages of a run, its joints and objects, and a table of curves.

    Args:
        files: Folder that the recording goes into.
        stem: First part of the file names.
        bus: Its messages are recorded.
        facts: Facts about the origin of the recording.
        columns: Names of the curves, with units.

    Raises:
        RecordingError: If a file cannot be written.
    """

    def __init__(
        self,
        files: Files,
        stem: str,
        bus: Bus,
        *,
        facts: Mapping[str, Any],
        columns: Sequence[str],
    ) -> None:
        self._files = files
        self._recorder = Recorder(files.new(stem, ".mcap"), facts)
        self._table = files.new(stem, ".csv").open("w", newline="", encoding="utf-8")
        self._writer = csv.writer(self._table)
        self._writer.writerow(["time [s]", *columns])
        self._recorder.attach(bus)
        self._count = 0

    @property
    def is_full(self) -> bool:
        """Whether it is as long as it may be."""
        if self._count % SIZE_PERIOD:
            return False
        return self._recorder.path.stat().st_size > MAX_BYTES

    def add(
        self,
        time_ns: int,
        curves: Sequence[float],
        robots: Mapping[str, RobotJoints],
        objects: ObjectPoses | None,
    ) -> None:
        """Add a moment.

        Args:
            time_ns: Simulated time [ns].
            curves: One number per column.
            robots: Joints by robot.
            objects: Poses of what moves freely; None: nothing does.

        Raises:
            RecordingError: If a file cannot be written.
        """
        self._count += 1
        self._writer.writerow(
            [f"{time_ns / 1e9:.4f}", *(f"{value:.6g}" for value in curves)]
        )
        for name, joints in robots.items():
            self._recorder.write(f"joints/{name}", joints, time_ns)
        if objects is not None:
            self._recorder.write("objects", objects, time_ns)

    def finish(self) -> list[dict[str, Any]]:
        """Close the files and offer them; see `Files.offer`.

        Raises:
            RecordingError: If something is missing in the recording.
        """
        self._table.close()
        self._recorder.close()
        return [
            self._files.offer(path)
            for path in (self._recorder.path, Path(self._table.name))
        ]

    def abandon(self) -> None:
        """Close the files and delete them."""
        paths = (self._recorder.path, Path(self._table.name))
        with contextlib.suppress(ConfigError, OSError, RuntimeError):
            self._table.close()
            self._recorder.close()
        for path in paths:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
