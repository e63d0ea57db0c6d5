"""Markov localisation on a graph of places.

Motion: p'(n) = Σ_m P(n | m, u) p(m). Sight: p(n) <- c P(z | n) p'(n).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.estimation.mixture import reweigh
from gelenk.navigation.catalog import PlaceBelief
from gelenk.typing import ArrayLike


def predict_places(belief: PlaceBelief, transition: ArrayLike) -> PlaceBelief:
    """Return the belief after an action.

    Args:
        belief: Before.
        transition: P(n | m, u), row m to column n, rows summing to 1, shape (k, k).

    Example:
        A corridor A-B-C; "forward" succeeds with 0.8, at C the robot stays.

        >>> corridor = PlaceBelief(places=tuple("ABC"), probability=np.ones(3) / 3)
        >>> forward = [[0.2, 0.8, 0.0], [0.0, 0.2, 0.8], [0.0, 0.0, 1.0]]
        >>> print(predict_places(corridor, forward).probability.round(6))
        [0.066667 0.333333 0.6     ]
    """
    count = len(belief.places)
    T = as_finite("transition", transition, (count, count))
    if not ((T >= 0.0).all() and np.allclose(T.sum(axis=1), 1.0, atol=1e-9)):
        raise ConfigError("rows of `transition` must be probabilities that sum to 1")
    return replace(belief, probability=belief.probability @ T)


def correct_places(belief: PlaceBelief, likelihood: ArrayLike) -> PlaceBelief:
    """Return the belief after a sight.

    Args:
        belief: Before.
        likelihood: P(z | n) of what was seen, shape (k,).

    Example:
        >>> before = PlaceBelief(places=tuple("ABC"), probability=[1/15, 1/3, 3/5])
        >>> print(correct_places(before, [0.7, 0.1, 0.7]).probability.round(6))
        [0.093333 0.066667 0.84    ]
    """
    return replace(belief, probability=reweigh(belief.probability, likelihood))
