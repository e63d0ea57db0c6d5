"""Figures of a campaign: what is typical, how sure we are, and the worst."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from gelenk.errors import ConfigError
from gelenk.runtime.scenario import Figure, Scenario
from gelenk.runtime.trial import Trial

CONFIDENCE = 0.95  # of all intervals, unless said otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One figure over many trials. Without values all numbers are nan.

    Attributes:
        name: Name of the figure.
        unit: Unit of the figure.
        count: Number of trials that gave a number.
        missing: Number of trials that gave none, or nan.
        mean: Arithmetic mean.
        median: Median.
        sd: Standard deviation, with n - 1; nan for a single value.
        interval: Confidence interval of the mean, from Student's t; nan likewise.
        worst: Value at the bad end.
        worst_seed: Seed of the trial that gave it; None without values.
    """

    name: str
    unit: str
    count: int
    missing: int
    mean: float = math.nan
    median: float = math.nan
    sd: float = math.nan
    interval: tuple[float, float] = (math.nan, math.nan)
    worst: float = math.nan
    worst_seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessRate:
    """Share of trials that were ok.

    Attributes:
        successes: Number of trials that were ok.
        count: Number of trials.
        rate: Ratio of successes to trials.
        interval: Wilson's confidence interval of the probability.
    """

    successes: int
    count: int
    rate: float
    interval: tuple[float, float]


def mean_interval(
    values: Sequence[float], *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return Student's confidence interval of the mean, mean ± t s / sqrt(n).

    Args:
        values: Sample of at least two numbers; one gives (nan, nan).
        confidence: Share of such intervals that hold the true mean, 0 to 1.
    """
    _check_confidence(confidence)
    x = np.asarray(values, dtype=np.float64)
    if x.size < 2:
        return np.nan, np.nan
    mean = float(np.mean(x))
    t = float(special.stdtrit(x.size - 1, 0.5 + confidence / 2.0))
    half = t * float(np.std(x, ddof=1)) / np.sqrt(x.size)
    return float(mean - half), float(mean + half)


def wilson_interval(
    successes: int, count: int, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return Wilson's score interval of a probability (Wilson 1927).

    It stays within [0, 1] and says something useful for none or all of few.

    Args:
        successes: Number of successes, 0 to `count`.
        count: Number of trials, at least 1.
        confidence: Share of such intervals that hold the true probability.

    Example:
        >>> low, high = wilson_interval(10, 10)
        >>> round(low, 4), high
        (0.7225, 1.0)
    """
    _check_confidence(confidence)
    if count < 1 or not 0 <= successes <= count:
        raise ConfigError(
            f"expected from 0 to `count` successes of at least one trial, got "
            f"{successes} of {count}"
        )
    from scipy.stats import binomtest  # not above: it loads slowly

    found = binomtest(successes, count).proportion_ci(confidence, method="wilson")
    return float(found.low), float(found.high)


def summarize(name: str, figure: Figure, trials: Sequence[Trial]) -> Summary:
    """Return one figure over the trials that gave it."""
    pairs = [(t.figures[name], t.seed) for t in trials if name in t.figures]
    pairs = [(value, seed) for value, seed in pairs if not np.isnan(value)]
    missing = len(trials) - len(pairs)
    if not pairs:
        return Summary(name=name, unit=figure.unit, count=0, missing=missing)
    x = np.array([value for value, _ in pairs])
    choose = min if figure.worst == "smallest" else max
    worst, worst_seed = choose(pairs, key=lambda pair: pair[0])
    with np.errstate(invalid="ignore"):  # inf among the values: sd and interval are nan
        sd = float(np.std(x, ddof=1)) if x.size > 1 else np.nan
        interval = mean_interval(x.tolist())
    return Summary(
        name=name,
        unit=figure.unit,
        count=x.size,
        missing=missing,
        mean=float(np.mean(x)),
        median=float(np.median(x)),
        sd=sd,
        interval=interval,
        worst=worst,
        worst_seed=worst_seed,
    )


def summarize_all(scenario: Scenario, trials: Sequence[Trial]) -> list[Summary]:
    """Return all figures: those the scenario declares first, then what else came."""
    names = list(scenario.figures)
    names += sorted({name for t in trials for name in t.figures}.difference(names))
    return [
        summarize(name, scenario.figures.get(name, Figure()), trials) for name in names
    ]


def success_rate(trials: Iterable[Trial]) -> SuccessRate:
    """Return the share of trials that were ok, with its interval."""
    outcomes = [trial.ok for trial in trials]
    successes, count = sum(outcomes), len(outcomes)
    return SuccessRate(
        successes=successes,
        count=count,
        rate=successes / count if count else np.nan,
        interval=wilson_interval(successes, count) if count else (np.nan, np.nan),
    )


def _check_confidence(confidence: float) -> None:
    if not 0.0 < confidence < 1.0:
        raise ConfigError(f"`confidence` must be between 0 and 1, got {confidence!r}")
