"""Runs a submission in a process of its own and collects what its calls return."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from gelenk.closing import Closing
from gelenk.robots.armbot.exercise.record import Given
from gelenk.typing import FloatArray

LOAD_LIMIT = 10.0  # [s]; SciPy alone can take seconds on a busy machine
CALL_LIMIT = 3.0  # [s], one call
TOTAL_LIMIT = 20.0  # [s], the whole submission
MEMORY_LIMIT = 2 * 1024**3  # [bytes]
MAX_OUTPUT = 64 * 1024**2  # [bytes] of answers of one submission
GRACE = 10.0  # [s] that the worker has to report a killed child
WORKER = Path(__file__).with_name("worker.py")

State: TypeAlias = Literal["returned", "raised", "slow", "missing", "ended", "not run"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """What came of one call.

    Attributes:
        state: "ended": the process was gone; "not run": something before it took all
            the time or ended the process.
        value: The numbers that were returned, if they were numbers.
        kind: "none", "numbers" or, in words, what else was returned.
        error: Exception, such as "ValueError: math domain error".
        line, text: Line of the submission and what stands there.
        changed: Indices of the arguments that the call has altered.
        printed: The beginning of what it printed.
        trace: Joint values at which a given function was evaluated.
    """

    state: State
    value: FloatArray | None = None
    kind: str = ""
    error: str = ""
    line: int | None = None
    text: str = ""
    changed: tuple[int, ...] = ()
    printed: str = ""
    trace: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """What came of a submission.

    Attributes:
        loading: How the file itself was loaded; `returned` if it was.
        functions: Names of the functions it defines.
        outcomes: One per call.
    """

    loading: Outcome
    functions: tuple[str, ...]
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a submission may take.

    Attributes:
        load: Time to load the file, with all it imports [s].
        call: Time of one call [s].
        total: Time of all calls [s].
        memory: Address space [bytes].
    """

    load: float = LOAD_LIMIT
    call: float = CALL_LIMIT
    total: float = TOTAL_LIMIT
    memory: int = MEMORY_LIMIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call to be made."""

    function: str
    args: tuple[Any, ...] = field(default=())


class Runner(Closing):
    """A worker process, good for any number of submissions; use as a context manager.

    Files that a submission makes lie in a folder that disappears with the worker.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gelenk-exercise-")
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def close(self) -> None:
        """End the worker and remove its folder."""
        self._stop()
        self._folder.cleanup()

    def run(
        self, path: Path, calls: Sequence[Call], *, limits: Limits | None = None
    ) -> Run:
        """Load the file at `path` in a fresh process and make the calls in order."""
        limits = limits or Limits()
        request = {
            "path": str(path.resolve()),
            "calls": [
                {"function": c.function, "args": [_encoded(a) for a in c.args]}
                for c in calls
            ],
            "load_s": limits.load,
            "call_s": limits.call,
            "total_s": limits.total,
            "memory": limits.memory,
        }
        process = self._started()
        assert process.stdin is not None
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        answers, end = self._answers(process, limits.total + GRACE)
        return _run_from(answers, end, len(calls))

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._rest = b""
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-B", str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self._folder.name,
                env={
                    "PATH": os.defpath,
                    "OPENBLAS_NUM_THREADS": "1",
                    "OMP_NUM_THREADS": "1",
                },
                start_new_session=True,
            )
        return self._process

    def _answers(
        self, process: subprocess.Popen[bytes], limit: float
    ) -> tuple[dict[int, dict[str, Any]], dict[str, Any]]:
        """Read lines until the end is reported; kill a worker that does not."""
        assert process.stdout is not None
        deadline, total = time.monotonic() + limit, 0
        answers: dict[int, dict[str, Any]] = {}
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                while b"\n" in self._rest:
                    line, _, self._rest = self._rest.partition(b"\n")
                    message = _parsed(line)
                    if "end" in message:
                        return answers, message["end"]
                    if isinstance(message.get("call"), int):
                        answers.setdefault(message["call"], message)
                left = deadline - time.monotonic()
                ready = selector.select(left) if left > 0.0 else []
                data = os.read(process.stdout.fileno(), 1 << 16) if ready else b""
                total += len(data)
                if not data or total > MAX_OUTPUT:
                    self._stop()
                    return answers, {"timed_out": not data, "code": None}
                self._rest += data

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()


def _encoded(value: object) -> object:
    if isinstance(value, Given):
        return {"given": [value.what, value.arm, list(value.lengths)]}
    if isinstance(value, np.ndarray):
        return {"array": value.ravel().tolist(), "shape": list(value.shape)}
    if isinstance(value, bool | int | str):
        return value
    return float(value)  # type: ignore[arg-type]


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:  # cut off by the end of its process
        return {}
    return message if isinstance(message, dict) else {}


def _run_from(
    answers: dict[int, dict[str, Any]], end: dict[str, Any], count: int
) -> Run:
    outcomes: list[Outcome] = []
    is_over = False
    for index in range(-1, count):
        if index in answers:
            outcomes.append(_outcome_from(answers[index]))
        elif is_over:
            outcomes.append(Outcome(state="not run"))
        else:
            outcomes.append(_last_outcome(end))
        is_over = is_over or outcomes[-1].state in ("slow", "ended", "not run")
        if index == -1 and outcomes[0].state != "returned":
            is_over = True
    names = answers.get(-1, {}).get("functions", ())
    return Run(
        loading=outcomes[0], functions=tuple(names), outcomes=tuple(outcomes[1:])
    )


def _last_outcome(end: dict[str, Any]) -> Outcome:
    """Return what happened in the call after which no answer came."""
    if end["timed_out"]:
        return Outcome(state="slow")
    code = end["code"]
    if code is not None and code < 0:
        how = f"it was ended by {signal.Signals(-code).name}"
    elif code is None:
        how = "it wrote more than can be read"
    else:
        how = f"it left with exit code {code}"
    return Outcome(state="ended", error=how)


def _outcome_from(answer: dict[str, Any]) -> Outcome:
    """Return one line of the worker as a record."""
    state = answer["outcome"]
    trace = tuple(tuple(row) for row in answer.get("trace", ()))
    place = {"line": answer.get("line"), "text": answer.get("text", "")}
    printed = answer.get("printed", "")
    if state == "raised":
        error = ": ".join(filter(None, (answer["type"], answer["message"])))
        return Outcome(
            state="raised", error=error, trace=trace, printed=printed, **place
        )
    if state == "slow":
        return Outcome(state="slow", trace=trace, printed=printed, **place)
    if state == "missing":
        return Outcome(state="missing")
    if state == "loaded":
        return Outcome(state="returned", printed=printed)
    value = answer["value"]
    numbers = None
    if value["kind"] == "numbers":
        numbers = np.array(value["value"], dtype=float).reshape(value["shape"])
    return Outcome(
        state="returned",
        value=numbers,
        kind=value["kind"] if value["kind"] != "other" else _in_words(value),
        changed=tuple(answer["changed"]),
        printed=printed,
        trace=trace,
    )


def _in_words(value: dict[str, Any]) -> str:
    if value.get("uneven"):
        return f"a {value['type']} whose rows differ in length"
    if "size" in value:
        return f"{value['size']} numbers"
    if "dtype" in value:
        return f"a {value['type']} of type {value['dtype']}"
    return f"a {value['type']}"
