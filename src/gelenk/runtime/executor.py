"""Executors: each keeps one controller, of whatever kind, and obeys its lifecycle.

    IDLE --start--> RUNNING --pause--> PAUSING --(run returns)--> PAUSED --start--> ...
                       |--stop---> STOPPING --(run returns)--> IDLE
                       `--(run returns)--> IDLE

Stop and pause only request an end; until `run` has returned nothing can be started, so
one controller never runs twice. A controller without `pause` is stopped instead. The
return of `run` is followed by `stop`, except after a pause, whose progress it would
delete.
"""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from gelenk.errors import ConfigError, GelenkError
from gelenk.runtime.clock import Clock
from gelenk.runtime.controller import PureController, View
from gelenk.runtime.coroutine_thread import describe
from gelenk.runtime.events import CONTROLLER_TOPIC, ControllerEvent
from gelenk.runtime.modules import Component
from gelenk.runtime.services import Services
from gelenk.runtime.triggers import Receipt


class ControllerState(StrEnum):
    """States of a controller."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    PAUSING = "pausing"


class LifecycleEvent(StrEnum):
    """Events of a controller: requests from outside, or the end of its run."""

    START = "start"
    RESUME = "resume"
    PAUSE = "pause"
    STOP = "stop"
    RETURNED = "returned"
    FAILED = "failed"


class LifecycleAction(StrEnum):
    """Actions of the runtime: a call of the controller's method, or its end."""

    RUN = "run"
    REQUEST_END = "request_end"
    STOP = "stop"
    PAUSE = "pause"


class LifecycleTransition(NamedTuple):
    """The next state, and what to do on the way there, in order."""

    state: ControllerState
    actions: tuple[LifecycleAction, ...] = ()


_RUN = (LifecycleAction.RUN,)
_STOP = (LifecycleAction.STOP,)
_END_AND_STOP = (LifecycleAction.REQUEST_END, LifecycleAction.STOP)

_TABLE: dict[tuple[ControllerState, LifecycleEvent], LifecycleTransition] = {
    (ControllerState.IDLE, LifecycleEvent.START): LifecycleTransition(
        ControllerState.RUNNING, _RUN
    ),
    (ControllerState.IDLE, LifecycleEvent.STOP): LifecycleTransition(
        ControllerState.IDLE, _STOP
    ),
    (ControllerState.RUNNING, LifecycleEvent.PAUSE): LifecycleTransition(
        ControllerState.PAUSING, (LifecycleAction.REQUEST_END, LifecycleAction.PAUSE)
    ),
    (ControllerState.RUNNING, LifecycleEvent.STOP): LifecycleTransition(
        ControllerState.STOPPING, _END_AND_STOP
    ),
    (ControllerState.RUNNING, LifecycleEvent.RETURNED): LifecycleTransition(
        ControllerState.IDLE, _STOP
    ),
    (ControllerState.PAUSED, LifecycleEvent.START): LifecycleTransition(
        ControllerState.RUNNING, _RUN
    ),
    (ControllerState.PAUSED, LifecycleEvent.RESUME): LifecycleTransition(
        ControllerState.RUNNING, _RUN
    ),
    (ControllerState.PAUSED, LifecycleEvent.STOP): LifecycleTransition(
        ControllerState.IDLE, _STOP
    ),
    (ControllerState.PAUSING, LifecycleEvent.RETURNED): LifecycleTransition(
        ControllerState.PAUSED
    ),
    (ControllerState.PAUSING, LifecycleEvent.STOP): LifecycleTransition(
        ControllerState.STOPPING, _STOP
    ),
    (ControllerState.STOPPING, LifecycleEvent.RETURNED): LifecycleTransition(
        ControllerState.IDLE, _STOP
    ),
}


def next_state(
    state: ControllerState, event: LifecycleEvent, *, has_pause: bool
) -> LifecycleTransition | None:
    """Return what an event makes of a state; None if it is refused and changes nothing.

    Args:
        state: Present state of the controller.
        event: Event that happens to the controller.
        has_pause: Whether the controller can pause; if not it is stopped.
    """
    if event is LifecycleEvent.FAILED:
        # Whatever was to be kept by a pause is in doubt now.
        is_alive = state in (
            ControllerState.RUNNING,
            ControllerState.PAUSING,
            ControllerState.STOPPING,
        )
        return LifecycleTransition(ControllerState.IDLE, _STOP) if is_alive else None
    if event is LifecycleEvent.PAUSE and not has_pause:
        event = LifecycleEvent.STOP if state is ControllerState.RUNNING else event
    return _TABLE.get((state, event))


GRACE = 5.0  # [s] of simulated time, from the request of an end to the first complaint

ENDING = (ControllerState.STOPPING, ControllerState.PAUSING)


class RewindError(GelenkError, RuntimeError):
    """A run cannot be taken back to the wanted tick."""


class Executor(ABC):
    """Keeps one controller.

    Attributes:
        component: Controller as a component, with `name`, `requires` and `provides`.
        name: Name of the controller.
        instance: Number of the controller; executors act in the order of their numbers.
        robot: Name of the robot that the controller drives, if any.
        state: Present state of the controller.
        has_pause: Whether the controller can be paused.
    """

    has_pause = True

    def __init__(
        self, component: Component, instance: int, robot: str, services: Services
    ) -> None:
        self.component, self.name = component, component.name
        self.instance, self.robot = instance, robot
        self.services = services
        self.state = ControllerState.IDLE
        self._requested_ns = 0
        self._is_reported = False

    def request(self, event: LifecycleEvent, reason: str = "") -> bool:
        """Let something happen to the controller; return whether it was possible.

        Args:
            event: Event to request of the controller.
            reason: Cause that the message names; the event's own name unless said.
        """
        transition = next_state(self.state, event, has_pause=self.has_pause)
        if transition is None:
            return False
        previous, self.state = self.state, transition.state
        if self.state in ENDING and previous not in ENDING:
            self._requested_ns, self._is_reported = self.services.clock.time_ns, False
        for action in transition.actions:
            self.act(action, previous)
        if self.state is not previous:
            self._announce(previous, reason or event.value)
        return True

    def fail(self, error: BaseException) -> None:
        """End the run because of an exception; the log gets its traceback."""
        self.services.log("error", self.name, describe(error))
        summary = f"{type(error).__name__}: {error}".splitlines()[0]
        self.request(LifecycleEvent.FAILED, f"failed: {summary}")

    def report_late_end(self) -> None:
        """Name a controller that does not end although it was asked to, once."""
        if self.state not in ENDING or self._is_reported:
            return
        if self.services.clock.time_ns - self._requested_ns > GRACE * 1e9:
            self._is_reported = True
            self.services.log(
                "warning",
                self.name,
                f"run() goes on {GRACE:g} s after it was asked to end; "
                "it must test is_running() and return",
            )

    @property
    def is_late(self) -> bool:
        """Whether the controller was named for not ending."""
        return self.state in ENDING and self._is_reported

    def view(self) -> View:
        """Return what the controller may look at now."""
        return self.services.view(self.name)

    def check_rewind(self, moment: Any) -> None:
        """Refuse to go back where what the controller was doing cannot be restored.

        Raises:
            RewindError: If the controller runs, or ran at that time.
        """
        for when, state in (("is", self.state), ("was then", moment)):
            if state is not ControllerState.IDLE:
                raise RewindError(
                    f"controller {self.name!r} {when} {state.value}, and a program in "
                    "the middle of its work cannot be taken back; stop it first and "
                    "choose a tick at which it was idle, or write it as a pure step"
                )

    @abstractmethod
    def act(self, action: LifecycleAction, previous: ControllerState) -> None:
        """Do what the lifecycle asks for, coming from a state."""

    @abstractmethod
    def deliver(self, text: str, receipt: Receipt | None = None) -> None:
        """Take a trigger; it is handled within this tick, and the receipt told."""

    @abstractmethod
    def kill(self, reason: str) -> None:
        """End the controller at once, without asking."""

    def moment(self) -> object:
        """Return what is needed to come back to this tick."""
        return self.state

    def restore(self, moment: Any) -> None:
        """Come back to a moment that `check_rewind` allowed."""
        self.state = (
            moment if isinstance(moment, ControllerState) else ControllerState.IDLE
        )

    @abstractmethod
    def close(self) -> None:
        """Give everything back; the controller is not used any more."""

    def _announce(self, previous: ControllerState, reason: str) -> None:
        event = ControllerEvent(
            controller=self.name,
            instance=self.instance,
            state=self.state.value,
            previous=previous.value,
            reason=reason,
        )
        self.services.bus.publish(CONTROLLER_TOPIC, event, sender=self.name)


class PureSnapshot(NamedTuple):
    """All there is to know about a pure controller at one tick."""

    state: ControllerState
    value: Any
    next_tick: int
    start_tick: int
    num_steps: int


class PureExecutor(Executor):
    """Calls a pure controller once per period and keeps its state.

    Attributes:
        value: Present state of the pure controller.
    """

    def __init__(
        self, controller: PureController, instance: int, services: Services
    ) -> None:
        super().__init__(controller, instance, controller.robot, services)
        self._controller = controller
        self._stride = _stride(controller, services.clock).as_integer_ratio()
        self.value: Any = controller.initial
        self._next_tick = self._start_tick = self._num_steps = 0
        self._inbox: list[tuple[str, Receipt | None]] = []
        self._is_done = False

    def request(self, event: LifecycleEvent, reason: str = "") -> bool:
        is_done = super().request(event, reason)
        if is_done and self.state in ENDING:
            # Between two steps nothing runs: what is asked to end has ended.
            super().request(LifecycleEvent.RETURNED, reason or event.value)
        return is_done

    def act(self, action: LifecycleAction, previous: ControllerState) -> None:
        if action is LifecycleAction.STOP:
            self.value = self._controller.initial
        elif action is LifecycleAction.RUN:
            self._next_tick = self._start_tick = self.services.clock.tick
            self._num_steps = 0

    def deliver(self, text: str, receipt: Receipt | None = None) -> None:
        if self._controller.on_trigger is not None:
            self._inbox.append((text, receipt))
        elif receipt is not None:  # it has no use for triggers
            receipt.note(is_handled=True)

    def kill(self, reason: str) -> None:
        self._inbox.clear()
        if not self.request(LifecycleEvent.FAILED, reason):
            self.request(LifecycleEvent.STOP, reason)

    def is_due(self, tick: int) -> bool:
        """Whether a step is to be done at this tick."""
        return self.state is ControllerState.RUNNING and tick >= self._next_tick

    def step(self) -> None:
        """Observe, decide and act once, and draw the consequences."""
        self.count_step()
        self._is_done = False
        error = self.services.step_watchdog.call(self.name, self._step)
        self.settle(error)

    def count_step(self) -> None:
        """Note that a step is done, and when the next one is due."""
        self._num_steps += 1
        ticks, steps = self._stride
        # From the start on and rounded up: no step is late by more than a tick.
        self._next_tick = self._start_tick - (-self._num_steps * ticks // steps)

    def _step(self) -> None:
        controller, view = self._controller, self.view()
        observation = controller.observe(view)
        value, command = controller.step(controller.cfg, self.value, observation)
        self.value = value
        controller.apply(view, command)
        self.check_done()

    def check_done(self) -> None:
        """Ask the controller whether its state means the end; user code."""
        is_done = self._controller.is_done
        self._is_done = is_done is not None and bool(is_done(self.value))

    def handle(self) -> None:
        """Handle the triggers that have come, each whatever becomes of the others."""
        while self._inbox:
            text, receipt = self._inbox.pop(0)
            error = self.services.step_watchdog.call(
                self.name, partial(self._take, text)
            )
            if error is not None:
                self.services.log("error", self.name, describe(error))
            if receipt is not None:
                receipt.note(is_handled=error is None)

    def _take(self, text: str) -> None:
        controller = self._controller
        if controller.on_trigger is not None:
            self.value = controller.on_trigger(controller.cfg, self.value, text)

    def settle(self, error: BaseException | None) -> None:
        """Draw the consequences of a step."""
        if error is not None:
            self.fail(error)
        elif self._is_done and self.state is ControllerState.RUNNING:
            self.request(LifecycleEvent.RETURNED, "finished")

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def check_rewind(self, moment: object) -> None:
        """Allow it: everything there is to know is a value."""

    def moment(self) -> PureSnapshot:
        value = copy.deepcopy(self.value)
        ticks = (self._next_tick, self._start_tick, self._num_steps)
        return PureSnapshot(self.state, value, *ticks)

    def restore(self, moment: PureSnapshot) -> None:
        self.state, value, *ticks = moment
        self._next_tick, self._start_tick, self._num_steps = ticks
        self.value = copy.deepcopy(value)


def _stride(controller: PureController, clock: Clock) -> Fraction:
    """Return the physics ticks between two steps."""
    period, rate = controller.period, controller.rate
    if rate is not None:
        what = f"`rate` of controller {controller.name!r}"
        if period is not None:
            raise ConfigError(f"{what} and `period` are both given; give one of them")
        if not (math.isfinite(rate) and 0.0 < rate * clock.period <= 1.0 + 1e-9):
            raise ConfigError(
                f"{what} must be above 0 and at most one step per control tick, "
                f"{1.0 / clock.period:g} 1/s, got {rate:g}"
            )
        exact = Fraction(rate).limit_denominator(10**6)
        return max(Fraction(10**9, clock.step_ns) / exact, Fraction(clock.stride))
    if period is None:
        return Fraction(clock.stride)
    what = f"period of controller {controller.name!r}"
    stride = clock.ticks_in(period, what=what)
    if stride % clock.stride != 0:
        raise ConfigError(
            f"{what}, {period:g} s, is not a whole multiple of the "
            f"control period {clock.period:g} s"
        )
    return Fraction(stride)
