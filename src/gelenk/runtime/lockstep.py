"""The order of a control tick: whose turn it is, and that everybody gets it.

Simulated time stands still meanwhile. First the trigger handlers run, then the
controllers that are due, each in the order of the instance numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

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
        self._groups = [(kind, tuple(g)) for kind, g in groupby(self.hosts, key=type)]
        inboxes = [host.inbox for host in self.hosts if isinstance(host, ThreadHost)]
        self._inboxes = [*inboxes, *(item.inbox for item in self.processors)]
        self._pure = [host for host in self.hosts if isinstance(host, PureHost)]
        self._processes = [h for h in self.hosts if isinstance(h, ProcessHost)]

    def run_handlers(self) -> None:
        """Let everybody handle the triggers that have come."""
        for host in self._pure:
            host.handle()
        waiting = self._inboxes
        while waiting:
            waiting = self._open(waiting)

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
        for _, group in self._groups:
            self._run_group(group, tick)
        for host in self.hosts:
            host.report_late_end()

    def _run_group(self, group: Sequence[Host], tick: int) -> None:
        if isinstance(group[0], ThreadHost):
            threads = [host for host in group if isinstance(host, ThreadHost)]
            strands = [strand for host in threads if (strand := host.wake(tick))]
            if strands:
                self._services.relay.run(strands)
                for host in threads:
                    host.settle()
        elif isinstance(group[0], ProcessHost):
            for host in group:
                if isinstance(host, ProcessHost):
                    host.collect()
        else:
            for host in group:
                if isinstance(host, PureHost) and host.is_due(tick):
                    host.step()

    def close(self) -> None:
        """End everything."""
        for host in self.hosts:
            host.close()
        for item in self.processors:
            item.inbox.strand.close()
