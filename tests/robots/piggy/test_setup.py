"""Setups: what is written is read back, and what is wrong is named with its place."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

from gelenk.errors import ConfigError, FileFormatError
from gelenk.robots.piggy.setup import (
    Evidence,
    Evidences,
    ServoSetup,
    nominal_setup,
    read_setup,
    stale_steps,
    write_setup,
)
from gelenk.runtime.config import to_plain
from testkit.thrown_balls import camera_poses, throw

SERIALS = {
    "camera left": "L1",
    "camera right": "R1",
    "servo roll": "S1",
    "servo tilt": "S2",
    "bat": "B1",
    "ball": "red",
}


@pytest.mark.capability("BB-20")
def test_counts_become_angles_and_counts_again_by_two_numbers_of_each_servo() -> None:
    """4096 counts over 250.92 degrees; one servo mounted the other way round."""
    step = math.radians(250.92) / 4095.0
    servos = (
        ServoSetup(j_off=1900.0, j_scale=step, half_gap=0.0),
        ServoSetup(j_off=2200.5, j_scale=-step, half_gap=0.0),
    )
    counts = np.arange(0, 4096, 37)
    for servo in servos:
        angle = servo.angle(counts)
        np.testing.assert_array_equal(np.rint(servo.reading(angle)), counts)
        turned = np.degrees(angle[1] - angle[0])
        assert turned == pytest.approx(
            math.copysign(37 * 250.92 / 4095.0, servo.j_scale)
        )
    setup = dataclasses.replace(nominal_setup(), roll=servos[0], tilt=servos[1])
    q = setup.motor_angles([1900.0, 2200.5 - 1000.0])
    assert q == pytest.approx([0.0, math.radians(1000 * 250.92 / 4095.0)])


def _measured():
    evidence = Evidence(
        source="measured",
        date="2031-05-01",
        parts=SERIALS,
        names=("left.fx", "left.fy"),
        units=("px", "px"),
        values=np.array([718.2, 718.4]),
        covariance=np.array([[0.04, 0.01], [0.01, 0.09]]),
        residuals={"u [px]": 0.31},
        remarks=("nothing to add",),
    )
    every = Evidences(
        cameras=evidence, servos=evidence, flight=evidence, prior=evidence
    )
    return dataclasses.replace(nominal_setup(), evidence=every, date="2031-05-01")


@pytest.mark.capability("BB-104")
def test_a_restart_keeps_every_number(tmp_path: Path):
    setup = _measured()
    write_setup(tmp_path / "piggy.toml", setup)
    again = read_setup(tmp_path / "piggy.toml")
    assert to_plain(again) == to_plain(setup)
    assert again.evidence.cameras.sigma("left.fy") == pytest.approx(0.3)
    assert stale_steps(again, SERIALS) == ()


@pytest.mark.capability("BB-104")
def test_a_new_servo_voids_the_servo_and_hand_eye_step_only():
    setup = _measured()
    assert stale_steps(setup, {**SERIALS, "servo tilt": "S3"}) == ("servos",)
    assert stale_steps(setup, {**SERIALS, "ball": "blue"}) == ("flight", "prior")
    assert stale_steps(setup, {"camera left": "L2"}) == (
        "cameras", "servos", "flight", "prior",
    )  # fmt: skip
    assert stale_steps(nominal_setup(), SERIALS) == (
        "cameras", "servos", "flight", "prior",
    )  # fmt: skip


def test_the_file_before_becomes_the_backup(tmp_path: Path):
    path = tmp_path / "piggy.toml"
    write_setup(path, nominal_setup())
    write_setup(path, dataclasses.replace(nominal_setup(), weight=3.0))
    assert read_setup(path).weight == 3.0
    assert read_setup(tmp_path / "piggy.toml.bak").weight == 2.77
    assert not (tmp_path / "piggy.toml.new").exists()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("weight = 2.77", 'weight = "heavy"', ("line 1", "weight", "a number")),
        ("half_gap = 0", "half_gap = -0", ("roll", "half_gap", "between 0 and pi/4")),
        ("[left.intrinsics]\nwidth", "[left.intrinsics]\nwidht", ("did you mean",)),
        ("gelenk piggy setup 1", "gelenk toast", ("format", "another kind of file")),
        ("[tilt]", "[tilt", ("line", "is not TOML")),
        ("weight = 2.77\n", "", ("weight", "missing")),
    ],
)
def test_a_spoilt_file_is_refused_with_its_place(
    tmp_path: Path, old: str, new: str, words: tuple[str, ...]
):
    path = tmp_path / "piggy.toml"
    write_setup(path, nominal_setup())
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(FileFormatError) as caught:
        read_setup(path)
    for word in (str(path), *words):
        assert word in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(FileFormatError, match=r"none\.toml"):
        read_setup(tmp_path / "none.toml")


def test_nominal_cameras_stand_where_an_independent_drawing_puts_them():
    for camera, T_camera_world in zip(
        nominal_setup().cameras, camera_poses(), strict=True
    ):
        np.testing.assert_allclose(camera.T_camera_world, T_camera_world, atol=1e-12)


def test_the_nominal_prior_covers_throws_of_another_generator():
    prior = nominal_setup().prior
    paths = throw(40, np.random.default_rng(3)).path
    for slice_, step in ((0, 0), (5, 300), (9, 540)):
        error = paths[:, step] - prior.mean[slice_]
        P = prior.covariance[slice_]
        chi2 = np.einsum("ni,ij,nj->n", error, np.linalg.inv(P), error)
        assert np.mean(chi2 < 16.8) > 0.95  # 99 % of 6 numbers


def test_a_bat_rests_outwards_in_the_play():
    q = nominal_setup().resting_angles(np.radians([[10.0, -50.0], [-5.0, 30.0]]))
    np.testing.assert_allclose(q, np.radians([[13.0, -53.0], [-8.0, 33.0]]))
    np.testing.assert_array_equal(
        nominal_setup(drive="tight").resting_angles([0.1, -0.2]), [0.1, -0.2]
    )


def test_readings_and_angles_are_inverse():
    servo = ServoSetup(j_off=2010.0, j_scale=math.radians(0.0613), half_gap=0.05)
    assert servo.angle(2010.0) == 0.0
    assert servo.reading(servo.angle(1234.5)) == pytest.approx(1234.5)


@pytest.mark.parametrize(
    ("key", "value"), [("weight", 0.0), ("drag", -1.0), ("gravity", (0.0, 0.0, 0.0))]
)
def test_impossible_numbers_are_refused(key: str, value: object):
    with pytest.raises(ConfigError, match=key):
        dataclasses.replace(nominal_setup(), **{key: value})
