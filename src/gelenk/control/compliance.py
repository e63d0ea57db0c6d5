"""Softness built in and softness by control, alone and together, on impact.

A passive spring acts at once and decouples the motor's inertia; an active impedance can
be chosen, but acts after its delay. Together: the spring takes the blow, the controller
sets what is felt afterwards (series elastic actuator with impedance control).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray


def series_stiffness(*stiffness: float) -> float:
    """Return 1 / Σ 1/k_i [N/m]: of springs one behind the other.

    Example:
        >>> series_stiffness(100.0, 100.0)
        50.0
    """
    if not stiffness or min(stiffness) <= 0.0:
        raise ConfigError(f"springs in series need stiffness > 0, got {stiffness}")
    return 1.0 / sum(1.0 / k for k in stiffness)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactCfg:
    """A motor drives a link, perhaps through a spring, against an elastic wall.

    Attributes:
        motor_mass: Reflected inertia of the motor [kg].
        link_mass: [kg].
        spring: Between both [N/m]; None: a rigid shaft.
        spring_damping: [N s/m].
        wall: Stiffness of the wall [N/m].
        speed: At the first touch [m/s].
        stiffness: Active, of the motor towards its target [N/m].
        damping: Active [N s/m].
        target: Beyond the surface of the wall [m].
        delay: From motion to the controller's answer [s].
    """

    motor_mass: float
    link_mass: float
    spring: float | None
    spring_damping: float = 0.0
    wall: float
    speed: float
    stiffness: float = 0.0
    damping: float = 0.0
    target: float = 0.0
    delay: float = 0.0

    def __post_init__(self) -> None:
        if min(self.motor_mass, self.link_mass, self.wall) <= 0.0:
            raise ConfigError(
                f"masses and the wall's stiffness must be > 0, got {self}"
            )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Impact:
    """What a wall felt.

    Attributes:
        t: Since the first touch [s], shape (k,).
        force: On the wall [N], shape (k,).
        link: Place of the link, 0 at the surface [m], shape (k,).
    """

    t: FloatArray
    force: FloatArray
    link: FloatArray

    @property
    def peak(self) -> float:
        """Largest force [N]."""
        return float(self.force.max())


def simulate_impact(cfg: ImpactCfg, *, duration: float, dt: float = 2e-5) -> Impact:
    """Return the force of an impact over time, semi-implicit steps.

    Args:
        cfg: Masses, springs, wall, controller.
        duration: [s].
        dt: Step [s], far below √(m/k) of the wall.

    Example:
        Rigid, all mass hits: v √(k (m_motor + m_link)); through a spring only the link.

        >>> hit = dict(motor_mass=2.0, link_mass=0.5, wall=1e5, speed=0.5)
        >>> stiff = simulate_impact(ImpactCfg(spring=None, **hit), duration=0.02)
        >>> soft = simulate_impact(ImpactCfg(spring=500.0, **hit), duration=0.02)
        >>> round(stiff.peak), round(soft.peak)
        (250, 112)
    """
    count = round(duration / dt) + 1
    forces, links = np.zeros(count), np.zeros(count)
    x = y = 0.0  # motor and link
    v = w = cfg.speed
    late = deque([(0.0, cfg.speed)] * (round(cfg.delay / dt) + 1))
    total = cfg.motor_mass + cfg.link_mass
    for k in range(count):
        late.append((x, v))
        seen, seen_rate = late.popleft()
        drive = cfg.stiffness * (cfg.target - seen) - cfg.damping * seen_rate
        drive = drive if k * dt >= cfg.delay else 0.0
        force = cfg.wall * max(y, 0.0)
        forces[k], links[k] = force, y
        if cfg.spring is None:
            v = w = v + dt * (drive - force) / total
        else:
            push = cfg.spring * (x - y) + cfg.spring_damping * (v - w)
            v += dt * (drive - push) / cfg.motor_mass
            w += dt * (push - force) / cfg.link_mass
        x, y = x + dt * v, y + dt * w
    t = dt * np.arange(count, dtype=np.float64)
    return Impact(t=t, force=forces, link=links)
