"""Terrains: plates, steps, rubble, slope, gaps, and tiles that sink under a foot."""

from __future__ import annotations

import math

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import shift
from gelenk.models.link import Geometry, JointType, Link
from gelenk.robots.amee.terrain.course import (
    COURSE_START,
    EARTH,
    RUN_OUT,
    STONE,
    Course,
    ground,
    platforms,
    slab,
    tilted_box,
    turned,
)
from gelenk.sim.fixed_objects import Box, Cylinder
from gelenk.sim.motors.descriptions import Friction, TorqueServo
from gelenk.sim.robot import Robot
from gelenk.sim.surface import Surface
from gelenk.sim.world import Addable

STONES_PER_AREA = 16.0  # [1/m^2]: with their mean size, about half of the ground
PLATE = 0.40  # [m], edge
TREAD = (0.35, 0.55)  # [m], depth of a step
STRIP = (0.45, 0.80)  # [m], ground between two gaps
GAP_DEPTH = 0.30  # [m]
SPIKE_RADIUS = 0.010  # [m]
SPIKE_HEIGHT = (0.025, 0.060)  # [m]


def flat(course: Course, amount: float, rng: np.random.Generator) -> list[Addable]:
    """Return level ground."""
    return [ground()]


def plates(course: Course, amount: float, rng: np.random.Generator) -> list[Addable]:
    """Return plates that lean by up to `amount` [rad] in any direction.

    Their lowest corner lies on the ground, so that edges of neighbours do not meet.
    """
    found: list[Addable] = [ground()]
    columns = math.ceil(course.width / PLATE)
    for row in range(math.ceil(course.length / PLATE)):
        for column in range(columns):
            roll, pitch = rng.uniform(-1.0, 1.0, 2) * (amount / math.sqrt(2.0))
            R = turned((roll, pitch, 0.0))
            low = 0.5 * PLATE * (abs(R[2, 0]) + abs(R[2, 1]))
            x = COURSE_START + (row + 0.5) * PLATE
            y = (column + 0.5) * PLATE - 0.5 * columns * PLATE
            found.append(
                tilted_box(
                    f"plate_{row}_{column}",
                    size=(PLATE - 0.005, PLATE - 0.005, 0.05),
                    top=(x, y, low + 0.002),
                    turn=(roll, pitch, 0.0),
                )
            )
    return found


def steps(course: Course, amount: float, rng: np.random.Generator) -> list[Addable]:
    """Return stairs up and down again whose risers are up to `amount` [m] high."""
    found: list[Addable] = [ground()]
    half = 0.5 * course.width + 0.4
    x, height, heights = COURSE_START, 0.0, []
    edges = [x]
    while x < course.end:
        x += float(rng.uniform(*TREAD))
        edges.append(x)
    for k in range(len(edges) - 1):
        rise = float(rng.uniform(0.5, 1.0)) * amount
        is_up = k < (len(edges) - 1) / 2.0
        height = height + rise if is_up else max(height - rise, 0.0)
        heights.append(height)
    for k, top in enumerate(heights):
        if top > 0.0:
            ends = (edges[k], edges[k + 1])
            found.append(slab(f"step_{k}", ends, (-half, half), (-0.05, top)))
    return found


def rubble(course: Course, amount: float, rng: np.random.Generator) -> list[Addable]:
    """Return stones of all sizes, none higher than `amount` [m]."""
    found: list[Addable] = [ground()]
    count = round(STONES_PER_AREA * course.length * course.width)
    for k in range(count):
        length, width = rng.uniform(0.08, 0.30, 2)
        thickness = 0.06 + amount
        # flat rubble leans less, or most of a stone would be under the ground
        lean = rng.uniform(-1.0, 1.0, 2) * min(math.radians(10.0), 2.5 * amount)
        turn = (float(lean[0]), float(lean[1]), float(rng.uniform(-math.pi, math.pi)))
        R = turned(turn)
        # the highest corner may reach the chosen height, no more
        corner = 0.5 * (length * abs(R[2, 0]) + width * abs(R[2, 1]))
        height = float(rng.uniform(0.25, 1.0)) * amount
        x = COURSE_START + 0.15 + float(rng.uniform(0.0, course.length - 0.15))
        y = float(rng.uniform(-0.5, 0.5)) * course.width
        found.append(
            tilted_box(
                f"stone_{k}",
                size=(float(length), float(width), thickness),
                top=(x, y, height - corner),
                turn=turn,
            )
        )
    return found


def slope(course: Course, amount: float, rng: np.random.Generator) -> list[Addable]:
    """Return a ramp that rises by the angle `amount` [rad], or falls if negative."""
    half, rise = 0.5 * course.width + 0.6, course.length * math.tan(amount)
    depth = max(-rise, 0.0) + 0.2
    along = course.length / math.cos(amount)
    ramp = tilted_box(
        "ramp",
        size=(along, 2.0 * half, 0.2),
        top=(COURSE_START + 0.5 * course.length, 0.0, 0.5 * rise),
        turn=(0.0, -amount, 0.0),
    )
    ends = (course.end, course.end + RUN_OUT)
    return [
        ground(-depth),
        slab("start", (-2.0, COURSE_START), (-half, half), (-depth, 0.0)),
        ramp,
        slab("finish", ends, (-half, half), (min(rise, 0.0) - 0.2, rise)),
    ]


def gaps(course: Course, amount: float, rng: np.random.Generator) -> list[Addable]:
    """Return strips of ground with gaps of up to `amount` [m] between them."""
    half = 0.5 * course.width + 0.6
    x, strips = COURSE_START, []
    while True:
        x += float(rng.uniform(0.5, 1.0)) * amount
        end = x + float(rng.uniform(*STRIP))
        if end > course.end:
            break
        strips.append((x, end))
        x = end
    found = platforms(course, GAP_DEPTH, end=x)
    for k, ends in enumerate(strips):
        found.append(slab(f"strip_{k}", ends, (-half, half), (-GAP_DEPTH, 0.0)))
    return found


def sharp(course: Course, amount: float, rng: np.random.Generator) -> list[Addable]:
    """Return level ground with `amount` spikes and edges per square metre."""
    found: list[Addable] = [ground()]
    for k in range(round(amount * course.length * course.width)):
        x = COURSE_START + 0.1 + float(rng.uniform(0.0, course.length - 0.1))
        y = float(rng.uniform(-0.5, 0.5)) * course.width
        height = float(rng.uniform(*SPIKE_HEIGHT))
        if rng.uniform() < 0.5:
            found.append(spike(f"spike_{k}", x, y, height))
            continue
        yaw = float(rng.uniform(-math.pi, math.pi))
        found.append(
            Box(
                name=f"edge_{k}",
                size=(0.25, 0.012, 2.0 * height),
                position=(x, y, 0.0),
                quat=(math.cos(0.5 * yaw), 0.0, 0.0, math.sin(0.5 * yaw)),
                condim=3,
                rgba=STONE,
            )
        )
    return found


def spike(name: str, x: float, y: float, height: float) -> Cylinder:
    """Return a thin post that stands out of the ground.

    Args:
        name: Of the post.
        x: Place [m].
        y: Place [m].
        height: Of its top [m].
    """
    return Cylinder(
        name=name,
        radius=SPIKE_RADIUS,
        length=2.0 * height,
        position=(x, y, 0.0),
        condim=3,
        rgba=STONE,
    )


TILE = 0.35  # [m], edge
DEPTH = 0.20  # [m], of the bed
SINK = 0.12  # [m], how far a tile gives way at most
BEARS = (10.0, 30.0)  # [N], what a tile bears for ever: less than three toes need
THICKNESS = 0.04  # [m]
_MASS = 2.0  # [kg]
_DAMPING = 300.0  # [N s/m]: mud gives way by and by


def soft(course: Course, amount: float, rng: np.random.Generator) -> list[Addable]:
    """Return tiles, a share `amount` of which sinks when it is stepped on."""
    columns = math.ceil(course.width / TILE)
    rows = math.ceil(course.length / TILE)
    found = platforms(course, DEPTH, end=COURSE_START + rows * TILE)
    for row in range(rows):
        for column in range(columns):
            x = COURSE_START + row * TILE
            y = column * TILE - 0.5 * columns * TILE
            name = f"tile_{row}_{column}"
            if rng.uniform() < amount:
                middle = (x + 0.5 * TILE, y + 0.5 * TILE)
                bears = float(rng.uniform(*BEARS))
                found.append(sinking_tile(name, middle, bears=bears))
            else:
                ends = (x, x + TILE), (y, y + TILE)
                found.append(slab(name, *ends, (-DEPTH, 0.0)))
    return found


def sinking_tile(name: str, middle: tuple[float, float], *, bears: float) -> Robot:
    """Return a tile that gives way to more than a force, and stays down.

    Args:
        name: Of the tile.
        middle: Of its top face, at height 0 [m].
        bears: Largest force that it bears [N].
    """
    shape = Geometry(
        kind="box",
        size=(TILE - 0.004, TILE - 0.004, THICKNESS),
        T_link_geometry=shift(z=-0.5 * THICKNESS),
        rgba=EARTH,
    )
    model = assemble(
        name,
        [
            Link(name="bed"),
            Link(
                name="top",
                parent="bed",
                joint="sink",
                joint_type=JointType.PRISMATIC,
                axis=(0.0, 0.0, 1.0),
                lower=-SINK,
                upper=0.0,
                mass=_MASS,
                com=(0.0, 0.0, -0.5 * THICKNESS),
                inertia=np.diag([0.02, 0.02, 0.04]),
                geometry=(shape,),
            ),
        ],
        tool="top",
    )
    # A drive without current: dry friction that does not creep, and mud's damping.
    mud = TorqueServo(
        stall_torque=_DAMPING,
        no_load_speed=1.0,
        nominal_voltage=1.0,
        friction=Friction(coulomb=bears + 9.81 * _MASS),  # and its own weight
    )
    return Robot(
        name=name,
        model=model,
        T_world_base=shift(*middle),
        motors=mud,
        surface=Surface(condim=3, rgba=EARTH),
    )
