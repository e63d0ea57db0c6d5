"""Leg poses out of the motion files that ship."""

from __future__ import annotations

import numpy as np

from gelenk.robots.nao.joints import LEG
from gelenk.robots.nao.motion.program import MotionProgram, MoveStep
from gelenk.robots.nao.motion.text import LEFT_MOTION, load_motions, shipped_motions
from gelenk.typing import FloatArray

GIVEN = "calibration"  # 24 poses far apart
# 12 poses each, the outcome of a long search for the poses that tell most.
BEST = {"published": "best_published", "extended": "best_extended"}


def leg_poses(program: MotionProgram) -> FloatArray:
    """Return where the left leg stops to be measured [rad], shape (n, 6)."""
    legs = [
        step.values[LEG["left"]]
        for step, owner in zip(program.steps, program.owners, strict=True)
        if isinstance(step, MoveStep) and step.is_milestone and owner == LEFT_MOTION
    ]
    return np.array(legs).reshape(-1, 6)


def shipped_poses(name: str) -> FloatArray:
    """Return the leg poses of a shipped motion file [rad], shape (n, 6)."""
    return leg_poses(load_motions(shipped_motions()[name]))
