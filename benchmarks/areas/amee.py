"""AMEE: one leg as the thesis measured it; the whole robot as it could not."""

from __future__ import annotations

from benchmarks.areas._amee_leg import (
    collision,
    endurance,
    experiments_missed,
    flood,
    foot_accuracy,
    foot_elsewhere,
    inverse_kinematics,
    stop_latency,
    touch_cases,
)
from benchmarks.areas._amee_robot import (
    faults,
    processes_equal,
    simulation_speed,
)
from benchmarks.areas._amee_walks import flat_walks, rough_walks

TITLE = "AMEE: legs that think for themselves, one on its stand, four under a robot"

FIGURES = (
    experiments_missed,
    inverse_kinematics,
    foot_accuracy,
    foot_elsewhere,
    stop_latency,
    touch_cases,
    collision,
    flood,
    endurance,
    processes_equal,
    faults,
    flat_walks,
    rough_walks,
    simulation_speed,
)
