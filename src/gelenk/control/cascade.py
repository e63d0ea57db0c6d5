"""Nested loops: an outer controller sets the reference of an inner, faster one.

Position -> velocity -> current is the usual order. The inner loop removes disturbances
before the outer one sees them, and should be three to five times as fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gelenk.control.pid import PidCfg, PidGains, PidState, pid_step
from gelenk.errors import ConfigError, ShapeError


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeCfg:
    """Loops from the outermost to the innermost.

    Attributes:
        stages: One controller each; each period is a whole multiple of the next one's.
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
    """What a cascade remembers.

    Attributes:
        tick: Steps so far.
        states: Of the stages.
        outputs: Of the stages, held between their samples.
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
        state: Of the step before.
        reference: Of the outermost loop.
        measured: What each stage controls, outermost first.

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
        inertia: m [kg] or [kg m²].
        bandwidth: ω of the position loop [rad/s].
        ratio: r, how much faster the inner loop is; at least 3.

    Example:
        >>> cascade_gains(2.0, 10.0)[1].kp
        80.0
    """
    if ratio < 3.0:
        raise ConfigError(f"`ratio` of nested loops must be >= 3, got {ratio}")
    return PidGains(kp=bandwidth), PidGains(kp=inertia * ratio * bandwidth)
