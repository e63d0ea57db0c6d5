"""Controllers keep their rates, also where the control ticks do not divide them."""

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.runtime.controller import PureController
from gelenk.runtime.controls import RewindRequest
from gelenk.runtime.run import Run
from point_world import PointWorld


def ticking(times: list[float], **options) -> PureController:
    """Return a controller that notes when it steps."""
    return PureController(
        name=options.pop("name", "ticking"),
        step=lambda cfg, state, now: (state + 1, now),
        cfg=None,
        initial=0,
        observe=lambda view: view.time,
        apply=lambda view, now: times.append(now),
        **options,
    )


@pytest.mark.parametrize("rate", [60.0, 30.0, 100.0, 7.0, 29.97])
def test_a_rate_is_kept_to_the_tick(rate: float) -> None:
    times: list[float] = []
    with Run(PointWorld(), [ticking(times, rate=rate)], step=0.001) as run:
        run.run(10.0)

    assert len(times) == np.ceil(10.0 * rate - 1e-9)
    # Each step at the first control tick (10 ms) at or after its time.
    due = np.arange(len(times)) / rate
    late = np.array(times) - due
    assert np.all(late > -1e-9)
    assert np.all(late < 0.01 + 1e-9)


def test_controllers_of_several_rates_share_a_run() -> None:
    seen: dict[str, list[float]] = {"motion": [], "cognition": [], "camera": []}
    controllers = [
        ticking(seen["motion"], name="motion", period=0.01),
        ticking(seen["cognition"], name="cognition", rate=60.0),
        ticking(seen["camera"], name="camera", rate=30.0),
    ]
    with Run(PointWorld(), controllers, step=0.001, period=0.002) as run:
        run.run(2.0)

    assert {name: len(times) for name, times in seen.items()} == {
        "motion": 200,
        "cognition": 120,
        "camera": 60,
    }
    np.testing.assert_allclose(np.diff(seen["motion"]), 0.01)
    assert set(np.round(np.diff(seen["cognition"]), 6)) == {0.016, 0.018}


def test_a_rate_goes_on_after_a_rewind() -> None:
    times: list[float] = []
    with Run(PointWorld(), [ticking(times, rate=30.0)], step=0.001, history=200) as run:
        run.run(1.0)
        first = times[15:]
        times.clear()
        run.do(RewindRequest(tick=490))
        run.run(0.51)

    assert times == [time for time in first if time >= 0.49]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"rate": 60.0, "period": 0.01}, "`rate` of controller 'ticking' and `period` are both given"),
        ({"rate": 200.0}, "at most one step per control tick, 100 1/s, got 200"),
        ({"rate": 0.0}, "must be above 0"),
        ({"rate": float("nan")}, "must be above 0"),
    ],
)  # fmt: skip
def test_rates_that_cannot_be_kept_are_refused(options, text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        Run(PointWorld(), [ticking([], **options)], step=0.001)
