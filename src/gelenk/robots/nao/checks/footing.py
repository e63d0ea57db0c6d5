"""Putting a sole where it is wanted with five joints: the hip's first one is given."""

from __future__ import annotations

import numpy as np

from gelenk.robots.nao.joints import Side
from gelenk.robots.nao.kinematics import LegLengths, sole_pose
from gelenk.typing import FloatArray

_LENGTH = 0.1  # [m] that counts like one radian
_STEP = 1e-6  # [rad] of the differences
_DAMPING = 1e-4  # a stretched leg gets no longer, however far its joints turn
_ITERATIONS = 12
_LONGEST = 0.3  # [rad] per iteration


def stepped(
    q_leg: FloatArray, T_torso_sole: FloatArray, side: Side, lengths: LegLengths
) -> FloatArray:
    """Return the leg whose sole lies where it is wanted, but for its heading.

    Damped Gauss-Newton on place and tilt of the sole; HipYawPitch stays. Out of reach,
    the result is as near as the damping lets it come.

    Args:
        q_leg: Six angles to start from [rad], B-Human's signs, shape (..., 6).
        T_torso_sole: Wanted, shape (..., 4, 4).
        side: Which leg.
        lengths: Of the leg.
    """
    q = np.array(q_leg, dtype=np.float64)
    for _ in range(_ITERATIONS):
        r = _off(q, T_torso_sole, side, lengths)
        if np.abs(r).max() < 1e-12:
            break
        J = np.empty((*q.shape[:-1], 5, 5))
        for k in range(5):
            step = np.zeros(6)
            step[k + 1] = _STEP
            ahead = _off(q + step, T_torso_sole, side, lengths)
            behind = _off(q - step, T_torso_sole, side, lengths)
            J[..., k] = (ahead - behind) / (2.0 * _STEP)
        Jt = np.swapaxes(J, -1, -2)
        H = Jt @ J + _DAMPING**2 * np.eye(5)
        way = np.linalg.solve(H, Jt @ r[..., None])[..., 0]
        q[..., 1:] -= np.clip(way, -_LONGEST, _LONGEST)
    return q


def _off(
    q_leg: FloatArray, T_torso_sole: FloatArray, side: Side, lengths: LegLengths
) -> FloatArray:
    """Return place [0.1 m] and tilt [rad] of a sole against a wanted one, (..., 5)."""
    T = sole_pose(q_leg, side, lengths)
    R = np.swapaxes(T_torso_sole[..., :3, :3], -1, -2)
    place = (T[..., :3, 3] - T_torso_sole[..., :3, 3]) / _LENGTH
    up = (R @ T[..., :3, 2:3])[..., 0]
    return np.concatenate([place, up[..., :2]], axis=-1)
