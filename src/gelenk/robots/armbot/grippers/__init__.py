"""Grippers that come with ArmBot."""

from gelenk.robots.armbot.grippers.finger import FingerGripper as FingerGripper
from gelenk.robots.armbot.grippers.suction import SuctionGripper as SuctionGripper
from gelenk.robots.armbot.grippers.three_finger import (
    ThreeFingerGripper as ThreeFingerGripper,
)
from gelenk.robots.armbot.grippers.two_finger import (
    TwoFingerGripper as TwoFingerGripper,
)
