"""Kinematics and dynamics of arms, trees and mechanisms, against other libraries."""

from __future__ import annotations

from benchmarks.areas._agreement import agreement_on_random_trees
from benchmarks.areas._inverse import (
    closed_form,
    solved_share_of_known_arms,
    solved_share_of_random_arms,
    time_against_robotics_toolbox,
)
from benchmarks.areas._mechanisms import (
    gaps_along_a_cycle,
    time_of_assemblies,
)
from benchmarks.areas._speed import speed_of_batches, speed_of_one_call

TITLE = "Kinematics and dynamics of arms, trees and mechanisms"

FIGURES = (
    agreement_on_random_trees,
    solved_share_of_known_arms,
    time_against_robotics_toolbox,
    closed_form,
    solved_share_of_random_arms,
    speed_of_one_call,
    speed_of_batches,
    gaps_along_a_cycle,
    time_of_assemblies,
)
