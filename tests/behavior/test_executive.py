"""Stages at different rates on one processor."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from gelenk.behavior.executive import PeriodicTask, run_executive
from gelenk.errors import ConfigError


def lasting(name: str, period: float, seconds: float) -> PeriodicTask:
    return PeriodicTask(name=name, period=period, work=lambda now: seconds)


@pytest.mark.capability("GR-01")
def test_periods_and_order_are_kept_and_the_load_is_the_sum_of_the_utilisations() -> (
    None
):
    """Oracle: utilisation C/T of each stage, added (Liu and Layland)."""
    stages = [lasting("plan", 0.5, 0.1), lasting("sense", 0.05, 0.01)]
    log = run_executive([*stages, lasting("act", 0.1, 0.02)], 50.0)

    count = {s: sum(t.stage == s for t in log.turns) for s in ("sense", "plan", "act")}
    assert count == {"sense": 1000, "plan": 100, "act": 500}
    assert log.busy == pytest.approx(0.1 / 0.5 + 0.01 / 0.05 + 0.02 / 0.1, rel=1e-3)
    assert [t.stage for t in log.turns[:3]] == ["sense", "act", "plan"]
    assert all(a.end <= b.start + 1e-12 for a, b in pairwise(log.turns))
    for turn in log.turns:
        assert turn.start >= turn.release - 1e-12


@pytest.mark.capability("GR-01")
def test_a_stage_that_takes_too_long_loses_turns_and_they_are_counted() -> None:
    """Oracle: what starts in a time is what the processor can do, the rest is lost."""
    log = run_executive([lasting("sense", 0.1, 0.25)], 25.0)

    assert len(log.turns) == 100  # back to back
    released = math.floor(log.turns[-1].end / 0.1 + 1e-6)
    assert log.overruns["sense"] == pytest.approx(released - len(log.turns), abs=2)
    assert log.busy == pytest.approx(1.0)


@pytest.mark.capability("GR-01")
def test_a_slow_planner_delays_the_senses_by_less_than_its_own_time() -> None:
    log = run_executive([lasting("sense", 0.1, 0.01), lasting("plan", 1.0, 0.08)], 20.0)

    late = max(t.start - t.release for t in log.turns if t.stage == "sense")
    assert 0.0 <= late < 0.08
    assert log.overruns == {"sense": 0, "plan": 0}


@pytest.mark.parametrize("period", [0.0, -1.0, math.nan])
def test_a_period_that_is_none_is_refused(period: float) -> None:
    with pytest.raises(ConfigError, match="period must be positive"):
        lasting("sense", period, 0.1)


def test_two_stages_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match="names of their own"):
        run_executive([lasting("a", 1, 0), lasting("a", 1, 0)], 1.0)
