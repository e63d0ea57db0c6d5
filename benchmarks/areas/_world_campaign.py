"""What a campaign on two cores gains over a plain loop."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator

from benchmarks.harness import Row, Settings
from gelenk.runtime.local_pool import LocalPool, available_cores
from gelenk.runtime.scenario import get_scenario
from gelenk.runtime.trial import LoadedJob, Trial, TrialTask, make_job, trial_seed

CORES = 2
SPEEDUP = 1.8  # target
TRIALS, BLOCKS = 1000, 5  # both sides take turns, for the machine may be busy
# Low drops that soon lie still: a few milliseconds each.
SHORT = {"height": (0.05, 0.1), "restitution": (0.3, 0.5)}


def campaign_speedup(settings: Settings) -> Iterator[Row]:
    """Run short trials with worker processes and in a loop, by turns."""
    names = ("campaign_speedup", "campaign_speedup_cold")
    if available_cores() < CORES:
        for name in names:
            note = f"needs {CORES} cores, {available_cores()} can be used here"
            yield Row(name=name, value=None, unit="x", note=note)
        return
    count = settings.pick(TRIALS, TRIALS // 5)
    here, there, start_up = measure_campaign(count, settings.seed)
    per_trial = 1e3 * sum(here) / count
    yield Row(
        name=names[0],
        value=statistics.median(a / b for a, b in zip(here, there, strict=True)),
        unit="x",
        target=SPEEDUP,
        direction=">=",
        note=f"{count} trials of `bounce`, {per_trial:.2g} ms each in a loop, against "
        f"{CORES} workers that have started, in {BLOCKS} blocks by turns; "
        f"all results equal; load of the machine {os.getloadavg()[0]:.1f}, which "
        "should be below 2",
    )
    yield Row(
        name=names[1],
        value=sum(here) / (sum(there) + start_up),
        unit="x",
        note=f"with the {start_up:.1f} s in which the workers start and load",
    )


def measure_campaign(
    count: int, seed: int, *, blocks: int = BLOCKS
) -> tuple[list[float], list[float], float]:
    """Return wall times of the loop and of the workers, by block, and of the start [s].

    Raises:
        AssertionError: If a worker finds another result than the loop.
    """
    scenario = get_scenario("bounce")
    job = make_job(scenario, scenario.as_config(SHORT))
    tasks = [TrialTask(index=i, seed=trial_seed(seed, i)) for i in range(count)]
    loaded = LoadedJob(job)
    times: dict[str, list[float]] = {"loop": [], "pool": []}
    pool = LocalPool(CORES)
    try:
        start = time.perf_counter()
        pool.warm_up(job)
        start_up = time.perf_counter() - start
        for block in range(blocks):
            own = tasks[block::blocks]
            works = {
                "loop": lambda own=own: [loaded.run(task) for task in own],
                "pool": lambda own=own: list(pool.run(job, own)),
            }
            found: dict[str, list[Trial]] = {}
            for side in ("loop", "pool") if block % 2 else ("pool", "loop"):
                seconds, found[side] = _time(works[side])
                times[side].append(seconds)
            found["pool"].sort(key=lambda trial: trial.index)
            assert found["pool"] == found["loop"], "workers and loop disagree"
    finally:
        pool.close()
    return times["loop"], times["pool"], start_up


def _time(work: Callable[[], list[Trial]]) -> tuple[float, list[Trial]]:
    start = time.perf_counter()
    trials = work()
    return time.perf_counter() - start, trials
