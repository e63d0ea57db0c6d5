"""Lockstep of a run: the order of a control tick, and its history of past ticks.

Simulated time stands still meanwhile. First the trigger handlers run, then the
controllers that are due, each in the order of the instance numbers.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, Protocol

from gelenk.runtime.clock import Clock
from gelenk.runtime.executor import Executor, PureExecutor, RewindError
from gelenk.runtime.process import ProcessExecutor
from gelenk.runtime.services import Services
from gelenk.runtime.thread_executor import Inbox, ProcessorExecutor, ThreadExecutor


class Lockstep:
    """Gives all controllers and trigger processors of a run their turns.

    Args:
        executors: Executors of the controllers.
        processors: Executors of the trigger processors.
        services: Services that they share.
    """

    def __init__(
        self,
        executors: Iterable[Executor],
        processors: Iterable[ProcessorExecutor],
        services: Services,
    ) -> None:
        self.executors = tuple(
            sorted(executors, key=lambda executor: executor.instance)
        )
        self.processors = tuple(processors)
        self._services = services
        # Neighbours of one kind take their turns together: fewer changes of thread.
        self._turns = [
            self._make_turn(kind, list(group))
            for kind, group in groupby(self.executors, key=type)
        ]
        self._receivers = self._order_receivers()
        self._processes = [h for h in self.executors if isinstance(h, ProcessExecutor)]

    def run_handlers(self) -> None:
        """Let everybody handle the triggers that have come, by number."""
        for receivers in self._receivers:
            if isinstance(receivers, PureExecutor):
                receivers.handle()
            else:
                waiting: Sequence[Inbox] = receivers
                while waiting:
                    waiting = self._open(waiting)

    def _order_receivers(self) -> list[PureExecutor | list[Inbox]]:
        """Return who handles triggers, by number; neighbours with inboxes together."""
        numbered: list[tuple[int, PureExecutor | Inbox]] = [
            (
                executor.instance,
                executor.inbox if isinstance(executor, ThreadExecutor) else executor,
            )
            for executor in self.executors
            if isinstance(executor, PureExecutor | ThreadExecutor)
        ]
        numbered += [(item.number, item.inbox) for item in self.processors]
        ordered: list[PureExecutor | list[Inbox]] = []
        for _, receiver in sorted(numbered, key=lambda pair: pair[0]):
            if isinstance(receiver, PureExecutor):
                ordered.append(receiver)
            elif ordered and isinstance(ordered[-1], list):
                ordered[-1].append(receiver)
            else:
                ordered.append([receiver])
        return ordered

    def _open(self, inboxes: Sequence[Inbox]) -> list[Inbox]:
        """Run handlers; return the inboxes whose handler hung before others ran."""
        tick = self._services.clock.tick
        woken = [(inbox, inbox.wake(tick)) for inbox in inboxes]
        self._services.scheduler.run(
            [thread for _, thread in woken if thread is not None]
        )
        return [inbox for inbox, thread in woken if thread and inbox.settle()]

    def run_controllers(self) -> None:
        """Let all controllers act that are due."""
        tick = self._services.clock.tick
        for process in self._processes:  # they think at the same time as the others
            process.ask(tick)
        for take_turn in self._turns:
            take_turn(tick)
        for executor in self.executors:
            executor.report_late_end()

    def _make_turn(
        self, kind: type[Executor], group: list[Any]
    ) -> Callable[[int], None]:
        """Return what gives the executors of one kind their turn at a tick."""
        if issubclass(kind, ThreadExecutor):
            return partial(self._wake_threads, group)
        if issubclass(kind, ProcessExecutor):
            return partial(self._collect_answers, group)
        return partial(self._step_pure, group)

    def _wake_threads(self, executors: list[ThreadExecutor], tick: int) -> None:
        threads = [thread for executor in executors if (thread := executor.wake(tick))]
        if threads:
            self._services.scheduler.run(threads)
            for executor in executors:
                executor.settle()

    def _collect_answers(self, executors: list[ProcessExecutor], tick: int) -> None:
        for executor in executors:
            executor.collect()

    def _step_pure(self, executors: list[PureExecutor], tick: int) -> None:
        for executor in executors:
            if executor.is_due(tick):
                executor.step()

    def close(self) -> None:
        """End everything."""
        for executor in self.executors:
            executor.close()
        for item in self.processors:
            item.inbox.thread.close()


class Restorable(Protocol):
    """Something whose state is a value between two control ticks."""

    def snapshot(self) -> object: ...

    def restore(self, snapshot: Any, /) -> None: ...


class RunSnapshot(NamedTuple):
    """All of a run at a control tick, before anything happened in it.

    Attributes:
        tick: Number of the physics tick.
        parts: Snapshots of world, messages, triggers, watchdogs and faults.
        executors: Snapshots of the controllers, in their order.
    """

    tick: int
    parts: tuple[Any, ...]
    executors: tuple[Any, ...]


class RunState:
    """State of a run, as far as it can be taken back.

    Args:
        clock: Clock of the run.
        parts: Parts of the run with a state, besides controllers.
        executors: Executors of the controllers.
    """

    def __init__(
        self, clock: Clock, parts: Sequence[Restorable], executors: Sequence[Executor]
    ) -> None:
        self.clock, self._parts, self._executors = clock, tuple(parts), tuple(executors)

    def take(self) -> RunSnapshot:
        """Return the present moment; to be called between two control ticks."""
        return RunSnapshot(
            self.clock.tick,
            tuple(part.snapshot() for part in self._parts),
            tuple(executor.moment() for executor in self._executors),
        )

    def check(self, moment: RunSnapshot) -> None:
        """Refuse a moment to which a controller cannot go back.

        Raises:
            RewindError: If there is one.
        """
        for executor, state in zip(self._executors, moment.executors, strict=True):
            executor.check_rewind(state)

    def restore(self, moment: RunSnapshot) -> None:
        """Bring everything back to a moment."""
        self.clock.tick = moment.tick
        for part, snapshot in zip(self._parts, moment.parts, strict=True):
            part.restore(snapshot)
        for executor, state in zip(self._executors, moment.executors, strict=True):
            executor.restore(state)


class History:
    """The latest moments of a run, at most `size` of them."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._moments: OrderedDict[int, RunSnapshot] = OrderedDict()

    @property
    def ticks(self) -> tuple[int, ...]:
        """Physics ticks that can be gone back to, oldest first."""
        return tuple(self._moments)

    def keep(self, run: RunState) -> None:
        """Keep the present moment, and forget the oldest if there are too many."""
        if self.size > 0 and run.clock.tick not in self._moments:
            self._moments[run.clock.tick] = run.take()
            while len(self._moments) > self.size:
                self._moments.popitem(last=False)

    def rewind(self, tick: int, run: RunState) -> None:
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
