"""Comparison of a figure between two sets of runs: did it change, or is it chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureChange:
    """Change of one figure between two sets of runs.

    Attributes:
        before: Median of the old version.
        after: Median of the new version.
        chance: Probability that as much comes by chance, two-sided.
        superiority: Chance that a value after exceeds one before, 0.5: no change.
        is_worse: Whether it became worse, and not by chance.
    """

    before: float
    after: float
    chance: float
    superiority: float
    is_worse: bool


def compare_figures(
    before: ArrayLike,
    after: ArrayLike,
    *,
    worse: str = "larger",
    alpha: float = 0.01,
    least: float = 0.0,
) -> FigureChange:
    """Return whether a figure changed between two sets of runs.

    Args:
        before: Values of the old version, shape (n,), n >= 8.
        after: Values of the new version, shape (m,), m >= 8.
        worse: Bad direction: "larger" (times, errors) or "smaller" (shares, speeds).
        alpha: Probability of a false alarm.
        least: Relative change of the median below which nobody cares.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> old, new = rng.normal(10, 1, 40), rng.normal(12, 1, 40)
        >>> compare_figures(old, new).is_worse, compare_figures(new, old).is_worse
        (True, False)
    """
    a, b = as_finite("before", before, ()), as_finite("after", after, ())
    if min(a.size, b.size) < 8 or worse not in ("larger", "smaller"):
        raise ConfigError("give 8 values of each version, and worse='larger'|'smaller'")
    from scipy.stats import mannwhitneyu  # not above: it loads slowly

    with np.errstate(divide="ignore"):  # all values equal
        U, chance = mannwhitneyu(b, a, method="asymptotic")
    gap = float(U) - 0.5 * a.size * b.size
    old, new = float(np.median(a)), float(np.median(b))
    rises = gap > 0.0 if worse == "larger" else gap < 0.0
    matters = abs(new - old) >= least * max(abs(old), 1e-300)
    return FigureChange(
        before=old,
        after=new,
        chance=float(chance),
        superiority=float(U) / (a.size * b.size),
        is_worse=bool(rises and matters and chance < alpha),
    )


def find_regressions(
    before: Mapping[str, ArrayLike],
    after: Mapping[str, ArrayLike],
    *,
    smaller_is_worse: tuple[str, ...] = (),
    alpha: float = 0.01,
) -> dict[str, FigureChange]:
    """Return the figures that became worse; α is shared by all that are compared.

    Args:
        before: Values of each figure of the old version.
        after: Values of the new version; figures that only one version has are left
            out.
        smaller_is_worse: Names of figures that should be large.
        alpha: Probability of any false alarm at all.
    """
    names = [name for name in before if name in after]
    changes = {
        name: compare_figures(
            before[name],
            after[name],
            worse="smaller" if name in smaller_is_worse else "larger",
            alpha=alpha / max(len(names), 1),
        )
        for name in names
    }
    return {name: change for name, change in changes.items() if change.is_worse}
