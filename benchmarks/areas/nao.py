"""NAO: one row per promise: corners, light, solver, robots, poses, time, failures."""

from __future__ import annotations

from benchmarks.areas._nao_cases import published_cases, robot_corners
from benchmarks.areas._nao_corners import (
    corner_sigma,
    detection_time,
    distraction_success,
    light_success,
)
from benchmarks.areas._nao_failures import failure_drill
from benchmarks.areas._nao_field import field_lines
from benchmarks.areas._nao_poses import chosen_against_given
from benchmarks.areas._nao_printed import printed_problems
from benchmarks.areas._nao_robots import repeated_runs, stand_and_walk
from benchmarks.areas._nao_solver import robots, solver_time
from benchmarks.areas._nao_time import whole_runs

TITLE = "NAO: corners, light, solver, robots with errors, poses, field lines, failures"

FIGURES = (
    corner_sigma,
    robot_corners,
    detection_time,
    light_success,
    distraction_success,
    printed_problems,
    published_cases,
    robots,
    chosen_against_given,
    whole_runs,
    solver_time,
    field_lines,
    stand_and_walk,
    repeated_runs,
    failure_drill,
)
