"""Faults that strike controllers: a process killed, a robot without power.

`process_killed` ends the controller of that name at once; `power_gone` ends all
controllers of that robot. While the fault lasts they cannot be started; what ran when
it struck starts anew when it is over, like a computer that boots.
"""

from __future__ import annotations

from collections.abc import Iterable

from gelenk.errors import NameNotFoundError
from gelenk.runtime.clock import span_ns
from gelenk.runtime.fault_schedule import Moment
from gelenk.runtime.host import Host
from gelenk.runtime.lifecycle import Event, State
from gelenk.runtime.services import Services
from gelenk.sim.faults import Fault

KINDS = ("process_killed", "power_gone")


class Outages:
    """The faults of a run that concern controllers; others are left alone.

    Raises:
        NameNotFoundError: If a fault kills a controller that does not exist.
    """

    def __init__(
        self, faults: Iterable[Fault], hosts: tuple[Host, ...], services: Services
    ) -> None:
        self._faults = tuple(fault for fault in faults if fault.kind in KINDS)
        self._hosts, self._services = hosts, services
        self._struck: dict[Fault, tuple[Host, ...]] = {}  # with those to start again
        names = {host.name for host in hosts}
        for fault in self._faults:
            if fault.kind == "process_killed" and fault.target not in names:
                raise NameNotFoundError("controller", fault.target, sorted(names))

    def strike(self, moments: Iterable[Moment]) -> None:
        """Let faults end that are over, and those begin that are due.

        Args:
            moments: What has happened since the control tick before, in its order.
        """
        # One that came and went between two control ticks strikes for one of them.
        over = [fault for fault in self._struck if self._is_over(fault)]
        for fault in over:
            for host in self._struck.pop(fault):
                if self.allows(host):
                    host.request(Event.START, f"{fault.kind} is over")
        for moment in moments:
            if moment.phase == "start" and moment.fault in self._faults:
                self._begin(moment.fault)

    def allows(self, host: Host) -> bool:
        """Return whether nothing keeps a controller from being started."""
        return not any(host in self._victims(fault) for fault in self._struck)

    def snapshot(self) -> dict[Fault, tuple[Host, ...]]:
        """Return the faults that last, each with the controllers to start again."""
        return dict(self._struck)

    def restore(self, snapshot: dict[Fault, tuple[Host, ...]]) -> None:
        """Go back to a snapshot."""
        self._struck = dict(snapshot)

    def _begin(self, fault: Fault) -> None:
        victims = self._victims(fault)
        running = tuple(host for host in victims if host.state is State.RUNNING)
        for host in victims:
            host.kill(f"fault: {fault.kind} ({fault.target})")
        self._struck[fault] = running

    def _victims(self, fault: Fault) -> tuple[Host, ...]:
        if fault.kind == "process_killed":
            return tuple(host for host in self._hosts if host.name == fault.target)
        return tuple(host for host in self._hosts if host.robot == fault.target)

    def _is_over(self, fault: Fault) -> bool:
        return self._services.clock.time_ns >= span_ns(fault.start, fault.duration)[1]
