"""Robots as people have them: files, shapes, collisions, pictures, damage."""

from __future__ import annotations

from benchmarks.areas._models_collision import agreement_with_mujoco, speed
from benchmarks.areas._models_damage import damaged_files
from benchmarks.areas._models_files import (
    mjcf_files_loaded,
    mjcf_numbers,
    urdf_files_loaded,
    urdf_numbers,
)
from benchmarks.areas._models_loading import loading_time
from benchmarks.areas._models_pictures import meshes_read, outlines
from benchmarks.areas._models_worlds import passive_robots, robots_that_hold

TITLE = "Robots as people have them: files, numbers, shapes, collisions"

FIGURES = (
    urdf_files_loaded,
    mjcf_files_loaded,
    urdf_numbers,
    mjcf_numbers,
    meshes_read,
    outlines,
    agreement_with_mujoco,
    speed,
    loading_time,
    passive_robots,
    robots_that_hold,
    damaged_files,
)
