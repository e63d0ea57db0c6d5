"""Recordings are exact, readable by others, survive a kill, and never lie silently."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from mcap.reader import make_reader

from gelenk.errors import ConfigError
from gelenk.runtime.bus import Bus
from gelenk.runtime.message_faults import MessageFaults
from gelenk.runtime.messages import MessageError
from gelenk.runtime.recorder import Recorder, RecordingError, RecordingFile
from gelenk.runtime.recording import open_recording
from gelenk.sim.faults import Fault
from runtime.sample_messages import Count, Speed
from runtime.sample_recordings import TICK, TOPICS, joints_at, play_run, record_run

TESTS = str(Path(__file__).resolve().parents[1])
SEARCH_PATH = os.pathsep.join([TESTS, os.environ.get("PYTHONPATH", "")])


def test_the_mcap_library_reads_every_message_in_order(tmp_path: Path) -> None:
    path = record_run(tmp_path / "run.mcap")

    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        found = list(reader.iter_messages(topics=["arm/joints"]))
        metadata = {m.name: m.metadata for m in reader.iter_metadata()}
    assert summary is not None
    assert [c.topic for c in summary.channels.values()] == list(TOPICS)
    assert {s.encoding for s in summary.schemas.values()} == {"jsonschema"}
    assert {c.message_encoding for c in summary.channels.values()} == {"json"}
    for tick, (schema, _, message) in enumerate(found):
        assert schema is not None
        assert schema.name == "runtime.sample_messages.JointState"
        assert message.log_time == (tick + 1) * TICK
        assert message.publish_time == tick * TICK
        assert message.sequence == tick
        assert json.loads(message.data)["q"] == joints_at(tick).q.tolist()
    assert len(found) == 249
    assert json.loads(metadata["gelenk"]["seed"]) == 7
    assert json.loads(metadata["gelenk"]["versions"])["numpy"] == np.__version__


def test_two_recordings_of_one_run_are_the_same_bytes(tmp_path: Path) -> None:
    first = record_run(tmp_path / "first.mcap")
    second = record_run(tmp_path / "second.mcap")

    assert first.read_bytes() == second.read_bytes()


def test_everything_is_flushed_each_simulated_second(tmp_path: Path) -> None:
    path, bus = tmp_path / "run.mcap", Bus(TOPICS)
    recorder = Recorder(path)
    recorder.attach(bus)
    play_run(bus, ticks=275)  # 2.74 s: flushed at 1 s and at 2 s

    with open_recording(path) as recording:
        assert recording.times("arm/joints")[-1] == pytest.approx(2.0, abs=0.011)
        assert "not closed" in recording.problems[0]
    recorder.close()
    with open_recording(path) as recording:
        assert recording.count("arm/joints") == 274
        assert recording.is_complete


def test_messages_are_flushed_even_if_nothing_follows_them(tmp_path: Path) -> None:
    bus = Bus({"count": Count})
    recorder = Recorder(tmp_path / "run.mcap")
    recorder.attach(bus)
    bus.publish("count", Count(value=1))
    bus.advance(0)
    bus.advance(10**9)

    with open_recording(recorder.path) as recording:
        assert recording.count("count") == 1
    recorder.close()


def test_writing_by_hand_flushes_too(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run.mcap")
    for i in range(5):
        recorder.write("count", Count(value=i), i * 500_000_000)

    assert recorder.saved_count == 4  # at 2 s, all before that
    with open_recording(recorder.path) as recording:
        assert recording.count("count") == 4
    recorder.close()
    assert recorder.saved_count == 5


def test_where_hard_links_do_not_exist_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no hard links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    Recorder(tmp_path / "run.mcap").close()

    with pytest.raises(RecordingError, match="exists already"):
        Recorder(tmp_path / "run.mcap")
    assert [p.name for p in tmp_path.iterdir()] == ["run.mcap"]


CRASHING = """
import sys
from gelenk.runtime.bus import Bus
from gelenk.runtime.recorder import Recorder
from runtime.sample_messages import Count
bus = Bus({"count": Count})
recorder = Recorder(sys.argv[1], {"seed": 3, "scenario": "crash"})
recorder.attach(bus)
tick = 0
while True:
    bus.advance(tick * 10_000_000)
    bus.publish("count", Count(value=tick))
    if tick == 1050:
        print("ready", flush=True)
    tick += 1
    if tick > 1099:
        import time
        time.sleep(60)
"""


@pytest.mark.slow
def test_a_killed_process_leaves_everything_up_to_the_last_flush(
    tmp_path: Path,
) -> None:
    path = tmp_path / "crash.mcap"
    process = subprocess.Popen(
        [sys.executable, "-c", CRASHING, str(path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SEARCH_PATH},
    )
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == b"ready\n"
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL

    with open_recording(path) as recording:
        values = [message.value["value"] for message in recording.messages("count")]
        assert recording.metadata["seed"] == 3
        assert not recording.is_complete
    assert len(values) >= 999  # all before 10 s were flushed when it was ready
    assert values == list(range(len(values)))


def test_an_existing_file_is_kept_unless_told_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    path.write_text("precious")

    with pytest.raises(RecordingError, match=r"exists already; .*allow overwriting"):
        Recorder(path)
    assert path.read_text() == "precious"
    Recorder(path, overwrite=True).close()
    assert open_recording(path).is_complete
    assert [p.name for p in tmp_path.iterdir()] == ["run.mcap"]


def test_of_many_that_want_one_name_exactly_one_gets_it(tmp_path: Path) -> None:
    winners, losers, barrier = [], [], threading.Barrier(8)

    def create() -> None:
        barrier.wait()
        try:
            winners.append(Recorder(tmp_path / "run.mcap"))
        except RecordingError as error:
            losers.append(error)

    threads = [threading.Thread(target=create) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners[0].close()

    assert (len(winners), len(losers)) == (1, 7)
    assert [p.name for p in tmp_path.iterdir()] == ["run.mcap"]


def test_the_file_never_exists_without_header_and_metadata(tmp_path: Path) -> None:
    """Whoever looks at any moment sees either no file or a readable one."""
    path, stop, seen = tmp_path / "run.mcap", threading.Event(), []

    def watch() -> None:
        while not stop.is_set():
            if path.exists():
                with open_recording(path) as recording:
                    seen.append(recording.metadata.get("seed"))
                    return
            time.sleep(0)

    watcher = threading.Thread(target=watch)
    watcher.start()
    recorder = Recorder(path, {"seed": 5})
    watcher.join(timeout=10.0)
    stop.set()
    recorder.close()

    assert seen == [5]


def test_a_missing_folder_is_named_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"no folder .*none; mkdir -p .*none"):
        Recorder(tmp_path / "none" / "run.mcap")
    with pytest.raises(RecordingError, match="it is a folder"):
        Recorder(tmp_path)


UNWRITABLE = """
import os, sys
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recorder import RecordingError
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    Recorder(sys.argv[1])
except RecordingError as error:
    print(error)
"""


@pytest.mark.slow
def test_an_unwritable_folder_is_said() -> None:
    with tempfile.TemporaryDirectory() as folder:  # where others may enter, too
        Path(folder).chmod(0o555)

        done = subprocess.run(
            [sys.executable, "-c", UNWRITABLE, f"{folder}/run.mcap"],
            capture_output=True,
            text=True,
            check=True,
        )

    assert "Permission denied; is there space, and may you write in" in done.stdout


FULL_DISK = """
import resource, signal, sys
from gelenk.runtime.bus import Bus
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recorder import RecordingError, RecordingFile
from runtime.sample_recordings import TOPICS, joints_at
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
recorder = Recorder(sys.argv[1])
failures = 0
for tick in range(1000):
    try:
        recorder.write("arm/joints", joints_at(tick), tick * 10_000_000, number=tick)
    except RecordingError as error:
        failures += 1
        print(error)
print("failures", failures)
try:
    recorder.close()
except RecordingError as error:
    print(error)
print(recorder.saved_count, recorder.message_count)
"""


@pytest.mark.slow
def test_a_full_disk_is_said_once_and_again_at_the_end(tmp_path: Path) -> None:
    """The kernel refuses to let the file grow: the same path as a full disk."""
    path = tmp_path / "full.mcap"

    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": SEARCH_PATH},
    )

    during, failures, after, counts = done.stdout.splitlines()
    saved, handed_over = map(int, counts.split())
    assert "File too large" in during
    assert f"the first {saved} can be read" in during
    assert failures == "failures 1"
    assert f"{handed_over - saved} messages are missing" in after
    assert handed_over == 1000
    with open_recording(path) as recording:
        numbers = [message.number for message in recording.messages("arm/joints")]
    assert numbers == list(range(saved))
    assert 0 < saved < 1000


def test_a_write_that_stops_half_way_is_continued() -> None:
    """A pipe takes 64 KiB at a time, and only once its reader has made room."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    data, received = os.urandom(1 << 20), bytearray()

    def read() -> None:
        while part := os.read(reading, 1 << 16):
            received.extend(part)

    reader = threading.Thread(target=read)
    reader.start()
    with RecordingFile(writing, "wb") as file:
        assert file.write(data) == len(data)
    reader.join()
    os.close(reading)

    assert received == data


def test_an_error_of_the_run_is_not_hidden_by_the_recorder(tmp_path: Path) -> None:
    def run() -> None:
        with Recorder(tmp_path / "run.mcap") as recorder:
            recorder.write("count", Count(value=1), 0)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run()
    with open_recording(tmp_path / "run.mcap") as recording:
        assert recording.is_complete


def test_a_message_that_does_not_fit_is_refused_with_its_topic(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.mcap") as recorder:
        recorder.write("count", Count(value=1), 0)
        with pytest.raises(MessageError, match="topic 'count': expected a Count"):
            recorder.write("count", Speed(), 0)
        with pytest.raises(MessageError, match="topic 'count', field `value`"):
            recorder.write("count", Count(value="x"), 0)  # type: ignore[arg-type]


def test_times_before_the_beginning_are_refused(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run.mcap")

    with pytest.raises(ConfigError, match="at least 0, got -1"):
        recorder.write("count", Count(value=1), -1)
    recorder.close()


def test_every_message_fault_is_visible_in_the_recording(tmp_path: Path) -> None:
    faults = [
        Fault(kind="message_lost", target="a", start=0.0, amount=0.5),
        Fault(kind="message_delayed", target="b", start=0.0, amount=0.05),
        Fault(kind="message_doubled", target="c", start=0.0),
    ]
    bus = Bus(dict.fromkeys("abc", Count), faults=MessageFaults(faults, seed=1))
    with Recorder(tmp_path / "run.mcap") as recorder:
        recorder.attach(bus)
        for tick in range(100):
            bus.advance(tick * TICK)
            for topic in "abc":
                bus.publish(topic, Count(value=tick))

    with open_recording(tmp_path / "run.mcap") as recording:
        events = [message.value for message in recording.messages("faults")]
        counts = {topic: recording.count(topic) for topic in "abc"}
        late = {m.time_ns - m.publish_time_ns for m in recording.messages("b")}
    hits = Counter((event["kind"], event["target"]) for event in events)
    assert counts["a"] == 99 - hits["message_lost", "a"]
    assert (counts["b"], late) == (94, {6 * TICK})
    assert counts["c"] == 2 * hits["message_doubled", "c"] == 2 * 99
    assert hits["message_delayed", "b"] == 99


def test_after_closing_nothing_is_written(tmp_path: Path) -> None:
    bus = Bus(TOPICS)
    recorder = Recorder(tmp_path / "run.mcap")
    recorder.attach(bus)
    recorder.close()
    recorder.close()
    play_run(bus, ticks=3)  # the bus goes on without it

    with pytest.raises(RecordingError, match="the recorder is closed"):
        recorder.write("count", Count(value=1), 0)
    with open_recording(recorder.path) as recording:
        assert recording.time_range is None
        assert recording.topics == tuple(TOPICS)


def test_metadata_that_json_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="metadata 'what' cannot be recorded"):
        Recorder(tmp_path / "run.mcap", {"what": object()})
    assert list(tmp_path.iterdir()) == []


def test_metadata_keep_infinities_and_configurations(tmp_path: Path) -> None:
    facts = {"limit": float("inf"), "config": Speed(value=2.0), "steps": (1, 2)}
    Recorder(tmp_path / "run.mcap", facts).close()

    with open_recording(tmp_path / "run.mcap") as recording:
        found = recording.metadata
    assert found["limit"] == float("inf")
    assert found["config"] == {"value": 2.0}
    assert found["steps"] == [1, 2]
