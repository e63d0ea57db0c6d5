"""Recordings: messages by topic and time, as far as a file can be read.

`open_recording` reads files that are cut off or damaged too; `Recording.problems` then
says what is missing. Times are seconds of simulated time, those of delivery.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gelenk.closing import Closing
from gelenk.errors import ConfigError, FileFormatError, NameNotFoundError
from gelenk.runtime.field_paths import follow, parse_path, reviver
from gelenk.runtime.mcap_scan import (
    OFFSET_BITS,
    Block,
    Buffer,
    ChannelIndex,
    McapScan,
    Progress,
    read_message,
    scan,
    unpack,
)
from gelenk.runtime.messages import MessageError, codec_for, parse_json
from gelenk.runtime.recorder import METADATA_NAME
from gelenk.typing import FloatArray

_OFFSET_MASK = (1 << OFFSET_BITS) - 1


class RecordedMessage(NamedTuple):
    """One message of a recording.

    Attributes:
        topic: Topic of the message.
        time_ns: Simulated time of the delivery [ns].
        publish_time_ns: Simulated time of the publication [ns].
        number: Number of the message on its topic.
        value: Fields by name, or the message itself if a type was asked for.
    """

    topic: str
    time_ns: int
    publish_time_ns: int
    number: int
    value: Any

    @property
    def time(self) -> float:
        """Simulated time of its delivery [s]."""
        return self.time_ns * 1e-9


class RawMessage(NamedTuple):
    """One message as its bytes, in the order of the file."""

    topic: str
    time_ns: int
    publish_time_ns: int
    number: int
    data: bytes


def open_recording(path: str | Path, progress: Progress | None = None) -> Recording:
    """Return the recording in a file, as far as it can be read.

    Args:
        path: MCAP file with JSON messages.
        progress: Function of the bytes done and bytes in all, called while the file is
            checked.

    Raises:
        FileFormatError: If there is no such file or it is no recording at all.

    Example:
        >>> import tempfile
        >>> from gelenk.runtime import Recorder, open_recording
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Recorder(f"{folder}/run.mcap", {"seed": 3}):
        ...         pass
        ...     with open_recording(f"{folder}/run.mcap") as recording:
        ...         print(recording.metadata["seed"], recording.problems)
        3 ()
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            is_empty = path.stat().st_size == 0
            # Empty files cannot be mapped.
            data = (
                b""
                if is_empty
                else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            )
    except OSError as error:
        raise FileFormatError(
            path, f"cannot be read: {error.strerror or error}", remedy="check the name"
        ) from error
    try:
        return Recording(path, data, scan(data, path, progress))
    except BaseException:
        if isinstance(data, mmap.mmap):
            data.close()
        raise


class Recording(Closing):
    """A file of messages; made by `open_recording`, closed by `close` or `with`.

    Attributes:
        path: The file.
        metadata: Facts about the run: `scenario`, `seed`, `config`, `versions`, ...
        problems: Damage and gaps in words; empty for a sound file.

    Args:
        path: The file.
        data: Content of the file.
        found: Index of the content.

    Example:
        >>> import tempfile
        >>> from gelenk.runtime import FaultEvent, Recorder, open_recording
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Recorder(f"{folder}/run.mcap") as recorder:
        ...         event = FaultEvent(kind="power_gone", target="arm", amount=0.5)
        ...         recorder.write("faults", event, 10_000_000)
        ...     with open_recording(f"{folder}/run.mcap") as recording:
        ...         print(recording.arrays("faults", "amount"))
        (array([0.01]), array([0.5]))
    """

    def __init__(self, path: Path, data: Buffer, found: McapScan) -> None:
        self.path = path
        self._data = data
        self._blocks = found.blocks
        self._cache: tuple[int, Buffer] = (-1, b"")
        self._topic_of = {c.id: c.topic for c in found.channels.values()}
        self.metadata, damage = _parse_metadata(found)
        self.problems = (*found.problems, *damage)
        self._schemas: dict[str, dict[str, Any]] = {}
        self._names: dict[str, str] = {}
        self._times: dict[str, np.ndarray] = {}
        self._places: dict[str, np.ndarray] = {}
        by_topic: dict[str, list[ChannelIndex]] = {}
        for channel in found.channels.values():
            by_topic.setdefault(channel.topic, []).append(found.messages[channel.id])
            schema = found.schemas.get(channel.schema_id)
            self._names[channel.topic] = schema.name if schema is not None else ""
            self._schemas[channel.topic] = _parse_schema(schema)
        for topic, entries in by_topic.items():
            times = np.concatenate([np.array(e.times, np.uint64) for e in entries])
            places = np.concatenate([np.array(e.places, np.uint64) for e in entries])
            order = np.argsort(times, kind="stable")
            self._times[topic] = times[order]
            self._places[topic] = places[order]

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics in the order in which they were declared."""
        return tuple(self._times)

    @property
    def is_complete(self) -> bool:
        """Whether nothing is damaged or missing."""
        return not self.problems

    @property
    def time_range(self) -> tuple[float, float] | None:
        """Simulated time of the first and last message [s]; None if there is none."""
        filled = [times for times in self._times.values() if times.size]
        if not filled:
            return None
        first, last = min(t[0] for t in filled), max(t[-1] for t in filled)
        return int(first) * 1e-9, int(last) * 1e-9

    def count(self, topic: str) -> int:
        """Return how many messages a topic has."""
        return len(self._get_times(topic))

    def times(self, topic: str) -> FloatArray:
        """Return the delivery times of a topic's messages [s], shape (n,)."""
        return self._get_times(topic) * 1e-9

    def schema(self, topic: str) -> dict[str, Any]:
        """Return the JSON Schema of a topic's messages; empty if it was lost."""
        self._get_times(topic)
        return self._schemas[topic]

    def type_name(self, topic: str) -> str:
        """Return the name of a topic's message type; empty if it was lost."""
        self._get_times(topic)
        return self._names[topic]

    def messages(
        self,
        topic: str | None = None,
        *,
        start: float = -np.inf,
        end: float = np.inf,
        message_type: type | None = None,
    ) -> Iterator[RecordedMessage]:
        """Return an iterator over messages in order of time.

        Args:
            topic: One topic, or None for all; at the same time, topics come in the
                order of their declaration.
            start: First time [s].
            end: Last time [s], included.
            message_type: Dataclass to build; fields by name if it is not given.

        Raises:
            NameNotFoundError: If the topic does not exist.
            FileFormatError: If a message is not what its schema or type says.
        """
        if topic is not None:
            self._get_times(topic)
        topics = self.topics if topic is None else (topic,)
        return self._read(*self._select(topics, start, end), topics, message_type)

    def _select(
        self, topics: tuple[str, ...], start: float, end: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return places and numbers of topics of the messages between two times."""
        times, places, owners = [], [], []
        for i, topic in enumerate(topics):
            seconds = self._times[topic] * 1e-9
            low = int(np.searchsorted(seconds, start, side="left"))
            high = int(np.searchsorted(seconds, end, side="right"))
            times.append(self._times[topic][low:high])
            places.append(self._places[topic][low:high])
            owners.append(np.full(max(high - low, 0), i))
        if not times:
            return np.empty(0, np.uint64), np.empty(0, np.int64)
        order = np.argsort(np.concatenate(times), kind="stable")
        return np.concatenate(places)[order], np.concatenate(owners)[order]

    def _read(
        self,
        places: np.ndarray,
        owners: np.ndarray,
        topics: tuple[str, ...],
        message_type: type | None,
    ) -> Iterator[RecordedMessage]:
        decoders = [self._decoder(topic, message_type) for topic in topics]
        for place, owner in zip(places.tolist(), owners.tolist(), strict=True):
            _, number, time_ns, publish_ns, data = self._at(place)
            topic = topics[owner]
            try:
                value = decoders[owner](data)
            except MessageError as error:
                raise FileFormatError(
                    self.path, str(error), element=f"time {time_ns * 1e-9:.9g} s"
                ) from error
            yield RecordedMessage(topic, time_ns, publish_ns, number, value)

    def latest_before(
        self, topic: str, time: float, *, message_type: type | None = None
    ) -> RecordedMessage | None:
        """Return the newest message at or before `time` [s], None if there is none."""
        count = int(np.searchsorted(self.times(topic), time, side="right"))
        if count == 0:
            return None
        places = self._places[topic][count - 1 : count]
        return next(self._read(places, np.zeros(1, int), (topic,), message_type))

    def arrays(self, topic: str, field: str) -> tuple[FloatArray, np.ndarray]:
        """Return the history of one field.

        Args:
            topic: Topic.
            field: Field by name with dots and indices: "q", "q[2]", "pose.position.x".

        Returns:
            Times [s], shape (n,), and values, shape (n, ...). Numbers that are None
            in some messages are NaN there.

        Raises:
            NameNotFoundError: If topic or field do not exist.
            ConfigError: If the field is not numeric or changes its shape.
        """
        times, path = self.times(topic), parse_path(field)
        where = f"field {field!r} of topic {topic!r}"
        values = [
            follow(message.value, path, self.schema(topic), where)
            for message in self.messages(topic)
        ]
        if any(value is None for value in values):
            values = [np.nan if value is None else value for value in values]
        try:
            array = np.array(values)
        except ValueError:
            raise ConfigError(
                f"{where} changes its length; choose one element, as in {field}[0]"
            ) from None
        if not values:
            array = np.empty(0)
        if array.dtype.kind not in "fiub":
            raise ConfigError(f"{where} is not made of numbers")
        return times, array

    def raw(self) -> Iterator[RawMessage]:
        """Yield every message undecoded, in the order in which they were written."""
        places = np.sort(
            np.concatenate([np.empty(0, np.uint64), *self._places.values()])
        )
        for place in places.astype(np.uint64).tolist():
            channel_id, number, time_ns, publish_ns, data = self._at(place)
            topic = self._topic_of[channel_id]
            yield RawMessage(topic, time_ns, publish_ns, number, data)

    def _decoder(self, topic: str, message_type: type | None) -> Callable[[bytes], Any]:
        if message_type is not None:
            codec = codec_for(message_type)
            return lambda data: codec.decode(data, topic=topic)
        revive = reviver(self._schemas[topic])

        def decode(data: bytes) -> Any:
            value = parse_json(data, topic=topic)
            if b'NaN"' not in data and b'Infinity"' not in data:
                return value
            try:
                return revive(value)
            except RecursionError:
                raise MessageError("nested too deep", topic=topic) from None

        return decode

    def _at(self, place: int) -> tuple[int, int, int, int, bytes]:
        block_id = place >> OFFSET_BITS
        if self._cache[0] != block_id:
            block: Block = self._blocks[block_id]
            self._cache = (block_id, unpack(self._data, block))
        return read_message(self._cache[1], place & _OFFSET_MASK)

    def _get_times(self, topic: str) -> np.ndarray:
        if topic not in self._times:
            raise NameNotFoundError("topic", topic, self._times)
        return self._times[topic]

    def close(self) -> None:
        """Let go of the file; calling it again does nothing."""
        self._cache = (-1, b"")
        if isinstance(self._data, mmap.mmap):
            self._data.close()


def _parse_metadata(found: McapScan) -> tuple[dict[str, Any], list[str]]:
    """Return the facts about the run and what is wrong with them."""
    facts: dict[str, Any] = {}
    problems: list[str] = []
    for key, text in found.metadata.get(METADATA_NAME, {}).items():
        try:
            facts[key] = json.loads(text)
        except (ValueError, RecursionError):
            problems.append(f"the metadata {key!r} are damaged")
    return facts, problems


def _parse_schema(schema: Any) -> dict[str, Any]:
    if schema is None or schema.encoding != "jsonschema":
        return {}
    try:
        parsed = json.loads(schema.data)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}
