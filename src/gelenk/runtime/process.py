"""Controllers in operating-system processes of their own, in lockstep over a pipe.

Such a controller is a pure step, like a computer of its own: it gets an observation and
answers with a command and its new state, and simulated time waits for the answer. All
processes think at the same time. A process that is killed, breaks or does not answer in
time is reported with what it was doing; the run goes on without it.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import pickle
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from gelenk.errors import ConfigError, GelenkError
from gelenk.runtime.controller import PureController
from gelenk.runtime.executor import (
    ControllerState,
    LifecycleAction,
    PureExecutor,
    PureSnapshot,
)
from gelenk.runtime.services import Services

ANSWER_TIMEOUT = 5.0  # [s] of wall time
START_TIMEOUT = 60.0  # [s] of wall time, for a new interpreter and its imports
_KILL_WAIT = 5.0  # [s] for the system to end a killed process
_DUMP_WAIT = 1.0  # [s] for a hanging process to write where it is


class ProcessError(GelenkError, RuntimeError):
    """A controller's process died, broke, or did not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessController:
    """A pure controller that runs in a process of its own.

    Only `step` runs there: it must be importable, and its `cfg`, states, observations
    and commands must be picklable. A process that dies loses its state: the next start
    begins anew.

    Attributes:
        controller: Controller whose `step` runs in the process.
        timeout: Longest wall time for an answer [s].

    Example:
        >>> from gelenk.runtime import ProcessController, PureController
        >>> def think(cfg, state, seen):  # at the top of a module
        ...     return state + cfg, seen
        >>> pure = PureController(
        ...     name="thinker",
        ...     step=think,
        ...     cfg=1,
        ...     initial=0,
        ...     observe=lambda view: view.time,
        ...     apply=lambda view, command: None,
        ... )
        >>> ProcessController(controller=pure, timeout=1.0).name
        'thinker'
    """

    controller: PureController
    timeout: float = ANSWER_TIMEOUT

    @property
    def name(self) -> str:
        """Name in messages."""
        return self.controller.name

    @property
    def requires(self) -> Mapping[str, type]:
        """Message types by the topics that it reads."""
        return self.controller.requires

    @property
    def provides(self) -> Mapping[str, type]:
        """Message types by the topics that it writes."""
        return self.controller.provides


class ProcessExecutor(PureExecutor):
    """Keeps a process and exchanges observations and commands with it."""

    def __init__(
        self, controller: ProcessController, instance: int, services: Services
    ) -> None:
        super().__init__(controller.controller, instance, services)
        if not controller.timeout > 0.0:
            raise ConfigError(f"`timeout` must be above 0 s, got {controller.timeout}")
        self._timeout = controller.timeout
        self._peer: _Peer | None = None
        self._is_asked = False
        self._is_stale = True  # whether the process has another state than we
        self._command: Any = None
        self._error: BaseException | None = None

    @property
    def pid(self) -> int | None:
        """Process id, None while there is no process."""
        return None if self._peer is None else self._peer.process.pid

    def act(self, action: LifecycleAction, previous: ControllerState) -> None:
        super().act(action, previous)
        self._is_stale = True
        if action is LifecycleAction.RUN:
            if self._peer is not None and not self._peer.process.is_alive():
                self._drop()
            if self._peer is not None:
                return
            try:
                self._peer = _Peer(self.name, self._controller)
            except (ProcessError, pickle.PicklingError, AttributeError, TypeError) as e:
                self._error = e

    def ask(self, tick: int) -> None:
        """Send the observation, if a step is due."""
        if not self.is_due(tick) or self._peer is None:
            return
        self.count_step()
        self._error = self.services.step_watchdog.call(
            self.name, self._observe_and_send
        )
        self._is_asked = True

    def _observe_and_send(self) -> None:
        assert self._peer is not None
        observation = self._controller.observe(self.view())
        self._peer.send(observation, (self.value,) if self._is_stale else ())
        self._is_stale = False

    def collect(self) -> None:
        """Wait for the answer and carry it out."""
        error, self._error = self._error, None
        if error is None and self._is_asked and self._peer is not None:
            try:
                self.value, self._command = self._peer.receive(self._timeout)
                error = self.services.step_watchdog.call(self.name, self._apply)
            except ProcessError as problem:
                error = problem
        is_over = self._is_asked or error is not None
        self._is_asked = False
        if error is not None:
            self._drop()
        if is_over:
            self.settle(error)

    def _apply(self) -> None:
        self._controller.apply(self.view(), self._command)
        self.check_done()

    def handle(self) -> None:
        """Handle triggers here; the new state goes over with the next step."""
        self._is_stale = self._is_stale or bool(self._inbox)
        super().handle()

    def kill(self, reason: str) -> None:
        """Kill the process as a fault would: without warning."""
        self._drop()
        self._error = None
        super().kill(reason)

    def restore(self, moment: PureSnapshot) -> None:
        super().restore(moment)
        self._is_stale, self._is_asked = True, False

    def close(self) -> None:
        self._drop()

    def _drop(self) -> None:
        peer, self._peer = self._peer, None
        self._is_asked, self._is_stale = False, True
        if peer is not None:
            peer.close()


class _Peer:
    """A process and the pipe to it.

    Raises:
        ProcessError: If it cannot be started.
    """

    def __init__(self, name: str, controller: PureController) -> None:
        self._name = name
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        handle, dump = tempfile.mkstemp(prefix="gelenk-", suffix=".stack")
        os.close(handle)
        self._dump, self._is_ready = Path(dump), False
        self.process: SpawnProcess = context.Process(
            target=_serve,
            args=(other, controller.step, controller.cfg, dump),
            name=name,
            daemon=True,
        )
        try:
            self.process.start()
        except BaseException:
            self._pipe.close()
            self._dump.unlink(missing_ok=True)
            raise
        finally:
            other.close()

    def send(self, *request: object) -> None:
        """Send a request.

        Raises:
            ProcessError: If nobody listens or the request cannot be pickled.
        """
        try:
            self._pipe.send(request)
        except OSError:
            raise ProcessError(self._obituary()) from None
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ProcessError(
                f"the observation for {self._name!r} cannot be pickled: {error}"
            ) from error

    def receive(self, timeout: float) -> tuple[Any, Any]:
        """Return the new state and the command.

        Raises:
            ProcessError: If the process died, its step raised, or it hangs.
        """
        if not self._is_ready:
            self._take(START_TIMEOUT)
            self._is_ready = True
        kind, *content = self._take(timeout)
        if kind == "error":
            raise ProcessError(f"step of {self._name!r} raised:\n{content[0]}")
        return content[0], content[1]

    def close(self) -> None:
        """Kill the process and wait for its end, which is a matter of milliseconds."""
        self._pipe.close()
        if self.process.pid is not None:
            self.process.kill()
            self.process.join(_KILL_WAIT)
        self._dump.unlink(missing_ok=True)

    def _take(self, timeout: float) -> Any:
        try:
            if self._pipe.poll(timeout):
                return self._pipe.recv()
        except (EOFError, OSError):
            raise ProcessError(self._obituary()) from None
        raise ProcessError(
            f"process {self.process.pid} of controller {self._name!r} did not answer "
            f"within {timeout:g} s of wall time; it hangs at {self._place()}"
        )

    def _obituary(self) -> str:
        """Return how the process ended."""
        self.process.join(1.0)
        code = self.process.exitcode
        how = "closed its pipe" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            how = f"was killed by {signal.Signals(-code).name}"
        return f"process {self.process.pid} of controller {self._name!r} {how}"

    def _place(self) -> str:
        """Return the file, line and function where the process is, by its own word."""
        if not hasattr(signal, "SIGUSR1") or self.process.pid is None:
            return "an unknown place"
        os.kill(self.process.pid, signal.SIGUSR1)
        deadline = time.monotonic() + _DUMP_WAIT
        lines: list[str] = []
        while not lines and time.monotonic() < deadline:
            time.sleep(0.01)
            text = self._dump.read_text(encoding="utf-8", errors="replace")
            lines = [line.strip() for line in text.splitlines() if "  File " in line]
        return lines[0].removeprefix("File ") if lines else "an unknown place"


def _serve(
    pipe: Connection, step: Callable[..., tuple[Any, Any]], cfg: object, dump: str
) -> None:
    """Answer requests until the other end goes away; the main function over there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other end decides about the end
    with open(dump, "w", encoding="utf-8") as file:
        if hasattr(faulthandler, "register"):
            faulthandler.register(signal.SIGUSR1, file=file, all_threads=False)
        pipe.send(("ready",))
        state: Any = None
        while True:
            try:
                observation, new_state = pipe.recv()
            except (EOFError, OSError):
                return
            state = new_state[0] if new_state else state
            try:
                state, command = step(cfg, state, observation)
                pipe.send(("done", state, command))
            except Exception:
                pipe.send(("error", traceback.format_exc()))
