"""Random robots made of parts, for tests and benchmarks."""

from __future__ import annotations

import math

import numpy as np

from gelenk.models.parts import (
    Assembly,
    Body,
    LinearMotor,
    Part,
    Segment,
    Servo,
    TConnector,
    Tip,
    TouchSegment,
)

MIN_PARTS, MAX_PARTS = 3, 10
CLOSED_SHARE = 0.2  # of all assemblies
BRANCH_SHARE = 0.3  # of all bodies that could start two chains
PLANES = ("xy", "xz", "yz")


def random_assembly(rng: np.random.Generator) -> Assembly:
    """Return a random robot of 3 to 10 parts: a tree, or one of the closed patterns.

    Lengths lie between 0.05 and 0.5 m; half of the parts are turned at their connection
    point; most have a mass.
    """
    if rng.random() < CLOSED_SHARE:
        makers = (_tripod, _tight_len, _tight_rot, _tight_pseudo)
        return makers[rng.integers(len(makers))](rng)
    return _tree(rng)


def _tree(rng: np.random.Generator) -> Assembly:
    num_parts = int(rng.integers(MIN_PARTS, MAX_PARTS + 1))
    robot = Assembly(Body("body", mass=rng.uniform(0.0, 5.0)))
    open_ends: list[Tip] = [robot]
    if num_parts >= 5 and rng.random() < BRANCH_SHARE:
        open_ends.append(robot)
    while len(robot.parts) + len(open_ends) < num_parts:
        place = int(rng.integers(len(open_ends)))
        part = _random_part(rng)
        tip = open_ends[place] = _attach(rng, open_ends[place], part)
        has_room = len(robot.parts) + len(open_ends) < num_parts
        if isinstance(part, TConnector) and has_room:
            open_ends.append(tip)
    for tip in open_ends:
        (tip.touch_point, tip.termination_point, tip.gripper_mount)[rng.integers(3)]()
    return robot


def _random_part(rng: np.random.Generator) -> Part:
    mass = rng.uniform(0.1, 3.0)
    draw = rng.random()
    if draw < 0.4:
        return Servo(axis=PLANES[rng.integers(3)], mass=mass)
    if draw < 0.55:
        return LinearMotor(limits=(0.05, rng.uniform(0.1, 0.5)), mass=mass)
    if draw < 0.65:
        return TConnector(mass=mass)
    x, y, z = rng.uniform(-0.3, 0.3, 3)
    to = (float(abs(x)) + 0.05, float(y), float(z))
    return (Segment if draw < 0.9 else TouchSegment)(to=to, mass=mass, radius=0.01)


def _attach(rng: np.random.Generator, tip: Tip, part: Part) -> Tip:
    at = rng.uniform(-0.2, 0.2, 3) if tip.part.carries_many else (0.0, 0.0, 0.0)
    if rng.random() < 0.5:
        return tip.attach(part, at=at)
    return tip.attach(part, at=at, turn=rng.uniform(-math.pi, math.pi, 3))


def _tripod(rng: np.random.Generator) -> Assembly:
    robot = Assembly()
    radius = rng.uniform(0.1, 0.3)
    legs: list[Tip] = []
    for angle in 2.0 * math.pi / 3.0 * np.arange(3) + rng.uniform(-0.3, 0.3, 3):
        foot = (radius * math.cos(angle), radius * math.sin(angle), 0.0)
        leg = robot.fullrot(at=foot).linear_motor(limits=(0.35, 0.5), mass=0.5)
        legs.append(leg)
    robot.closed_chain("apex", legs).gripper_mount()
    return robot


def _tight_len(rng: np.random.Generator) -> Assembly:
    robot = Assembly()
    rail = robot.servo(axis="xz").linear().segment(0.1, mass=0.5)
    foot = robot.fullrot(at=(rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), -0.1))
    strut = foot.linear_motor(limits=(0.4, 0.6), mass=0.5)
    robot.closed_chain("union", [rail, strut]).gripper_mount()
    return robot


def _tight_rot(rng: np.random.Generator) -> Assembly:
    robot = Assembly()
    boom = robot.axisrot(turn=(0.0, 0.0, math.pi / 2.0)).segment(0.4, mass=1.0)
    foot = robot.fullrot(at=(rng.uniform(0.15, 0.25), 0.0, -0.1))
    strut = foot.linear_motor(limits=(0.25, 0.4), mass=0.5)
    robot.closed_chain("union", [boom, strut]).gripper_mount()
    return robot


def _tight_pseudo(rng: np.random.Generator) -> Assembly:
    robot = Assembly()
    arm = robot.servo().servo(axis="xz").segment(rng.uniform(0.2, 0.4), mass=1.0)
    sensor = robot.fullrot(at=(0.0, 0.1, -0.2)).linear().segment(0.05)
    robot.closed_chain("union", [arm, sensor]).gripper_mount()
    return robot
