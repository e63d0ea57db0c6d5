"""Reading recordings: by topic and time, whole, cut off, or damaged."""

import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from mcap.writer import CompressionType, Writer

from gelenk.errors import ConfigError, FileFormatError, NameNotFoundError
from gelenk.runtime.field_paths import parse_path
from gelenk.runtime.mcap_scan import Block, unpack
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import Recording, open_recording
from runtime.sample_messages import Count, Inner, JointState, Speed
from runtime.sample_recordings import TICK, TOPICS, joints_at, record_run

TICKS = 450  # five chunks, one per flush


@pytest.fixture(scope="module")
def run_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recordings") / "run.mcap"
    return record_run(path, TICKS, scenario="sample")


@pytest.fixture
def recording(run_path: Path):
    with open_recording(run_path) as opened:
        yield opened


def test_topics_counts_times_and_metadata(recording: Recording) -> None:
    assert recording.topics == tuple(TOPICS)
    counts = [recording.count(topic) for topic in TOPICS]
    assert counts == [TICKS - 1, TICKS // 2, TICKS // 10, 0]
    assert recording.time_range == pytest.approx((0.01, 4.49), abs=1e-12)
    assert recording.metadata["scenario"] == "sample"
    assert recording.is_complete
    assert recording.type_name("speed") == "runtime.sample_messages.Speed"
    assert recording.schema("speed")["properties"]["value"]["unit"] == "m/s"


def test_messages_come_back_as_the_dataclass_that_was_sent(recording) -> None:
    for tick, found in enumerate(
        recording.messages("arm/joints", message_type=JointState)
    ):
        sent = joints_at(tick)
        assert isinstance(found.value, JointState)
        np.testing.assert_array_equal(found.value.q, sent.q)
        np.testing.assert_array_equal(found.value.qd, sent.qd)
        assert found.value.is_valid is sent.is_valid
        assert (found.number, found.publish_time_ns) == (tick, tick * TICK)


def test_all_topics_together_are_in_order_of_time_and_declaration(recording) -> None:
    order = [(found.time_ns, list(TOPICS).index(found.topic)) for found in recording.messages()]  # fmt: skip

    assert order == sorted(order)
    assert len(order) == sum(recording.count(topic) for topic in TOPICS)


def test_a_time_window_includes_both_ends(recording) -> None:
    found = list(recording.messages("arm/joints", start=1.0, end=1.05))

    assert [message.time for message in found] == pytest.approx(
        [1.0, 1.01, 1.02, 1.03, 1.04, 1.05], abs=1e-12
    )


@given(time=st.floats(-1.0, 6.0) | st.integers(0, 500).map(lambda n: n * TICK * 1e-9))
def test_latest_before_is_the_last_of_a_plain_search(
    run_path: Path, time: float
) -> None:
    with open_recording(run_path) as recording:
        older = [found for found in recording.messages("pose") if found.time <= time]

        found = recording.latest_before("pose", time)

        assert found == (older[-1] if older else None)


def test_arrays_are_the_history_of_a_field(recording) -> None:
    times, q = recording.arrays("arm/joints", "q")
    _, element = recording.arrays("arm/joints", "q[1]")
    _, entry = recording.arrays("pose", "T_world_tool[3][3]")
    _, valid = recording.arrays("arm/joints", "is_valid")

    assert q.shape == (TICKS - 1, 3)
    np.testing.assert_allclose(times, np.arange(1, TICKS) * 0.01, rtol=0.0, atol=1e-12)
    np.testing.assert_array_equal(q[100], joints_at(100).q)
    np.testing.assert_array_equal(element, q[:, 1])
    np.testing.assert_array_equal(entry, 10.0 * np.arange(TICKS // 10))
    assert valid.dtype == bool


def test_nan_is_a_number_again(recording) -> None:
    _, speed = recording.arrays("speed", "value")

    np.testing.assert_array_equal(np.flatnonzero(np.isnan(speed)), np.arange(0, 225, 4))


def test_the_text_nan_stays_text(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.mcap") as recorder:
        recorder.write("inner", Inner(gain=float("nan"), label="NaN"), 0)

    with open_recording(tmp_path / "run.mcap") as recording:
        value = next(recording.messages("inner")).value
    assert value["label"] == "NaN"
    assert isinstance(value["gain"], float)


def test_an_empty_topic_has_an_empty_history(recording) -> None:
    times, values = recording.arrays("never", "value")

    assert times.shape == values.shape == (0,)
    assert recording.latest_before("never", 1.0) is None


def test_wrong_names_are_met_with_the_right_ones(recording) -> None:
    with pytest.raises(NameNotFoundError, match="Did you mean 'speed'"):
        recording.messages("sped")
    with pytest.raises(NameNotFoundError, match="Did you mean 'value'"):
        recording.arrays("speed", "valu")
    with pytest.raises(ConfigError, match="only 3 elements"):
        recording.arrays("arm/joints", "q[3]")
    with pytest.raises(ConfigError, match="float has no part 'x'"):
        recording.arrays("speed", "value.x")


def test_what_is_no_series_of_numbers_is_said(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.mcap") as recorder:
        recorder.write("inner", Inner(gain=1.0, label="a"), 0)
        for i in range(3):
            state = JointState(q=np.zeros(i), qd=np.zeros(0))
            recorder.write("joints", state, i)

    with open_recording(tmp_path / "run.mcap") as recording:
        with pytest.raises(ConfigError, match="not made of numbers"):
            recording.arrays("inner", "label")
        with pytest.raises(ConfigError, match=r"changes its length; .*q\[0\]"):
            recording.arrays("joints", "q")


def test_a_wrong_message_type_names_file_time_topic_and_field(recording) -> None:
    with pytest.raises(FileFormatError) as caught:
        list(recording.messages("arm/joints", message_type=Speed))

    for part in ("run.mcap", "time 0.01 s", "topic 'arm/joints', field `value`"):
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("text", "path"),
    [("q", ("q",)), ("q[2]", ("q", 2)), ("a.b[0][1].c", ("a", "b", 0, 1, "c"))],
)
def test_field_paths(text: str, path: tuple) -> None:
    assert parse_path(text) == path


@pytest.mark.parametrize("text", ["", ".", "q[", "q[x]", "q..a", "[0]", "q]", ".q"])
def test_what_is_no_field_path(text: str) -> None:
    with pytest.raises(ConfigError, match="no name of a field"):
        parse_path(text)


# ------------------------------------------------------------------ other writers


@pytest.mark.parametrize("compression", CompressionType)
@pytest.mark.parametrize("use_chunking", [True, False])
def test_files_of_other_writers_can_be_read(
    tmp_path: Path, compression: CompressionType, use_chunking: bool
) -> None:
    path = tmp_path / "other.mcap"
    with path.open("wb") as file:
        writer = Writer(file, compression=compression, use_chunking=use_chunking)
        writer.start()
        schema = writer.register_schema("Thing", "jsonschema", b'{"type": "object"}')
        channels = [writer.register_channel(t, "json", schema) for t in ("a", "b")]
        for i in (2, 0, 1):  # not in order of time
            for channel in channels:
                writer.add_message(channel, i, b'{"x": %d}' % i, i, i)
        writer.finish()

    with open_recording(path) as recording:
        assert recording.is_complete, recording.problems
        assert recording.topics == ("a", "b")
        assert [found.value["x"] for found in recording.messages("b")] == [0, 1, 2]
        assert [raw.number for raw in recording.raw()] == [2, 2, 0, 0, 1, 1]
        assert recording.times("a").tolist() == pytest.approx([0.0, 1e-9, 2e-9])
        latest = recording.latest_before("a", 1.5e-9)
        assert latest is not None
        assert latest.value == {"x": 1}


# ------------------------------------------------------------------ damage


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.mcap").touch()
    (tmp_path / "text.mcap").write_text("position,velocity\n")

    for name in ("empty.mcap", "text.mcap"):
        with pytest.raises(FileFormatError, match="no MCAP file"):
            open_recording(tmp_path / name)
    with pytest.raises(FileFormatError, match="No such file"):
        open_recording(tmp_path / "missing.mcap")
    with pytest.raises(FileFormatError, match="Is a directory"):
        open_recording(tmp_path)


def chunk_places(data: bytes) -> list[tuple[int, int]]:
    """Return begin and end of every chunk: an independent walk over the format."""
    places, position = [], 8
    while position < len(data) - 8:
        opcode, length = struct.unpack_from("<BQ", data, position)
        if opcode == 6:
            places.append((position, position + 9 + length))
        position += 9 + length
    return places


def read_numbers(path: Path) -> tuple[list[int], tuple[str, ...]]:
    with open_recording(path) as recording:
        numbers = [found.number for found in recording.messages("arm/joints")]
        return numbers, recording.problems


def test_every_cut_leaves_a_beginning_of_the_run(
    run_path: Path, tmp_path: Path
) -> None:
    data, path = run_path.read_bytes(), tmp_path / "cut.mcap"
    chunks = chunk_places(data)

    for length in range(8, len(data), 997):
        path.write_bytes(data[:length])
        with open_recording(path) as recording:
            whole_chunks = sum(end <= length for _, end in chunks)
            assert recording.problems
            if whole_chunks == 0:
                assert recording.topics == ()
                continue
            numbers = [found.number for found in recording.messages("arm/joints")]
        assert numbers == list(range(len(numbers)))
        assert len(numbers) >= 100 * whole_chunks - 1 or whole_chunks == len(chunks)


def test_a_damaged_chunk_costs_its_second_and_is_named(
    run_path: Path, tmp_path: Path
) -> None:
    data, path = bytearray(run_path.read_bytes()), tmp_path / "hole.mcap"
    begin, end = chunk_places(bytes(data))[2]
    data[(begin + end) // 2] ^= 0xFF
    path.write_bytes(data)

    numbers, problems = read_numbers(path)

    lost = set(range(TICKS - 1)) - set(numbers)
    assert lost == set(range(min(lost), min(lost) + 100))
    text = "; ".join(problems)
    assert f"at byte {begin}" in text
    assert "(messages from 2 s to 2.99 s)" in text
    assert "of the" in text


def test_a_record_whose_length_is_damaged_does_not_end_the_reading(
    run_path: Path, tmp_path: Path
) -> None:
    data, path = bytearray(run_path.read_bytes()), tmp_path / "length.mcap"
    begin, _ = chunk_places(bytes(data))[1]
    data[begin + 1 : begin + 9] = struct.pack("<Q", 2**60)
    path.write_bytes(data)

    numbers, problems = read_numbers(path)

    assert len(numbers) == TICKS - 1 - 100
    assert numbers[-1] == TICKS - 2
    assert "reading goes on" in problems[0]


@pytest.mark.parametrize("opcode", [2, 7])  # the end of the file, an index
def test_a_chunk_that_hides_as_another_record_is_missed(
    run_path: Path, tmp_path: Path, opcode: int
) -> None:
    data, path = bytearray(run_path.read_bytes()), tmp_path / "hidden.mcap"
    begin, _ = chunk_places(bytes(data))[1]
    data[begin] = opcode
    path.write_bytes(data)

    numbers, problems = read_numbers(path)

    assert len(numbers) == TICKS - 1 - 100
    assert "could be read of the" in problems[-1]


def test_damaged_metadata_do_not_hide_the_messages(
    run_path: Path, tmp_path: Path
) -> None:
    data, path = run_path.read_bytes(), tmp_path / "metadata.mcap"
    path.write_bytes(data.replace(b'"sample"', b'"samplex'))

    numbers, problems = read_numbers(path)

    assert len(numbers) == TICKS - 1
    assert problems == ("the metadata 'scenario' are damaged",)


def read_everything(path: Path) -> None:
    with open_recording(path) as recording:
        for topic in recording.topics:
            recording.latest_before(topic, 1.0)
        for found in recording.messages():  # what is left is what was written
            assert found.value == {"value": found.number}
            assert found.time_ns == found.publish_time_ns == found.number * TICK
        for _ in recording.raw():
            pass


def flip_bytes(rng: np.random.Generator, data: bytes) -> bytes:
    changed = np.frombuffer(data, np.uint8).copy()
    places = rng.integers(0, len(data), size=rng.integers(1, 20))
    changed[places] = rng.integers(0, 256, size=len(places))
    return changed.tobytes()


def remove_part(rng: np.random.Generator, data: bytes) -> bytes:
    first, last = sorted(rng.integers(0, len(data), size=2))
    return data[:first] + data[last:]


def repeat_part(rng: np.random.Generator, data: bytes) -> bytes:
    first, last = sorted(rng.integers(0, len(data), size=2))
    return data[:last] + data[first:]


def overwrite_part(rng: np.random.Generator, data: bytes) -> bytes:
    first, last = sorted(rng.integers(0, len(data), size=2))
    filler = bytes([rng.integers(0, 256)]) * (last - first)
    return data[:first] + filler + data[last:]


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage", [flip_bytes, remove_part, repeat_part, overwrite_part]
)
@pytest.mark.parametrize("compression", ["zstd", "lz4", "none"])
def test_random_damage_is_survived_or_a_file_format_error(
    tmp_path: Path, damage: Callable, compression: str
) -> None:
    whole, path = tmp_path / "whole.mcap", tmp_path / "damaged.mcap"
    with whole.open("wb") as file:
        writer = Writer(
            file, compression=CompressionType[compression.upper()], chunk_size=600
        )
        writer.start()
        schema = writer.register_schema("Count", "jsonschema", b'{"type": "object"}')
        channel = writer.register_channel("count", "json", schema)
        writer.add_metadata("gelenk", {"seed": "1"})
        for i in range(100):
            writer.add_message(channel, i * TICK, b'{"value": %d}' % i, i * TICK, i)
        writer.finish()
    data = whole.read_bytes()
    rng = np.random.default_rng(len(damage.__name__))

    unnoticed = 0
    for _ in range(250):
        path.write_bytes(damage(rng, data))
        try:
            with open_recording(path) as recording:
                unnoticed += recording.is_complete and recording.count("count") < 100
            read_everything(path)
        except FileFormatError:
            pass

    assert unnoticed == 0


def test_a_chunk_that_claims_to_be_small_is_not_unpacked_to_fill_the_memory() -> None:
    packed = zstandard.compress(bytes(64 << 20))
    block = Block(start=0, end=len(packed), compression="zstd", size=100, crc=1)

    tracemalloc.start()
    with pytest.raises(Exception, match="chunk that cannot be unpacked"):
        unpack(packed, block)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 1 << 20


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_bytes_behind_the_magic_never_raise(tmp_path_factory, tail: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "noise.mcap"
    path.write_bytes(b"\x89MCAP0\r\n" + tail)

    read_everything(path)
    with open_recording(path) as recording:
        assert not recording.is_complete


def test_opening_reports_its_progress(run_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    open_recording(run_path, lambda done, total: seen.append((done, total))).close()

    size = run_path.stat().st_size
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {total for _, total in seen} == {size}
    assert size - seen[-1][0] <= 8


def test_recordings_of_one_topic_can_be_written_by_hand(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.mcap") as recorder:
        for i in range(3):
            recorder.write("count", Count(value=i), i * 10**9, number=i)

    with open_recording(tmp_path / "run.mcap") as recording:
        assert [m.value for m in recording.messages()] == [
            {"value": i} for i in range(3)
        ]
