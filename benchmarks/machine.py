"""Where and on what a figure was measured."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

PACKAGES = (
    "numpy",
    "scipy",
    "numba",
    "pin",
    "mujoco",
    "roboticstoolbox-python",
    "eaik",
    "pybullet",
)


def describe_machine() -> dict[str, Any]:
    """Return processor, cores, system, Python and the versions of the competitors."""
    return {
        "cpu": _cpu(),
        "cores": _cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": _versions(),
    }


def describe_commit() -> str:
    """Return the commit of the checkout this runs from, "+" if it was changed since.

    An installed package has no commit; its version stands in.
    """
    root = Path(__file__).resolve().parents[1]
    commit = _git(root, "rev-parse", "--short=12", "HEAD")
    if not (root / "pyproject.toml").exists() or commit is None:
        return importlib.metadata.version("gelenk")
    is_changed = bool(_git(root, "status", "--porcelain", "--untracked-files=no"))
    return commit + ("+" if is_changed else "")


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments],
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1] for line in lines if line.startswith("model name")]
    return names[0].strip() if names else platform.processor() or platform.machine()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _versions() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
