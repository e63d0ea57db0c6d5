"""Fault schedule: all faults of a run, handed to their targets and reported.

Motor and sensor faults act inside the world, message faults in the bus, killed
processes and lost power on controllers. Each fault, whatever its kind, is announced on
the topic `faults` when it begins and when it ends, so that a recording shows what was
done to the run. A controller that a fault has ended cannot be started while the fault
lasts; what ran when it struck starts anew when it is over, like a computer that boots.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.bus import Bus
from gelenk.runtime.clock import Clock, span_ns
from gelenk.runtime.executor import ControllerState, Executor, LifecycleEvent
from gelenk.runtime.message_faults import (
    FAULT_TOPIC,
    MESSAGE_FAULT_KINDS,
    FaultEvent,
    MessageFaults,
)
from gelenk.runtime.services import Services
from gelenk.sim.faults import Fault

_RUNTIME_ONLY = (*MESSAGE_FAULT_KINDS, "process_killed")


class FaultMoment(NamedTuple):
    """A fault begins or ends.

    Attributes:
        time_ns: Simulated time [ns].
        phase: Beginning or end of the fault.
        fault: Fault that begins or ends.
    """

    time_ns: int
    phase: Literal["start", "end"]
    fault: Fault


def distribute_faults(faults: Iterable[Fault], world: Any, bus: Bus) -> list[Fault]:
    """Return all faults of a run, after world and bus were given theirs.

    Args:
        faults: Faults of the run, in addition to those of the world and the bus.
        world: World that gets the faults of motors, sensors and power that it does not
            have yet.
        bus: Bus that gets all message faults, with the seed of the world.

    Raises:
        ConfigError: If the world knows no faults or runs already, or the bus has
            message faults of its own.
    """
    inside: tuple[Fault, ...] = tuple(getattr(world, "faults", ()))
    given = [fault for fault in dict.fromkeys(faults) if fault not in inside]
    for fault in given:
        if fault.kind in _RUNTIME_ONLY:
            continue
        if hasattr(world, "faults"):
            world.add(fault)
        elif fault.kind != "power_gone":  # which strikes controllers as well
            raise ConfigError(
                f"{type(world).__name__} knows no faults: nobody can carry out "
                f"{fault.kind} on {fault.target!r}"
            )
    everything = [*inside, *given]
    messages = [f for f in everything if f.kind in MESSAGE_FAULT_KINDS]
    bus.disturb(MessageFaults(messages, getattr(world, "seed", 0)))
    own = () if bus.faults is None else bus.faults.faults
    return list(dict.fromkeys([*everything, *own]))


class FaultSchedule:
    """Says when faults begin and end, and announces it.

    Args:
        faults: All faults of the run.
        clock: Clock of the run; faults that were over when it began are left out.
        bus: Bus that gets a `FaultEvent` for each beginning and end.
    """

    def __init__(self, faults: Iterable[Fault], clock: Clock, bus: Bus) -> None:
        self._clock, self._bus, self._first_ns = clock, bus, clock.time_ns
        moments: list[FaultMoment] = []
        for fault in faults:
            start, end = span_ns(fault.start, fault.duration)
            if end <= self._first_ns:
                continue
            moments.append(FaultMoment(start, "start", fault))
            if isinstance(end, int):
                moments.append(FaultMoment(end, "end", fault))
        self._moments = sorted(moments, key=lambda moment: moment.time_ns)
        if moments:
            bus.declare(FAULT_TOPIC, FaultEvent)

    def announce(self) -> list[FaultMoment]:
        """Announce and return what happened since the last control tick, or does now.

        It depends on the time only, so that a run can be taken back to any tick.
        """
        now = self._clock.time_ns
        is_first = now <= self._first_ns
        before = -1 if is_first else now - self._clock.stride * self._clock.step_ns
        due = [moment for moment in self._moments if before < moment.time_ns <= now]
        for time_ns, phase, fault in due:
            event = FaultEvent(
                kind=fault.kind,
                target=fault.target,
                phase=phase,
                time=time_ns / 10**9,
                amount=fault.amount,
            )
            self._bus.publish(FAULT_TOPIC, event, sender="runtime")
        return due


KINDS = ("process_killed", "power_gone")


class ControllerFaults:
    """The faults of a run that concern controllers; others are left alone.

    Raises:
        NameNotFoundError: If a fault kills a controller that does not exist.
    """

    def __init__(
        self,
        faults: Iterable[Fault],
        executors: tuple[Executor, ...],
        services: Services,
    ) -> None:
        self._faults = tuple(fault for fault in faults if fault.kind in KINDS)
        self._executors, self._services = executors, services
        self._struck: dict[
            Fault, tuple[Executor, ...]
        ] = {}  # with those to start again
        names = {executor.name for executor in executors}
        for fault in self._faults:
            if fault.kind == "process_killed" and fault.target not in names:
                raise NameNotFoundError("controller", fault.target, sorted(names))

    def strike(self, moments: Iterable[FaultMoment]) -> None:
        """Let faults end that are over, and those begin that are due.

        Args:
            moments: Beginnings and ends since the control tick before, in their order.
        """
        # One that came and went between two control ticks strikes for one of them.
        over = [fault for fault in self._struck if self._is_over(fault)]
        for fault in over:
            for executor in self._struck.pop(fault):
                if self.allows(executor):
                    executor.request(LifecycleEvent.START, f"{fault.kind} is over")
        for moment in moments:
            if moment.phase == "start" and moment.fault in self._faults:
                self._begin(moment.fault)

    def allows(self, executor: Executor) -> bool:
        """Return whether nothing keeps a controller from being started."""
        return not any(executor in self._victims(fault) for fault in self._struck)

    def snapshot(self) -> dict[Fault, tuple[Executor, ...]]:
        """Return the faults that last, each with the controllers to start again."""
        return dict(self._struck)

    def restore(self, snapshot: dict[Fault, tuple[Executor, ...]]) -> None:
        """Go back to a snapshot."""
        self._struck = dict(snapshot)

    def _begin(self, fault: Fault) -> None:
        victims = self._victims(fault)
        running = tuple(
            executor
            for executor in victims
            if executor.state is ControllerState.RUNNING
        )
        for executor in victims:
            executor.kill(f"fault: {fault.kind} ({fault.target})")
        self._struck[fault] = running

    def _victims(self, fault: Fault) -> tuple[Executor, ...]:
        if fault.kind == "process_killed":
            return tuple(
                executor
                for executor in self._executors
                if executor.name == fault.target
            )
        return tuple(
            executor for executor in self._executors if executor.robot == fault.target
        )

    def _is_over(self, fault: Fault) -> bool:
        return self._services.clock.time_ns >= span_ns(fault.start, fault.duration)[1]
