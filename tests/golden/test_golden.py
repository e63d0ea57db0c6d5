"""Results are what they were: bit by bit on one kind of machine, nearly elsewhere."""

from __future__ import annotations

import pytest

from golden.areas import AREAS, DRAWN
from golden.records import (
    Figure,
    Found,
    as_plain,
    differences,
    fingerprint,
    read_values,
)

QUICK = ("world", "catalogue")
RECORDS = [
    pytest.param(
        area,
        name,
        id=f"{area}/{name}",
        marks=() if area in QUICK else pytest.mark.slow,
    )
    for area, records in AREAS.items()
    for name in records
]


@pytest.mark.parametrize(("area", "name"), RECORDS)
def test_results_are_as_they_were(area: str, name: str) -> None:
    values = read_values(area)
    remedy = f"if the change is meant: make golden AREA={area}"
    assert name in values["records"], f"{area}/{name} has no values; {remedy}"
    is_same = values["fingerprint"] == fingerprint(draws=area in DRAWN)
    lines = list(
        differences(
            AREAS[area][name](), values["records"][name], is_same_machine=is_same
        )
    )
    where = "bit by bit" if is_same else "by figures: written on another machine"
    if lines:
        text = "\n  ".join(lines)
        pytest.fail(f"{area}/{name} ({where})\n  {text}\n{remedy}", pytrace=False)


@pytest.mark.parametrize("area", AREAS)
def test_no_value_is_kept_of_what_is_gone(area: str) -> None:
    kept = list(read_values(area)["records"])
    assert kept == list(AREAS[area]), f"other records: make golden AREA={area}"


def test_on_the_same_machine_a_bit_counts_and_elsewhere_the_tolerance() -> None:
    kept = as_plain(Found({"state": "aa"}, {"way": Figure(1.0, 1e-6)}))
    near = Found({"state": "ab"}, {"way": Figure(1.0 + 1e-9, 1e-6)})
    far = Found({"state": "ab"}, {"way": Figure(1.0 + 1e-3, 1e-6)})
    gone = Found({}, {})

    def count(found: Found, *, same: bool) -> int:
        return len(list(differences(found, kept, is_same_machine=same)))

    assert (count(near, same=True), count(near, same=False)) == (2, 0)
    assert (count(far, same=True), count(far, same=False)) == (2, 1)
    assert (count(gone, same=True), count(gone, same=False)) == (2, 1)
