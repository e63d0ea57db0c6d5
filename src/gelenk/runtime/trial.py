"""Trials of a campaign, and the journal that keeps one line of each."""

from __future__ import annotations

import fcntl
import json
import math
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np

from gelenk.closing import Closing
from gelenk.errors import ConfigError, FileFormatError
from gelenk.runtime.config import to_plain
from gelenk.runtime.scenario import Outcome, Scenario, get_scenario

Status = Literal["ok", "missed", "error", "crashed", "timeout"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialTask:
    """A trial to be run.

    Attributes:
        index: Number of the trial in its campaign, from 0.
        seed: Seed of the trial.
        record: File of the recording, or nothing.
    """

    index: int
    seed: int
    record: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Result of a trial. Equality ignores the time it took.

    Attributes:
        index: Number of the trial in its campaign, from 0.
        seed: Seed of the trial: the scenario run with it gives the same again.
        status: Result: "ok"; "missed" its criterion; "error": it raised; "crashed": its
            process died, twice; "timeout": it ran longer than allowed and was ended.
        figures: Measured figures by name.
        reason: Cause of any other status than "ok", in words.
        traceback: Traceback of the exception.
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
    """Common part of a campaign's trials, in a form that any process understands.

    Attributes:
        scenario: Place of the scenario, `module:function` or `file.py:function`.
        source: Digest of the file that defines it.
        config: Configuration of the scenario as plain values.
        origins: Origins of the values by dotted path.
        sys_path: Folders that may be needed to find its module.
    """

    scenario: str
    source: str
    config: Mapping[str, Any]
    origins: Mapping[str, str] = field(default_factory=dict[str, str])
    sys_path: tuple[str, ...] = ()


def make_job(
    scenario: Scenario, config: object, origins: Mapping[str, str] | None = None
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

    def run(self, task: TrialTask) -> Trial:
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

    def _run(self, task: TrialTask) -> Outcome:
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


FORMAT = "gelenk-campaign"
VERSION = 1

# What must agree, and how a message names it.
_IDENTITY = {
    "scenario": "scenario",
    "source": "file of the scenario (digest)",
    "config_fingerprint": "configuration (fingerprint)",
    "seed": "seed of the campaign",
    "seeds": "list of seeds",
    "gelenk": "version of gelenk",
}


class Journal(Closing):
    """An open journal; trials are in the file when `write` returns."""

    def __init__(self, path: Path, stream: IO[bytes], trials: dict[int, Trial]) -> None:
        self.path, self.trials = path, trials
        self._stream = stream

    def write(self, trial: Trial) -> None:
        """Append a trial."""
        self._stream.write(_line(as_record(trial)))
        self._stream.flush()
        self.trials[trial.index] = trial

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def create_journal(path: str | Path, header: Mapping[str, Any]) -> Journal:
    """Begin a journal in a new file.

    Raises:
        ConfigError: The file exists, or cannot be made.
    """
    path = Path(path)
    try:
        stream = path.open("xb")
    except FileExistsError as error:
        raise ConfigError(
            f"journal {path} exists already; continue it with --resume {path}, or "
            "choose another name"
        ) from error
    except OSError as error:
        raise ConfigError(f"journal {path}: {error.strerror}") from error
    try:
        _lock(path, stream)
        stream.write(_line({"format": FORMAT, "version": VERSION, **header}))
        stream.flush()
    except BaseException:
        stream.close()
        raise
    return Journal(path, stream, {})


def resume_journal(path: str | Path, header: Mapping[str, Any]) -> Journal:
    """Open a journal to continue it; its `trials` are those already done.

    Raises:
        ConfigError: It belongs to another campaign, or another process writes it.
        FileFormatError: It is no journal.
    """
    path = Path(path)
    written = read_header(path)
    # As JSON gives it back: tuples become lists.
    header = json.loads(json.dumps(header))
    different = [
        f"{words}: journal {_short(written.get(key))}, now {_short(header.get(key))}"
        for key, words in _IDENTITY.items()
        if written.get(key) != header.get(key)
    ]
    if different:
        raise ConfigError(
            f"journal {path} belongs to another campaign and is left as it is: "
            f"{'; '.join(different)}; start the same campaign again or use another "
            "journal"
        )
    stream = path.open("r+b")
    try:
        _lock(path, stream)
        trials = _read_trials(path, stream)
    except BaseException:
        stream.close()
        raise
    return Journal(path, stream, trials)


def read_header(path: str | Path) -> dict[str, Any]:
    """Return the first line of a journal: what its campaign runs."""
    path = Path(path)
    try:
        with path.open("rb") as stream:
            header = json.loads(stream.readline())
    except OSError as error:
        raise ConfigError(f"journal {path}: {error.strerror}") from error
    except ValueError as error:
        raise FileFormatError(
            path, "is not the journal of a campaign", line=1
        ) from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise FileFormatError(path, "is not the journal of a campaign", line=1)
    if header.get("version") != VERSION:
        raise FileFormatError(
            path, f"has version {header.get('version')!r}, expected {VERSION}", line=1
        )
    return header


def _read_trials(path: Path, stream: IO[bytes]) -> dict[int, Trial]:
    """Read all whole lines, and cut off a last one that was never finished."""
    trials: dict[int, Trial] = {}
    stream.readline()
    end = stream.tell()
    for number, line in enumerate(stream, start=2):
        if not line.endswith(b"\n"):
            break
        try:
            trial = from_record(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise FileFormatError(
                path, "is not the record of a trial", line=number
            ) from error
        trials[trial.index] = trial
        end += len(line)
    stream.seek(end)
    stream.truncate()
    return trials


def _lock(path: Path, stream: IO[bytes]) -> None:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise ConfigError(
            f"journal {path} is being written by another campaign; wait for it, or "
            "choose another name"
        ) from error


def _line(record: Mapping[str, Any]) -> bytes:
    return (json.dumps(record, ensure_ascii=False) + "\n").encode()


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
