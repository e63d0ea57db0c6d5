"""The last control ticks of a run, each complete enough to go on from it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from gelenk.runtime.clock import Clock
from gelenk.runtime.host import Host, RewindError


class Part(Protocol):
    """Something whose state is a value between two control ticks."""

    def snapshot(self) -> Any: ...

    def restore(self, snapshot: Any, /) -> None: ...


class Moment(NamedTuple):
    """All of a run at a control tick, before anything happened in it.

    Attributes:
        tick: Physics tick.
        parts: Snapshots of world, messages, triggers, watchdogs and faults.
        hosts: What each controller needs, in their order.
    """

    tick: int
    parts: tuple[Any, ...]
    hosts: tuple[Any, ...]


class Restorable:
    """What a run is made of, as far as it can be taken back.

    Args:
        clock: Its time.
        parts: Everything with a state, besides controllers.
        hosts: The controllers.
    """

    def __init__(
        self, clock: Clock, parts: Sequence[Part], hosts: Sequence[Host]
    ) -> None:
        self.clock, self._parts, self._hosts = clock, tuple(parts), tuple(hosts)

    def take(self) -> Moment:
        """Return the present moment; to be called between two control ticks."""
        return Moment(
            self.clock.tick,
            tuple(part.snapshot() for part in self._parts),
            tuple(host.moment() for host in self._hosts),
        )

    def check(self, moment: Moment) -> None:
        """Refuse a moment to which a controller cannot go back.

        Raises:
            RewindError: If there is one.
        """
        for host, state in zip(self._hosts, moment.hosts, strict=True):
            host.check_rewind(state)

    def restore(self, moment: Moment) -> None:
        """Bring everything back to a moment."""
        self.clock.tick = moment.tick
        for part, snapshot in zip(self._parts, moment.parts, strict=True):
            part.restore(snapshot)
        for host, state in zip(self._hosts, moment.hosts, strict=True):
            host.restore(state)


class History:
    """The latest moments of a run, at most `size` of them."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._moments: OrderedDict[int, Moment] = OrderedDict()

    @property
    def ticks(self) -> tuple[int, ...]:
        """Physics ticks that can be gone back to, oldest first."""
        return tuple(self._moments)

    def keep(self, run: Restorable) -> None:
        """Keep the present moment, and forget the oldest if there are too many."""
        if self.size > 0 and run.clock.tick not in self._moments:
            self._moments[run.clock.tick] = run.take()
            while len(self._moments) > self.size:
                self._moments.popitem(last=False)

    def rewind(self, tick: int, run: Restorable) -> None:
        """Go back to a tick; what came after it is forgotten.

        Raises:
            RewindError: If the tick is not kept or a controller cannot go back.
        """
        moment = self._moments.get(tick)
        if moment is None:
            raise RewindError(self._explain(tick))
        run.check(moment)
        run.restore(moment)
        self._moments = OrderedDict(
            (key, value) for key, value in self._moments.items() if key <= tick
        )

    def clear(self) -> None:
        """Forget everything."""
        self._moments.clear()

    def _explain(self, tick: int) -> str:
        if self.size == 0:
            return "this run keeps no history; make it with `history` above 0"
        if not self._moments:
            return f"tick {tick} is not in the history, which is empty"
        nearest = min(self._moments, key=lambda key: abs(key - tick))
        return (
            f"tick {tick} is not in the history, which holds {len(self._moments)} "
            f"control ticks from {self.ticks[0]} to {self.ticks[-1]}; the nearest is "
            f"{nearest}"
        )
