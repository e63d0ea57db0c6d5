"""Every number of ArmBot, with unit and source.

Values marked (paper) are stated by Roth 2021; the paper names no others, so the rest
are choices.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from gelenk.errors import ConfigError
from gelenk.runtime.config import setting

MAX_ROBOTS = 10  # (paper, 3.2)
TILE_SIZE = 0.5  # [m] (paper, 3.2)
FAST_SHARE = 0.95  # of the top speed: the servo counts as fast (paper, 3.4)
BODY_YAW = math.pi / 2.0  # [rad]; heading 0 looks along +y, a body's x axis is forward
CONTROL_PERIOD = 0.01  # [s]
TOUCH_RADIUS = 0.002  # [m], thickness of what touches
BALL_MASS = 0.01  # [kg], all balls alike: they swap their speeds when they meet
CUBOID_MASS = 5.0  # [kg], 500 balls: a wall for them
REST_SPEED = 0.03  # [m/s]; slower contacts do not bounce
IK_TOLERANCE = 1e-4  # [m]
IK_MAX_ITERATIONS = 500
JACOBIAN_STEP = 1e-4  # [rad] or [m], of the numeric Jacobian
STATE_PERIOD = 1.0  # [s] between two lines of the state and thread logs


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmBotCfg:
    """What can be set on a cell; the defaults are the paper's rules.

    Attributes:
        step: Physics step.
        gravity: Downwards.
        border: Whether objects can leave the BORDER, or walls stand there.
        resistance: Whether a ball is slowed down while it touches, or always.
        resistance_is_remaining: Read `resistance` as the share of the speed that is
            left after a second instead of the share that is gone.
        spin: Balls turn and have rotational inertia.
        light_cuboids: Balls push cuboids; they weigh `cuboid_density` or their MASS.
        cuboid_density: Used with `light_cuboids`, and `ball_density` with it.
        ball_density: Balls without a MASS.
        motors: Infinitely strong, or with a largest torque and force.
        max_torque, max_force: Of servos and linear motors of limited strength.
        trigger_heights: Triggers see objects only up to their height.
    """

    step: float = setting(0.001, unit="s", minimum=1e-5, maximum=0.01)
    gravity: float = setting(9.81, unit="m/s^2", minimum=0.0)
    border: Literal["open", "wall"] = setting("open")
    resistance: Literal["contact", "always"] = setting("contact")
    resistance_is_remaining: bool = setting(False)
    spin: bool = setting(False)
    light_cuboids: bool = setting(False)
    cuboid_density: float = setting(500.0, unit="kg/m^3", minimum=1.0)
    ball_density: float = setting(500.0, unit="kg/m^3", minimum=1.0)
    motors: Literal["ideal", "limited"] = setting("ideal")
    max_torque: float = setting(20.0, unit="N m", minimum=0.0)
    max_force: float = setting(200.0, unit="N", minimum=0.0)
    trigger_heights: bool = setting(False)

    def __post_init__(self) -> None:
        stride = CONTROL_PERIOD / self.step
        if abs(stride - round(stride)) > 1e-9:
            raise ConfigError(
                f"`step` must divide the control period of {CONTROL_PERIOD} s, got "
                f"{self.step} s; 0.001, 0.002 and 0.005 do"
            )
