"""Few poses and percepts for tests of the calibration."""

from __future__ import annotations

from functools import cache

import numpy as np

from gelenk.core.typing import FloatArray
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.motion.read import make_program
from gelenk.robots.nao.motion.text import calibration_motions
from gelenk.robots.nao.poses.body import body_pose

# Left leg [deg]: poses in which the board is seen with all three gazes.
POSES = (
    (-28.9, 7.3, -54.2, 51.9, -50.4, -4.2),
    (-25.5, 5.7, -83.2, 51.1, -22.8, -1.1),
    (-23.0, 12.7, -50.9, 53.0, -10.2, -7.4),
)
BASE = (0.0, -5.0, -40.0, 60.0, -20.0, 0.0)
STIFFNESS = (70,) * 2 + (20,) * 8 + (75,) * 12


@cache
def short_program(count: int = len(POSES)) -> MotionProgram:
    """Return the motions of a calibration with few poses per leg."""
    base = body_pose(np.deg2rad(BASE), "left")
    base[:2] = np.nan
    legs: FloatArray = np.deg2rad(POSES[:count])
    return make_program(
        calibration_motions(legs, base=base, stiffness=STIFFNESS, max_speed=90)
    )
