"""Start poses that are a little off, as they are wherever people put things down."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.robots.armbot.environment.description import CuboidEntry, Environment


def jitter(
    environment: Environment,
    rng: np.random.Generator,
    *,
    position: float,
    angle: float,
) -> Environment:
    """Return the environment with movable objects and robots put a little beside.

    A robot knows where it stands; nobody knows where the objects are.

    Args:
        environment: As it is meant.
        rng: Draws the deviations.
        position: Largest deviation along x and along y [m].
        angle: Largest deviation of a heading [rad].
    """
    movables = []
    for entry in environment.movables:
        x, y, z = entry.center
        dx, dy = rng.uniform(-position, position, 2)
        turn = rng.uniform(-angle, angle)
        entry = replace(entry, center=(x + dx, y + dy, z))
        if isinstance(entry, CuboidEntry):
            entry = replace(entry, yaw=entry.yaw + turn)
        movables.append(entry)
    robots = []
    for robot in environment.robots:
        x, y, heading = robot.pose or (0.0, 0.0, 0.0)
        dx, dy = rng.uniform(-position, position, 2)
        turn = rng.uniform(-angle, angle)
        robots.append(replace(robot, pose=(x + dx, y + dy, heading + turn)))
    return replace(environment, movables=tuple(movables), robots=tuple(robots))
