"""`gelenk replay`: the summary is the recording, and a run repeats or says where not."""

import csv
import dataclasses
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from cli.recorded_scenario import Position, WalkConfig, walk
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import open_recording

HERE = Path(__file__).resolve().parent
PLACE = f"{HERE / 'recorded_scenario.py'}:walk"


def record(path: Path, seed: int = 3, **changes: float) -> Path:
    config = dataclasses.replace(WalkConfig(), **changes)
    facts = {"scenario": PLACE, "config": config, "seed": seed}
    with Recorder(path, facts) as recorder:
        walk(config, seed, recorder)
    return path


@pytest.fixture
def run_path(tmp_path: Path) -> Path:
    return record(tmp_path / "walk.mcap")


def test_the_summary_tells_run_topics_faults_and_impacts(
    gelenk, run_path: Path
) -> None:
    facts = gelenk("replay", str(run_path), "--json").json()

    with open_recording(run_path) as recording:
        counts = {topic: recording.count(topic) for topic in recording.topics}
    assert facts["scenario"] == PLACE
    assert facts["seed"] == 3
    assert facts["config"]["width"] == 0.1
    assert facts["problems"] == []
    assert {entry["topic"]: entry["count"] for entry in facts["topics"]} == counts
    assert facts["impacts"] == counts["impacts"] > 0
    (fault,) = facts["faults"]
    assert (fault["kind"], fault["target"]) == ("message_lost", "walker/position")
    assert fault["count"] == counts["faults"] > 10
    assert counts["walker/position"] + fault["count"] == 149
    position = facts["topics"][0]
    span = position["end"] - position["start"]
    assert position["rate"] == pytest.approx((position["count"] - 1) / span)
    assert facts["duration"] == pytest.approx(1.48, abs=0.03)


def test_the_summary_for_people_has_the_same_figures(gelenk, run_path: Path) -> None:
    facts = gelenk("replay", str(run_path), "--json").json()

    outcome = gelenk("replay", str(run_path))

    assert outcome.code == 0
    assert outcome.err == ""
    rows = [line.split() for line in outcome.out.splitlines()]
    for entry in facts["topics"]:
        assert any(row[:1] == [entry["topic"]] and str(entry["count"]) in row for row in rows)  # fmt: skip
    assert ["seed", "3"] in rows
    assert ["width", "=", "0.1"] in rows
    assert (
        f"{facts['faults'][0]['count']} x message_lost on walker/position"
        in outcome.out
    )
    assert ["impacts", str(facts["impacts"])] in rows


def test_messages_of_a_topic_in_a_window(gelenk, run_path: Path) -> None:
    window = ("--topic", "walker/position", "--from", "0.5", "--to", "0.7")

    lines = gelenk("replay", str(run_path), *window).out.splitlines()
    messages = gelenk("replay", str(run_path), *window, "--json").json()["messages"]

    assert [json.loads(line[12:]) for line in lines] == [m["value"] for m in messages]
    assert all(0.5 <= message["time"] <= 0.7 for message in messages)
    assert 5 < len(messages) < 21
    assert messages[0]["value"]["label"] == "walker"


def test_tables_have_units_and_exact_numbers(gelenk, run_path: Path, tmp_path) -> None:
    outcome = gelenk("replay", str(run_path), "--csv", str(tmp_path / "tables"))

    files = [Path(line) for line in outcome.out.splitlines()]
    assert [file.name for file in files] == ["walker_position.csv", "impacts.csv", "faults.csv"]  # fmt: skip
    with files[0].open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["time [s]", "x [m]", "label"]
    with open_recording(run_path) as recording:
        times, x = recording.arrays("walker/position", "x")
    assert [float(row[0]) for row in rows] == times.tolist()
    assert [float(row[1]) for row in rows] == x.tolist()
    with files[1].open() as file:
        assert file.readline().strip() == "time [s],impulse[0] [N s],impulse[1] [N s],impulse[2] [N s]"  # fmt: skip


def test_one_table_of_one_topic(gelenk, run_path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    arguments = ("--csv", str(folder), "--topic", "impacts", "--json")

    facts = gelenk("replay", str(run_path), *arguments).json()

    assert facts["tables"] == [str(folder / "impacts.csv")]
    assert [path.name for path in folder.iterdir()] == ["impacts.csv"]


def png_size(path: Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


@pytest.mark.slow
def test_plots_are_pictures_one_axis_per_field(
    gelenk, run_path: Path, tmp_path
) -> None:
    one, two = tmp_path / "one.png", tmp_path / "two.png"

    first = gelenk("replay", str(run_path), "--plot", "walker/position.x", "--out", str(one))  # fmt: skip
    second = gelenk("replay", str(run_path), "--plot", "walker/position", "--plot", "impacts.impulse", "--out", str(two))  # fmt: skip

    assert (first.code, second.code) == (0, 0), first.err + second.err
    assert first.out.strip() == str(one)
    assert png_size(two)[1] > png_size(one)[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--plot", "walker/position.x"), "add --out plot.png"),
        (("--out", "x.png"), "add --plot TOPIC.FIELD"),
        (("--from", "2", "--to", "1"), "--from 2 s must not be later than --to 1 s"),
        (("--topic", "impact"), "Did you mean 'impacts'"),
        (("--plot", "walker/positio.x", "--out", "x.png"), "Did you mean 'walker/position'"),
        (("--plot", "walker/position.y", "--out", "x.png"), "no field named 'y'"),
        (("--plot", "walker/position.label", "--out", "x.png"), "not made of numbers"),
        (("--plot", "walker/position.x", "--out", "x.bmp"), "not as 'x.bmp'"),
    ],
)  # fmt: skip
def test_impossible_requests(gelenk, run_path: Path, arguments, message: str) -> None:
    outcome = gelenk("replay", str(run_path), *arguments)

    assert outcome.code == 2
    assert message in outcome.err


def test_what_is_no_recording(gelenk, tmp_path: Path) -> None:
    (tmp_path / "x.mcap").write_text("hello")

    outcome = gelenk("replay", str(tmp_path / "x.mcap"))

    assert outcome.code == 2
    assert "this is no MCAP file" in outcome.err


def test_a_run_that_repeats_is_equal_bit_for_bit(gelenk, run_path: Path) -> None:
    outcome = gelenk("replay", str(run_path), "--verify")
    facts = gelenk("replay", str(run_path), "--verify", "--json").json()

    with open_recording(run_path) as recording:
        count = sum(recording.count(topic) for topic in recording.topics)
    assert outcome.code == 0
    assert outcome.out == f"equal: {count} messages, bit for bit\n"
    assert facts["verification"] == {
        "equal": True,
        "compared": count,
        "difference": None,
        "notes": [],
    }


def test_the_first_difference_is_named_to_the_field(gelenk, tmp_path: Path) -> None:
    """The seed in the file is wrong, so that the walk differs from its first step."""
    path = tmp_path / "wrong.mcap"
    facts = {"scenario": PLACE, "config": WalkConfig(loss=1e-9), "seed": 4}
    with Recorder(path, facts) as recorder:
        walk(WalkConfig(loss=1e-9), 3, recorder)

    outcome = gelenk("replay", str(path), "--verify")
    facts = gelenk("replay", str(path), "--verify", "--json").json()["verification"]

    now, then = (np.random.default_rng(seed).normal(0.0, 0.1) for seed in (4, 3))
    assert outcome.code == 1
    assert outcome.out == (
        "different: message 0, topic 'walker/position', 0.01 s, field x: "
        f"recorded {float(then)!r}, now {float(now)!r}\n"
    )
    assert facts["difference"]["field"] == "x"
    assert not facts["equal"]


def test_a_message_too_many_or_too_few_is_found(gelenk, tmp_path: Path) -> None:
    short = tmp_path / "short.mcap"
    facts = {"scenario": PLACE, "config": WalkConfig(steps=20), "seed": 3}
    with Recorder(short, facts) as recorder:
        walk(WalkConfig(steps=10), 3, recorder)
    long = tmp_path / "long.mcap"
    with Recorder(long, facts) as recorder:
        walk(WalkConfig(steps=20), 3, recorder)
        recorder.write("walker/position", Position(x=0.0), 10**9)

    assert "recorded nothing more, now the message" in gelenk("replay", str(short), "--verify").out  # fmt: skip
    assert "recorded the message, now nothing more" in gelenk("replay", str(long), "--verify").out  # fmt: skip


def test_what_is_left_of_a_recording_is_verified(gelenk, run_path: Path) -> None:
    """Two of its messages per second of the run are lost with the end of the file."""
    run_path.write_bytes(run_path.read_bytes()[:-3000])

    outcome = gelenk("replay", str(run_path), "--verify")

    assert outcome.code == 0
    assert "bytes are lost" in outcome.err
    assert outcome.out.startswith("equal: ")
    assert 50 < int(outcome.out.split()[1]) < 200


def test_a_hole_in_a_recording_is_passed_over(gelenk, run_path: Path) -> None:
    data = bytearray(run_path.read_bytes())
    data[data.index(b"zstd") + 1000] ^= 0xFF  # in the first chunk, the first second
    run_path.write_bytes(data)

    outcome = gelenk("replay", str(run_path), "--verify")

    assert outcome.code == 0
    assert "reading goes on" in outcome.err
    assert 40 < int(outcome.out.removeprefix("equal: ").split()[0]) < 80


def test_a_run_that_failed_fails_again(gelenk, tmp_path: Path) -> None:
    path = tmp_path / "failed.mcap"
    with pytest.raises(RuntimeError):
        record(path, stop_at=80)

    outcome = gelenk("replay", str(path), "--verify")

    assert outcome.code == 0
    assert "the run stops with RuntimeError: the walker fell" in outcome.err
    assert outcome.out.startswith("equal: ")


def test_a_recording_that_does_not_say_how_to_repeat_it(gelenk, tmp_path: Path) -> None:
    Recorder(tmp_path / "bare.mcap", {"seed": 1}).close()

    outcome = gelenk("replay", str(tmp_path / "bare.mcap"), "--verify")

    assert outcome.code == 2
    assert "does not say scenario, config" in outcome.err


def test_other_versions_are_noted(gelenk, tmp_path: Path) -> None:
    facts = {"scenario": PLACE, "config": WalkConfig(steps=5), "seed": 3, "versions": {"numpy": "0.1"}}  # fmt: skip
    with Recorder(tmp_path / "old.mcap", facts) as recorder:
        walk(WalkConfig(steps=5), 3, recorder)

    outcome = gelenk("replay", str(tmp_path / "old.mcap"), "--verify")

    assert f"recorded with numpy 0.1, now {np.__version__}" in outcome.err


def test_damage_is_said_beside_the_summary(gelenk, run_path: Path) -> None:
    run_path.write_bytes(run_path.read_bytes()[:-10])

    outcome = gelenk("replay", str(run_path), "--json")

    assert outcome.code == 0
    assert "bytes are lost" in outcome.err
    assert outcome.json()["problems"]
