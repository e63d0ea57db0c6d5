"""Calibration of a leg: where its stops are, and which count means which angle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.amee.config import NUM_ACTORS, LegCfg, SensorLine
from gelenk.robots.amee.leg.hardware import Bridge, LegHardware
from gelenk.typing import ArrayLike, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFit:
    """A sensor's line from angles that somebody measured.

    Attributes:
        line: Slope and offset.
        r_squared: Share of the counts' variance that the line explains.
        residual: Root mean square of what it leaves [counts].
    """

    line: SensorLine
    r_squared: float
    residual: float


def fit_sensor(angles: ArrayLike, counts: ArrayLike) -> LineFit:
    """Return the least-squares line through measured angles and counts.

    Args:
        angles: By protractor and plumb line [rad], shape (n,).
        counts: Readings at these angles, shape (n,).

    Raises:
        ConfigError: If fewer than two different angles are given.
    """
    x = np.asarray(angles, dtype=np.float64)
    y = np.asarray(counts, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape or len(np.unique(x)) < 2:
        raise ConfigError(
            "a line needs two or more different angles with one count each, got "
            f"shapes {x.shape} and {y.shape}"
        )
    dx, dy = x - x.mean(), y - y.mean()
    slope = float(dx @ dy / (dx @ dx))
    offset = float(y.mean() - slope * x.mean())
    rest = y - slope * x - offset
    variance = float(dy @ dy)
    explained = 1.0 - float(rest @ rest) / variance if variance > 0.0 else 0.0
    return LineFit(
        line=SensorLine(slope=slope, offset=offset),
        r_squared=explained,
        residual=float(np.sqrt(np.mean(rest**2))),
    )


def read_counts(hardware: LegHardware) -> IntArray:
    """Return the median reading of each angle sensor, shape (4,)."""
    block = hardware.read_adc()[:, :NUM_ACTORS]
    return np.rint(np.median(block, axis=0)).astype(np.int64)


def find_stops(
    hardware: LegHardware,
    advance: Callable[[], None],
    actor: int,
    *,
    speed: int = 120,
    quiet_passes: int = 150,
    max_passes: int = 5000,
) -> tuple[int, int]:
    """Drive one actor against both of its stops; return the lowest and highest count.

    Args:
        hardware: Pins of the leg; all other drives are held.
        advance: Lets one pass of time go by.
        actor: 0..3.
        speed: Pulse width of the drive.
        quiet_passes: Passes without a new extreme that mean the stop.
        max_passes: Passes after which a stop must have been found.

    Raises:
        ConfigError: If a joint keeps moving.
    """
    codes = np.full(NUM_ACTORS, int(Bridge.HOLD), dtype=np.int64)
    speeds = np.full(NUM_ACTORS, 255, dtype=np.int64)
    found: list[int] = []
    for code, sign in ((Bridge.RIGHT, -1), (Bridge.LEFT, 1)):
        codes[actor], speeds[actor] = int(code), speed
        best, quiet = -(10**6), 0
        for _ in range(max_passes):
            hardware.set_motors(codes, speeds)
            hardware.kick_watchdog()
            advance()
            value = sign * int(read_counts(hardware)[actor])
            quiet = 0 if value > best else quiet + 1
            best = max(best, value)
            if quiet >= quiet_passes:
                break
        else:
            raise ConfigError(f"actor {actor} found no stop in {max_passes} passes")
        found.append(sign * best)
    hardware.set_motors(np.zeros(NUM_ACTORS, dtype=np.int64), speeds * 0)
    return found[0], found[1]


def calibrated(
    cfg: LegCfg, fits: tuple[LineFit, ...], stops: tuple[tuple[int, int], ...]
) -> LegCfg:
    """Return settings with measured lines and limits, A..D.

    Args:
        cfg: Settings to change.
        fits: Line of each sensor.
        stops: Lowest and highest count of each actor.
    """
    lines = tuple(fit.line for fit in fits)
    limits: list[tuple[float, float]] = []
    for line, pair in zip(lines, stops, strict=True):
        ends = sorted(line.angle_from_counts(count) for count in pair)
        limits.append((ends[0], ends[1]))
    return cfg.replace(sensors=lines, limits=tuple(limits))
