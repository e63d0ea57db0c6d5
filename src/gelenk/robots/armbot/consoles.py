"""Trigger Console, Commander and system log, without a screen.

Each works on a run from any thread and keeps what it shows as data; whoever draws it
reads that.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Literal

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.bounded_log import SharedLog
from gelenk.runtime.bus import Delivery
from gelenk.runtime.clock import Clock, nanoseconds
from gelenk.runtime.controls import SendLineRequest, SendTriggerRequest
from gelenk.runtime.events import (
    CONTROLLER_TOPIC,
    LOG_TOPIC,
    TRIGGER_TOPIC,
    WATCHDOG_TOPIC,
    ControllerEvent,
    LogEvent,
    TriggerEvent,
    WatchdogEvent,
)
from gelenk.runtime.run import Run
from gelenk.runtime.thread_executor import ThreadExecutor
from gelenk.runtime.triggers import BROADCAST


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerRecord:
    """A trigger that was sent.

    Attributes:
        tick: Physics tick in which it was raised.
        time: Simulated time [s].
        sender: Who sent it; "user" for a person.
        receiver: Number; -1 for all controllers.
        text: What it says.
        num_receivers: How many get it; 0: nobody has the number.
    """

    tick: int
    time: float
    sender: str
    receiver: int
    text: str
    num_receivers: int

    def __str__(self) -> str:
        to = "all" if self.receiver == BROADCAST else str(self.receiver)
        lost = "" if self.num_receivers else "  (dropped: nobody has this number)"
        return f"{self.time:.3f} s  {self.sender} -> {to}: {self.text}{lost}"


class TriggerConsole:
    """Shows the triggers that were sent, and sends some in the name of a person.

    Attributes:
        scroll: The triggers, with listeners.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self.scroll: SharedLog[TriggerRecord] = SharedLog()
        run.bus.subscribe(TRIGGER_TOPIC, self._note)

    @property
    def history(self) -> tuple[TriggerRecord, ...]:
        """Triggers in the order in which they were sent."""
        return self.scroll.items

    def send(self, receiver: int, text: str) -> Future[None]:
        """Send a trigger before the next control tick; it arrives in the one after.

        Args:
            receiver: A number, or -1 for all controllers.
            text: Any text.

        Raises:
            ConfigError: If the receiver is no possible number or the text no text.
        """
        is_number = isinstance(receiver, int) and not isinstance(receiver, bool)
        if not (is_number and receiver >= BROADCAST and isinstance(text, str)):
            raise ConfigError(
                "a trigger needs a number, 0 or more or -1 for all controllers, and a "
                f"text; got {receiver!r} and {text!r}"
            )
        return self._run.post(SendTriggerRequest(receiver=receiver, text=text))

    def _note(self, event: TriggerEvent) -> None:
        self.scroll.append(
            TriggerRecord(
                tick=nanoseconds(event.time) // self._run.clock.step_ns,
                time=event.time,
                sender=event.sender,
                receiver=event.receiver,
                text=event.text,
                num_receivers=event.num_receivers,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """A line between a person and a controller.

    Attributes:
        tick: Physics tick.
        time: Simulated time [s].
        robot: Number of the robot.
        text: The line.
        is_answer: Whether the controller said it; else the person did.
    """

    tick: int
    time: float
    robot: int
    text: str
    is_answer: bool

    def __str__(self) -> str:
        mark = "<" if self.is_answer else ">"
        return f"{self.time:.3f} s  robot{self.robot} {mark} {self.text}"


class Commander:
    """Sends typed lines to controllers and shows what they answer.

    Attributes:
        scroll: Lines and answers as they came, with listeners.
        selected: Number of the robot that gets a line unless said otherwise.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self.scroll: SharedLog[CommandLine] = SharedLog()
        self.selected = min(self.robots, default=0)

    @property
    def robots(self) -> tuple[int, ...]:
        """Numbers of the robots whose controllers take typed lines."""
        hosts = self._run.executors
        return tuple(
            host.instance for host in hosts if isinstance(host, ThreadExecutor)
        )

    @property
    def answers(self) -> tuple[CommandLine, ...]:
        """What controllers answered, oldest first."""
        return tuple(line for line in self.scroll.items if line.is_answer)

    def select(self, robot: int) -> None:
        """Choose the robot that gets the next lines.

        Raises:
            NameNotFoundError: If its controller takes no lines or does not exist.
        """
        self._check(robot)
        self.selected = robot

    def send(self, line: str, robot: int | None = None) -> Future[None]:
        """Send a line to a controller; it is handled in the next control tick.

        Args:
            line: What was typed; its syntax is the controller's matter.
            robot: Number of the robot; None: the selected one.

        Raises:
            NameNotFoundError: If its controller takes no lines or does not exist.
        """
        robot = self.selected if robot is None else robot
        self._check(robot)
        self._note(line, robot, is_answer=False)
        return self._run.post(SendLineRequest(line=line, instance=robot))

    def answer(self, text: object = "", robot: int = 0) -> None:
        """Show what a controller answers; a text of several lines becomes several."""
        for line in str(text).splitlines() or [""]:
            self._note(line, robot, is_answer=True)

    def _note(self, text: str, robot: int, *, is_answer: bool) -> None:
        clock = self._run.clock
        self.scroll.append(
            CommandLine(
                tick=clock.tick,
                time=clock.time,
                robot=robot,
                text=text,
                is_answer=is_answer,
            )
        )

    def _check(self, robot: int) -> None:
        if robot not in self.robots:
            names = (str(number) for number in self.robots)
            raise NameNotFoundError("controller that takes lines", str(robot), names)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemLine:
    """A message of the system: simulated time [s], how bad, who, what."""

    tick: int
    time: float
    level: Literal["info", "warning", "error"]
    source: str
    text: str

    def __str__(self) -> str:
        return f"{self.time:.3f} s  {self.level}  {self.source}: {self.text}"


class SystemLog:
    """Shows what the runtime says: starts and ends, warnings, failures with tracebacks.

    Attributes:
        scroll: The messages, with listeners.
    """

    def __init__(self, run: Run) -> None:
        self._clock = run.clock
        self.scroll: SharedLog[SystemLine] = SharedLog()
        run.bus.subscribe_all(self._note)

    @property
    def lines(self) -> tuple[SystemLine, ...]:
        """Messages, oldest first."""
        return self.scroll.items

    def _note(self, delivery: Delivery) -> None:
        if delivery.topic in (LOG_TOPIC, CONTROLLER_TOPIC, WATCHDOG_TOPIC):
            self.scroll.append(_system_line(delivery, self._clock))


def _system_line(delivery: Delivery, clock: Clock) -> SystemLine:
    level: Literal["info", "warning", "error"] = "info"
    match delivery.message:
        case LogEvent(level=level, source=source, text=text):
            pass
        case ControllerEvent() as event:
            source = event.controller
            text = f"{event.previous} -> {event.state} ({event.reason})"
        case WatchdogEvent() as event:
            level, source = "warning", event.watchdog
            text = (
                f"not fed for more than {event.deadline:g} s, last at "
                f"{event.last_fed:.3f} s"
            )
        case _:
            source, text = delivery.sender, str(delivery.message)
    return SystemLine(
        tick=delivery.publish_time_ns // clock.step_ns,
        time=delivery.publish_time_ns / 10**9,
        level=level,
        source=source,
        text=text.rstrip(),
    )
