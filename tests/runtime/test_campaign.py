"""Campaigns: the same for any number of workers, resumable, refused when it differs."""

import json
from pathlib import Path

import pytest

import light_scenarios
from gelenk.errors import ConfigError, FileFormatError
from gelenk.runtime.campaign import run_campaign
from gelenk.runtime.config import options_layer
from gelenk.runtime.trial import trial_seed

THROW = "light_scenarios:throw"


def test_the_number_of_workers_changes_no_bit() -> None:
    results = [run_campaign(THROW, trials=120, seed=3, workers=n) for n in (0, 1, 2, 3)]

    assert all(result.trials == results[0].trials for result in results)
    seeds = [trial.seed for trial in results[0].trials]
    assert seeds == [trial_seed(3, index) for index in range(120)]


def test_seeds_can_be_given() -> None:
    done = run_campaign(THROW, seeds=[9, 4, 9], workers=0)

    assert [trial.seed for trial in done.trials] == [9, 4, 9]
    assert done.trials[0].figures == done.trials[2].figures
    assert done.seed is None


def test_a_resolved_configuration_is_used() -> None:
    resolved = light_scenarios.throw.resolve(options_layer(["speed=30"]))

    done = run_campaign(THROW, resolved, trials=3, workers=0)

    assert done.config.speed == 30.0
    assert all(trial.figures["distance"] > 50.0 for trial in done.trials)


def test_acceptance_is_judged_by_the_share_of_successes() -> None:
    easy = run_campaign(THROW, {"least": 0.0}, trials=20, workers=0)
    hard = run_campaign(THROW, {"least": 10.0}, trials=20, workers=0)

    assert easy.is_accepted
    assert not hard.is_accepted
    assert 0.0 < hard.success_rate < 1.0
    assert len(hard.failed) == round(20 * (1.0 - hard.success_rate))


def test_progress_counts_up_to_all_and_tells_failures() -> None:
    seen: list[tuple[int, int, str]] = []

    run_campaign(
        "light_scenarios:trouble",
        {"kind": "raise"},
        seeds=range(1, 11),
        workers=0,
        on_progress=lambda *step: seen.append(step),
    )

    assert [step[0] for step in seen] == list(range(11))
    assert {step[1] for step in seen} == {10}
    assert seen[-1][2] == "trouble, 2 failed"


class StopError(Exception):
    """Stands for whatever ends a campaign early."""


def interrupted(path: Path, after: int, **options) -> None:
    def stop(done: int, total: int, label: str) -> None:
        if done == after:
            raise StopError

    with pytest.raises(StopError):
        run_campaign(THROW, journal=path, on_progress=stop, **options)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_resumed_campaign_equals_an_undisturbed_one(tmp_path, workers) -> None:
    path = tmp_path / "journal.jsonl"
    interrupted(path, 17, trials=50, seed=2, workers=workers)

    done = run_campaign(
        THROW, trials=50, seed=2, workers=workers, journal=path, resume=True
    )

    assert done.resumed == 17
    assert done.trials == run_campaign(THROW, trials=50, seed=2, workers=0).trials
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted(line["trial"] for line in lines[1:]) == list(range(50))


@pytest.mark.parametrize("cut", [1, 20, 40])
def test_a_line_that_was_never_finished_is_run_again(tmp_path, cut) -> None:
    path = tmp_path / "journal.jsonl"
    interrupted(path, 5, trials=10, workers=0)
    path.write_bytes(path.read_bytes()[:-cut])

    done = run_campaign(THROW, trials=10, workers=0, journal=path, resume=True)

    assert done.resumed == 4
    assert done.trials == run_campaign(THROW, trials=10, workers=0).trials
    again = run_campaign(THROW, trials=10, workers=0, journal=path, resume=True)
    assert again.resumed == 10


def test_a_finished_campaign_can_grow(tmp_path) -> None:
    path = tmp_path / "journal.jsonl"
    run_campaign(THROW, trials=5, workers=0, journal=path)

    more = run_campaign(THROW, trials=12, workers=0, journal=path, resume=True)
    fewer = run_campaign(THROW, trials=3, workers=0, journal=path, resume=True)

    assert more.resumed == 5
    assert more.trials == run_campaign(THROW, trials=12, workers=0).trials
    assert fewer.resumed == 3
    assert fewer.trials == more.trials[:3]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"config": {"speed": 11.0}}, "configuration"),
        ({"seed": 1}, "seed of the campaign"),
        ({"scenario": "light_scenarios:trouble"}, "scenario"),
        ({"trials": None, "seeds": [1, 2]}, "list of seeds"),
    ],
)
def test_a_journal_of_another_campaign_is_refused_and_kept(
    tmp_path, changed, words
) -> None:
    path = tmp_path / "journal.jsonl"
    same = {"scenario": THROW, "config": None, "trials": 4, "workers": 0}
    run_campaign(**same, journal=path)
    before = path.read_bytes()

    with pytest.raises(ConfigError, match=f"belongs to another campaign.*{words}"):
        run_campaign(**(same | changed), journal=path, resume=True)

    assert path.read_bytes() == before


def test_a_changed_scenario_file_is_refused(tmp_path) -> None:
    source = Path(light_scenarios.__file__).read_text()
    (tmp_path / "mine.py").write_text(source)
    path = tmp_path / "journal.jsonl"
    run_campaign(f"{tmp_path}/mine.py:throw", trials=2, workers=0, journal=path)
    header = json.loads(path.read_text().splitlines()[0])
    header["source"] = "0" * 16
    path.write_text(json.dumps(header) + "\n")

    with pytest.raises(ConfigError, match=r"file of the scenario \(digest\)"):
        run_campaign(
            f"{tmp_path}/mine.py:throw", trials=2, workers=0, journal=path, resume=True
        )


def test_an_existing_journal_is_not_overwritten(tmp_path) -> None:
    path = tmp_path / "journal.jsonl"
    run_campaign(THROW, trials=2, workers=0, journal=path)

    with pytest.raises(ConfigError, match="exists already; continue it with --resume"):
        run_campaign(THROW, trials=2, workers=0, journal=path)


def test_two_campaigns_cannot_write_one_journal(tmp_path) -> None:
    path = tmp_path / "journal.jsonl"

    def intrude(done: int, total: int, label: str) -> None:
        if done == 1:
            run_campaign(THROW, trials=3, workers=0, journal=path, resume=True)

    with pytest.raises(ConfigError, match="being written by another campaign"):
        run_campaign(THROW, trials=3, workers=0, journal=path, on_progress=intrude)


@pytest.mark.parametrize("text", ["", "{}\n", "not json\n", '{"format": "other"}\n'])
def test_a_file_that_is_no_journal_is_refused(tmp_path, text) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text(text)

    with pytest.raises(FileFormatError, match="is not the journal of a campaign"):
        run_campaign(THROW, trials=2, workers=0, journal=path, resume=True)


def test_a_damaged_line_is_named(tmp_path) -> None:
    path = tmp_path / "journal.jsonl"
    run_campaign(THROW, trials=3, workers=0, journal=path)
    lines = path.read_text().splitlines()
    lines[2] = lines[2][:10]
    path.write_text("\n".join(lines) + "\n")

    with pytest.raises(FileFormatError, match="line 3: is not the record of a trial"):
        run_campaign(THROW, trials=3, workers=0, journal=path, resume=True)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"trials": 3, "seeds": [1]},
        {"trials": 0},
        {"seeds": []},
        {"trials": 2, "workers": -1},
        {"trials": 2, "workers": 0, "timeout": 1.0},
        {"trials": 2, "workers": 1, "cluster": "tcp://127.0.0.1:1"},
        {"trials": 2, "workers": 0, "journal": "/no/such/folder/journal"},
    ],
)
def test_impossible_requests_are_refused(options) -> None:
    with pytest.raises(ConfigError):
        run_campaign(THROW, **options)
