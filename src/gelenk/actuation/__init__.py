"""Actuators: electric, fluid and elastic drives, gears, active materials.

The way in is `DCMotor` with `dc_motor_rates` for a motor, `choose_drive` for the family
that suits, `PlanetaryGear` and `reflected_inertia` for what stands behind a motor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.actuation.dc_motor import DCMotor as DCMotor
    from gelenk.actuation.dc_motor import dc_motor_rates as dc_motor_rates
    from gelenk.actuation.dc_motor import steady_state as steady_state
    from gelenk.actuation.drives import DriveNeeds as DriveNeeds
    from gelenk.actuation.drives import choose_drive as choose_drive
    from gelenk.actuation.elastic_drives import SeriesDrive as SeriesDrive
    from gelenk.actuation.fluid_drives import HydraulicCylinder as HydraulicCylinder
    from gelenk.actuation.fluid_drives import PneumaticCylinder as PneumaticCylinder
    from gelenk.actuation.transmissions import PlanetaryGear as PlanetaryGear
    from gelenk.actuation.transmissions import backlash_torque as backlash_torque
    from gelenk.actuation.transmissions import reflected_inertia as reflected_inertia

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
