"""Grippers that come with ArmBot."""

from gelenk.robots.armbot.grippers.two_finger import (
    TwoFingerGripper as TwoFingerGripper,
)
