"""Tests of the capability report and of the command that prints it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from gelenk.errors import ConfigError
from testkit.capabilities import (
    Capability,
    build_report,
    format_report,
    main,
)

TESTS = str(Path(__file__).resolve().parents[1])


def make_register(*ids: str) -> dict[str, Capability]:
    return {
        name: Capability(id=name, title=f"title of {name}", source="somewhere")
        for name in ids
    }


# The report


def test_only_ids_with_a_passing_test_are_covered() -> None:
    register = make_register("AB-01", "AB-X01", "GR-01", "GR-02", "GR-03")
    outcomes = {
        "AB-X01": {"passed": ["t::a"], "failed": []},
        "GR-01": {"passed": [], "failed": ["t::b"]},
        "GR-02": {"passed": ["t::a"], "failed": ["t::b"]},
        "GR-03": {"passed": [], "failed": []},
    }
    report = build_report(register, outcomes)
    ab, gr = report.families
    assert (ab.family, ab.covered, ab.missing) == ("AB", ("AB-X01",), ("AB-01",))
    assert (gr.covered, gr.missing) == (("GR-02",), ("GR-01", "GR-03"))
    assert (ab.failing, gr.failing) == ((), ("GR-01", "GR-02"))
    assert (report.covered, report.total) == (2, 5)


def test_report_refuses_ids_that_the_register_lacks() -> None:
    outcomes = {"GR-02": {"passed": ["t::a"], "failed": []}}
    with pytest.raises(ConfigError, match=r"'GR-02'; closest are GR-01"):
        build_report(make_register("GR-01"), outcomes)


def test_formatted_report_counts_families_and_folds_what_is_missing() -> None:
    register = make_register("AB-01", "AB-02", "AB-03", "AB-X01", "GR-01", "GR-02")
    outcomes = {"AB-02": {"passed": ["t"], "failed": []}}
    outcomes["GR-02"] = {"passed": ["t"], "failed": ["u"]}
    lines = format_report(build_report(register, outcomes)).splitlines()
    assert lines[1].split() == ["AB", "ArmBot", "1", "/", "4", "25", "%"]
    assert lines[2].split() == ["GR", "course", "1", "/", "2", "50", "%"]
    assert lines[3].split() == ["all", "2", "/", "6", "33", "%"]
    assert lines[5:] == [
        "without a passing test",
        "  AB-01, AB-03, AB-X01",
        "  GR-01",
        "",
        "with a failing test",
        "  GR-02",
    ]


def test_share_of_hundred_is_kept_for_a_complete_register() -> None:
    register = make_register(*(f"GR-{k:02d}" for k in range(1, 1000)))
    passed = {"passed": ["t"], "failed": []}
    almost = build_report(register, dict.fromkeys(list(register)[1:], passed))
    complete = build_report(register, dict.fromkeys(register, passed))
    assert "99 %" in format_report(almost)
    assert "100 %" in format_report(complete)
    assert "without" not in format_report(complete)


def test_long_lists_wrap_at_the_width_without_tearing_ids() -> None:
    register = make_register(*(f"GR-{k:02d}" for k in range(1, 200, 2)))
    lines = format_report(build_report(register, {}), width=60).splitlines()[5:]
    assert len(lines) > 5
    assert all(len(line) <= 60 for line in lines)
    assert re.findall(r"GR-\d+", "\n".join(lines)) == list(register)


# The command


@dataclass(frozen=True)
class Files:
    csv: Path
    report: Path


@pytest.fixture
def files(tmp_path: Path) -> Files:
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"GR-02": {"passed": ["t::a"], "failed": []}}))
    rows = (
        "id,title,source",
        "GR-01,first,source",
        "GR-02,second,source",
        "GR-03,third,source",
    )
    table = tmp_path / "r.csv"
    table.write_text("\n".join(rows))
    return Files(csv=table, report=report)


def test_command_prints_the_table(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(files.report), "--csv", str(files.csv)]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"GR  course +1 / 3 +33 %", out)
    assert "GR-01, GR-03" in out
    assert not err


def test_command_prints_one_json_object(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(files.report), "--csv", str(files.csv), "--json"]) == 0
    family = {
        "name": "course",
        "total": 3,
        "covered": 1,
        "missing": ["GR-01", "GR-03"],
        "failing": [],
    }
    assert json.loads(capsys.readouterr().out) == {
        "total": 3,
        "covered": 1,
        "families": {"GR": family},
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, r"report\.json: cannot read .*; write it with: pytest --cap"),
        ("{", r"report\.json: not valid JSON"),
        ("[]", r"report\.json: expected \{id: \{'passed'"),
        ('{"GR-01": {"passed": []}}', r"report\.json: expected \{id"),
        ('{"GR-04": {"passed": [], "failed": []}}', r"'GR-04'; closest are GR-03"),
    ],
)
def test_command_says_what_is_wrong_with_the_report_and_exits_with_two(
    files: Files, content: str | None, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files.report.unlink()
    if content is not None:
        files.report.write_text(content)
    assert main([str(files.report), "--csv", str(files.csv)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert re.match(rf"error: .*{problem}", err)


def test_command_runs_as_a_module_without_heavy_imports(files: Files) -> None:
    code = (
        "import runpy, sys\n"
        f"sys.argv = ['x', {str(files.report)!r}, '--csv', {str(files.csv)!r}]\n"
        "try:\n    runpy.run_module('testkit.capabilities', run_name='__main__')\n"
        "except SystemExit as end:\n    assert end.code == 0, end.code\n"
        "heavy = {'numpy', 'scipy', 'numba', 'mujoco', 'pytest'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": TESTS},
    )
    assert result.returncode == 0, result.stderr
    assert "GR-01, GR-03" in result.stdout
