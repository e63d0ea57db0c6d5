"""One leg on a stand with full physics: the torso is held, other legs hang.

Only the judge of an experiment asks for true places; the leg gets its pins.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gelenk.closing import Closing
from gelenk.robots.amee.config import HIPS, LegCfg
from gelenk.robots.amee.coordinator.link import LocalLeg
from gelenk.robots.amee.drives import DriveCfg
from gelenk.robots.amee.leg import LegComputer
from gelenk.robots.amee.sensors import SensorCfg
from gelenk.robots.amee.wire import Command, Message, Report, Request
from gelenk.robots.amee.world import HUNG_HEIGHT, ROBOT, WorldCfg, make_world
from gelenk.sim.world import Addable
from gelenk.typing import FloatArray

# Of leg 1, world axes [m].
HIP = np.array((HIPS[0][0], HIPS[0][1], HUNG_HEIGHT))
ENDS = (
    Report.READY,
    Report.ERROR,
    Report.OUT_OF_RANGE,
    Report.COLLISION,
    Report.SENSOR_FAULT,
)
Point = tuple[float, float, float]


def world_point(point: Point) -> Point:
    """Return a point of leg 1's frame in world axes [m]."""
    x, y, z = HIP + np.array((point[0], point[2], point[1]))
    return float(x), float(y), float(z)


class LegStand(Closing):
    """Leg 1 of AMEE with its computers; the torso is held high over the ground.

    Args:
        cfg: Settings of the leg.
        drive: Its drives.
        extras: What else is there.
        sensors: How badly the leg is told where it is.
        seed: Of spread and noise.
    """

    def __init__(
        self,
        cfg: LegCfg | None = None,
        *,
        drive: DriveCfg | None = None,
        extras: tuple[Addable, ...] = (),
        sensors: SensorCfg | None = None,
        seed: int = 0,
    ) -> None:
        self.cfg = cfg or LegCfg()
        self.world = make_world(
            WorldCfg(
                start="hung",
                drive=drive or DriveCfg(),
                extras=extras,
                sensors=sensors or SensorCfg(),
                seed=seed,
            )
        )
        self.leg = LocalLeg(self.cfg, self.world.legs[0])
        self.run(0.1)

    @property
    def computer(self) -> LegComputer:
        """What runs on the leg's chip now."""
        return self.leg.mcu.computer

    @property
    def now(self) -> float:
        """Time [s]."""
        return self.world.time

    def foot(self) -> FloatArray:
        """Return the true place of the sole's centre in the leg's frame [m], (3,)."""
        x, y, z = self.world.world.pose(f"{ROBOT}/sole_1")[:3, 3] - HIP
        return np.array([x, z, y])

    def step(self) -> list[Message]:
        """Let the leg pass once and the world move on."""
        said = list(self.leg.pass_once(self.now))
        self.world.step_to(self.now + self.cfg.pass_period)
        return said

    def run(
        self, seconds: float, until: Callable[[], bool] | None = None
    ) -> list[Message]:
        """Let time pass; return reports, early when `until` holds."""
        said: list[Message] = []
        for _ in range(round(seconds / self.cfg.pass_period)):
            said += self.step()
            if until is not None and until():
                break
        return said

    def drive(
        self,
        command: Command,
        *values: float,
        seconds: float = 30.0,
        watch: Callable[[], None] | None = None,
    ) -> list[Message]:
        """Give a command, release every sync; return reports up to the last."""
        self.leg.send(Request(command, values))
        said: list[Message] = []
        for _ in range(round(seconds / self.cfg.pass_period)):
            new = self.step()
            said += new
            if watch is not None:
                watch()
            for message in new:
                if message.report == Report.SYNC:
                    self.leg.send(Request(Command.NEXT))
            if any(message.report in ENDS for message in new):
                break
        return said

    def close(self) -> None:
        """Free what the world holds."""
        self.world.close()
