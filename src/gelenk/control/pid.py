"""PID control of sampled loops: limits, anti-windup, cascades, sampling rates.

f = k_p e + k_i ∫e dt + k_v ė in parallel form (Damken 2023 §8.1.6, §8.1.9). Sampled
with period Ts the sums are Ts Σe and (e_k - e_{k-1}) / Ts; the course prints them for
Ts = 1. In a cascade the inner loop removes disturbances before the outer one sees them,
and should be three to five times as fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gelenk.control.linear_system import is_hurwitz
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class PidGains:
    """Gains in parallel form.

    Attributes:
        kp: Gain on the error.
        ki: Gain on the integral of the error [1/s].
        kv: Gain on the rate of the error [s].

    Example:
        >>> from gelenk.control import PidGains
        >>> PidGains(kp=2.0, kv=0.1)
        PidGains(kp=2.0, ki=0.0, kv=0.1)
    """

    kp: float
    ki: float = 0.0
    kv: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PidCfg:
    """A sampled PID controller.

    Attributes:
        gains: Gains k_p, k_i, k_v.
        dt: Sampling period Ts [s].
        max_output: The actuator gives no more, on either side.
        anti_windup: Anti-windup gain k_aw [1/s]: the integrator takes k_i e + k_aw (f̃
            - f), f̃ the limited output; 0 lets it wind up.
        derivative: Source of the derivative part: the "error", or the "measurement"
            alone, so that steps of the reference give no kick.
        filter_time: Time constant of a lag on the derivative [s]; 0: none.
        integral: "rectangle" adds Ts e_k, "trapezoid" Ts (e_k + e_{k-1}) / 2.

    Example:
        >>> from gelenk.control import PidCfg, PidGains, PidState, pid_step
        >>> cfg = PidCfg(gains=PidGains(kp=2.0, ki=0.5), dt=0.01, max_output=5.0)
        >>> output, state = pid_step(cfg, PidState(), 10.0, 0.0)
        >>> output
        5.0
    """

    gains: PidGains
    dt: float
    max_output: float = float("inf")
    anti_windup: float = 0.0
    derivative: Literal["error", "measurement"] = "error"
    filter_time: float = 0.0
    integral: Literal["rectangle", "trapezoid"] = "rectangle"

    def __post_init__(self) -> None:
        if not (self.dt > 0.0 and self.max_output > 0.0):
            raise ConfigError(
                "`dt` and `max_output` must be > 0, got "
                f"{self.dt} s and {self.max_output}"
            )
        if min(self.anti_windup, self.filter_time) < 0.0:
            raise ConfigError("`anti_windup` and `filter_time` must not be negative")


@dataclass(frozen=True, slots=True, kw_only=True)
class PidState:
    """Memory of a PID controller between samples.

    Attributes:
        integral: Part of the output that comes from the integrator.
        error: Error e of the sample before; None before the first.
        measured: Measurement of the sample before.
        rate: Filtered rate of the sample before.

    Example:
        >>> from gelenk.control import PidCfg, PidGains, PidState, pid_step
        >>> cfg = PidCfg(gains=PidGains(kp=2.0, ki=0.5), dt=1.0)
        >>> output, state = pid_step(cfg, PidState(), 1.0, 0.0)
        >>> state.integral
        0.5
    """

    integral: float = 0.0
    error: float | None = None
    measured: float = 0.0
    rate: float = 0.0


def pid_step(
    cfg: PidCfg,
    state: PidState,
    reference: float,
    measured: float,
    *,
    measured_rate: float | None = None,
) -> tuple[float, PidState]:
    """Return the limited output of one sample, and what to remember.

    Args:
        cfg: Gains, period, limits.
        state: State after the sample before; `PidState()` at the start.
        reference: Wanted value.
        measured: Measured value.
        measured_rate: Measured rate [1/s], if there is a sensor for it; the derivative
            part is then -k_v times it.

    Example:
        >>> from gelenk.control import PidCfg, PidGains, PidState, pid_step
        >>> cfg = PidCfg(gains=PidGains(kp=2.0, ki=0.5, kv=1.0), dt=1.0)
        >>> state, outputs = PidState(), []
        >>> for error in (1.0, 0.5, 0.2):
        ...     u, state = pid_step(cfg, state, error, 0.0)
        ...     outputs.append(round(u, 9))
        >>> outputs
        [2.5, 1.25, 0.95]
    """
    gains, error = cfg.gains, reference - measured
    before = error if state.error is None else state.error
    mean = error if cfg.integral == "rectangle" else 0.5 * (error + before)
    integral = state.integral + gains.ki * cfg.dt * mean
    rate = _rate(cfg, state, error, measured, measured_rate)
    raw = gains.kp * error + integral + gains.kv * rate
    limited = min(max(raw, -cfg.max_output), cfg.max_output)
    integral += cfg.anti_windup * cfg.dt * (limited - raw)
    return limited, PidState(
        integral=integral, error=error, measured=measured, rate=rate
    )


def _rate(
    cfg: PidCfg,
    state: PidState,
    error: float,
    measured: float,
    measured_rate: float | None,
) -> float:
    """Return the rate of the error that the derivative part uses."""
    if measured_rate is not None:
        raw = -measured_rate
    elif state.error is None:
        raw = 0.0
    elif cfg.derivative == "error":
        raw = (error - state.error) / cfg.dt
    else:
        raw = (state.measured - measured) / cfg.dt
    share = cfg.dt / (cfg.filter_time + cfg.dt)
    return state.rate + share * (raw - state.rate)


def bumpless_state(
    cfg: PidCfg, output: float, reference: float, measured: float
) -> PidState:
    """Return the state that continues a manual `output` without a jump.

    The next `pid_step` with the same reference and measurement returns `output`.

    Example:
        >>> cfg = PidCfg(gains=PidGains(kp=2.0, ki=0.5), dt=0.1)
        >>> u, _ = pid_step(cfg, bumpless_state(cfg, 7.0, 1.0, 0.4), 1.0, 0.4)
        >>> round(u, 9)
        7.0
    """
    error = reference - measured
    rest = output - (cfg.gains.kp + cfg.gains.ki * cfg.dt) * error
    return PidState(integral=rest, error=error, measured=measured)


def pid_increment(
    gains: PidGains, dt: float, errors: tuple[float, float, float]
) -> float:
    """Return u_k - u_{k-1}: the velocity form, which holds no integral to wind up.

    k_p (e_k - e_{k-1}) + k_i Ts e_k + k_v (e_k - 2 e_{k-1} + e_{k-2}) / Ts.

    Args:
        gains: Gains k_p, k_i, k_v.
        dt: Sampling period Ts [s].
        errors: Latest errors (e_k, e_{k-1}, e_{k-2}).

    Example:
        >>> gains = PidGains(kp=2.0, ki=0.5, kv=1.0)
        >>> round(pid_increment(gains, 1.0, (0.2, 0.5, 1.0)), 9)
        -0.3
    """
    now, before, first = errors
    bend = (now - 2.0 * before + first) / dt
    return gains.kp * (now - before) + gains.ki * dt * now + gains.kv * bend


def is_pid_stable(gains: PidGains, *, mass: float = 1.0) -> bool:
    """Return whether a mass under PID control is stable: 0 < m k_i < k_p k_v.

    The characteristic polynomial is m s³ + k_v s² + k_p s + k_i, or without an integral
    part m s² + k_v s + k_p.

    Example:
        >>> is_pid_stable(PidGains(kp=4.0, ki=11.0, kv=3.0))
        True
        >>> is_pid_stable(PidGains(kp=4.0, ki=13.0, kv=3.0))
        False
    """
    polynomial = [mass, gains.kv, gains.kp]
    return is_hurwitz(polynomial if gains.ki == 0.0 else [*polynomial, gains.ki])


def reset_integral(state: PidState) -> PidState:
    """Return the state with an empty integrator.

    Example:
        >>> reset_integral(PidState(integral=3.0)).integral
        0.0
    """
    return replace(state, integral=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeCfg:
    """Loops from the outermost to the innermost.

    Attributes:
        stages: Settings of the controllers; each period a multiple of the next.
    """

    stages: tuple[PidCfg, ...]

    def __post_init__(self) -> None:
        if not self.stages:
            raise ConfigError("a cascade needs at least one stage")
        for outer, inner in zip(self.stages, self.stages[1:], strict=False):
            ratio = outer.dt / inner.dt
            if ratio < 1.0 - 1e-9 or abs(ratio - round(ratio)) > 1e-6:
                raise ConfigError(
                    f"period {outer.dt} s of an outer loop is not a whole multiple of "
                    f"the inner one's, {inner.dt} s"
                )

    @property
    def dt(self) -> float:
        """Period of the innermost loop [s], at which the cascade is stepped."""
        return self.stages[-1].dt


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeState:
    """Memory of a cascade between steps.

    Attributes:
        tick: Steps so far.
        states: States of the stages.
        outputs: Outputs of the stages, held between their samples.
    """

    tick: int
    states: tuple[PidState, ...]
    outputs: tuple[float, ...]


def cascade_start(cfg: CascadeCfg) -> CascadeState:
    """Return the state before the first step.

    Example:
        >>> stage = PidCfg(gains=PidGains(kp=1.0), dt=0.001)
        >>> cascade_start(CascadeCfg(stages=(stage,))).outputs
        (0.0,)
    """
    count = len(cfg.stages)
    return CascadeState(tick=0, states=(PidState(),) * count, outputs=(0.0,) * count)


def cascade_step(
    cfg: CascadeCfg, state: CascadeState, reference: float, measured: Sequence[float]
) -> tuple[float, CascadeState]:
    """Return the output of the innermost loop after one of its periods.

    Args:
        cfg: The loops.
        state: State after the step before.
        reference: Reference of the outermost loop.
        measured: Measured values of the stages, outermost first.

    Example:
        >>> outer = PidCfg(gains=PidGains(kp=2.0), dt=0.01)
        >>> inner = PidCfg(gains=PidGains(kp=3.0), dt=0.001)
        >>> cfg = CascadeCfg(stages=(outer, inner))
        >>> cascade_step(cfg, cascade_start(cfg), 1.0, (0.5, 0.2))[0]
        2.4000000000000004
    """
    if len(measured) != len(cfg.stages):
        raise ShapeError(
            "measured", expected=f"({len(cfg.stages)},)", actual=(len(measured),)
        )
    states, outputs = list(state.states), list(state.outputs)
    for i, (stage, value) in enumerate(zip(cfg.stages, measured, strict=True)):
        if state.tick % round(stage.dt / cfg.dt) == 0:
            outputs[i], states[i] = pid_step(stage, states[i], reference, value)
        reference = outputs[i]
    return reference, CascadeState(
        tick=state.tick + 1, states=tuple(states), outputs=tuple(outputs)
    )


def cascade_gains(
    inertia: float, bandwidth: float, *, ratio: float = 4.0
) -> tuple[PidGains, PidGains]:
    """Return gains of a position and a velocity loop around a mass.

    Velocity loop: k_p = m r ω, a lag with bandwidth r ω; position loop: k_p = ω.

    Args:
        inertia: Mass m [kg] or inertia [kg m²].
        bandwidth: Bandwidth ω of the position loop [rad/s].
        ratio: Ratio r of the inner loop's bandwidth to the outer one's; at least 3.

    Example:
        >>> cascade_gains(2.0, 10.0)[1].kp
        80.0
    """
    if ratio < 3.0:
        raise ConfigError(f"`ratio` of nested loops must be >= 3, got {ratio}")
    return PidGains(kp=bandwidth), PidGains(kp=inertia * ratio * bandwidth)


def apparent_frequency(frequency: ArrayLike, sampling: float) -> FloatArray:
    """Return the frequency [Hz] at which a sine appears after sampling.

    Frequencies fold at half the sampling rate: |F - F_s round(F / F_s)|.

    Args:
        frequency: Frequency F of the sine [Hz], shape (...).
        sampling: Sampling frequency F_s [Hz].

    Example:
        >>> print(apparent_frequency([1.0, 4.0, 6.0, 9.0, 11.0], 10.0))
        [1. 4. 4. 1. 1.]
    """
    if not sampling > 0.0:
        raise ConfigError(f"`sampling` must be > 0 Hz, got {sampling}")
    f = np.asarray(frequency, np.float64)
    return np.abs(f - sampling * np.round(f / sampling))


def is_alias_free(frequency: ArrayLike, sampling: float) -> np.ndarray:
    """Return whether F_s > 2 F, so that the samples determine the sine.

    Example:
        >>> print(is_alias_free([4.9, 5.0], 10.0))
        [ True False]
    """
    return 2.0 * np.abs(np.asarray(frequency, np.float64)) < sampling


def recommended_period(rise_time: float) -> tuple[float, float]:
    """Return shortest and longest sensible sampling period: a tenth, a fifth of a rise.

    The course says sampling *frequency* (§8.1.9): it is the period.

    Args:
        rise_time: Rise time of the closed loop's step response [s].

    Example:
        >>> recommended_period(0.5)
        (0.05, 0.1)
    """
    if not rise_time > 0.0:
        raise ConfigError(f"`rise_time` must be > 0 s, got {rise_time}")
    return rise_time / 10.0, rise_time / 5.0


def check_sampling(sampling: float, *, highest: float, rise_time: float) -> None:
    """Raise if a loop samples too rarely for its signals or for its own speed.

    Args:
        sampling: Sampling frequency F_s [Hz].
        highest: Highest frequency in the measured signal, after its filter [Hz].
        rise_time: Rise time of the closed loop's step response [s].

    Raises:
        ConfigError: With the rate that is needed.

    Example:
        >>> check_sampling(100.0, highest=20.0, rise_time=0.1)
    """
    longest = recommended_period(rise_time)[1]
    needed = max(2.0 * highest, 1.0 / longest)
    if sampling <= 2.0 * highest or sampling < 1.0 / longest * (1.0 - 1e-12):
        raise ConfigError(
            f"sampling at {sampling} Hz is too slow: {highest} Hz would appear at "
            f"{float(apparent_frequency(highest, sampling)):g} Hz, and a rise in "
            f"{rise_time} s needs a period of at most {longest} s; use more than "
            f"{needed:g} Hz"
        )
