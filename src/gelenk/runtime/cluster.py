"""Campaigns on a cluster: the same trials on the workers of a Dask scheduler.

Each slot of a Dask worker keeps one worker process of ours, so that a crash or a time
over means the same as on one machine and never harms the cluster. If a Dask worker
dies, the scheduler gives its trials to another one.
"""

from __future__ import annotations

import contextlib
import math
import queue
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gelenk.errors import ConfigError
from gelenk.runtime.local_pool import CampaignError, LocalPool
from gelenk.runtime.trial import Job, Trial, TrialTask

BATCH_TIME = 0.5  # [s] of work per message to the cluster, which costs about 2 ms
CONNECT_TIME = 10.0  # [s]
LOOK_PERIOD = 1.0  # [s] between looks at the cluster while nothing comes back
LONELY_TIME = 30.0  # [s] without any worker before we give up

_REMEDY = "install it with: pip install 'gelenk[cluster]'"


class ClusterPool:
    """The workers of a Dask scheduler, as a pool."""

    def __init__(
        self,
        address: str,
        *,
        timeout: float | None = None,
        lonely_time: float = LONELY_TIME,
    ) -> None:
        """Connect to a scheduler.

        Args:
            address: Address of the scheduler, such as "tcp://10.0.0.1:8786".
            timeout: Longest wall time of one trial [s].
            lonely_time: Longest wait for a worker if there is none [s].
        """
        try:
            import distributed
        except ImportError as error:
            raise ConfigError(
                f"a cluster needs Dask distributed, which is missing; {_REMEDY}"
            ) from error
        if timeout is not None and not timeout > 0.0:
            raise ConfigError(f"`timeout` must be over 0 s, got {timeout!r}")
        self.address, self.timeout, self.lonely_time = address, timeout, lonely_time
        try:
            self._client: Any = distributed.Client(
                address, timeout=CONNECT_TIME, set_as_default=False
            )
        except (OSError, ValueError, TimeoutError) as error:
            raise ConfigError(
                f"no Dask scheduler answers at {address!r} ({error}); start one with "
                "`dask scheduler`, or name the address it printed"
            ) from error

    def run(self, job: Job, tasks: Iterable[TrialTask]) -> Iterator[Trial]:
        """Yield the trials as they come back."""
        waiting = deque(tasks)
        finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        batches: dict[Any, list[TrialTask]] = {}
        lost: set[int] = set()  # trials whose Dask workers died again and again
        mean_duration = math.nan
        try:
            while waiting or batches:
                self._submit(job, waiting, batches, finished, lost, mean_duration)
                future = self._next(finished)
                trials = self._result(future, batches.pop(future), waiting, lost)
                for trial in trials:
                    old = mean_duration
                    fresh = math.isnan(old)
                    mean_duration = (
                        trial.duration if fresh else 0.9 * old + 0.1 * trial.duration
                    )
                    yield trial
        finally:
            with contextlib.suppress(Exception):  # the cluster may be gone
                self._client.cancel(list(batches), force=True)
                self._client.run(stop_job, job, on_error="ignore")

    def close(self) -> None:
        """Leave the cluster; its workers stay."""
        self._client.close(timeout=2.0)

    def _submit(
        self,
        job: Job,
        waiting: deque[TrialTask],
        batches: dict[Any, list[TrialTask]],
        finished: queue.SimpleQueue[Any],
        lost: set[int],
        mean_duration: float,
    ) -> None:
        """Send as many batches as the cluster has slots, and one more each."""
        slots = max(sum(self._client.nthreads().values()), 1)
        while waiting and len(batches) < 2 * slots:
            size = 1
            if not math.isnan(mean_duration) and waiting[0].index not in lost:
                fair = len(waiting) // (2 * slots) + 1
                size = min(math.ceil(BATCH_TIME / max(mean_duration, 1e-6)), fair)
            batch = [waiting.popleft() for _ in range(min(size, len(waiting)))]
            future = self._client.submit(
                run_batch, job, batch, self.timeout, pure=False
            )
            batches[future] = batch
            future.add_done_callback(finished.put)

    def _next(self, finished: queue.SimpleQueue[Any]) -> Any:
        """Wait for a batch to end, with an eye on the cluster."""
        seen = time.monotonic()
        while True:
            with contextlib.suppress(queue.Empty):
                return finished.get(timeout=LOOK_PERIOD)
            if self._has_workers():
                seen = time.monotonic()
            elif time.monotonic() - seen > self.lonely_time:
                raise CampaignError(
                    f"the cluster at {self.address} has had no worker for "
                    f"{self.lonely_time:g} s; start one with `dask worker "
                    f"{self.address}` and resume"
                )

    def _has_workers(self) -> bool:
        with contextlib.suppress(Exception):  # an answer that fails to come is a no
            return bool(self._client.scheduler_info()["workers"])
        return False

    def _result(
        self,
        future: Any,
        batch: list[TrialTask],
        waiting: deque[TrialTask],
        lost: set[int],
    ) -> Sequence[Trial]:
        """Return the trials of a batch; those of lost workers go back, one by one."""
        from distributed import KilledWorker

        try:
            return future.result()
        except KilledWorker:
            is_alone = len(batch) == 1 and batch[0].index in lost
            if not is_alone:
                lost.update(task.index for task in batch)
                waiting.extend(batch)
                return ()
            task = batch[0]
            reason = "every Dask worker that ran it was lost"
            return [
                Trial(index=task.index, seed=task.seed, status="crashed", reason=reason)
            ]
        except ConfigError:
            raise
        except Exception as error:
            if future.cancelled():
                raise CampaignError(
                    f"the scheduler at {self.address} is gone ({error}); start it "
                    "again and resume"
                ) from error
            raise CampaignError(
                f"the workers at {self.address} cannot run the trials: "
                f"{type(error).__name__}: {error}; is the same gelenk installed there?"
            ) from error


# -- on the Dask worker ------------------------------------------------------------


class _Slot:
    """A pool of one process, for one thread of the Dask worker."""

    def __init__(self, job: Job, timeout: float | None) -> None:
        self.job, self.pool = job, LocalPool(1, timeout=timeout)
        self.is_busy = True


_slots: list[_Slot] = []
_lock = threading.Lock()


def run_batch(job: Job, tasks: list[TrialTask], timeout: float | None) -> list[Trial]:
    """Run some trials in a process of this slot's own; called by Dask."""
    slot = _take_slot(job, timeout)
    try:
        return list(slot.pool.run(job, tasks))
    finally:
        with _lock:
            slot.is_busy = False
            is_kept = slot in _slots
        if not is_kept:
            slot.pool.close()


def stop_job(job: Job) -> None:
    """End the processes of a job on this Dask worker, busy or not."""
    with _lock:
        ended = [slot for slot in _slots if slot.job == job]
        _slots[:] = [slot for slot in _slots if slot.job != job]
    for slot in ended:
        slot.pool.stop() if slot.is_busy else slot.pool.close()


def _take_slot(job: Job, timeout: float | None) -> _Slot:
    with _lock:
        for slot in _slots:
            if not slot.is_busy and slot.job == job and slot.pool.timeout == timeout:
                slot.is_busy = True
                return slot
        # A campaign whose client vanished left these.
        idle = [slot for slot in _slots if not slot.is_busy]
        _slots[:] = [slot for slot in _slots if slot.is_busy]
        _slots.append(_Slot(job, timeout))
        fresh = _slots[-1]
    for slot in idle:
        slot.pool.close()
    return fresh
