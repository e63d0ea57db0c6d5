"""Saved benchmarks find their way into the pages, tested without the site's tools."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.rows import BenchResult, Row

ROOT = Path(__file__).resolve().parents[2]
MACHINE = {"cpu": "Abacus", "cores": 2, "python": "3.11"}
DOCUMENT = BenchResult(
    area="world",
    commit="abc",
    machine=MACHINE,
    rows=(
        Row(
            name="bounce_error", value=0.25, unit="%", target=0.1, peers={"Bullet": 7.0}
        ),
        Row(name="rest_time", value=0.5, unit="s", target=1.0, note="ten balls"),
        Row(name="hall_speed", value=None, unit="x", target=1.0, direction=">="),
    ),
).as_dict()


@pytest.fixture
def maker() -> ModuleType:
    path = ROOT / "docs" / "make_benchmark_table.py"
    spec = importlib.util.spec_from_file_location("make_benchmark_table", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_a_table_shows_values_peers_targets_and_what_is_missed(
    maker: ModuleType,
) -> None:
    assert rows(maker.table(DOCUMENT)) == [
        ["figure", "value", "others", "target", "met", "how"],
        ["bounce_error", "0.25 %", "Bullet 7 %", "<= 0.1", "**no**", ""],
        ["rest_time", "0.5 s", "", "<= 1", "yes", "ten balls"],
        ["hall_speed", "-", "", ">= 1", "**no**", ""],
    ]


def test_places_of_an_area_are_filled_and_others_left_alone(maker: ModuleType) -> None:
    page = (
        "<!-- measured kinematics -->\nold\n<!-- end of measured -->\n"
        "<!-- measured world rest hall -->\nold\n<!-- end of measured -->\nend\n"
    )

    filled = maker.fill(page, DOCUMENT)

    first, second = filled.split("<!-- measured world rest hall -->")
    assert first == "<!-- measured kinematics -->\nold\n<!-- end of measured -->\n"
    assert [row[0] for row in rows(second)] == ["figure", "rest_time", "hall_speed"]
    assert "old" not in second
    assert second.endswith("<!-- end of measured -->\nend\n")


def test_filling_twice_is_filling_once(maker: ModuleType) -> None:
    page = "<!-- measured world -->\n<!-- end of measured -->\n"

    once = maker.fill(page, DOCUMENT)

    assert maker.fill(once, DOCUMENT) == once


@pytest.mark.parametrize("area", ["kinematics", "world"])
def test_the_documentation_has_a_place_for_every_area(
    maker: ModuleType, area: str
) -> None:
    pages = [path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md")]

    assert any(
        place[2] == area for page in pages for place in maker.PLACE.finditer(page)
    )
