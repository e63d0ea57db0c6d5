"""Tables and plots: every number of a recording arrives, in its column, with its unit."""

import builtins
import csv
import math
from pathlib import Path

import numpy as np
import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.export import export_csv, find_series, save_plot
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import Recording, open_recording
from runtime.sample_messages import Everything, Inner, JointState, Mood, Speed
from runtime.sample_recordings import TOPICS, record_run


@pytest.fixture
def recording(tmp_path: Path):
    with open_recording(record_run(tmp_path / "run.mcap")) as opened:
        yield opened


def read_table(path: Path) -> tuple[list[str], list[list[str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, rows


def test_every_topic_has_a_table_with_every_number(
    recording: Recording, tmp_path
) -> None:
    paths = export_csv(recording, tmp_path / "new" / "tables")

    assert [path.name for path in paths] == ["arm_joints.csv", "speed.csv", "pose.csv", "never.csv"]  # fmt: skip
    header, rows = read_table(paths[0])
    assert header == ["time [s]", "q[0] [rad]", "q[1] [rad]", "q[2] [rad]", "qd[0] [rad/s]", "qd[1] [rad/s]", "qd[2] [rad/s]", "is_valid"]  # fmt: skip
    times, q = recording.arrays("arm/joints", "q")
    np.testing.assert_array_equal([float(row[0]) for row in rows], times)
    np.testing.assert_array_equal([list(map(float, row[1:4])) for row in rows], q)
    assert {row[-1] for row in rows} == {"true", "false"}
    assert read_table(paths[2])[0][-1] == "T_world_tool[3][3]"
    assert read_table(paths[3]) == (["time [s]"], [])


def test_a_window_of_one_topic(recording: Recording, tmp_path: Path) -> None:
    (path,) = export_csv(recording, tmp_path, topics=["speed"], start=0.5, end=0.6)

    times = [float(row[0]) for row in read_table(path)[1]]
    assert times == [t for t in recording.times("speed").tolist() if 0.5 <= t <= 0.6]
    assert len(times) >= 5


def test_lists_that_grow_and_absent_fields_keep_their_columns(tmp_path: Path) -> None:
    common = {
        "number": 1.0,
        "whole": 2,
        "flag": True,
        "text": 'a "quoted", line\nbreak',
        "blob": b"",
        "mood": Mood.CALM,
        "choice": "left",
        "inner": Inner(gain=0.1, label="µ"),
        "pair": ("p", 1.5),
        "triple": (1.0, 2.0, 3.0),
        "parts": (),
        "by_number": {},
        "matrix": np.zeros((0, 3)),
        "counts": np.zeros(0, np.int64),
        "flags": np.zeros(0, bool),
        "small": np.zeros(0, np.float32),
        "scalar": np.array(math.inf),
    }
    with Recorder(tmp_path / "run.mcap") as recorder:
        for i in range(12):
            message = Everything(
                **common,
                series=tuple(range(i)),
                gains={} if i % 2 else {"b": 1.0, "a": 2.0},
                vector=np.full(i, math.nan),
                maybe=0.5 if i == 11 else None,
            )
            recorder.write("all", message, i)

    with open_recording(tmp_path / "run.mcap") as recording:
        (path,) = export_csv(recording, tmp_path)
    header, rows = read_table(path)
    cells = [dict(zip(header, row, strict=True)) for row in rows]
    assert [name for name in header if name.startswith("series")] == [f"series[{i}]" for i in range(11)]  # fmt: skip
    assert header.index("series[10]") < header.index("gains.a") < header.index("maybe")
    assert [row["series[4]"] for row in cells] == [""] * 5 + ["4"] * 7
    assert cells[11]["vector[10]"] == "nan"
    assert cells[0]["scalar"] == "inf"
    assert cells[0]["text"] == common["text"]
    assert cells[0]["inner.label"] == "µ"
    assert [row["maybe"] for row in cells] == [""] * 11 + ["0.5"]
    assert (cells[0]["gains.a"], cells[1]["gains.a"]) == ("2.0", "")


def test_topics_that_would_share_a_file_do_not(tmp_path: Path) -> None:
    names = ["arm/speed", "arm_speed", "ARM/speed", "../speed", "/"]
    with Recorder(tmp_path / "run.mcap") as recorder:
        for i, topic in enumerate(names):
            recorder.write(topic, Speed(value=float(i)), i)

    with open_recording(tmp_path / "run.mcap") as recording:
        paths = export_csv(recording, tmp_path / "tables")
    assert len({path.name.lower() for path in paths}) == len(names)
    assert {path.parent for path in paths} == {tmp_path / "tables"}
    for i, path in enumerate(paths):
        assert read_table(path)[1][0][1] == str(float(i))


def test_progress_reaches_the_end(recording: Recording, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    export_csv(recording, tmp_path, progress=lambda *now: seen.append(now))

    total = 2 * sum(recording.count(topic) for topic in TOPICS)
    assert [done for done, _ in seen] == list(range(500, total + 1, 500))
    assert {of for _, of in seen} == {total}


def test_a_folder_that_cannot_be_is_said(recording: Recording, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(ConfigError, match="cannot write tables to"):
        export_csv(recording, tmp_path / "file")
    with pytest.raises(NameNotFoundError):
        export_csv(recording, tmp_path, topics=["sped"])


def test_a_topic_alone_means_its_numeric_fields(recording: Recording) -> None:
    found = find_series(recording, "arm/joints")

    assert [label for label, *_ in found] == ["q [rad]", "qd [rad/s]", "is_valid"]
    (label, topic, times, values) = find_series(recording, "arm/joints.q[1]")[0]
    assert (label, topic) == ("q[1] [rad]", "arm/joints")
    np.testing.assert_array_equal(values, recording.arrays("arm/joints", "q")[1][:, 1])
    np.testing.assert_array_equal(times, recording.times("arm/joints"))


def test_the_longest_topic_that_fits_is_meant(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.mcap") as recorder:
        recorder.write("a", Inner(gain=1.0, label=""), 0)
        recorder.write("a.gain", Speed(value=2.0), 0)

    with open_recording(tmp_path / "run.mcap") as recording:
        assert find_series(recording, "a.gain")[0][0] == "value [m/s]"
        assert find_series(recording, "a")[0][0] == "gain"
        with pytest.raises(NameNotFoundError):
            find_series(recording, "b.gain")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_plots_are_written_in_three_formats(recording, tmp_path, suffix: str) -> None:
    path = tmp_path / f"plot.{suffix}"

    save_plot(recording, ["arm/joints", "pose", "never", "speed.value"], path, end=1.0)

    beginnings = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert path.read_bytes().startswith(beginnings[suffix])


@pytest.mark.slow
def test_a_plot_shows_what_the_field_does(tmp_path: Path) -> None:
    """A field that moves puts ink where one that rests puts none."""
    import matplotlib.image

    def ink(name: str, values: np.ndarray) -> float:
        path = tmp_path / f"{name}.mcap"
        with Recorder(path) as recorder:
            for i, value in enumerate(values):
                recorder.write("v", Speed(value=float(value)), i * 10**8)
        with open_recording(path) as recording:
            picture = save_plot(recording, ["v.value"], tmp_path / f"{name}.png")
        pixels = matplotlib.image.imread(picture)[..., :3]
        return float((pixels[..., 2] - pixels[..., 0] > 0.3).sum())  # blue is the line

    rest = ink("rest", np.zeros(50))
    jumping = ink("jumping", np.arange(50) % 2.0)

    assert rest > 300
    assert jumping > 5.0 * rest


def test_without_matplotlib_the_remedy_is_named(
    recording: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_import = builtins.__import__

    def without(name: str, *arguments: object, **options: object) -> object:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real_import(name, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)

    with pytest.raises(ConfigError, match=r"pip install 'gelenk\[plot\]'"):
        save_plot(recording, ["speed"], tmp_path / "plot.png")


def test_what_cannot_be_plotted_is_said(recording: Recording, tmp_path: Path) -> None:
    with Recorder(tmp_path / "text.mcap") as recorder:
        for i in range(2):
            recorder.write("state", JointState(q=np.zeros(i), qd=np.zeros(i)), i)

    with open_recording(tmp_path / "text.mcap") as other:
        assert [item[0] for item in find_series(other, "state")] == ["is_valid"]
    with pytest.raises(ConfigError, match=r"written as \.png, \.svg, \.pdf"):
        save_plot(recording, ["speed"], tmp_path / "plot.txt")
    with pytest.raises(ConfigError, match="nothing to plot"):
        save_plot(recording, [], tmp_path / "plot.png")
