"""Motion: paths, their timing, differential and whole-body control."""

from __future__ import annotations

from benchmarks.areas._motion_planning import (
    arm_with_meshes,
    length_of_paths,
    problems_of_seven_kinds,
)

TITLE = "Motion: planning, timing, differential and whole-body control"

FIGURES = (
    problems_of_seven_kinds,
    arm_with_meshes,
    length_of_paths,
)
