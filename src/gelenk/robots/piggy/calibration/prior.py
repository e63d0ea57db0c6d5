"""Where balls come from and how fast: the prior of tracks, learnt from throws."""

from __future__ import annotations

import numpy as np

from gelenk.dynamics.flight import FlightCfg, simulate_flight
from gelenk.estimation.ball_tracks import ThrowPrior, learn_throw_prior
from gelenk.robots.piggy.calibration.flights import FlightCalibration
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.spatial import se3
from gelenk.typing import FloatArray

FEWEST_FLIGHTS = 30
SLICE = 0.06  # [s]
BEFORE = 0.06  # [s]: the next ball may be seen that much earlier
INFLATION = 1.2  # of standard deviations


def learn_prior(
    throws: FlightCalibration, T_new_old: FloatArray | None = None
) -> ThrowPrior:
    """Return the prior of throws like the ones that were fitted.

    Args:
        throws: All of them, explained.
        T_new_old: From the world that they were fitted in to the one of the prior,
            shape (4, 4); None: the same.

    Raises:
        CalibrationError: If there are fewer than 30.
    """
    count = len(throws.states)
    if count < FEWEST_FLIGHTS:
        raise CalibrationError(
            "too few throws",
            f"a prior needs {FEWEST_FLIGHTS} throws, got {count}",
            advice="throw more, from all places from which people will throw",
        )
    longest = float(throws.durations.max())
    times = np.arange(-BEFORE, longest + 1e-9, SLICE)
    paths = np.full((count, len(times), 6), np.nan)
    gx, gy, gz = map(float, throws.gravity)
    for k in range(count):
        inside = times <= throws.durations[k]
        air = FlightCfg(gravity=(gx, gy, gz), drag=float(throws.drags[k]), lift=1.0)
        state = np.concatenate([throws.states[k], throws.lift[k]])
        paths[k, inside] = simulate_flight(state, times[inside], air)[:, :6]
    if T_new_old is not None:
        p = se3.transform_point(T_new_old, paths[..., :3])
        v = paths[..., 3:] @ T_new_old[:3, :3].T
        paths = np.concatenate([p, v], axis=-1)
    return learn_throw_prior(paths, inflation=INFLATION)
