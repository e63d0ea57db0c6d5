"""One run of a scenario inside a campaign: what is asked and what came of it."""

from __future__ import annotations

import math
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.runtime.config import to_plain
from gelenk.runtime.scenario import Outcome, Scenario, get_scenario

Status = Literal["ok", "missed", "error", "crashed", "timeout"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A trial to be run.

    Attributes:
        index: Number of the trial in its campaign, from 0.
        seed: Seed of the trial.
        record: File to record it to, or nothing.
    """

    index: int
    seed: int
    record: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of a trial. Equality ignores the time it took.

    Attributes:
        index: Number of the trial in its campaign, from 0.
        seed: Seed of the trial: the scenario run with it gives the same again.
        status: "ok"; "missed" its criterion; "error": it raised; "crashed": its process
            died, twice; "timeout": it ran longer than allowed and was ended.
        figures: What was measured, by name.
        reason: Why it is not ok, in words.
        traceback: Where it raised.
        duration: Wall time [s].
    """

    index: int
    seed: int
    status: Status
    figures: dict[str, float] = field(default_factory=dict[str, float])
    reason: str = ""
    traceback: str = ""
    duration: float = field(default=0.0, compare=False)

    @property
    def ok(self) -> bool:
        return self.status == "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What the trials of a campaign share, in a form that any process understands.

    Attributes:
        scenario: Place of the scenario, `module:function` or `file.py:function`.
        source: Digest of the file that defines it.
        config: Its configuration as plain values.
        origins: Where the values come from, by dotted path.
        sys_path: Folders that may be needed to find its module.
    """

    scenario: str
    source: str
    config: Mapping[str, Any]
    origins: Mapping[str, str] = field(default_factory=dict[str, str])
    sys_path: tuple[str, ...] = ()


def make_job(
    scenario: Scenario, config: Any, origins: Mapping[str, str] | None = None
) -> Job:
    """Return the job of a scenario with a configuration."""
    return Job(
        scenario=scenario.reference,
        source=scenario.source_digest,
        config=to_plain(config),
        origins=dict(origins or {}),
        sys_path=tuple(sys.path),
    )


class LoadedJob:
    """A job in the process that runs it: scenario found, configuration built."""

    def __init__(self, job: Job) -> None:
        sys.path.extend(path for path in job.sys_path if path not in sys.path)
        self.job = job
        self.scenario = get_scenario(job.scenario)
        if self.scenario.source_digest != job.source:
            raise ConfigError(
                f"the file of scenario {job.scenario} differs from the one the "
                "campaign was started with; bring all machines to the same version"
            )
        self.config = self.scenario.as_config(job.config)
        if self.scenario.warm_up is not None:
            self.scenario.warm_up()

    def run(self, task: Task) -> Trial:
        """Run one trial; what it raises becomes a result."""
        start = time.perf_counter()
        try:
            outcome = self._run(task)
            status: Status = "ok" if outcome.ok else "missed"
            figures = {str(k): float(v) for k, v in outcome.figures.items()}
            reason, trace = outcome.reason, ""
        except (Exception, SystemExit) as error:
            status, figures, reason = "error", {}, f"{type(error).__name__}: {error}"
            trace = traceback.format_exc()
        return Trial(
            index=task.index,
            seed=task.seed,
            status=status,
            figures=figures,
            reason=reason,
            traceback=trace,
            duration=time.perf_counter() - start,
        )

    def _run(self, task: Task) -> Outcome:
        if task.record:
            from gelenk.runtime.recorder import Recorder

            metadata = {
                "scenario": self.scenario.address,
                "config": self.job.config,
                "origins": dict(self.job.origins),
                "seed": task.seed,
            }
            # A trial that crashed is run again: it replaces what the first one left.
            with Recorder(task.record, metadata, overwrite=True) as recorder:
                outcome = self.scenario(self.config, task.seed, recorder)
        else:
            outcome = self.scenario(self.config, task.seed, None)
        if not isinstance(outcome, Outcome):
            raise TypeError(
                f"scenario {self.scenario.name!r} must return an Outcome, "
                f"got a {type(outcome).__name__}"
            )
        return outcome


def trial_seed(campaign_seed: int, index: int) -> int:
    """Return the seed of trial `index`, from 0 to 2^53 - 1.

    It comes from the child `index` of `SeedSequence(campaign_seed)` and depends on
    nothing else. 53 bits survive every reader of JSON.
    """
    sequence = np.random.SeedSequence(campaign_seed, spawn_key=(index,))
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(11))


def as_record(trial: Trial) -> dict[str, Any]:
    """Return a trial as JSON holds it; inf and nan, which JSON lacks, as texts."""
    record: dict[str, Any] = {
        "trial": trial.index,
        "seed": trial.seed,
        "status": trial.status,
        "figures": {
            key: value if math.isfinite(value) else str(value)
            for key, value in trial.figures.items()
        },
    }
    if trial.reason:
        record["reason"] = trial.reason
    if trial.traceback:
        record["traceback"] = trial.traceback
    record["duration"] = round(trial.duration, 6)
    return record


def from_record(record: Mapping[str, Any]) -> Trial:
    """Return the trial that `as_record` wrote, with the same bits in its figures."""
    return Trial(
        index=record["trial"],
        seed=record["seed"],
        status=record["status"],
        figures={key: float(value) for key, value in record["figures"].items()},
        reason=record.get("reason", ""),
        traceback=record.get("traceback", ""),
        duration=record["duration"],
    )
