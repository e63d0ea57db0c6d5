"""`python -m benchmarks`: table, JSON, saved runs, exit codes."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as command
from benchmarks import harness
from benchmarks.areas import _speed, kinematics
from benchmarks.rows import BenchResult, Row
from gelenk.cli import exit_codes


@dataclass(frozen=True)
class Outcome:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run `python -m benchmarks` with arguments, in this process."""

    def call(*arguments: str) -> Outcome:
        code = command.main(arguments)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Row]:
    """Return the rows that every area will measure; tests append to it."""
    rows: list[Row] = []

    def run_area(
        name: str, settings: harness.Settings, *, only: str, on_step
    ) -> BenchResult:
        on_step(0, 1, "figure")
        return BenchResult(
            area=name,
            commit="abc",
            machine={"cpu": "Z80", "cores": 1},
            rows=(*rows, Row(name="seed", value=float(settings.seed), unit="")),
        )

    monkeypatch.setattr(command, "run_area", run_area)
    return rows


MET = Row(name="fk", value=2.0, unit="us", target=3.0, peers={"pinocchio": 4.0})
MISSED = Row(name="ik", value=90.0, unit="%", target=99.0, direction=">=", note="why")


@pytest.mark.usefixtures("figures")
def test_the_json_is_one_object_on_stdout(bench) -> None:
    outcome = bench("kinematics", "--quick", "--seed", "7", "--json")

    document = outcome.json()
    assert outcome.code == exit_codes.OK
    assert set(document) == {"area", "commit", "machine", "rows"}
    assert document["rows"][0]["value"] == 7.0


def test_a_missed_target_ends_with_1_and_shows_in_the_table(
    bench, figures: list[Row]
) -> None:
    figures.extend([MET, MISSED])

    outcome = bench("kinematics")

    lines = outcome.out.splitlines()
    assert outcome.code == exit_codes.MISSED
    assert any(line.startswith("ok  fk") and "0.50x" in line for line in lines)
    assert any(line.startswith("!!  ik") and ">= 99" in line for line in lines)
    assert any("ik: why" in line for line in lines)


def test_all_targets_met_ends_with_0(bench, figures: list[Row]) -> None:
    figures.append(MET)

    assert bench("kinematics").code == exit_codes.OK


def test_a_run_can_be_saved_and_compared_with(
    bench, figures: list[Row], tmp_path: Path
) -> None:
    path = str(tmp_path / "before.json")
    figures.append(MET)
    bench("kinematics", "--save", path)

    figures[:] = [Row(name="fk", value=1.0, unit="us"), MISSED]
    outcome = bench("kinematics", "--against", path)

    assert json.loads(Path(path).read_text())["rows"][0]["value"] == 2.0
    assert "2 (0.50x)" in outcome.out
    assert "new" in outcome.out


@pytest.mark.usefixtures("figures")
def test_a_baseline_that_is_missing_ends_with_2(bench, tmp_path: Path) -> None:
    outcome = bench("kinematics", "--against", str(tmp_path / "no.json"))

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "no.json" in outcome.err


@pytest.mark.usefixtures("figures")
def test_a_result_that_cannot_be_saved_ends_with_2(bench, tmp_path: Path) -> None:
    outcome = bench("kinematics", "--save", str(tmp_path / "no" / "f.json"))

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "f.json" in outcome.err


def test_an_unknown_area_ends_with_2(bench) -> None:
    outcome = bench("cooking")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "Available: " in outcome.err


def test_one_experiment_can_be_chosen_and_an_unknown_one_ends_with_2(
    bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_thing(settings: harness.Settings) -> Row:
        settings.tell("half of it is done")
        return Row(name="first", value=1.0, unit="")

    def other_thing(settings: harness.Settings) -> Row:
        return Row(name="other", value=float(settings.long), unit="")

    monkeypatch.setattr(kinematics, "FIGURES", (first_thing, other_thing))

    chosen = bench("kinematics", "--only", "other_thing", "--long", "--json").json()
    assert [(row["name"], row["value"]) for row in chosen["rows"]] == [("other", 1.0)]
    told = bench("kinematics", "--only", "first thing")
    assert "half of it is done" in told.err
    unknown = bench("kinematics", "--only", "other_thin")
    assert unknown.code == exit_codes.IMPOSSIBLE
    assert "Did you mean" in unknown.err
    assert bench("--only", "first").code == exit_codes.IMPOSSIBLE
    assert bench("--quick", "--long").code == exit_codes.IMPOSSIBLE


def test_a_real_figure_goes_all_the_way(bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether its target is met depends on the load of the machine; its form does not."""
    pytest.importorskip("pinocchio")
    monkeypatch.setattr(kinematics, "FIGURES", (_speed.speed_of_one_call,))

    outcome = bench("kinematics", "--quick", "--json")

    document = outcome.json()
    (row,) = document["rows"]
    assert outcome.code in (exit_codes.OK, exit_codes.MISSED)
    assert document["area"] == "kinematics"
    assert row["value"] > 0.0
    assert row["ok"] is (row["value"] <= row["target"])
