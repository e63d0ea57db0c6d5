"""Report, JSON and advice: what a calibration says to people and to programs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.robots.nao.automaton import AutomatonState, MissedView, Verdict
from gelenk.robots.nao.command import Finished
from gelenk.robots.nao.errors import CASES
from gelenk.robots.nao.fit import FitCfg
from gelenk.robots.nao.report.advice import REMEDIES, advise
from gelenk.robots.nao.report.document import (
    CLOCKS,
    make_document,
    pitch_sums,
    shown_parameters,
)
from gelenk.robots.nao.report.plots import nice_reach
from gelenk.robots.nao.report.write import DATA, PAGE, write_report
from robots.nao.finished_parts import NOISE, finished_calibration

MISSED = MissedView(side="right", pose=3, gaze=1, time=42.0, reason="<hand> in view")


@pytest.fixture(scope="module")
def good() -> Finished:
    return finished_calibration(CASES[6], missed=(MISSED,), with_images=True)


@pytest.fixture(scope="module")
def failed(good: Finished) -> Finished:
    state = AutomatonState(verdict=Verdict.NO_BOARD, reason="6 views without a board")
    outcome = replace(good.outcome, automaton=state, fit=None)
    return Finished(request=good.request, outcome=outcome)


class Balance(HTMLParser):
    """Notes tags that are opened and not closed, and what is asked for outside."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href", "data") and not (value or "").startswith(
                "data:"
            ):
                self.outside.append(value or "")
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read_page(folder: Path) -> str:
    return (folder / PAGE).read_text(encoding="utf-8")


@pytest.mark.capability("CA-92")
@pytest.mark.capability("CA-93")
def test_a_report_is_one_page_without_outside_requests(
    good: Finished, tmp_path: Path
) -> None:
    page = write_report(good, tmp_path / "report")

    text = page.read_text(encoding="utf-8")
    parser = Balance()
    parser.feed(text)
    assert parser.open == []
    assert parser.outside == []
    assert not re.search(r"https?://|@import|url\(", text)
    for word in ("calibrated", "LeftKneePitch", "Residuals", "Seen and expected"):
        assert word in text
    assert text.count("data:image/png") == 8  # two views per leg, before and after


def test_words_of_the_run_cannot_break_the_page(good: Finished, tmp_path: Path) -> None:
    write_report(good, tmp_path / "report")

    text = read_page(tmp_path / "report")
    assert "&lt;hand&gt; in view" in text
    assert "<hand>" not in text


def test_a_failed_calibration_has_a_report_with_the_remedy(
    failed: Finished, tmp_path: Path
) -> None:
    write_report(failed, tmp_path / "report")

    text = read_page(tmp_path / "report")
    document = json.loads((tmp_path / "report" / DATA).read_text())
    assert "no board seen" in text
    assert "Are the sandals on" in text
    assert document["ok"] is False
    assert document["parameters"] == []
    assert document["chi2_after"] is None


def test_every_verdict_has_a_remedy() -> None:
    assert set(REMEDIES) == set(Verdict) - {Verdict.CALIBRATED}


def test_a_report_replaces_an_older_one_and_nothing_else(
    good: Finished, failed: Finished, tmp_path: Path
) -> None:
    folder = tmp_path / "report"
    write_report(failed, folder)
    write_report(good, folder)
    assert "no board seen" not in read_page(folder)

    (folder / "thesis.tex").write_text("years of work")
    with pytest.raises(ConfigError, match="not empty and holds no report"):
        write_report(good, folder)
    assert (folder / "thesis.tex").read_text() == "years of work"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report"]


@pytest.mark.parametrize("kind", ["file", "no parent", "foreign"])
def test_a_folder_that_cannot_be_used_is_refused(
    good: Finished, tmp_path: Path, kind: str
) -> None:
    folder = tmp_path / "report"
    if kind == "file":
        folder.write_text("")
    elif kind == "no parent":
        folder = tmp_path / "a" / "b"
    else:
        folder.mkdir()
        (folder / PAGE).write_text("<html>somebody else's</html>")

    with pytest.raises(ConfigError, match="--report"):
        write_report(good, folder)


@pytest.mark.capability("CA-93")
def test_the_json_has_estimates_near_the_truth_in_degrees_and_millimetres(
    good: Finished,
) -> None:
    document = make_document(good)

    found = {item["name"]: item for item in document["parameters"]}
    assert len(found) == 21
    assert found["LeftHipRoll"]["true_error"] == pytest.approx(-1.1)
    assert found["LeftHipRoll"]["unit"] == "deg"
    assert found["LeftTranslationX"]["true_error"] == pytest.approx(2.0)
    assert found["LeftTranslationX"]["unit"] == "mm"
    for item in found.values():
        assert item["deviation"] == item["estimate"] - item["true_error"]
        assert abs(item["deviation"]) < 5.0 * item["sigma"]
    assert document["residual_sigma"]["x"] == pytest.approx(NOISE, rel=0.1)
    sigma = document["residual_sigma"]
    if document["measurements"]["corners_doubted"] == 0:
        total = document["measurements"]["corners"] * (
            sigma["x"] ** 2 + sigma["y"] ** 2
        )
        assert document["chi2_after"] == pytest.approx(total)
    assert document["missed"] == [
        {"leg": "right", "pose": 4, "gaze": 2, "time": 42.0, "reason": "<hand> in view"}
    ]


def test_the_json_is_the_same_again_but_for_its_clocks(good: Finished) -> None:
    later = Finished(
        request=good.request, outcome=replace(good.outcome, seconds=99.0), images={}
    )
    first, second = make_document(good), make_document(later)

    assert first != second
    assert set(CLOCKS) < set(first)
    for document in (first, second):
        for clock in CLOCKS:
            del document[clock]
    assert first == second
    json.dumps(first, allow_nan=False)


@pytest.mark.capability("CA-83")
def test_the_json_holds_every_setting(good: Finished) -> None:
    config = make_document(good)["config"]

    assert config["cognition"]["automaton"]["detect_timeout"] == 4.0
    assert config["cognition"]["fit"]["model"] == "published"
    assert config["light"] == "711lx"
    assert config["poses_per_leg"] == 8


@pytest.mark.capability("CA-99")
def test_the_sum_of_three_pitch_joints_is_known_better_than_each(
    good: Finished,
) -> None:
    assert good.outcome.fit is not None
    sums = pitch_sums(good.outcome.fit.calibration)

    assert sums["left"]["sum"] == pytest.approx(0.2 - 1.1 + 1.3, abs=0.02)
    assert sums["right"]["sum"] == pytest.approx(-1.7 + 1.1 + 0.3, abs=0.02)
    for leg in sums.values():
        assert 3.0 * leg["sigma"] < leg["largest_single_sigma"]


def test_the_printed_method_finds_the_same_robot() -> None:
    cfg = FitCfg(model="published", method="printed", encoder_step=0.0)
    printed = finished_calibration(CASES[6], num_poses=6, fit=cfg).outcome.fit
    robust = finished_calibration(CASES[6], num_poses=6).outcome.fit

    assert printed is not None
    assert robust is not None
    away = (printed.calibration.values - robust.calibration.values) / (
        robust.calibration.sigma
    )
    assert np.abs(away).max() < 1.0
    assert printed.calibration.iterations > robust.calibration.iterations


def test_the_printed_method_refuses_the_extended_model() -> None:
    with pytest.raises(ConfigError, match="published model only"):
        FitCfg(model="extended", method="printed")


@pytest.mark.slow
@pytest.mark.capability("CA-37")
def test_advice_names_what_cannot_be_told_apart_and_a_pose_that_helps() -> None:
    cfg = FitCfg(model="extended", encoder_step=0.0)
    finished = finished_calibration(CASES[6], num_poses=4, fit=cfg)

    advice = advise(finished)

    named = {name for confusion in advice.confusions for name in confusion.names}
    assert named & {"LeftBoardRoll", "RightBoardRoll", "LeftAnkleRoll"}
    text = "\n".join(advice.sentences)
    assert "cannot be told apart" in text
    assert "What is usual for a NAO decides" in text


def test_an_unusual_joint_and_many_missed_views_are_mentioned() -> None:
    many = tuple(replace(MISSED, pose=i) for i in range(12))
    finished = finished_calibration(CASES[7], missed=many)

    text = "\n".join(advise(finished).sentences)

    assert "RightKneePitch is off by 5.1 degrees" in text
    assert "12 of 48 views were missed, which is many" in text


def test_truth_is_only_shown_where_it_is_known(good: Finished) -> None:
    assert good.outcome.fit is not None
    shown = shown_parameters(good.outcome.fit)

    assert {item.true_error for item in shown} == {None}
    assert {item.deviation for item in shown} == {None}


@pytest.mark.parametrize(
    ("values", "reach"), [([0.012], 0.015), ([-3.4, 1.0], 5.0), ([99.0], 100.0)]
)
def test_scales_end_at_round_numbers_beyond_the_values(
    values: list[float], reach: float
) -> None:
    assert nice_reach(np.array(values), 1.0) == reach
