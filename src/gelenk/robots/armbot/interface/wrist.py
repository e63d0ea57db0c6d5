"""The three wrist servos: their values for a wanted orientation of the gripper."""

from __future__ import annotations

import numpy as np

from gelenk.spatial.plane_angles import plane_angles_from_matrix
from gelenk.typing import FloatArray

TURN = 2.0 * np.pi  # [rad]
EPS = 1e-12  # [rad] beyond a range that are rounding


def wrist_values(
    R_mount_gripper: FloatArray,
    before: FloatArray,
    low: FloatArray,
    high: FloatArray,
) -> FloatArray | None:
    """Return the servo values that turn a gripper against its mount as wanted.

    Every orientation has two solutions, and each servo may add full turns. Of those
    within the ranges the one is taken that is nearest to the values before, so that
    servos do not swing round on the way.

    Args:
        R_mount_gripper: Wanted rotation, shape (3, 3).
        before: Servo values now: xy, xz, yz [rad], shape (3,).
        low: Smallest values of the servos [rad], shape (3,).
        high: Largest ones.

    Returns:
        Servo values [rad], shape (3,); None if no solution is within the ranges.
    """
    found = plane_angles_from_matrix(R_mount_gripper, order="reverse")
    xy, xz, yz = found.angles
    if found.singular:  # then yz is 0, and only xy + yz or xy - yz counts: keep xy
        xy, yz = before[0], np.sign(xz) * (xy - before[0])
    best: FloatArray | None = None
    for angles in ((xy, xz, yz), (xy + np.pi, np.pi - xz, yz + np.pi)):
        values = angles + TURN * np.round((before - angles) / TURN)
        values = np.where(values > high + EPS, values - TURN, values)
        values = np.where(values < low - EPS, values + TURN, values)
        if np.any(values > high + EPS):
            continue
        if best is None or _distance(values, before) < _distance(best, before):
            best = np.clip(values, low, high)
    return best


def _distance(a: FloatArray, b: FloatArray) -> float:
    return float(np.abs(a - b).max())
