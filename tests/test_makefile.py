"""The Makefile: what it lists, what it refuses, and that it installs only once."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TARGETS = (
    "run",
    "test",
    "test-fast",
    "bench",
    "check",
    "client",
    "capabilities",
    "golden",
    "docs",
    "clean",
)

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    # A `make test` above us hands down its flags; they are not ours.
    environment = {"PATH": "/usr/bin:/bin", "MAKEFLAGS": "", "MAKELEVEL": ""}
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )


def write_python(folder: Path, version: str) -> str:
    """Write a program that passes for an interpreter of some version."""
    path = folder / "python"
    is_old = version.startswith("Python 3.9")
    path.write_text(
        "#!/bin/sh\n"
        f'if [ "$1" = -V ]; then echo "{version}"; exit 0; fi\n'
        f'if [ "$1" = -c ]; then exit {int(is_old)}; fi\n'
        "exit 1\n"
    )
    path.chmod(0o755)
    return str(path)


def test_make_alone_lists_the_targets() -> None:
    done = make()

    assert done.returncode == 0
    for target in TARGETS:
        assert f"  make {target} " in done.stdout


def test_an_old_interpreter_is_refused_by_name(tmp_path: Path) -> None:
    python = write_python(tmp_path, "Python 3.9.18")

    done = make("test", f"PYTHON={python}", f"VENV={tmp_path / 'venv'}")

    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr
    assert "Python 3.9.18" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_no_interpreter_at_all_is_told(tmp_path: Path) -> None:
    done = make("test", "PYTHON=", f"VENV={tmp_path / 'venv'}")

    assert done.returncode != 0
    assert "found no Python 3.11 or newer" in done.stderr


def test_an_environment_that_cannot_be_made_leaves_nothing_behind(
    tmp_path: Path,
) -> None:
    python = write_python(tmp_path, "Python 3.12.1")

    done = make("test", f"PYTHON={python}", f"VENV={tmp_path / 'venv'}")

    assert done.returncode != 0
    assert "could not make" in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize(
    ("target", "stamp", "extras"),
    [
        ("run", "run", '"."'),
        ("test", "dev", '".[dev]"'),
        ("check", "dev", '".[dev]"'),
        ("bench", "bench", '".[dev,bench]"'),
        ("docs", "docs", '".[docs]"'),
    ],
)
def test_a_target_installs_its_extras_unless_pyproject_is_unchanged(
    tmp_path: Path, target: str, stamp: str, extras: str
) -> None:
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").touch()

    before = make("-n", target, f"VENV={venv}").stdout
    text = (ROOT / "pyproject.toml").read_bytes()
    checksum = subprocess.run(["cksum"], input=text, capture_output=True).stdout.split()
    (venv / f"stamp-{stamp}-{checksum[0].decode()}").touch()
    after = make("-n", target, f"VENV={venv}").stdout

    assert f"pip install --quiet --disable-pip-version-check -e {extras}" in before
    assert "pip install" not in after


def test_the_client_is_not_built_without_node_and_says_what_is_missing(
    tmp_path: Path,
) -> None:
    tools = ("sh", "cksum", "cut", "awk", "echo", "make")
    for name in tools:
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    found = subprocess.run(
        ["make", "client"],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert found.returncode != 0
    assert "found no node" in found.stderr


def test_a_missing_browser_is_told_and_no_failure(tmp_path: Path) -> None:
    for name in ("sh", "cksum", "cut", "id", "make"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    found = subprocess.run(
        ["make", "browser"],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert found.returncode == 0
    assert "SKIPPED" in found.stderr
