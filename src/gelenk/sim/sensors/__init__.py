"""Sensors: descriptions as data, a bank of arrays, sampling and reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.sim.sensors.bank import SensorReading as SensorReading
    from gelenk.sim.sensors.descriptions import Encoder as Encoder
    from gelenk.sim.sensors.descriptions import ForceTorque as ForceTorque
    from gelenk.sim.sensors.descriptions import Imu as Imu
    from gelenk.sim.sensors.descriptions import MotorCurrent as MotorCurrent
    from gelenk.sim.sensors.descriptions import MotorTemperature as MotorTemperature
    from gelenk.sim.sensors.descriptions import Potentiometer as Potentiometer
    from gelenk.sim.sensors.descriptions import RangeSensor as RangeSensor
    from gelenk.sim.sensors.descriptions import Sensor as Sensor
    from gelenk.sim.sensors.descriptions import SensorModel as SensorModel
    from gelenk.sim.sensors.descriptions import TouchSwitch as TouchSwitch

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
