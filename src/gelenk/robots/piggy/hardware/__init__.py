"""Servos, their bus, and the batting unit behind them."""

from __future__ import annotations

from gelenk.robots.piggy.hardware.roll_tilt import Deadman as Deadman
from gelenk.robots.piggy.hardware.roll_tilt import JointReading as JointReading
from gelenk.robots.piggy.hardware.roll_tilt import RollTilt as RollTilt
from gelenk.robots.piggy.hardware.servo import Bus as Bus
from gelenk.robots.piggy.hardware.servo import BusCfg as BusCfg
from gelenk.robots.piggy.hardware.servo import Servo as Servo
from gelenk.robots.piggy.hardware.servo import ServoError as ServoError
from gelenk.robots.piggy.hardware.servo import ServoMode as ServoMode
from gelenk.robots.piggy.hardware.servo import ServoSettings as ServoSettings
from gelenk.robots.piggy.hardware.servo import ServoStatus as ServoStatus
