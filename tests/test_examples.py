"""Every example runs without a screen and prints something."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs_and_prints_something(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        env=os.environ | {"MPLBACKEND": "Agg"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
