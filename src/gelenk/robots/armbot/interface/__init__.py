"""What a controller may use: the arm, its kinematics, triggers, and units.

A controller imports this package, the mathematics, and nothing of the
simulator.
"""

import math

from gelenk.robots.armbot.interface.controller import RobotController as RobotController
from gelenk.robots.armbot.interface.gripper import Gripper as Gripper
from gelenk.robots.armbot.interface.kinematics import (
    DirectKinematics as DirectKinematics,
)
from gelenk.robots.armbot.interface.kinematics import (
    InverseKinematics as InverseKinematics,
)
from gelenk.robots.armbot.interface.kinematics import InverseResult as InverseResult
from gelenk.robots.armbot.interface.manipulator import Manipulator as Manipulator
from gelenk.robots.armbot.interface.motor import Motor as Motor
from gelenk.robots.armbot.interface.moves import MoveResult as MoveResult
from gelenk.robots.armbot.interface.moves import (
    UnsupportedOperationError as UnsupportedOperationError,
)
from gelenk.runtime.controller import TriggerProcessor as TriggerProcessor

CM = 0.01  # [m]: 35 * CM
DEG = math.pi / 180.0  # [rad]: -90 * DEG
