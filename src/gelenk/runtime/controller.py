"""Controllers: programs that decide, in lockstep with the simulated clock.

There are two ways to write one. A `PureController` wraps a function
`step(cfg, state, observation) -> (state, command)` that is called once per period; its
state is a value, so it can be rewound. A subclass of `Controller` has a `run` that does
one thing after the other and blocks in `sleep`, `wait_until` and `wait_motion`;
simulated time stands still while it works and goes on while it waits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from gelenk.errors import ConfigError
from gelenk.runtime.bus import Bus
from gelenk.runtime.triggers import Receipt
from gelenk.runtime.watchdog import Watchdogs

Cfg = TypeVar("Cfg")
S = TypeVar("S")
Obs = TypeVar("Obs")
Cmd = TypeVar("Cmd")


class View(NamedTuple):
    """Surroundings of a controller, to look at and act on.

    Attributes:
        world: The world, or the part of it that a robot offers.
        bus: Messages; `latest(topic)` and `publish(topic, message)`.
        time: Simulated time [s].
        watchdogs: Named deadlines; `add`, `feed` and `remove`.
        send_trigger: Sends a text to a number, or to all controllers with -1.

    Example:
        >>> from gelenk.runtime import Run
        >>> from gelenk.sim import Ground, World
        >>> world = World()
        >>> _ = world.add(Ground())
        >>> seen = []
        >>> with Run(world, publishers=[lambda view: seen.append(view.time)]) as run:
        ...     run.run(0.02)
        >>> seen
        [0.0, 0.01]
    """

    world: Any
    bus: Bus
    time: float
    watchdogs: Watchdogs
    send_trigger: Callable[[int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PureController(Generic[Cfg, S, Obs, Cmd]):
    """A controller that is a function of its state and what it observes.

    Attributes:
        name: Name in messages.
        step: `(cfg, state, observation) -> (state, command)`; must not change its
            arguments.
        cfg: Constant settings, handed to every step.
        initial: State at each start.
        observe: Makes the observation.
        apply: Carries the command out.
        period: Time between two steps [s]; None: every control tick.
        rate: Steps per second [1/s] in place of a period, for those that are no whole
            number of control ticks: each step at the first tick not before its time.
        on_trigger: `(cfg, state, text) -> state`, called for each trigger.
        is_done: Whether a state means that the task is completed.
        robot: Name of the robot it drives, if any: without power it stops.
        requires: Message types by the topics that it reads.
        provides: Message types by the topics that it writes.

    Example:
        >>> from gelenk.runtime import PureController
        >>> counter = PureController(
        ...     name="counter",
        ...     step=lambda cfg, state, seen: (state + cfg, state),
        ...     cfg=1,
        ...     initial=0,
        ...     observe=lambda view: None,
        ...     apply=lambda view, command: None,
        ... )
        >>> counter.step(counter.cfg, counter.initial, None)
        (1, 0)
    """

    name: str
    step: Callable[[Cfg, S, Obs], tuple[S, Cmd]]
    cfg: Cfg
    initial: S
    observe: Callable[[View], Obs]
    apply: Callable[[View, Cmd], None]
    period: float | None = None
    rate: float | None = None
    on_trigger: Callable[[Cfg, S, str], S] | None = None
    is_done: Callable[[S], bool] | None = None
    robot: str = ""
    requires: Mapping[str, type] = field(default_factory=dict)
    provides: Mapping[str, type] = field(default_factory=dict)


class ControllerContext(Protocol):
    """Connection of a controller that runs in a thread to the runtime."""

    @property
    def view(self) -> View: ...

    @property
    def is_running(self) -> bool: ...

    def wait(self, predicate: Callable[[], bool] | None, seconds: float) -> bool: ...

    def send_trigger(
        self, receiver: int, text: str, receipt: Receipt | None = None
    ) -> None: ...

    def subscribe(self, topic: str, callback: Callable[[Any], None]) -> None: ...


class Controller:
    """A controller that runs and waits; derive from it and write `run`.

    It is made once, without arguments, and may be started any number of times. The
    constructor only prepares: world, bus and number are there from `configure` on.

    A derived class may add `pause()`: called on a pause, it must keep what `run` needs
    to go on and must not block. Without it a pause is a stop.

    Attributes:
        name: Name in messages; made of class and number unless set.
        instance_number: Number of the controller among several, counted from 0.
        robot: Name of the robot it drives, if any: without power it stops.
        requires: Message types by the topics that it reads.
        provides: Message types by the topics that it writes.

    Example:
        >>> from gelenk.runtime import Controller
        >>> class Waiter(Controller):
        ...     def run(self):
        ...         while self.is_running():
        ...             self.sleep(0.1)
        >>> Waiter().get_description()
        'Waiter'
    """

    name: str = ""
    instance_number: int = -1
    robot: str = ""
    requires: Mapping[str, type] = {}
    provides: Mapping[str, type] = {}

    _context: ControllerContext | None = None
    _targets: dict[str, npt.NDArray[np.float64]] | None = None
    _NOT_CONFIGURED: ClassVar[str] = (
        "a constructor only prepares: the world, messages and waiting are there from "
        "`configure` on"
    )

    def run(self) -> None:
        """Perform the task, and return when it is done or `is_running` is False."""
        raise NotImplementedError(f"{type(self).__name__} has no run()")

    def stop(self) -> None:
        """Stop what moves and go back to the beginning; may come twice, must not block.

        It is called after every end of `run` except a pause.
        """

    def get_description(self) -> str:
        """Return what the controller does, for people."""
        return type(self).__name__

    def requires_configuration(self) -> bool:
        """Return whether it cannot do without a configuration."""
        return False

    def configure(self, params: str) -> None:
        """Take the configuration; called once, before the first run, if there is one.

        Raises:
            ValueError: If the text does not have the layout it should have.
        """

    def receive_trigger(self, trigger: str) -> None:
        """Handle a trigger; called for each, also while nothing runs."""

    def receive_command(self, line: str) -> None:
        """Handle a line that a person typed."""

    def is_running(self) -> bool:
        """Return False once an end was requested from outside."""
        return self._get_context().is_running

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._get_context().view.time

    @property
    def world(self) -> Any:
        """The world, or the part of it that a robot offers."""
        return self._get_context().view.world

    @property
    def watchdogs(self) -> Watchdogs:
        """Named deadlines in simulated time: `add`, `feed`, `remove`."""
        return self._get_context().view.watchdogs

    def sleep(self, seconds: float) -> bool:
        """Wait for simulated time, at least until the next control tick.

        An end that is requested meanwhile cuts it short.

        Args:
            seconds: Simulated time to wait [s].

        Returns:
            Whether the controller shall go on.
        """
        if not (math.isfinite(seconds) and seconds >= 0.0):
            raise ConfigError(f"`seconds` must be finite and at least 0, got {seconds}")
        return self._get_context().wait(None, seconds)

    def wait_until(
        self, predicate: Callable[[], bool], timeout: float | None = None
    ) -> bool:
        """Wait until a condition holds; it is tested now and in every control tick.

        Args:
            predicate: The condition.
            timeout: Longest wait [s]; None: as long as it takes.

        Returns:
            Whether the condition holds; False after the timeout or if an end was
            requested.
        """
        return self._get_context().wait(
            predicate, math.inf if timeout is None else timeout
        )

    def command(self, robot: str, values: npt.ArrayLike) -> None:
        """Command the motors of a robot, and remember the values for `wait_motion`.

        Args:
            robot: Name of the robot.
            values: Commands in joint order [rad, m], shape (n,).
        """
        target = np.array(values, dtype=np.float64)
        self.world.command(robot, target)
        if self._targets is None:
            self._targets = {}
        self._targets[robot] = target

    def wait_motion(
        self,
        robot: str,
        target: npt.ArrayLike | None = None,
        *,
        tolerance: float = 1e-3,
        speed: float = 1e-2,
        timeout: float | None = None,
    ) -> bool:
        """Wait until a robot has arrived and stands still.

        Args:
            robot: Name of the robot.
            target: Joint values [rad, m], shape (n,); None: those last commanded.
            tolerance: Largest distance of a joint from its target [rad, m].
            speed: Largest speed of a joint that counts as standing [rad/s, m/s].
            timeout: Longest wait [s]; None: as long as it takes.

        Returns:
            Whether it has arrived, as `wait_until` does.
        """
        goal = (self._targets or {}).get(robot) if target is None else target
        if goal is None:
            raise ConfigError(
                f"wait_motion({robot!r}) needs a `target`, or a command before it"
            )
        goal = np.asarray(goal, dtype=np.float64)
        world = self.world

        def has_arrived() -> bool:
            error = np.abs(world.joint_positions(robot) - goal).max(initial=0.0)
            pace = np.abs(world.joint_velocities(robot)).max(initial=0.0)
            return bool(error <= tolerance and pace <= speed)

        return self.wait_until(has_arrived, timeout)

    def send_trigger(self, instance: int, trigger: str) -> None:
        """Send a trigger to a number, or to all controllers with -1."""
        self._get_context().send_trigger(instance, trigger)

    def send_confirmed(
        self, instance: int, trigger: str, timeout: float | None = None
    ) -> bool:
        """Send a trigger and wait until its receivers have handled it.

        Args:
            instance: Number of the receiver, or -1 for all controllers, this one
                included: from its own handler it would wait for itself.
            trigger: Text of the trigger.
            timeout: Longest wait [s]; None: as long as it takes.

        Returns:
            Whether there are receivers and all their handlers have ended without an
            exception.
        """
        receipt = Receipt()
        self._get_context().send_trigger(instance, trigger, receipt)
        self.wait_until(lambda: receipt.is_settled, timeout)
        return receipt.is_confirmed

    def publish(self, topic: str, message: object) -> None:
        """Publish a message; it arrives in the next control tick."""
        self._get_context().view.bus.publish(topic, message, sender=self.name)

    def latest(self, topic: str) -> Any:
        """Return the newest message that has arrived on a topic, None if none has."""
        return self._get_context().view.bus.latest(topic)

    def subscribe(self, topic: str, callback: Callable[[Any], None]) -> None:
        """Call `callback(message)` for every message, like a trigger handler."""
        self._get_context().subscribe(topic, callback)

    def _get_context(self) -> ControllerContext:
        if self._context is None:
            raise RuntimeError(f"{type(self).__name__}: {self._NOT_CONFIGURED}")
        return self._context


class TriggerProcessor:
    """A program that gets triggers and sends others; derive from it.

    It may remember what it likes, and forgets it in `reset`. `requires_configuration`,
    `configure` and `receive_trigger` are as for a `Controller`.

    Example:
        >>> from gelenk.runtime import TriggerProcessor
        >>> class Relay(TriggerProcessor):
        ...     def receive_trigger(self, trigger):
        ...         self.send_trigger(-1, f"all: {trigger}")
        >>> Relay().requires_configuration()
        False
    """

    name: str = ""
    instance_number: int = -1
    _context: ControllerContext | None = None

    def requires_configuration(self) -> bool:
        """Return whether it cannot do without a configuration."""
        return False

    def configure(self, params: str) -> None:
        """Take the configuration; called once, if there is one."""

    def receive_trigger(self, trigger: str) -> None:
        """Handle a trigger."""
        raise NotImplementedError(f"{type(self).__name__} has no receive_trigger()")

    def reset(self) -> None:
        """Forget everything since the start."""

    def send_trigger(self, instance: int, trigger: str) -> None:
        """Send a trigger to a number, or to all controllers with -1."""
        if self._context is None:
            raise RuntimeError(f"{type(self).__name__}: {Controller._NOT_CONFIGURED}")
        self._context.send_trigger(instance, trigger)
