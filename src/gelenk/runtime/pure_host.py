"""Host of controllers that are pure steps."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any, NamedTuple

from gelenk.core.errors import ConfigError
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
        self._stride = services.clock.stride
        if controller.period is not None:
            what = f"period of controller {controller.name!r}"
            self._stride = services.clock.ticks_in(controller.period, what=what)
            if self._stride % services.clock.stride != 0:
                raise ConfigError(
                    f"{what}, {controller.period:g} s, is not a whole multiple of the "
                    f"control period {services.clock.period:g} s"
                )
        self.value: Any = controller.initial
        self._next_tick = 0
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
            self._next_tick = self.services.clock.tick

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
        self._next_tick += self._stride
        self._is_done = False
        error = self.services.guard.call(self.name, self._step)
        self.settle(error)

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
        return PureMoment(self.state, value, self._next_tick)

    def restore(self, moment: PureMoment) -> None:
        self.state, value, self._next_tick = moment
        self.value = copy.deepcopy(value)
