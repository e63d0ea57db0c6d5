"""The restitution grid: cases that any engine can run, and their exact answers.

A ball without friction meets something; the exact impulse follows from the law of
restitution. What is judged is what the ball has in the end, which is fair to engines
whose contact lasts some steps: on floor and face, under gravity, the energy of the
rebound over that of the exact impact; else, in weightlessness, the speed gained along
the normal of the exact impact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.typing import FloatArray

Pairing = Literal["plane", "face", "edge", "sphere", "ideal_bat", "torque_bat"]
PAIRINGS: tuple[Pairing, ...] = (
    "plane", "face", "edge", "sphere", "ideal_bat", "torque_bat"
)  # fmt: skip

RESTITUTIONS = tuple(round(0.3 + 0.05 * k, 2) for k in range(14))
STEPS = (0.0005, 0.001, 0.002, 0.004)  # [s]
SPEEDS = (0.5, 5.0, 15.0)  # [m/s]

RADIUS, MASS = 0.05, 0.2  # of the ball [m], [kg]
BOX = (0.6, 0.6, 0.2)  # its top is z = 0, its middle over the origin [m]
EDGE_X = 0.5 * BOX[0]
ARM, HEAD, HEAD_MASS, HEAD_INERTIA = 0.6, 0.08, 0.5, 0.002
SWING = 5.0  # speed of the bats [rad/s]
ASIDE = np.radians(30.0)  # how much spheres and bats are hit beside their middle
SETTLE = 60  # ticks after the impact, until soft contacts have ended


@dataclass(frozen=True, slots=True, eq=False)
class Flight:
    """What an engine made of a case, after each tick.

    Attributes:
        p, v: Centre and velocity of the ball, (ticks, 3).
        other: Centre of the other sphere or of the bat's head, (ticks, 3).
    """

    p: FloatArray
    v: FloatArray
    other: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """One impact.

    Attributes:
        pairing: What the ball meets.
        e: Demanded restitution.
        step: Tick [s].
        speed: At which the ball comes [m/s].
        gravity: Along z [m/s^2].
        p, v: Ball at the start, (3,).
        q: Angle of the bat at the start [rad].
        normal: At the exact impact, towards the ball, (3,).
        closing: Speed along it [m/s].
        share: What the ball takes of the change of that speed, 0..1.
        ticks: How long to run.
    """

    pairing: Pairing
    e: float
    step: float
    speed: float
    gravity: float
    p: FloatArray
    v: FloatArray
    q: float
    normal: FloatArray
    closing: float
    share: float
    ticks: int

    def measured_e(self, flight: Flight) -> float:
        """Return the restitution that the ball has had; 0 if it never came off."""
        if self.gravity != 0.0:
            height = flight.p[:, 2] - RADIUS
            is_up = (height >= -1e-5) & (flight.v[:, 2] > 0.0)
            if not is_up.any():
                return 0.0
            k = int(np.argmax(is_up))
            square = flight.v[k, 2] ** 2 - 2.0 * self.gravity * height[k]
            return float(np.sqrt(max(square, 0.0))) / self.closing
        gained = float((flight.v[-1] - self.v) @ self.normal)
        return gained / (self.closing * self.share) - 1.0

    def error(self, flight: Flight) -> float:
        """Return the error of the restitution, relative to what was demanded [%]."""
        return float(100.0 * abs(self.measured_e(flight) - self.e) / self.e)

    def depth(self, flight: Flight) -> float:
        """Return how deep the ball was in its partner after any tick [m]."""
        p = flight.p
        if self.pairing in ("plane", "face"):
            distance = p[:, 2]
        elif self.pairing == "edge":
            beside, over = np.maximum(p[:, 0] - EDGE_X, 0.0), np.maximum(p[:, 2], 0.0)
            distance = np.hypot(beside, over)
        else:
            distance = np.linalg.norm(p - flight.other, axis=1)
            distance = distance - (RADIUS if self.pairing == "sphere" else HEAD)
        return max(RADIUS - float(distance.min()), 0.0)


def head_at(q: float) -> FloatArray:
    """Return the centre of a bat's head, (3,)."""
    return ARM * np.array([np.cos(q), 0.0, -np.sin(q)])


def cases(
    rng: np.random.Generator,
    pairing: Pairing,
    *,
    restitutions: tuple[float, ...] = RESTITUTIONS,
    steps: tuple[float, ...] = STEPS,
) -> Iterator[Case]:
    """Yield the grid of one pairing; each impact falls at random within a tick."""
    for step in steps:
        for speed in SPEEDS:
            for e in restitutions:
                yield make_case(pairing, e, step, speed, phase=float(rng.uniform()))


def make_case(
    pairing: Pairing, e: float, step: float, speed: float, *, phase: float
) -> Case:
    """Return one case whose impact falls `phase` of a tick after the ninth."""
    t = (9.0 + phase) * step
    gravity, q, share = 0.0, 0.0, 1.0
    down, up = np.array([0.0, 0.0, -1.0]), np.array([0.0, 0.0, 1.0])
    n, way, base = up, down, np.zeros(3)
    if pairing in ("plane", "face"):
        gravity = -9.81
        touch = np.array([0.0, 0.0, RADIUS])
    elif pairing == "edge":
        n = np.array([np.sin(0.7), 0.0, np.cos(0.7)])
        touch = np.array([EDGE_X, 0.0, 0.0]) + RADIUS * n
    else:
        n = np.array([0.0, np.sin(ASIDE), -np.cos(ASIDE)])
        way = up
        if pairing == "sphere":
            share, touch = 0.5, 2.0 * RADIUS * n
        else:  # the head comes down through q = 0, where the ball meets it
            q, base = -SWING * t, SWING * ARM * down
            touch = head_at(0.0) + (RADIUS + HEAD) * n
            if pairing == "torque_bat":
                inertia = HEAD_MASS * ARM**2 + HEAD_INERTIA
                felt = MASS * (ARM * n[2]) ** 2 / inertia
                share = float(1.0 / (1.0 + felt))
    v_impact = base + speed * way
    g = np.array([0.0, 0.0, gravity])
    return Case(
        pairing=pairing,
        e=e,
        step=step,
        speed=speed,
        gravity=gravity,
        p=touch - v_impact * t + 0.5 * g * t * t,
        v=v_impact - g * t,
        q=q,
        normal=n,
        closing=-float((v_impact - base) @ n),
        share=share,
        ticks=10 + SETTLE,
    )
