"""Control of a run from outside, as data: buttons, sliders, typed lines, spectators.

Requests come through a queue from any thread and are carried out between two control
ticks, in their order.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from gelenk.runtime.clock import Pacer


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRequest:
    """Start, resume, pause or stop controllers.

    Attributes:
        action: Event to request of the controllers; "start" also resumes.
        controller: Name of one controller, or empty for all.
    """

    action: Literal["start", "resume", "pause", "stop"]
    controller: str = ""


@dataclass(frozen=True, slots=True)
class ResetRequest:
    """Stop all controllers, wait for their ends, and put the world to its beginning."""


@dataclass(frozen=True, slots=True)
class HoldRequest:
    """Let simulated time stand still."""


@dataclass(frozen=True, slots=True)
class ProceedRequest:
    """Let simulated time go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleStepRequest:
    """Do some control ticks, then hold."""

    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPaceRequest:
    """Set the simulated seconds per second of wall time; None: as fast as possible."""

    pace: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SendTriggerRequest:
    """Send a trigger in the name of a person."""

    receiver: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SendLineRequest:
    """Hand a typed line to the controller with a number."""

    line: str
    instance: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RewindRequest:
    """Go back to a physics tick of the history."""

    tick: int


@dataclass(frozen=True, slots=True)
class QuitRequest:
    """End the run."""


Request = (
    ControlRequest
    | ResetRequest
    | HoldRequest
    | ProceedRequest
    | SingleStepRequest
    | SetPaceRequest
    | SendTriggerRequest
    | SendLineRequest
    | RewindRequest
    | QuitRequest
)


class RequestQueue:
    """Carries requests from any thread to the one that runs."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[Request, Future[None]]] = (
            queue.SimpleQueue()
        )
        self._has_come = threading.Event()

    def post(self, request: Request) -> Future[None]:
        """Ask for something; the future tells when it was done, or why it was not."""
        future: Future[None] = Future()
        self._queue.put((request, future))
        self._has_come.set()
        return future

    def take(self) -> list[tuple[Request, Future[None]]]:
        """Return all requests that wait, in their order."""
        if self._queue.empty():
            return []
        self._has_come.clear()
        requests: list[tuple[Request, Future[None]]] = []
        while not self._queue.empty():
            requests.append(self._queue.get())
        return requests

    def wait(self, seconds: float | None) -> None:
        """Wait for wall time [s] or until a request comes."""
        self._has_come.wait(seconds)


class Spectator:
    """Watches simulated time pass.

    Attributes:
        pacer: Pacer for worlds that have none of their own.
        time: Simulated time that has passed, all worlds one after the other [s].
        num_looks: Number of times that `see` was called.

    Args:
        pace: Simulated seconds per second of wall time; None: as fast as possible.
        on_time: Function of `time` [s], called whenever it has changed.

    Example:
        >>> from gelenk.runtime import Spectator
        >>> spectator = Spectator()
        >>> spectator.see(0.5)
        >>> spectator.time
        0.5
    """

    def __init__(
        self,
        *,
        pace: float | None = None,
        on_time: Callable[[float], None] | None = None,
    ) -> None:
        self.pacer = Pacer(pace)
        self.time = 0.0
        self.num_looks = 0
        self._on_time = on_time
        self._last = 0.0

    @property
    def pace(self) -> float | None:
        """Simulated seconds per second of wall time."""
        return self.pacer.pace

    def see(self, sim_time: float) -> None:
        """Take note of the time of a world [s]; an earlier one is that of another."""
        if sim_time < self._last:
            self._last = 0.0
            self.pacer.restart()
        self.time += sim_time - self._last
        self._last = sim_time
        self.num_looks += 1
        if self._on_time is not None:
            self._on_time(self.time)


_present: ContextVar[Spectator | None] = ContextVar("spectator", default=None)


@contextmanager
def watched_by(spectator: Spectator) -> Iterator[Spectator]:
    """Let a spectator be present while the block runs, in this thread.

    Args:
        spectator: Spectator of the runs.

    Example:
        >>> from gelenk.runtime import Spectator, watched_by
        >>> with watched_by(Spectator()) as spectator:
        ...     spectator.see(0.25)
        >>> spectator.num_looks
        1
    """
    token = _present.set(spectator)
    try:
        yield spectator
    finally:
        _present.reset(token)


def present_spectator() -> Spectator | None:
    """Return who watches, None if nobody does."""
    return _present.get()


def pass_time(sim_time: float) -> None:
    """Show the time of a world [s] to the spectator, and wait if it wants that."""
    spectator = _present.get()
    if spectator is not None:
        spectator.see(sim_time)
        spectator.pacer.wait(sim_time)
