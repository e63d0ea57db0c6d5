"""Robots as people have them: files, shapes, collisions."""

from __future__ import annotations

from benchmarks.areas._models_collision import agreement_with_mujoco, speed
from benchmarks.areas._models_files import (
    mjcf_files_loaded,
    mjcf_numbers,
    urdf_files_loaded,
    urdf_numbers,
)

TITLE = "Robots as people have them: files, numbers, collisions"

FIGURES = (
    urdf_files_loaded,
    mjcf_files_loaded,
    urdf_numbers,
    mjcf_numbers,
    agreement_with_mujoco,
    speed,
)
