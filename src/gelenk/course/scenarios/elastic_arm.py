"""Elastic light-weight arm: feed-forward that knows the springs, and one that does not.

Two links on soft joints follow a motion that is four times differentiable. Motors are
led by their own angles and rates; ahead of them goes either the inverse dynamics of the
rigid arm or that of the elastic one. The springs are not exactly those one believes.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

import gelenk
from gelenk.course.film import RATE, Film
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.dynamics.elastic_joints import (
    ElasticDrive,
    ElasticJoints,
    elastic_forward_dynamics,
    elastic_inverse_dynamics,
)
from gelenk.spatial import se3
from gelenk.typing import FloatArray

MIN_GAIN = 5.0  # how many times the rigid feed-forward is worse
MAX_ERROR = 5e-3  # of the tool with the elastic one [m], rms

STIFFNESS = np.array([4000.0, 2000.0])  # [N m/rad]
ROTORS = np.array([0.8, 0.4])  # behind the gear [kg m^2]
KP, KV = np.array([2000.0, 1000.0]), np.array([80.0, 40.0])  # [N m/rad], [N m s/rad]
DURATION, REST = 1.2, 0.4  # [s]
DT = 1e-3  # [s]
SUBSTEPS = 4
SLOWER = 4.0  # films of it
# Weight acts along -y of the arm: on the page that is down, below a high stand.
_T_UPRIGHT = np.array(
    [[1.0, 0, 0, 0], [0, 0, -1.0, 0], [0, 1.0, 0, 2.0], [0, 0, 0, 1.0]]
)
_STAND = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0.12], [0, 0, 1, 1.0], [0, 0, 0, 1]])

Kind = Literal["rigid", "elastic"]


def run(seed: int, film: Film | None = None) -> TrialOutcome:
    """Return "rigid [m]" and "elastic [m]", rms errors of the tool, and "gain"."""
    rng = np.random.default_rng(seed)
    ends = rng.uniform([-0.8, -1.2], [0.4, 0.2]), rng.uniform([0.6, 0.6], [1.4, 1.4])
    joints = ElasticJoints(
        stiffness=STIFFNESS * rng.normal(1.0, 0.03, 2), rotor_inertia=ROTORS
    )
    kinds: tuple[Kind, ...] = ("rigid", "elastic")
    errors = {kind: follow(kind, *ends, joints, film=film) for kind in kinds}
    gain = errors["rigid"] / errors["elastic"]
    problems = []
    if gain < MIN_GAIN:
        problems.append(f"the elastic feed-forward is only {gain:.1f} times better")
    if errors["elastic"] > MAX_ERROR:
        problems.append(f"the tool is off by {1e3 * errors['elastic']:.1f} mm")
    return TrialOutcome(
        seed=seed,
        is_reached=not problems,
        figures={f"{kind} [m]": value for kind, value in errors.items()}
        | {"gain": gain},
        reason="; ".join(problems),
    )


def smooth_motion(start: FloatArray, end: FloatArray, t: FloatArray) -> FloatArray:
    """Return q and four derivatives on a way that rests at both ends, (k, 5, n).

    s(τ) of ninth degree, with four derivatives that vanish at 0 and 1.
    """
    s = np.polynomial.Polynomial([0, 0, 0, 0, 0, 126, -420, 540, -315, 70])
    share = np.clip(t / DURATION, 0.0, 1.0)
    rows = [s.deriv(k)(share) / DURATION**k if k else s(share) for k in range(5)]
    motion = np.stack(rows, axis=-1)[..., None] * (end - start)
    motion[:, 0] += start
    return motion


def follow(
    kind: Kind,
    start: FloatArray,
    end: FloatArray,
    joints: ElasticJoints,
    *,
    film: Film | None = None,
) -> float:
    """Return how far the tool is off while it follows, rms [m]."""
    arm = _arm()
    t = np.arange(0.0, DURATION + REST, DT)
    motion = smooth_motion(start, end, t)
    believed = ElasticJoints(stiffness=STIFFNESS, rotor_inertia=ROTORS)
    drive = elastic_inverse_dynamics(arm, believed, motion)
    if kind == "rigid":
        drive = _rigid(motion)
    rates = np.gradient(drive.motor_angle, DT, axis=0)
    # It stands still at first, springs bent by its weight.
    rest = elastic_inverse_dynamics(arm, joints, smooth_motion(start, end, t[:1]))
    q, qd, theta_d = start.copy(), np.zeros(2), np.zeros(2)
    theta = rest.motor_angle[0]
    tool, angles = np.empty((len(t), 2)), np.empty((len(t), 2))
    for k in range(len(t)):
        angles[k], tool[k] = q, arm.forward(q)[:2, 3]
        lead = KP * (drive.motor_angle[k] - theta) + KV * (rates[k] - theta_d)
        torque = drive.motor_torque[k] + lead
        for _ in range(SUBSTEPS):
            h = DT / SUBSTEPS
            state = (q, theta, qd, theta_d)
            qdd, theta_dd = elastic_forward_dynamics(arm, joints, state, torque)
            qd, theta_d = qd + h * qdd, theta_d + h * theta_dd
            q, theta = q + h * qd, theta + h * theta_d
    wanted = arm.forward(motion[:, 0])[:, :2, 3]
    if film is not None:
        _shoot(film, kind, angles, motion[:, 0])
    return float(np.sqrt(np.mean(np.sum((tool - wanted) ** 2, axis=1))))


def _shoot(film: Film, kind: Kind, q: FloatArray, wanted: FloatArray) -> None:
    """Take frames of a motion, `SLOWER` than it was: it lasts a second."""
    arm = _arm()
    begin = 0.0
    if not film.shots:
        film.arm("wanted", arm, color="glass")
        film.arm("arm", arm, color="orange")
        film.box("stand", (0.1, 0.1, 2.0), color="dark_grey")
        film.line("wanted path", color="target")
        film.line("path", color="measured")
        film.shoot(0.0, poses={"stand": _STAND})
    else:
        begin = film.duration + 1.0 / RATE
    paths = [
        se3.transform_point(_T_UPRIGHT, arm.forward(rows)[:, :3, 3])
        for rows in (q, wanted)
    ]
    for k in range(len(q)):
        time = begin + SLOWER * k * DT
        if not film.wants(time):
            continue
        miss = float(np.linalg.norm(paths[0][k] - paths[1][k]))
        film.shoot(
            time,
            poses={"arm": _T_UPRIGHT, "wanted": _T_UPRIGHT},
            joints={"arm": q[k], "wanted": wanted[k]},
            lines={"path": paths[0][: k + 1], "wanted path": paths[1]},
            curves={"miss of the tool [mm]": 1e3 * miss},
            text=f"feed-forward of the {kind} arm, {SLOWER:g} times slower",
        )


def _rigid(motion: FloatArray) -> ElasticDrive:
    """Return what one commands who takes the joints for stiff."""
    q, qd, qdd = (motion[:, k] for k in range(3))
    torque = _arm().inverse_dynamics(q, qd, qdd)
    return ElasticDrive(
        spring_torque=torque,
        motor_angle=q,
        motor_acceleration=qdd,
        motor_torque=torque + ROTORS * qdd,
    )


@cache
def _arm() -> gelenk.RobotModel:
    return gelenk.load("planar2r")
