"""Bodies with muscles: an elbow, soft tissue, and the reafference principle.

The reafference principle predicts the sense that a command causes and subtracts it from
what is felt; what is left comes from the world.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

from gelenk.dynamics.muscle import (
    Muscle,
    activation_rate,
    fibre_angle,
    fibre_speed,
    hinge_path,
    isometric_equilibrium,
    tendon_force,
)
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Elbow:
    """A forearm on a hinge, bent by one muscle; the upper arm hangs down.

    Attributes:
        muscle: The flexor.
        origin: Distance of its origin from the joint [m].
        insertion: Distance of its insertion [m].
        inertia: Inertia of the forearm about the joint [kg m^2].
        mass: Mass of the forearm [kg].
        centre: Distance of the forearm's centre of mass from the joint [m].
        damping: Damping of the joint [N m s/rad].
    """

    muscle: Muscle = field(
        default_factory=lambda: Muscle(
            max_force=600.0, fibre_length=0.12, slack_length=0.21
        )
    )
    origin: float = 0.30
    insertion: float = 0.04
    inertia: float = 0.06
    mass: float = 1.5
    centre: float = 0.16
    damping: float = 0.3


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ElbowMotion:
    """A bending elbow over time; every array has shape (k,).

    Attributes:
        t: Times [s].
        angle: Joint angle q, 0 when stretched [rad].
        activation: Activation a.
        fibre: Fibre length l_M [m].
        force: Force of the tendon [N].
    """

    t: FloatArray
    angle: FloatArray
    activation: FloatArray
    fibre: FloatArray
    force: FloatArray


def bend_elbow(
    elbow: Elbow, *, excitation: float, duration: float, angle: float = 0.3
) -> ElbowMotion:
    """Return the motion of an arm after its muscle is excited, from rest.

    Four states: angle, speed, activation, fibre length; the tendon couples them.

    Args:
        elbow: Arm and muscle.
        excitation: u in [0, 1] from t = 0.
        duration: Duration [s].
        angle: Joint angle at the start [rad].

    Example:
        >>> strong = bend_elbow(Elbow(), excitation=0.8, duration=0.5)
        >>> weak = bend_elbow(Elbow(), excitation=0.2, duration=0.5)
        >>> bool(strong.angle[-1] > weak.angle[-1])
        True
    """
    if not 0.0 <= excitation <= 1.0:
        raise ConfigError(f"`excitation` must lie in [0, 1], got {excitation}")
    paths = {"origin": elbow.origin, "insertion": elbow.insertion}
    total, _ = hinge_path(angle, **paths)
    fibre, _ = isometric_equilibrium(elbow.muscle, total=float(total), activation=0.01)

    def pull(q: FloatArray, l_m: FloatArray) -> tuple[FloatArray, FloatArray]:
        length, arm = hinge_path(q, **paths)
        along = l_m * np.cos(fibre_angle(elbow.muscle, l_m))
        return tendon_force(elbow.muscle, length - along), arm

    def rate(_t: float, state: FloatArray) -> list[float]:
        q, qd, a, l_m = state
        force, arm = pull(q, l_m)
        weight = elbow.mass * 9.81 * elbow.centre * np.sin(q)
        torque = arm * force - weight - elbow.damping * qd
        length, _ = hinge_path(q, **paths)
        l_rate = fibre_speed(elbow.muscle, l_m, total=length, activation=a)
        a_rate = activation_rate(a, excitation)
        return [qd, float(torque) / elbow.inertia, float(a_rate), float(l_rate)]

    run = solve_ivp(
        rate,
        (0.0, duration),
        [angle, 0.0, 0.01, fibre],
        method="LSODA",
        rtol=1e-6,
        atol=1e-8,
        t_eval=np.linspace(0.0, duration, 101),
    )
    q, _, a, l_m = run.y
    return ElbowMotion(t=run.t, angle=q, activation=a, fibre=l_m, force=pull(q, l_m)[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class WobblingBody:
    """A body that lands on its feet, part of its mass soft.

    Attributes:
        bone: Mass of what is rigid [kg].
        soft: Mass of what wobbles [kg]; bound by a spring and a damper.
        stiffness: Stiffness k_w [N/m].
        damping: Damping d_w [N s/m].
        ground: Stiffness of heel and floor [N/m].
        ground_damping: Ground damping [N s/m].
    """

    bone: float = 30.0
    soft: float = 40.0
    stiffness: float = 8e3
    damping: float = 350.0
    ground: float = 2e5
    ground_damping: float = 800.0


def landing_force(
    body: WobblingBody, *, speed: float, duration: float = 0.08, rigid: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Return times [s] and the force of the ground [N] after landing, shapes (k,).

    m_w ẍ = -k_w (x - x_b) - d_w (ẋ - ẋ_b): soft tissue keeps falling for a while and
    takes its share of the blow later.

    Args:
        body: Masses and springs.
        speed: Downwards at touch-down [m/s].
        duration: Duration [s].
        rigid: Bind the soft mass to the bone, for comparison.
    """
    g = 9.81

    def contact(x: FloatArray, v: FloatArray) -> FloatArray:
        push = -body.ground * x - body.ground_damping * v
        return np.where(x < 0.0, np.maximum(push, 0.0), 0.0)

    def rate(_t: float, state: FloatArray) -> list[float]:
        x, v, y, w = state
        force = float(contact(x, v))
        if rigid:
            acc = force / (body.bone + body.soft) - g
            return [v, acc, v, acc]
        bond = body.stiffness * (x - y) + body.damping * (v - w)
        return [v, (force - bond) / body.bone - g, w, bond / body.soft - g]

    t = np.linspace(0.0, duration, 400)
    run = solve_ivp(
        rate, (0.0, duration), [0.0, -speed, 0.0, -speed], t_eval=t, max_step=2e-3
    )
    return run.t, contact(run.y[0], run.y[1])


ForwardModel = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reafference:
    """A sense split by its cause; every array has the shape of the reading.

    Attributes:
        predicted: Sense that the command alone would cause.
        external: Rest of the sense, caused by the world.
        is_external: Whether the rest exceeds the threshold in some channel.
    """

    predicted: FloatArray
    external: FloatArray
    is_external: bool


def split_sense(
    measured: ArrayLike,
    state: ArrayLike,
    command: ArrayLike,
    *,
    model: ForwardModel,
    threshold: float,
) -> Reafference:
    """Return the parts of a reading that oneself and the world caused.

    Args:
        measured: Reading, shape (k,).
        state: State from which the model predicts, shape (n,).
        command: Copy of the command, shape (m,).
        model: Function that predicts the reading from (state, command).
        threshold: Deviation above which the world is blamed, in units of the reading.

    Example:
        >>> push = split_sense(
        ...     [0.5], [2.0], [3.0], model=lambda x, u: u / x, threshold=0.1
        ... )
        >>> print(push.predicted, push.external, push.is_external)
        [1.5] [-1.] True
    """
    if not threshold >= 0.0:
        raise ConfigError(f"`threshold` must be >= 0, got {threshold}")
    reading = np.asarray(measured, np.float64)
    predicted = np.asarray(
        model(np.asarray(state, np.float64), np.asarray(command, np.float64)),
        dtype=np.float64,
    )
    external = reading - predicted
    return Reafference(
        predicted=predicted,
        external=external,
        is_external=bool(np.any(np.abs(external) > threshold)),
    )
