"""What the runtime itself says on the bus: changes of controllers, triggers, alarms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

CONTROLLER_TOPIC = "runtime/controllers"
TRIGGER_TOPIC = "runtime/triggers"
WATCHDOG_TOPIC = "runtime/watchdogs"
LOG_TOPIC = "runtime/log"


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerEvent:
    """A controller changed its state.

    Attributes:
        controller: Its name.
        instance: Its instance number.
        state: Where it stands now, see `gelenk.runtime.lifecycle.State`.
        previous: Where it stood before.
        reason: Why: "start", "stop", "pause", "finished", "failed: ...".
    """

    controller: str
    instance: int
    state: str
    previous: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerEvent:
    """A trigger was sent; it arrives in the next control tick.

    Attributes:
        time: Simulated time at which it was raised [s].
        sender: Who sent it.
        receiver: Number of the receiver; -1 for all controllers.
        text: What it says.
        num_receivers: How many get it; 0: the number is unknown and it was dropped.
    """

    time: float = field(metadata={"unit": "s"})
    sender: str
    receiver: int
    text: str
    num_receivers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchdogEvent:
    """A watchdog was not fed in time.

    Attributes:
        watchdog: Its name.
        deadline: The longest time it does without [s].
        last_fed: Simulated time at which it was last fed [s].
    """

    watchdog: str
    deadline: float = field(metadata={"unit": "s"})
    last_fed: float = field(metadata={"unit": "s"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEvent:
    """A line for people.

    Attributes:
        level: How bad it is.
        source: Who says it.
        text: What is said; tracebacks have several lines.
    """

    level: Literal["info", "warning", "error"]
    source: str
    text: str


TOPICS: dict[str, type] = {
    CONTROLLER_TOPIC: ControllerEvent,
    TRIGGER_TOPIC: TriggerEvent,
    WATCHDOG_TOPIC: WatchdogEvent,
    LOG_TOPIC: LogEvent,
}
