"""Every number of Piggy beyond its model, with unit and source.

Lengths, masses and limits of the batting unit stand in
`gelenk.robots.piggy.robot`. "Hammer" is T. Hammer's thesis of 2011; "chosen"
means that no source states it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gelenk.errors import ConfigError
from gelenk.robots.piggy import robot as unit

GRAVITY = 9.81  # [m/s^2]
ATMOSPHERE = 101325.0  # [Pa]

# -- ball (Hammer §3.3.1, table 5.4) ---------------------------------------------------

BALL_RADIUS = 0.0605  # [m]
BALL_MASS = 0.053  # [kg]
BALL_PRESSURE = 1.1 * ATMOSPHERE  # [Pa], absolute; a guess there, printed as hPa
FRICTION = 0.5  # of ball on sphere; the middle of [0, 1], Hammer table 5.4
DRAG = 0.061  # [1/m], c_d 0.47 of a smooth sphere; chosen
RADIUS_SUM = unit.SPHERE_RADIUS + BALL_RADIUS  # [m]

# -- motion ----------------------------------------------------------------------------

SPEED_LIMIT = math.radians(180.0)  # [rad/s], under load, Hammer §3.3.4, §5.2
ACCELERATION_LIMIT = math.radians(1800.0)  # [rad/s^2], Hammer §3.3.4, §5.2
DERATING = 0.9  # of the acceleration; Hammer §4.3.3 plans with 0.85 to 0.95
HIT_WINDOW = 0.02  # [s] of steady speed before the hit; chosen
HOME = (0.0, math.radians(30.0))  # [rad], roll and tilt: leaning back, Hammer §5.5
VALID_ANGLE = math.radians(80.0)  # [rad], largest roll and tilt allowed; chosen
GUARD_THRESHOLD = 0.005  # [m], bisection at the workspace's border ends; chosen
# [N], weight in the controller's gravity compensation: 2.33 N m / 0.84 m, the static
# moment of the distributed bat. Hammer's point mass of 335 g is an upper bound.
CALIBRATED_WEIGHT = 2.77

# -- servos and cameras (Hammer §3.3.2, §3.3.3) ----------------------------------------

STALL_TORQUE = 10.49  # [N m] at 18.5 V; 10.94 in one place is a slip
ENCODER_STEP = math.radians(0.06)  # [rad]
CONTROL_RATE = 100.0  # [1/s]
CAMERA_RATE = 50.0  # [1/s]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitCfg:
    """Geometry of the batting unit.

    Attributes:
        origin: A point of the roll axis in the world [m].
        bat_length: Tilt axis to the sphere's centre [m].
        axis_offset: Roll axis to tilt axis, upwards [m].
        valid_angle: Largest roll and tilt that motion may use [rad].
    """

    origin: tuple[float, float, float] = unit.ROLL_ORIGIN
    bat_length: float = unit.BAT_LENGTH
    axis_offset: float = unit.AXIS_OFFSET
    valid_angle: float = VALID_ANGLE

    def __post_init__(self) -> None:
        if not self.bat_length > self.axis_offset >= 0.0:
            raise ConfigError(
                "`bat_length` must exceed `axis_offset`, which must not be negative, "
                f"got {self.bat_length} m and {self.axis_offset} m"
            )
        if not 0.0 < self.valid_angle < math.pi / 2.0:
            raise ConfigError(
                "`valid_angle` must lie between 0 and pi/2, where the unit is "
                f"singular, got {self.valid_angle} rad"
            )


UNIT = UnitCfg()
