"""Submissions that misbehave: nothing hangs, nothing is left behind."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gelenk.robots.armbot.exercise.record import Given
from gelenk.robots.armbot.exercise.runner import Call, Limits, Run, Runner

SHORT = Limits(load=5.0, call=0.3, total=1.5)  # for what never ends by itself
AMPLE = Limits(load=30.0, call=10.0, total=60.0)  # for what does, on a busy machine


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as shared:
        yield shared


def run(
    runner: Runner, folder: Path, source: str, *calls: Call, limits: Limits = AMPLE
) -> Run:
    path = folder / "submission.py"
    path.write_text(source, encoding="utf-8")
    return runner.run(path, calls or (Call(function="f"),), limits=limits)


def body(*lines: str) -> str:
    return "def f():\n" + "".join(f"    {line}\n" for line in lines)


def test_answers_of_many_types_arrive_as_numbers(
    runner: Runner, tmp_path: Path
) -> None:
    source = (
        "import numpy as np\n"
        "from fractions import Fraction\n"
        "answers = iter([1, 2.5, [1, 2], (1, (2)), np.eye(2), np.float32(0.5),\n"
        "    [np.ones(2), np.zeros(2)], {3}, [Fraction(1, 2)], np.ones(2) + 0j, []])\n"
        "def f():\n"
        "    return next(answers)\n"
    )

    outcomes = run(runner, tmp_path, source, *[Call(function="f")] * 11).outcomes

    shapes = [o.value.shape for o in outcomes if o.value is not None]
    expected = [(), (), (2,), (2,), (2, 2), (), (2, 2), (1,), (1,), (2,), (0,)]
    assert shapes == expected
    np.testing.assert_array_equal(outcomes[8].value, [0.5])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("'text'", "a str"),
        ("{'x': 1}", "a dict"),
        ("True", "a bool"),
        ("[[1, 2], [3]]", "a list whose rows differ in length"),
        ("[1j]", "a list of type complex128"),
        ("range(10 ** 6)", "1000000 numbers"),
        ("(i for i in [1])", "a generator"),
    ],
)
def test_other_answers_are_named(
    runner: Runner, tmp_path: Path, value: str, words: str
) -> None:
    source = body(f"return {value}")
    outcome = run(runner, tmp_path, source).outcomes[0]

    assert outcome.value is None
    assert outcome.kind == words


def test_arguments_arrive_as_they_were_and_changes_are_noticed(
    runner: Runner, tmp_path: Path
) -> None:
    source = (
        "def f(x, n, A, g):\n    A[0, 0] += 1\n    return [x, n, *A.ravel(), *g(A[0])]"
    )
    A = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    position = Given("position", "planar", (1.0, 1.0, 1.0))

    call = Call(function="f", args=(0.5, 3, A, position))
    outcome = run(runner, tmp_path, source, call).outcomes[0]

    end = position(np.array([2.0, 2.0, 3.0]))
    assert outcome.value is not None
    np.testing.assert_allclose(outcome.value, [0.5, 3, 2, 2, 3, 4, 5, 6, *end])
    assert outcome.changed == (2,)
    assert outcome.trace == ((2.0, 2.0, 3.0),)


def test_an_exception_is_reported_with_its_line(runner: Runner, tmp_path: Path) -> None:
    outcome = run(runner, tmp_path, body("x = 0", "return 1 / x")).outcomes[0]

    assert outcome.state == "raised"
    assert outcome.error == "ZeroDivisionError: division by zero"
    assert (outcome.line, outcome.text) == (3, "return 1 / x")


def test_a_syntax_error_is_reported_with_its_line(
    runner: Runner, tmp_path: Path
) -> None:
    loading = run(runner, tmp_path, "x = 1\ndef f(:\n").loading

    assert loading.error.startswith("SyntaxError")
    assert (loading.line, loading.text) == (2, "def f(:")


def test_an_endless_loop_is_stopped_with_its_line(
    runner: Runner, tmp_path: Path
) -> None:
    calls = [Call(function="f")] * 3
    source = body("i = 0", "while True:", "    i += 1")
    outcomes = run(runner, tmp_path, source, *calls, limits=SHORT).outcomes

    assert [o.state for o in outcomes] == ["slow", "not run", "not run"]
    assert outcomes[0].line in (3, 4)


@pytest.mark.slow
def test_a_loop_that_catches_everything_is_stopped_too(
    runner: Runner, tmp_path: Path
) -> None:
    source = body(
        "import time",
        "while True:",
        "    try:",
        "        time.sleep(100)",
        "    except BaseException:",
        "        pass",
    )

    run(runner, tmp_path, body("return 1"))
    worker = runner._process
    outcome = run(runner, tmp_path, source, limits=SHORT).outcomes[0]

    assert outcome.state == "slow"
    assert runner._process is worker  # the child was killed, not the worker with it


@pytest.mark.parametrize(
    ("line", "state", "word"),
    [
        ("import sys; sys.exit(3)", "raised", "SystemExit"),
        ("import os; os._exit(3)", "ended", "exit code 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended", "SIGSEGV"),
        ("return input()", "raised", "EOFError"),
        ("return f()", "raised", "RecursionError"),
        ("return bytearray(8 * 1024 ** 3)", "raised", "MemoryError"),
        ("import gelenk", "raised", "write it yourself"),
        ("raise KeyboardInterrupt", "raised", "KeyboardInterrupt"),
    ],
)
def test_ways_to_leave_are_reported(
    runner: Runner, tmp_path: Path, line: str, state: str, word: str
) -> None:
    outcome = run(runner, tmp_path, body(line)).outcomes[0]

    assert outcome.state == state
    assert word in outcome.error


def test_much_output_is_cut_off(runner: Runner, tmp_path: Path) -> None:
    source = body("print('ab' * 10 ** 6)", "import os", "os.write(1, b'x')", "return 7")

    outcome = run(runner, tmp_path, source).outcomes[0]

    assert outcome.value == 7.0
    assert outcome.printed == "ab" * 200


def test_the_next_submission_finds_everything_as_it_was(
    runner: Runner, tmp_path: Path
) -> None:
    run(
        runner,
        tmp_path,
        "import numpy, math\nnumpy.cos = math.pi = None\ndef f(): pass",
    )

    source = "import numpy, math\ndef f():\n    return numpy.cos(math.pi)"
    outcome = run(runner, tmp_path, source).outcomes[0]

    assert outcome.value == -1.0


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_processes_and_files_of_a_submission_are_gone_afterwards(
    tmp_path: Path,
) -> None:
    """A grandchild in a session of its own would survive the end of its group."""
    source = body(
        "import os, time",
        "read, write = os.pipe()",
        "if os.fork() == 0:",
        "    os.setsid()",
        "    pid = os.fork()",
        "    if pid == 0:",
        "        time.sleep(1000)",
        "    os.write(write, str(pid).encode())",
        "    os._exit(0)",
        "open('left.txt', 'w').close()",
        "return [int(os.read(read, 20)), len(os.listdir('.'))]",
    )
    with Runner() as own:
        outcome = run(own, tmp_path, source).outcomes[0]
        folder = Path(own._folder.name)
        assert (folder / "left.txt").exists()

    assert not folder.exists()
    assert [p.name for p in tmp_path.iterdir()] == ["submission.py"]
    # Where processes cannot be started at all, there is none to be left.
    if outcome.value is None:
        assert "BlockingIOError" in outcome.error
    else:
        assert not is_alive(int(outcome.value[0]))


def test_a_submission_that_kills_the_worker_only_ends_itself(
    runner: Runner, tmp_path: Path
) -> None:
    source = body(
        "import os, signal, time",
        "os.kill(os.getppid(), signal.SIGKILL)",
        "time.sleep(1000)",
    )
    start = time.monotonic()
    killed = run(runner, tmp_path, source, limits=SHORT).outcomes[0]
    following = run(runner, tmp_path, body("return 5")).outcomes[0]

    assert killed.state in ("ended", "slow")
    assert following.value == 5.0
    assert time.monotonic() - start < 60.0  # not the sleep's 1000 s
