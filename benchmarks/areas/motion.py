"""Motion: paths, their timing, differential and whole-body control."""

from __future__ import annotations

from benchmarks.areas._motion_planning import (
    arm_with_meshes,
    length_of_paths,
    problems_of_seven_kinds,
)
from benchmarks.areas._motion_steps import differential_steps, whole_body_steps
from benchmarks.areas._motion_timing import (
    fastest_along_a_path,
    point_to_point,
    smooth_along_a_path,
)

TITLE = "Motion: planning, timing, differential and whole-body control"

FIGURES = (
    problems_of_seven_kinds,
    arm_with_meshes,
    length_of_paths,
    fastest_along_a_path,
    smooth_along_a_path,
    point_to_point,
    differential_steps,
    whole_body_steps,
)
