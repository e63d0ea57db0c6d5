"""Kernels are compiled once per machine, kept, announced, and never stale.

The tests work on a copy of the package with two small kernels of its own, each run
in an interpreter of its own, with an empty cache.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import gelenk
from gelenk.kernels import sources
from gelenk.kernels.announce import counting_kernels
from terminal import run_on_terminal

INNER = """
from gelenk.kernels.compile import kernel

@kernel
def inner(x):
    return x + 1.0
"""
OUTER = """
from gelenk.kernels.compile import kernel
from gelenk.kernels.probe_inner import inner

@kernel
def outer(x):
    return 10.0 * inner(x)
"""
CALL = """
import json, logging, sys
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="log %(message)s")
from gelenk.kernels.probe_outer import outer
value = outer(1.0)
outer(2.0)
hits = sum(outer.stats.cache_hits.values())
print(json.dumps({"value": value, "hits": hits}))
"""
MESSAGE = "compiling kernels for this machine"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return the folder of a copy of the package with the two kernels."""
    source = Path(gelenk.__file__).parent
    copy = tmp_path / "gelenk"
    ignore = shutil.ignore_patterns("__pycache__", "catalog", "testing", "cli")
    shutil.copytree(source, copy, ignore=ignore)
    (copy / "kernels/probe_inner.py").write_text(INNER)
    (copy / "kernels/probe_outer.py").write_text(OUTER)
    return copy


def environment(package: Path) -> dict[str, str]:
    folder = package.parent
    return {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache")}


def call(package: Path) -> tuple[dict[str, float], int]:
    """Call the kernel in a new process; return its report and the announcements."""
    done = subprocess.run(
        [sys.executable, "-c", CALL],
        env=os.environ | environment(package),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1]), done.stdout.count(MESSAGE)


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

    path = package / "kernels/probe_inner.py"
    path.write_text(INNER.replace("x + 1.0", "x + 2.0"))

    assert call(package)[0] == {"value": 30.0, "hits": 0}


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


def test_the_stamp_follows_every_file_a_kernel_draws_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stamp() -> str:
        sources.sources_stamp.cache_clear()
        sources._imported_files.cache_clear()
        return sources.sources_stamp(str(top))

    folder = tmp_path / "gelenk"
    (folder / "deep").mkdir(parents=True)
    monkeypatch.setattr(sources, "_PACKAGE", folder)
    top = folder / "top.py"
    top.write_text("from gelenk.deep import (\n    middle,  # reason\n)\n")
    (folder / "deep/middle.py").write_text("from gelenk.deep.leaf import A, B\n")
    leaf = folder / "deep/leaf.py"
    leaf.write_text("A = 1\n")
    (folder / "deep/stranger.py").write_text("A = 1\n")

    before = stamp()
    (folder / "deep/stranger.py").write_text("A = 12\n")
    assert stamp() == before
    leaf.write_text("A = 12\n")
    changed = stamp()
    (folder / "deep/__init__.py").write_text("")
    grown = stamp()

    stamp()
    assert len({before, changed, grown}) == 3


def test_the_sources_of_a_kernel_are_those_that_importing_it_loads() -> None:
    """The interpreter's own list of loaded modules is the oracle."""
    name = "gelenk.kernels.ik"
    code = f"import sys, {name}; print([m.__file__ for n, m in sys.modules.items() if n.startswith('gelenk')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # fmt: skip
    loaded = {Path(file) for file in ast.literal_eval(done.stdout)}
    start = Path(sources.__file__).with_name("ik.py")
    packages = {path for path in loaded if path.name in {"__init__.py", "_facade.py"}}

    assert loaded - packages <= sources.reachable_sources(start)


def test_processes_that_compile_at_once_end_with_a_sound_cache(package: Path) -> None:
    """Six interpreters race on an empty cache; afterwards all calls are answered."""
    call = CALL.replace("outer(2.0)", "outer(2); outer(2.0)")  # two signatures each
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", call],
            env={**os.environ, "PYTHONPATH": str(package.parent)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    outputs = [run.communicate(timeout=120)[0] for run in runs]
    assert all(run.returncode == 0 for run in runs)
    assert all(json.loads(out.splitlines()[-1])["value"] == 20.0 for out in outputs)
