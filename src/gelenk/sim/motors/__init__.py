"""Motors: descriptions as data, a bank of arrays, their part of the compiled tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.sim.motors.descriptions import DCGearMotor as DCGearMotor
    from gelenk.sim.motors.descriptions import Motor as Motor
    from gelenk.sim.motors.descriptions import PositionServo as PositionServo
    from gelenk.sim.motors.descriptions import TorqueServo as TorqueServo
    from gelenk.sim.motors.direct import IdealMotor as IdealMotor
    from gelenk.sim.motors.direct import TorqueMotor as TorqueMotor
    from gelenk.sim.motors.direct import VelocityServo as VelocityServo
    from gelenk.sim.motors.parts import Backlash as Backlash
    from gelenk.sim.motors.parts import Friction as Friction
    from gelenk.sim.motors.parts import Heating as Heating

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
