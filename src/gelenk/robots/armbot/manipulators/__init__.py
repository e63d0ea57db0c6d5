"""Arms that come with ArmBot; use them, or read them to write an own one."""

from gelenk.robots.armbot.manipulators.simple import SimpleArm as SimpleArm
