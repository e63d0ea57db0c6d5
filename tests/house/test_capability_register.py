"""Tests of the capability register: what it holds and how it is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gelenk.errors import FileFormatError
from testkit.capability_register import (
    Capability,
    describe_unknown_id,
    find_closest_ids,
    fold_ids,
    load_register,
)

ROOT = Path(__file__).resolve().parents[2]
REGISTER = ROOT / "docs" / "capabilities.csv"
SIZES = {"AB-": 195, "AB-X": 22, "BB-": 105, "CA-": 106, "QW-": 130, "GR-": 289}
AUTHORS = {
    "AB": "Roth 2021",
    "BB": "Hammer 2011",
    "CA": "Kastner 2014",
    "QW": "Ruhnke 2011",
    "GR": "Damken 2023",
}
TITLES_STARTING_WITH_A_NAME = re.compile(
    r"ChESS|Denavit|Jacobian|Levenberg|Markov|Monte Carlo|PD|PID|SLAM|Stribeck|Voronoi"
    r"|ZMP|ZYZ"
)


def make_register(*ids: str) -> dict[str, Capability]:
    return {
        name: Capability(id=name, title=f"title of {name}", source="somewhere")
        for name in ids
    }


def write_register(path: Path, *rows: str, header: str = "id,title,source") -> Path:
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return path


# The register itself


def test_register_holds_every_number_of_every_family_in_order() -> None:
    expected = [
        f"{prefix}{number:02d}"
        for prefix, size in SIZES.items()
        for number in range(1, size + 1)
    ]
    assert list(load_register(REGISTER)) == expected
    assert len(expected) == 847


def test_every_title_is_short_distinct_and_in_lower_case() -> None:
    titles = [entry.title for entry in load_register(REGISTER).values()]
    assert len(set(titles)) == len(titles)
    for title in titles:
        assert 3 <= len(title.split()) <= 9, title
        assert not title.endswith("."), title
        is_name = TITLES_STARTING_WITH_A_NAME.match(title)
        assert is_name or not title[0].isupper(), title


def test_every_source_names_author_year_and_place() -> None:
    for entry in load_register(REGISTER).values():
        place = r"(§\d|App\. [ABC]|Foreword|Tab\. \d)"
        pattern = rf"(extension beyond )?{AUTHORS[entry.family]} {place}"
        assert re.match(pattern, entry.source), entry


# Reading a register


def test_quoted_cells_keep_their_commas(tmp_path: Path) -> None:
    path = write_register(tmp_path / "r.csv", 'AB-X01,"lift, turn","Roth 2021 §1, §2"')
    assert load_register(path) == {
        "AB-X01": Capability(id="AB-X01", title="lift, turn", source="Roth 2021 §1, §2")
    }


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("GR-02,two,cells,too many", r"expected 3 cells \(id, title, source\), got 4"),
        ("GR-02,only two", r"expected 3 cells .* got 2"),
        ("", r"expected 3 cells .* got 0"),
        ("GR-2,title,source", r"'GR-2' is no capability id; write AB, BB, .* GR-07"),
        ("ZZ-02,title,source", r"'ZZ-02' is no capability id"),
        ("GR-02, ,source", r"GR-02 has no title; fill in the column title"),
        ("GR-02,title,", r"GR-02 has no source; fill in the column source"),
        ("GR-01,again,source", r"id GR-01 already stands in line 2; delete one"),
        ('GR-02,"a" b,source', r"not a comma-separated table .*; write text"),
    ],
)
def test_broken_row_is_reported_with_file_line_and_remedy(
    tmp_path: Path, row: str, problem: str
) -> None:
    path = write_register(tmp_path / "r.csv", "GR-01,first,source", row)
    with pytest.raises(FileFormatError, match=rf"r\.csv, line 3: {problem}"):
        load_register(path)


def test_wrong_header_is_reported(tmp_path: Path) -> None:
    path = write_register(tmp_path / "r.csv", header="id,name")
    with pytest.raises(
        FileFormatError, match=r"line 1: .*id,title,source, got 'id,name"
    ):
        load_register(path)


def test_missing_register_is_reported(tmp_path: Path) -> None:
    with pytest.raises(
        FileFormatError, match=r"none\.csv: cannot read .* \(No such file"
    ):
        load_register(tmp_path / "none.csv")


def test_register_in_another_encoding_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes("id,title,source\nGR-01,title,§1\n".encode("latin-1"))
    with pytest.raises(FileFormatError, match=r"not UTF-8 text .*; save it as UTF-8"):
        load_register(path)


# Ids


@pytest.mark.parametrize(
    ("ids", "folded"),
    [
        ([], []),
        (["GR-07"], ["GR-07"]),
        (["GR-07", "GR-08"], ["GR-07..08"]),
        (["GR-44", "GR-45", "GR-46", "GR-49"], ["GR-44..46", "GR-49"]),
        (["GR-99", "GR-100", "GR-101"], ["GR-99..101"]),
        (["AB-22", "AB-X23", "AB-X24", "BB-25"], ["AB-22", "AB-X23..24", "BB-25"]),
        (["GR-02", "GR-01"], ["GR-02", "GR-01"]),
    ],
)
def test_runs_of_numbers_fold_into_ranges(ids: list[str], folded: list[str]) -> None:
    assert fold_ids(ids) == folded


def test_folded_ranges_of_the_register_unfold_to_it() -> None:
    ids = [
        name for k, name in enumerate(load_register(REGISTER)) if k % 7 not in (2, 5)
    ]
    unfolded = []
    for text in fold_ids(ids):
        prefix, first, last = re.fullmatch(
            r"(\w\w-X?)(\d+)(?:\.\.(\d+))?", text
        ).groups()  # pyright: ignore[reportOptionalMemberAccess]
        numbers = range(int(first), int(last or first) + 1)
        unfolded += [f"{prefix}{number:02d}" for number in numbers]
    assert unfolded == ids


@pytest.mark.parametrize(
    ("name", "closest"),
    [
        ("GR-290", ["GR-289", "GR-288", "GR-287"]),
        ("GR-7", ["GR-07", "GR-06", "GR-08"]),
        ("gr_7", ["GR-07", "GR-06", "GR-08"]),
        ("AB-X23", ["AB-X22", "AB-X21", "AB-X20"]),
        ("completely different", []),
    ],
)
def test_closest_ids_of_a_known_family_go_by_number(
    name: str, closest: list[str]
) -> None:
    assert find_closest_ids(name, load_register(REGISTER)) == closest


def test_closest_ids_of_an_unknown_family_go_by_spelling() -> None:
    assert "QW-12" in find_closest_ids("QV-12", load_register(REGISTER))


def test_unknown_id_is_described_with_titles_of_its_neighbours() -> None:
    text = describe_unknown_id("GR-03", make_register("GR-01", "GR-02"))
    assert text == (
        "no capability has the id 'GR-03'; "
        "closest are GR-02 (title of GR-02), GR-01 (title of GR-01)"
    )
