"""Executor of controllers that run and wait, each on a coroutine thread of its own."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from gelenk.runtime.controller import Controller, TriggerProcessor, View
from gelenk.runtime.coroutine_thread import (
    NEVER,
    CoThread,
    CoThreadExit,
    OverrunError,
    describe,
)
from gelenk.runtime.executor import (
    ControllerState,
    Executor,
    LifecycleAction,
    LifecycleEvent,
)
from gelenk.runtime.services import Services
from gelenk.runtime.triggers import Receipt


class Inbox:
    """Calls that wait for a receiver's handlers, and the thread they run on.

    A handler that waits delays the calls behind it and nobody else's.
    """

    def __init__(self, name: str, services: Services) -> None:
        self.name, self._services = name, services
        self.thread = CoThread(f"{name} (handler)", services.scheduler)
        self._calls: deque[tuple[Callable[[], object], Receipt | None]] = deque()

    def put(self, call: Callable[[], object], receipt: Receipt | None = None) -> None:
        """Add a call behind the others; the receipt learns what became of it."""
        self._calls.append((call, receipt))

    def wake(self, tick: int) -> CoThread | None:
        """Return the thread if it has something to do at this tick."""
        thread = self.thread
        if not thread.is_busy:
            if not self._calls:
                return None
            thread.give(self._handle, due=tick)
        return thread if thread.due <= tick else None

    def settle(self) -> bool:
        """Report a handler that hung; return whether calls behind it still wait."""
        error, self.thread.error = self.thread.error, None
        if isinstance(error, OverrunError):
            self._services.log("error", self.name, describe(error))
        return bool(self._calls) and not self.thread.is_busy

    def clear(self) -> None:
        """End what is handled and forget the rest."""
        self._calls.clear()
        self.thread.end()
        self.thread.error = None

    def _handle(self) -> None:
        while self._calls:
            call, receipt = self._calls.popleft()
            is_handled = False
            try:
                call()
                is_handled = True
            except Exception as error:
                self._services.log("error", self.name, describe(error))
            finally:
                if receipt is not None:
                    receipt.note(is_handled=is_handled)


class ThreadExecutor(Executor):
    """Runs a `Controller`: `run` on one thread, its trigger handlers on another."""

    def __init__(
        self, controller: Controller, instance: int, services: Services
    ) -> None:
        name = controller.name or f"{type(controller).__name__}_{instance}"
        controller.name, controller.instance_number = name, instance
        super().__init__(controller, instance, controller.robot, services)
        self.controller = controller
        self.has_pause = callable(getattr(controller, "pause", None))
        self.main = CoThread(name, services.scheduler)
        self.inbox = Inbox(name, services)
        self._subscriptions: list[tuple[str, Callable[[Any], None]]] = []
        controller._context = _ThreadContext(self)

    def act(self, action: LifecycleAction, previous: ControllerState) -> None:
        if action is LifecycleAction.RUN:
            self.main.give(self.controller.run, due=self.services.clock.tick)
        elif action is LifecycleAction.REQUEST_END:
            self.main.due = self.services.clock.tick  # a sleeper looks up now
        elif action is LifecycleAction.STOP:
            self._call("stop", self.controller.stop)
        else:
            self._call("pause", getattr(self.controller, "pause"))  # noqa: B009

    def deliver(self, text: str, receipt: Receipt | None = None) -> None:
        self.inbox.put(partial(self.controller.receive_trigger, text), receipt)

    def receive_command(self, line: str) -> None:
        """Take a line that a person typed; it is handled like a trigger."""
        self.inbox.put(partial(self.controller.receive_command, line))

    def subscribe(self, topic: str, callback: Callable[[Any], None]) -> None:
        """Have a callback called like a trigger handler; twice the same counts once."""
        if (topic, callback) not in self._subscriptions:
            self._subscriptions.append((topic, callback))
            self.services.bus.subscribe(
                topic, lambda message: self.inbox.put(partial(callback, message))
            )

    def wake(self, tick: int) -> CoThread | None:
        """Return the thread of `run` if it is due."""
        return self.main if self.main.is_busy and self.main.due <= tick else None

    def settle(self) -> None:
        """Draw the consequences if `run` has ended."""
        if self.main.is_busy or self.state in (
            ControllerState.IDLE,
            ControllerState.PAUSED,
        ):
            return
        error, self.main.error = self.main.error, None
        if error is None or isinstance(error, CoThreadExit):
            self.request(
                LifecycleEvent.RETURNED,
                "finished" if self.state is ControllerState.RUNNING else "",
            )
        else:
            self.fail(error)

    def kill(self, reason: str) -> None:
        self.inbox.clear()
        self.main.end()
        error, self.main.error = self.main.error, None
        if isinstance(error, OverrunError):
            self.services.log("error", self.name, describe(error))
        if not self.request(LifecycleEvent.FAILED, reason):
            self.request(LifecycleEvent.STOP, reason)

    def close(self) -> None:
        for thread in (self.inbox.thread, self.main):
            thread.close()

    def _call(self, what: str, method: Callable[[], object]) -> None:
        self.services.call_and_report(f"{self.name}.{what}()", method)


class ProcessorExecutor:
    """Runs the handlers of a `TriggerProcessor`."""

    def __init__(
        self, processor: TriggerProcessor, number: int, services: Services
    ) -> None:
        self.name = processor.name or f"{type(processor).__name__}_{number}"
        self.number, self.processor, self.services = number, processor, services
        self.inbox = Inbox(self.name, services)
        processor.name, processor.instance_number = self.name, number
        processor._context = _ThreadContext(self)

    def deliver(self, text: str, receipt: Receipt | None = None) -> None:
        """Take a trigger; it is handled within this tick."""
        self.inbox.put(partial(self.processor.receive_trigger, text), receipt)

    def reset(self) -> None:
        """Forget what waits, and let the processor forget."""
        self.inbox.clear()
        self.services.call_and_report(f"{self.name}.reset()", self.processor.reset)


class _ThreadContext:
    """The `ControllerContext` of a controller that runs in a thread."""

    def __init__(self, executor: ThreadExecutor | ProcessorExecutor) -> None:
        self._executor = executor

    @property
    def view(self) -> View:
        self._check_thread()
        assert isinstance(self._executor, ThreadExecutor)
        return self._executor.view()

    @property
    def is_running(self) -> bool:
        executor = self._executor
        return (
            isinstance(executor, ThreadExecutor)
            and executor.state is ControllerState.RUNNING
        )

    def wait(self, predicate: Callable[[], bool] | None, seconds: float) -> bool:
        """Wait for time or for a condition; return whether it came so far."""
        thread = self._check_thread()
        if thread is None:
            raise RuntimeError(
                f"{self._executor.name} may wait in run() and in handlers, but not in "
                "stop(), pause() and configure(), which must not block"
            )
        executor, clock = self._executor, self._executor.services.clock
        is_handler = thread is executor.inbox.thread
        if predicate is None:
            is_ending = not (is_handler or self.is_running)
            thread.wait_for(clock.tick_after(0.0 if is_ending else seconds))
            return is_handler or self.is_running
        deadline = NEVER if seconds == math.inf else clock.tick_after(seconds)
        while not predicate():
            if clock.tick >= deadline or seconds <= 0.0:
                return False
            thread.wait_for(clock.tick + 1)
            if not (is_handler or self.is_running):
                return False
        return True

    def send_trigger(
        self, receiver: int, text: str, receipt: Receipt | None = None
    ) -> None:
        """Send a trigger in the name of the controller."""
        self._check_thread()
        triggers, name = self._executor.services.triggers, self._executor.name
        triggers.send(receiver, text, sender=name, receipt=receipt)

    def subscribe(self, topic: str, callback: Callable[[Any], None]) -> None:
        """Have a callback called like a trigger handler."""
        assert isinstance(self._executor, ThreadExecutor)
        self._executor.subscribe(topic, callback)

    def _check_thread(self) -> CoThread | None:
        """Return the thread that calls, None for a call of the runtime.

        What other threads did would depend on the machine, so they may not.
        """
        executor = self._executor
        if executor.inbox.thread.is_own_thread():
            return executor.inbox.thread
        if isinstance(executor, ThreadExecutor) and executor.main.is_own_thread():
            return executor.main
        if executor.services.is_own_thread():
            return None
        raise RuntimeError(
            f"{executor.name} was used in a thread that the runtime does not know; its "
            "results would depend on the machine. Collect there, act in run()"
        )
