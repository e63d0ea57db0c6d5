"""Sensors: descriptions, their bank of arrays, sampling and reading."""

from __future__ import annotations

from gelenk.sim.sensors.bank import Reading as Reading
from gelenk.sim.sensors.bank import SensorBank as SensorBank
from gelenk.sim.sensors.bank import pack_sensors as pack_sensors
from gelenk.sim.sensors.bank import read_sensor as read_sensor
from gelenk.sim.sensors.bank import state_arrays as state_arrays
from gelenk.sim.sensors.channels import JointPlace as JointPlace
from gelenk.sim.sensors.channels import Wiring as Wiring
from gelenk.sim.sensors.channels import wire_sensor as wire_sensor
from gelenk.sim.sensors.descriptions import Encoder as Encoder
from gelenk.sim.sensors.descriptions import ForceTorque as ForceTorque
from gelenk.sim.sensors.descriptions import Imu as Imu
from gelenk.sim.sensors.descriptions import MotorCurrent as MotorCurrent
from gelenk.sim.sensors.descriptions import MotorTemperature as MotorTemperature
from gelenk.sim.sensors.descriptions import Mount as Mount
from gelenk.sim.sensors.descriptions import Potentiometer as Potentiometer
from gelenk.sim.sensors.descriptions import RangeSensor as RangeSensor
from gelenk.sim.sensors.descriptions import Sensor as Sensor
from gelenk.sim.sensors.descriptions import SensorModel as SensorModel
from gelenk.sim.sensors.descriptions import TouchSwitch as TouchSwitch
from gelenk.sim.sensors.descriptions import mount as mount
from gelenk.sim.sensors.descriptions import mujoco_sensors as mujoco_sensors
from gelenk.sim.sensors.sample import Blows as Blows
from gelenk.sim.sensors.sample import body_jumps as body_jumps
from gelenk.sim.sensors.sample import no_blows as no_blows
from gelenk.sim.sensors.sample import sample_sensors as sample_sensors
