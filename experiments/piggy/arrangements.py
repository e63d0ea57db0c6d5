"""Roll-tilt beside pan-tilt: workspaces and singularities of both arrangements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.robots.piggy.config import UNIT, UnitCfg
from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.workspace import condition
from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """The same steps of angles on both arrangements of the axes.

    Attributes:
        roll_tilt, pan_tilt: Places of the sphere's centre [m], (n, n, 3).
        condition_roll_tilt, condition_pan_tilt: Of the Jacobians there, (n, n).
    """

    roll_tilt: FloatArray
    pan_tilt: FloatArray
    condition_roll_tilt: FloatArray
    condition_pan_tilt: FloatArray


def compare_arrangements(*, count: int = 19, cfg: UnitCfg = UNIT) -> Comparison:
    """Return the workspaces of roll-tilt and pan-tilt by equal steps of angles.

    Pan-tilt turns about the vertical through the roll axis' origin, then leans; its
    singularity lies in the middle of the workspace, where balls come.

    Args:
        count: Steps of each angle from -valid_angle to +valid_angle; pan over 180 deg.
        cfg: Geometry.
    """
    a = np.linspace(-cfg.valid_angle, cfg.valid_angle, count)
    q = np.stack(np.meshgrid(a, a, indexing="ij"), axis=-1)
    pan, tilt = np.meshgrid(np.linspace(-np.pi / 2, np.pi / 2, count), a, indexing="ij")
    lean, up = np.sin(tilt), np.cos(tilt)
    l, o = cfg.bat_length, cfg.axis_offset  # noqa: E741, the formula's letters
    places = np.stack(
        [-l * lean * np.sin(pan), -l * lean * np.cos(pan), l * up + o], axis=-1
    )
    # |dp/dpan| = l |sin t|, |dp/dtilt| = l
    with np.errstate(divide="ignore"):
        pan_condition = 1.0 / np.abs(lean)
    return Comparison(
        roll_tilt=forward(q, cfg=cfg),
        pan_tilt=places + np.array(cfg.origin),
        condition_roll_tilt=condition(q, cfg=cfg),
        condition_pan_tilt=pan_condition,
    )
