"""Tests of the capability plugin in conftest.py.

It is tried on small projects, in a pytest of their own that knows nothing of this run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from testkit.capabilities import build_report, load_outcomes, load_register

ROOT = Path(__file__).resolve().parents[2]
REGISTER = ROOT / "docs" / "capabilities.csv"

CLAIMS = """
import os
import pytest

def test_that_passes(): ...
test_that_passes = pytest.mark.capability("GR-01", "GR-02")(test_that_passes)

@pytest.mark.capability("GR-02")
def test_that_fails():
    assert False

@pytest.mark.capability("GR-03")
@pytest.mark.skip(reason="not now")
def test_that_is_skipped(): ...

@pytest.mark.capability("GR-04")
@pytest.mark.xfail(reason="known")
def test_that_is_expected_to_fail():
    assert False

@pytest.mark.capability("GR-08")
@pytest.mark.xfail(reason="known", strict=False)
def test_that_passes_against_expectation(): ...

@pytest.fixture
def broken_afterwards():
    yield
    raise RuntimeError

@pytest.mark.capability("GR-05")
def test_whose_tear_down_fails(broken_afterwards): ...

@pytest.mark.capability("GR-06")
@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.capability("GR-07"))])
def test_with_parameters(x): ...

def test_without_claims(): ...
"""
T = "tests/test_claims.py::"
CLAIMED = {
    "GR-01": {"passed": [f"{T}test_that_passes"], "failed": []},
    "GR-02": {"passed": [f"{T}test_that_passes"], "failed": [f"{T}test_that_fails"]},
    "GR-03": {"passed": [], "failed": []},
    "GR-04": {"passed": [], "failed": []},
    "GR-05": {"passed": [], "failed": [f"{T}test_whose_tear_down_fails"]},
    "GR-06": {
        "passed": [f"{T}test_with_parameters[{k}]" for k in (1, 2)],
        "failed": [],
    },
    "GR-07": {"passed": [f"{T}test_with_parameters[2]"], "failed": []},
    "GR-08": {"passed": [], "failed": []},
}


BOTH_WAYS = pytest.mark.parametrize(
    "options",
    [
        pytest.param((), id="one process"),
        pytest.param(("-n", "2"), id="xdist", marks=pytest.mark.slow),
    ],
)


@dataclass(frozen=True)
class Project:
    root: Path

    def run(self, *options: str) -> subprocess.CompletedProcess[str]:
        """Run pytest in the project, undisturbed by the options of the outer run."""
        environment = {
            key: value for key, value in os.environ.items() if "PYTEST" not in key
        } | {"PYTHONPATH": str(ROOT / "tests")}
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
        return subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True
        )

    def write_tests(self, text: str) -> None:
        (self.root / "tests" / "test_claims.py").write_text(text)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for folder in ("docs", "tests"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "tests")
    shutil.copy(REGISTER, tmp_path / "docs")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\ntestpaths = tests\naddopts = --strict-markers --import-mode=importlib\n"
        "markers =\n    capability(*ids): claims\n"
    )
    return Project(tmp_path)


@BOTH_WAYS
def test_run_records_passed_and_failed_tests_of_each_id(
    project: Project, options: tuple[str, ...]
) -> None:
    project.write_tests(CLAIMS)
    result = project.run("--capabilities-report", "out/report.json", *options)
    assert result.returncode == 1, result.stdout
    assert load_outcomes(project.root / "out" / "report.json") == CLAIMED
    report = build_report(load_register(REGISTER), CLAIMED)
    assert report.families[-1].covered == ("GR-01", "GR-02", "GR-06", "GR-07")


@pytest.mark.slow
def test_worker_that_dies_counts_as_failed(project: Project) -> None:
    project.write_tests(
        "import os, pytest\n"
        "@pytest.mark.capability('GR-01')\ndef test_death():\n    os._exit(1)\n"
    )
    project.run("--capabilities-report", "report.json", "-n", "1")
    outcomes = load_outcomes(project.root / "report.json")
    assert outcomes == {"GR-01": {"passed": [], "failed": [f"{T}test_death"]}}


@BOTH_WAYS
def test_unknown_id_fails_the_run_and_names_test_id_and_neighbours(
    project: Project, options: tuple[str, ...]
) -> None:
    project.write_tests(
        "import pytest\n@pytest.mark.capability('GR-01', 'GR-290')\ndef test_it(): ...\n"
    )
    result = project.run(*options)
    assert result.returncode not in (0, 5), result.stdout
    text = f"{T}test_it: no capability has the id 'GR-290'; closest are GR-289 ("
    assert text in result.stdout


@pytest.mark.parametrize(
    ("mark", "problem"),
    [
        ("capability", "takes ids, such as 'GR-07'"),
        ("capability()", "takes ids, such as 'GR-07'"),
        ("capability(id='GR-07')", "takes ids, such as 'GR-07'"),
        ("capability(['GR-07'])", "id is a string, got ['GR-07']"),
    ],
)
def test_malformed_mark_fails_the_run(
    project: Project, mark: str, problem: str
) -> None:
    project.write_tests(
        f"import pytest\n@pytest.mark.{mark}\nclass TestIt:\n    def test_it(self): ...\n"
    )
    result = project.run()
    assert result.returncode == 2, result.stdout
    assert problem in result.stdout


def test_broken_register_fails_the_run(project: Project) -> None:
    broken = project.root / "docs" / "capabilities.csv"
    broken.write_text("id,title,source\nGR-01,,source\n")
    project.write_tests("def test_it(): ...\n")
    result = project.run()
    assert result.returncode == 4, result.stdout
    assert "line 2: GR-01 has no title" in result.stderr


@pytest.mark.slow
def test_default_profile_repeats_its_examples(project: Project) -> None:
    project.write_tests(
        "from hypothesis import given, settings, strategies as st\n"
        "@given(st.integers())\n"
        "def test_it(x):\n"
        "    with open('drawn', 'a') as file:\n        print(x, file=file)\n"
        "def test_profile():\n"
        "    assert settings.default.max_examples == 50\n"
    )
    drawn = []
    for _ in range(2):
        assert project.run().returncode == 0
        drawn.append((project.root / "drawn").read_text())
        (project.root / "drawn").unlink()
    assert len(drawn[0].splitlines()) >= 50
    assert drawn[0] == drawn[1]
