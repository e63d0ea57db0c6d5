"""Motors: descriptions, their bank of arrays, and the compiled tick."""

from __future__ import annotations

from gelenk.sim.motors.advance import advance_motors as advance_motors
from gelenk.sim.motors.bank import JointSettings as JointSettings
from gelenk.sim.motors.bank import MotorBank as MotorBank
from gelenk.sim.motors.bank import joint_settings as joint_settings
from gelenk.sim.motors.bank import pack_motors as pack_motors
from gelenk.sim.motors.bank import place_motors as place_motors
from gelenk.sim.motors.bank import state_arrays as state_arrays
from gelenk.sim.motors.descriptions import DCGearMotor as DCGearMotor
from gelenk.sim.motors.descriptions import Friction as Friction
from gelenk.sim.motors.descriptions import Heating as Heating
from gelenk.sim.motors.descriptions import IdealMotor as IdealMotor
from gelenk.sim.motors.descriptions import Motor as Motor
from gelenk.sim.motors.descriptions import Play as Play
from gelenk.sim.motors.descriptions import PositionServo as PositionServo
from gelenk.sim.motors.descriptions import TorqueServo as TorqueServo
