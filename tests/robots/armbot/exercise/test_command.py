"""The command `gelenk armbot exercise`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gelenk.robots.armbot.exercise import EXERCISES, cli_main

RIGHT = """\
from math import cos, sin
def rotation_xz(angle):
    return [[cos(angle), 0, -sin(angle)], [0, 1, 0], [sin(angle), 0, cos(angle)]]
"""


@pytest.mark.parametrize("argv", [[], ["--list"]])
def test_the_list_has_every_exercise_with_a_sentence(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli_main(argv) == 0

    lines = capsys.readouterr().out.splitlines()
    assert len(EXERCISES) >= 10
    for exercise in EXERCISES:
        assert any(
            line.startswith(exercise.name) and line.endswith(exercise.title)
            for line in lines
        )


def test_a_right_submission_is_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)

    assert cli_main(["rotation-xz", "--submission", str(path), "--seed", "3"]) == 0

    assert "accepted" in capsys.readouterr().out


def test_a_wrong_submission_is_rejected_in_json_with_cause_and_example(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(RIGHT.replace("-sin", "+sin").replace("[sin", "[-sin"))

    assert cli_main(["rotation-xz", "--submission", str(path), "--json"]) == 1

    data = json.loads(capsys.readouterr().out)
    assert data["accepted"] is False
    assert data["findings"][0]["names"] == ["sign-xz"]
    assert "MINUS y" in data["findings"][0]["causes"][0]
    assert data["findings"][0]["example"]["inputs"]["angle"].endswith("rad")


def test_a_template_is_written_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrist.py"

    assert cli_main(["wrist", "--template", str(path)]) == 0
    written = path.read_text()
    assert cli_main(["wrist", "--template", str(path)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert cli_main(["wrist", "--template"]) == 0
    assert capsys.readouterr().out == written
    assert cli_main(["wrist", "--show"]) == 0
    assert "wrist_angles(R_mount, R_target)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["rotation-zx"], "Did you mean 'rotation-xz'?"),
        (["rotation-xz", "--submission", "nowhere.py"], "no file nowhere.py"),
        (["rotation-xz", "--submission", "/"], "is not a file"),
        (["--submission", "x.py"], "which exercise"),
        (["rotation-xz", "--seed", "-1"], "--seed must be"),
        (["rotation-xz", "--seed", "x"], "invalid int value"),
        (["rotation-xz", "--wrong"], "--help"),
        (["wrist", "--template", "/nowhere/file.py"], "/nowhere/file.py"),
    ],
)
def test_impossible_requests_end_with_2_and_say_why(
    argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli_main(argv) == 2

    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.out == ""


def test_the_page_for_lecturers_has_every_exercise() -> None:
    root = Path(__file__).resolve().parents[4]
    page = (root / "docs" / "exercises.md").read_text(encoding="utf-8")

    listed = [line.split("`")[1] for line in page.splitlines() if line[:3] == "| `"]
    names = [exercise.name for exercise in EXERCISES]
    assert [name for name in listed if name in names] == names
