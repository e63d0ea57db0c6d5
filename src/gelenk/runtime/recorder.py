"""Recorder: every message of a run into one MCAP file, readable at any moment.

The file opens in Foxglove, in Rerun and with `gelenk replay`. It appears under its name
with header and metadata already in it, and what is written goes to the operating system
at least once per simulated second, so that a process that is killed leaves everything
up to that moment. It holds no wall-clock time: one seed, one file, byte for byte.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import platform
import threading
from collections.abc import Callable, Mapping
from importlib import metadata as package_metadata
from pathlib import Path
from typing import Any, Self

from mcap.writer import CompressionType, Writer

from gelenk.errors import ConfigError, GelenkError
from gelenk.runtime.bus import Bus, Delivery
from gelenk.runtime.config_values import to_plain
from gelenk.runtime.messages import Codec, codec_for

METADATA_NAME = "gelenk"
CHUNK_SIZE = 1 << 20  # [bytes]; a chunk is compressed, and damaged, as a whole


class RecordingError(GelenkError, OSError):
    """A recording cannot be created or written.

    Attributes:
        path: Path of the file.
    """

    def __init__(self, path: Path, problem: str, remedy: str) -> None:
        self.path = path
        super().__init__(f"cannot record to {path}: {problem}; {remedy}")


class RecordingFile(io.FileIO):
    """A file without a buffer of its own, and the MCAP writer on top of it.

    What is written is with the operating system at once; a failed write leaves
    nothing behind that closing would try to write again.
    """

    writer: Writer

    def write(self, data: Any, /) -> int:
        """Write all of `data`; the plain method may stop half-way."""
        view = memoryview(data).cast("B")
        done = 0
        while done < len(view):
            done += super().write(view[done:]) or 0
        return done

    def sync(self) -> None:
        """Wait until the file is on disk."""
        os.fsync(self.fileno())


class _Unbuffered:
    """Stream for the MCAP writer, which would wrap a raw file in a buffer."""

    def __init__(self, file: RecordingFile) -> None:
        self.write, self.tell, self.flush = file.write, file.tell, file.flush


def create_file(path: Path, facts: dict[str, str], *, overwrite: bool) -> RecordingFile:
    """Return the file, complete with header and metadata, under its final name."""
    if path.is_dir():
        raise RecordingError(path, "it is a folder", "name a file in it")
    draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        file = RecordingFile(draft, "wb")
    except OSError as error:
        raise _cannot_create(path, error) from error
    try:
        writer = Writer(
            _Unbuffered(file),  # type: ignore[arg-type]
            chunk_size=CHUNK_SIZE,
            compression=CompressionType.ZSTD,
        )
        file.writer = writer
        writer.start(profile="", library="gelenk")
        writer.add_metadata(METADATA_NAME, facts)
        _give_name(draft, path, overwrite=overwrite)
    except OSError as error:
        file.close()
        draft.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise _exists(path) from None
        raise _cannot_create(path, error) from error
    return file


def _give_name(draft: Path, path: Path, *, overwrite: bool) -> None:
    """Rename; without `overwrite`, atomically fail if the name was taken meanwhile."""
    if overwrite:
        draft.replace(path)
        return
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise FileExistsError(path) from None
        draft.rename(path)
        return
    draft.unlink()


def _exists(path: Path) -> RecordingError:
    return RecordingError(
        path, "it exists already", "choose another name or allow overwriting"
    )


def _cannot_create(path: Path, error: OSError) -> RecordingError:
    if not path.parent.exists():
        return RecordingError(
            path, f"there is no folder {path.parent}", f"mkdir -p {path.parent}"
        )
    remedy = f"is there space, and may you write in {path.parent.absolute()}?"
    return RecordingError(path, str(error.strerror or error), remedy)


FLUSH_PERIOD = 1.0  # [s], simulated
_VERSIONED = ("gelenk", "numpy", "mujoco", "mcap")


class Recorder:
    """Writes messages to a file; use as a context manager.

    Metadata that `gelenk replay --verify` needs: `scenario` (name or place), `config`
    (plain values or a configuration) and `seed`. Versions are added here.

    If writing fails, the call that meets the failure raises; messages after it are
    dropped, and `close` raises once more.

    Attributes:
        path: Path of the file.
        message_count: Number of messages that were handed over.
        saved_count: Least number of messages that are in the file for good.
        failure: Cause of an early end of the recording, if there was one.

    Args:
        path: File to create.
        metadata: Facts about the run by name: anything that JSON or a configuration
            can hold.
        overwrite: Whether an existing file may be replaced.
        flush_period: Simulated time after which everything is on its way to disk [s].

    Raises:
        RecordingError: If the file exists already or cannot be created.

    Example:
        >>> import tempfile
        >>> from gelenk.runtime import CameraImage, Recorder, open_recording
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Recorder(f"{folder}/run.mcap", {"seed": 3}) as recorder:
        ...         recorder.declare("eye", CameraImage)
        ...     with open_recording(f"{folder}/run.mcap") as recording:
        ...         print(recording.topics, recording.metadata["seed"])
        ('eye',) 3
    """

    def __init__(
        self,
        path: str | Path,
        metadata: Mapping[str, Any] | None = None,
        *,
        overwrite: bool = False,
        flush_period: float = FLUSH_PERIOD,
    ) -> None:
        if not flush_period > 0.0:
            raise ConfigError(f"`flush_period` must exceed 0 s, got {flush_period}")
        self.path = Path(path)
        self.message_count = 0
        self.saved_count = 0
        self.failure: RecordingError | None = None
        self._flush_period_ns = round(flush_period * 1e9)
        self._last_flush_ns: int | None = None
        self._lock = threading.RLock()
        self._channels: dict[str, tuple[int, Codec]] = {}
        self._schemas: dict[type, int] = {}
        self._detach: list[Callable[[], None]] = []
        facts = _metadata_texts(metadata or {})
        self._file = create_file(self.path, facts, overwrite=overwrite)
        self._writer = self._file.writer

    @property
    def is_open(self) -> bool:
        return not self._file.closed

    def attach(self, bus: Bus) -> None:
        """Record every message that `bus` delivers from now on.

        Topics that exist already appear in the file even if nothing arrives on them.
        """
        for topic, message_type in bus.topics.items():
            self.declare(topic, message_type)
        self._detach += [
            bus.subscribe_all(self._record),
            bus.subscribe_ticks(self._flush_if_due),
        ]

    def declare(self, topic: str, message_type: type) -> None:
        """Add a topic to the file; `write` does so by itself."""
        with self._lock:
            if topic not in self._channels and self._is_working():
                self._register(topic, codec_for(message_type))

    def _record(self, delivery: Delivery) -> None:
        self.write(
            delivery.topic,
            delivery.message,
            delivery.time_ns,
            publish_time_ns=delivery.publish_time_ns,
            number=delivery.number,
        )

    def write(
        self,
        topic: str,
        message: object,
        time_ns: int,
        *,
        publish_time_ns: int | None = None,
        number: int = 0,
    ) -> None:
        """Record one message.

        Args:
            topic: Topic of the message; all messages of a topic have one type.
            message: Message, a frozen dataclass.
            time_ns: Simulated time of the delivery [ns].
            publish_time_ns: Simulated time of the publication [ns], by default
                `time_ns`.
            number: Number of the message on its topic.

        Raises:
            MessageError: If the message does not fit the topic.
            RecordingError: If the file cannot be written, or was closed.
            ConfigError: If the time is negative, which recordings cannot hold.
        """
        if time_ns < 0:
            raise ConfigError(f"`time_ns` must be at least 0, got {time_ns}")
        with self._lock:
            channel = self._channels.get(topic)
            codec = codec_for(type(message)) if channel is None else channel[1]
            data = codec.encode(message, topic=topic)
            try:
                if not self._is_working():
                    return
                self._flush_if_due(time_ns)  # without this message
            finally:
                self.message_count += 1
            channel_id = (channel or self._register(topic, codec))[0]
            if publish_time_ns is None:
                publish_time_ns = time_ns
            sequence = number & 0xFFFFFFFF  # the format has 32 bits for it
            try:
                self._writer.add_message(
                    channel_id, time_ns, data, publish_time_ns, sequence
                )
            except OSError as error:
                raise self._failed(error) from error

    def _is_working(self) -> bool:
        if self.failure is not None:
            return False
        if self._file.closed:
            raise RecordingError(
                self.path, "the recorder is closed", "write before closing it"
            )
        return True

    def _register(self, topic: str, codec: Codec) -> tuple[int, Codec]:
        writer, kind = self._writer, codec.message_type
        try:
            if kind not in self._schemas:
                text = json.dumps(codec.schema).encode()
                schema_id = writer.register_schema(codec.name, "jsonschema", text)
                self._schemas[kind] = schema_id
            channel_id = writer.register_channel(topic, "json", self._schemas[kind])
        except OSError as error:
            raise self._failed(error) from error
        self._channels[topic] = (channel_id, codec)
        return self._channels[topic]

    def _flush_if_due(self, time_ns: int) -> None:
        """Flush once per period; also when simulated time went back."""
        last = self._last_flush_ns
        if last is None:
            self._last_flush_ns = time_ns
        elif not last <= time_ns < last + self._flush_period_ns:
            self._last_flush_ns = time_ns
            self.flush()

    def flush(self) -> None:
        """Hand everything to the operating system: it survives the end of the process.

        It survives the end of the machine only after `close`.

        Raises:
            RecordingError: If the file cannot be written.
        """
        with self._lock:
            if self.failure is None and not self._file.closed:
                try:
                    self._writer.flush()
                    self.saved_count = self.message_count
                except OSError as error:
                    raise self._failed(error) from error

    def _failed(self, error: OSError) -> RecordingError:
        """Note that the file is lost from here on and return what to raise."""
        self.failure = RecordingError(
            self.path,
            f"{error.strerror or error} after {self.message_count} messages",
            f"the first {self.saved_count} can be read; free space or record elsewhere",
        )
        return self.failure

    def close(self) -> None:
        """Write the index and close the file; calling it again does nothing.

        Raises:
            RecordingError: If the file cannot be written, or could not before.
        """
        with self._lock:
            if self._file.closed:
                return
            for detach in self._detach:
                detach()
            try:
                if self.failure is None:
                    self._writer.finish()
                    self._file.sync()
            except OSError as error:
                raise self._failed(error) from error
            finally:
                self._file.close()
            if self.failure is not None:
                missing = self.message_count - self.saved_count
                raise RecordingError(
                    self.path, f"{missing} messages are missing", str(self.failure)
                )
            self.saved_count = self.message_count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
            return
        with contextlib.suppress(RecordingError):  # the first error says more
            self.close()


def _metadata_texts(metadata: Mapping[str, Any]) -> dict[str, str]:
    facts = {"versions": library_versions(), **metadata}
    texts: dict[str, str] = {}
    for key, value in facts.items():
        try:
            # Not sorted: the order of a configuration is the order of its fields.
            texts[str(key)] = json.dumps(to_plain(value))
        except (TypeError, ValueError) as error:
            raise ConfigError(
                f"metadata {key!r} cannot be recorded: {error}"
            ) from error
    return texts


def library_versions() -> dict[str, str]:
    """Return the versions of everything that may change a result."""
    versions = {"python": platform.python_version()}
    for name in _VERSIONED:
        with contextlib.suppress(package_metadata.PackageNotFoundError):
            versions[name] = package_metadata.version(name)
    return versions
