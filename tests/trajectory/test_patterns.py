"""Tests of motion patterns.

Oracles: a table worked out by hand, the phases summed up, numerical integration, and a
bang-bang bound for the fastest motion.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.trajectory.patterns import MotionPattern, PatternCfg, plan_pattern

# s, T, v_h, t_h; case; (duration or speed number, value), degrees
TABLE = [
    (46, 1.00, 0, 0.00, "1", {"t": {0: 0.1, 1: 0.1556, 2: 0.1, 3: 0.6444}}),
    (46, 1.00, 90, 0.05, "1", {"t": {1: 0.1181, 3: 0.5819, 4: 0.05}}),
    (46, 0.40, 90, 0.02, "2", {"t": {1: 0.1331}, "v": {3: 2.8}}),
    (20, 0.40, 60, 0.02, "3", {"t": {1: 0.3467}, "v": {1: 51.35}}),
    (10, 0.15, 0, 0.00, "3", {"t": {1: 0.0167}, "v": {1: 120.0}}),
    (10, 0.10, 0, 0.00, "4", {"v": {1: 134.2}}),
]


def limits(**given) -> PatternCfg:
    return PatternCfg(max_speed=180.0, max_acceleration=1800.0, **given)


@pytest.mark.capability("BB-30")
@pytest.mark.parametrize(("s", "T", "v_h", "t_h", "case", "known"), TABLE)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_patterns_as_tabulated(s, T, v_h, t_h, case, known, sign) -> None:
    pattern = plan_pattern(
        limits(hit_time=t_h), (5.0, 0.0), (5.0 + sign * s, sign * v_h), T
    )
    assert pattern.case == case
    for k, value in known.get("t", {}).items():
        assert pattern.durations[k] == pytest.approx(value, abs=6e-5)
    for k, value in known.get("v", {}).items():
        assert sign * pattern.speeds[k] == pytest.approx(value, abs=0.06)
    expected = 0.1491 if case == "4" else T
    assert pattern.duration == pytest.approx(expected, abs=5e-5)


def random_requests(count: int, seed: int):
    rng = np.random.default_rng(seed)
    low, high = (-90.0, 0.02, -180.0, -180.0), (90.0, 1.2, 180.0, 180.0)
    hits = rng.choice([0.0, 0.02, 0.05], count)
    return zip(rng.uniform(low, high, (count, 4)).tolist(), hits.tolist(), strict=True)


@pytest.mark.slow
@pytest.mark.capability("BB-30")
def test_fifty_thousand_patterns_meet_place_speed_and_time() -> None:
    seen = dict.fromkeys(("1", "2", "3", "4", "fastest", "overshoot"), 0)
    for (s, T, v_start, v_h), t_h in random_requests(50_000, seed=7):
        p = plan_pattern(limits(hit_time=t_h), (0.0, v_start), (s, v_h), T)
        seen[p.case] += 1
        assert abs(p.distance - s) < 1e-12 * 180.0
        assert min(p.durations) >= 0.0
        assert (p.speeds[0], p.speeds[-1]) == pytest.approx((v_start, v_h))
        assert max(map(abs, p.speeds)) <= 180.0 + 1e-6
        slopes = np.abs(np.diff(p.speeds)) - 1800.0 * np.array(p.durations)
        assert slopes.max() < 1e-6
        if p.case in ("1", "2", "3"):
            assert abs(p.duration - T) < 1e-14
    assert min(seen.values()) > 100, seen


@pytest.mark.capability("BB-30")
def test_the_first_case_that_works_is_taken() -> None:
    """More time for the same way: late, steady, slow, and at last a wait."""
    cases = [
        plan_pattern(limits(hit_time=0.02), (0.0, 0.0), (46.0, 90.0), float(T)).case
        for T in np.linspace(0.2, 1.0, 161)
    ]
    order = [c for k, c in enumerate(cases) if k == 0 or c != cases[k - 1]]
    assert order[-2:] == ["2", "1"]
    assert [str(c) for c in order] == sorted(map(str, order), key="fastest4321".index)


@pytest.mark.capability("BB-31")
def test_without_a_time_no_motion_is_faster() -> None:
    """From rest to rest: 2 sqrt(s/a) below the speed limit, s/v + v/a above it."""
    for s in (1.0, 5.0, 17.9, 18.1, 46.0, 90.0):
        best = 2 * np.sqrt(s / 1800.0) if s <= 18.0 else s / 180.0 + 0.1
        assert plan_pattern(limits(), (0.0, 0.0), (s, 0.0)).duration == pytest.approx(
            best
        )


@pytest.mark.capability("BB-31")
def test_no_timed_pattern_beats_the_fastest() -> None:
    for (s, _, v_start, v_h), _ in random_requests(300, seed=3):
        fastest = plan_pattern(limits(), (0.0, v_start), (s, v_h))
        if fastest.case == "overshoot":
            continue
        for T in np.linspace(0.02, 0.99, 12) * fastest.duration:
            p = plan_pattern(limits(), (0.0, v_start), (s, v_h), float(T))
            assert (
                p.case not in ("1", "2", "3") or p.duration >= fastest.duration - 1e-9
            )


@pytest.mark.capability("BB-32", "BB-33")
def test_rounded_ramps_keep_the_way_and_peak_at_one_and_a_half() -> None:
    cfg = limits(hit_time=0.05, derating=2.0 / 3.0)
    p = plan_pattern(cfg, (3.0, 40.0), (49.0, 90.0), 1.0)
    t = np.linspace(0.0, p.duration, 200_001)

    x, v = p.sample(t)

    assert x[0] == pytest.approx(3.0)
    assert x[-1] == pytest.approx(49.0, abs=1e-9)
    assert_allclose(np.gradient(x, t)[1:-1], v[1:-1], atol=2e-3)
    integral = np.concatenate([[0.0], np.cumsum((v[1:] + v[:-1]) / 2 * np.diff(t))])
    assert_allclose(x, 3.0 + integral, atol=1e-6)
    slope = np.gradient(v, t)
    assert np.abs(slope).max() == pytest.approx(1800.0, rel=1e-3)
    assert np.abs(slope).max() <= cfg.max_acceleration * (1.0 + 1e-6)
    assert cfg.peak_acceleration == pytest.approx(1800.0)
    assert_allclose(p.acceleration(t)[1:-1], slope[1:-1], atol=2.0)
    ends = np.cumsum(p.durations)
    assert_allclose(p.acceleration(ends[:-1]), 0.0, atol=1e-6)


def test_straight_ramps_have_the_planned_acceleration() -> None:
    p = plan_pattern(limits(derating=0.9), (0.0, 0.0), (46.0, 0.0), 1.0)
    t = np.linspace(0.0, 1.0, 100_001)
    x, v = p.sample(t, rounded=False)
    assert np.abs(np.gradient(v, t)).max() == pytest.approx(0.9 * 1800.0, rel=1e-6)
    assert x[-1] == pytest.approx(46.0)


@pytest.mark.capability("BB-34")
def test_the_speed_is_steady_before_the_target_and_after_it() -> None:
    p = plan_pattern(limits(hit_time=0.05), (0.0, 0.0), (46.0, 90.0), 1.0)
    x, v = p.sample(np.linspace(0.9501, 1.05, 50))
    assert_allclose(v, 90.0, atol=1e-9)
    assert x[-1] == pytest.approx(46.0 + 0.05 * 90.0)


def test_a_target_inside_the_braking_way_is_approached_from_beyond() -> None:
    p: MotionPattern = plan_pattern(limits(), (0.0, 180.0), (3.0, 0.0))
    x, _ = p.sample(np.linspace(0.0, p.duration, 2000))
    assert p.case == "overshoot"
    assert x.max() > 3.0
    assert x[-1] == pytest.approx(3.0)


def test_speeds_beyond_the_limit_are_refused() -> None:
    with pytest.raises(ConfigError, match="target"):
        plan_pattern(limits(), (0.0, 0.0), (1.0, 200.0))
    with pytest.raises(ConfigError, match="hit_time"):
        limits(hit_time=-1.0)
