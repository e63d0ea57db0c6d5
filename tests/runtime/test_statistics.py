"""Statistics: coverage by simulation, and SciPy's own tests as oracles."""

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gelenk.errors import ConfigError
from gelenk.runtime.scenario import Figure, Outcome, scenario
from gelenk.runtime.statistics import (
    mean_interval,
    success_rate,
    summarize,
    summarize_all,
    wilson_interval,
)
from gelenk.runtime.trial import Trial


def make_trials(values: list[float], name: str = "x") -> list[Trial]:
    return [
        Trial(index=i, seed=100 + i, status="ok", figures={name: value})
        for i, value in enumerate(values)
    ]


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30), st.floats(0.5, 0.999))
def test_the_interval_of_the_mean_is_that_of_scipy(values, confidence) -> None:
    low, high = mean_interval(values, confidence=confidence)

    sd = float(np.std(values, ddof=1))
    if sd == 0.0:
        assert low == high == np.mean(values)
        return
    expected = stats.ttest_1samp(values, 0.0).confidence_interval(confidence)
    np.testing.assert_allclose((low, high), expected, rtol=1e-9, atol=1e-9 * sd)


@given(st.integers(1, 400), st.data(), st.floats(0.5, 0.999))
def test_the_interval_of_a_rate_is_that_of_scipy(count, data, confidence) -> None:
    successes = data.draw(st.integers(0, count))

    found = wilson_interval(successes, count, confidence=confidence)

    expected = stats.binomtest(successes, count).proportion_ci(confidence, "wilson")
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_95_percent_of_the_intervals_hold_the_true_mean() -> None:
    """20000 draws: the share has a standard error of 0.15 %; 5 of them are allowed."""
    rng = np.random.default_rng(1)
    samples = rng.normal(3.0, 2.0, size=(20_000, 6))
    hits = 0
    for sample in samples:
        low, high = mean_interval(sample)
        hits += low <= 3.0 <= high

    assert hits / len(samples) == pytest.approx(0.95, abs=5 * 0.0015)


@pytest.mark.parametrize("probability", [0.02, 0.3, 0.5, 0.9, 0.99])
def test_about_95_percent_of_the_intervals_hold_the_true_rate(probability) -> None:
    """Exact coverage by summing the binomial law; Wilson's is known to be 92-98 %."""
    count = 100
    weights = stats.binom.pmf(np.arange(count + 1), count, probability)
    intervals = [wilson_interval(k, count) for k in range(count + 1)]
    holds = [low <= probability <= high for low, high in intervals]

    assert 0.91 < float(weights @ np.array(holds)) < 0.99


@pytest.mark.parametrize(("successes", "count"), [(0, 1), (0, 7), (5, 5), (1, 1)])
def test_intervals_of_none_and_all_touch_the_end_and_stay_open(
    successes, count
) -> None:
    low, high = wilson_interval(successes, count)

    assert 0.0 <= low < high <= 1.0
    assert (low == 0.0) == (successes == 0)
    assert (high == 1.0) == (successes == count)


@given(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=40))
def test_a_summary_is_that_of_the_standard_library(values) -> None:
    found = summarize("x", Figure(unit="m"), make_trials(values))

    scale = max(map(abs, values)) + 1e-100  # squares below vanish
    assert found.mean == pytest.approx(statistics.fmean(values), abs=1e-12 * scale)
    assert found.median == pytest.approx(statistics.median(values), abs=1e-12 * scale)
    assert found.sd == pytest.approx(statistics.stdev(values), abs=1e-9 * scale)
    assert found.worst == max(values)
    assert found.worst_seed == 100 + values.index(max(values))
    assert (found.count, found.missing, found.unit) == (len(values), 0, "m")


def test_the_worst_may_be_the_smallest() -> None:
    found = summarize("x", Figure(worst="smallest"), make_trials([3.0, 1.0, 2.0]))

    assert (found.worst, found.worst_seed) == (1.0, 101)


def test_trials_without_a_number_are_counted_and_left_out() -> None:
    trials = [*make_trials([1.0, float("nan"), 3.0]), *make_trials([5.0], "other")]

    found = summarize("x", Figure(), trials)

    assert (found.count, found.missing, found.mean) == (2, 2, 2.0)


def test_one_value_has_a_mean_but_no_interval_and_none_has_neither() -> None:
    one = summarize("x", Figure(), make_trials([4.0]))
    none = summarize("x", Figure(), [])

    assert one.mean == one.median == one.worst == 4.0
    assert np.isnan([one.sd, *one.interval]).all()
    assert np.isnan([none.mean, none.median, none.worst]).all()
    assert none.worst_seed is None


def test_an_infinite_figure_is_the_worst_and_spoils_only_the_spread() -> None:
    found = summarize("x", Figure(), make_trials([1.0, 2.0, float("inf")]))

    assert found.worst == float("inf")
    assert found.median == 2.0
    assert np.isnan(found.sd)


def test_declared_figures_come_first_and_all_others_follow() -> None:
    @scenario("s", figures={"b": Figure(unit="m")})
    def declared(config: object, seed: int, recorder: object) -> Outcome:
        return Outcome(ok=True)

    trial = Trial(index=0, seed=0, status="ok", figures={"c": 1.0, "a": 2.0})

    assert [s.name for s in summarize_all(declared, [trial])] == ["b", "a", "c"]


def test_every_kind_of_failure_counts_against_the_rate() -> None:
    kinds = ("ok", "missed", "error", "crashed", "timeout", "ok")
    trials = [Trial(index=i, seed=i, status=kind) for i, kind in enumerate(kinds)]

    found = success_rate(trials)

    assert (found.successes, found.count, found.rate) == (2, 6, 2 / 6)
    assert found.interval == wilson_interval(2, 6)


@pytest.mark.parametrize(("successes", "count"), [(-1, 3), (4, 3), (0, 0)])
def test_impossible_counts_are_refused(successes, count) -> None:
    with pytest.raises(ConfigError, match="successes"):
        wilson_interval(successes, count)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0])
def test_impossible_confidence_is_refused(confidence) -> None:
    with pytest.raises(ConfigError, match="between 0 and 1"):
        mean_interval([1.0, 2.0], confidence=confidence)
