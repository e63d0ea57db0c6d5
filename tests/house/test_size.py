"""The size of the package: lines of Python that the wheel ships, number of files."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "gelenk"
# Of these 20,000 came with meshes, collisions, planning and worlds of robot files.
# The robots and the course are to give 57,000 of them back.
MOST_LINES = 208_000
MOST_FILES = 1_000


def test_the_wheel_ships_no_more_lines_and_files_than_agreed() -> None:
    files = list(PACKAGE.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in files)

    assert len(files) <= MOST_FILES
    assert lines <= MOST_LINES
