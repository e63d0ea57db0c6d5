"""Faults that strike controllers: a process killed, a robot without power.

`process_killed` ends the controller of that name at once; `power_gone` ends all
controllers of that robot. While the fault lasts they cannot be started; what ran when
it struck starts anew when it is over, like a computer that boots.
"""

from __future__ import annotations

from collections.abc import Iterable

from gelenk.core.errors import NameNotFoundError
from gelenk.runtime.clock import nanoseconds
from gelenk.runtime.host import Host
from gelenk.runtime.lifecycle import Event, State
from gelenk.runtime.message_faults import FAULT_TOPIC, FaultEvent
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
                raise NameNotFoundError("controller", fault.target, names)
        if self._faults:
            services.bus.declare(FAULT_TOPIC, FaultEvent)

    def strike(self) -> None:
        """Let faults begin and end that are due."""
        for fault in self._faults:
            is_active, was_active = self._is_active(fault), fault in self._struck
            if is_active and not was_active:
                self._begin(fault)
            elif was_active and not is_active:
                for host in self._struck.pop(fault):
                    if self.allows(host):
                        host.request(Event.START, f"{fault.kind} is over")

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
        event = FaultEvent(kind=fault.kind, target=fault.target, amount=fault.amount)
        self._services.bus.publish(FAULT_TOPIC, event, sender="runtime")
        victims = self._victims(fault)
        running = tuple(host for host in victims if host.state is State.RUNNING)
        for host in victims:
            host.kill(f"fault: {fault.kind} ({fault.target})")
        self._struck[fault] = running

    def _victims(self, fault: Fault) -> tuple[Host, ...]:
        if fault.kind == "process_killed":
            return tuple(host for host in self._hosts if host.name == fault.target)
        return tuple(host for host in self._hosts if host.robot == fault.target)

    def _is_active(self, fault: Fault) -> bool:
        now = self._services.clock.time_ns
        start = nanoseconds(fault.start)
        return start <= now < start + fault.duration * 1e9
