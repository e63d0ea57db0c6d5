"""NAO: corners, light, solver, robots with errors, poses, field lines, repeats."""

from __future__ import annotations

from gelenk.testing.bench.areas._nao_corners import (
    corner_sigma,
    detection_time,
    distraction_success,
    light_success,
)
from gelenk.testing.bench.areas._nao_field import field_lines
from gelenk.testing.bench.areas._nao_poses import chosen_against_given
from gelenk.testing.bench.areas._nao_robots import repeated_runs, stand_and_walk
from gelenk.testing.bench.areas._nao_solver import robots, solver_time

TITLE = "NAO: corners, light, solver, robots with errors, poses, field lines"

FIGURES = (
    corner_sigma,
    detection_time,
    light_success,
    distraction_success,
    solver_time,
    robots,
    chosen_against_given,
    field_lines,
    stand_and_walk,
    repeated_runs,
)
