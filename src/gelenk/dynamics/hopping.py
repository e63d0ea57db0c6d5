"""Hopping robots with one, two or four legs in the sagittal plane (Raibert 1986).

Height, forward speed and attitude are controlled apart, each in its own part of the
hop; an automaton with five states selects the controller. Legs that act together are
one virtual leg: they land together and share the force equally. A biped then is a
one-legged hopper that changes its leg; a trot is a biped with two feet per leg.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

GRAVITY = 9.81  # [m/s^2]


class HopState(StrEnum):
    """Parts of a hop, in their order."""

    LOADING = "loading"
    """The foot touched: no hip torque, no push."""
    COMPRESSION = "compression"
    """The leg shortens: hold the attitude."""
    THRUST = "thrust"
    """The leg lengthens: push, hold the attitude."""
    UNLOADING = "unloading"
    """The leg is nearly long again: no hip torque."""
    FLIGHT = "flight"
    """The foot is off the ground: place it for the next landing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegSenses:
    """Sensor readings of the (virtual) leg.

    Attributes:
        is_down: A foot touches the ground.
        squeeze: Shortening of the leg against its rest length [m].
        rate: Rate of the leg's length, > 0 lengthening [m/s].
    """

    is_down: bool
    squeeze: float
    rate: float


def next_hop_state(
    state: HopState, senses: LegSenses, *, small: float = 0.005
) -> HopState:
    """Return the state that follows from what the leg feels.

    Args:
        state: Present state.
        senses: Readings of the leg's sensors.
        small: Lengths below this count as none [m].

    Example:
        >>> touch = LegSenses(is_down=True, squeeze=0.0, rate=-1.0)
        >>> str(next_hop_state(HopState.FLIGHT, touch))
        'loading'
    """
    match state:
        case HopState.FLIGHT:
            return HopState.LOADING if senses.is_down else state
        case HopState.LOADING:
            is_over = senses.squeeze > small
            return HopState.COMPRESSION if is_over or not senses.is_down else state
        case HopState.COMPRESSION:
            return HopState.THRUST if senses.rate >= 0.0 else state
        case HopState.THRUST:
            is_over = senses.squeeze < small or not senses.is_down
            return HopState.UNLOADING if is_over else state
        case HopState.UNLOADING:
            return state if senses.is_down else HopState.FLIGHT


def foot_placement(
    speed: float, wanted: float, *, stance_time: float, gain: float
) -> float:
    """Return how far ahead of the hip the foot lands [m].

    x_f = ẋ T_s / 2 + k (ẋ - ẋ_d): at the neutral point the speed stays; a foot farther
    ahead brakes.

    Example:
        >>> round(foot_placement(1.2, 1.0, stance_time=0.2, gain=0.05), 9)
        0.13
    """
    return 0.5 * speed * stance_time + gain * (speed - wanted)


def thrust_length(squeeze: float, energy: float, stiffness: float) -> float:
    """Return by how much the leg's rest length grows to add an energy [m].

    Δl = -x_c + √(x_c² + 2 ΔE / k), at the deepest point x_c; energy cannot be taken out
    by more than the spring holds.

    Example:
        >>> round(thrust_length(0.08, 8.0, 5000.0), 6)
        0.01798
    """
    if not stiffness > 0.0:
        raise ConfigError(f"`stiffness` must be > 0, got {stiffness}")
    return -squeeze + math.sqrt(max(squeeze**2 + 2.0 * energy / stiffness, 0.0))


def attitude_torque(
    pitch: float, rate: float, *, stiffness: float, damping: float, wanted: float = 0.0
) -> float:
    """Return the hip torque on the body in stance: -k_p (φ - φ_d) - k_v φ̇ [N m]."""
    return -stiffness * (pitch - wanted) - damping * rate


@dataclass(frozen=True, slots=True, kw_only=True)
class HopperCfg:
    """A body on telescopic legs without mass.

    Attributes:
        mass: Mass [kg].
        inertia: Moment of inertia in pitch [kg m^2].
        leg: Length at rest [m].
        stiffness: Stiffness of one leg [N/m].
        leg_damping: Damping of one leg, whose loss the thrust replaces [N s/m].
        hips: Places of the hips along the body, from its centre [m].
        gait: Groups of legs that act together, in the order of their steps.
        speed_gain: Gain of foot placement on the speed error [s].
        attitude_stiffness: Attitude stiffness [N m/rad].
        attitude_damping: Attitude damping [N m s/rad].
    """

    mass: float = 10.0
    inertia: float = 1.0
    leg: float = 0.6
    stiffness: float = 5000.0
    leg_damping: float = 10.0
    hips: tuple[float, ...] = (0.0,)
    gait: tuple[tuple[int, ...], ...] = ((0,),)
    speed_gain: float = 0.08
    attitude_stiffness: float = 40.0
    attitude_damping: float = 25.0

    def __post_init__(self) -> None:
        if not self.gait or any(not group for group in self.gait):
            raise ConfigError("`gait` needs groups of at least one leg each")
        if max(k for group in self.gait for k in group) >= len(self.hips):
            raise ConfigError("`gait` names a leg that has no hip")


def monopod() -> HopperCfg:
    """Return Raibert's hopper with one leg."""
    return HopperCfg()


def biped() -> HopperCfg:
    """Return a runner that changes its leg with every step."""
    return HopperCfg(hips=(0.0, 0.0), gait=((0,), (1,)))


def trotter() -> HopperCfg:
    """Return four legs of which diagonal ones act together."""
    return HopperCfg(
        mass=20.0,
        inertia=2.0,
        hips=(0.35, 0.35, -0.35, -0.35),
        gait=((0, 3), (1, 2)),
        attitude_stiffness=80.0,
        attitude_damping=50.0,
    )


@dataclass(slots=True, kw_only=True)
class HopperRun:
    """Run of a hopper, step by step.

    Attributes:
        t, x, z, pitch, speed: Time [s], place [m], pitch [rad], forward speed [m/s].
        states: State of the automaton.
        stance: Legs on the ground.
        apex_heights, apex_speeds: Height [m] and speed [m/s] at the top of each flight.
        fell: Whether the body touched the ground, or turned over.
    """

    t: list[float] = field(default_factory=list[float])
    x: list[float] = field(default_factory=list[float])
    z: list[float] = field(default_factory=list[float])
    pitch: list[float] = field(default_factory=list[float])
    speed: list[float] = field(default_factory=list[float])
    states: list[HopState] = field(default_factory=list[HopState])
    stance: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    apex_heights: list[float] = field(default_factory=list[float])
    apex_speeds: list[float] = field(default_factory=list[float])
    fell: bool = False


@dataclass(slots=True, kw_only=True)
class _Hop:
    """State that changes during a run."""

    body: FloatArray  # x, z, pitch and their rates
    state: HopState = HopState.FLIGHT
    group: int = 0
    foot: float | None = None  # of the virtual leg, on the ground [m]
    extra: float = 0.0  # [m], thrust
    stance_time: float = 0.0
    landed: tuple[float, float, float] = (0.0, 0.0, 0.0)  # t, x, forward speed
    landing_energy: float = 0.0
    squeeze: float = 0.0
    rate: float = 0.0


def run_hopper(
    cfg: HopperCfg,
    *,
    speed: float,
    height: float,
    duration: float,
    start_height: float | None = None,
    start_pitch: float = 0.0,
    dt: float = 1e-3,
) -> HopperRun:
    """Return the run of a hopper that is to keep a speed and a height.

    Args:
        cfg: Body, legs and gait.
        speed: Wanted speed [m/s].
        height: Wanted of the body's centre at each apex [m].
        duration: Duration [s].
        start_height: Height from which it is dropped, at rest [m]; by default `height`.
        start_pitch: Pitch at the start [rad].
        dt: Step of the semi-implicit integration [s].

    Example:
        >>> run = run_hopper(monopod(), speed=0.0, height=0.75, duration=1.5)
        >>> print(run.fell, [round(h, 2) for h in run.apex_heights])
        False [0.75, 0.75]
    """
    first = height if start_height is None else start_height
    legs = len(cfg.gait[0])
    hop = _Hop(body=np.array([0.0, first, start_pitch, 0.0, 0.0, 0.0]))
    hop.stance_time = math.pi * math.sqrt(cfg.mass / (legs * cfg.stiffness))
    run = HopperRun()
    for k in range(round(duration / dt)):
        was_rising = hop.body[4] > 0.0
        _think(cfg, hop, k * dt, height=height)
        _move(cfg, hop, dt, speed=speed)
        x, z, pitch, vx, vz, _ = hop.body.tolist()
        if was_rising and vz <= 0.0 and hop.state is HopState.FLIGHT:
            run.apex_heights.append(z)
            run.apex_speeds.append(vx)
        run.t.append(k * dt)
        run.x.append(x)
        run.z.append(z)
        run.pitch.append(pitch)
        run.speed.append(vx)
        run.states.append(hop.state)
        run.stance.append(cfg.gait[hop.group] if hop.foot is not None else ())
        if z < 0.3 * cfg.leg or abs(pitch) > 1.0:
            run.fell = True
            break
    return run


def share_virtual_leg(
    hips: ArrayLike, feet: ArrayLike, force: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return what each leg of a virtual leg does: axial force [N], hip torque [N m].

    Every foot takes the same share of the force, so that together they act like one
    leg between the middles of hips and feet.

    Args:
        hips: Places (x, z) [m], shape (n, 2).
        feet: Places (x, z) [m], shape (n, 2).
        force: Force of the ground on the virtual leg [N], shape (2,).

    Returns:
        Pushes along the legs and torques on the body, both shape (n,).

    Example:
        >>> hips, feet = [[-0.3, 0.5], [0.3, 0.5]], [[-0.3, 0.0], [0.3, 0.0]]
        >>> push, torque = share_virtual_leg(hips, feet, [0.0, 200.0])
        >>> print(push, torque)
        [100. 100.] [0. 0.]
    """
    h, f = as_finite("hips", hips, (2,)), as_finite("feet", feet, (2,))
    share = as_finite("force", force, (2,)) / len(h)
    along = h - f
    length = np.linalg.norm(along, axis=-1)
    across = along[:, 0] * share[1] - along[:, 1] * share[0]
    return along @ share / length, 0.0 - across


def _think(cfg: HopperCfg, hop: _Hop, t: float, *, height: float) -> None:
    """Let the automaton go on; what a state does once is done on entering it."""
    senses = LegSenses(is_down=hop.foot is not None, squeeze=hop.squeeze, rate=hop.rate)
    after = next_hop_state(hop.state, senses)
    if after is hop.state:
        return
    hop.state = after
    if after is HopState.LOADING:
        hop.landed = (t, float(hop.body[0]), float(hop.body[3]))
        hop.landing_energy = _energy(cfg, hop)
    elif after is HopState.THRUST:
        now = _energy(cfg, hop)
        wanted = cfg.mass * (GRAVITY * height + 0.5 * hop.landed[2] ** 2)
        losses = max(hop.landing_energy - now, 0.0)  # as much again on the way up
        stiffness = len(cfg.gait[hop.group]) * cfg.stiffness
        hop.extra = thrust_length(hop.squeeze, wanted - now + losses, stiffness)
        hop.extra = min(max(hop.extra, -0.5 * hop.squeeze), 0.3 * cfg.leg)
    elif after is HopState.FLIGHT:
        t_0, x_0, v_0 = hop.landed
        # Raibert's print of the centre of mass: the way it went over the foot.
        is_fast = abs(v_0) > 0.2
        hop.stance_time = (float(hop.body[0]) - x_0) / v_0 if is_fast else t - t_0
        hop.extra, hop.squeeze = 0.0, 0.0
        hop.group = (hop.group + 1) % len(cfg.gait)


def _move(cfg: HopperCfg, hop: _Hop, dt: float, *, speed: float) -> None:
    """Advance the body by one step under its virtual leg and its weight."""
    x, z, pitch, vx, vz, spin = hop.body.tolist()
    c, s = math.cos(pitch), math.sin(pitch)
    legs = cfg.gait[hop.group]
    arm = sum(cfg.hips[k] for k in legs) / len(legs)
    if hop.state is HopState.FLIGHT:
        ahead = foot_placement(
            vx, speed, stance_time=hop.stance_time, gain=cfg.speed_gain
        )
        ahead = min(max(ahead, -0.5 * cfg.leg), 0.5 * cfg.leg)
        if vz < 0.0 and z + arm * s <= math.sqrt(cfg.leg**2 - ahead**2):
            hop.foot = x + arm * c + ahead
    fx, fz, moment = 0.0, -cfg.mass * GRAVITY, 0.0
    hop.squeeze, hop.rate = 0.0, 0.0
    if hop.foot is not None:
        dx, dz = x + arm * c - hop.foot, z + arm * s
        length = math.hypot(dx, dz)
        ux, uz = dx / length, dz / length
        hop.rate = (vx - arm * s * spin) * ux + (vz + arm * c * spin) * uz
        hop.squeeze = cfg.leg + hop.extra - length
        push = cfg.stiffness * hop.squeeze - cfg.leg_damping * hop.rate
        push *= len(legs)
        torque = 0.0
        if hop.state in (HopState.COMPRESSION, HopState.THRUST):
            torque = attitude_torque(
                pitch,
                spin,
                stiffness=cfg.attitude_stiffness,
                damping=cfg.attitude_damping,
            )
        if push <= 0.0 and hop.rate > 0.0:
            hop.foot = None
        else:
            push, across = max(push, 0.0), -torque / length
            gx, gz = push * ux - across * uz, push * uz + across * ux
            fx, fz = fx + gx, fz + gz
            moment = torque + arm * (c * gz - s * gx)
    vx, vz = vx + dt * fx / cfg.mass, vz + dt * fz / cfg.mass
    spin += dt * moment / cfg.inertia
    hop.body[:] = x + dt * vx, z + dt * vz, pitch + dt * spin, vx, vz, spin


def _energy(cfg: HopperCfg, hop: _Hop) -> float:
    """Return what the body and its legs hold [J]."""
    _, z, _, vx, vz, _ = hop.body.tolist()
    legs = len(cfg.gait[hop.group])
    spring = 0.5 * legs * cfg.stiffness * max(hop.squeeze, 0.0) ** 2
    return cfg.mass * (GRAVITY * z + 0.5 * (vx**2 + vz**2)) + spring
