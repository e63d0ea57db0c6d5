"""Somebody watches a scenario: sees its simulated time pass, and may hold it back.

A scenario knows nothing of its spectator. Whatever takes it through time, a `Run` or
`gelenk.runtime.scenarios.tracking.track`, tells the one that is present.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from gelenk.runtime.clock import Pacer


class Spectator:
    """Watches simulated time pass.

    Attributes:
        pacer: Holds simulated time back to wall time; used by those who have none.
        time: Simulated time that has passed, all worlds one after the other [s].
        num_looks: How often it was told the time.

    Args:
        pace: Simulated seconds per second of wall time; None: as fast as possible.
        on_time: Called with `time` [s] whenever it has changed.
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
    """Let a spectator be present while the block runs, in this thread."""
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
