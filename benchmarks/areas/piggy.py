"""Piggy: circles, tracks, predictions, planner; the whole chain from pixels to bat."""

from __future__ import annotations

from benchmarks.areas._piggy_circles import circle_figures
from benchmarks.areas._piggy_motion import motion_figures, stroke_figures
from benchmarks.areas._piggy_planner import (
    planner_test_1,
    planner_test_2,
    table_step,
    tables_built,
)
from benchmarks.areas._piggy_play import (
    piggy_body,
    piggy_faults,
    piggy_image_to_command,
    piggy_rally,
    piggy_returns,
    piggy_sides,
    piggy_throws,
)
from benchmarks.areas._piggy_prediction import (
    filter_step,
    interception,
    interception_from_circles,
    interception_hard_cases,
    sharpening,
    tracking_in_clutter,
)

TITLE = "Piggy: circles, predictions, planner, throws from pixels to bat, the game"

FIGURES = (
    circle_figures,
    interception,
    interception_from_circles,
    interception_hard_cases,
    sharpening,
    filter_step,
    tracking_in_clutter,
    tables_built,
    planner_test_1,
    planner_test_2,
    table_step,
    motion_figures,
    stroke_figures,
    piggy_throws,
    piggy_sides,
    piggy_returns,
    piggy_rally,
    piggy_faults,
    piggy_image_to_command,
    piggy_body,
)
