"""`gelenk amee`: from options to results, messages and exit codes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from gelenk.cli import exit_codes


def test_without_a_word_the_commands_are_listed(gelenk) -> None:
    outcome = gelenk("amee")

    assert outcome.code == exit_codes.OK
    for command in ("leg", "walk"):
        assert command in outcome.out


@pytest.mark.slow
def test_a_walk_that_a_fault_ends_says_why_and_exits_with_1(gelenk) -> None:
    outcome = gelenk("amee", "walk", "--faults", "sensor-wire:4C@1.5", "--seed", "6")

    assert outcome.code == exit_codes.MISSED
    assert "stopped safely after " in outcome.out
    assert "leg 4, rear right, joint C: angle sensor C" in outcome.out
    assert outcome.out.index("all legs stop") < outcome.out.index("stopped safely")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--terrain", "rubbel"), "Did you mean 'rubble'"),
        (("--terrain", "slope:40deg"), "-15 to 15 deg"),
        (("--faults", "joint-locked:front-left:E@3"), "fault 1"),
        (("--distance", "0"), "up to 100 m"),
        (("--gait", "trot"), "save"),
    ],
)
def test_a_bad_wish_is_refused_before_anything_moves(
    gelenk, options: tuple[str, ...], words: str
) -> None:
    outcome = gelenk("amee", "walk", *options)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert words in outcome.err
    assert not outcome.out


@pytest.mark.slow
def test_a_leg_says_what_to_try_and_ends_with_ctrl_c(tmp_path) -> None:
    said = tmp_path / "said.txt"
    with said.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "gelenk.cli.main", "amee", "leg", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=out,
            text=True,
        )
    try:
        deadline = time.monotonic() + 60.0
        while "/listen" not in said.read_text() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        words = said.read_text()
        assert process.returncode == exit_codes.OK
        assert "http://localhost:" in words
        assert "Move2Point:0:-400:0" in words
        assert "the leg is off" in words
        assert "Traceback" not in words
    finally:
        process.kill()
        process.communicate()
