"""How figures of Piggy's play become rows: names, targets, what a row says."""

from __future__ import annotations

import pytest

from benchmarks.areas import _piggy_play as play
from benchmarks.harness import Settings
from experiments.figures import ComparedFigure
from experiments.piggy.faults import Finding


def figure(quantity: str, value: float, **more) -> ComparedFigure:
    return ComparedFigure(
        experiment="x", quantity=quantity, value=value, unit="%", note="n", **more
    )


def test_returns_have_a_row_for_each_drive_and_only_the_tight_one_a_target(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def measured(count: int, **options) -> list[ComparedFigure]:
        asked.append((count, options["workers"]))
        drives = ("tight", "thesis estimated", "thesis ignored")
        return [
            figure(f"{drive} within {near}", value)
            for drive, pair in zip(drives, ((85, 70), (60, 40), (30, 20)), strict=True)
            for near, value in zip((30, 20), pair, strict=True)
        ]

    monkeypatch.setattr(play, "returns", measured)
    rows = list(play.piggy_returns(Settings()))
    assert [(row.name, row.value, row.target) for row in rows] == [
        ("returns_tight", 85, 80.0),
        ("returns_flank_estimated", 60, None),
        ("returns_flank_ignored", 30, None),
    ]
    assert "40 % within 20 cm" in rows[1].note
    list(play.piggy_returns(Settings(quick=True)))
    assert asked == [(42, None), (1, 0)]


def test_a_fault_that_is_not_mastered_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def tried(names: tuple[str, ...], **_: object) -> list[Finding]:
        return [
            Finding(
                name=name, is_safe=True, goes_on=k > 0, reasons=((1.0, "fault: why"),)
            )
            for k, name in enumerate(names)
        ]

    monkeypatch.setattr(play, "try_all", tried)
    row = play.piggy_faults(Settings())
    assert row.value == pytest.approx(100.0 * 6 / 7)
    assert not row.ok
    assert "camera dropped: fault: why" in row.note


def test_a_quick_rally_promises_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def played(games: int, **options) -> list[ComparedFigure]:
        assert (games, options["cfg"].longest) in ((50, 205), (1, 2))
        assert options["cfg"].opponents == "average"
        return [figure(name, 2.0) for name in ("median", "best", "ends", "seen")]

    monkeypatch.setattr(play, "rallies", played)
    assert all(row.ok for row in play.piggy_rally(Settings(quick=True)))
    assert [row.ok for row in play.piggy_rally(Settings())] == [False, False, True]
