"""How walks of AMEE become rows: which target a fall, a stop or a crash misses."""

from __future__ import annotations

import pytest

from benchmarks.areas import _amee_walks as walks
from benchmarks.harness import Row, Settings
from gelenk.runtime.trial import Trial, trial_seed


def trial(index: int = 0, **changes: float) -> Trial:
    """Return a walk that arrived, but for `changes`."""
    figures = {
        "arrived": 1.0,
        "fell": 0.0,
        "fell_unwarned": 0.0,
        "unsafe_time": 0.0,
        "least_margin": 0.02,
        "speed": 0.010 + 0.002 * index,
        "energy_per_metre": 4000.0,
        "max_tilt": 0.1,
        "real_time_factor": 8.0,
        **changes,
    }
    is_fine = figures["arrived"] and not figures["unsafe_time"]
    return Trial(
        index=index,
        seed=70 + index,
        status="ok" if is_fine else "missed",
        figures=figures,
        reason="" if is_fine else "stopped after 1.20 m",
    )


def by_name(rows) -> dict[str, Row]:
    return {row.name: row for row in rows}


def test_walks_that_all_arrive_safely_meet_every_target_on_level_ground() -> None:
    rows = by_name(walks.flat_rows({"fast_geared": [trial(0), trial(1)]}))
    assert all(row.ok for row in rows.values())
    assert rows["flat_arrived"].value == 100.0
    assert rows["flat_fast_geared"].value == pytest.approx(11.0)
    assert "10.0 to 12.0 mm/s, 4.0 kJ/m" in rows["flat_fast_geared"].note


def test_one_fall_or_one_unsafe_moment_misses_its_target_on_level_ground() -> None:
    fallen = {"save_thesis": [trial(0), trial(1, fell=1.0, arrived=0.0)]}
    rows = by_name(walks.flat_rows(fallen))
    assert not rows["flat_falls"].ok
    assert not rows["flat_arrived"].ok
    assert "seed 71: stopped after 1.20 m" in rows["flat_arrived"].note
    unsafe = {"save_thesis": [trial(0), trial(1, unsafe_time=0.02)]}
    rows = by_name(walks.flat_rows(unsafe))
    assert rows["flat_unsafe"].value == 0.02
    assert not rows["flat_unsafe"].ok
    assert rows["flat_falls"].ok


def test_a_walk_that_crashed_meets_no_target() -> None:
    crashed = Trial(index=1, seed=71, status="crashed")
    rows = by_name(walks.flat_rows({"fast_geared": [trial(0), crashed]}))
    assert not rows["flat_arrived"].ok
    assert not rows["flat_falls"].ok
    assert not rows["flat_unsafe"].ok
    assert rows["flat_fast_geared"].ok  # of those that arrived


def test_rough_ground_forgives_one_stop_in_twenty_but_no_fall() -> None:
    stopped = [trial(k) for k in range(19)] + [trial(19, arrived=0.0)]
    rows = by_name(walks.rough_rows({"rubble": stopped}))
    assert rows["rough_arrived"].value == 95.0
    assert all(row.ok for row in rows.values())
    fallen = [*stopped[:19], trial(19, arrived=0.0, fell=1.0)]
    rows = by_name(walks.rough_rows({"rubble": fallen}))
    assert rows["rough_arrived"].ok
    assert not rows["rough_falls"].ok


def test_weak_drives_may_fall_if_their_log_warned() -> None:
    warned = {"rubble_thesis": [trial(0, arrived=0.0, fell=1.0)]}
    (row,) = walks.weak_rows(warned)
    assert row.ok
    assert "1 walk, 0 arrived, 1 fell" in row.note
    unwarned = {"rubble_thesis": [trial(0, arrived=0.0, fell=1.0, fell_unwarned=1.0)]}
    (row,) = walks.weak_rows(unwarned)
    assert not row.ok


@pytest.mark.parametrize(
    ("settings", "counts"),
    [
        (Settings(long=True), [25, 25, 25, 25]),
        (Settings(), [1, 1, 1, 1]),
        (Settings(quick=True), [1]),
    ],
)
def test_each_kind_is_walked_as_often_as_was_chosen_with_seeds_of_its_own(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, counts: list[int]
) -> None:
    asked = []

    class Done:
        def __init__(self, count: int) -> None:
            self.trials = tuple(trial(k) for k in range(count))

    def run(scenario, config, *, trials, seed, on_progress) -> Done:
        asked.append((scenario, config["gait"], config["drive"], trials, seed))
        on_progress(trials, trials, scenario)
        return Done(trials)

    monkeypatch.setattr(walks, "run_campaign", run)
    rows = list(walks.flat_walks(settings))
    assert [entry[3] for entry in asked] == counts
    assert len({entry[4] for entry in asked}) == len(asked)
    assert {entry[0] for entry in asked} == {"amee/walk"}
    assert len(rows) == 3 + len(counts)


def test_seeds_of_the_campaigns_that_the_readme_names_are_those_of_the_bench() -> None:
    assert trial_seed(walks.ROUGH_SEED, 2) == 5375523714149408
