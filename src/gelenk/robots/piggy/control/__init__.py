"""Motion control: the only access point to the bat."""

from __future__ import annotations

from gelenk.robots.piggy.control.flank import BatEstimator as BatEstimator
from gelenk.robots.piggy.control.flank import BatModel as BatModel
from gelenk.robots.piggy.control.gains import GAINS as GAINS
from gelenk.robots.piggy.control.gains import motion_cfg as motion_cfg
from gelenk.robots.piggy.control.motion import MotionControl as MotionControl
from gelenk.robots.piggy.control.pd import PdGains as PdGains
from gelenk.robots.piggy.control.state import MotionCfg as MotionCfg
from gelenk.robots.piggy.control.state import MotionMode as MotionMode
from gelenk.robots.piggy.control.state import MotionState as MotionState
