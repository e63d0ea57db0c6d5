"""PD control of a mass: f = k_p (x_d - x) - k_v ẋ adds to spring and damper."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.control.oscillator import Oscillator
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class PdGains:
    """Gains of a PD law.

    Attributes:
        kp: On the error [N/m].
        kv: On its rate [N s/m].
    """

    kp: float
    kv: float


def pd_force(
    gains: PdGains,
    x: ArrayLike,
    v: ArrayLike,
    *,
    x_d: ArrayLike = 0.0,
    v_d: ArrayLike = 0.0,
) -> FloatArray:
    """Return f = k_p (x_d - x) + k_v (ẋ_d - ẋ) [N]; arguments broadcast.

    Args:
        gains: k_p and k_v.
        x: Position [m].
        v: Speed [m/s].
        x_d: Wanted position [m].
        v_d: Wanted speed [m/s].

    Example:
        >>> print(pd_force(PdGains(kp=16.0, kv=8.0), 0.5, 0.25))
        -10.0
    """
    error = np.asarray(x_d, np.float64) - np.asarray(x, np.float64)
    rate = np.asarray(v_d, np.float64) - np.asarray(v, np.float64)
    return gains.kp * error + gains.kv * rate


def closed_loop(plant: Oscillator, gains: PdGains) -> Oscillator:
    """Return the oscillator that a plant under PD control is: b + k_v, k + k_p.

    Example:
        >>> plant = Oscillator(mass=1.0, damping=1.0, stiffness=1.0)
        >>> closed_loop(plant, PdGains(kp=15.0, kv=7.0)).regime.value
        'critically damped'
    """
    return Oscillator(
        mass=plant.mass,
        damping=plant.damping + gains.kv,
        stiffness=plant.stiffness + gains.kp,
    )


def critical_pd_gains(plant: Oscillator, stiffness: float) -> PdGains:
    """Return the gains that give a stiffness k̂ with critical damping b̂² = 4 m k̂.

    The course prints b̂² = 2 m k̂ (§8.1.3): that is ζ = 0.707 and overshoots by 4.3 %.

    Args:
        plant: What is controlled.
        stiffness: k̂ of the closed loop [N/m].

    Example:
        >>> critical_pd_gains(Oscillator(mass=1.0, damping=1.0, stiffness=1.0), 16.0)
        PdGains(kp=15.0, kv=7.0)
    """
    return damped_pd_gains(plant, stiffness, 1.0)


def damped_pd_gains(plant: Oscillator, stiffness: float, ratio: float) -> PdGains:
    """Return the gains that give a stiffness [N/m] and a damping ratio ζ.

    Example:
        >>> damped_pd_gains(Oscillator(mass=1.0, damping=0.0, stiffness=0.0), 4.0, 0.5)
        PdGains(kp=4.0, kv=2.0)
    """
    if not stiffness > 0.0:
        raise ConfigError(f"`stiffness` must be > 0 N/m, got {stiffness}")
    b = 2.0 * ratio * math.sqrt(plant.mass * stiffness)
    return PdGains(kp=stiffness - plant.stiffness, kv=b - plant.damping)


def pd_rest_offset(plant: Oscillator, gains: PdGains, load: float) -> float:
    """Return where a constant load [N] leaves it: x = d / (k + k_p) [m], for x_d = 0.

    Only an infinite gain or an integral part makes it vanish.

    Example:
        >>> plant = Oscillator(mass=1.0, damping=1.0, stiffness=1.0)
        >>> pd_rest_offset(plant, PdGains(kp=15.0, kv=7.0), 8.0)
        0.5
    """
    return load / closed_loop(plant, gains).stiffness
