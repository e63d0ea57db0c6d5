"""The journal of a campaign: one line per trial, so that nothing done is done again.

The first line says what is run; each further line is a trial. A journal continues only
the campaign that it belongs to: same scenario, same configuration, same seeds.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from gelenk.closing import Closing
from gelenk.errors import ConfigError, FileFormatError
from gelenk.runtime.trial import Trial, as_record, from_record

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


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
