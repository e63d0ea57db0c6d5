"""Kernels are compiled once per machine, kept, announced, and never stale.

The tests work on a small package with kernels of its own, each run in an interpreter
of its own, with an empty cache.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

from gelenk.kernels.announce import counting_kernels
from terminal import run_on_terminal

INNER = """
from typing import NamedTuple
from gelenk.kernels.compile import kernel

class Pair(NamedTuple):
    first: float
    second: float

@kernel
def inner(x):
    if x < 0.0:
        raise ValueError("too small")
    return x + 1.0
"""
OUTER = """
from gelenk.kernels.compile import kernel
from probe.inner import Pair, inner

@kernel
def outer(x):
    return 10.0 * inner(x)

@kernel
def swapped(pair):
    return Pair(pair.second, inner(pair.first))

@kernel
def sums(pair):
    pairs = [Pair(inner(pair.first), pair.second)]
    return pairs[0].first + pairs[0].second
"""
BOTH = """
from gelenk.kernels.compile import kernel
from probe.core import inner as old
from probe.inner import inner as new

@kernel
def both(x):
    return 100.0 * old(x) + new(x)
"""
CALL = """
import json, logging, sys
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="log %(message)s")
from probe.outer import outer
value = outer(1.0)
outer(2.0)
hits = sum(outer.stats.cache_hits.values())
print(json.dumps({"value": value, "hits": hits}))
"""
CALL_ALL = """
import json
from probe.outer import Pair, outer, sums, swapped
values = [outer(1.0), sums(Pair(1.0, 5.0)), swapped(Pair(1.0, 5.0))]
assert type(values[2]) is Pair
[compiled] = outer.overloads.values()
assert compiled.entry_point.__module__ == outer.__module__
try:
    outer(-1.0)
except ValueError as error:
    values.append(str(error))
hits = [sum(k.stats.cache_hits.values()) for k in (outer, sums, swapped)]
print(json.dumps({"value": values, "hits": hits}))
"""
MESSAGE = "compiling kernels for this machine"
NOT_KEPT = "compiled kernels are not kept"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return the folder of a package with some kernels."""
    folder = tmp_path / "probe"
    folder.mkdir()
    (folder / "inner.py").write_text(INNER)
    (folder / "outer.py").write_text(OUTER)
    return folder


def environment(package: Path) -> dict[str, str]:
    folder = package.parent
    paths = f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    return {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(folder / "cache")}


def run(package: Path, code: str) -> str:
    """Return what code prints in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment(package),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def call(package: Path) -> tuple[dict[str, float], int]:
    """Call the kernel in a new process; return its report and the announcements."""
    out = run(package, CALL)
    return json.loads(out.splitlines()[-1]), out.count(MESSAGE)


def entries(package: Path) -> list[Path]:
    return sorted((package.parent / "cache/gelenk").glob("*.kernel"))


@pytest.mark.slow
def test_the_second_process_finds_the_kernels_and_compiles_none(package: Path) -> None:
    first, announced_first = call(package)
    second, announced_second = call(package)

    assert first == {"value": 20.0, "hits": 0}
    assert announced_first == 1  # once, though two kernels were compiled
    assert second == {"value": 20.0, "hits": 1}
    assert announced_second == 0


@pytest.mark.slow
def test_a_change_in_a_called_kernel_reaches_its_callers(package: Path) -> None:
    """numba alone would find the old `outer`, whose own file did not change."""
    assert call(package)[0]["value"] == 20.0

    (package / "inner.py").write_text(INNER.replace("x + 1.0", "x + 2.0"))

    assert call(package)[0] == {"value": 30.0, "hits": 0}


@pytest.mark.slow
def test_kernels_are_found_after_their_modules_have_moved(package: Path) -> None:
    """What returns a named tuple to Python names its module and is compiled again."""
    expected = [20.0, 7.0, [5.0, 2.0], "too small"]
    first = json.loads(run(package, CALL_ALL))

    (package / "outer.py").rename(package / "ends.py")
    call_ends = CALL_ALL.replace("probe.outer", "probe.ends")
    one_moved = json.loads(run(package, call_ends))
    (package / "deep").mkdir()
    (package / "inner.py").rename(package / "deep/core.py")
    (package / "ends.py").write_text(OUTER.replace("probe.inner", "probe.deep.core"))
    both_moved = json.loads(run(package, call_ends))
    again = json.loads(run(package, call_ends))

    assert first == {"value": expected, "hits": [0, 0, 0]}
    assert one_moved == {"value": expected, "hits": [1, 1, 1]}
    assert both_moved == {"value": expected, "hits": [1, 1, 0]}
    assert again == {"value": expected, "hits": [1, 1, 1]}


@pytest.mark.slow
def test_another_kernel_in_the_old_place_is_not_mistaken_for_it(package: Path) -> None:
    """Machine code is found by symbols that name the module it was compiled in."""
    (package / "outer.py").unlink()
    call_inner = "from probe.inner import inner; inner(1.0)"
    run(package, call_inner)
    (package / "inner.py").rename(package / "core.py")
    (package / "inner.py").write_text(INNER.replace("x + 1.0", "x + 2.0"))
    run(package, call_inner)
    (package / "both.py").write_text(BOTH)
    code = (
        "from probe.both import both, new, old; print(both(1.0),"
        "[sum(k.stats.cache_hits.values()) for k in (old, new)])"
    )

    assert run(package, code) == "203.0 [1, 1]\n"


def flip_a_byte(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


def cut(data: bytes) -> bytes:
    return data[:-1]


@pytest.mark.slow
@pytest.mark.parametrize("damage", [flip_a_byte, cut])
def test_a_damaged_entry_is_compiled_again(
    package: Path, damage: Callable[[bytes], bytes]
) -> None:
    call(package)
    sound = entries(package)
    for path in sound:
        path.write_bytes(damage(path.read_bytes()))

    damaged = call(package)[0]

    assert damaged == {"value": 20.0, "hits": 0}
    assert entries(package) == sound
    assert call(package)[0] == {"value": 20.0, "hits": 1}


@pytest.mark.slow
def test_without_a_folder_that_can_be_written_kernels_work(package: Path) -> None:
    refuse = (
        "import tempfile\n"
        "def refuse(**_): raise PermissionError(13, 'Permission denied')\n"
        "tempfile.TemporaryFile = refuse\n"
    )
    out = run(package, refuse + CALL)

    assert json.loads(out.splitlines()[-1]) == {"value": 20.0, "hits": 0}
    assert out.count(NOT_KEPT) == 1
    assert entries(package) == []


@pytest.mark.slow
def test_entries_that_nobody_reads_are_deleted_in_the_end(package: Path) -> None:
    call(package)
    inner, outer = entries(package)
    os.utime(inner, (0, 0))
    os.utime(outer, (0, 0))

    (package / "outer.py").write_text(OUTER.replace("10.0", "11.0"))
    call(package)

    assert inner in entries(package)  # since it was read
    assert outer not in entries(package)


@pytest.mark.slow
def test_on_a_terminal_the_user_is_told_once(package: Path) -> None:
    command = [sys.executable, "-c", CALL]

    _, out, screen = run_on_terminal(command, environment(package))
    _, _, screen_again = run_on_terminal(command, environment(package))

    assert screen.count(MESSAGE) == 1
    assert MESSAGE not in out
    assert screen_again == ""


def test_kernels_count_when_they_are_compiled_and_not_when_known() -> None:
    inner = numba.njit(lambda x: x + 1.0)
    outer = numba.njit(lambda x: inner(x) * 2.0)
    heard: list[int] = []

    with counting_kernels(heard.append):
        assert outer(1.0) == 4.0
        first = list(heard)
        outer(2.0)
    numba.njit(lambda x: x - 1.0)(1.0)  # nobody counts any more

    assert first == [1, 2]
    assert heard == first


def test_processes_that_compile_at_once_end_with_a_sound_cache(package: Path) -> None:
    """Six interpreters race on an empty cache; afterwards all calls are answered."""
    call = CALL.replace("outer(2.0)", "outer(2); outer(2.0)")  # two signatures each
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", call],
            env=os.environ | environment(package),
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    outputs = [run.communicate(timeout=120)[0] for run in runs]
    assert all(run.returncode == 0 for run in runs)
    assert all(json.loads(out.splitlines()[-1])["value"] == 20.0 for out in outputs)
