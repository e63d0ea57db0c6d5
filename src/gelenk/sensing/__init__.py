"""Sensors: the laws between a quantity and its reading.

The way in is `LaserScanner` with `simulate_scan`, `Sonar` with `sonar_reading`, and
`mahony_step` for the attitude from inertial sensors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.sensing.encoders import count_quadrature as count_quadrature
    from gelenk.sensing.force_torque import identify_tool as identify_tool
    from gelenk.sensing.inertial import AttitudeEstimate as AttitudeEstimate
    from gelenk.sensing.inertial import mahony_step as mahony_step
    from gelenk.sensing.inertial import specific_force as specific_force
    from gelenk.sensing.laser_scanner import LaserScanner as LaserScanner
    from gelenk.sensing.laser_scanner import simulate_scan as simulate_scan
    from gelenk.sensing.radar import Radar as Radar
    from gelenk.sensing.radar import range_doppler as range_doppler
    from gelenk.sensing.sonar import Sonar as Sonar
    from gelenk.sensing.sonar import SonarScene as SonarScene
    from gelenk.sensing.sonar import sonar_reading as sonar_reading

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
