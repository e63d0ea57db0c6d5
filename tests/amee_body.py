"""A pose holder for AMEE's pins, and worlds whose drives have no spread.

The holder is as simple as can be: a joint that reads too low turns left, one that reads
too high turns right, the others are shorted. It stands in for the leg computers where
a test is about the body.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gelenk.robots.amee import config
from gelenk.robots.amee.battery import BatteryCfg
from gelenk.robots.amee.drives import DriveCfg
from gelenk.robots.amee.leg.hardware import Bridge, LegHardware
from gelenk.robots.amee.sensors import SensorCfg
from gelenk.robots.amee.world import AmeeWorld, WorldCfg, make_world
from gelenk.sim.appearance import compiled_world_of
from gelenk.typing import ArrayLike, IntArray

STIFF_BATTERY = BatteryCfg(full=12.0, empty=12.0, resistance=0.0)


def exact_world(profile: str = "thesis", **changes: Any) -> AmeeWorld:
    """Return a world of equal drives at 12 V without noise; watchdogs sleep."""
    drive = changes.pop("drive", DriveCfg(profile=profile, spread=0.0))
    sensors = changes.pop("sensors", SensorCfg(noise=0.0))
    world = make_world(
        WorldCfg(drive=drive, battery=STIFF_BATTERY, sensors=sensors, **changes)
    )
    for leg in world.legs:
        leg.watchdog.limit = 1e9
    return world


def set_all(world: AmeeWorld, code: Bridge, speed: int = 255) -> None:
    """Give all sixteen bridges one code and one pulse width."""
    for leg in world.legs:
        leg.set_motors(np.full(4, code), np.full(4, speed))


def set_one(world: AmeeWorld, leg: int, actor: int, code: Bridge, speed: int) -> None:
    """Drive one joint, hold all others."""
    set_all(world, Bridge.HOLD)
    codes, speeds = np.full(4, Bridge.HOLD), np.full(4, 255)
    codes[actor], speeds[actor] = code, speed
    world.legs[leg].set_motors(codes, speeds)


def counts_of(angles: ArrayLike) -> IntArray:
    """Return what the potentiometers of a leg read at its four angles."""
    lines = config.LegCfg().sensors
    pairs = zip(lines, np.asarray(angles).tolist(), strict=True)
    return np.array([line.counts_from_angle(angle) for line, angle in pairs])


def hold_pose(port: LegHardware, target: IntArray) -> None:
    """Run the drives of a leg towards counts for the coming tick."""
    error = target - port.read_adc()[:, :4].mean(axis=0)
    is_off = np.abs(error) > 2.0
    way = np.where(error > 0.0, Bridge.LEFT, Bridge.RIGHT)
    speed = np.where(is_off, np.clip(60 + 12 * np.abs(error), 0, 255), 255)
    port.set_motors(np.where(is_off, way, Bridge.HOLD), speed.astype(np.int64))
    port.kick_watchdog()


def stand(world: AmeeWorld, angles: ArrayLike, until: float) -> None:
    """Hold all legs in one pose until a time [s]."""
    target = counts_of(angles)
    while world.time < until - 1e-9:
        for leg in world.legs:
            hold_pose(leg, target)
        world.step_to(world.time + world.cfg.step)


def speed_of(world: AmeeWorld, joint: int) -> float:
    """Return the true speed of joint 0..15 [rad/s]."""
    return float(world.world.joint_velocities("amee")[joint])


def motor_state(world: AmeeWorld, column: int) -> np.ndarray:
    """Return a column of the drives' state, (16,)."""
    return compiled_world_of(world.world).banks.motors.state[:16, column]
