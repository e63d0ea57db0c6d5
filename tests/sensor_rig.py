"""A bank of sensors fed by signals that a test chooses."""

from collections.abc import Callable, Sequence

import numpy as np

from gelenk.sim.sensors import Sensor, SensorReading
from gelenk.sim.sensors.bank import pack_sensors, read_sensor
from gelenk.sim.sensors.channels import Wiring
from gelenk.sim.sensors.sample import Blows, no_blows, sample_sensors

Signals = dict[str, np.ndarray]


class SensorRig:
    """Sensors of which the first is read; signals are functions of the tick."""

    def __init__(
        self,
        sensors: Sensor | Sequence[Sensor],
        wirings: Wiring | Sequence[Wiring],
        signals: Callable[[int], Signals],
        *,
        h: float = 1e-3,
        seed: int = 1,
        blows: Callable[[int], Blows] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        sensors = [sensors] if not isinstance(sensors, Sequence) else sensors
        wirings = [wirings] if isinstance(wirings, Wiring) else wirings
        names = names or [f"sensor_{i}" for i in range(len(sensors))]
        self.bank = pack_sensors(sensors, wirings, names, step=h, seed=seed)
        self.h, self.tick = h, 0
        self._signals, self._quiet = signals, no_blows()
        self._blows = blows
        self._sample()

    def _sample(self) -> None:
        given = self._signals(self.tick)
        sample_sensors(
            self.bank,
            given.get("qpos", np.zeros(8)),
            given.get("qvel", np.zeros(8)),
            given.get("sensordata", np.zeros(12)),
            given.get("motor_state", np.zeros((2, 17))),
            given.get("body_touch", np.zeros(4)),
            self._blows(self.tick) if self._blows else self._quiet,
            self.h,
            self.tick,
        )

    def step(self, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.tick += 1
            self._sample()

    def read(self, index: int = 0) -> SensorReading:
        return read_sensor(self.bank, index, self.tick, step=self.h)

    def readings(self, ticks: int, index: int = 0) -> list[SensorReading]:
        """Return the reading now and after each of `ticks` steps."""
        out = [self.read(index)]
        for _ in range(ticks):
            self.step()
            out.append(self.read(index))
        return out
