"""Scene objects: fixed and movable things of a world as plain data.

Positions and outlines in metres, world axes; orientations are unit quaternions
(w, x, y, z). An object names itself; the world reaches it by that name. Nothing here
knows the engine: `gelenk.sim.bridge.shapes` turns objects into bodies.
"""

from __future__ import annotations

from typing import TypeAlias

from gelenk.sim.fixed_objects import Box as Box
from gelenk.sim.fixed_objects import Conveyor as Conveyor
from gelenk.sim.fixed_objects import Cylinder as Cylinder
from gelenk.sim.fixed_objects import Direction as Direction
from gelenk.sim.fixed_objects import Ground as Ground
from gelenk.sim.fixed_objects import HeightField as HeightField
from gelenk.sim.fixed_objects import Prism as Prism
from gelenk.sim.fixed_objects import Slice as Slice
from gelenk.sim.fixed_objects import Slope as Slope
from gelenk.sim.fixed_objects import Solid as Solid
from gelenk.sim.fixed_objects import Sphere as Sphere
from gelenk.sim.fixed_objects import Step as Step
from gelenk.sim.fixed_objects import Tile as Tile
from gelenk.sim.fixed_objects import Wedge as Wedge
from gelenk.sim.robot import Gripper as Gripper
from gelenk.sim.robot import Robot as Robot
from gelenk.sim.scene_object import Ball as Ball
from gelenk.sim.scene_object import Body as Body
from gelenk.sim.scene_object import CircleOutline as CircleOutline
from gelenk.sim.scene_object import Cuboid as Cuboid
from gelenk.sim.scene_object import GroundOutline as GroundOutline
from gelenk.sim.scene_object import Movable as Movable
from gelenk.sim.scene_object import MovableCylinder as MovableCylinder
from gelenk.sim.scene_object import PolygonOutline as PolygonOutline
from gelenk.sim.scene_object import RectOutline as RectOutline
from gelenk.sim.scene_object import SceneObject as SceneObject
from gelenk.sim.surface import Surface as Surface

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
AnySceneObject: TypeAlias = FixedObject | MovableObject
