"""Window cleaning: three sliding axes press a wiper on a pane; with its film.

The pane is tilted and bent, and the wiper rubs. Hybrid, parallel, impedance and
admittance control wipe the same circles; their errors of force and place are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from gelenk.control.force import (
    ForcePiCfg,
    ParallelCfg,
    force_pi_step,
    hybrid_torque,
    parallel_step,
)
from gelenk.control.impedance import (
    AdmittanceCfg,
    AdmittanceState,
    admittance_step,
    impedance_torque,
)
from gelenk.control.operational_space import ToolDynamics, tool_dynamics
from gelenk.course.film import Film, standing
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.models.dh_axes import model_from_axes
from gelenk.models.edit import with_payload
from gelenk.models.tree import RobotModel
from gelenk.spatial import se3
from gelenk.typing import FloatArray

DT = 1e-3  # [s], of the traces
APART, HEIGHT = 0.8, 0.5  # of the panes, and of their middles [m]
GLASS = (0.66, 0.01, 0.66)  # [m]
PAD = (0.10, 0.03, 0.05)  # the wiper [m]


def shoot_panes(
    film: Film,
    wiped: Mapping[str, tuple[FloatArray, FloatArray]],
    slope: FloatArray,
    offset: float,
) -> None:
    """Take the frames.

    Args:
        film: Takes frames.
        wiped: Places [m], shape (k, 3), and pushes [N], shape (k,), of each way.
        slope: Of the pane, dy/dx and dy/dz, shape (2,).
        offset: Of the pane along y [m].
    """
    shifts = {
        name: np.array([APART * (i - 0.5 * (len(wiped) - 1)), 0.0, HEIGHT])
        for i, name in enumerate(wiped)
    }
    x, z = np.array([1.0, slope[0], 0.0]), np.array([0.0, slope[1], 1.0])
    x /= np.linalg.norm(x)
    y = np.cross(z, x)
    y /= np.linalg.norm(y)
    R = np.column_stack([x, y, np.cross(x, y)])
    for name, color in zip(wiped, ("blue", "teal", "orange", "purple"), strict=False):
        film.box(f"pane {name}", GLASS, color="glass")
        film.box(f"wiper {name}", PAD, color=color)
        film.box(f"beam {name}", (GLASS[0], 0.03, 0.03), color="dark_grey")
        for side in ("left", "right"):
            film.box(f"{side} post {name}", (0.03, 0.03, 0.9), color="grey")
    still: dict[str, FloatArray] = {}
    for name, shift in shifts.items():
        aside = np.array([0.0, offset + 0.5 * GLASS[1], 0.0])
        still[f"pane {name}"] = se3.pose_from_rotation_translation(R, shift + aside)
        for side, sign in (("left", -1.0), ("right", 1.0)):
            aside = np.array([sign * 0.5 * GLASS[0], -0.12, 0.45 - HEIGHT])
            still[f"{side} post {name}"] = standing(shift + aside)
    count = min(len(push) for _, push in wiped.values())
    for k in range(count):
        if not film.wants(k * DT):
            continue
        poses: dict[str, FloatArray] = dict(still) if not film.shots else {}
        for name, (places, _) in wiped.items():
            p = places[k] + shifts[name]
            poses[f"wiper {name}"] = standing(p - [0.0, 0.5 * PAD[1], 0.0])
            poses[f"beam {name}"] = standing([shifts[name][0], p[1] - 0.10, p[2]])
        film.shoot(
            k * DT,
            poses=poses,
            lines={f"{n}, wiped": w[0][: k + 1] + shifts[n] for n, w in wiped.items()},
            curves={f"{n}: force [N]": float(w[1][k]) for n, w in wiped.items()},
            text="from left to right: " + ", ".join(wiped),
        )


PRESS = 15.0  # wanted force on the pane [N]
# Rms error of the force [N]; the last two do not measure it to correct it.
MAX_FORCE = {"hybrid": 1.5, "parallel": 1.5, "impedance": 8.0, "admittance": 8.0}
MAX_PLACE = 2e-3  # rms error in the pane [m]
MIN_CONTACT = 0.99  # share of the time

DT = 1e-3  # [s]
DURATION, SETTLING = 5.0, 1.0  # [s]
STIFFNESS = 4e3  # of the rubber of the wiper [N/m]
DAMPING = 60.0  # [N s/m]
KP, KV = 1600.0, 80.0  # of the place [1/s^2], [1/s]
SOFT = 200.0  # of those that do not measure force, along the normal [N/m]
_XYZ = (0, 1, 2)
_PLANE = np.array([True, False, True])  # y is the normal

Law = Callable[["Sensed"], FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pane:
    """The pane y = f(x, z) that the robot believes at y = 0.

    Attributes:
        slope: dy/dx and dy/dz, shape (2,).
        bow: Height of its bow [m].
        offset: [m].
        friction: Between wiper and pane.
    """

    slope: FloatArray
    bow: float
    offset: float
    friction: float

    def depth(self, p: FloatArray) -> float:
        """Return how far a point is beyond the pane [m]."""
        bow = self.bow * np.cos(2.0 * p[0]) * np.cos(2.0 * p[2])
        return float(p[1] - (self.offset + self.slope @ p[[0, 2]] + bow))

    def force(self, p: FloatArray, v: FloatArray) -> FloatArray:
        """Return what the pane does to the wiper [N], shape (3,)."""
        depth = self.depth(p)
        if depth <= 0.0:
            return np.zeros(3)
        push = max(STIFFNESS * depth + DAMPING * v[1], 0.0)
        rub = self.friction * push * np.tanh(v / 1e-2)
        return np.array([-rub[0], -push, -rub[2]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensed:
    """What a controller knows.

    Attributes:
        felt: The machine at its tool.
        error: Wanted minus real place [m], shape (3,).
        rate: Its rate [m/s], shape (3,).
        acceleration: Wanted [m/s^2], shape (3,).
        force: Measured push on the pane along y [N].
    """

    felt: ToolDynamics
    error: FloatArray
    rate: FloatArray
    acceleration: FloatArray
    force: float

    @property
    def motion(self) -> FloatArray:
        """Acceleration that leads back to the path [m/s^2], shape (3,)."""
        return self.acceleration + KV * self.rate + KP * self.error


def run(seed: int, film: Film | None = None) -> TrialOutcome:
    """Return errors of all four: "hybrid force [N]", "hybrid place [m]" and so on."""
    rng = np.random.default_rng(seed)
    pane = Pane(
        slope=rng.uniform(-0.05, 0.05, 2),
        bow=float(rng.uniform(0.0, 5e-3)),
        offset=float(rng.uniform(-5e-3, 5e-3)),
        friction=float(rng.uniform(0.1, 0.4)),
    )
    noise = np.random.default_rng([seed, 1]).normal(0.0, 0.2, round(DURATION / DT))
    figures: dict[str, float] = {}
    problems: list[str] = []
    wiped: dict[str, tuple[FloatArray, FloatArray]] = {}
    for name, make in LAWS.items():
        trace: list[FloatArray] | None = None if film is None else []
        force, place, contact = wipe(make(), pane, noise, trace=trace)
        if film is not None and trace is not None:
            rows = np.array(trace)
            wiped[name] = rows[:, :3], rows[:, 3]
        figures |= {f"{name} force [N]": force, f"{name} place [m]": place}
        if force > MAX_FORCE[name]:
            problems.append(f"{name}: force off by {force:.1f} N")
        if place > MAX_PLACE:
            problems.append(f"{name}: {1e3 * place:.1f} mm beside the path")
        if contact < MIN_CONTACT:
            problems.append(f"{name}: on the pane only {contact:.0%} of the time")
    if film is not None:
        shoot_panes(film, wiped, pane.slope, pane.offset)
    return TrialOutcome(
        seed=seed, is_reached=not problems, figures=figures, reason="; ".join(problems)
    )


def wipe(
    law: Law, pane: Pane, noise: FloatArray, *, trace: list[FloatArray] | None = None
) -> tuple[float, float, float]:
    """Return rms errors of force [N] and place [m], and the share of contact.

    `trace` gets place [m] and push [N] of every step, shape (4,).
    """
    machine = make_machine()
    p, v = np.array([0.25, -0.01, 0.0]), np.zeros(3)
    felt = tool_dynamics(machine, p, v, rows=_XYZ)  # slides: the same everywhere
    forces, places = np.empty(len(noise)), np.empty(len(noise))
    for k, disturbance in enumerate(noise):
        wanted, wanted_v, wanted_a = circle(k * DT)
        push = -pane.force(p, v)[1]
        sensed = Sensed(
            felt=replace(felt, twist=v),
            error=wanted - p,
            rate=wanted_v - v,
            acceleration=wanted_a,
            force=push + disturbance,
        )
        tau = law(sensed)
        if trace is not None:
            trace.append(np.array([*p, push]))
        forces[k], places[k] = push, np.linalg.norm((wanted - p)[_PLANE])
        for _ in range(4):
            pull = tau + pane.force(p, v)
            v = v + 0.25 * DT * machine.forward_dynamics(p, v, pull)
            p = p + 0.25 * DT * v
    later = slice(round(SETTLING / DT), None)
    return (
        float(np.sqrt(np.mean((forces[later] - PRESS) ** 2))),
        float(np.sqrt(np.mean(places[later] ** 2))),
        float(np.mean(forces[later] > 0.0)),
    )


def circle(t: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return wanted place, velocity and acceleration: 0.5 m wide, 4 s a round."""
    w, r = 2.0 * np.pi / 4.0, 0.25
    if t < SETTLING:  # first the wiper comes down
        return np.array([r, 0.0, 0.0]), np.zeros(3), np.zeros(3)
    c, s = np.cos(w * (t - SETTLING)), np.sin(w * (t - SETTLING))
    place = np.array([r * c, 0.0, r * s])
    return place, r * w * np.array([-s, 0.0, c]), -w * w * place


def make_machine() -> RobotModel:
    """Return three slides along x, y and z with 8, 5 and 3 kg; y is the normal."""
    machine = model_from_axes(np.zeros((3, 3)), np.eye(3), "PPP", np.eye(4))
    for link, mass in zip(("link_1", "link_2", "link_3"), (8.0, 5.0, 3.0), strict=True):
        machine = with_payload(machine, link, mass=mass)
    return machine


def _hybrid() -> Law:
    cfg, integral = ForcePiCfg(kp=0.5, ki=20.0, damping=400.0, dt=DT), np.zeros(())

    def law(sensed: Sensed) -> FloatArray:
        nonlocal integral
        push, integral = force_pi_step(
            cfg,
            integral,
            wanted=PRESS,
            force=sensed.force,
            velocity=sensed.felt.twist[1],
        )
        force = np.array([0.0, float(push), 0.0])
        return hybrid_torque(sensed.felt, ~_PLANE, motion=sensed.motion, force=force)

    return law


def _parallel() -> Law:
    cfg = ParallelCfg(
        kp=np.array([6400.0, SOFT, 6400.0]),
        kv=np.array([640.0, 500.0, 640.0]),
        kf=np.array([0.0, 0.5, 0.0]),
        ki=np.array([0.0, 20.0, 0.0]),
        dt=DT,
    )
    integral = np.zeros(3)

    def law(sensed: Sensed) -> FloatArray:
        nonlocal integral
        push, integral = parallel_step(
            cfg,
            integral,
            motion=(sensed.error, -sensed.rate),
            wanted=np.array([0.0, PRESS, 0.0]),
            force=np.array([0.0, sensed.force, 0.0]),
        )
        ahead = sensed.felt.inertia @ sensed.acceleration
        return sensed.felt.J.T @ (ahead + push) + sensed.felt.gravity

    return law


def _impedance() -> Law:
    stiffness = np.array([6400.0, SOFT, 6400.0])
    depth = np.array([0.0, PRESS / SOFT, 0.0])  # as if the pane were at 0

    def law(sensed: Sensed) -> FloatArray:
        return impedance_torque(
            sensed.felt,
            sensed.error + depth,
            sensed.rate,
            stiffness=stiffness,
            damping=np.array([640.0, 300.0, 640.0]),
            acceleration=sensed.acceleration,
        )

    return law


def _admittance() -> Law:
    cfg = AdmittanceCfg(
        mass=np.array([1e6, 5.0, 1e6, 1e6, 1e6, 1e6]),
        damping=np.array([1e6, 250.0, 1e6, 1e6, 1e6, 1e6]),
        stiffness=np.array([1e6, SOFT, 1e6, 1e6, 1e6, 1e6]),
        dt=DT,
    )
    state = AdmittanceState()
    depth = np.array([0.0, PRESS / SOFT, 0.0])

    def law(sensed: Sensed) -> FloatArray:
        nonlocal state
        state = admittance_step(cfg, state, [0.0, -sensed.force, 0.0, 0.0, 0.0, 0.0])
        error = sensed.error + depth + state.offset[:3]
        rate = sensed.rate + state.rate[:3]
        motion = sensed.acceleration + KV * rate + KP * error
        return hybrid_torque(
            sensed.felt, np.zeros(3, dtype=bool), motion=motion, force=np.zeros(3)
        )

    return law


LAWS: dict[str, Callable[[], Law]] = {
    "hybrid": _hybrid,
    "parallel": _parallel,
    "impedance": _impedance,
    "admittance": _admittance,
}
