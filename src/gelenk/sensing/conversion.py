"""From a quantity to a number: range, steps, and the wiper of a potentiometer."""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel


@kernel
def quantised(value: float, step: float) -> float:
    """Return the multiple of `step` nearest to a value; ties go up.

    Example:
        >>> quantised(0.37, 0.25)
        0.25
    """
    return step * np.floor(value / step + 0.5)


@kernel
def saturated(value: float, low: float, high: float) -> float:
    """Return a value clipped to what a converter can express."""
    return np.minimum(np.maximum(value, low), high)


@kernel
def wiper_share(angle: float, low: float, high: float, load_ratio: float) -> float:
    """Return the share of the supply voltage at the wiper of a potentiometer.

    Unloaded it is (angle - low) / (high - low); a load of R_load draws current through
    the track and pulls the voltage down by the factor 1 / (1 + x (1 - x) R / R_load).

    Args:
        angle: [rad].
        low: Angle at which the wiper reaches 0 V [rad].
        high: Angle at which it reaches the supply voltage [rad].
        load_ratio: R / R_load; 0: no load.

    Example:
        >>> round(wiper_share(1.0, 0.0, 4.0, 0.0), 3)
        0.25
    """
    share = saturated((angle - low) / (high - low), 0.0, 1.0)
    return share / (1.0 + share * (1.0 - share) * load_ratio)
