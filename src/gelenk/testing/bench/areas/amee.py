"""AMEE: one leg as the thesis measured it; the whole robot as it could not."""

from __future__ import annotations

from gelenk.testing.bench.areas._amee_leg import (
    collision,
    endurance,
    flood,
    foot_accuracy,
    foot_elsewhere,
    inverse_kinematics,
    stop_latency,
    touch_cases,
)
from gelenk.testing.bench.areas._amee_robot import (
    faults,
    processes_equal,
    simulation_speed,
)

TITLE = "AMEE: legs that think for themselves, one on its stand, four under a robot"

FIGURES = (
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
    simulation_speed,
)
