"""Timing of paths against TOPP-RA, and of motions between points against Ruckig."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.harness import Row, Settings, interleaved
from benchmarks.peers import find_peer, missing_note
from gelenk.trajectory import (
    JerkLimitedPlanner,
    JointLimits,
    spline_path,
    time_path,
    time_smoothly,
)
from gelenk.typing import FloatArray

PATHS = 60
JOINTS = 7
GRID = 500  # intervals, theirs and ours
SAMPLES = 200_001
VELOCITY = np.array([2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61])
ACCELERATION = np.array([15.0, 7.5, 10.0, 12.5, 15.0, 20.0, 20.0])
JERK = 500.0 * ACCELERATION


def _draw_points(rng: np.random.Generator) -> FloatArray:
    steps = rng.normal(0.0, 0.5, (int(rng.integers(3, 9)), JOINTS))
    return np.cumsum(steps, axis=0)


def _excess(velocity: FloatArray, acceleration: FloatArray) -> float:
    """Return by which share of a limit samples are beyond it, at worst."""
    worst = max(
        float((np.abs(velocity) / VELOCITY).max()),
        float((np.abs(acceleration) / ACCELERATION).max()),
    )
    return max(worst - 1.0, 0.0)


def _toppra(toppra: Any, path: Any, points: FloatArray) -> Any:
    """Return TOPP-RA's trajectory along the same spline."""
    find_peer("toppra.algorithm")
    find_peer("toppra.constraint")
    spline = toppra.SplineInterpolator(path.breaks, points, bc_type="natural")
    scheme = toppra.constraint.DiscretizationType.Interpolation
    constraints = [
        toppra.constraint.JointVelocityConstraint(np.c_[-VELOCITY, VELOCITY]),
        toppra.constraint.JointAccelerationConstraint(
            np.c_[-ACCELERATION, ACCELERATION], discretization_scheme=scheme
        ),
    ]
    grid = np.unique(np.r_[np.linspace(0.0, path.length, GRID + 1), path.breaks])
    return toppra.algorithm.TOPPRA(
        constraints, spline, gridpoints=grid, parametrizer="ParametrizeConstAccel"
    ).compute_trajectory(0.0, 0.0)


def fastest_along_a_path(settings: Settings) -> Iterator[Row]:
    """Duration along random splines against TOPP-RA's; limits, finely sampled."""
    toppra = find_peer("toppra")
    if toppra is not None:
        toppra.setup_logging("ERROR")
    rng = settings.rng()
    limits = JointLimits(velocity=VELOCITY, acceleration=ACCELERATION)
    ratios: list[float] = []
    ours: list[float] = []
    theirs: list[float] = []
    own_time: list[float] = []
    their_time: list[float] = []
    for number in range(settings.pick(PATHS, 6) + 1):
        points = _draw_points(rng)
        path = spline_path(points)
        began = time.process_time()
        motion = time_path(path, limits, grid=GRID).trajectory
        own = time.process_time() - began
        assert motion is not None
        began = time.process_time()
        other = _toppra(toppra, path, points) if toppra is not None else None
        their = time.process_time() - began
        if number == 0:
            continue  # compilation
        own_time.append(own)
        at = motion.sample(np.linspace(0.0, motion.duration, SAMPLES))
        ours.append(_excess(at.qd, at.qdd))
        if other is not None:
            t = np.linspace(0.0, other.duration, SAMPLES)
            their_time.append(their)
            theirs.append(_excess(other(t, 1), other(t, 2)))
            ratios.append(motion.duration / other.duration)
    note = f"{len(ours)} splines through 3 to 8 points, 7 joints, {GRID} intervals"
    if toppra is None:
        note = missing_note("TOPP-RA")
    yield Row(
        name="duration / TOPP-RA's on the same path, worst",
        value=max(ratios, default=None),
        unit="",
        target=1.02,
        note=f"{note}; median {np.median(ratios):.4f}" if ratios else note,
    )
    yield Row(
        name="worst violation of speed or acceleration, relative",
        value=max(ours),
        unit="",
        target=1e-9,
        peers={"TOPP-RA": max(theirs)} if theirs else {},
        note=f"{SAMPLES} samples of every motion",
    )
    yield Row(
        name="time to time a path",
        value=1e3 * float(np.median(own_time)),
        unit="ms",
        peers={"TOPP-RA": 1e3 * float(np.median(their_time))} if their_time else {},
        note="CPU time, median",
    )


def smooth_along_a_path(settings: Settings) -> Iterator[Row]:
    """Jerk-limited along the same splines: limits, and the price of smoothness."""
    rng = settings.rng()
    limits = JointLimits(velocity=VELOCITY, acceleration=ACCELERATION, jerk=JERK)
    worst, ratios = 0.0, list[float]()
    for _ in range(settings.pick(PATHS // 3, 3)):
        path = spline_path(_draw_points(rng))
        motion = time_smoothly(path, limits).trajectory
        fastest = time_path(path, limits.without_jerk()).trajectory
        assert motion is not None
        assert fastest is not None
        at = motion.sample(np.linspace(0.0, motion.duration, SAMPLES))
        jerk = float((np.abs(at.qddd) / JERK).max()) - 1.0
        worst = max(worst, _excess(at.qd, at.qdd), jerk)
        ratios.append(motion.duration / fastest.duration)
    yield Row(
        name="worst violation of speed, acceleration or jerk, relative",
        value=max(worst, 0.0),
        unit="",
        target=1e-9,
        note=f"{len(ratios)} splines, {SAMPLES} samples of every motion",
    )
    yield Row(
        name="duration with limits of jerk / without",
        value=float(np.median(ratios)),
        unit="",
        note="the Panda's limits of jerk; median",
    )


def point_to_point(settings: Settings) -> Iterator[Row]:
    """Jerk-limited between two states against Ruckig."""
    names = ("duration / Ruckig's, worst", "time of a jerk-limited motion")
    ruckig = find_peer("ruckig")
    if ruckig is None:
        note = missing_note("Ruckig")
        for name in names:
            yield Row(name=name, value=None, unit="", note=note)
        return
    rng = settings.rng()
    limits = JointLimits(velocity=VELOCITY, acceleration=ACCELERATION, jerk=JERK)
    planner = JerkLimitedPlanner(limits, JOINTS)
    solver, told = ruckig.Ruckig(JOINTS), ruckig.InputParameter(JOINTS)
    told.max_velocity, told.max_acceleration, told.max_jerk = (
        VELOCITY,
        ACCELERATION,
        JERK,
    )

    def theirs(start: FloatArray, goal: FloatArray, speed: FloatArray) -> Any:
        told.current_position, told.target_position = start, goal
        told.current_velocity = speed
        found = ruckig.Trajectory(JOINTS)
        solver.calculate(told, found)
        return found

    worst = 0.0
    states: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    for _ in range(settings.pick(2000, 200)):
        start, goal = rng.uniform(-2.0, 2.0, (2, JOINTS))
        speed = rng.uniform(-0.5, 0.5, JOINTS) * VELOCITY
        states.append((start, goal, speed))
        own = planner.plan(start, goal, start_velocity=speed).duration
        worst = max(worst, own / theirs(start, goal, speed).duration)
    start, goal, speed = states[0]
    timings = interleaved(
        {
            "ours": lambda: planner.plan(start, goal, start_velocity=speed),
            "Ruckig": lambda: theirs(start, goal, speed),
        },
        rounds=settings.pick(300, 50),
    ).microseconds()
    note = "7 joints, arbitrary speeds at the start; our planner asks Ruckig's core"
    yield Row(
        name=names[0],
        value=worst,
        unit="",
        target=1.001,
        note=f"{len(states)} motions; {note}",
    )
    yield Row(
        name=names[1],
        value=timings["ours"],
        unit="us",
        target=10.0,
        peers={"Ruckig": timings["Ruckig"]},
        note=note,
    )
