"""Arms that an exercise hands to a student as functions.

Only NumPy is imported: the process that runs a submission loads this file by its path.
`simple` is the Simple Arm (stand, femur, tibia); `planar` is a chain of hinges in the
x-y plane, each angle counted from the link before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def make_given(what: str, arm: str, lengths: Sequence[float]) -> Callable[[Any], Any]:
    """Return `position(q)`, `jacobian(q)` or `inverse(p)` of an arm.

    Args:
        what: "position", "jacobian" or "inverse" (the last for the Simple Arm only).
        arm: "simple" or "planar".
        lengths: Lengths of its links [m].
    """
    table: dict[tuple[str, str], Callable[[Array, Array], Array | None]] = {
        ("position", "simple"): _simple_position,
        ("jacobian", "simple"): _simple_jacobian,
        ("inverse", "simple"): _simple_inverse,
        ("position", "planar"): _planar_position,
        ("jacobian", "planar"): _planar_jacobian,
    }
    function, sizes = table[what, arm], np.array(lengths, dtype=float)
    return lambda value: function(np.array(value, dtype=float), sizes)


def _simple_position(q: Array, lengths: Array) -> Array:
    stand, femur, tibia = lengths
    reach = femur * np.cos(q[1]) + tibia * np.cos(q[1] + q[2])
    height = stand + femur * np.sin(q[1]) + tibia * np.sin(q[1] + q[2])
    return np.array([reach * np.cos(q[0]), reach * np.sin(q[0]), height])


def _simple_jacobian(q: Array, lengths: Array) -> Array:
    _, femur, tibia = lengths
    along, up = np.cos(q[1] + q[2]), np.sin(q[1] + q[2])
    reach = femur * np.cos(q[1]) + tibia * along
    rise = femur * np.sin(q[1]) + tibia * up
    c, s = np.cos(q[0]), np.sin(q[0])
    return np.array(
        [
            [-reach * s, -rise * c, -tibia * up * c],
            [reach * c, -rise * s, -tibia * up * s],
            [0.0, reach, tibia * along],
        ]
    )


def _simple_inverse(p: Array, lengths: Array) -> Array | None:
    stand, femur, tibia = lengths
    reach, height = np.hypot(p[0], p[1]), p[2] - stand
    bend = (reach**2 + height**2 - femur**2 - tibia**2) / (2.0 * femur * tibia)
    if abs(bend) > 1.0 + 1e-9:
        return None
    knee = -np.arccos(np.clip(bend, -1.0, 1.0))
    lift = np.arctan2(height, reach) - np.arctan2(
        tibia * np.sin(knee), femur + tibia * np.cos(knee)
    )
    return np.array([np.arctan2(p[1], p[0]), lift, knee])


def _planar_position(q: Array, lengths: Array) -> Array:
    direction = np.cumsum(q)
    return np.array([lengths @ np.cos(direction), lengths @ np.sin(direction)])


def _planar_jacobian(q: Array, lengths: Array) -> Array:
    direction = np.cumsum(q)
    ends = np.array([-lengths * np.sin(direction), lengths * np.cos(direction)])
    return np.cumsum(ends[:, ::-1], axis=1)[:, ::-1]
