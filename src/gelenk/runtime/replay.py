"""Replays recorded messages to controllers, without the world that they came from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.bus import Bus
from gelenk.runtime.clock import nanoseconds
from gelenk.runtime.controller import View
from gelenk.runtime.recording import Recording


class Replay:
    """A recording in place of a world: its messages arrive when they arrived.

    Give it to a `Run` as its world, with its `bus` and `step`, and `publish` as one of
    the `publishers`:

        replay = Replay(recording, {"image": CameraImage}, period=0.01)
        with Run(replay, [eyes], bus=replay.bus, step=replay.period,
                 period=replay.period, publishers=[replay.publish]) as run:
            run.run(replay.duration)

    Attributes:
        bus: Knows the replayed topics.
        period: Time between two control ticks [s].
        tick: Control ticks done.

    Args:
        recording: What is replayed.
        topics: Message types by the topics to replay; others are left out, so that
            controllers can provide them anew.
        period: As in the recorded run [s]; another one shifts messages to its ticks.

    Raises:
        NameNotFoundError: If the recording has no such topic.
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
