"""`gelenk nao`: from options to results, messages and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from gelenk.cli import exit_codes
from gelenk.cli.nao_print import PICTURE, half_blocks, progress_text
from gelenk.robots.nao.automaton import AutomatonState, Phase
from gelenk.robots.nao.command import Moment, Wish, make_request
from gelenk.robots.nao.errors import CASES
from gelenk.robots.nao.motion.text import shipped_motions
from testkit.nao_robots import write_errors


def board_image(size: int = 24) -> np.ndarray:
    """Draw 5 x 7 fields, corner fields dark, on gray."""
    y, x = np.mgrid[0 : 5 * size, 0 : 7 * size] // size
    image = np.full((5 * size + 120, 7 * size + 120), 128, dtype=np.uint8)
    image[60:-60, 60:-60] = np.where((x + y) % 2, 210, 25)
    return cv2.GaussianBlur(image, (0, 0), 0.8).astype(np.uint8)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "board.png"
    cv2.imwrite(str(path), board_image())
    return path


def test_without_a_word_the_commands_are_listed(gelenk) -> None:
    outcome = gelenk("nao")

    assert outcome.code == exit_codes.OK
    for command in ("calibrate", "validate", "detect", "poses", "motion"):
        assert command in outcome.out


def test_a_misspelt_command_gets_a_suggestion(gelenk) -> None:
    outcome = gelenk("nao", "calibrat")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "Did you mean 'calibrate'" in outcome.err


# -- detect ------------------------------------------------------------------------


def test_detect_prints_corners_of_a_board(gelenk, picture: Path) -> None:
    outcome = gelenk("nao", "detect", str(picture), "--json", "--compare")

    item = outcome.json()["images"][0]
    corners = np.array(item["corners"])
    y, x = np.mgrid[0:4, 0:6]
    expected = np.stack([x, y], axis=-1).reshape(-1, 2) * 24.0 + 83.5
    assert outcome.code == exit_codes.OK
    np.testing.assert_allclose(corners, expected, atol=0.05)
    assert item["opencv"]["found"]
    assert item["opencv"]["distance"] < 0.1


def test_color_is_taken_as_brightness(gelenk, tmp_path: Path) -> None:
    gray = board_image()
    color = np.stack([gray, gray, gray], axis=-1)
    color[..., 0] = 255  # blue says nothing: its weight is a ninth
    cv2.imwrite(str(tmp_path / "color.png"), color)

    outcome = gelenk("nao", "detect", str(tmp_path / "color.png"), "--json")

    assert outcome.json()["images"][0]["status"] == "found"


def test_marks_are_drawn_into_a_copy(gelenk, picture: Path, tmp_path: Path) -> None:
    before = picture.read_bytes()
    outcome = gelenk("nao", "detect", str(picture), "--out", str(tmp_path / "m.png"))

    marked = cv2.imread(str(tmp_path / "m.png"))
    assert outcome.code == exit_codes.OK
    assert marked is not None
    assert np.ptp(marked.astype(int), axis=2).max() > 100  # there is color now
    assert picture.read_bytes() == before


def test_an_image_without_a_board_ends_with_1_and_the_reason(
    gelenk, tmp_path: Path
) -> None:
    path = tmp_path / "blank.png"
    cv2.imwrite(str(path), np.full((200, 300), 90, dtype=np.uint8))

    outcome = gelenk("nao", "detect", str(path))

    assert outcome.code == exit_codes.MISSED
    assert "too few corners" in outcome.out


@pytest.mark.parametrize("content", [b"", b"no image at all", None])
def test_what_is_no_image_is_refused(gelenk, tmp_path: Path, content) -> None:
    path = tmp_path / "text.png"
    if content is not None:
        path.write_bytes(content)

    outcome = gelenk("nao", "detect", str(path))

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert str(path) in outcome.err
    assert outcome.out == ""


def test_several_images_need_a_folder_for_their_marks(gelenk, picture: Path) -> None:
    outcome = gelenk("nao", "detect", str(picture), str(picture), "--out", "x.png")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "must be a folder" in outcome.err


# -- motion files and poses --------------------------------------------------------


def test_a_motion_file_is_checked_with_all_its_problems(gelenk, tmp_path: Path) -> None:
    path = tmp_path / "bad.mot"
    path.write_text(
        "motions\n{\n  label start\n  transition motions strat\n}\n"
        "wave\n{\n  label start\n  (LKneePitsh 20) 0 90\n  transition motions start\n}\n"
    )

    outcome = gelenk("nao", "motion", str(path))
    again = gelenk("nao", "motion", str(path), "--json").json()

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert f"{path}:9:" in outcome.err
    assert "LKneePitch" in outcome.err
    assert [item["line"] for item in again["files"][0]["problems"]] == [4, 9]


def test_the_shipped_motions_are_fine(gelenk) -> None:
    paths = [str(path) for path in shipped_motions().values()]

    outcome = gelenk("nao", "motion", *paths)

    assert outcome.code == exit_codes.OK
    assert "calibrateLeft" in outcome.out


@pytest.mark.slow
def test_chosen_poses_are_a_motion_file_that_can_be_calibrated_with(
    gelenk, tmp_path: Path
) -> None:
    path = tmp_path / "mine.mot"

    outcome = gelenk("nao", "poses", "--count", "5", "--out", str(path))

    assert outcome.code == exit_codes.OK
    assert make_request(Wish(case=5, poses=str(path))).num_poses == 5


# -- requests ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--case", "8"], "5, 6, 7"),
        (["--case", "5", "--errors", "x.toml"], "give one"),
        (["--errors", "nowhere.toml"], "nowhere.toml"),
        (["--light", "710lx"], "711lx"),
        (["--poses", "many"], "24, auto"),
        (["--poses", "3"], "4 to 60"),
        (["--poses", "nowhere.mot"], "nowhere.mot"),
        (["--model", "extended", "--method", "printed"], "published model only"),
        (["--method", "prited"], "printed"),
        (["--save", "no/such/folder/x.json"], "does not exist"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused_before_the_robot_moves(
    gelenk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options, words: str
) -> None:
    monkeypatch.chdir(tmp_path)

    outcome = gelenk("nao", "calibrate", *options)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert words in outcome.err
    assert outcome.out == ""


def test_a_mistake_in_an_error_file_is_located(gelenk, tmp_path: Path) -> None:
    path = tmp_path / "robot.toml"
    path.write_text("[left_leg]\nKneePitch = 1.0\nAnklPitch = 2.0\n")

    outcome = gelenk("nao", "calibrate", "--errors", str(path))

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "line 3" in outcome.err
    assert "AnklePitch" in outcome.err


def test_a_request_knows_its_robot(tmp_path: Path) -> None:
    write_errors(CASES[7], tmp_path / "carl.toml")
    from_file = make_request(Wish(errors=tmp_path / "carl.toml"))
    drawn, again = make_request(Wish(seed=4)), make_request(Wish(seed=4))

    assert from_file.robot == "carl"
    np.testing.assert_allclose(from_file.errors.right, CASES[7].right)
    assert from_file.cfg.level == 3
    assert make_request(Wish(case=5)).cfg.level == 1
    assert make_request(Wish(case=5)).cfg.cognition.fit.encoder_step == 0.0
    assert make_request(Wish(case=5)).num_views == 144
    assert drawn.errors == again.errors
    assert drawn.errors != make_request(Wish(seed=5)).errors


# -- on the terminal ---------------------------------------------------------------


def test_the_line_of_progress_says_where_the_robot_is() -> None:
    state = AutomatonState(phase=Phase.DETECT, side="right", pose=2, gaze=1)

    text = progress_text(Moment(state=state, num_views=144, image=None))

    assert "0 of 144 views" in text
    assert "right leg, pose 3, gaze 2: looking for the board" in text


def test_the_small_picture_has_the_corners_in_it() -> None:
    image = np.zeros((480, 640), dtype=np.uint8)
    image[:, 320:] = 200

    lines = half_blocks(image, [(10.0, 10.0), (630.0, 470.0)])

    assert len(lines) == PICTURE[1] // 2
    assert all(line.count("▀") == PICTURE[0] for line in lines)
    assert lines[0].startswith("\x1b[38;5;51")  # the first corner, cyan
    assert "48;5;51m▀\x1b[0m" in lines[-1]
    assert "38;5;232" in lines[5]
    assert "38;5;255" in lines[5]


# -- from the bumper to the report -------------------------------------------------


@pytest.mark.slow
@pytest.mark.capability("CA-01")
def test_a_calibration_from_the_command_line(gelenk, tmp_path: Path) -> None:
    poses, report, save = (tmp_path / name for name in ("p.mot", "report", "nao.json"))
    text = shipped_motions()["calibration"].read_text(encoding="utf-8")
    lines = text.splitlines()
    kept = [x for x in lines if "milestone" not in x or x[-3:] in ("p04", "p13", "p14")]
    poses.write_text("\n".join(kept))

    outcome = gelenk(
        "nao", "calibrate", "--case", "6", "--poses", str(poses), "--report",
        str(report), "--save", str(save), "--json",
    )  # fmt: skip

    document = outcome.json()
    assert outcome.code == exit_codes.OK, outcome.err
    assert document["verdict"] == "calibrated"
    joints = [p for p in document["parameters"] if p["group"].endswith(" leg")]
    assert len(joints) == 12
    for parameter in joints:
        assert abs(parameter["deviation"]) < max(5.0 * parameter["sigma"], 0.002)
        assert parameter["sigma"] < 0.1
    assert json.loads((report / "report.json").read_text()) == document
    assert (report / "index.html").read_text().count("data:image/png") == 8
    assert json.loads(save.read_text())["robot"] == "case 6"
