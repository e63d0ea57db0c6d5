"""Worker processes: no trial is lost, whatever happens to a process."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import light_scenarios
from gelenk.errors import ConfigError
from gelenk.runtime.local_pool import CampaignError, InProcess, LocalPool
from gelenk.runtime.trial import Job, Trial, TrialTask, make_job


@pytest.fixture
def pool() -> Iterator[LocalPool]:
    with contextlib.closing(LocalPool(2)) as opened:
        yield opened


def tasks(count: int) -> list[TrialTask]:
    return [TrialTask(index=index, seed=index + 1) for index in range(count)]


def run(pool: LocalPool | InProcess, count: int, **config: object) -> list[Trial]:
    job = make_job(light_scenarios.trouble, config)
    return sorted(pool.run(job, tasks(count)), key=lambda trial: trial.index)


def starts(folder: Path, seed: int) -> list[int]:
    """Return the processes in which a seed was started."""
    return [int(line) for line in (folder / str(seed)).read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_processes_give_the_same_bits_as_the_plain_loop(pool: LocalPool) -> None:
    assert run(pool, 300) == run(InProcess(), 300)


@pytest.mark.slow
def test_a_flood_of_tiny_trials_with_long_reports_blocks_nobody(pool) -> None:
    """Reports fill the channel in one direction while tasks come in the other."""
    trials = run(pool, 4_000, kind="raise", every=2)

    assert [trial.index for trial in trials] == list(range(4_000))
    assert sum(trial.status == "error" for trial in trials) == 2_000


def test_two_workers_share_the_trials_and_stay_for_the_next_job(tmp_path, pool) -> None:
    run(pool, 40, work=0.01, folder=str(tmp_path))
    pids = pool.pids()
    (tmp_path / "again").mkdir()
    run(pool, 40, work=0.01, folder=str(tmp_path / "again"))

    used = {pid for seed in range(1, 41) for pid in starts(tmp_path, seed)}
    again = {pid for seed in range(1, 41) for pid in starts(tmp_path / "again", seed)}
    assert used == again == set(pids)
    assert len(used) == 2


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("SIGSEGV", "ended by signal SIGSEGV"),
        ("SIGKILL", "ended by signal SIGKILL"),
        ("exit", "ended with exit code 3"),
    ],
)
def test_a_trial_that_kills_its_process_is_tried_twice_and_reported(
    kind, words, tmp_path, pool
) -> None:
    trials = run(pool, 12, kind=kind, folder=str(tmp_path))

    failed = [trial for trial in trials if not trial.ok]
    assert [trial.seed for trial in trials] == list(range(1, 13))
    assert [(t.seed, t.status) for t in failed] == [(5, "crashed"), (10, "crashed")]
    assert failed[0].reason == f"its process was lost twice, the second one {words}"
    for seed in (5, 10):
        first, second = starts(tmp_path, seed)
        assert first != second


def test_a_trial_that_survives_its_second_start_is_ok(tmp_path, pool) -> None:
    trials = run(pool, 12, kind="SIGKILL", once=True, folder=str(tmp_path))

    assert trials == run(InProcess(), 12)
    assert len(starts(tmp_path, 5)) == 2


def test_the_second_start_is_in_a_process_that_ran_nothing_before(
    tmp_path, pool
) -> None:
    run(pool, 60, kind="SIGKILL", every=20, once=True, folder=str(tmp_path))

    order = [(seed, pid) for seed in range(1, 61) for pid in starts(tmp_path, seed)]
    for seed in (20, 40, 60):
        second = starts(tmp_path, seed)[1]
        # files of one moment may bear the same time
        times = {
            s: (tmp_path / str(s)).stat().st_mtime_ns for s, p in order if p == second
        }
        assert times[seed] == min(times.values())


def test_workers_killed_from_outside_lose_no_trial(tmp_path, pool) -> None:
    job = make_job(light_scenarios.trouble, {"work": 0.01})
    trials: list[Trial] = []
    for trial in pool.run(job, tasks(80)):
        trials.append(trial)
        if len(trials) in (10, 30):
            os.kill(pool.pids()[len(trials) // 30], signal.SIGKILL)

    assert sorted(t.index for t in trials) == list(range(80))
    assert all(trial.ok for trial in trials)


def test_a_trial_over_its_time_is_ended_and_its_neighbours_are_not_blamed() -> None:
    with contextlib.closing(LocalPool(2, timeout=0.4)) as pool:
        trials = run(pool, 12, kind="hang")

    assert [t.status for t in trials if t.seed % 5] == ["ok"] * 10
    late = [t for t in trials if t.seed % 5 == 0]
    assert {t.status for t in late} == {"timeout"}
    assert late[0].reason == "ran longer than 0.4 s and was ended"


def test_many_short_trials_are_no_time_over(pool: LocalPool) -> None:
    """The time counts per trial, not per share that a worker has in hand."""
    pool.timeout = 0.5
    trials = run(pool, 60, work=0.03)

    assert all(trial.ok for trial in trials)


def test_what_a_trial_prints_does_not_disturb(pool, capfd) -> None:
    trials = run(pool, 5, kind="print")

    captured = capfd.readouterr()
    assert len(trials) == 5
    assert captured.out == ""
    assert "trials may print" in captured.err


def test_leaving_early_ends_all_processes(pool: LocalPool) -> None:
    job = make_job(light_scenarios.trouble, {"work": 0.02})
    running = pool.run(job, tasks(100))
    next(running)
    pids = pool.pids()

    running.close()  # type: ignore[attr-defined]

    assert len(pids) == 2
    assert not any(map(is_alive, pids))


def test_a_run_can_be_stopped_from_another_thread(pool: LocalPool) -> None:
    timer = threading.Timer(0.5, pool.stop)
    timer.start()

    with pytest.raises(CampaignError, match="stopped"):
        run(pool, 3, work=60.0)

    timer.join()
    assert pool.pids() == []


def test_processes_that_a_trial_started_end_with_its_worker(tmp_path: Path) -> None:
    with contextlib.closing(LocalPool(1, timeout=1.0)) as pool:
        job = make_job(light_scenarios.forgets, {})
        (trial,) = pool.run(job, [TrialTask(index=0, seed=0, record="")])

    pid = int(trial.figures["pid"])
    deadline = time.monotonic() + 5.0
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    """Return whether a process lives; a dead one that nobody waited for does not."""
    import psutil

    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def test_a_scenario_that_workers_cannot_load_is_refused(pool: LocalPool) -> None:
    job = Job(scenario="no_such_module:x", source="", config={})

    with pytest.raises(ConfigError, match="no module named 'no_such_module'"):
        list(pool.run(job, tasks(3)))


def test_workers_that_die_at_their_start_end_the_campaign(pool, tmp_path) -> None:
    path = tmp_path / "deadly.py"
    path.write_text("import os\nos._exit(7)\n")
    job = Job(scenario=f"{path}:x", source="", config={})

    with pytest.raises(CampaignError, match=r"before their first trial.*exit code 7"):
        list(pool.run(job, tasks(3)))


@pytest.mark.parametrize("options", [{"workers": 0}, {"timeout": 0.0}, {"timeout": -1}])
def test_impossible_pools_are_refused(options) -> None:
    with pytest.raises(ConfigError):
        LocalPool(**options)


@pytest.mark.slow
def test_two_workers_do_more_than_one() -> None:
    """Sleeping trials need no core, so a busy machine changes little."""
    job = make_job(light_scenarios.trouble, {"work": 0.005})
    times: list[float] = []
    for workers in (1, 2):
        with contextlib.closing(LocalPool(workers)) as pool:
            pool.warm_up(job)
            start = time.monotonic()
            list(pool.run(job, tasks(300)))
            times.append(time.monotonic() - start)

    assert times[0] / times[1] > 1.5
