"""Comparison of a calibrated robot with the one before, and of repeated calibrations.

- `check_boards`: do projected boards lie on the seen ones, also in poses that were not
  fitted?
- `check_standing`: are the soles level and flat when it stands?
- `field_check.check_field`: do projected field lines lie on the seen ones?
- `walk.placement_rms`: do its feet go where they should?
- `repeats`: does a second run say the same?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.calibration.calibration import Calibration
from gelenk.calibration.prediction import residuals
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.errors import ConfigError
from gelenk.robots.nao.checks.stance import stand_body, standing_load
from gelenk.robots.nao.checks.standing import Standing, stand_still
from gelenk.robots.nao.compensation import Compensation
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.joints import SIDES, Side
from gelenk.robots.nao.parameters import leg_names
from gelenk.robots.nao.world import Level
from gelenk.typing import ArrayLike, FloatArray

MAX_HEIGHT = 0.0005  # [m]
MAX_TILT = float(np.deg2rad(0.1))
BETTER = 5.0  # how many times


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardCheck:
    """Distances of projected boards from seen ones.

    Attributes:
        before, after: Root mean square distance of the corners of each view [px], (n,).
    """

    before: FloatArray
    after: FloatArray

    @property
    def rms_before(self) -> float:
        """Over all views [px]."""
        return float(np.sqrt(np.mean(self.before**2)))

    @property
    def rms_after(self) -> float:
        """Over all views [px]."""
        return float(np.sqrt(np.mean(self.after**2)))

    @property
    def num_worse(self) -> int:
        """Views whose board fits worse than before."""
        return int((self.after > self.before).sum())


def check_boards(
    problem: CalibrationProblem, values: ArrayLike, sights: Sequence[Observation]
) -> BoardCheck:
    """Return how boards fit before and after a calibration.

    Args:
        problem: What was calibrated.
        values: Its parameters, (P,).
        sights: Views, fitted or not; boards sit on the feet as they did for the fit.
    """
    ends = np.cumsum([len(sight.points) for sight in sights])[:-1]

    def by_view(at: ArrayLike) -> FloatArray:
        distance = residuals(problem, at, sights, mode="distance")
        parts = np.split(distance, ends)
        return np.array([float(np.sqrt(np.mean(part**2))) for part in parts])

    # The documented robot: drives that do not give, though a prior may expect it.
    plain = np.zeros(len(problem.parameters))
    return BoardCheck(before=by_view(plain), after=by_view(values))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StandingCheck:
    """A stand without and with compensation.

    Attributes:
        before, after: How it stands.
    """

    before: Standing
    after: Standing

    @property
    def heights(self) -> tuple[float, float]:
        """Height differences of the soles, before and after [m]."""
        first, second = (abs(s.stand.height_difference) for s in self._both)
        return first, second

    @property
    def tilts(self) -> tuple[float, float]:
        """Larger angles of a sole with the floor, before and after [rad]."""
        first, second = (max(s.stand.tilts) for s in self._both)
        return first, second

    @property
    def leans(self) -> tuple[float, float]:
        """Angles of the torso with the vertical, before and after [rad]."""
        first, second = (
            float(np.arccos(min(s.up[2] / np.linalg.norm(s.up), 1.0)))
            for s in self._both
        )
        return first, second

    @property
    def is_good(self) -> bool:
        """Whether the soles are level and flat, or much more so than before."""
        pairs = zip((self.heights, self.tilts), (MAX_HEIGHT, MAX_TILT), strict=True)
        return all(
            after <= limit or after * BETTER <= before
            for (before, after), limit in pairs
        )

    @property
    def _both(self) -> tuple[Standing, Standing]:
        return self.before, self.after


def check_standing(
    errors: NaoErrors, compensation: Compensation, *, level: Level = 3, seed: int = 0
) -> StandingCheck:
    """Let a robot stand, in physics, before and after it was calibrated.

    Args:
        errors: What is wrong with it; only its world knows.
        compensation: What was found.
        level: Of what is real, see `world.make_world`.
        seed: Of all noise.
    """
    desired = stand_body()
    command = compensation.command(desired, standing_load(), keeps_soles=True)
    return StandingCheck(
        before=stand_still(errors, desired, level=level, seed=seed),
        after=stand_still(errors, command, level=level, seed=seed),
    )


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
