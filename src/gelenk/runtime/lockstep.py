"""The order of a control tick: whose turn it is, and that everybody gets it.

Simulated time stands still meanwhile. First the trigger handlers run, then the
controllers that are due, each in the order of the instance numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from gelenk.runtime.host import Host
from gelenk.runtime.process import ProcessHost
from gelenk.runtime.pure_host import PureHost
from gelenk.runtime.services import Services
from gelenk.runtime.thread_host import Inbox, ProcessorHost, ThreadHost


class Lockstep:
    """Gives all controllers and trigger processors of a run their turns.

    Args:
        hosts: The controllers.
        processors: The trigger processors.
        services: What they share.
    """

    def __init__(
        self,
        hosts: Iterable[Host],
        processors: Iterable[ProcessorHost],
        services: Services,
    ) -> None:
        self.hosts = tuple(sorted(hosts, key=lambda host: host.instance))
        self.processors = tuple(processors)
        self._services = services
        # Neighbours of one kind take their turns together: fewer changes of thread.
        self._turns = [
            self._make_turn(kind, list(group))
            for kind, group in groupby(self.hosts, key=type)
        ]
        self._receivers = self._order_receivers()
        self._processes = [h for h in self.hosts if isinstance(h, ProcessHost)]

    def run_handlers(self) -> None:
        """Let everybody handle the triggers that have come, by number."""
        for receivers in self._receivers:
            if isinstance(receivers, PureHost):
                receivers.handle()
            else:
                waiting: Sequence[Inbox] = receivers
                while waiting:
                    waiting = self._open(waiting)

    def _order_receivers(self) -> list[PureHost | list[Inbox]]:
        """Return who handles triggers, by number; neighbours with inboxes together."""
        numbered: list[tuple[int, PureHost | Inbox]] = [
            (host.instance, host.inbox if isinstance(host, ThreadHost) else host)
            for host in self.hosts
            if isinstance(host, PureHost | ThreadHost)
        ]
        numbered += [(item.number, item.inbox) for item in self.processors]
        ordered: list[PureHost | list[Inbox]] = []
        for _, receiver in sorted(numbered, key=lambda pair: pair[0]):
            if isinstance(receiver, PureHost):
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
        self._services.relay.run([strand for _, strand in woken if strand is not None])
        return [inbox for inbox, strand in woken if strand and inbox.settle()]

    def run_controllers(self) -> None:
        """Let all controllers act that are due."""
        tick = self._services.clock.tick
        for process in self._processes:  # they think at the same time as the others
            process.ask(tick)
        for take_turn in self._turns:
            take_turn(tick)
        for host in self.hosts:
            host.report_late_end()

    def _make_turn(self, kind: type[Host], group: list[Any]) -> Callable[[int], None]:
        """Return what gives the hosts of one kind their turn at a tick."""
        if issubclass(kind, ThreadHost):
            return partial(self._wake_threads, group)
        if issubclass(kind, ProcessHost):
            return partial(self._collect_answers, group)
        return partial(self._step_pure, group)

    def _wake_threads(self, hosts: list[ThreadHost], tick: int) -> None:
        strands = [strand for host in hosts if (strand := host.wake(tick))]
        if strands:
            self._services.relay.run(strands)
            for host in hosts:
                host.settle()

    def _collect_answers(self, hosts: list[ProcessHost], tick: int) -> None:
        for host in hosts:
            host.collect()

    def _step_pure(self, hosts: list[PureHost], tick: int) -> None:
        for host in hosts:
            if host.is_due(tick):
                host.step()

    def close(self) -> None:
        """End everything."""
        for host in self.hosts:
            host.close()
        for item in self.processors:
            item.inbox.strand.close()
