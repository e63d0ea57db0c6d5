"""Log files: Debug-Out, places of controllers, system messages, stacks of threads.

All files are begun anew, written line by line, and closed at the end.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import TextIO

from gelenk.closing import Closing
from gelenk.errors import ConfigError
from gelenk.robots.armbot.config import STATE_PERIOD
from gelenk.robots.armbot.consoles import SystemLog
from gelenk.robots.armbot.debug_out import DebugOut
from gelenk.robots.armbot.options import Options
from gelenk.runtime.clock import nanoseconds
from gelenk.runtime.executor import Executor
from gelenk.runtime.run import Run
from gelenk.runtime.thread_executor import ThreadExecutor

logger = logging.getLogger(__name__)

# What a student did not write; the line below it says where the time goes.
_LIBRARY = (
    "gelenk.runtime.",
    "gelenk.robots.armbot.interface",
    "gelenk.robots.armbot.drive",
    "threading",
)


class ThreadLog:
    """Writes all stacks to a file, now and then every period, from a thread of its own.

    It looks on also while the simulation is stuck: wall time counts.

    Args:
        file: Where to write.
        sim_time: Says the simulated time [s].
        period: Wall time between two looks [s].
    """

    def __init__(
        self, file: TextIO, sim_time: Callable[[], float], *, period: float
    ) -> None:
        self._file, self._sim_time, self._period = file, sim_time, period
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._main, name="thread log")
        self._thread.daemon = True
        self._thread.start()

    def close(self) -> None:
        """End the thread; the file stays open."""
        self._is_over.set()
        self._thread.join()

    def _main(self) -> None:
        try:
            self._write_on()
        except OSError:  # a full disk must not end the run
            logger.exception("the thread log cannot be written any more")

    def _write_on(self) -> None:
        while True:
            now = datetime.now().astimezone().isoformat(timespec="milliseconds")
            self._file.write(
                f"==== {now}, simulated {self._sim_time():.3f} s\n{describe_threads()}"
            )
            if self._is_over.wait(self._period):
                return


def describe_threads() -> str:
    """Return the stacks of all threads but the one that asks, innermost call last."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    own = threading.get_ident()
    parts: list[str] = []
    for ident, frame in sys._current_frames().items():
        if ident != own:
            parts.append(
                f"-- {names.get(ident, 'a thread that Python did not start')}\n"
            )
            parts += traceback.format_stack(frame)
    return "".join(parts)


def log_paths(options: Options) -> dict[str, Path]:
    """Return the wanted files by "debug", "state", "system" and "threads".

    Raises:
        ConfigError: If the suffix cannot be part of a file name.
    """
    suffix = options.log_suffix
    if any(sign in suffix for sign in "/\\\0"):
        raise ConfigError(
            "the suffix of log files is part of a file name and must not contain "
            f"'/' or '\\', got {suffix!r}; folders are chosen by -logdir"
        )
    stems = {
        "debug": (options.log_debug, "debug"),
        "state": (options.log_state, "state"),
        "system": (options.log_system, "syslog"),
        "threads": (options.log_threads, "simthreads"),
    }
    tail = f"_{suffix}" if suffix else ""
    folder = options.log_folder if options.log_folder is not None else Path()
    return {
        kind: folder / f"{stem}{tail}.out"
        for kind, (is_wanted, stem) in stems.items()
        if is_wanted
    }


class LogFiles(Closing):
    """Writes the wished log files of a run, from now until it is closed.

    Attributes:
        paths: The files, by "debug", "state", "system" and "threads".

    Args:
        options: The command line: which files, and where.
        run: The run.
        debug_out: What controllers print.
        system_log: What the runtime says.
        thread_period: Wall time between two looks at all threads [s].

    Raises:
        ConfigError: If a file cannot be written; then none is made or changed.
    """

    def __init__(
        self,
        options: Options,
        run: Run,
        debug_out: DebugOut,
        system_log: SystemLog,
        *,
        thread_period: float = STATE_PERIOD,
    ) -> None:
        self.paths = log_paths(options)
        self._files = open_all(self.paths)
        self._thread_log: ThreadLog | None = None
        self._stops: list[Callable[[], None]] = []
        files = self._files
        if "debug" in files:
            self._stops.append(debug_out.listen(_writer(files["debug"])))
        if "system" in files:
            self._stops.append(system_log.scroll.listen(_writer(files["system"])))
        if "state" in files:
            state_log = _StateLog(run, files["state"])
            self._stops.append(run.bus.subscribe_ticks(state_log.look))
        if "threads" in files:
            self._thread_log = ThreadLog(
                files["threads"], lambda: run.time, period=thread_period
            )

    def close(self) -> None:
        """Write no more and close the files; twice does no harm."""
        for stop in self._stops:
            stop()
        if self._thread_log is not None:
            self._thread_log.close()
        for file in self._files.values():
            file.close()


def open_all(paths: Mapping[str, Path]) -> dict[str, TextIO]:
    """Open files for writing, empty: all of them, or none.

    Raises:
        ConfigError: If one cannot be written; folders and files are as before.
    """
    made: list[Path] = []
    with contextlib.ExitStack() as stack:
        stack.callback(_remove, made)
        files: dict[str, TextIO] = {}
        for kind, path in paths.items():
            try:
                made += _make_folder(path.parent)
                if not path.exists():
                    made.append(path)
                # To append changes nothing yet, should another file fail.
                file = path.open("a", 1, "utf-8", errors="backslashreplace")
            except OSError as error:
                raise ConfigError(
                    f"cannot write the log file {path}: {error.strerror or error}; "
                    "choose another folder with -logdir"
                ) from error
            files[kind] = stack.enter_context(file)
        stack.pop_all()
    for file in files.values():
        file.truncate(0)
    return files


def _make_folder(folder: Path) -> list[Path]:
    """Make a folder and those above it; return the new ones, outermost first."""
    missing = [item for item in (folder, *folder.parents) if not item.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _remove(made: list[Path]) -> None:
    for path in reversed(made):
        with contextlib.suppress(OSError):
            path.rmdir() if path.is_dir() else path.unlink()


def _writer(file: TextIO) -> Callable[[object], None]:
    def write(line: object) -> None:
        file.write(f"{line}\n")

    return write


class _StateLog:
    """Writes where each controller stands, every simulated second."""

    def __init__(self, run: Run, file: TextIO) -> None:
        self._run, self._file = run, file
        self._next_ns, self._last_ns = 0, -1
        self._is_broken = False

    def look(self, time_ns: int) -> None:
        """Write lines if a second has passed; after a reset time begins anew."""
        period = nanoseconds(STATE_PERIOD)
        if time_ns < self._last_ns:
            self._next_ns = time_ns
        self._last_ns = time_ns
        if time_ns < self._next_ns or self._is_broken:
            return
        self._next_ns = (time_ns // period + 1) * period
        try:
            for host in self._run.executors:
                self._file.write(f"{time_ns / 1e9:.3f} s  {describe_host(host)}\n")
        except OSError:  # a full disk must not end the run
            self._is_broken = True
            logger.exception("the state log cannot be written any more")


def describe_host(host: Executor) -> str:
    """Return who, in which state, and where its `run` stands."""
    text = f"robot{host.instance}  {host.name}  {host.state.value}"
    frame = host.main.frame() if isinstance(host, ThreadExecutor) else None
    if frame is None:
        return text
    code = (place := _own_frame(frame)).f_code
    return f"{text}  {code.co_filename}:{place.f_lineno} in {code.co_name}"


def _own_frame(frame: FrameType) -> FrameType:
    """Return the innermost frame that is not the library's, or the innermost."""
    for item in _outwards(frame):
        if not str(item.f_globals.get("__name__", "")).startswith(_LIBRARY):
            return item
    return frame


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
