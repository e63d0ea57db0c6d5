"""Calibrations on disk: nothing is lost, nothing is overwritten, errors have a place."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import gelenk
from gelenk.errors import ConfigError, FileFormatError
from gelenk.robots.nao.automaton import BoardView
from gelenk.robots.nao.cognition import CognitionCfg
from gelenk.robots.nao.errors import CASES
from gelenk.robots.nao.fit import FitCfg, fit_views
from gelenk.robots.nao.joints import SIDES, mirror
from gelenk.robots.nao.store import (
    Manual,
    Record,
    make_record,
    read_record,
    refit,
    write_record,
)
from gelenk.robots.nao.truth import project_truth
from testkit.nao_robots import given_bodies


@pytest.fixture(scope="module")
def record() -> Record:
    rng = np.random.default_rng(0)
    views: list[BoardView] = []
    for side in SIDES:
        bodies = given_bodies()[:5] if side == "left" else mirror(given_bodies()[:5])
        pixels = project_truth(CASES[6], bodies, side).pixels
        pixels += rng.normal(0.0, 0.04, pixels.shape)
        views += [
            BoardView(
                side=side,
                pose=i,
                gaze=h,
                time=0.5 * i,
                angles=bodies[i, h],
                corners=pixels[i, h],
                is_measured=np.arange(24) != i,
            )
            for i in range(len(bodies))
            for h in range(3)
        ]
    config = CognitionCfg(fit=FitCfg(encoder_step=0.0, max_noise=4.0))
    fit = fit_views(views, config.fit)
    return make_record(
        fit, views, robot="leslie", date="2014-04-03T10:00", config=config
    )


@pytest.fixture
def path(tmp_path: Path, record: Record) -> Path:
    file = tmp_path / "leslie.json"
    write_record(record, file)
    return file


@pytest.mark.capability("CA-80")
def test_a_calibration_comes_back_as_it_was_written(record: Record, path: Path) -> None:
    back = read_record(path)
    assert (back.robot, back.date) == ("leslie", "2014-04-03T10:00")
    assert back.software == gelenk.__version__
    assert back.names == record.names
    assert back.units == record.units
    assert_array_equal(back.values, record.values)
    assert_array_equal(back.covariance, record.covariance)
    assert back.residuals == record.residuals
    assert back.config == record.config
    assert back.config.fit.max_noise == 4.0
    assert len(back.views) == len(record.views) == 30
    for one, two in zip(back.views, record.views, strict=True):
        assert (one.side, one.pose, one.gaze, one.time) == (
            two.side, two.pose, two.gaze, two.time,
        )  # fmt: skip
        assert_array_equal(one.angles, two.angles)
        assert_array_equal(one.corners, two.corners)
        assert_array_equal(one.is_measured, two.is_measured)


@pytest.mark.capability("CA-74")
@pytest.mark.capability("CA-83")
def test_the_kept_data_and_settings_give_the_same_parameters_again(
    record: Record, path: Path
) -> None:
    again = refit(read_record(path))
    assert_array_equal(again.calibration.values, record.values)
    assert str(again.answer.verdict) == record.verdict == "calibrated"


@pytest.mark.capability("CA-80")
def test_manual_offsets_are_kept_and_come_on_top(record: Record, path: Path) -> None:
    plain = read_record(path).compensation()
    assert plain.joints[13] == record.values[record.names.index("LeftKneePitch")]
    manual = Manual(joints={"LKneePitch": 0.02}, camera=(0.0, 0.01, 0.0))
    write_record(replace(record, manual=manual), path)
    more = read_record(path).compensation()
    assert more.joints[13] - plain.joints[13] == pytest.approx(0.02)
    assert more.camera[1] - plain.camera[1] == pytest.approx(0.01)


def test_the_calibration_before_is_kept_as_a_backup(record: Record, path: Path) -> None:
    before = path.read_bytes()
    write_record(replace(record, date="2014-04-04"), path)
    assert Path(f"{path}.bak").read_bytes() == before
    assert read_record(path).date == "2014-04-04"
    assert sorted(p.name for p in path.parent.iterdir()) == [
        "leslie.json",
        "leslie.json.bak",
    ]


def test_a_failed_run_overwrites_nothing(record: Record, path: Path) -> None:
    failed = replace(record, verdict="too few views", reason="3 views, 12 are needed")
    before = path.read_bytes()
    with pytest.raises(ConfigError, match=r"stays as it is.*3 views, 12 are needed"):
        write_record(failed, path)
    assert path.read_bytes() == before
    other = path.with_name("failed.json")
    write_record(failed, other)  # where nothing is, its data can be kept
    assert not read_record(other).is_calibrated


def test_a_disk_that_fails_leaves_the_old_file(
    record: Record, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FileFormatError, match="No space left on device"):
        write_record(replace(record, date="later"), path)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == ["leslie.json"]


def spoil(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="x"), "format: expected 'gelenk nao calibration'"),
        (lambda d: d.update(version=2), "version: expected 1, got 2"),
        (lambda d: d.pop("date"), "date: is missing"),
        (lambda d: d["parameters"][2].pop("value"), r"parameters\[2\].value: is miss"),
        (lambda d: d["parameters"][1].update(value="1"), "expected a number, got '1'"),
        (lambda d: d["covariance"].pop(), "covariance: expected shape"),
        (
            lambda d: d["views"][7].update(side="up"),
            r"views\[7\].side: expected 'left'",
        ),
        (lambda d: d["views"][3]["corners"].pop(), r"views\[3\].corners: expected sh"),
        (lambda d: d["config"]["fit"].update(max_nois=1), "config: .*max_noise"),
        (lambda d: d["manual"].update(camera=[1]), "manual: .*camera"),
    ],
)
def test_a_file_that_is_none_says_where(
    path: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    spoil(path, change)
    with pytest.raises(FileFormatError, match=message) as caught:
        read_record(path)
    assert str(path) in str(caught.value)


def test_broken_json_has_a_line_and_points_to_the_backup(
    record: Record, path: Path
) -> None:
    write_record(record, path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:40]))
    with pytest.raises(FileFormatError, match=r"leslie.json.bak") as caught:
        read_record(path)
    assert caught.value.line == 40
    with pytest.raises(FileFormatError, match="cannot be read"):
        read_record(path.with_name("nobody.json"))
