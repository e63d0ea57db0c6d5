"""Force-torque sensors and tactile skins: strain gauges, calibration, tool weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray

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
        gauge_factor: Gauge factor k.
        supply: Supply voltage U [V].
        bridge: Number of the bridge's arms that are strained.

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


def calibrate_wrench_sensor(voltages: ArrayLike, wrenches: ArrayLike) -> FloatArray:
    """Return the matrix C of F = C u that fits known loads best, shape (6, n).

    Args:
        voltages: Voltages u of the n bridges per load, without offset [V], shape (k,
            n).
        wrenches: Applied wrenches [f; n] [N], [N m], shape (k, 6).

    Raises:
        ConfigError: If the loads do not determine it.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> C = rng.normal(size=(6, 6))
        >>> u = rng.normal(size=(10, 6))
        >>> bool(np.allclose(calibrate_wrench_sensor(u, u @ C.T), C))
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
        mass: Mass of the tool [kg].
        com: Centre of mass c of the tool in the sensor [m], shape (3,).

    Returns:
        Wrench [f; n] in sensor axes [N], [N m], shape (..., 6).

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
        mass: Mass [kg].
        com: Centre of mass in the sensor [m], shape (3,).
        offset: Offset of the sensor itself [N], [N m], shape (6,).
    """

    mass: float
    com: FloatArray
    offset: FloatArray


def identify_tool(R_world_sensor: ArrayLike, readings: ArrayLike) -> Tool:
    """Return mass, centre of mass and offset from readings at rest in several poses.

    Linear in m, m c and the offset: three different orientations or more.

    Args:
        R_world_sensor: Orientations of the sensor, shape (k, 3, 3).
        readings: Read wrenches [f; n] [N], [N m], shape (k, 6).

    Example:
        >>> import numpy as np
        >>> from gelenk.sensing import identify_tool
        >>> from gelenk.sensing.force_torque import tool_wrench
        >>> from gelenk.spatial import so3
        >>> turns = [so3.rot_x(1.0), so3.rot_y(1.0), so3.rot_x(-2.0)]
        >>> poses = np.stack([np.eye(3), *turns])
        >>> readings = tool_wrench(poses, mass=0.8, com=[0.0, 0.0, 0.05])
        >>> print(round(identify_tool(poses, readings).mass, 6))
        0.8
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


def pressure_image(
    points: ArrayLike, forces: ArrayLike, *, shape: tuple[int, int], pitch: float
) -> FloatArray:
    """Return what an array of pressure cells feels [Pa], shape (rows, columns).

    Each force spreads over the four cells around it in inverse proportion to distance:
    total and centre of the force are kept.

    Args:
        points: Points where forces act, (x along columns, y along rows) from the middle
            of the first cell [m], shape (k, 2).
        forces: Normal [N], shape (k,).
        shape: Rows and columns.
        pitch: Size of a cell [m].

    Example:
        >>> image = pressure_image([[0.01, 0.0]], [2.0], shape=(2, 3), pitch=0.01)
        >>> print((image * 1e-4).round(9))
        [[0. 2. 0.]
         [0. 0. 0.]]
    """
    p, f = as_finite("points", points, (2,)), as_finite("forces", forces, ())
    at = p / pitch
    limit = np.array([shape[1] - 1, shape[0] - 1])
    if np.any((at < 0.0) | (at > limit)):
        raise ConfigError("a force acts outside the skin")
    image = np.zeros(shape)
    low = np.minimum(np.floor(at).astype(np.int64), np.maximum(limit - 1, 0))
    share = at - low
    for dx in (0, 1):
        for dy in (0, 1):
            weight = np.abs(1 - dx - share[:, 0]) * np.abs(1 - dy - share[:, 1])
            column = np.minimum(low[:, 0] + dx, limit[0])
            row = np.minimum(low[:, 1] + dy, limit[1])
            np.add.at(image, (row, column), weight * f)
    return image / pitch**2


def contact_centre(image: ArrayLike, *, pitch: float) -> tuple[float, FloatArray]:
    """Return the force [N] on a skin and its place (x, y) [m]; NaN without touch."""
    pressure = as_finite("image", image, ())
    force = float(pressure.sum()) * pitch**2
    rows, columns = np.indices(pressure.shape)
    total = float(pressure.sum())
    if total <= 0.0:
        return 0.0, np.full(2, np.nan)
    centre = np.array([(pressure * columns).sum(), (pressure * rows).sum()])
    return force, centre / total * pitch


def proximity_switch(
    distances: ArrayLike, *, close: float, release: float
) -> BoolArray:
    """Return the states of a nearness switch over time, shape (k,).

    Inductive, capacitive or infrared: on below `close`, off above `release`, in between
    as it was.

    Example:
        >>> print(proximity_switch([9, 4, 5, 7, 5], close=4, release=6))
        [False  True  True False False]
    """
    if not close < release:
        raise ConfigError(f"`close` must be below `release`, got {close}, {release}")
    state, states = False, []
    for d in as_finite("distances", distances, ()).ravel():
        state = d <= close if not state else d < release
        states.append(bool(state))
    return np.array(states, dtype=np.bool_)
