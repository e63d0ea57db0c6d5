"""Ground that does not bear: tiles that sink under a foot."""

from __future__ import annotations

import math

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import shift
from gelenk.models.link import Geometry, JointType, Link
from gelenk.robots.amee.terrain.course import (
    COURSE_START,
    EARTH,
    Course,
    platforms,
    slab,
)
from gelenk.sim.motors.descriptions import Friction, TorqueServo
from gelenk.sim.robot import Robot
from gelenk.sim.surface import Surface
from gelenk.sim.world import Addable

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
