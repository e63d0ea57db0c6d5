"""Is a calibrated robot better than before? One check per question, as data.

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

from gelenk.calibration.prediction import residuals
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.robots.nao.checks.stance import stand_body, standing_load
from gelenk.robots.nao.checks.standing import Standing, stand_still
from gelenk.robots.nao.compensation import Compensation
from gelenk.robots.nao.errors import NaoErrors
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
