"""Errors of a NAO: published sets, laws of the drawn ones, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, FileFormatError
from gelenk.robots.nao.errors import (
    CASES,
    SAG_AND_PLAY,
    ErrorSpread,
    LinkErrors,
    NaoErrors,
    draw_errors,
    read_errors,
)
from testkit.nao_robots import write_errors

# Kastner 2014, tables 5.5 to 5.7, column epsilon: camera, left leg, right leg, boards.
PRINTED = {
    5: (-1.7, 0.7, -1.1, 1.9, 2.1, 1.7, -1.1, -3.3, -2.7, 1.8, -0.9, -0.7, -1.1, -3.3,
        -1.7, 0, 0, 0, 0, 0, 0),
    6: (0.1, 0.2, -0.6, 0.3, -1.1, 0.2, -1.1, 1.3, -0.7, 0.1, 0.9, -1.7, 1.1, 0.3, 0.2,
        0.3, 2, 1, 0.4, 1, -1),
    7: (-3, 0, 0, 3.5, 0, -0.1, 0.1, 0, -3.4, -0.2, 0, 0, 5.1, 0, 0, 0, 0, 0, 2.7, 0, -5),
}  # fmt: skip


def in_print(errors: NaoErrors) -> np.ndarray:
    """The 21 parameters in degrees and millimetres."""
    boards = np.array([errors.left_board, errors.right_board])
    boards = boards * (180.0 / np.pi, 1e3, 1e3)
    angles = np.rad2deg([*errors.camera, *errors.left, *errors.right])
    return np.concatenate([angles, boards.ravel()])


@pytest.mark.capability("CA-86")
@pytest.mark.parametrize("case", [5, 6, 7])
def test_the_published_robots_have_the_printed_errors(case: int) -> None:
    assert_allclose(in_print(CASES[case]), PRINTED[case], atol=1e-12)


def test_drawn_robots_are_as_wrong_as_the_spread_says() -> None:
    rng = np.random.default_rng(5)
    rows = np.array([in_print(draw_errors(rng)) for _ in range(2000)])
    joints = rows[:, 3:15]
    # A normal law cut at 2.5 sigma has 0.9547 of its standard deviation.
    assert_allclose(joints.std(axis=0), 1.75 * 0.9547, rtol=0.06)
    assert_allclose(joints.mean(axis=0), 0.0, atol=0.15)
    assert np.abs(joints).max() <= 2.5 * 1.75
    assert np.abs(rows[:, :3]).max() <= 3.0
    assert_allclose(rows[:, [15, 18]].std(), 3.0 / np.sqrt(3.0), rtol=0.05)
    assert np.abs(rows[:, [16, 17, 19, 20]]).max() <= 5.0
    assert np.abs(np.corrcoef(rows.T) - np.eye(21)).max() < 0.1


def test_levels_one_and_two_have_only_the_errors_of_the_method() -> None:
    for level in (1, 2):
        errors = draw_errors(np.random.default_rng(9), level=level)
        rest = NaoErrors(
            camera=errors.camera, left=errors.left, right=errors.right,
            left_board=errors.left_board, right_board=errors.right_board,
        )  # fmt: skip
        assert errors == rest


def test_level_three_stays_within_its_bounds() -> None:
    rng = np.random.default_rng(6)
    for _ in range(200):
        e = draw_errors(rng, level=3)
        assert np.abs(e.neck).max() <= np.deg2rad(2.0)
        assert 0.97 <= e.focal_scale <= 1.03
        assert np.abs(e.camera_position).max() <= 0.001
        assert abs(e.links.left_thigh) <= 0.001
        assert abs(e.left_tilt[0]) <= np.deg2rad(3.0)
        assert e.left_tilt[1] == 0.0
        assert min(e.compliance) >= np.deg2rad(0.05)
        assert max(e.compliance) <= np.deg2rad(0.5)
        assert 0.0 <= min(e.play) <= max(e.play) <= np.deg2rad(0.3)
        assert (e.compliance[0], e.play[0]) == (e.compliance[6], e.play[6])


def test_sag_and_play_alone_can_be_drawn() -> None:
    e = draw_errors(np.random.default_rng(1), level=3, spread=SAG_AND_PLAY)
    assert min(e.compliance) > 0.0
    assert (e.neck, e.left_tilt, e.links) == ((0.0, 0.0), (0.0, 0.0), LinkErrors())
    assert e.focal_scale == 1.0


def test_one_source_of_chance_gives_one_robot() -> None:
    one, other = (draw_errors(np.random.default_rng(4), level=3) for _ in range(2))
    assert one == other
    spread = ErrorSpread(joint=0.0)
    assert draw_errors(np.random.default_rng(4), spread=spread).left == (0.0,) * 6


@pytest.mark.parametrize("seed", range(3))
def test_a_file_gives_back_what_was_written(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    errors = draw_errors(rng, level=3, spread=ErrorSpread(centre=4.0, tilt_roll=0.02))
    write_errors(errors, tmp_path / "robot.toml")
    got = read_errors(tmp_path / "robot.toml")
    for name in ("camera", "left", "right", "left_board", "right_board", "neck",
                 "left_tilt", "right_tilt", "centre", "camera_position", "compliance",
                 "play", "focal_scale"):  # fmt: skip
        assert_allclose(
            getattr(got, name), getattr(errors, name), rtol=1e-14, err_msg=name
        )
    assert got.links.neck == pytest.approx(errors.links.neck)
    assert got.links.right_tibia == pytest.approx(errors.links.right_tibia)


def read(tmp_path: Path, text: str) -> NaoErrors:
    path = tmp_path / "e.toml"
    path.write_text(text, encoding="utf-8")
    return read_errors(path)


def test_a_short_file_in_degrees_and_millimetres(tmp_path: Path) -> None:
    errors = read(
        tmp_path,
        "[left_leg]\nKneePitch = 2\n[right_board]\nx = 3.5\nrot_z = -1\n"
        "[left_compliance]\nHipYawPitch = 0.3\n[lens]\nk1 = 0.05\n",
    )
    assert errors.left[3] == pytest.approx(np.deg2rad(2.0))
    assert_allclose(errors.right_board, (np.deg2rad(-1.0), 0.0035, 0.0))
    assert (
        errors.compliance[0] == errors.compliance[6] == pytest.approx(np.deg2rad(0.3))
    )
    assert errors.distortion == (0.05, 0.0, 0.0, 0.0, 0.0)
    assert errors.focal_scale == 1.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[left_leg]\nKneePich = 2\n", r"line 2, left_leg\.KneePich.*Did you mean 'left_leg\.KneePitch'"),
        ("\n[camera]\nyaw = 'much'\n", r"line 3, camera\.yaw: expected a number, got 'much'"),
        ("[camera\n", "line 1: is not TOML"),
        ("[lens]\nfocal_scale = 20\n", "`focal_scale` must be near 1"),
        ("[left_play]\nHipYawPitch = 0.1\n[right_play]\nHipYawPitch = 0.2\n", "one motor drives them"),
        ("[camera]\nyaw = nan\n", "`camera` must be 3 finite numbers"),
    ],
)  # fmt: skip
def test_a_wrong_file_says_where_and_what(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(FileFormatError, match=message):
        read(tmp_path, text)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"nowhere\.toml: cannot be read"):
        read_errors(tmp_path / "nowhere.toml")


def test_errors_that_no_robot_has_are_refused() -> None:
    with pytest.raises(ConfigError, match="`left` must be 6 finite numbers"):
        NaoErrors(left=(0.0,) * 5)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigError, match="`play` must be >= 0"):
        NaoErrors(play=(0.0, -0.1, *(0.0,) * 10))
