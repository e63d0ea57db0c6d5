"""The computer of one leg: its super-loop, its layers, its hardware."""

from gelenk.robots.amee.leg.bench import Bench as Bench
from gelenk.robots.amee.leg.bench import BenchCfg as BenchCfg
from gelenk.robots.amee.leg.computer import LegComputer as LegComputer
from gelenk.robots.amee.leg.hardware import Bridge as Bridge
from gelenk.robots.amee.leg.hardware import HardwareWatchdog as HardwareWatchdog
from gelenk.robots.amee.leg.hardware import LegHardware as LegHardware
from gelenk.robots.amee.leg.mcu import LegMcu as LegMcu
