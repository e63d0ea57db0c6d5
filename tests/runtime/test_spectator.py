"""A spectator sees time pass and holds it back, whoever takes a scenario through it."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.runtime.controls import (
    Spectator,
    pass_time,
    present_spectator,
    watched_by,
)
from gelenk.runtime.run import Run
from point_world import PointWorld


def test_nobody_watches_unless_asked_to() -> None:
    assert present_spectator() is None
    pass_time(1.0)  # harmless
    with watched_by(Spectator()) as spectator:
        assert present_spectator() is spectator
    assert present_spectator() is None


def test_times_of_several_worlds_add_up() -> None:
    seen: list[float] = []
    with watched_by(Spectator(on_time=seen.append)) as spectator:
        for time in (0.5, 1.0, 0.25, 0.5, 0.125):
            pass_time(time)

    assert seen == [0.5, 1.0, 1.25, 1.5, 1.625]
    assert (spectator.time, spectator.num_looks) == (1.625, 5)


def test_a_run_shows_every_control_tick() -> None:
    seen: list[float] = []
    spectator = Spectator(on_time=seen.append)
    with watched_by(spectator), Run(PointWorld(), step=0.001) as run:
        run.run(0.05)

    np.testing.assert_allclose(seen, [0.01, 0.02, 0.03, 0.04, 0.05], atol=1e-12)


@pytest.mark.parametrize(("own", "expected"), [(None, 4.0), (50.0, 50.0)])
def test_a_run_takes_the_pace_of_its_spectator_unless_it_has_one(
    own: float | None, expected: float
) -> None:
    spectator = Spectator(pace=4.0)
    with watched_by(spectator), Run(PointWorld(), step=0.001, pace=own) as run:
        assert run._pacer.pace == expected
    with Run(PointWorld(), step=0.001) as run:
        assert run._pacer.pace is None


def test_passing_time_is_held_back_to_the_pace() -> None:
    """With a clock of our own: 1 s of simulated time at 4x is 0.25 s."""
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    spectator = Spectator(pace=4.0)
    spectator.pacer._clock, spectator.pacer._sleep = (lambda: now[0]), sleep
    with watched_by(spectator):
        for tick in range(1, 102):
            pass_time(0.01 * tick)

    assert now[0] == pytest.approx(0.25)


def test_a_pace_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="`pace` must be above 0"):
        Spectator(pace=0.0)
