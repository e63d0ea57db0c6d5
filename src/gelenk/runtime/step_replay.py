"""A recording step by step: what had come by each tick, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.clock import nanoseconds
from gelenk.runtime.recording import Recording


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayStep:
    """One tick of a recording.

    Attributes:
        time: Of the tick [s].
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
        recording: What to look at.
        topics: Message types by the topics of interest.
        period: Time between two ticks [s].

    Raises:
        NameNotFoundError: If the recording has no such topic.

    Example:
        >>> import tempfile, numpy as np
        >>> from gelenk.runtime import Recorder, open_recording
        >>> from gelenk.runtime.throughput import Payload
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
