"""The reafference principle: what I caused myself is predicted and subtracted.

A copy of the command (efference copy) drives a forward model; measured minus predicted
is what the world did (exafference).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

ForwardModel = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reafference:
    """A sense split by its cause; every array has the shape of the reading.

    Attributes:
        predicted: What the command alone would let the sense feel.
        external: What is left: the world's doing.
        is_external: It exceeds the threshold in some channel.
    """

    predicted: FloatArray
    external: FloatArray
    is_external: bool


def split_sense(
    measured: ArrayLike,
    state: ArrayLike,
    command: ArrayLike,
    *,
    model: ForwardModel,
    threshold: float,
) -> Reafference:
    """Return the parts of a reading that oneself and the world caused.

    Args:
        measured: Reading, shape (k,).
        state: What the model starts from, shape (n,).
        command: Copy of the command, shape (m,).
        model: Predicts the reading from (state, command).
        threshold: Above this the world is blamed, in units of the reading.

    Example:
        >>> push = split_sense(
        ...     [0.5], [2.0], [3.0], model=lambda x, u: u / x, threshold=0.1
        ... )
        >>> print(push.predicted, push.external, push.is_external)
        [1.5] [-1.] True
    """
    if not threshold >= 0.0:
        raise ConfigError(f"`threshold` must be >= 0, got {threshold}")
    reading = np.asarray(measured, np.float64)
    predicted = np.asarray(
        model(np.asarray(state, np.float64), np.asarray(command, np.float64)),
        dtype=np.float64,
    )
    external = reading - predicted
    return Reafference(
        predicted=predicted,
        external=external,
        is_external=bool(np.any(np.abs(external) > threshold)),
    )
