"""Active localisation: go where you will learn most.

u* = argmin_u Σ_z P(z | u) H(p | u, z) + λ cost(u), H(p) = -Σ p log p.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


def entropy(probability: ArrayLike) -> FloatArray:
    """Return -Σ p log p [nat] along the last axis, shape (...).

    Example:
        >>> print(entropy([[0.5, 0.5], [1.0, 0.0]]).round(6))
        [0.693147 0.      ]
    """
    p = as_finite("probability", probability, ())
    logs = np.log(np.where(p > 0.0, p, 1.0))
    return np.asarray(-(p * logs).sum(axis=-1)) + 0.0


def expected_entropy(
    belief: ArrayLike, transition: ArrayLike, sight: ArrayLike
) -> FloatArray:
    """Return Σ_z P(z | u) H(p | u, z) of actions [nat].

    Args:
        belief: p(m), shape (k,).
        transition: P(n | m, u), row m to column n, shape (..., k, k).
        sight: P(z | n), row n to column z, shape (k, z).

    Returns:
        One value per action, shape (...).

    Example:
        Two rooms look alike, a third does not; going there tells.

        >>> stay = np.eye(3)
        >>> go = [[0, 0, 1.0], [0, 1.0, 0], [0, 0, 1.0]]  # only from the first one
        >>> sight = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
        >>> print(expected_entropy([0.5, 0.5, 0.0], [stay, go], sight).round(6))
        [0.693147 0.      ]
    """
    p = as_finite("belief", belief, ())
    T = as_finite("transition", transition, (p.size, p.size))
    Z = as_finite("sight", sight, ())
    after = np.einsum("m,...mn->...n", p, T)
    joint = after[..., None, :] * Z.T
    chance = joint.sum(axis=-1)
    posterior = joint / np.where(chance > 0.0, chance, 1.0)[..., None]
    return (chance * entropy(posterior)).sum(axis=-1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ActiveChoice:
    """What to do to learn where one is.

    Attributes:
        action: Number of the best action.
        entropy: Expected after each action [nat], shape (a,).
        score: Entropy plus price, shape (a,).
    """

    action: int
    entropy: FloatArray
    score: FloatArray


def choose_action(
    belief: ArrayLike,
    transitions: ArrayLike,
    sight: ArrayLike,
    *,
    costs: ArrayLike = 0.0,
    weight: float = 1.0,
) -> ActiveChoice:
    """Return the action after which the robot is expected to know best.

    Args:
        belief: p(m), shape (k,).
        transitions: Of each action, row m to column n, shape (a, k, k).
        sight: P(z | n), row n to column z, shape (k, z).
        costs: Of the actions: way, risk, shape (a,).
        weight: λ, entropy that one unit of cost is worth [nat].
    """
    T = as_finite("transitions", transitions, ())
    if T.ndim != 3:
        raise ConfigError(f"`transitions` must have shape (a, k, k), got {T.shape}")
    hopes = expected_entropy(belief, T, sight)
    score = hopes + weight * np.broadcast_to(np.asarray(costs, float), hopes.shape)
    return ActiveChoice(action=int(np.argmin(score)), entropy=hopes, score=score)
