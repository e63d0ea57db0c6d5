"""Host of controllers that are pure steps."""

from __future__ import annotations

import copy
import math
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from gelenk.errors import ConfigError
from gelenk.runtime.clock import Clock
from gelenk.runtime.controller import PureController
from gelenk.runtime.host import ENDING, Host
from gelenk.runtime.lifecycle import Action, Event, State
from gelenk.runtime.services import Services
from gelenk.runtime.strand import describe
from gelenk.runtime.triggers import Receipt


class PureMoment(NamedTuple):
    """All there is to know about a pure controller at one tick."""

    state: State
    value: Any
    next_tick: int
    start_tick: int
    num_steps: int


class PureHost(Host):
    """Calls a pure controller once per period and keeps its state.

    Attributes:
        value: The controller's state.
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

    def request(self, event: Event, reason: str = "") -> bool:
        is_done = super().request(event, reason)
        if is_done and self.state in ENDING:
            # Between two steps nothing runs: what is asked to end has ended.
            super().request(Event.RETURNED, reason or event.value)
        return is_done

    def act(self, action: Action, previous: State) -> None:
        if action is Action.STOP:
            self.value = self._controller.initial
        elif action is Action.RUN:
            self._next_tick = self._start_tick = self.services.clock.tick
            self._num_steps = 0

    def deliver(self, text: str, receipt: Receipt | None = None) -> None:
        if self._controller.on_trigger is not None:
            self._inbox.append((text, receipt))
        elif receipt is not None:  # it has no use for triggers
            receipt.note(is_handled=True)

    def kill(self, reason: str) -> None:
        self._inbox.clear()
        if not self.request(Event.FAILED, reason):
            self.request(Event.STOP, reason)

    def is_due(self, tick: int) -> bool:
        """Whether a step is to be done at this tick."""
        return self.state is State.RUNNING and tick >= self._next_tick

    def step(self) -> None:
        """Observe, decide and act once, and draw the consequences."""
        self.count_step()
        self._is_done = False
        error = self.services.guard.call(self.name, self._step)
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
            error = self.services.guard.call(self.name, partial(self._take, text))
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
        elif self._is_done and self.state is State.RUNNING:
            self.request(Event.RETURNED, "finished")

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def check_rewind(self, moment: Any) -> None:
        """Allow it: everything there is to know is a value."""

    def moment(self) -> PureMoment:
        value = copy.deepcopy(self.value)
        ticks = (self._next_tick, self._start_tick, self._num_steps)
        return PureMoment(self.state, value, *ticks)

    def restore(self, moment: PureMoment) -> None:
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
