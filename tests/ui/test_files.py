"""Files that pages fetch: their names, what is in them, and that they go away."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.runtime.recording import open_recording
from gelenk.ui import messages as m
from gelenk.ui.files import MAX_FILES, Files, safe_name
from ui.stage_rig import open_stage


@given(st.text())
def test_any_text_becomes_a_harmless_part_of_a_file_name(text: str) -> None:
    name = safe_name(text)

    assert 0 < len(name) <= 60
    assert all(
        letter.isascii() and (letter.isalnum() or letter in "_-") for letter in name
    )


def test_only_what_is_offered_is_found(tmp_path: Path) -> None:
    files = Files()
    path = files.new("../../etc/passwd", ".csv")
    path.write_text("1,2")

    assert files.find(path.name) is None
    offer = files.offer(path)
    assert offer == {"name": path.name, "url": f"/files/{path.name}", "size": 3}
    assert files.find(path.name) == path
    assert files.find(f"../{path.parent.name}/{path.name}") is None
    files.close()
    assert not path.parent.exists()
    assert files.find(path.name) is None
    files.close()


def test_old_files_make_room_for_new_ones() -> None:
    files = Files()
    paths = [files.new("x", ".csv") for _ in range(MAX_FILES + 3)]
    for path in paths:
        path.touch()
        files.offer(path)

    assert [path.exists() for path in paths] == [False] * 3 + [True] * MAX_FILES
    files.close()


def test_a_recording_has_messages_objects_and_a_table() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="talk")
        page.do(m.SetRecording, is_on=True)
        assert page.status(lambda status: status.is_recording)
        page.do(m.SendTrigger, receiver=0, text="mark")
        page.status(lambda status: status.time > 0.5)
        mcap, table = page.do(m.SetRecording, is_on=False)["files"]
        assert not page.status(lambda status: not status.is_recording).is_recording

        path = page.stage.find_file(mcap["name"])
        assert path.stat().st_size == mcap["size"] > 1000
        recorded = open_recording(path)
        triggers = [item.value for item in recorded.messages("runtime/triggers")]
        objects = recorded.count("objects")
        with page.stage.find_file(table["name"]).open(encoding="utf-8") as rows:
            lines = list(csv.reader(rows))
        folder = path.parent

    assert triggers[0]["text"] == "mark"
    assert objects > 10
    assert lines[0] == ["time [s]", "belt belt speed [m/s]", "energy [J]"]
    times = [float(line[0]) for line in lines[1:]]
    assert times == sorted(times)
    assert len(times) == pytest.approx((times[-1] - times[0]) / 0.02, abs=2)
    assert not folder.exists()


def test_a_recording_ends_with_its_scene() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="still")
        page.do(m.SetRecording, is_on=True)
        page.do(m.OpenScene, name="pure")

        assert page.do(m.SetRecording, is_on=False) == {"files": []}
