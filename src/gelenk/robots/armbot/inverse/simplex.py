"""Inverse kinematics by the downhill simplex (Roth 2021, ArmBot §5.1)."""

from __future__ import annotations

import numpy as np

from gelenk.errors import LoopError
from gelenk.kinematics.inverse.iterative import minimise
from gelenk.robots.armbot.config import IK_MAX_ITERATIONS
from gelenk.robots.armbot.inverse.iterative import IterativeInverse
from gelenk.robots.armbot.inverse.target import Target, error_sizes
from gelenk.typing import FloatArray

TOLERANCE = 1e-6  # [m]: cost at which it stops
FULL_STEP = 0.02  # [m]: nearer to the target the first simplex is smaller
LEAST_SHARE = 0.01  # of its size, though
RADIAN_LENGTH = 0.1  # [m]: what a radian is worth
OPEN_COST = 1e6  # of joint values at which a chain does not close


class SimplexInverse(IterativeInverse):
    """Downhill simplex: tries joint values out and needs no derivatives."""

    method = "down"

    def _descend(
        self, target: Target, q: FloatArray
    ) -> tuple[FloatArray, FloatArray | None, int]:
        def missing(values: FloatArray) -> FloatArray | None:
            try:
                return target.error(np.asarray(self._direct.pose(values)))
            except LoopError:
                return None

        def cost(values: FloatArray) -> float:
            error = missing(values)
            if error is None:
                return OPEN_COST + float(np.abs(values - q).sum())
            return _cost_of(error)

        per = 1 if target.R is None else len(q)
        values, now, iterations = q, cost(q), 0
        # A collapsed simplex is unfolded again as long as that helps.
        while True:
            steps = self._steps * np.clip(now / FULL_STEP, LEAST_SHARE, 1.0)
            values, count = minimise(
                cost,
                values,
                steps,
                self._limits,
                TOLERANCE,
                max_iterations=per * IK_MAX_ITERATIONS,
            )
            iterations += count
            before, now = now, cost(values)
            if now <= TOLERANCE or now > 0.5 * before:
                return values, missing(values), iterations


def _cost_of(error: FloatArray) -> float:
    """Return an error as one number; the root of squares leaves no narrow valleys."""
    distance, angle = error_sizes(error)
    return float(np.hypot(distance, RADIAN_LENGTH * angle))
