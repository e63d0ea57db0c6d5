"""Every example runs without a screen, and prints what the documentation shows.

After a change on purpose: `make outputs` writes the printed texts again.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))
SHOWN = sorted((ROOT / "examples" / "docs").glob("*.py"))  # included by pages
MARKER = re.compile(r"--8<-- \"([^\":]+)(?::(\w+))?\"")


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
    if path in SHOWN:
        assert done.stdout == without_marks(path.with_suffix(".out"))


def without_marks(path: Path) -> str:
    """Return the lines of a printed text that are not marks of sections."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("--8<--"))


def test_every_printed_text_belongs_to_an_example() -> None:
    printed = {path.with_suffix("") for path in (ROOT / "examples").rglob("*.out")}

    assert printed == {path.with_suffix("") for path in SHOWN}


@pytest.mark.parametrize(
    "page", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.stem
)
def test_every_file_that_a_page_includes_exists(page: Path) -> None:
    """Includes of the documentation, checked without its tools."""
    for name, section in MARKER.findall(page.read_text(encoding="utf-8")):
        included = ROOT / name
        assert included.is_file(), f"{page.name} includes {name}"
        if section:
            text = included.read_text(encoding="utf-8")
            assert f"[start:{section}]" in text
            assert f"[end:{section}]" in text


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_every_section_of_an_example_is_on_a_page(path: Path) -> None:
    pages = "\n".join(
        page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md")
    )
    name = path.relative_to(ROOT).as_posix()

    for section in re.findall(r"\[start:(\w+)\]", path.read_text(encoding="utf-8")):
        assert f'--8<-- "{name}:{section}"' in pages
