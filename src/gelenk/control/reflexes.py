"""Biological control: delayed reflexes, inhibition, central pattern generators."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


class NerveDelay:
    """A nerve: what goes in comes out `delay` later.

    Args:
        delay: Delay [s], 20 to 50 ms for a stretch reflex; a whole multiple of `dt`.
        dt: Time between two calls [s].
        rest: Output before the first input arrives.

    Example:
        >>> nerve = NerveDelay(delay=0.02, dt=0.01)
        >>> [nerve.step(value) for value in (1.0, 2.0, 3.0)]
        [0.0, 0.0, 1.0]
    """

    def __init__(self, *, delay: float, dt: float, rest: float = 0.0) -> None:
        count = round(delay / dt)
        if count < 0 or abs(delay / dt - count) > 1e-6:
            raise ConfigError(f"delay {delay} s is not a whole multiple of {dt} s")
        self._queue = deque([rest] * count)

    def step(self, value: float) -> float:
        """Take the value of now and return that of `delay` ago."""
        self._queue.append(value)
        return self._queue.popleft()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpindleCfg:
    """A muscle spindle: it measures length and speed of its muscle.

    Attributes:
        length_gain: Gain k_l on the length [1/m].
        speed_gain: Gain k_v on the speed [s/m].
        rest_length: l_0 [m].
    """

    length_gain: float
    speed_gain: float
    rest_length: float


def stretch_reflex(cfg: SpindleCfg, length: ArrayLike, speed: ArrayLike) -> FloatArray:
    """Return [k_l (l - l_0) + k_v l̇]⁺: excitation by a stretch, to be added late.

    Args:
        cfg: Gains, rest length.
        length: l(t - δ) [m], shape (...).
        speed: l̇(t - δ) [m/s], shape (...).

    Example:
        >>> spindle = SpindleCfg(length_gain=20.0, speed_gain=1.0, rest_length=0.1)
        >>> print(stretch_reflex(spindle, [0.12, 0.08], 0.0).round(6))
        [0.4 0. ]
    """
    stretch = np.asarray(length, np.float64) - cfg.rest_length
    drive = cfg.length_gain * stretch + cfg.speed_gain * np.asarray(speed, np.float64)
    return np.maximum(drive, 0.0)


def golgi_inhibition(force: ArrayLike, *, gain: float, threshold: float) -> FloatArray:
    """Return -k_g [F - F_0]⁺: the tendon organ relieves a muscle that pulls too hard.

    Args:
        force: F(t - δ) [N], shape (...).
        gain: Gain k_g [1/N].
        threshold: F_0 [N].

    Example:
        >>> print(golgi_inhibition([50.0, 150.0], gain=0.01, threshold=100.0) + 0.0)
        [ 0.  -0.5]
    """
    excess = np.maximum(np.asarray(force, np.float64) - threshold, 0.0)
    return -gain * excess


def reciprocal_inhibition(
    excitation: ArrayLike, reflex: ArrayLike, *, gain: float
) -> FloatArray:
    """Return [u_0 - k_r u_Ia]⁺: the antagonist relaxes while the muscle is excited.

    Args:
        excitation: u_0 of the antagonist, shape (...).
        reflex: Reflex signal u_Ia of the stretched muscle, shape (...).
        gain: Gain k_r.

    Example:
        >>> print(reciprocal_inhibition(0.3, [0.1, 0.9], gain=1.0).round(6))
        [0.2 0. ]
    """
    u = np.asarray(excitation, np.float64) - gain * np.asarray(reflex, np.float64)
    return np.maximum(u, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfCentre:
    """Two neurons that inhibit each other and tire (Matsuoka 1985).

    Attributes:
        rise_time: Time constant τ_r of a neuron [s].
        fatigue_time: Time constant τ_a of the fatigue [s].
        fatigue: Strength β of the fatigue.
        inhibition: Weight w with which one inhibits the other.
        drive: u_0 of both.
    """

    rise_time: float
    fatigue_time: float
    fatigue: float
    inhibition: float
    drive: float = 1.0

    @property
    def oscillates(self) -> bool:
        """Whether 1 + τ_r/τ_a < w < 1 + β."""
        lowest = 1.0 + self.rise_time / self.fatigue_time
        return lowest < self.inhibition < 1.0 + self.fatigue


def half_centre_rate(cfg: HalfCentre, state: ArrayLike) -> FloatArray:
    """Return the rate of (x_1, x_2, v_1, v_2), shape (..., 4).

    τ_r ẋ_1 = -x_1 - β v_1 - w [x_2]⁺ + u_0, τ_a v̇_1 = -v_1 + [x_1]⁺, and 1 ↔ 2.

    Example:
        >>> cfg = HalfCentre(
        ...     rise_time=0.1, fatigue_time=0.2, fatigue=2.5, inhibition=2.5
        ... )
        >>> print(half_centre_rate(cfg, [0.1, 0.0, 0.0, 0.0]))
        [9.  7.5 0.5 0. ]
    """
    s = np.asarray(state, np.float64)
    x, v = s[..., :2], s[..., 2:]
    active = np.maximum(x, 0.0)
    rise = -x - cfg.fatigue * v - cfg.inhibition * active[..., ::-1] + cfg.drive
    return np.concatenate(
        [rise / cfg.rise_time, (active - v) / cfg.fatigue_time], axis=-1
    )


def half_centre_rhythm(
    cfg: HalfCentre, *, duration: float, dt: float = 1e-3, kick: float = 0.1
) -> tuple[FloatArray, FloatArray]:
    """Return times (k,) [s] and the output y = [x_1]⁺ - [x_2]⁺ (k,), from a small kick.

    Classical Runge-Kutta steps.

    Example:
        >>> cfg = HalfCentre(
        ...     rise_time=0.1, fatigue_time=0.2, fatigue=2.5, inhibition=2.5
        ... )
        >>> t, y = half_centre_rhythm(cfg, duration=4.0, dt=5e-3)
        >>> print(np.abs(y[400:]).max().round(2))
        0.48
    """
    count = round(duration / dt) + 1
    states = np.zeros((count, 4))
    states[0, 0] = kick
    for k in range(count - 1):
        s = states[k]
        a = half_centre_rate(cfg, s)
        b = half_centre_rate(cfg, s + 0.5 * dt * a)
        c = half_centre_rate(cfg, s + 0.5 * dt * b)
        d = half_centre_rate(cfg, s + dt * c)
        states[k + 1] = s + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    active = np.maximum(states[:, :2], 0.0)
    return dt * np.arange(count, dtype=np.float64), active[:, 0] - active[:, 1]
