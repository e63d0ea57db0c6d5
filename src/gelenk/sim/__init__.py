"""The simulated world: bodies, contacts, motors, sensors, cameras, faults.

The only layer that knows MuJoCo. Heavy: import it when a world is needed.
"""

from gelenk.sim.config import WorldConfig as WorldConfig
from gelenk.sim.motors import DCGearMotor as DCGearMotor
from gelenk.sim.motors import IdealMotor as IdealMotor
from gelenk.sim.motors import PositionServo as PositionServo
from gelenk.sim.motors import TorqueServo as TorqueServo
from gelenk.sim.objects import Ball as Ball
from gelenk.sim.objects import Body as Body
from gelenk.sim.objects import Box as Box
from gelenk.sim.objects import Conveyor as Conveyor
from gelenk.sim.objects import Cuboid as Cuboid
from gelenk.sim.objects import Cylinder as Cylinder
from gelenk.sim.objects import Ground as Ground
from gelenk.sim.objects import HeightField as HeightField
from gelenk.sim.objects import MovableCylinder as MovableCylinder
from gelenk.sim.objects import Polygon as Polygon
from gelenk.sim.objects import Prism as Prism
from gelenk.sim.objects import Rect as Rect
from gelenk.sim.objects import Robot as Robot
from gelenk.sim.objects import Slice as Slice
from gelenk.sim.objects import Slope as Slope
from gelenk.sim.objects import Sphere as Sphere
from gelenk.sim.objects import Step as Step
from gelenk.sim.objects import Surface as Surface
from gelenk.sim.objects import Wedge as Wedge
from gelenk.sim.world import World as World
from gelenk.sim.world import WorldError as WorldError
