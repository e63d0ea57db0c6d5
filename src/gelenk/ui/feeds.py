"""Feeds of windows, time line and plots: lines, events, curves, all of it bounded."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.runtime.bounded_log import SharedLog
from gelenk.runtime.bus import Delivery
from gelenk.runtime.clock import Clock
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
from gelenk.runtime.message_faults import FAULT_TOPIC, FaultEvent
from gelenk.runtime.scene import Level, Window
from gelenk.sim.observe import Impact
from gelenk.sim.renderer_view import Grasp
from gelenk.sim.self_collisions import SelfCollision
from gelenk.sim.signals import Signal
from gelenk.ui.messages import Curve, Event, Events, Line, Lines, Samples

WINDOWS: tuple[Window, ...] = ("debug", "commander", "triggers", "system")
KEPT_LINES = 2000  # of each window, for those who come later
KEPT_EVENTS = 5000
KEPT_SAMPLES = 1500  # rows: half a minute
GREETING_VALUES = 60_000  # of curves, for those who come late: about 320 kB of text
WINDOW_BYTES = 2 * 2**20  # of the lines of a window, of all events
MAX_TEXT = 4000  # characters of a line
DECIMALS = 6  # of curves: less is noise of the last bit
SAMPLE_PERIOD = 0.02  # [s], simulated: 50 Hz
IMPACT_PERIOD = 0.05  # [s], simulated: impacts between are too many to look at
IMPACT_SPEED = 0.3  # [m/s]: slower ones are no events


class Feeds:
    """All that is told about one scene.

    Attributes:
        events: Moments worth jumping to.

    Args:
        scene: Number of the scene.
        clock: Time of its run.
    """

    def __init__(self, scene: int, clock: Clock) -> None:
        self._scene, self._clock = scene, clock
        self._windows: dict[Window, SharedLog[Line]] = {
            window: SharedLog(KEPT_LINES, WINDOW_BYTES) for window in WINDOWS
        }
        self.events: SharedLog[Event] = SharedLog(KEPT_EVENTS, WINDOW_BYTES)
        self._samples: SharedLog[tuple[float, NDArray[np.float32]]] = SharedLog(
            KEPT_SAMPLES, budget=None
        )
        self._next_impact = 0.0
        self._told_events = 0

    # -- adding --------------------------------------------------------------------

    def add_line(self, window: Window, line: Line) -> None:
        """Add a line to a window; from any thread."""
        if len(line.text) > MAX_TEXT:
            text = f"{line.text[:MAX_TEXT]} ... ({len(line.text)} characters)"
            line = Line(
                tick=line.tick,
                time=line.time,
                source=line.source,
                text=text,
                level=line.level,
                receiver=line.receiver,
            )
        self._windows[window].append(line)

    def add_text(
        self,
        window: Window,
        text: str,
        *,
        source: str,
        tick: int,
        time: float,
        level: Level = "info",
        receiver: int | None = None,
    ) -> None:
        """Add a line to a window by its parts; from any thread."""
        line = Line(
            tick=tick,
            time=time,
            source=source,
            text=text,
            level=level,
            receiver=receiver,
        )
        self.add_line(window, line)

    def say(
        self,
        text: str,
        *,
        level: Literal["info", "warning", "error"] = "info",
        source: str = "page",
    ) -> None:
        """Add a line of the page itself to the system log."""
        tick, time = self._clock.tick, self._clock.time
        line = Line(tick=tick, time=time, source=source, text=text, level=level)
        self.add_line("system", line)

    def add_event(self, what: str, text: str, time: float | None = None) -> None:
        """Add an event.

        Args:
            what: Its kind, see `messages.Event`.
            text: Description in a few words.
            time: Simulated time [s]; None: now.
        """
        clock = self._clock
        when = clock.time if time is None else time
        tick = round(when * 1e9) // clock.step_ns
        self.events.append(Event(tick=tick, time=when, what=what, text=text[:200]))

    def hear(self, delivery: Delivery) -> None:
        """Take note of a message of the bus."""
        time = delivery.publish_time_ns / 1e9
        tick = delivery.publish_time_ns // self._clock.step_ns
        match delivery.message:
            case TriggerEvent() as event if delivery.topic == TRIGGER_TOPIC:
                self._hear_trigger(event)
            case LogEvent() as event if delivery.topic == LOG_TOPIC:
                line = _line(tick, time, event.source, event.text.rstrip(), event.level)
                self.add_line("system", line)
                if event.level == "error":
                    reason = event.text.rstrip().splitlines()[-1:] or [""]
                    self.add_event("error", f"{event.source}: {reason[0]}", time)
            case ControllerEvent() as event if delivery.topic == CONTROLLER_TOPIC:
                text = f"{event.previous} -> {event.state} ({event.reason})"
                self.add_line("system", _line(tick, time, event.controller, text))
                said = f"{event.controller}: {event.state} ({event.reason})"
                self.add_event("controller", said, time)
            case WatchdogEvent() as event if delivery.topic == WATCHDOG_TOPIC:
                text = f"not fed for more than {event.deadline:g} s"
                line = _line(tick, time, event.watchdog, text, "warning")
                self.add_line("system", line)
                self.add_event("fault", f"watchdog {event.watchdog}: {text}", time)
            case FaultEvent() as event if delivery.topic == FAULT_TOPIC:
                if event.phase != "hit":
                    text = f"{event.kind} of {event.target}: {event.phase}"
                    self.add_line("system", _line(tick, time, "faults", text))
                    self.add_event("fault", text, event.time)
            case _:
                pass

    def _hear_trigger(self, event: TriggerEvent) -> None:
        lost = "" if event.num_receivers else "  (dropped: nobody has this number)"
        to = "all" if event.receiver < 0 else str(event.receiver)
        tick = round(event.time * 1e9) // self._clock.step_ns
        line = Line(
            tick=tick,
            time=event.time,
            source=event.sender,
            text=event.text + lost,
            level="warning" if lost else "info",
            receiver=event.receiver,
        )
        self.add_line("triggers", line)
        said = f"{event.sender} -> {to}: {event.text}"
        self.add_event("trigger", said, event.time)

    def note_impacts(self, impacts: Sequence[Impact]) -> None:
        """Make an event of the hardest of some impacts, not too often."""
        if not impacts or self._clock.time < self._next_impact:
            return
        hardest = max(impacts, key=lambda impact: impact.speed)
        one, other = hardest.bodies
        self.add_event(
            "impact", f"{one} hits {other} at {hardest.speed:.2f} m/s", hardest.time
        )
        self._next_impact = self._clock.time + IMPACT_PERIOD

    def note_touches(self, touches: Sequence[SelfCollision]) -> None:
        """Make events of collisions of robots."""
        for touch in touches:
            text = f"{touch.link} collides with {touch.other}"
            self.add_event("collision", text, touch.time)

    def note_grasps(self, grasps: Sequence[Grasp]) -> None:
        """Make events of what was taken and let go."""
        for grasp in grasps:
            robot = grasp.gripper.partition("/")[0]
            verb = "takes" if grasp.is_held else "lets go of"
            self.add_event("grasp", f"{robot} {verb} {grasp.thing}")

    def add_sample(self, values: NDArray[np.float32]) -> None:
        """Add a point to all curves."""
        self._samples.append((self._clock.time, values))

    def go_back(self, tick: int) -> None:
        """Forget what came after a tick; events before it stay."""
        self.events.cut(lambda event: event.tick <= tick)
        time = tick * self._clock.step_ns / 1e9
        self._samples.cut(lambda sample: sample[0] <= time)
        self._next_impact = time

    # -- telling -------------------------------------------------------------------

    def news(self, *, with_samples: bool) -> list[Any]:
        """Return messages with what came since the last call.

        Args:
            with_samples: Whether somebody wants the curves; if not they are kept.
        """
        found: list[Any] = []
        for window, tape in self._windows.items():
            start, lines = tape.news()
            if lines:
                found.append(self._lines(window, start, lines))
        count = self.events.count
        start, events = self.events.news()
        if events:
            found.append(Events(scene=self._scene, start=start, events=events))
        elif count < self._told_events:
            found.append(Events(scene=self._scene, start=count, events=()))
        self._told_events = start + len(events)
        _, samples = self._samples.news()
        if samples and with_samples:
            found.append(self._batch(samples))
        return found

    def everything(self) -> list[Any]:
        """Return messages with all that is kept, for somebody who comes late."""
        found: list[Any] = []
        for window, tape in self._windows.items():
            start, lines = tape.everything()
            if lines:
                found.append(self._lines(window, start, lines))
        start, events = self.events.everything()
        if events:
            found.append(Events(scene=self._scene, start=start, events=events))
        _, samples = self._samples.everything()
        if samples:
            found.append(self._batch(_thinned(samples)))
        return found

    def _lines(self, window: Window, start: int, lines: tuple[Line, ...]) -> Lines:
        return Lines(scene=self._scene, window=window, start=start, lines=lines)

    def _batch(self, samples: Sequence[tuple[float, NDArray[np.float32]]]) -> Samples:
        times = tuple(time for time, _ in samples)
        rows = np.array([row for _, row in samples], dtype="<f4")
        table = np.round(rows, DECIMALS) + np.float32(0.0)  # no rounding errors, no -0
        values = base64.b64encode(table.tobytes()).decode()
        return Samples(scene=self._scene, times=times, values=values)


def _thinned(
    samples: Sequence[tuple[float, NDArray[np.float32]]],
) -> Sequence[tuple[float, NDArray[np.float32]]]:
    """Return every n-th row, the last one among them, so that not too much is sent."""
    num_values = len(samples) * len(samples[-1][1])
    stride = max(-(-num_values // GREETING_VALUES), 1)
    return samples[(len(samples) - 1) % stride :: stride]


def _line(
    tick: int,
    time: float,
    source: str,
    text: str,
    level: Literal["info", "warning", "error"] = "info",
) -> Line:
    return Line(tick=tick, time=time, source=source, text=text, level=level)


class Curves(NamedTuple):
    """Names of curves with units, and where they belong, in the same order."""

    names: tuple[str, ...]
    places: tuple[Curve, ...]


def list_curves(gauges: Sequence[Signal], others: Sequence[Any] = ()) -> Curves:
    """Return all curves of a scene.

    Args:
        gauges: Gauges of the world.
        others: Curves of its exhibit, which have a name and a unit.
    """
    names = [gauge.name for gauge in gauges]
    places = [
        Curve(robot=gauge.robot, part=gauge.part, kind=gauge.kind, unit=gauge.unit)
        for gauge in gauges
    ]
    for other in others:
        names.append(f"{other.name} [{other.unit}]")
        places.append(Curve(robot="", part="", kind=other.name, unit=other.unit))
    return Curves(tuple(names), tuple(places))
