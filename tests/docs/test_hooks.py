"""What the documentation computes while it is built, tested without its tools."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from testkit.capability_register import FAMILIES, load_register

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def hooks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cells(table: str) -> list[list[str]]:
    rows = [line for line in table.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[1:]]


def test_the_table_counts_every_capability_once(
    hooks: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks, "REPORT", tmp_path / "absent.json")

    rows = cells(hooks.capability_table())

    register = load_register(ROOT / "docs" / "capabilities.csv")
    assert len(rows) == len(FAMILIES)
    assert sum(int(row[1]) for row in rows) == len(register)


def test_a_report_adds_what_is_proved_without_failures(
    hooks: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tmp_path / "capabilities.json"
    outcomes = {
        "GR-01": {"passed": ["a"], "failed": []},
        "GR-02": {"passed": ["a"], "failed": ["b"]},
        "AB-01": {"passed": [], "failed": []},
    }
    report.write_text(json.dumps(outcomes))
    monkeypatch.setattr(hooks, "REPORT", report)

    proved = {row[0][-3:-1]: row[2] for row in cells(hooks.capability_table())}

    assert proved["GR"] == "1"
    assert proved["AB"] == "0"


def test_other_pages_stay_as_they_are(hooks: ModuleType) -> None:
    assert hooks.on_page_markdown("# Page", page=None) == "# Page"
