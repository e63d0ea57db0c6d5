"""Arms that come with ArmBot; use them, or read them to write an own one."""

from gelenk.robots.armbot.manipulators.delta import DeltaArm as DeltaArm
from gelenk.robots.armbot.manipulators.five_axis import FiveAxisArm as FiveAxisArm
from gelenk.robots.armbot.manipulators.gantry import GantryArm as GantryArm
from gelenk.robots.armbot.manipulators.scara import ScaraArm as ScaraArm
from gelenk.robots.armbot.manipulators.simple import SimpleArm as SimpleArm
from gelenk.robots.armbot.manipulators.six_axis import SixAxisArm as SixAxisArm
from gelenk.robots.armbot.manipulators.tight_len import TightLenArm as TightLenArm
from gelenk.robots.armbot.manipulators.tight_pseudo import (
    TightPseudoArm as TightPseudoArm,
)
from gelenk.robots.armbot.manipulators.tight_rot import TightRotArm as TightRotArm
from gelenk.robots.armbot.manipulators.tripod import TripodArm as TripodArm
