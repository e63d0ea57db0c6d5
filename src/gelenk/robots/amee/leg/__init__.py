"""The computer of one leg: its super-loop, its layers, its hardware."""

from gelenk.robots.amee.leg.hardware import Bridge as Bridge
from gelenk.robots.amee.leg.hardware import HardwareWatchdog as HardwareWatchdog
from gelenk.robots.amee.leg.hardware import LegHardware as LegHardware
