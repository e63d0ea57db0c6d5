"""Telescopes: linear motors and passive slides with a tube and a rod to be seen."""

from __future__ import annotations

import math

from gelenk.robots.armbot.model import Tip

TUBE_RADIUS, ROD_RADIUS = 0.018, 0.010  # [m]


def motor_telescope(
    base: Tip,
    name: str,
    *,
    limits: tuple[float, float],
    home: float,
    turn: tuple[float, float, float] = (0.0, 0.0, 0.0),
    at: tuple[float, float, float] = (0.0, 0.0, 0.0),
    mass: float = 0.6,
) -> Tip:
    """Attach a linear motor whose length is `name`, and return its end.

    Args:
        base: Part that carries it.
        name: Of the motor.
        limits: Shortest and longest length [m].
        home: Length at the start [m].
        turn: Of its frame, see `Tip`; its x axis is the direction.
        at: Its place on the base [m], see `Tip`.
        mass: Of tube and rod together [kg].
    """
    foot = base.t_connector(f"{name}_foot", at=at, turn=turn)
    _show(foot, f"{name}_tube", _tube_length(limits), TUBE_RADIUS, 0.6 * mass)
    rod = foot.linear_motor(name, limits=limits, home=home).t_connector(f"{name}_end")
    _show(rod, f"{name}_rod", -_rod_length(limits), ROD_RADIUS, 0.4 * mass)
    return rod


def passive_telescope(base: Tip, name: str, *, length: float, home: float) -> Tip:
    """Attach a passive slide along x with a rod, and return its end.

    Args:
        base: Part that carries it.
        name: Of the slide.
        length: Of the rod that is drawn [m].
        home: Length at the start [m].
    """
    rod = base.linear(name, home=home).t_connector(f"{name}_end")
    _show(rod, f"{name}_rod", -length, ROD_RADIUS, 0.2)
    return rod


def _tube_length(limits: tuple[float, float]) -> float:
    return max(min(limits[0], 0.5 * limits[1]), 0.05)


def _rod_length(limits: tuple[float, float]) -> float:
    return max(limits[1] - _tube_length(limits), 0.05)


def _show(place: Tip, name: str, length: float, radius: float, mass: float) -> None:
    if not math.isfinite(length):
        return
    bar = place.segment((length, 0.0, 0.0), name, radius=radius, mass=mass)
    bar.termination_point()
