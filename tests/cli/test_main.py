"""Exit codes and where messages go."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gelenk as package
from gelenk.cli import exit_codes, main

COMMANDS = (
    "open",
    "run",
    "list",
    "robot",
    "ik",
    "campaign",
    "armbot",
    "nao",
    "piggy",
    "amee",
    "replay",
    "doctor",
    "warmup",
)


def test_without_arguments_it_says_what_there_is_in_18_lines(gelenk) -> None:
    outcome = gelenk()

    assert outcome.code == exit_codes.OK
    assert len(outcome.out.splitlines()) <= 18
    for command in COMMANDS:
        assert f"gelenk {command}" in outcome.out


def test_the_version_is_that_of_the_package(gelenk) -> None:
    assert gelenk("--version").out == f"gelenk {package.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(gelenk, command: str) -> None:
    outcome = gelenk(command, "--help")

    assert outcome.code == exit_codes.OK
    assert f"Usage: gelenk {command}" in outcome.out
    assert outcome.err == ""


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["fly"], "No such command 'fly'"),
        (["robot"], "Missing argument 'NAME|FILE'"),
        (["robot", "panda", "--colour"], "No such option: --colour"),
        (["ik", "panda", "--pose", "0,0,0,0,0,0", "--method", "magic"], "magic"),
        (["run", "bounce", "--seed", "-1"], "--seed"),
        (["run", "bounce", "--seconds", "soon"], "--seconds"),
        (["run", "bounce", "--simtime", "fast"], "--simtime"),
    ],
)
def test_a_request_that_cannot_be_parsed_ends_with_2(
    gelenk, arguments: list[str], complaint: str
) -> None:
    outcome = gelenk(*arguments)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert outcome.out == ""
    assert outcome.err.startswith("gelenk: error: ")
    assert complaint in outcome.err
    assert "--help" in outcome.err


def test_a_defect_of_ours_ends_with_70_and_a_short_message(
    gelenk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "load", lambda name: 1 / 0, raising=False)

    outcome = gelenk("robot", "panda")

    assert outcome.code == exit_codes.DEFECT
    assert outcome.out == ""
    assert "ZeroDivisionError" in outcome.err
    assert "GELENK_DEBUG=1" in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("by_option", [True, False])
def test_debug_shows_the_traceback(
    gelenk, monkeypatch: pytest.MonkeyPatch, by_option: bool
) -> None:
    monkeypatch.setattr(package, "load", lambda name: 1 / 0, raising=False)
    monkeypatch.setenv("GELENK_DEBUG", "" if by_option else "1")

    outcome = gelenk(*(["--debug"] if by_option else []), "robot", "panda")

    assert outcome.code == exit_codes.DEFECT
    assert "Traceback" in outcome.err
    assert "ZeroDivisionError" in outcome.err


def test_an_interrupt_ends_with_130(gelenk, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(package, "load", interrupt, raising=False)

    outcome = gelenk("robot", "panda")

    assert outcome.code == exit_codes.INTERRUPTED
    assert "Traceback" not in outcome.err


def test_a_reader_that_leaves_early_causes_no_noise() -> None:
    """The pipe is closed before anything is written, as `| head -0` may do."""
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(
        [sys.executable, "-m", "gelenk.cli.main", "list", "--json"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    _, err = process.communicate(timeout=60)

    assert process.returncode == exit_codes.BROKEN_PIPE
    assert err == ""


def test_a_broken_pipe_within_a_command_is_no_defect(
    gelenk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(name: str) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(package, "load", leave, raising=False)
    monkeypatch.setattr(main.os, "dup2", lambda *_: None)

    assert gelenk("robot", "panda").code == exit_codes.BROKEN_PIPE


def test_a_robot_file_that_is_none_is_named_with_its_remedy(
    gelenk, tmp_path: Path
) -> None:
    broken = tmp_path / "arm.urdf"
    broken.write_text("<robot name='arm'><link name='base'>")

    outcome = gelenk("robot", str(broken))

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert str(broken) in outcome.err
    assert outcome.out == ""


def test_a_missing_file_is_named(gelenk, tmp_path: Path) -> None:
    outcome = gelenk("robot", str(tmp_path / "absent.urdf"))

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "absent.urdf" in outcome.err


def test_a_misspelt_robot_gets_the_closest_name(gelenk) -> None:
    outcome = gelenk("robot", "pandda")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "Did you mean 'panda'?" in outcome.err
