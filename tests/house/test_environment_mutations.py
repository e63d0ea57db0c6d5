"""Damaged environment files are read or refused, never anything else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gelenk.robots.armbot.environment.description import Place
from robots.armbot.environment.sample_files import ALL_SHAPES, TWO_ARMS
from testkit import environment_mutations
from testkit.environment_mutations import (
    MUTATIONS,
    fuzz,
    is_in_file,
    mutate,
    try_to_read,
)

TESTS = str(Path(__file__).resolve().parents[1])
TEXTS = (TWO_ARMS, ALL_SHAPES)

# Calls of Python functions per character that reading may take; measured: 0.5 to 3.
CALLS_PER_CHARACTER = 12
CALLS_PER_FILE = 4000  # looking for near words


# A process of its own: a profiler set in one that has run other things may never return.
COUNTER = """
import json, sys
from testkit.environment_mutations import try_to_read

def count_calls(data):
    calls = 0
    def count(frame, event, argument):
        nonlocal calls
        calls += event == "call"
    sys.setprofile(count)
    try:
        try_to_read(data)
    finally:
        sys.setprofile(None)
    return calls

texts = json.load(sys.stdin)
print(json.dumps([count_calls(bytes.fromhex(text)) for text in texts]))
"""


def count_calls(files: list[bytes]) -> list[int]:
    """Return how many Python functions are called while each file is read."""
    texts = json.dumps([data.hex() for data in files])
    command = [sys.executable, "-c", COUNTER]
    done = subprocess.run(
        command,
        input=texts,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": TESTS},
    )
    return json.loads(done.stdout)


@pytest.mark.slow
def test_damaged_files_are_read_or_refused_with_places() -> None:
    result = fuzz(400, 1, TEXTS)

    assert result.first_failure == ""
    assert (result.unlocated, result.crashed) == (0, 0)
    assert result.loaded + result.refused == 400
    assert min(result.loaded, result.refused) > 40  # both happen


ABSURD = (
    "foo bar baz " * 2000,
    "\n".join(f"WORD{i} 1" for i in range(2000)),
    "\n".join(f"NUMBER N{i} U{i}" for i in range(1500)),
    "BALL 1 2 3 4 0.5 0.5 FF0000\n" * 800,
    "DEBUGNAME a\nSPHERE 0 0 0 1 FF0000\n" * 700,
    "CONFIG " + "a//b " * 5000,
    "CONFIG " + "/**/" * 5000,
    "CONFIG " + "_I{" * 8000 + "}",
    "STEP 1 FF0000 POLY 1e9 " + "1 " * 10000 + "ENDSTEP",
    "TILE 0~1e9 0~1e9 FF0000\n" * 900,
    "NUMBER A " + "(" * 20000,
    "/ " * 10000,
)


@pytest.mark.slow
def test_reading_takes_work_in_proportion_to_the_file() -> None:
    rng = np.random.default_rng(2)
    files = [mutate(TEXTS[int(rng.integers(2))], rng) for _ in range(100)]

    for data, calls in zip(files, count_calls(files), strict=True):
        assert calls < CALLS_PER_FILE + CALLS_PER_CHARACTER * len(data)


@pytest.mark.slow
def test_absurd_files_take_work_in_proportion_too() -> None:
    files = [text.encode() for text in ABSURD]

    for data, calls in zip(files, count_calls(files), strict=True):
        assert calls < 4 * CALLS_PER_FILE + CALLS_PER_CHARACTER * len(data), data[:20]


def test_strings_made_of_strings_do_not_explode() -> None:
    lines = ["STRING A0 0123456789"]
    lines += [f"STRING A{i + 1} _S{{A{i}}}__S{{A{i}}}_" for i in range(60)]

    outcome, message = try_to_read("\n".join(lines).encode())

    assert outcome == "refused"
    assert message.count("\n") == 0
    assert "at most 4096 characters" in message


def test_the_same_seed_damages_alike_and_another_one_differently() -> None:
    def files(seed: int) -> list[bytes]:
        rng = np.random.default_rng(seed)
        return [mutate(TWO_ARMS, rng) for _ in range(30)]

    assert files(3) == files(3)
    assert files(3) != files(4)


def test_every_kind_of_damage_does_damage() -> None:
    rng = np.random.default_rng(5)

    for change in MUTATIONS:
        assert any(change(TWO_ARMS, rng) != TWO_ARMS for _ in range(5))
        assert isinstance(
            change("", rng), str
        )  # nothing to damage is no reason to fail


def test_a_reader_that_crashes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise KeyError("cx")

    monkeypatch.setattr(environment_mutations, "parse_environment", crash)

    result = fuzz(40, 0, TEXTS)

    assert result.crashed >= 35  # the others were no text
    assert "KeyError('cx')" in result.first_failure


@pytest.mark.parametrize(
    ("line", "column", "is_inside"),
    [(1, 1, True), (2, 4, True), (2, 5, False), (0, 1, False), (1, 0, False), (4, 1, False)],
)  # fmt: skip
def test_places_are_in_a_file_or_not(line: int, column: int, is_inside: bool) -> None:
    assert is_in_file(Place("f", line, column), b"ab\r\ncde\rf") == is_inside
