"""Host of controllers that are pure steps."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

from gelenk.core.errors import ConfigError
from gelenk.runtime.controller import PureController
from gelenk.runtime.host import ENDING, Host
from gelenk.runtime.lifecycle import Action, Event, State
from gelenk.runtime.services import Services
from gelenk.runtime.strand import describe


class PureMoment(NamedTuple):
    """All there is to know about a pure controller at one tick."""

    state: State
    value: Any
    next_tick: int
    inbox: tuple[str, ...]


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
        self._inbox: list[str] = []
        self._error: BaseException | None = None

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

    def deliver(self, text: str) -> None:
        if self._controller.on_trigger is not None:
            self._inbox.append(text)

    def kill(self, reason: str) -> None:
        self._inbox.clear()
        if not self.request(Event.FAILED, reason):
            self.request(Event.STOP, reason)

    def has_mail(self) -> bool:
        """Whether triggers wait to be handled."""
        return bool(self._inbox)

    def is_due(self, tick: int) -> bool:
        """Whether a step is to be done at this tick."""
        return self.state is State.RUNNING and tick >= self._next_tick

    def step(self) -> None:
        """Observe, decide and act once; runs on a strand."""
        controller = self._controller
        self._next_tick += self._stride
        try:
            view = self.view()
            observation = controller.observe(view)
            value, command = controller.step(controller.cfg, self.value, observation)
            self.value = value
            controller.apply(view, command)
        except Exception as error:
            self._error = error

    def handle(self) -> None:
        """Handle the triggers that have come; runs on a strand."""
        controller = self._controller
        while self._inbox:
            text = self._inbox.pop(0)
            assert controller.on_trigger is not None
            try:
                self.value = controller.on_trigger(controller.cfg, self.value, text)
            except Exception as error:
                self.services.log("error", self.name, describe(error))

    def settle(self) -> None:
        """Draw the consequences of the last step."""
        error, self._error = self._error, None
        if error is not None:
            self.fail(error)
        elif self.state is State.RUNNING and self._controller.is_done is not None:
            outcome = self.services.call(
                self.name,
                lambda: self._controller.is_done(self.value),  # type: ignore[misc]
            )
            if outcome.error is not None:
                self.fail(outcome.error)
            elif outcome.value:
                self.request(Event.RETURNED, "finished")

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def check_rewind(self, moment: Any) -> None:
        """Allow it: everything there is to know is a value."""

    def moment(self) -> PureMoment:
        value = copy.deepcopy(self.value)
        return PureMoment(self.state, value, self._next_tick, tuple(self._inbox))

    def restore(self, moment: PureMoment) -> None:
        self.state, value, self._next_tick, inbox = moment
        self.value = copy.deepcopy(value)
        self._inbox = list(inbox)


def step_all(hosts: Sequence[PureHost], services: Services) -> None:
    """Step pure controllers in order; one that hangs fails and the others go on."""
    remaining = list(hosts)
    while remaining:
        at = [0]

        def job(todo: list[PureHost] = remaining, at: list[int] = at) -> None:
            for i, host in enumerate(todo):
                at[0] = i
                services.name_caller(host.name)
                host.step()

        error = services.call(remaining[0].name, job).error
        if error is None:
            break
        remaining[at[0]].fail(error)
        remaining = remaining[at[0] + 1 :]
    for host in hosts:
        host.settle()
