"""Tests of how throws and games become figures."""

from __future__ import annotations

import pytest

from experiments.piggy.play import (
    rally_figures,
    run_throws,
    throw_figures,
)
from gelenk.errors import ConfigError
from gelenk.robots.piggy.scenario import ThrowsCfg

SUMS = {
    "throws": 20.0, "hits": 17.0, "missed_workspace": 2.0, "reached": 18.0,
    "hits_of_reached": 16.0, "no_track": 1.0, "missed_by_robot": 1.0,
}  # fmt: skip


def test_shares_are_of_the_balls_that_came() -> None:
    hit, lost, missed, wide, all_hit = throw_figures("indoor", SUMS)
    assert hit.value == pytest.approx(100.0 * 16 / 18)
    assert lost.value == missed.value == pytest.approx(100.0 / 18)
    assert wide.value == pytest.approx(10.0)
    assert all_hit.value == pytest.approx(85.0)
    assert not hit.holds


def test_a_rally_ended_by_hand_counts_with_what_it_had() -> None:
    hits, ends = [60.0, 10.0, 60.0], ["completed", "intercepted", "completed"]
    median, best, lost = rally_figures(hits, ends)
    assert (median.value, best.value) == (60.0, 60.0)
    assert median.holds
    assert best.holds  # three games promise nothing about the best
    assert lost.value == pytest.approx(100.0 / 130.0)
    assert not rally_figures([60.0] * 50, ["completed"] * 50)[1].holds


def test_throws_come_in_whole_trials() -> None:
    with pytest.raises(ConfigError, match="multiple of 14"):
        run_throws(ThrowsCfg(throws=14), 20)
