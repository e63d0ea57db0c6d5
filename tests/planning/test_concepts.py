"""The words of planning: what a path, a trajectory and a problem promise."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicHermiteSpline

from gelenk.errors import ConfigError
from gelenk.planning.concepts import (
    Path,
    PlanningLevel,
    PlanningProblem,
    TimedPath,
)


class _Annulus:
    """Between the circles of radius 1 and 3: freedom by formula, lines by sampling."""

    lower = np.array([-3.0, -3.0])
    upper = np.array([3.0, 3.0])

    def are_free(self, points):
        r = np.linalg.norm(np.asarray(points), axis=-1)
        return (r >= 1.0) & (r <= 3.0)

    def are_free_between(self, starts, ends):
        s = np.linspace(0.0, 1.0, 101)[:, None, None]
        return self.are_free(starts + s * (np.asarray(ends) - starts)).all(axis=0)


@pytest.mark.capability("GR-210")
def test_a_path_with_a_speed_is_a_trajectory_and_loses_its_time_again():
    path = Path(points=np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]]))

    trajectory = path.timed(2.0)

    assert trajectory.duration == pytest.approx(path.length / 2.0)
    assert_allclose(trajectory.at([0.0, 1.5, 2.5, 3.5]), path.at([0.0, 3.0, 5.0, 7.0]))
    assert_allclose(trajectory.path.points, path.points)


@pytest.mark.capability("GR-210")
def test_a_trajectory_with_rates_is_scipys_hermite_spline():
    rng = np.random.default_rng(0)
    times = np.cumsum(rng.uniform(0.1, 1.0, 6))
    points, rates = rng.normal(size=(2, 6, 3))
    t = np.linspace(times[0], times[-1], 50)

    ours = TimedPath(times=times, points=points, rates=rates).at(t)

    assert_allclose(ours, CubicHermiteSpline(times, points, rates)(t), atol=1e-12)


@pytest.mark.capability("GR-210")
def test_a_problem_accepts_only_free_paths_from_its_start_to_its_goal():
    problem = PlanningProblem(
        space=_Annulus(), start=np.array([-2.0, 0.0]), goal=np.array([2.0, 0.0])
    )
    around = np.array([[-2.0, 0.0], [0.0, 2.0], [2.0, 0.0]])

    assert problem.accepts(Path(points=around))
    assert not problem.accepts(Path(points=around[[0, 2]]))
    assert not problem.accepts(Path(points=around[:2]))
    with pytest.raises(ConfigError, match="`goal`"):
        PlanningProblem(space=_Annulus(), start=around[0], goal=np.zeros(2))


@pytest.mark.capability("GR-210")
def test_levels_run_from_places_to_forces():
    assert [str(level) for level in PlanningLevel] == [
        "topological", "geometric", "kinematic", "kinetic",
    ]  # fmt: skip


def test_time_runs_forwards_only():
    with pytest.raises(ConfigError, match="increase"):
        TimedPath(times=np.array([0.0, 0.0]), points=np.zeros((2, 2)))
