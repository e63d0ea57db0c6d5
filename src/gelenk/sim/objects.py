"""What a world is made of: fixed and movable objects as plain data.

Positions and plans in metres, world axes; orientations are unit quaternions (w, x, y,
z). An object names itself; the world reaches it by that name. Nothing here knows the
engine: `gelenk.sim.bridge.shapes` turns objects into bodies.
"""

from __future__ import annotations

from typing import TypeAlias

from gelenk.sim.fixed import Box as Box
from gelenk.sim.fixed import Conveyor as Conveyor
from gelenk.sim.fixed import Cylinder as Cylinder
from gelenk.sim.fixed import Direction as Direction
from gelenk.sim.fixed import Ground as Ground
from gelenk.sim.fixed import HeightField as HeightField
from gelenk.sim.fixed import Prism as Prism
from gelenk.sim.fixed import Slice as Slice
from gelenk.sim.fixed import Slope as Slope
from gelenk.sim.fixed import Solid as Solid
from gelenk.sim.fixed import Sphere as Sphere
from gelenk.sim.fixed import Step as Step
from gelenk.sim.fixed import Tile as Tile
from gelenk.sim.fixed import Wedge as Wedge
from gelenk.sim.movable import Ball as Ball
from gelenk.sim.movable import Body as Body
from gelenk.sim.movable import Cuboid as Cuboid
from gelenk.sim.movable import Movable as Movable
from gelenk.sim.movable import MovableCylinder as MovableCylinder
from gelenk.sim.plan import Circle as Circle
from gelenk.sim.plan import Plan as Plan
from gelenk.sim.plan import Polygon as Polygon
from gelenk.sim.plan import Rect as Rect
from gelenk.sim.robot import Gripper as Gripper
from gelenk.sim.robot import Robot as Robot
from gelenk.sim.surface import Surface as Surface
from gelenk.sim.thing import Thing as Thing

FixedObject: TypeAlias = (
    Ground
    | Box
    | Prism
    | Step
    | Slope
    | Wedge
    | Conveyor
    | Cylinder
    | Sphere
    | HeightField
)
MovableObject: TypeAlias = Ball | Cuboid | MovableCylinder | Body
SceneObject: TypeAlias = FixedObject | MovableObject
