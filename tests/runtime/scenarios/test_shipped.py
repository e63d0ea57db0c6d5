"""Scenarios that ship: repeatable, replayable, passing, and able to fail."""

import dataclasses

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.runtime.campaign import record_trials, run_campaign
from gelenk.runtime.recording import open_recording
from gelenk.runtime.scenario import get_scenario, run_scenario
from gelenk.runtime.scenarios import bounce as bounce_module
from gelenk.runtime.scenarios.billiards import BilliardsCfg
from gelenk.runtime.scenarios.bounce import BounceCfg
from gelenk.runtime.scenarios.tracking import Track
from gelenk.runtime.verification import verify_recording
from gelenk.sim.observe import Impact

SHORT = {
    "bounce": {"restitution": (0.3, 0.6)},
    "billiards": {"count": 6, "seconds": 0.5},
    "belt": {"seconds": 1.5, "offset": 0.02},
}


@pytest.mark.parametrize("name", SHORT)
def test_figures_are_complete_and_the_criterion_is_met(name) -> None:
    outcome = run_scenario(name, SHORT[name], 11)

    assert outcome.ok, outcome.reason
    assert outcome.reason == ""
    assert list(outcome.figures) == list(get_scenario(name).figures)
    assert np.isfinite(list(outcome.figures.values())).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_every_seed_of_a_sample_is_well(name) -> None:
    campaign = run_campaign(name, SHORT[name], trials=20, workers=0)

    assert [trial.seed for trial in campaign.trials if not trial.ok] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_the_number_of_processes_changes_no_bit(name) -> None:
    here = run_campaign(name, SHORT[name], trials=4, workers=0)
    there = run_campaign(name, SHORT[name], trials=4, workers=2)

    assert there.trials == here.trials
    assert len({tuple(trial.figures.values()) for trial in here.trials}) == 4


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_a_recording_repeats_byte_by_byte(name, tmp_path) -> None:
    path = tmp_path / "run.mcap"
    (trial,) = record_trials(name, SHORT[name], {5: path})

    with open_recording(path) as recording:
        found = verify_recording(recording)

    assert trial.ok, trial.reason
    assert found.is_equal
    assert found.num_compared > 30


@pytest.mark.parametrize(
    ("name", "demand", "words"),
    [
        ("bounce", {"rebound_tolerance": 0.0}, "rebound of e"),
        ("bounce", {"rest_limit": 0.0}, "not at rest"),
        ("bounce", {"penetration_limit": 0.0}, "mm deep in the ground"),
        ("billiards", {"momentum_tolerance": 0.0}, "momentum is off"),
        ("billiards", {"energy_tolerance": 0.0}, "of the energy is gone"),
        ("belt", {"speed_tolerance": 0.0}, "speed is off"),
        ("belt", {"friction": 0.0}, "speed is off"),
    ],
)
def test_a_demand_that_cannot_be_met_is_missed_with_a_reason(
    name, demand, words
) -> None:
    outcome = run_scenario(name, SHORT[name] | demand, 3)

    assert not outcome.ok
    assert words in outcome.reason


def test_inelastic_balls_lose_energy_and_that_is_fine() -> None:
    lossy = run_scenario("billiards", SHORT["billiards"] | {"restitution": 0.5}, 3)
    lossless = run_scenario("billiards", SHORT["billiards"], 3)

    assert lossy.ok
    assert lossy.figures["energy_loss"] > 0.2 > lossless.figures["energy_loss"]


def test_the_number_of_bounces_follows_the_speed_that_ends_them() -> None:
    """Impact speeds are v0 e^k; those over 0.02 m/s bounce, the next one lands."""
    config = {"height": (0.5, 0.5), "restitution": (0.5, 0.5)}

    figures = run_scenario("bounce", config, 0).figures

    speeds = np.sqrt(2 * 9.81 * 0.5) * 0.5 ** np.arange(20)
    assert figures["bounces"] == pytest.approx(np.sum(speeds > 0.02), abs=1.0)


def parabola(e: float, *, rest: float = np.inf) -> Track:
    """Return a ball's track by formula: dropped 1 m, one bounce, still after `rest`."""
    t = np.arange(0.0, 0.8, 0.01)
    impact = np.sqrt(2.0 / 9.81)
    after = np.maximum(t - impact, 0.0)
    v0 = 9.81 * impact
    is_up = t > impact
    z = np.where(is_up, e * v0 * after - 4.905 * after**2, 1.0 - 4.905 * t**2)
    v = np.where(is_up, e * v0 - 9.81 * after, -9.81 * t)
    z, v = np.where(t > rest, 0.0, z), np.where(t > rest, 0.0, v)
    twist = np.zeros((t.size, 1, 6))
    twist[:, 0, 2] = v
    position = np.zeros((t.size, 1, 3))
    position[:, 0, 2] = z + 0.05
    blow = Impact(
        time=impact,
        bodies=("ground", "ball"),
        impulse=np.zeros(3),
        position=np.zeros(3),
        speed=v0,
        restitution=e,
    )
    return Track(
        time=t, position=position, twist=twist, up=np.ones((t.size, 1)), impacts=(blow,)
    )


@pytest.mark.parametrize("e", [0.3, 0.6, 0.95])
def test_the_rebound_is_read_from_free_flight(e) -> None:
    """Oracle: the parabola; the impact itself carries a wrong number on purpose."""
    seen = parabola(e)
    wrong = dataclasses.replace(seen.impacts[0], restitution=0.1, speed=0.0)
    seen = dataclasses.replace(seen, impacts=(wrong,))

    found = bounce_module._measured_restitution(seen, 0.05)

    assert found == pytest.approx(e, rel=1e-12)


def test_rest_begins_with_the_last_movement() -> None:
    moving, resting = parabola(0.5), parabola(0.5, rest=0.6)

    assert bounce_module._rest_time(moving, 0.05) == np.inf
    assert bounce_module._rest_time(resting, 0.05) == pytest.approx(
        0.61 - np.sqrt(2.0 / 9.81)
    )


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("bounce", {"height": (2.0, 1.0)}, "from low to high"),
        ("belt", {"speed": (0.1, 5.0)}, "leaves the belt"),
        ("belt", {"offset": 0.3}, "hang over the edge"),
        ("billiards", {"count": 5000}, "do not fit"),
    ],
)
def test_impossible_settings_are_refused(name, values, words) -> None:
    with pytest.raises(ConfigError, match=words):
        get_scenario(name).as_config(values)


def test_defaults_are_valid() -> None:
    assert get_scenario("bounce").as_config(None) == BounceCfg()
    assert get_scenario("billiards").as_config({}) == BilliardsCfg()
