"""Replay of recordings: to controllers, tick by tick, or on one time line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.bus import Bus
from gelenk.runtime.clock import nanoseconds
from gelenk.runtime.controller import View
from gelenk.runtime.recording import Recording
from gelenk.typing import ArrayLike, FloatArray


class Replay:
    """A recording in place of a world: its messages arrive when they arrived.

    Give it to a `Run` as its world, with its `bus` and `step`, and `publish` as one of
    the `publishers`.

    Attributes:
        bus: Bus with the replayed topics.
        period: Time between two control ticks, as in the recorded run [s]; another one
            shifts messages to its ticks.
        tick: Number of control ticks done.

    Args:
        recording: Recording to replay.
        topics: Message types by the topics to replay; others are left out, so that
            controllers can provide them anew.
        period: Time between two control ticks, as in the recorded run [s]; another one
            shifts messages to its ticks.

    Raises:
        NameNotFoundError: If the recording has no such topic.

    Example:
        >>> import tempfile
        >>> from gelenk.runtime import FaultEvent, Recorder, Replay, Run, open_recording
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Recorder(f"{folder}/run.mcap") as recorder:
        ...         event = FaultEvent(kind="power_gone", target="arm")
        ...         recorder.write("faults", event, 20_000_000)
        ...     with open_recording(f"{folder}/run.mcap") as recording:
        ...         replay = Replay(recording, {"faults": FaultEvent}, period=0.01)
        ...         with Run(
        ...             replay,
        ...             bus=replay.bus,
        ...             step=replay.period,
        ...             publishers=[replay.publish],
        ...         ) as run:
        ...             run.run(replay.duration)
        ...             print(run.bus.latest("faults").target)
        arm
    """

    def __init__(
        self, recording: Recording, topics: Mapping[str, type], *, period: float
    ) -> None:
        for topic in topics:
            if topic not in recording.topics:
                raise NameNotFoundError("recorded topic", topic, recording.topics)
        if nanoseconds(period) < 1:
            raise ConfigError(f"`period` must exceed 0 s, got {period}")
        self.bus, self.period, self.tick = Bus(topics), period, 0
        self._recording, self._topics = recording, dict(topics)
        self._times = {topic: recording.times(topic) for topic in topics}

    @property
    def duration(self) -> float:
        """Time of the last replayed message, and one tick more for answers [s]."""
        last = max(
            (times[-1] for times in self._times.values() if len(times)), default=0
        )
        return float(last) + self.period

    def step(self, n: int = 1) -> None:
        """Let time pass; nothing else happens."""
        self.tick += n

    def snapshot(self) -> int:
        """Return the tick, to go back to it with `restore`."""
        return self.tick

    def restore(self, snapshot: int) -> None:
        """Go back to a tick."""
        self.tick = snapshot

    def publish(self, view: View) -> None:
        """Publish what arrived at the next tick of the recorded run."""
        # Half a nanosecond apart from all times: edges cannot be hit by rounding.
        start = (nanoseconds(view.time) + 0.5) * 1e-9
        end = start + self.period
        for topic, message_type in self._topics.items():
            times = self._times[topic]
            if np.searchsorted(times, start) == np.searchsorted(times, end):
                continue
            for message in self._recording.messages(
                topic, start=start, end=end, message_type=message_type
            ):
                view.bus.publish(topic, message.value, sender="replay")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayStep:
    """One tick of a recording.

    Attributes:
        time: Simulated time of the tick [s].
        new: Messages that came in it, by topic, in their order.
        latest: Newest message of each topic so far.
    """

    time: float
    new: Mapping[str, tuple[Any, ...]]
    latest: Mapping[str, Any]


def replay_steps(
    recording: Recording, topics: Mapping[str, type], *, period: float
) -> Iterator[ReplayStep]:
    """Yield the ticks of a recording one after the other.

    Args:
        recording: Recording to step through.
        topics: Message types by the topics of interest.
        period: Time between two ticks [s].

    Raises:
        NameNotFoundError: If the recording has no such topic.

    Example:
        >>> import tempfile, numpy as np
        >>> from gelenk.runtime import Recorder, open_recording
        >>> from gelenk.runtime.bus_monitor import Payload
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Recorder(f"{folder}/run.mcap") as recorder:
        ...         for k in (1, 2, 4):
        ...             message = Payload(number=k, values=np.zeros(1))
        ...             recorder.write("n", message, k * 10_000_000)
        ...     with open_recording(f"{folder}/run.mcap") as recording:
        ...         steps = list(replay_steps(recording, {"n": Payload}, period=0.01))
        >>> [len(step.new.get("n", ())) for step in steps]
        [1, 1, 0, 1]
        >>> [step.latest["n"].number for step in steps]
        [1, 2, 2, 4]
    """
    if nanoseconds(period) < 1:
        raise ConfigError(f"`period` must exceed 0 s, got {period}")
    for topic in topics:
        if topic not in recording.topics:
            raise NameNotFoundError("recorded topic", topic, recording.topics)
    arrived = sorted(
        (
            (-(-message.time_ns // nanoseconds(period)), order, topic, message.value)
            for order, (topic, kind) in enumerate(topics.items())
            for message in recording.messages(topic, message_type=kind)
        ),
        key=lambda entry: entry[:2],
    )
    latest: dict[str, Any] = {}
    last = arrived[-1][0] if arrived else 0
    k = 0
    for tick in range(1, last + 1):
        new: dict[str, tuple[Any, ...]] = {}
        while k < len(arrived) and arrived[k][0] <= tick:
            _, _, topic, value = arrived[k]
            new[topic] = (*new.get(topic, ()), value)
            latest[topic] = value
            k += 1
        yield ReplayStep(time=tick * period, new=new, latest=dict(latest))


GRAIN = 1e-4  # [s], what clocks and queues add to every way


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFit:
    """Rate of another clock: there = here + offset + drift (here - origin).

    Attributes:
        offset: Offset of the other clock at `origin` [s].
        drift: Seconds per second that the other clock goes fast.
        origin: Time of this clock to which the offset belongs [s].
        spread: Standard deviation of the residuals [s].
    """

    offset: float
    drift: float
    origin: float
    spread: float

    def to_here(self, there: ArrayLike) -> FloatArray:
        """Return times of the other clock in time here [s], shape (...)."""
        t = as_finite("there", there, ())
        return (t - self.offset + self.drift * self.origin) / (1.0 + self.drift)


def clock_offset(
    t1: ArrayLike, t2: ArrayLike, t3: ArrayLike, t4: ArrayLike
) -> FloatArray:
    """Return ½ ((t2 - t1) + (t3 - t4)) [s], shape (...).

    Example:
        >>> print(clock_offset(0.0, 5.01, 5.02, 0.03))
        5.0
    """
    a, b = as_finite("t1", t1, ()), as_finite("t2", t2, ())
    c, d = as_finite("t3", t3, ()), as_finite("t4", t4, ())
    return 0.5 * ((b - a) + (c - d))


def fit_clock(t1: ArrayLike, t2: ArrayLike, t3: ArrayLike, t4: ArrayLike) -> ClockFit:
    """Return offset and drift of another clock from many exchanges.

    Args:
        t1: Times of sending by this clock [s], shape (n,), n >= 2.
        t2: Times of receipt by the other clock [s], shape (n,).
        t3: Times of answering by the other clock [s], shape (n,).
        t4: Times of receipt by this clock [s], shape (n,).
    """
    a, d = as_finite("t1", t1, ()), as_finite("t4", t4, ())
    offsets = clock_offset(t1, t2, t3, t4)
    way = (d - a) - (as_finite("t3", t3, ()) - as_finite("t2", t2, ()))
    if a.size < 2:
        raise ConfigError(f"a clock needs 2 exchanges, got {a.size}")
    middle = 0.5 * (a + d)
    origin = float(middle.mean())
    # Half of what a way is too long is the most that its offset can be wrong by.
    doubt = 0.5 * (way - way.min()) + GRAIN
    A = np.stack([np.ones(a.size), middle - origin], axis=1)
    scaled, wanted = A / doubt[:, None], offsets / doubt
    (offset, drift), *_ = np.linalg.lstsq(scaled, wanted, rcond=None)
    left = (offsets - A @ [offset, drift]) / doubt
    weight = 1.0 / doubt**2
    return ClockFit(
        offset=float(offset),
        drift=float(drift),
        origin=origin,
        spread=float(np.sqrt((left**2).sum() / weight.sum())),
    )


def align_events(
    here: ArrayLike, there: ArrayLike, *, reach: float, tolerance: float = 0.05
) -> float:
    """Return the shift that lays events of a video onto those of a log [s].

    The shift that most pairs agree on within the tolerance, then the mean of these:
    here = there + shift. Events that only one of them has do not disturb.

    Args:
        here: Times in the log [s], shape (n,).
        there: Times in the video [s], shape (m,).
        reach: Largest |shift| [s].
        tolerance: Precision of the event times, such as one frame [s].

    Example:
        >>> round(align_events([1.0, 2.5, 4.7, 9.0], [0.5, 2.7, 7.0], reach=5.0), 6)
        2.0
    """
    a, b = as_finite("here", here, ()), as_finite("there", there, ())
    gaps = (a[:, None] - b).ravel()
    gaps = np.sort(gaps[np.abs(gaps) <= reach])
    if gaps.size == 0:
        raise ConfigError(f"no two events are within {reach} s of each other")
    last = np.searchsorted(gaps, gaps + tolerance, side="right")
    first = int(np.argmax(last - np.arange(gaps.size)))
    return float(gaps[first : last[first]].mean())
