"""Logs and videos of several robots on one time line.

Clocks: a message leaves at t1 (here), arrives at t2 (there), the answer leaves at t3
(there), arrives at t4 (here): offset = ½ ((t2 - t1) + (t3 - t4)), right if both ways
take equally long; of many exchanges those with the shortest way are. Videos have no
clock: events seen in both, such as flashes, are laid onto each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

GRAIN = 1e-4  # [s], what clocks and queues add to every way


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFit:
    """How another clock goes: there = here + offset + drift (here - origin).

    Attributes:
        offset: At `origin` [s].
        drift: Seconds per second that it goes fast.
        origin: Time here [s].
        spread: Standard deviation of what is left [s].
    """

    offset: float
    drift: float
    origin: float
    spread: float

    def to_here(self, there: ArrayLike) -> FloatArray:
        """Return times of the other clock in time here [s], shape (...)."""
        t = as_finite("there", there, ())
        return (t - self.offset + self.drift * self.origin) / (1.0 + self.drift)


def clock_offset(
    t1: ArrayLike, t2: ArrayLike, t3: ArrayLike, t4: ArrayLike
) -> FloatArray:
    """Return ½ ((t2 - t1) + (t3 - t4)) [s], shape (...).

    Example:
        >>> print(clock_offset(0.0, 5.01, 5.02, 0.03))
        5.0
    """
    a, b = as_finite("t1", t1, ()), as_finite("t2", t2, ())
    c, d = as_finite("t3", t3, ()), as_finite("t4", t4, ())
    return 0.5 * ((b - a) + (c - d))


def fit_clock(t1: ArrayLike, t2: ArrayLike, t3: ArrayLike, t4: ArrayLike) -> ClockFit:
    """Return offset and drift of another clock from many exchanges.

    Args:
        t1: Sent here [s], shape (n,), n >= 2.
        t2: Received there [s], shape (n,).
        t3: Answered there [s], shape (n,).
        t4: Received here [s], shape (n,).
    """
    a, d = as_finite("t1", t1, ()), as_finite("t4", t4, ())
    offsets = clock_offset(t1, t2, t3, t4)
    way = (d - a) - (as_finite("t3", t3, ()) - as_finite("t2", t2, ()))
    if a.size < 2:
        raise ConfigError(f"a clock needs 2 exchanges, got {a.size}")
    middle = 0.5 * (a + d)
    origin = float(middle.mean())
    # Half of what a way is too long is the most that its offset can be wrong by.
    doubt = 0.5 * (way - way.min()) + GRAIN
    A = np.stack([np.ones(a.size), middle - origin], axis=1)
    scaled, wanted = A / doubt[:, None], offsets / doubt
    (offset, drift), *_ = np.linalg.lstsq(scaled, wanted, rcond=None)
    left = (offsets - A @ [offset, drift]) / doubt
    weight = 1.0 / doubt**2
    return ClockFit(
        offset=float(offset),
        drift=float(drift),
        origin=origin,
        spread=float(np.sqrt((left**2).sum() / weight.sum())),
    )


def align_events(
    here: ArrayLike, there: ArrayLike, *, reach: float, tolerance: float = 0.05
) -> float:
    """Return the shift that lays events of a video onto those of a log [s].

    The shift that most pairs agree on within the tolerance, then the mean of these:
    here = there + shift. Events that only one of them has do not disturb.

    Args:
        here: Times in the log [s], shape (n,).
        there: Times in the video [s], shape (m,).
        reach: Largest |shift| [s].
        tolerance: How exactly events are seen, as one frame [s].

    Example:
        >>> round(align_events([1.0, 2.5, 4.7, 9.0], [0.5, 2.7, 7.0], reach=5.0), 6)
        2.0
    """
    a, b = as_finite("here", here, ()), as_finite("there", there, ())
    gaps = (a[:, None] - b).ravel()
    gaps = np.sort(gaps[np.abs(gaps) <= reach])
    if gaps.size == 0:
        raise ConfigError(f"no two events are within {reach} s of each other")
    last = np.searchsorted(gaps, gaps + tolerance, side="right")
    first = int(np.argmax(last - np.arange(gaps.size)))
    return float(gaps[first : last[first]].mean())
