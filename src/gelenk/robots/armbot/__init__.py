"""ArmBot: any manipulator, in a world of obstacles, belts, balls, boxes and triggers.

After J. Roth, ArmBot, TH Nuernberg 2021. Students write an environment file and a
controller, a class derived from `RobotController`; `gelenk armbot -e FILE` runs them,
in Python `run_headless` does. `CM` and `DEG` turn centimetres and degrees into metres
and radians.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.robots.armbot.interface.controller import CM as CM
    from gelenk.robots.armbot.interface.controller import DEG as DEG
    from gelenk.robots.armbot.interface.controller import (
        RobotController as RobotController,
    )
    from gelenk.robots.armbot.interface.kinematics import (
        DirectKinematics as DirectKinematics,
    )
    from gelenk.robots.armbot.interface.kinematics import (
        InverseKinematics as InverseKinematics,
    )
    from gelenk.robots.armbot.interface.kinematics import InverseResult as InverseResult
    from gelenk.robots.armbot.options import parse_options as parse_options
    from gelenk.robots.armbot.session import run_headless as run_headless
    from gelenk.runtime.controller import TriggerProcessor as TriggerProcessor

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
