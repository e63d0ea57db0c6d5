"""Worker processes on this machine: trials in parallel, none lost.

A trial whose process dies is run once more, as the first one of a fresh process; if
that dies too, the trial is reported as crashed. A trial over its time is ended and
reported. Trials that only shared a process with it are run again without blame.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import Protocol

from gelenk.errors import ConfigError, GelenkError
from gelenk.runtime.trial import Job, LoadedJob, Status, Trial, TrialTask
from gelenk.runtime.worker import WorkerProcess, describe_exit

BACKLOG = 0.1  # [s] of work that a worker has in hand, so that it never waits for us
MAX_IN_HAND = 200  # tasks of a worker; they, and news of them, must fit into buffers
MAX_STARTS = 3  # workers that may die in a row before their first trial


class CampaignError(GelenkError, RuntimeError):
    """The workers of a campaign are gone; its journal keeps what was done."""


class Pool(Protocol):
    """Something that runs the trials of a job, in any order."""

    def run(self, job: Job, tasks: Iterable[TrialTask]) -> Iterator[Trial]:
        """Yield the trials as they end."""
        ...

    def close(self) -> None:
        """End all processes; may be called twice."""
        ...


class InProcess:
    """The plain loop: trials one after the other in this process, for debugging.

    A trial that crashes takes the program along, and no trial is ever timed out.
    """

    def run(self, job: Job, tasks: Iterable[TrialTask]) -> Iterator[Trial]:
        """Yield the trials in order."""
        loaded = LoadedJob(job)
        for task in tasks:
            yield loaded.run(task)

    def close(self) -> None:
        """There is nothing to end."""


@dataclass(slots=True)
class _WorkerRun:
    """State of one call of `LocalPool.run`."""

    job: Job
    queue: deque[TrialTask]
    mean_duration: float = math.nan  # [s] of a trial, smoothed
    blamed: set[int] = field(default_factory=set[int])  # died once in their hands
    failed_starts: int = 0


class LocalPool:
    """A fixed number of worker processes; they stay for further jobs until closed."""

    def __init__(
        self, workers: int | None = None, *, timeout: float | None = None
    ) -> None:
        """Make a pool; processes start with the first run.

        Args:
            workers: Number of processes, by default one per usable core.
            timeout: Longest wall time of one trial [s], by default no limit.
        """
        if os.name != "posix":
            raise ConfigError(
                "worker processes need Linux or macOS; use 0 workers, which runs the "
                "trials in this process"
            )
        count = available_cores() if workers is None else workers
        if count < 1:
            raise ConfigError(f"`workers` must be at least 1, got {count}")
        if timeout is not None and not timeout > 0.0:
            raise ConfigError(f"`timeout` must be over 0 s, got {timeout!r}")
        self.timeout = timeout
        self._is_stopped = False
        self._workers: list[WorkerProcess | None] = [None] * count

    def run(self, job: Job, tasks: Iterable[TrialTask]) -> Iterator[Trial]:
        """Yield the trials as they end; leaving early ends the workers."""
        run = _WorkerRun(job=job, queue=deque(tasks))
        self._start(run, len(run.queue))
        try:
            while run.queue or any(worker.assigned for worker in self._alive()):
                self._hand_out(run)
                yield from self._collect(run)
                yield from self._end_overdue(run)
        except BaseException:
            self.close()
            raise

    def warm_up(self, job: Job) -> None:
        """Start all workers and wait until they have loaded the job."""
        run = _WorkerRun(job=job, queue=deque())
        self._start(run, len(self._workers))
        while not all(worker.is_ready for worker in self._alive()):
            for _ in self._collect(run):
                pass

    def pids(self) -> list[int]:
        """Return the process numbers of the workers."""
        return [worker.pid for worker in self._alive()]

    def stop(self) -> None:
        """End, from another thread, what runs here; it raises `CampaignError` there."""
        self._is_stopped = True
        for worker in self._alive():
            worker.end()

    def close(self) -> None:
        """End all workers."""
        for worker in self._alive():
            worker.close()
        self._workers = [None] * len(self._workers)

    def _alive(self) -> list[WorkerProcess]:
        return [worker for worker in self._workers if worker is not None]

    def _start(self, run: _WorkerRun, needed: int) -> None:
        """Start as many workers as are needed; all that live get the job."""
        for slot, worker in enumerate(self._workers):
            if worker is None and slot < needed:
                worker = self._workers[slot] = WorkerProcess()
            if worker is not None and worker.job != run.job:
                worker.load(run.job)

    def _replace(self, run: _WorkerRun, dead: WorkerProcess) -> WorkerProcess:
        if self._is_stopped:
            raise CampaignError("the campaign was stopped")
        slot = self._workers.index(dead)
        dead.close()
        fresh = self._workers[slot] = WorkerProcess()
        fresh.load(run.job)
        return fresh

    def _hand_out(self, run: _WorkerRun) -> None:
        """Fill the hands of the workers; late in a campaign with smaller shares."""
        workers = [worker for worker in self._alive() if worker.is_ready]
        for worker in workers:
            if not run.queue:
                return
            depth = 1
            if not math.isnan(run.mean_duration):
                fair = len(run.queue) // (2 * len(self._workers)) + 1
                depth = math.ceil(BACKLOG / max(run.mean_duration, 1e-6))
                depth = min(depth, fair, MAX_IN_HAND)
            if len(worker.assigned) <= depth // 2:
                count = min(depth - len(worker.assigned), len(run.queue))
                worker.give([run.queue.popleft() for _ in range(count)])

    def _collect(self, run: _WorkerRun) -> Iterator[Trial]:
        """Wait for reports and yield their trials."""
        workers = {worker.connection: worker for worker in self._alive()}
        for connection in wait(list(workers), timeout=self._wait_time()):
            worker = workers[connection]  # type: ignore[index]
            try:
                message = worker.receive()
            except EOFError:
                yield from self._bury(run, worker)
                continue
            if isinstance(message, str):
                raise ConfigError(f"a worker cannot load the scenario: {message}")
            for trial in message or ():
                run.failed_starts = 0
                old = run.mean_duration
                is_first = math.isnan(old)
                run.mean_duration = (
                    trial.duration if is_first else 0.9 * old + 0.1 * trial.duration
                )
                yield trial

    def _wait_time(self) -> float | None:
        if self.timeout is None:
            return None
        now = time.monotonic()
        rest = [
            started[1] + self.timeout - now
            for worker in self._alive()
            if (started := worker.running()) is not None
        ]
        # A trial may begin just after this look: look again within a timeout.
        return min(max(min(rest, default=self.timeout), 0.0) + 0.001, self.timeout)

    def _bury(self, run: _WorkerRun, worker: WorkerProcess) -> Iterator[Trial]:
        """Replace a dead worker; its trial gets a second chance, or is reported."""
        code = worker.end()
        running = worker.running()
        if running is None and not worker.finished:
            run.failed_starts += 1
            if run.failed_starts >= MAX_STARTS:
                raise CampaignError(
                    f"worker processes die before their first trial, the last one "
                    f"{describe_exit(code)}; its messages are above"
                )
        yield from self._requeue(
            run, worker, running[0] if running else None, "crashed", describe_exit(code)
        )

    def _end_overdue(self, run: _WorkerRun) -> Iterator[Trial]:
        if self.timeout is None:
            return
        for worker in self._alive():
            running = worker.running()
            if running is None or time.monotonic() - running[1] <= self.timeout:
                continue
            worker.end()
            run.blamed.add(running[0].index)  # time over is not tried again
            reason = f"ran longer than {self.timeout:g} s and was ended"
            yield from self._requeue(run, worker, running[0], "timeout", reason)

    def _requeue(
        self,
        run: _WorkerRun,
        worker: WorkerProcess,
        culprit: TrialTask | None,
        status: Status,
        reason: str,
    ) -> Iterator[Trial]:
        """Put back what a lost worker had, without the culprit, and replace it."""
        others = [task for task in worker.assigned.values() if task is not culprit]
        run.queue.extendleft(reversed(others))
        fresh = self._replace(run, worker)
        if culprit is None:
            return
        if culprit.index not in run.blamed:
            run.blamed.add(culprit.index)
            fresh.give([culprit])
            return
        if status == "crashed":
            reason = f"its process was lost twice, the second one {reason}"
        yield Trial(
            index=culprit.index, seed=culprit.seed, status=status, reason=reason
        )


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
