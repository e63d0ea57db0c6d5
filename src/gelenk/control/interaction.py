"""Interaction of coupled systems: impedances, admittances, impacts.

Along each degree of freedom two variables carry the power: effort (force) and flow
(velocity). An impedance takes flow and answers with effort, an admittance takes effort
and answers with flow; only complementary systems can be coupled (Hogan 1985; Damken
§8.5.1). A mass, or anything that may hit a stop, is an admittance: a force can always
be applied to it, a motion cannot always be imposed (the course says it the other way
round). So the arm should be an impedance.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray


class Causality(StrEnum):
    """Causality of a system: the variable it takes, and the one it answers with."""

    IMPEDANCE = "impedance"
    """Flow in, effort out: a spring, a damper, an arm under impedance control."""
    ADMITTANCE = "admittance"
    """Effort in, flow out: a mass, a linkage, a stiff position-controlled arm."""
    EITHER = "either"
    """Both ways: an ideal damper."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ImpedancePort:
    """A spring with a damper: effort = k x + b v + rest, x the integral of the flow.

    Attributes:
        name: Name of the system.
        stiffness: Stiffness k [N/m].
        damping: Damping b [N s/m].
        preload: Effort at rest [N].
    """

    name: str
    stiffness: float
    damping: float = 0.0
    preload: float = 0.0

    @property
    def causality(self) -> Causality:
        """A spring cannot be given a jump of force from a velocity it does not know."""
        return Causality.IMPEDANCE if self.stiffness else Causality.EITHER

    def effort(self, place: float, flow: float) -> float:
        """Return the force against the motion [N]."""
        return self.stiffness * place + self.damping * flow + self.preload


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AdmittancePort:
    """A mass under an outer force.

    Attributes:
        name: Name of the system.
        mass: Mass m [kg].
        force: Outer force as a function of time [N].
    """

    name: str
    mass: float
    force: Callable[[float], float] = lambda t: 0.0

    @property
    def causality(self) -> Causality:
        """A velocity cannot be imposed on a mass."""
        return Causality.ADMITTANCE

    def __post_init__(self) -> None:
        if not self.mass > 0.0:
            raise ConfigError(f"{self.name}: `mass` must be > 0 kg, got {self.mass}")


def check_coupling(first: Causality, second: Causality, names: str = "") -> None:
    """Raise unless two systems are complementary.

    Args:
        first: Causality of one system.
        second: Causality of the other system.
        names: Names of both systems, for the message.

    Raises:
        ConfigError: If both are impedances, or both admittances.

    Example:
        >>> check_coupling(Causality.IMPEDANCE, Causality.ADMITTANCE)
    """
    if Causality.EITHER in (first, second) or first is not second:
        return
    both, lacks = (
        ("flow", "effort")
        if first is Causality.IMPEDANCE
        else (
            "effort",
            "flow",
        )
    )
    raise ConfigError(
        f"two systems of {first.value} causality cannot be coupled{names and ': '}"
        f"{names}; both take {both} and nobody answers with it (both answer with "
        f"{lacks}); make one of them its complement"
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Interaction:
    """Motion of two coupled systems.

    Attributes:
        t: Times [s], shape (k,).
        place: Integral of the flow [m], shape (k,).
        flow: Flow [m/s], shape (k,).
        effort: Effort [N], shape (k,).
    """

    t: FloatArray
    place: FloatArray
    flow: FloatArray
    effort: FloatArray


def simulate_coupling(
    first: ImpedancePort | AdmittancePort,
    second: ImpedancePort | AdmittancePort,
    *,
    duration: float,
    dt: float,
    flow: float = 0.0,
) -> Interaction:
    """Return what two complementary systems do together.

    The admittance's flow drives the impedance, whose effort brakes the admittance; one
    classical Runge-Kutta step for each `dt`.

    Args:
        first: First system.
        second: Second system, complementary to the first.
        duration: Duration [s].
        dt: Time step [s].
        flow: Flow of the admittance at the start [m/s].

    Raises:
        ConfigError: If they are not complementary.

    Example:
        >>> arm = ImpedancePort(name="arm", stiffness=100.0, damping=20.0)
        >>> ball = AdmittancePort(name="ball", mass=1.0, force=lambda t: 5.0)
        >>> motion = simulate_coupling(arm, ball, duration=5.0, dt=0.01)
        >>> print(motion.place[-1].round(6))
        0.05
    """
    check_coupling(first.causality, second.causality, f"{first.name} and {second.name}")
    ports = (first, second)
    masses = [port for port in ports if isinstance(port, AdmittancePort)]
    springs = [port for port in ports if isinstance(port, ImpedancePort)]
    if len(masses) != 1 or len(springs) != 1:
        raise ConfigError(f"{first.name} and {second.name}: one must store motion")
    mass, spring = masses[0], springs[0]

    def rate(t: float, s: FloatArray) -> FloatArray:
        push = mass.force(t) - spring.effort(s[0], s[1])
        return np.array([s[1], push / mass.mass])

    times = dt * np.arange(round(duration / dt) + 1, dtype=np.float64)
    states = [np.array([0.0, flow])]
    for t in times[:-1]:
        s = states[-1]
        a = rate(t, s)
        b = rate(t + 0.5 * dt, s + 0.5 * dt * a)
        c = rate(t + 0.5 * dt, s + 0.5 * dt * b)
        d = rate(t + dt, s + dt * c)
        states.append(s + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d))
    place, speed = np.array(states).T
    effort = spring.stiffness * place + spring.damping * speed + spring.preload
    return Interaction(t=times, place=place, flow=speed, effort=effort)


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
    """Motor that drives a link, perhaps through a spring, against an elastic wall.

    Attributes:
        motor_mass: Reflected inertia of the motor [kg].
        link_mass: Mass of the link [kg].
        spring: Stiffness of the spring between both [N/m]; None for a rigid shaft.
        spring_damping: Damping of the spring [N s/m].
        wall: Stiffness of the wall [N/m].
        speed: Speed at the first touch [m/s].
        stiffness: Active stiffness of the motor towards its target [N/m].
        damping: Active [N s/m].
        target: Distance of the target beyond the surface of the wall [m].
        delay: Delay from motion to the controller's answer [s].
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
class ImpactMotion:
    """Force and motion of an impact on a wall.

    Attributes:
        t: Time since the first touch [s], shape (k,).
        force: Force on the wall [N], shape (k,).
        link: Place of the link, 0 at the surface [m], shape (k,).
    """

    t: FloatArray
    force: FloatArray
    link: FloatArray

    @property
    def peak(self) -> float:
        """Largest force [N]."""
        return float(self.force.max())


def simulate_impact(
    cfg: ImpactCfg, *, duration: float, dt: float = 2e-5
) -> ImpactMotion:
    """Return the force of an impact over time, semi-implicit steps.

    Args:
        cfg: Masses, springs, wall, controller.
        duration: Duration [s].
        dt: Step of the integration [s], far below √(m/k) of the wall.

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
    return ImpactMotion(t=t, force=forces, link=links)
