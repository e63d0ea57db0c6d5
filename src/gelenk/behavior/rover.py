"""Simulated rovers with a ring of sonars, kinematic or dynamic.

One interface, two levels of detail: a kinematic rover does at once what it is told, a
dynamic one has mass, limited drives and slipping wheels. A team's tactics run with
the first for many robots, control loops need the second.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.world import PolygonWorld, cast_rays
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray

_Pose = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoverState:
    """Pose and speeds of a rover.

    Attributes:
        pose: Pose (x [m], y [m], θ [rad]), shape (3,).
        speed: Ahead [m/s].
        rate: Rate of turning [rad/s].
    """

    pose: FloatArray
    speed: float = 0.0
    rate: float = 0.0


class RoverModel(Protocol):
    """Model of a rover's answer to commands."""

    def step(
        self, state: RoverState, command: tuple[float, float], dt: float
    ) -> RoverState:
        """Return the state after `dt` [s] under v [m/s], ω [rad/s]."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KinematicRover:
    """Rover without inertia: d/dt (x, y, θ) = (v cos θ, v sin θ, ω).

    Example:
        >>> rover = KinematicRover()
        >>> after = rover.step(RoverState(pose=np.zeros(3)), (1.0, 0.0), 0.5)
        >>> print(after.pose, after.speed)
        [0.5 0.  0. ] 1.0
    """

    def step(
        self, state: RoverState, command: tuple[float, float], dt: float
    ) -> RoverState:
        """Return the state after `dt` [s], exactly along the arc."""
        v, w = command
        pose = np.array(_arc(_floats(state.pose), v, w, dt))
        return RoverState(pose=pose, speed=v, rate=w)


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicRover:
    """Rover with inertia: m v̇ = F - c v, F = k (v_d - v) up to a limit; turns alike.

    Attributes:
        mass: Mass [kg].
        inertia: Inertia about the vertical [kg m²].
        gain: Gain of the drive [N s/m].
        max_force: Largest force [N].
        turn_gain: Turn gain [N m s/rad].
        max_torque: Largest torque [N m].
        drag: Drag c of wheels and gears [N s/m].
    """

    mass: float = 10.0
    inertia: float = 0.5
    gain: float = 60.0
    max_force: float = 20.0
    turn_gain: float = 5.0
    max_torque: float = 2.0
    drag: float = 1.0

    def step(
        self, state: RoverState, command: tuple[float, float], dt: float
    ) -> RoverState:
        """Return the state after `dt` [s], in substeps of at most 5 ms."""
        count = max(1, int(np.ceil(dt / 0.005)))
        h, pose = dt / count, _floats(state.pose)
        v, w = state.speed, state.rate
        for _ in range(count):
            force = self.gain * (command[0] - v)
            force = max(-self.max_force, min(self.max_force, force))
            torque = self.turn_gain * (command[1] - w)
            torque = max(-self.max_torque, min(self.max_torque, torque))
            v += h * (force - self.drag * v) / self.mass
            w += h * torque / self.inertia
            pose = _arc(pose, v, w, h)
        return RoverState(pose=np.array(pose), speed=v, rate=w)


@dataclass(frozen=True, slots=True, kw_only=True)
class SonarRing:
    """Sonars around a rover.

    Attributes:
        count: Number of sonars; the first looks ahead, the others follow anticlockwise.
        max_range: Largest range [m].
    """

    count: int = 12
    max_range: float = 3.0

    @property
    def bearings(self) -> FloatArray:
        """Directions from ahead [rad], shape (count,)."""
        return wrap_angle(2.0 * np.pi * np.arange(self.count) / self.count)

    def read(self, world: PolygonWorld, pose: ArrayLike) -> FloatArray:
        """Return the ranges at a pose [m], shape (count,)."""
        x = as_finite("pose", pose, (3,))
        return cast_rays(world, x[:2], self.bearings + x[2], self.max_range)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoverRun:
    """Record of a rover's run.

    Attributes:
        pose: Poses (x, y, θ), one per decision [m], [rad], shape (k, 3).
        clearance: Distance to the nearest obstacle [m], shape (k,); negative in a
            collision.
        command: Commands (v, ω) as decided [m/s], [rad/s], shape (k, 2).
    """

    pose: FloatArray
    clearance: FloatArray
    command: FloatArray


def drive_rover(
    world: PolygonWorld,
    decide: Callable[[FloatArray, RoverState], tuple[float, float]],
    start: ArrayLike,
    *,
    model: RoverModel | None = None,
    sonar: SonarRing | None = None,
    dt: float = 0.1,
    steps: int = 200,
) -> RoverRun:
    """Return the run of a rover whose program sees sonar ranges and odometry.

    Args:
        world: Obstacles and walls.
        decide: Function of ranges (count,) and state that returns v [m/s] and ω
            [rad/s].
        start: Pose, shape (3,).
        model: Model of the rover; None for the kinematic one.
        sonar: Ring of sonars.
        dt: Time between decisions [s].
        steps: Number of steps.

    Example:
        >>> room = PolygonWorld([], np.zeros(2), np.array([4.0, 3.0]))
        >>> run = drive_rover(room, lambda r, s: (0.2, 0.0), [1, 1, 0], steps=10)
        >>> print(run.pose[-1].round(6))
        [1.2 1.  0. ]
    """
    if not dt > 0.0:
        raise ConfigError(f"`dt` must be positive [s], got {dt}")
    rover, ears = model or KinematicRover(), sonar or SonarRing()
    state = RoverState(pose=np.array(as_finite("start", start, (3,))))
    poses = [state.pose]
    commands: list[tuple[float, float]] = []
    for _ in range(steps):
        command = decide(ears.read(world, state.pose), state)
        state = rover.step(state, command, dt)
        commands.append(command)
        poses.append(state.pose)
    pose = np.array(poses)
    return RoverRun(
        pose=pose,
        clearance=world.clearance(pose[:, :2]),
        command=np.array(commands, dtype=np.float64).reshape(-1, 2),
    )


def _arc(pose: _Pose, v: float, w: float, dt: float) -> _Pose:
    turn = w * dt
    half = 0.5 * turn
    chord = v * dt * (math.sin(half) / half if half != 0.0 else 1.0)
    heading, after = pose[2] + half, pose[2] + turn
    return (
        pose[0] + chord * math.cos(heading),
        pose[1] + chord * math.sin(heading),
        after - 2.0 * math.pi * math.floor((after + math.pi) / (2.0 * math.pi)),
    )


def _floats(pose: FloatArray) -> _Pose:
    x, y, heading = pose.tolist()
    return x, y, heading
