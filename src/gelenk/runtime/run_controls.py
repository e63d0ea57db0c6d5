"""Run controls: Start, Pause, Stop, Reset, and which of them do something now."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Literal, NamedTuple, TypeAlias

from gelenk.errors import NameNotFoundError
from gelenk.runtime.controls import ControlRequest, ResetRequest
from gelenk.runtime.executor import (
    ControllerState,
    Executor,
    LifecycleEvent,
    next_state,
)
from gelenk.runtime.run import Run

ButtonName: TypeAlias = Literal["start", "pause", "stop", "reset"]

# What is shown for several controllers: the first of these that one of them is in.
_SHOWN = (
    ControllerState.RUNNING,
    ControllerState.PAUSING,
    ControllerState.STOPPING,
    ControllerState.PAUSED,
    ControllerState.IDLE,
)


class Buttons(NamedTuple):
    """Buttons that would change something if they were pressed now."""

    start: bool
    pause: bool
    stop: bool
    reset: bool


class RunControls:
    """Controls the controllers of a run, all of them or one, from any thread.

    It controls controllers, not the world: objects, belts and triggers go on.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._lock = threading.Lock()
        self._resets: tuple[Future[None], ...] = ()

    # -- looking -------------------------------------------------------------------

    @property
    def states(self) -> dict[int, ControllerState]:
        """Where each controller stands, by the number of its robot."""
        return {executor.instance: executor.state for executor in self._run.executors}

    @property
    def state(self) -> ControllerState:
        """What is shown for all: RUNNING while at least one runs; IDLE for none."""
        states = set(self.states.values())
        return next(
            (state for state in _SHOWN if state in states), ControllerState.IDLE
        )

    @property
    def is_resetting(self) -> bool:
        """Whether a reset that was asked for here is not yet done."""
        with self._lock:
            self._resets = tuple(item for item in self._resets if not item.done())
            return bool(self._resets)

    @property
    def buttons(self) -> Buttons:
        """Which buttons do something now, for all controllers together."""
        return self.buttons_of(None)

    def buttons_of(self, robot: int | None) -> Buttons:
        """Return which buttons do something for one robot, or for all with None.

        Raises:
            NameNotFoundError: If no controller has this number.
        """
        executors, is_resetting = self._find(robot), self.is_resetting
        return Buttons(
            start=not is_resetting and _changes(executors, LifecycleEvent.START),
            pause=_changes(executors, LifecycleEvent.PAUSE),
            stop=_changes(executors, LifecycleEvent.STOP),
            reset=not is_resetting,
        )

    # -- pressing ------------------------------------------------------------------

    def start(self, robot: int | None = None) -> Future[None]:
        """Start what is idle and let go on what is paused.

        Args:
            robot: Number of one robot; None: all.

        Returns:
            Done when it was carried out, before the next control tick.
        """
        return self._control("start", robot)

    def pause(self, robot: int | None = None) -> Future[None]:
        """Stop, but keep the state, so that Start goes on; as `start`."""
        return self._control("pause", robot)

    def stop(self, robot: int | None = None) -> Future[None]:
        """Stop and delete the state, so that Start begins anew; as `start`."""
        return self._control("stop", robot)

    def reset(self) -> Future[None]:
        """Stop all controllers and put everything back to its beginning.

        Returns:
            Done when the controllers have ended and the world stands at its beginning.
        """
        future = self._run.post(ResetRequest())
        with self._lock:
            self._resets = (*self._resets, future)
        return future

    def press(self, name: ButtonName) -> Future[None]:
        """Press a button by its name.

        Raises:
            NameNotFoundError: If there is no such button.
        """
        if name not in Buttons._fields:
            raise NameNotFoundError("button", str(name), Buttons._fields)
        return getattr(self, name)()

    # -- inside --------------------------------------------------------------------

    def _control(
        self, action: Literal["start", "pause", "stop"], robot: int | None
    ) -> Future[None]:
        name = "" if robot is None else self._find(robot)[0].name
        return self._run.post(ControlRequest(action=action, controller=name))

    def _find(self, robot: int | None) -> Sequence[Executor]:
        executors = self._run.executors
        if robot is None:
            return executors
        found = [executor for executor in executors if executor.instance == robot]
        if not found:
            raise NameNotFoundError(
                "controller",
                str(robot),
                (str(executor.instance) for executor in executors),
            )
        return found


def _changes(executors: Sequence[Executor], event: LifecycleEvent) -> bool:
    """Return whether an event would change the state of a controller."""
    for executor in executors:
        after = next_state(executor.state, event, has_pause=executor.has_pause)
        if after is not None and after.state is not executor.state:
            return True
    return False
