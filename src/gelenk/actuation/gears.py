"""Gears: what a ratio does to speed, torque and inertia, and what play does."""

from __future__ import annotations

import numpy as np

from gelenk.typing import ArrayLike, FloatArray


def output_speed(speed: ArrayLike, ratio: ArrayLike) -> FloatArray:
    """Return the speed behind a gear [rad/s]; ratio = input speed / output speed."""
    return np.asarray(speed, np.float64) / np.asarray(ratio, np.float64)


def output_torque(
    torque: ArrayLike, ratio: ArrayLike, *, efficiency: ArrayLike = 1.0
) -> FloatArray:
    """Return the torque behind a gear [N m]; arguments broadcast.

    Example:
        >>> output_torque(0.1, 100.0, efficiency=0.8)
        np.float64(8.0)
    """
    gain = np.asarray(ratio, np.float64) * np.asarray(efficiency, np.float64)
    return np.asarray(torque, np.float64) * gain


def reflected_inertia(inertia: ArrayLike, ratio: ArrayLike) -> FloatArray:
    """Return the inertia of the input as the output feels it [kg m^2]: N^2 J."""
    return np.asarray(inertia, np.float64) * np.asarray(ratio, np.float64) ** 2


def fastest_ratio(load_inertia: ArrayLike, rotor_inertia: ArrayLike) -> FloatArray:
    """Return the ratio at which a given motor torque accelerates a load most.

    Example:
        >>> fastest_ratio(0.5, 5e-5)  # the reflected rotor weighs as much as the load
        np.float64(100.0)
    """
    load = np.asarray(load_inertia, np.float64)
    return np.sqrt(load / np.asarray(rotor_inertia, np.float64))


def play_torque(
    twist: ArrayLike, *, half_gap: ArrayLike, stiffness: ArrayLike
) -> FloatArray:
    """Return the torque that gear teeth with play transmit [N m].

    Args:
        twist: Angle of the motor behind the gear minus angle of the link [rad].
        half_gap: Free motion to either side [rad].
        stiffness: Of the teeth in contact [N m/rad].

    Example:
        >>> play_torque([0.0, 0.01, 0.03], stiffness=100.0, half_gap=0.01)
        array([0., 0., 2.])
    """
    twist = np.asarray(twist, np.float64)
    beyond = np.maximum(np.abs(twist) - half_gap, 0.0)
    return np.sign(twist) * np.asarray(stiffness, np.float64) * beyond
