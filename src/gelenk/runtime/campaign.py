"""Campaigns: a scenario over many seeds, in parallel, resumable, none lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gelenk import __version__
from gelenk.errors import ConfigError
from gelenk.runtime.config import Resolved, fingerprint
from gelenk.runtime.local_pool import CampaignError as CampaignError
from gelenk.runtime.local_pool import InProcess, LocalPool, Pool
from gelenk.runtime.scenario import Scenario, get_scenario
from gelenk.runtime.trial import (
    Job,
    Journal,
    Trial,
    TrialTask,
    create_journal,
    make_job,
    resume_journal,
)
from gelenk.runtime.trial import trial_seed as trial_seed

Progress = Callable[[int, int, str], object]  # done, total, a few words


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """A finished campaign.

    Attributes:
        scenario: Scenario of the trials.
        config: Configuration of the trials.
        seed: Seed of the campaign; None if the seeds were given.
        trials: All trials, by number.
        resumed: Number of trials that were taken from the journal.
        wall_time: Wall time of the other trials [s].

    Example:
        >>> from gelenk.runtime import run_campaign
        >>> low = {"height": (0.05, 0.05), "restitution": (0.3, 0.3)}
        >>> campaign = run_campaign("bounce", low, seeds=[7, 8], workers=0)
        >>> [trial.seed for trial in campaign.trials], campaign.is_accepted
        ([7, 8], True)
    """

    scenario: Scenario
    config: Any
    seed: int | None
    trials: tuple[Trial, ...]
    resumed: int
    wall_time: float

    @property
    def failed(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if not trial.ok)

    @property
    def success_rate(self) -> float:
        return 1.0 - len(self.failed) / len(self.trials)

    @property
    def is_accepted(self) -> bool:
        return self.success_rate >= self.scenario.acceptance


def run_campaign(
    scenario: str | Scenario,
    config: object = None,
    *,
    trials: int | None = None,
    seeds: Sequence[int] | None = None,
    seed: int = 0,
    workers: int | None = None,
    cluster: str | None = None,
    timeout: float | None = None,
    journal: str | Path | None = None,
    resume: bool = False,
    pool: Pool | None = None,
    on_progress: Progress | None = None,
) -> Campaign:
    """Run a scenario over many seeds and return all trials.

    The result is the same for any number of workers, here or on a cluster.

    Args:
        scenario: Name or place of a scenario, or itself.
        config: Configuration of the scenario, a `Resolved` one, or plain values.
        trials: Number of trials, with seeds drawn from `seed`.
        seeds: Seeds of the trials, instead of `trials`.
        seed: Seed of the campaign.
        workers: Processes on this machine, by default one per core; 0 runs the trials
            in this process, without protection.
        cluster: Address of a Dask scheduler that runs the trials instead.
        timeout: Longest wall time of one trial [s].
        journal: File that keeps each trial as it ends.
        resume: Whether to continue the journal instead of refusing one that exists.
        pool: Workers to use, which stay open; instead of `workers` and `cluster`.
        on_progress: Function of the trials done, trials in all and a few words.

    Raises:
        ConfigError: A request that cannot be met.
        CampaignError: The workers are gone; `resume` goes on from the journal.

    Example:
        >>> from gelenk.runtime import run_campaign
        >>> low = {"height": (0.05, 0.05), "restitution": (0.3, 0.3)}
        >>> run_campaign("bounce", low, trials=2, workers=0).success_rate
        1.0
    """
    found = get_scenario(scenario)
    resolved = _resolved(found, config)
    tasks = make_tasks(trials=trials, seeds=seeds, seed=seed)
    job = make_job(found, resolved.config, resolved.origins)
    campaign_seed = seed if seeds is None else None
    start = time.monotonic()
    with ExitStack() as stack:
        book: Journal | None = None
        if journal is not None:
            header = make_header(found, job, tasks, campaign_seed)
            open_book = resume_journal if resume else create_journal
            book = stack.enter_context(open_book(journal, header))
        if pool is None:
            pool = make_pool(workers=workers, cluster=cluster, timeout=timeout)
            stack.callback(pool.close)
        resumed, done = _run_all(pool, job, tasks, book, on_progress, found.name)
    return Campaign(
        scenario=found,
        config=resolved.config,
        seed=campaign_seed,
        trials=done,
        resumed=resumed,
        wall_time=time.monotonic() - start,
    )


def _resolved(scenario: Scenario, config: object) -> Resolved[Any]:
    if isinstance(config, Resolved):
        return config
    return Resolved(config=scenario.as_config(config), origins={})


def _run_all(
    pool: Pool,
    job: Job,
    tasks: Sequence[TrialTask],
    journal: Journal | None,
    on_progress: Progress | None,
    name: str,
) -> tuple[int, tuple[Trial, ...]]:
    """Run what the journal does not have; return how much it had, and all trials."""
    wanted = {task.index for task in tasks}
    known = journal.trials.items() if journal is not None else ()
    done = {index: trial for index, trial in known if index in wanted}
    resumed = len(done)
    rest = [task for task in tasks if task.index not in done]
    failed = sum(not trial.ok for trial in done.values())
    tell = on_progress or (lambda *_: None)
    tell(len(done), len(tasks), name)
    for trial in pool.run(job, rest) if rest else ():
        if journal is not None:
            journal.write(trial)
        done[trial.index] = trial
        failed += not trial.ok
        tell(len(done), len(tasks), f"{name}, {failed} failed" if failed else name)
    return resumed, tuple(done[task.index] for task in tasks)


def record_trials(
    scenario: str | Scenario,
    config: object,
    paths: Mapping[int, str | Path],
    *,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> tuple[Trial, ...]:
    """Run single seeds again, each recorded to a file, in a process of their own.

    Args:
        scenario: Name or place of a scenario, or itself.
        config: Configuration of the scenario, as for `run_campaign`.
        paths: File by seed; existing files are replaced.
        timeout: Longest wall time of one trial [s].
        on_progress: Function of the trials done, trials in all and a few words.

    Example:
        >>> import tempfile
        >>> from gelenk.runtime import record_trials
        >>> low = {"height": (0.05, 0.05), "restitution": (0.3, 0.3)}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     (trial,) = record_trials("bounce", low, {7: f"{folder}/seven.mcap"})
        >>> trial.seed, trial.status
        (7, 'ok')
    """
    found = get_scenario(scenario)
    resolved = _resolved(found, config)
    job = make_job(found, resolved.config, resolved.origins)
    tasks = [
        TrialTask(index=index, seed=seed, record=str(Path(path).absolute()))
        for index, (seed, path) in enumerate(paths.items())
    ]
    pool = LocalPool(1, timeout=timeout)
    try:
        label = f"recording {found.name}"
        return _run_all(pool, job, tasks, None, on_progress, label)[1]
    finally:
        pool.close()


def make_tasks(
    *, trials: int | None, seeds: Sequence[int] | None = None, seed: int = 0
) -> list[TrialTask]:
    """Return the tasks of a campaign, from a number of trials or from seeds."""
    if (trials is None) == (seeds is None):
        raise ConfigError("say either `trials` or `seeds`, and not both")
    if seeds is None:
        assert trials is not None
        if trials < 1:
            raise ConfigError(f"`trials` must be at least 1, got {trials}")
        seeds = [trial_seed(seed, index) for index in range(trials)]
    if not seeds:
        raise ConfigError("`seeds` must have at least one seed, got none")
    return [TrialTask(index=index, seed=int(one)) for index, one in enumerate(seeds)]


def make_pool(
    *, workers: int | None, cluster: str | None, timeout: float | None
) -> Pool:
    """Return the workers that the arguments of `run_campaign` ask for."""
    if cluster is not None:
        if workers is not None:
            raise ConfigError("say either `workers` or `cluster`, and not both")
        from gelenk.runtime.cluster import ClusterPool

        return ClusterPool(cluster, timeout=timeout)
    if workers == 0:
        if timeout is not None:
            raise ConfigError(
                "a `timeout` needs worker processes; use at least 1 worker"
            )
        return InProcess()
    return LocalPool(workers, timeout=timeout)


def make_header(
    scenario: Scenario, job: Job, tasks: Sequence[TrialTask], seed: int | None
) -> dict[str, Any]:
    """Return the first line of the journal; the number of trials may grow later."""
    return {
        "name": scenario.name,
        "scenario": job.scenario,
        "source": job.source,
        "config": job.config,
        "config_fingerprint": fingerprint(job.config),
        "seed": seed,
        "seeds": None if seed is not None else [task.seed for task in tasks],
        "trials": len(tasks),
        "gelenk": __version__,
    }
