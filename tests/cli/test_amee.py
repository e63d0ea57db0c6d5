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
    for command in ("leg", "bench"):
        assert command in outcome.out


def test_chosen_anchors_are_measured_beside_the_thesis(gelenk) -> None:
    document = gelenk("amee", "bench", "an-03", "AN-31", "--json").json()

    assert document["ok"]
    assert {f["experiment"] for f in document["figures"]} == {"AN-03", "AN-31"}
    assert "thesis: 665" in gelenk("amee", "bench", "AN-31").out


def test_an_anchor_that_does_not_exist_is_named(gelenk) -> None:
    outcome = gelenk("amee", "bench", "AN-77")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "AN-77" in outcome.err


@pytest.mark.slow
def test_a_leg_says_what_to_try_and_ends_with_ctrl_c() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "gelenk.cli.main", "amee", "leg", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        first = process.stderr.readline()
        assert "http://localhost:" in first
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == exit_codes.OK
        assert "Move2Point:0:-400:0" in err
        assert "the leg is off" in err
        assert "Traceback" not in err
    finally:
        process.kill()
        process.communicate()
