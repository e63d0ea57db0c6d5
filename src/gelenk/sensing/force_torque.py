"""Force-torque sensors: strain gauges, calibration, and the weight of the tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

GRAVITY = np.array([0.0, 0.0, -9.81])  # [m/s^2]


def bridge_voltage(
    strain: ArrayLike,
    *,
    gauge_factor: float = 2.0,
    supply: float = 5.0,
    bridge: Literal["quarter", "half", "full"] = "full",
) -> FloatArray:
    """Return the voltage of a Wheatstone bridge [V], exactly.

    ΔR/R = k ε. A full bridge gives U k ε; a quarter bridge about U k ε / 4, and is a
    little curved; a half bridge of two opposite strains U k ε / 2.

    Args:
        strain: ε.
        gauge_factor: k.
        supply: U [V].
        bridge: How many of its arms are strained.

    Example:
        >>> print(bridge_voltage(1e-3, supply=1.0))
        0.002
    """
    change = gauge_factor * np.asarray(strain, np.float64)
    match bridge:
        case "full":
            return supply * change
        case "half":
            return 0.5 * supply * change
        case "quarter":
            return supply * change / (4.0 + 2.0 * change)


def calibrate(voltages: ArrayLike, wrenches: ArrayLike) -> FloatArray:
    """Return the matrix C of F = C u that fits known loads best, shape (6, n).

    Args:
        voltages: u of the n bridges per load, without offset [V], shape (k, n).
        wrenches: [f; n] that were applied [N], [N m], shape (k, 6).

    Raises:
        ConfigError: If the loads do not determine it.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> C = rng.normal(size=(6, 6))
        >>> u = rng.normal(size=(10, 6))
        >>> bool(np.allclose(calibrate(u, u @ C.T), C))
        True
    """
    u = as_finite("voltages", voltages, ())
    F = as_finite("wrenches", wrenches, (6,))
    if np.linalg.matrix_rank(u) < u.shape[1]:
        raise ConfigError(
            f"{len(u)} loads do not move {u.shape[1]} bridges independently; apply "
            "more kinds of forces and torques"
        )
    return np.asarray(np.linalg.lstsq(u, F, rcond=None)[0], np.float64).T


def tool_wrench(
    R_world_sensor: ArrayLike, *, mass: float, com: ArrayLike
) -> FloatArray:
    """Return what a hanging tool puts on the sensor: f = m Rᵀ g, n = c × f.

    Args:
        R_world_sensor: Orientation, shape (..., 3, 3).
        mass: Of the tool [kg].
        com: c, its centre of mass in the sensor [m], shape (3,).

    Returns:
        [f; n] in sensor axes [N], [N m], shape (..., 6).

    Example:
        >>> print(tool_wrench(np.eye(3), mass=0.8, com=[0.0, 0.05, 0.0]).round(4))
        [ 0.      0.     -7.848  -0.3924  0.      0.    ]
    """
    R = as_finite("R_world_sensor", R_world_sensor, (3, 3))
    f = mass * np.einsum("...ji,j->...i", R, GRAVITY)
    n = np.cross(as_finite("com", com, (3,)), f)
    return np.concatenate([f, n], axis=-1, dtype=np.float64) + 0.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tool:
    """A tool as the sensor feels it.

    Attributes:
        mass: [kg].
        com: In the sensor [m], shape (3,).
        offset: Of the sensor itself [N], [N m], shape (6,).
    """

    mass: float
    com: FloatArray
    offset: FloatArray


def identify_tool(R_world_sensor: ArrayLike, readings: ArrayLike) -> Tool:
    """Return mass, centre of mass and offset from readings at rest in several poses.

    Linear in m, m c and the offset: three different orientations or more.

    Args:
        R_world_sensor: Shape (k, 3, 3).
        readings: [f; n], shape (k, 6).
    """
    R = as_finite("R_world_sensor", R_world_sensor, (3, 3))
    w = as_finite("readings", readings, (6,))
    down = np.einsum("kji,j->ki", R, GRAVITY)
    rows: list[FloatArray] = []
    for g in down:
        row = np.zeros((6, 10))
        row[:3, 0], row[:3, 4:7], row[3:, 7:] = g, np.eye(3), np.eye(3)
        row[3:, 1:4] = -np.cross(g, np.eye(3)).T  # (m c) × g
        rows.append(row)
    A = np.concatenate(rows)
    if np.linalg.matrix_rank(A) < 10:
        raise ConfigError("the tool must hang in three different orientations or more")
    x = np.asarray(np.linalg.lstsq(A, w.ravel(), rcond=None)[0], np.float64)
    return Tool(mass=float(x[0]), com=x[1:4] / x[0], offset=x[4:])
