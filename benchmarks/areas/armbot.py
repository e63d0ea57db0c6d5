"""ArmBot: its cells over many seeds, its files, its exercises, its speed."""

from __future__ import annotations

from benchmarks.areas._armbot_cells import (
    cell_successes,
    equal_reports,
    ten_robot_speed,
)
from benchmarks.areas._armbot_files import damaged_files, exercise_mistakes

TITLE = "ArmBot: shipped cells, equal reports, ten robots, damaged files, exercises"

FIGURES = (
    cell_successes,
    equal_reports,
    ten_robot_speed,
    damaged_files,
    exercise_mistakes,
)
