"""The course: compiled loops and planners against other libraries and plain Python."""

from __future__ import annotations

from benchmarks.areas._course_clouds import icp_speed
from benchmarks.areas._course_navigation import (
    filter_consistency,
    filter_speed,
    particle_speed,
)
from benchmarks.areas._course_planners import (
    inner_loops,
    planner_in_a_cell,
    planners_on_maps,
)

TITLE = "The course: compiled loops and planners against others"

FIGURES = (
    icp_speed,
    filter_speed,
    particle_speed,
    filter_consistency,
    inner_loops,
    planners_on_maps,
    planner_in_a_cell,
)
