"""A servo of the simulated world, with all its peculiarities.

It counts in steps, answers late, refreshes its slow values ten times a second, begins
in position mode, and in torque mode goes on turning when nobody commands any more.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.errors import NameNotFoundError
from gelenk.robots.piggy.drives import JOINTS, DriveProfile, get_profile
from gelenk.robots.piggy.hardware.servo import (
    HIGHEST_COUNT,
    Bus,
    ServoError,
    ServoMode,
    ServoSettings,
    ServoStatus,
    differing,
)
from gelenk.sim.world import World

ABSOLUTE_RANGE = math.radians(251.0)  # [rad], of 0 to 4095
MIDDLE = 2047.5  # [count] of a joint at 0, if it was mounted exactly
LINE_RESISTANCE = 0.15  # [Ohm], of supply and cables; chosen


class WorldServo:
    """Driver of one servo of the robot "piggy" in a world.

    Args:
        world: With `drives.piggy_robot` in it.
        joint: "roll" or "tilt".
        profile: Of the drive that the robot was made with.
        bus: Shared by both servos.
        middle: True absolute position of the joint at 0 [count]: how it was mounted.
        stretch: True counts per nominal count of the encoder.
        stored: What its memory holds; None: the factory's settings, right for us.
        robot: Name in the world.
    """

    def __init__(
        self,
        world: World,
        joint: str,
        *,
        profile: str | DriveProfile = "thesis",
        bus: Bus | None = None,
        middle: float = MIDDLE,
        stretch: float = 1.0,
        stored: ServoSettings | None = None,
        robot: str = "piggy",
    ) -> None:
        if joint not in JOINTS:
            raise NameNotFoundError("joint", joint, JOINTS)
        self._world, self._robot = world, robot
        self._drive = get_profile(profile)
        self._row = JOINTS.index(joint)
        self._encoder, self._angle = (
            f"{robot}/{joint}_encoder",
            f"{robot}/{joint}_angle",
        )
        self.bus = bus or Bus()
        self._middle, self._stretch = middle, stretch
        self.stored = stored or ServoSettings()
        self._mode = ServoMode.POSITION
        self._is_open = False
        self._counted = 0
        self._hold()  # power-on

    @property
    def mode(self) -> ServoMode:
        """How it takes commands now."""
        return self._mode

    def open(self) -> None:
        """Connect."""
        self.bus.transact(self._world.time)
        self._is_open = True

    def close(self) -> None:
        """Disconnect; the servo goes on as it is."""
        self._is_open = False

    def initialise(self, settings: ServoSettings) -> tuple[str, ...]:
        """Compare stored settings, write those that differ, return their names."""
        self._ask()
        names = differing(settings, self.stored)
        self.stored = settings
        return names

    def set_mode(self, mode: ServoMode) -> None:
        """Switch; to POSITION holds where it is, to TORQUE begins without torque."""
        self._ask()
        self._mode = mode
        if mode is ServoMode.POSITION:
            self._hold()
        else:
            self._counted = self._count()
            self._command(0.0, 0.0)

    def read_absolute(self) -> int:
        """Return the position [count]; in position mode only."""
        self._ask(ServoMode.POSITION)
        count = self._middle + self._stretch * self._measured() / self._step
        return int(np.clip(math.floor(count + 0.5), 0, HIGHEST_COUNT))

    def read_relative(self) -> int:
        """Return the counts since the last read; in torque mode only."""
        self._ask(ServoMode.TORQUE)
        before, self._counted = self._counted, self._count()
        return self._counted - before

    def write_torque(self, share: float) -> None:
        """Set a share of the full torque, -1 to 1; it stays until the next write."""
        self._ask(ServoMode.TORQUE)
        most = self.stored.max_torque
        self._command(min(max(share, -most), most), 0.0)

    def write_position(self, position: int, max_speed: float) -> None:
        """Run to a position [count] at up to `max_speed` [rad/s]; position mode."""
        self._ask(ServoMode.POSITION)
        if not self.stored.lowest <= position <= self.stored.highest:
            raise ServoError(
                f"position must lie between {self.stored.lowest} and "
                f"{self.stored.highest} counts, 0 to 251 degrees, got {position}"
            )
        angle = (position - self._middle) * self._step / self._stretch
        share = max_speed / self._drive.no_load_speed
        self._command(angle, min(max(share, 1e-6), 1.0))

    def read_status(self) -> ServoStatus:
        """Return the slow values, up to 100 ms old."""
        self._ask()
        slow = {
            name: self._world.read(f"{self._robot}/{name}")
            for name in ("speeds", "currents", "temperatures")
        }
        currents = slow["currents"].value
        return ServoStatus(
            time=slow["currents"].time,
            voltage=self._drive.supply_voltage
            - LINE_RESISTANCE * float(np.abs(currents).sum()),
            temperature=float(slow["temperatures"].value[self._row]),
            speed=float(slow["speeds"].value[self._row]),
            current=float(currents[self._row]),
        )

    # -- inside --------------------------------------------------------------------

    @property
    def _step(self) -> float:
        return ABSOLUTE_RANGE / HIGHEST_COUNT

    def _ask(self, mode: ServoMode | None = None) -> None:
        """Take part in the bus; refuse what the mode does not offer."""
        if not self._is_open:
            raise ServoError("the servo is not connected; call `open` first")
        self.bus.transact(self._world.time)
        if mode is not None and self._mode is not mode:
            raise ServoError(
                f"this needs {mode.value} mode, the servo is in {self._mode.value} mode"
            )

    def _measured(self) -> float:
        """Return the motor's angle [rad], the oldest one before anything arrived."""
        reading = self._world.read(self._encoder)
        if not reading.is_valid:
            if self._world.time > 0.0:
                raise ServoError("the servo's encoder gives no value")
            return float(self._world.joint_positions(self._robot)[self._row])
        return float(reading.value[0])

    def _count(self) -> int:
        counts = self._stretch * self._measured() / self._drive.encoder_step
        return math.floor(counts + 0.5)

    def _hold(self) -> None:
        self._command(self._measured(), 1.0)

    def _command(self, value: float, second: float) -> None:
        values, seconds = np.full(2, np.nan), np.full(2, np.nan)
        values[self._row], seconds[self._row] = value, second
        self._world.command(self._robot, values, seconds)
