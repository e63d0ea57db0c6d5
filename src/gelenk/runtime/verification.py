"""Verification that a run repeats: a recorded scenario again, compared byte by byte."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gelenk.errors import ConfigError, GelenkError
from gelenk.runtime.export import flatten
from gelenk.runtime.field_paths import path_text
from gelenk.runtime.mcap_scan import Progress
from gelenk.runtime.messages import MessageError, parse_json
from gelenk.runtime.recorder import Recorder, library_versions
from gelenk.runtime.recording import RawMessage, Recording, open_recording
from gelenk.runtime.scenario import run_scenario

_REPORT_EVERY = 200  # [messages] between two reports of progress


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingDifference:
    """The first place where two recordings differ.

    Attributes:
        index: Number of messages before it that are equal.
        topic: Topic of the message.
        time: Simulated time of the message [s].
        field: Field that differs; empty if the messages are not the same ones.
        recorded: Content of the recording as text.
        repeated: Content of the second run as text.
    """

    index: int
    topic: str
    time: float
    field: str
    recorded: str
    repeated: str

    def __str__(self) -> str:
        place = f"message {self.index}, topic {self.topic!r}, {self.time:.9g} s"
        place += f", field {self.field}" if self.field else ""
        return f"{place}: recorded {self.recorded}, now {self.repeated}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Result of running a recorded scenario again.

    Attributes:
        scenario: Name or place of the scenario.
        seed: Seed of the run.
        num_compared: Number of messages that were compared.
        difference: First difference; None if there is none.
        notes: Further remarks, such as other versions of libraries.
    """

    scenario: str
    seed: int
    num_compared: int
    difference: RecordingDifference | None
    notes: tuple[str, ...]

    @property
    def is_equal(self) -> bool:
        return self.difference is None


class _WatchedRecorder(Recorder):
    """A recorder that tells how far the run has come."""

    watch: Callable[[int], None] | None = None

    def write(self, topic: str, message: Any, time_ns: int, **options: Any) -> None:
        super().write(topic, message, time_ns, **options)
        if self.watch is not None and self.message_count % _REPORT_EVERY == 0:
            self.watch(self.message_count)


def verify_recording(
    recording: Recording, *, progress: Progress | None = None
) -> Verification:
    """Run a recorded scenario again with its configuration and seed, and compare.

    Of an incomplete recording, what is left must occur in the second run, in order.

    Args:
        recording: Recording that names scenario, configuration and seed.
        progress: Function of the messages done and messages in all.

    Raises:
        ConfigError: If the recording does not say how to repeat it.
        NameNotFoundError: If there is no such scenario any more.

    Example:
        >>> import tempfile
        >>> from gelenk.runtime import Recorder, open_recording, run_scenario
        >>> from gelenk.runtime import verify_recording
        >>> low = {"height": (0.05, 0.05), "restitution": (0.3, 0.3)}
        >>> facts = {"scenario": "bounce", "config": low, "seed": 1}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Recorder(f"{folder}/bounce.mcap", facts) as recorder:
        ...         outcome = run_scenario(*facts.values(), recorder)
        ...     with open_recording(f"{folder}/bounce.mcap") as recording:
        ...         print(verify_recording(recording).is_equal)
        True
    """
    facts = recording.metadata
    missing = [key for key in ("scenario", "config", "seed") if key not in facts]
    if missing:
        raise ConfigError(
            f"{recording.path} cannot be repeated: it does not say "
            f"{', '.join(missing)}; give these to its Recorder as metadata"
        )
    total = sum(recording.count(topic) for topic in recording.topics)
    notes = _version_notes(facts.get("versions", {}))
    with tempfile.TemporaryDirectory(prefix="gelenk-verify-") as folder:
        path = Path(folder) / "repeated.mcap"
        recorder = _WatchedRecorder(path, facts)
        if progress is not None:
            recorder.watch = lambda done: progress(min(done, total), total)
        notes += _run_again(recorder, facts)
        with open_recording(path) as repeated:
            count, difference = first_difference(recording, repeated)
    return Verification(
        scenario=str(facts["scenario"]),
        seed=int(facts["seed"]),
        num_compared=count,
        difference=difference,
        notes=notes,
    )


def _run_again(recorder: Recorder, facts: dict[str, Any]) -> tuple[str, ...]:
    """Run the scenario; a run that fails may have failed then, too."""
    with recorder:
        try:
            outcome = run_scenario(
                facts["scenario"], facts["config"], facts["seed"], recorder
            )
        except GelenkError as error:
            if recorder.message_count == 0:  # it did not even begin
                raise
            return (f"the run stops with {type(error).__name__}: {error}",)
        except Exception as error:  # a scenario may raise anything
            return (f"the run stops with {type(error).__name__}: {error}",)
    return () if outcome.ok else (f"the run misses its goal: {outcome.reason}",)


def _version_notes(recorded: object) -> tuple[str, ...]:
    then, now = recorded if isinstance(recorded, dict) else {}, library_versions()
    return tuple(
        f"recorded with {name} {then[name]}, now {now.get(name, 'absent')}: "
        "results may differ in the last digits"
        for name in then
        if then[name] != now.get(name)
    )


def first_difference(
    recorded: Recording, repeated: Recording
) -> tuple[int, RecordingDifference | None]:
    """Return how many messages are equal, and the first difference, if any.

    Where `recorded` is damaged, messages of `repeated` that it lacks are passed over.
    """
    others = repeated.raw()
    for count, expected in enumerate(recorded.raw()):
        got = next(others, None)
        if not recorded.is_complete:
            got = _skip_to(expected, got, others)
        if got is None:
            return count, _difference(count, expected, "the message", "nothing more")
        if expected != got:
            return count, _compare(count, expected, got)
    count = sum(recorded.count(topic) for topic in recorded.topics)
    extra = next(others, None) if recorded.is_complete else None
    if extra is not None:
        return count, _difference(count, extra, "nothing more", "the message")
    return count, None


def _skip_to(
    expected: RawMessage, got: RawMessage | None, others: Iterator[RawMessage]
) -> RawMessage | None:
    while got is not None and expected[:-1] != got[:-1]:
        got = next(others, None)
    return got


def _difference(
    index: int, message: RawMessage, recorded: str, repeated: str, field: str = ""
) -> RecordingDifference:
    return RecordingDifference(
        index=index,
        topic=message.topic,
        time=message.time_ns * 1e-9,
        field=field,
        recorded=recorded,
        repeated=repeated,
    )


def _compare(index: int, expected: RawMessage, got: RawMessage) -> RecordingDifference:
    if expected[:-1] != got[:-1]:
        return _difference(index, expected, _heading(expected), _heading(got))
    try:
        before = dict(flatten(parse_json(expected.data)))
        after = dict(flatten(parse_json(got.data)))
    except MessageError:
        before, after = {}, {}
    for path in [*before, *(path for path in after if path not in before)]:
        old, new = before.get(path), after.get(path)
        if repr(old) != repr(new):  # tells -0.0 from 0.0 and 1 from 1.0
            return _difference(index, expected, repr(old), repr(new), path_text(path))
    texts = [
        message.data.decode("utf-8", "replace")[:80] for message in (expected, got)
    ]
    return _difference(index, expected, texts[0], texts[1])


def _heading(message: RawMessage) -> str:
    time, sent = message.time_ns * 1e-9, message.publish_time_ns * 1e-9
    return (
        f"{message.topic!r} number {message.number} at {time:.9g} s (sent {sent:.9g} s)"
    )
