"""Trials: seeds, outcomes, exceptions as results, records that keep every bit."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import light_scenarios
from gelenk.errors import ConfigError
from gelenk.runtime.recording import open_recording
from gelenk.runtime.scenario import Outcome, run_scenario, scenario
from gelenk.runtime.trial import (
    Job,
    LoadedJob,
    Trial,
    TrialTask,
    as_record,
    from_record,
    make_job,
    trial_seed,
)


@given(st.integers(0, 2**64), st.integers(0, 10_000))
def test_the_seed_of_a_trial_is_that_of_the_spawned_child(seed, index) -> None:
    """Oracle: NumPy's own spawning, which counts children."""
    parent = np.random.SeedSequence(seed, n_children_spawned=index)
    (child,) = parent.spawn(1)

    assert (
        trial_seed(seed, index) == int(child.generate_state(1, np.uint64)[0]) // 2**11
    )


def test_seeds_differ_and_survive_any_reader_of_json() -> None:
    seeds = [trial_seed(seed, index) for seed in (0, 1) for index in range(5000)]

    assert len(set(seeds)) == len(seeds)
    assert all(int(float(seed)) == seed < 2**53 for seed in seeds)


@given(st.dictionaries(st.text(), st.floats()), st.text(), st.integers(0, 2**53 - 1))
def test_a_record_keeps_every_bit(figures, reason, seed) -> None:
    trial = Trial(index=3, seed=seed, status="missed", figures=figures, reason=reason)

    text = json.dumps(as_record(trial), allow_nan=False)
    again = from_record(json.loads(text))

    assert list(again.figures) == list(figures)
    for key, value in figures.items():
        same_nan = math.isnan(value) and math.isnan(again.figures[key])
        assert same_nan or again.figures[key].hex() == value.hex()
    assert (again.seed, again.reason, again.status) == (seed, reason, "missed")


def test_an_exception_is_a_result_with_seed_and_traceback() -> None:
    loaded = LoadedJob(make_job(light_scenarios.trouble, {"kind": "raise"}))

    trial = loaded.run(TrialTask(index=2, seed=10))

    assert (trial.index, trial.seed, trial.status) == (2, 10, "error")
    assert trial.reason == "ValueError: seed 10 is bad"
    assert "light_scenarios.py" in trial.traceback
    assert not trial.ok


def test_leaving_the_program_is_a_result_too() -> None:
    assert run(leaves).status == "error"
    assert run(leaves).reason == "SystemExit: 3"


def test_something_else_than_an_outcome_is_an_error_that_says_so() -> None:
    assert "must return an Outcome, got a tuple" in run(returns_a_tuple).reason


def test_figures_become_plain_numbers() -> None:
    figures = run(counts_with_numpy).figures

    assert figures == {"n": 3.0}
    assert type(figures["n"]) is float


def test_warm_up_comes_once_and_before_the_first_trial() -> None:
    events.clear()
    loaded = LoadedJob(make_job(warm, {}))
    loaded.run(TrialTask(index=0, seed=1))
    loaded.run(TrialTask(index=1, seed=2))

    assert events == ["warm", "run", "run"]


def test_a_scenario_whose_file_has_changed_is_refused() -> None:
    job = make_job(light_scenarios.throw, {})
    other = Job(scenario=job.scenario, source="0" * 16, config={})

    with pytest.raises(ConfigError, match="differs from the one"):
        LoadedJob(other)


def test_a_recorded_trial_can_be_run_again_from_its_file(tmp_path) -> None:
    path = tmp_path / "one.mcap"
    loaded = LoadedJob(make_job(light_scenarios.throw, {"speed": 12.0}))

    trial = loaded.run(TrialTask(index=0, seed=5, record=str(path)))

    with open_recording(path) as recording:
        facts = recording.metadata
        assert recording.topics == ("landing",)
    again = run_scenario(facts["scenario"], facts["config"], facts["seed"])
    assert trial.ok
    assert again.figures == trial.figures


def run(one) -> Trial:
    return LoadedJob(make_job(one, {})).run(TrialTask(index=0, seed=0))


events: list[str] = []


@scenario("leaves")
def leaves(config, seed, recorder) -> Outcome:
    raise SystemExit(3)


@scenario("tuple")
def returns_a_tuple(config, seed, recorder):
    return True, {}


@scenario("numpy")
def counts_with_numpy(config, seed, recorder) -> Outcome:
    return Outcome(ok=True, figures={"n": np.int64(3)})  # type: ignore[dict-item]


@scenario("warm", warm_up=lambda: events.append("warm"))
def warm(config, seed, recorder) -> Outcome:
    events.append("run")
    return Outcome(ok=True)
