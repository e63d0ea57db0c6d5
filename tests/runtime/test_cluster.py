"""Campaigns on a real Dask cluster: scheduler and two worker processes on loopback."""

import os
import signal
from collections.abc import Iterator

import psutil
import pytest

import light_scenarios
from gelenk.errors import ConfigError
from gelenk.runtime.campaign import CampaignError, run_campaign
from gelenk.runtime.cluster import ClusterPool

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster() -> Iterator["distributed.LocalCluster"]:
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
    ) as running:
        running.wait_for_workers(2)
        yield running


def worker_pids(cluster: "distributed.LocalCluster") -> list[int]:
    with distributed.Client(cluster, set_as_default=False) as client:
        return list(client.run(os.getpid).values())


def test_the_cluster_gives_the_same_bits_as_this_machine(cluster) -> None:
    options = {"scenario": light_scenarios.throw, "trials": 150, "seed": 5}

    there = run_campaign(**options, cluster=cluster.scheduler_address)

    assert there.trials == run_campaign(**options, workers=0).trials


def test_a_dask_worker_killed_in_the_middle_loses_no_trial(cluster) -> None:
    victim = worker_pids(cluster)[0]
    seen: list[int] = []

    def kill_once(done: int, total: int, label: str) -> None:
        if done >= 20 and not seen:
            seen.append(done)
            os.kill(victim, signal.SIGKILL)

    seeds = list(range(1, 121))
    done = run_campaign(
        light_scenarios.trouble,
        {"work": 0.02},
        seeds=seeds,
        cluster=cluster.scheduler_address,
        on_progress=kill_once,
    )

    expected = run_campaign(
        light_scenarios.trouble, {"work": 0.0}, seeds=seeds, workers=0
    )
    assert seen
    assert victim not in worker_pids(cluster)
    assert done.trials == expected.trials


def test_crashes_and_time_over_are_results_there_as_here(cluster) -> None:
    pids = worker_pids(cluster)
    options = {"seeds": list(range(1, 12)), "cluster": cluster.scheduler_address}

    crashed = run_campaign(light_scenarios.trouble, {"kind": "SIGSEGV"}, **options)
    late = run_campaign(
        light_scenarios.trouble, {"kind": "hang"}, timeout=0.5, **options
    )

    assert [(t.seed, t.status) for t in crashed.failed] == [
        (5, "crashed"),
        (10, "crashed"),
    ]
    assert [(t.seed, t.status) for t in late.failed] == [
        (5, "timeout"),
        (10, "timeout"),
    ]
    assert worker_pids(cluster) == pids


def test_an_interrupted_campaign_leaves_nothing_on_the_cluster(
    cluster, tmp_path
) -> None:
    class StopError(Exception):
        pass

    def stop(done: int, total: int, label: str) -> None:
        if done >= 5:
            raise StopError

    options = {
        "scenario": light_scenarios.trouble,
        "config": {"work": 0.05},
        "seeds": list(range(1, 41)),
        "cluster": cluster.scheduler_address,
        "journal": tmp_path / "journal.jsonl",
    }
    with pytest.raises(StopError):
        run_campaign(**options, on_progress=stop)

    def processes() -> list[psutil.Process]:
        return [
            c for pid in worker_pids(cluster) for c in psutil.Process(pid).children()
        ]

    psutil.wait_procs(processes(), timeout=10.0)
    assert [p for p in processes() if p.status() != psutil.STATUS_ZOMBIE] == []
    done = run_campaign(**options, resume=True)
    assert done.resumed >= 5
    assert [trial.seed for trial in done.trials] == options["seeds"]


def test_a_cluster_without_workers_ends_the_campaign() -> None:
    with distributed.LocalCluster(
        n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=50
    ) as empty:
        pool = ClusterPool(empty.scheduler_address, lonely_time=1.0)
        try:
            with pytest.raises(CampaignError, match="has had no worker for 1 s"):
                run_campaign(light_scenarios.throw, trials=3, pool=pool)
        finally:
            pool.close()


def test_an_address_where_nobody_answers_is_refused(monkeypatch) -> None:
    monkeypatch.setattr("gelenk.runtime.cluster.CONNECT_TIME", 0.5)

    with pytest.raises(ConfigError, match="no Dask scheduler answers at"):
        run_campaign(light_scenarios.throw, trials=3, cluster="tcp://127.0.0.1:9")
