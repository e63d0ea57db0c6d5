"""Six-axis arm cell: PTP, LIN, CIRC and fly-by, computed torque, friction, accuracy.

A Puma 560 moves to its work, follows a line, an arc and a polyline without stopping.
Joint values come from the closed form. The arm that moves is not the one that was
computed with: its masses, its friction and its encoders differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

import gelenk
from gelenk.control.model_based import computed_torque
from gelenk.course.film import Film
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.kinematics.accuracy import position_performance
from gelenk.kinematics.inverse.closed.solve import solve_closed
from gelenk.models.edit import with_payload
from gelenk.models.tree import RobotModel
from gelenk.spatial import se3
from gelenk.trajectory.ptp import plan_ptp
from gelenk.trajectory.tool_motion import ToolLimits, plan_circ, plan_fly_by, plan_lin
from gelenk.typing import FloatArray

MAX_PATH_ERROR = 1e-3  # [m], of the tool on the line, the arc and the polyline
MAX_ACCURACY, MAX_REPEATABILITY = 7e-4, 1e-4  # [m], where it stops

DT = 1e-3  # [s]
KP = 900.0  # [1/s^2]
ENCODER_STEP = 2.0 * np.pi / 200_000  # [rad], behind the gear
FRICTION = np.array([4.0, 5.0, 3.0, 0.6, 0.6, 0.5])  # Coulomb [N m]
VISCOUS = np.array([3.0, 4.0, 2.0, 0.3, 0.3, 0.2])  # [N m s/rad]
REST_SPEED = 5e-3  # [rad/s], over which dry friction of the real arm turns round
# Of the rotors behind their gears [kg m^2]; Corke and Armstrong-Helouvry 1994.
ROTORS = np.array([0.784, 2.324, 0.577, 0.191, 0.171, 0.194])
LOAD = 2.0  # [kg], what the controller believes it carries
LIMITS = ToolLimits(speed=0.5, acceleration=2.0)
SETTLING = 0.4  # [s] at the end of each lap
LAPS = 3
_HOME = np.array([0.0, 0.7, -2.8, 0.0, 0.6, 0.0])
_DOWN = np.diag([1.0, -1.0, -1.0])


def run(seed: int, film: Film | None = None) -> TrialOutcome:
    """Return how three laps through the cell went.

    Figures: "path [m]", greatest distance of the tool from where it should be;
    "rms [m]"; "accuracy [m]" and "repeatability [m]" after ISO 9283 where laps end.
    """
    rng = np.random.default_rng(seed)
    arm, wanted = _arm(LOAD), wanted_lap()
    real = _arm(LOAD + rng.normal(0.0, 0.1))
    friction = FRICTION * rng.normal(1.0, 0.08, 6), VISCOUS * rng.normal(1.0, 0.08, 6)
    offset = rng.normal(0.0, 5e-5, 6)  # of the encoders [rad]
    q = _HOME + offset + rng.normal(0.0, 2e-3, 6)
    qd = np.zeros(6)
    misses, ends = [], []
    for lap in range(LAPS):
        note = None if film is None else _Note(film, real, wanted, lap)
        q, qd, miss = follow(arm, real, friction, offset, wanted, (q, qd), note)
        misses.append(miss)
        ends.append(real.forward(q)[:3, 3])
    path = np.concatenate([miss[wanted.on_path] for miss in misses])
    stop = position_performance(arm.forward(wanted.q[-1])[:3, 3], np.array(ends))
    figures = {
        "path [m]": float(path.max()),
        "rms [m]": float(np.sqrt(np.mean(path**2))),
        "accuracy [m]": stop.accuracy,
        "repeatability [m]": stop.repeatability,
    }
    problems = [
        f"{name} is {figures[name]:.2e}"
        for name, most in (
            ("path [m]", MAX_PATH_ERROR),
            ("accuracy [m]", MAX_ACCURACY),
            ("repeatability [m]", MAX_REPEATABILITY),
        )
        if not figures[name] <= most
    ]
    return TrialOutcome(
        seed=seed,
        is_reached=not problems,
        figures=figures,
        reason="; ".join(problems),
    )


class Lap:
    """What the joints should do in one lap, at every `DT`.

    Attributes:
        q, qd, qdd: Shape (k, 6).
        on_path: Where the tool is on its line, arc or polyline, shape (k,).
        tool: Where it should be [m], shape (k, 3).
    """

    def __init__(self, q: FloatArray, on_path: FloatArray, tool: FloatArray) -> None:
        self.q, self.on_path, self.tool = q, on_path.astype(bool), tool
        self.qd = np.gradient(q, DT, axis=0)
        self.qdd = np.gradient(self.qd, DT, axis=0)


@cache
def wanted_lap() -> Lap:
    """Return the lap: PTP, LIN, CIRC, fly-by, PTP back, and rest."""
    arm = _arm(LOAD)
    corners = np.array(
        [[0.45, -0.20, 0.0], [0.45, 0.15, 0.0], [0.60, 0.15, 0.1], [0.60, -0.2, 0.1]]
    )
    poses = se3.pose_from_rotation_translation(_DOWN, corners)
    line = plan_lin(poses[0], poses[1], LIMITS, kind="quintic")
    arc = plan_circ(poses[1], [0.56, 0.23, 0.06], poses[2], LIMITS, kind="quintic")
    via = np.array([corners[2], [0.55, 0.0, 0.12], corners[3], corners[0]])
    fly = plan_fly_by(via, speed=0.3, acceleration=3.0, zone=0.01)
    times = [np.arange(0.0, m.law.duration, DT) for m in (line, arc)]
    rows = np.arange(0.0, fly.duration, DT)
    work = np.concatenate(
        [
            line.pose(times[0]),
            arc.pose(times[1]),
            se3.pose_from_rotation_translation(_DOWN, fly.sample(rows)[0]),
        ]
    )
    q_work = _joints(arm, work)
    there, back = (
        plan_ptp(*ends, max_speed=2.5, max_acceleration=10.0, kind="quintic")
        for ends in ((_HOME, q_work[0]), (q_work[-1], _HOME))
    )
    q = np.concatenate(
        [
            there.sample(np.arange(0.0, there.duration, DT))[0],
            q_work,
            back.sample(np.arange(0.0, back.duration, DT))[0],
            np.repeat(_HOME[None], round(SETTLING / DT), axis=0),
        ]
    )
    begin = round(np.ceil(there.duration / DT))
    on_path = np.zeros(len(q))
    on_path[begin : begin + len(q_work)] = 1.0
    return Lap(q, on_path, arm.forward(q)[:, :3, 3])


def follow(
    arm: RobotModel,
    real: RobotModel,
    friction: tuple[FloatArray, FloatArray],
    offset: FloatArray,
    lap: Lap,
    state: tuple[FloatArray, FloatArray],
    note: Callable[[int, FloatArray, FloatArray], None] | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return joint values and rates after a lap, and how far off the tool was [m].

    `note` hears of every step: its number, joint values, and where the tool was so far.
    """
    q, qd = state
    tool = np.empty((len(lap.q), 3))
    read = np.round((q - offset) / ENCODER_STEP) * ENCODER_STEP
    for k in range(len(lap.q)):
        before, read = read, np.round((q - offset) / ENCODER_STEP) * ENCODER_STEP
        rate = (read - before) / DT if k else np.zeros(6)
        lost = friction_torque(lap.qd[k], FRICTION, VISCOUS)
        tau = computed_torque(
            arm,
            (read, rate),
            (lap.q[k], lap.qd[k], lap.qdd[k]),
            kp=KP,
            friction=lost,
        )
        tool[k] = real.forward(q)[:3, 3]
        if note is not None:
            note(k, q, tool[: k + 1])
        for _ in range(2):  # the arm moves on while the torque is held
            lost = friction_torque(qd, *friction)
            qd = qd + 0.5 * DT * real.forward_dynamics(q, qd, tau - lost)
            q = q + 0.5 * DT * qd
    return q, qd, np.linalg.norm(tool - lap.tool, axis=1)


class _Note:
    """Takes frames of a lap."""

    def __init__(self, film: Film, arm: RobotModel, lap: Lap, number: int) -> None:
        self.film, self.lap, self.number = film, lap, number
        if not number:
            film.arm("puma", arm)
            film.line("path", color="target")
            film.line("tool", color="measured")

    def __call__(self, k: int, q: FloatArray, tool: FloatArray) -> None:
        lap, film = self.lap, self.film
        time = (self.number * len(lap.q) + k) * DT
        if not film.wants(time):
            return
        doing = "on the path" if lap.on_path[k] else "between path and home"
        miss = float(np.linalg.norm(tool[-1] - lap.tool[k]))
        film.shoot(
            time,
            joints={"puma": q},
            lines={"path": lap.tool[lap.on_path], "tool": tool},
            curves={"miss of the tool [mm]": 1e3 * miss},
            text=f"lap {self.number + 1} of {LAPS}: {doing}",
        )


def friction_torque(
    qd: FloatArray, coulomb: FloatArray, viscous: FloatArray
) -> FloatArray:
    """Return what friction takes [N m], dry friction turning round smoothly."""
    return coulomb * np.tanh(qd / REST_SPEED) + viscous * qd


def _arm(load: float) -> RobotModel:
    """Return a Puma with its rotors and something in its hand [kg]."""
    arm = gelenk.load("puma560")
    armature = np.zeros(len(arm.mass))
    armature[list(arm.joint_ids)] = ROTORS
    return with_payload(replace(arm, armature=armature), arm.tool, mass=load)


def _joints(arm: RobotModel, poses: FloatArray) -> FloatArray:
    """Return joint values along poses by the closed form, each next to the last."""
    q, out = _HOME, np.empty((len(poses), 6))
    for k, T in enumerate(poses):
        found = solve_closed(arm, T)
        turns = np.round((q - found.solutions) / (2.0 * np.pi)) * 2.0 * np.pi
        ways = found.solutions + turns
        q = out[k] = ways[np.argmin(np.linalg.norm(ways - q, axis=1))]
    return out
