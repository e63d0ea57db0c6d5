"""`gelenk campaign`: figures, failing seeds, exit codes, interruption without orphans."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import light_scenarios
from gelenk.cli import exit_codes
from gelenk.runtime.campaign import run_campaign
from gelenk.runtime.config import options_layer
from gelenk.runtime.recording import open_recording
from gelenk.runtime.scenario import list_scenarios
from gelenk.runtime.statistics import mean_interval, wilson_interval
from terminal import run_on_terminal

FILE = str(Path(light_scenarios.__file__))
THROW = f"{FILE}:throw"
TROUBLE = f"{FILE}:trouble"
GELENK = [sys.executable, "-m", "gelenk.cli.commands"]


def test_the_json_has_the_figures_of_the_trials(gelenk) -> None:
    outcome = gelenk("campaign", THROW, "--trials", "30", "--seed", "4", "--json")

    result = outcome.json()
    trials = run_campaign(light_scenarios.throw, trials=30, seed=4, workers=0).trials
    values = [trial.figures["distance"] for trial in trials]
    figure = result["figures"]["distance"]
    assert outcome.code == exit_codes.OK
    assert result["ok"] is True
    assert figure["mean"] == pytest.approx(sum(values) / 30, rel=1e-12)
    assert figure["median"] == pytest.approx(sum(sorted(values)[14:16]) / 2, rel=1e-12)
    assert figure["interval"] == list(mean_interval(values))
    assert figure["worst"] == min(values)
    assert result["success"]["interval"] == list(wilson_interval(30, 30))
    assert result["failing_seeds"] == []


def test_a_missed_acceptance_ends_with_1_and_names_the_seeds(gelenk) -> None:
    arguments = ("campaign", THROW, "--trials", "20", "--set", "least=10")
    outcome = gelenk(*arguments, "--json")

    result = outcome.json()
    expected = run_campaign(light_scenarios.throw, {"least": 10}, trials=20, workers=0)
    assert outcome.code == exit_codes.MISSED
    assert result["failing_seeds"] == [trial.seed for trial in expected.failed]
    assert result["config"]["least"]["origin"] == "option --set least=10"
    table = gelenk(*arguments)
    assert table.code == exit_codes.MISSED
    for seed in result["failing_seeds"][:10]:
        assert str(seed) in table.out


def test_the_command_that_it_prints_replays_a_failing_seed(
    gelenk, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my cell.toml").write_text("least = 10.0\n")
    outcome = gelenk(
        "campaign", THROW, "--trials", "20", "--config", "my cell.toml",
        "--set", "spread=2",
    )  # fmt: skip
    (command,) = re.findall(r"replay one: (.*)", outcome.out)
    seed = int(re.findall(r"--only (\d+)", command)[0])

    again = gelenk(*shlex.split(command)[1:], "--json")

    expected = light_scenarios.throw(
        light_scenarios.ThrowCfg(least=10.0, spread=2.0), seed
    )
    assert again.code == exit_codes.MISSED
    assert again.json()["figures"]["distance"]["mean"] == expected.figures["distance"]
    with open_recording(tmp_path / f"{seed}.mcap") as recording:
        assert recording.metadata["seed"] == seed
        (message,) = recording.messages("landing")
    assert message.value["distance"] == expected.figures["distance"]


def test_failing_seeds_are_recorded_into_a_folder(gelenk, tmp_path) -> None:
    folder = tmp_path / "failed"
    outcome = gelenk(
        "campaign", THROW, "--trials", "8", "--set", "least=10",
        "--record", str(folder), "--json",
    )  # fmt: skip

    result = outcome.json()
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(f"{seed}.mcap" for seed in result["failing_seeds"])
    assert names
    assert sorted(result["recordings"]) == [str(folder / name) for name in names]


def test_errors_of_trials_carry_their_traceback(gelenk) -> None:
    outcome = gelenk(
        "campaign", TROUBLE, "--only", "5", "--set", "kind=raise", "--json"
    )

    (failed,) = outcome.json()["failed"]
    assert outcome.code == exit_codes.MISSED
    assert (failed["seed"], failed["status"]) == (5, "error")
    assert failed["reason"] == "ValueError: seed 5 is bad"
    assert "light_scenarios.py" in failed["traceback"]


def test_a_crash_is_reported_with_its_seed(gelenk) -> None:
    outcome = gelenk("campaign", TROUBLE, "--only", "5", "--set", "kind=SIGSEGV")

    assert outcome.code == exit_codes.MISSED
    assert "5  crashed" in outcome.out
    assert "SIGSEGV" in outcome.out


def test_the_scenarios_that_ship_are_listed(gelenk) -> None:
    names = [found.name for found in list_scenarios()]

    table = gelenk("campaign", "--list")
    listing = gelenk("campaign", "--list", "--json").json()

    assert table.code == exit_codes.OK
    assert [entry["name"] for entry in listing] == names
    assert all(name in table.out for name in names)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "say which SCENARIO"),
        (("no_such_scenario",), "no scenario or scene named 'no_such_scenario'"),
        ((THROW, "--set", "sped=3"), "did you mean 'speed'"),
        ((THROW, "--set", "speed=fast"), r"expected a number \[m/s\]"),
        ((THROW, "--config", "/no/such.toml"), "No such file"),
        ((THROW, "--trials", "0"), "trials"),
        ((THROW, "--only", "3", "--trials", "4"), "leave out --trials"),
        ((THROW, "--workers", "1", "--cluster", "tcp://x:1"), "either"),
        ((THROW, "--resume", "/no/such/journal"), "No such file"),
        ((THROW, "--resume", "a", "--journal", "b"), "either --journal or --resume"),
        ((THROW, "--record", "/no/such/folder"), "there is no folder"),
        ((THROW, "--only", "3", "--record", FILE), "exists already"),
        ((THROW, "--timeout", "-1"), "timeout"),
    ],
)
def test_bad_requests_end_with_2_and_say_why(gelenk, arguments, words) -> None:
    outcome = gelenk("campaign", *arguments)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert outcome.out == ""
    assert re.search(words, outcome.err), outcome.err


def test_a_journal_alone_says_all_that_is_needed_to_go_on(gelenk, tmp_path) -> None:
    journal = str(tmp_path / "journal.jsonl")
    options = ("--trials", "12", "--seed", "3", "--set", "least=10", "--json")
    first = gelenk("campaign", THROW, *options, "--journal", journal).json()
    lines = Path(journal).read_text().splitlines(keepends=True)
    Path(journal).write_text("".join(lines[:5]))

    again = gelenk("campaign", "--resume", journal, "--json").json()

    assert again["resumed"] == 4
    assert again["figures"] == first["figures"]
    assert again["failing_seeds"] == first["failing_seeds"]
    assert "--set least=10.0" in again["failed"][0]["replay"]


def test_settings_of_a_journal_come_back_as_options(gelenk, tmp_path) -> None:
    journal = str(tmp_path / "journal.jsonl")
    options = ("--set", "kind=raise", "--set", f"folder={tmp_path}", "--set", "every=1")
    gelenk("campaign", TROUBLE, "--trials", "1", *options, "--journal", journal)

    again = gelenk("campaign", "--resume", journal, "--json").json()

    words = shlex.split(again["failed"][0]["replay"])
    settings = [words[i + 1] for i, word in enumerate(words) if word == "--set"]
    config = light_scenarios.trouble.resolve(options_layer(settings)).config
    expected = light_scenarios.TroubleCfg(kind="raise", folder=str(tmp_path), every=1)
    assert config == expected


def test_the_settings_it_shows_make_the_same_configuration(gelenk, tmp_path) -> None:
    shown = gelenk("campaign", THROW, "--set", "speed=12.5", "--show-config")
    path = tmp_path / "cell.toml"
    path.write_text(shown.out)

    again = gelenk("campaign", THROW, "--config", str(path), "--show-config", "--json")

    assert shown.code == exit_codes.OK
    assert "speed = 12.5  # [m/s] from option --set speed=12.5" in shown.out
    assert again.json()["speed"] == {
        "value": 12.5,
        "unit": "m/s",
        "origin": f"{path}, line 1",
    }


def test_a_resumed_journal_must_fit(gelenk, tmp_path) -> None:
    journal = str(tmp_path / "journal.jsonl")
    gelenk("campaign", THROW, "--trials", "3", "--journal", journal)

    other = gelenk("campaign", THROW, "--resume", journal, "--set", "speed=11")

    assert other.code == exit_codes.IMPOSSIBLE
    assert "belongs to another campaign" in other.err


@pytest.mark.slow
def test_a_cluster_is_named_by_its_address(gelenk) -> None:
    distributed = pytest.importorskip("distributed")
    options = ("campaign", THROW, "--trials", "20", "--json")
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
    ) as cluster:
        there = gelenk(*options, "--cluster", cluster.scheduler_address)

    assert there.code == exit_codes.OK
    assert there.json()["figures"] == gelenk(*options).json()["figures"]


def start_campaign(folder: Path, *, work: float, trials: int) -> subprocess.Popen[str]:
    """Start a campaign whose trials take `work` [s]; wait until some have begun."""
    marks = folder / "marks"
    marks.mkdir()
    process = subprocess.Popen(
        [*GELENK, "campaign", TROUBLE, "--trials", "200", "--workers", "2",
         "--set", f"work={work}", "--set", f"folder={marks}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"TMPDIR": str(folder)},
    )  # fmt: skip
    deadline = time.monotonic() + 60.0
    while len(list(marks.iterdir())) < trials and time.monotonic() < deadline:
        time.sleep(0.01)
    return process


def assert_no_process_is_left(processes: list[psutil.Process]) -> None:
    assert len(processes) == 2
    _, alive = psutil.wait_procs(processes, timeout=10.0)
    left = [process for process in alive if process.is_running()]
    assert [p for p in left if p.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.slow
def test_ctrl_c_leaves_no_process_and_a_journal_to_go_on_from(gelenk, tmp_path) -> None:
    """Without `--journal`: nobody should lose an hour for having left it out."""
    process = start_campaign(tmp_path, work=0.05, trials=8)
    workers = psutil.Process(process.pid).children(recursive=True)

    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30.0)

    assert process.returncode == exit_codes.INTERRUPTED
    assert out == ""
    assert_no_process_is_left(workers)
    (command,) = re.findall("continue with: (.*)", err)
    journal = Path(shlex.split(command)[-1])
    done = len(journal.read_text().splitlines()) - 1
    again = gelenk(*shlex.split(command)[1:], "--trials", str(done + 3), "--json")
    assert done >= 4
    assert again.json()["resumed"] == done
    assert again.json()["trials"] == done + 3


@pytest.mark.slow
def test_workers_end_when_the_campaign_is_killed(tmp_path) -> None:
    """In the middle of a long trial: they cannot wait for its end to notice."""
    process = start_campaign(tmp_path, work=1000.0, trials=2)
    workers = psutil.Process(process.pid).children(recursive=True)

    process.kill()
    process.communicate(timeout=30.0)

    assert_no_process_is_left(workers)


@pytest.mark.slow
def test_a_terminal_sees_progress_and_stdout_only_the_result() -> None:
    code, out, err = run_on_terminal(
        [*GELENK, "campaign", THROW, "--trials", "10", "--json"]
    )

    assert code == exit_codes.OK
    assert json.loads(out)["trials"] == 10
    assert "10/10 throw" in err


def test_no_temporary_journal_stays_behind(gelenk, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    gelenk("campaign", THROW, "--trials", "3")
    gelenk("campaign", THROW, "--trials", "3", "--timeout", "-1")

    assert list(tmp_path.iterdir()) == []
