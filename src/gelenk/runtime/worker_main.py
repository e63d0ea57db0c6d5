"""The life of a worker process: take a job, run its trials one by one, report.

The process is a fresh interpreter, not a fork: compiled kernels come from their cache
and engines start in it from nothing. It dies with the process that started it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

from gelenk.errors import GelenkError
from gelenk.runtime.trial import Job, LoadedJob, Task, Trial

# Results of short trials travel together: a message per 5 ms would keep the parent's
# core busy. A crash in between loses only results, which are computed again.
REPORT_PERIOD = 0.02  # [s]

# What is written when a trial starts: its number, and when [s] on the monotonic clock.
STARTED = struct.Struct("<qd")


def main(connection_fd: int, started_fd: int) -> None:
    """Serve the process at the other end until it closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what ends
    _volunteer_for_the_memory_killer()
    connection = Connection(connection_fd)
    threading.Thread(
        target=_die_with_parent, args=(connection_fd,), daemon=True
    ).start()
    with contextlib.suppress(EOFError, OSError):
        _serve(connection, started_fd)


def _serve(connection: Connection, started_fd: int) -> None:
    loaded: LoadedJob | None = None
    while True:
        message = connection.recv()
        if isinstance(message, Job):
            try:
                loaded = LoadedJob(message)
            except (GelenkError, ImportError) as error:
                connection.send(f"{type(error).__name__}: {error}")
                continue
            connection.send(None)
        else:
            assert loaded is not None, "tasks came before a job"
            _run_all(loaded, message, connection, started_fd)


def _run_all(
    loaded: LoadedJob, tasks: list[Task], connection: Connection, started_fd: int
) -> None:
    finished: list[Trial] = []
    reported = time.monotonic()
    for position, task in enumerate(tasks):
        os.write(started_fd, STARTED.pack(task.index, time.monotonic()))
        finished.append(loaded.run(task))
        is_last = position == len(tasks) - 1
        if is_last or time.monotonic() - reported > REPORT_PERIOD:
            connection.send(finished)
            finished, reported = [], time.monotonic()


def _die_with_parent(connection_fd: int) -> None:
    """End this process, and what it started, when the other end is closed."""
    poll = select.poll()
    poll.register(connection_fd, 0)  # only the hang-up, which needs no asking
    poll.poll()
    os.killpg(0, signal.SIGKILL)


def _volunteer_for_the_memory_killer() -> None:
    """Ask Linux to end a worker, which can be replaced, before anybody else."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500")
