"""Rows of a benchmark: when a figure is met, and the shape of the JSON."""

import json
import math
from pathlib import Path

import pytest

from benchmarks.rows import BenchResult, Row, as_document, load_values
from gelenk.errors import FileFormatError


@pytest.mark.parametrize(
    ("value", "target", "direction", "ok"),
    [
        (1.0, 2.0, "<=", True),
        (2.0, 2.0, "<=", True),
        (2.1, 2.0, "<=", False),
        (99.9, 99.0, ">=", True),
        (99.0, 99.0, ">=", True),
        (98.9, 99.0, ">=", False),
        (5.0, None, "<=", True),
        (None, 2.0, "<=", False),
        (None, None, "<=", False),
        (math.nan, 2.0, "<=", False),
        (math.nan, 2.0, ">=", False),
        (math.inf, 2.0, ">=", False),
        (-math.inf, 2.0, "<=", False),
    ],
)
def test_a_row_is_ok_if_its_value_is_on_the_right_side_of_the_target(
    value: float | None, target: float | None, direction: str, ok: bool
) -> None:
    row = Row(name="x", value=value, unit="us", target=target, direction=direction)  # type: ignore[arg-type]

    assert row.ok is ok


def make_result(area: str = "kinematics", value: float | None = 3.0) -> BenchResult:
    row = Row(name="fk", value=value, unit="us", target=4.0, peers={"pinocchio": 2.5})
    return BenchResult(area=area, commit="abc", machine={"cpu": "Z80"}, rows=(row,))


def test_the_json_of_one_area_has_exactly_the_promised_keys() -> None:
    document = json.loads(json.dumps(as_document([make_result()]), allow_nan=False))

    assert document == {
        "area": "kinematics",
        "commit": "abc",
        "machine": {"cpu": "Z80"},
        "rows": [
            {
                "name": "fk",
                "value": 3.0,
                "unit": "us",
                "target": 4.0,
                "direction": "<=",
                "ok": True,
                "peers": {"pinocchio": 2.5},
                "note": "",
            }
        ],
    }


def test_several_areas_are_one_object() -> None:
    document = as_document([make_result("a"), make_result("b")])

    assert [area["area"] for area in document["areas"]] == ["a", "b"]


@pytest.mark.parametrize("value", [None, math.nan])
def test_what_could_not_be_measured_is_null_and_not_ok(value: float | None) -> None:
    result = make_result(value=value)

    row = result.as_dict()["rows"][0]

    assert row["value"] is None
    assert row["ok"] is False
    assert not result.ok


@pytest.mark.parametrize("areas", [["a"], ["a", "b"]])
def test_a_saved_run_can_be_read_back(tmp_path: Path, areas: list[str]) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(as_document([make_result(area) for area in areas])))

    assert load_values(path) == {(area, "fk"): 3.0 for area in areas}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"area": "a", "rows": [{}]}', "x"])
def test_a_file_that_is_no_saved_run_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)

    with pytest.raises(FileFormatError, match=r"run\.json: is not a saved benchmark"):
        load_values(path)


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"absent\.json: No such file"):
        load_values(tmp_path / "absent.json")
