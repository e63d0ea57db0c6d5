"""The process in which submissions run: started as a script, imports NumPy only.

It reads one request per line (JSON), forks a child for each, and answers in lines of
JSON: one per call, written by the child, and an `end` line of its own. The child has
limits on time, memory and files and is killed, with all it started, when its time is
up; the next request finds everything as it was.

Started by `gelenk.robots.armbot.exercise.runner`.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
import importlib.util
import io
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import numpy as np

MAX_ITEMS = 20_000  # numbers in one answer
MAX_TRACE = 4_000  # calls of a given function that are remembered
MAX_PRINTED = 400  # characters that are remembered
FORBIDDEN = "gelenk"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h


class TooSlowError(BaseException):
    """The time of one call is over; no `except Exception` stops it."""


class Printed(io.TextIOBase):
    """What the submission prints: the beginning is kept, the rest counted."""

    def __init__(self) -> None:
        self.text, self.count = "", 0

    def write(self, text: str) -> int:
        """Keep the beginning of what is printed."""
        self.count += len(text)
        self.text += text[: MAX_PRINTED - len(self.text)]
        return len(text)

    def writable(self) -> bool:
        return True


class NoGelenk:
    """Import hook: an exercise is not solved by the library that checks it."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Refuse to find the library."""
        if name.partition(".")[0] == FORBIDDEN:
            raise ImportError(
                f"{FORBIDDEN} is not available in an exercise: write it yourself"
            )


def serve() -> None:
    """Answer requests until the input ends."""
    answers = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for target in (1, 2):
        os.dup2(null, target)
    set_process_option(PR_SET_CHILD_SUBREAPER, 1)  # orphans become children of this
    given = load_by_path("given", Path(__file__).with_name("given.py"))
    for line in sys.stdin.buffer:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            os.dup2(null, 0)
            run_in_child(request, answers, given)
        end = wait_for(child, request["total_s"])
        # A line that the child could not finish is ended first.
        write_all(answers, b"\n" + json.dumps({"end": end}).encode() + b"\n")


def wait_for(child: int, limit: float) -> dict[str, object]:
    """Wait for the child, kill what is left of it, and say how it ended."""
    deadline, pause, is_over = time.monotonic() + limit, 0.001, False
    while True:
        state = os.waitid(
            os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG
        )  # not reaped yet: its number, and that of its group, stay taken
        if state is not None:
            break
        if time.monotonic() > deadline:
            is_over = True
            break
        time.sleep(pause)
        pause = min(2.0 * pause, 0.02)
    for kill, number in ((os.killpg, child), (os.kill, child)):
        with contextlib.suppress(OSError):
            kill(number, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    kill_orphans()
    return {"timed_out": is_over, "code": os.waitstatus_to_exitcode(status)}


def kill_orphans() -> None:
    """Kill what the child has started and hidden in another group."""
    listing = Path(f"/proc/self/task/{os.getpid()}/children")
    with contextlib.suppress(OSError, ValueError):
        for _ in range(100):  # each may have children of its own
            orphans = [int(number) for number in listing.read_text().split()]
            if not orphans:
                return
            for number in orphans:
                os.kill(number, signal.SIGKILL)
                os.waitpid(number, 0)


def set_process_option(option: int, value: int) -> None:
    """Call prctl; elsewhere than on Linux, where there is none, do nothing."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def run_in_child(request: dict[str, Any], answers: int, given: ModuleType) -> NoReturn:
    """Load the submission, make the calls and leave."""
    code = 1
    try:
        os.setsid()
        set_process_option(PR_SET_PDEATHSIG, signal.SIGKILL)
        set_limits(request)
        Session(request, answers, given).run()
        code = 0
    finally:
        os._exit(code)


def set_limits(request: dict[str, Any]) -> None:
    """Bound memory, processor time, files and processes."""
    seconds = int(request["total_s"]) + 1
    for kind, limit in (
        (resource.RLIMIT_AS, int(request["memory"])),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        with contextlib.suppress(ValueError, OSError):  # a lower limit is in force
            resource.setrlimit(kind, (limit, limit))


class Session:
    """One submission in its own process."""

    def __init__(
        self, request: dict[str, Any], answers: int, given: ModuleType
    ) -> None:
        self.request, self.answers, self.given = request, answers, given
        self.path: str = request["path"]
        self.source = ""
        self.printed = Printed()

    def run(self) -> None:
        """Load the file, then make every call; stop after a call that is too slow."""
        signal.signal(signal.SIGALRM, _raise_too_slow)
        sys.meta_path.insert(0, NoGelenk)  # type: ignore[arg-type]
        sys.stdout = sys.stderr = self.printed  # type: ignore[assignment]
        sys.stdin = io.StringIO()
        module = ModuleType("submission")
        module.__file__ = self.path
        sys.modules["submission"] = module
        with self.reported(-1) as answer:
            data = Path(self.path).read_bytes()
            self.source = data.decode("utf-8", errors="replace")
            exec(compile(data, self.path, "exec"), vars(module))
            answer["outcome"] = "loaded"
            answer["functions"] = [n for n, v in vars(module).items() if callable(v)]
        if answer["outcome"] != "loaded":
            return
        for index, call in enumerate(self.request["calls"]):
            function = getattr(module, call["function"], None)
            if not callable(function):
                self.send({"call": index, "outcome": "missing"})
            elif self.make_call(index, function, call["args"]) == "slow":
                return

    def make_call(self, index: int, function: Callable[..., object], raw: Any) -> str:
        """Call the function once and report; return how it went."""
        trace: list[list[float]] = []
        args: list[Any] = [self.decoded(value, trace) for value in raw]
        before = copy.deepcopy([a if isinstance(a, np.ndarray) else None for a in args])
        self.printed.text, self.printed.count = "", 0
        with self.reported(index) as answer:
            answer["trace"] = trace
            value = function(*args)
            answer["outcome"], answer["value"] = "returned", encoded(value)
            answer["changed"] = [
                i
                for i, old in enumerate(before)
                if old is not None and not np.array_equal(old, args[i])
            ]
        return str(answer["outcome"])

    @contextlib.contextmanager
    def reported(self, index: int) -> Iterator[dict[str, Any]]:
        """Send what happens in the block, whatever it is."""
        answer: dict[str, Any] = {"call": index, "outcome": ""}
        try:
            limit = self.request["load_s" if index == -1 else "call_s"]
            signal.setitimer(signal.ITIMER_REAL, limit)
            yield answer
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        except TooSlowError as error:
            answer |= {"outcome": "slow", **self.place(error)}
        except BaseException as error:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            answer |= {"outcome": "raised", **self.place(error)}
            answer["type"] = type(error).__name__
            answer["message"] = _short(error)
        answer["printed"] = self.printed.text
        self.send(answer)

    def place(self, error: BaseException) -> dict[str, Any]:
        """Return the line of the submission in which it happened."""
        if isinstance(error, SyntaxError) and error.filename == self.path:
            number = error.lineno
        else:
            frames = traceback.extract_tb(error.__traceback__)
            own = [f.lineno for f in frames if f.filename == self.path]
            number = own[-1] if own else None
        lines = self.source.splitlines()
        is_known = number is not None and 0 < number <= len(lines)
        return {"line": number, "text": lines[number - 1].strip() if is_known else ""}  # type: ignore[operator]

    def decoded(self, value: Any, trace: list[list[float]]) -> object:
        """Return an argument as the submission sees it."""
        if isinstance(value, dict) and "array" in value:
            return np.array(value["array"], dtype=float).reshape(value["shape"])
        if not isinstance(value, dict):
            return value
        function = self.given.make_given(*value["given"])
        if value["given"][0] != "position":
            return function

        def watched(q: Any) -> object:
            if len(trace) < MAX_TRACE:
                trace.append(np.array(q, dtype=float).ravel().tolist())
            return function(q)

        return watched

    def send(self, answer: dict[str, Any]) -> None:
        """Write one line to those who asked."""
        write_all(self.answers, json.dumps(answer).encode() + b"\n")


def encoded(value: Any) -> dict[str, Any]:
    """Return an answer as plain numbers, or in words what it is."""
    if value is None:
        return {"kind": "none"}
    if isinstance(value, set | frozenset):
        value = list(value)
    named: dict[str, Any] = {"kind": "other", "type": type(value).__name__}
    if isinstance(value, str | bytes | dict | bool | np.bool_) or callable(value):
        return named
    try:
        array = np.asarray(value)
        if array.dtype == object and array.size <= MAX_ITEMS:
            array = array.astype(float)
    except Exception:
        is_list = isinstance(value, list | tuple)
        return named | {"uneven": is_list}
    if array.size > MAX_ITEMS:
        return named | {"size": int(array.size)}
    if np.iscomplexobj(array) and not np.any(np.imag(array)):
        array = np.real(array)
    if array.dtype.kind not in "fiu":
        return named | {"dtype": str(array.dtype)}
    # JSON would make [] of every array without elements.
    return {
        "kind": "numbers",
        "shape": list(array.shape),
        "value": array.astype(float).ravel().tolist(),
    }


def load_by_path(name: str, path: Path) -> ModuleType:
    """Import a file that is on no search path."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None, path
    assert spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_all(target: int, data: bytes) -> None:
    """Write everything, in as many pieces as the pipe takes."""
    while data:
        data = data[os.write(target, data) :]


def _short(error: BaseException) -> str:
    try:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception:
        message = ""
    return (message or "")[:300]


def _raise_too_slow(*_: object) -> NoReturn:
    raise TooSlowError


if __name__ == "__main__":
    serve()
