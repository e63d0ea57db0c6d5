"""Repeated calibrations of one robot: what scatters, and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.calibration.calibration import Calibration
from gelenk.errors import ConfigError
from gelenk.robots.nao.joints import SIDES, Side
from gelenk.robots.nao.parameters import leg_names
from gelenk.typing import FloatArray

PITCH_JOINTS = slice(2, 5)  # HipPitch, KneePitch, AnklePitch: parallel axes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Repeats:
    """Several runs of one robot.

    Attributes:
        names, units: Of the parameters.
        values: Of each run, (runs, P).
        sigma: What each run promised, (runs, P).
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: FloatArray
    sigma: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Of each parameter, (P,)."""
        return self.values.mean(axis=0)

    @property
    def spread(self) -> FloatArray:
        """Standard deviation of each parameter between runs (n - 1), (P,)."""
        return self.values.std(axis=0, ddof=1)

    def pitch_sums(self, side: Side) -> FloatArray:
        """Return HipPitch + KneePitch + AnklePitch of each run [rad], (runs,).

        The three axes are parallel: what one takes, another gives. Their sum, the tilt
        of the foot, stays.
        """
        names = leg_names(side)[PITCH_JOINTS]
        return self.values[:, [self.names.index(n) for n in names]].sum(axis=1)

    def pitch_spread(self, side: Side) -> tuple[float, float]:
        """Return the spread of the sum, and the largest one of the three [rad]."""
        names = leg_names(side)[PITCH_JOINTS]
        single = self.spread[[self.names.index(n) for n in names]]
        return float(self.pitch_sums(side).std(ddof=1)), float(single.max())

    @property
    def worst_pitch_sum(self) -> float:
        """Larger spread of the sums of both legs [rad]."""
        return max(self.pitch_spread(side)[0] for side in SIDES)


def compare_runs(runs: Sequence[Calibration]) -> Repeats:
    """Return the statistics of several calibrations of the same problem.

    Raises:
        ConfigError: If there are fewer than two, or their parameters differ.
    """
    if len(runs) < 2:
        raise ConfigError(f"a spread needs at least 2 runs, got {len(runs)}")
    for run in runs[1:]:
        if run.names != runs[0].names:
            other = sorted(set(run.names) ^ set(runs[0].names))
            raise ConfigError(
                "runs with different parameters cannot be compared; only one has "
                f"{', '.join(other)}"
            )
    return Repeats(
        names=runs[0].names,
        units=runs[0].units,
        values=np.array([run.values for run in runs]),
        sigma=np.array([run.sigma for run in runs]),
    )
