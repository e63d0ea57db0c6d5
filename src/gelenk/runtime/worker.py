"""Worker process of a campaign: its main loop, and its handle in the parent."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from gelenk.errors import GelenkError
from gelenk.runtime.trial import Job, LoadedJob, Trial, TrialTask

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
    loaded: LoadedJob, tasks: list[TrialTask], connection: Connection, started_fd: int
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


SEND_BUFFER = 1 << 18  # [bytes], many times what the tasks of a worker need

_CODE = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[3]); "
    "from gelenk.runtime.worker import main; "
    "main(int(sys.argv[1]), int(sys.argv[2]))"
)
# One core per worker: a BLAS with threads of its own would only get in their way, and
# the number of threads may change the last bit of a sum.
_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)


class WorkerProcess:
    """A process that runs trials, in order, and what is known about it.

    Attributes:
        assigned: Tasks that were handed over and not reported yet, by number, in order.
        job: Job that was handed over.
        is_ready: Whether the worker has loaded the job.
        finished: Number of trials that were reported.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        # Tasks are sent while the worker may be sending too: neither may have to wait.
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._started_fd, started_fd = os.pipe()
        os.set_blocking(self._started_fd, False)
        with theirs:
            fds = (theirs.fileno(), started_fd)
            arguments = [str(fd) for fd in fds]
            path = json.dumps([entry or os.getcwd() for entry in sys.path])
            self._process = subprocess.Popen(
                [sys.executable, "-c", _CODE, *arguments, path],
                pass_fds=fds,
                stdin=subprocess.DEVNULL,
                stdout=2,  # stdout is for results of the campaign, not of its trials
                env=os.environ | dict.fromkeys(_ONE_THREAD, "1"),
                start_new_session=True,  # Ctrl-C is for us; a group ends as one
            )
        os.close(started_fd)
        self.connection = Connection(ours.detach())
        self.assigned: OrderedDict[int, TrialTask] = OrderedDict()
        self.job: Job | None = None
        self.is_ready = False
        self.finished = 0
        self._last_start: tuple[int, float] | None = None

    @property
    def pid(self) -> int:
        return self._process.pid

    def load(self, job: Job) -> None:
        """Hand over the job; the worker answers when it has loaded it."""
        self.is_ready, self.job = False, job
        self._send(job)

    def give(self, tasks: Sequence[TrialTask]) -> None:
        """Hand over tasks, behind those it has."""
        self.assigned.update((task.index, task) for task in tasks)
        self._send(list(tasks))

    def _send(self, message: Job | list[TrialTask]) -> None:
        # A dead worker is noticed where its answer is read.
        with contextlib.suppress(OSError):
            self.connection.send(message)

    def receive(self) -> list[Trial] | str | None:
        """Return what it reports: trials, None when ready, a text when it refuses.

        Raises:
            EOFError: It is dead.
        """
        try:
            message = self.connection.recv()
        except OSError as error:
            raise EOFError from error
        if message is None:
            self.is_ready = True
        elif not isinstance(message, str):
            for trial in message:
                self.assigned.pop(trial.index, None)
            self.finished += len(message)
            self.running()  # keeps the pipe of starts from filling up
        return message

    def running(self) -> tuple[TrialTask, float] | None:
        """Return the task it works on and when it began [s], monotonic clock."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._started_fd, 1024 * STARTED.size):
                self._last_start = STARTED.unpack(data[-STARTED.size :])
        if self._last_start is None or self._last_start[0] not in self.assigned:
            return None
        index, start = self._last_start
        return self.assigned[index], start

    def end(self) -> int:
        """Kill it and all it started; return its exit code, negative for a signal.

        A worker that died before keeps the exit code it died with.
        """
        if self._process.returncode is None:
            # Not waited for yet, so its number cannot belong to anybody else.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        return self._process.wait()

    def close(self) -> None:
        """End it and free what it held here."""
        self.end()
        self.connection.close()
        if self._started_fd >= 0:
            os.close(self._started_fd)
            self._started_fd = -1


def describe_exit(code: int) -> str:
    """Return an exit code in words.

    Example:
        >>> describe_exit(-11)
        'ended by signal SIGSEGV'
    """
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"ended by signal {signal.Signals(-code).name}"
        return f"ended by signal {-code}"
    return f"ended with exit code {code}"
