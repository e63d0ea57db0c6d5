"""Hosts: each keeps one controller, whatever its kind, and obeys its lifecycle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from gelenk.errors import GelenkError
from gelenk.runtime.controller import View
from gelenk.runtime.events import CONTROLLER_TOPIC, ControllerEvent
from gelenk.runtime.lifecycle import Action, Event, State, next_state
from gelenk.runtime.services import Services
from gelenk.runtime.strand import describe
from gelenk.runtime.triggers import Receipt
from gelenk.runtime.wiring import Component

GRACE = 5.0  # [s] of simulated time, from the request of an end to the first complaint

ENDING = (State.STOPPING, State.PAUSING)


class RewindError(GelenkError, RuntimeError):
    """A run cannot be taken back to the wanted tick."""


class Host(ABC):
    """Keeps one controller.

    Attributes:
        component: What it hosts, with `name`, `requires` and `provides`.
        name: Name of the controller.
        instance: Its number; hosts act in the order of their numbers.
        robot: Name of the robot it drives, if any.
        state: Where it stands.
        has_pause: Whether it can be paused.
    """

    has_pause = True

    def __init__(
        self, component: Component, instance: int, robot: str, services: Services
    ) -> None:
        self.component, self.name = component, component.name
        self.instance, self.robot = instance, robot
        self.services = services
        self.state = State.IDLE
        self._requested_ns = 0
        self._is_reported = False

    def request(self, event: Event, reason: str = "") -> bool:
        """Let something happen to the controller; return whether it was possible.

        Args:
            event: What happens.
            reason: Why, for the message; the event's own name unless said.
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
        self.request(Event.FAILED, f"failed: {summary}")

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
            if state is not State.IDLE:
                raise RewindError(
                    f"controller {self.name!r} {when} {state.value}, and a program in "
                    "the middle of its work cannot be taken back; stop it first and "
                    "choose a tick at which it was idle, or write it as a pure step"
                )

    @abstractmethod
    def act(self, action: Action, previous: State) -> None:
        """Do what the lifecycle asks for, coming from a state."""

    @abstractmethod
    def deliver(self, text: str, receipt: Receipt | None = None) -> None:
        """Take a trigger; it is handled within this tick, and the receipt told."""

    @abstractmethod
    def kill(self, reason: str) -> None:
        """End the controller at once, without asking."""

    def moment(self) -> Any:
        """Return what is needed to come back to this tick."""
        return self.state

    def restore(self, moment: Any) -> None:
        """Come back to a moment that `check_rewind` allowed."""
        self.state = moment if isinstance(moment, State) else State.IDLE

    @abstractmethod
    def close(self) -> None:
        """Give everything back; the controller is not used any more."""

    def _announce(self, previous: State, reason: str) -> None:
        event = ControllerEvent(
            controller=self.name,
            instance=self.instance,
            state=self.state.value,
            previous=previous.value,
            reason=reason,
        )
        self.services.bus.publish(CONTROLLER_TOPIC, event, sender=self.name)
