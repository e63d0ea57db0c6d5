"""The converters of all legs, wired to the sensors of a compiled world."""

from __future__ import annotations

import numpy as np

from gelenk.robots.amee import config
from gelenk.robots.amee.sensors import (
    COUNTS_PER_AMPERE,
    CURRENT_TOP,
    NUM_CHANNELS,
    PEAK_DUTY,
    PEAK_SHARE,
    SensorCfg,
    angle_sensor,
    convert,
    current_sensor,
    peak_periods,
    toe_sensor,
)
from gelenk.sim.compiled_world import Plant
from gelenk.sim.sensors.channels import FIRST
from gelenk.typing import IntArray

_TOES = 5  # with the centre
_FULL = 255.0  # pulse width of the whole voltage


class Converters:
    """What the legs read, renewed after each tick.

    Attributes:
        adc: Conversions of each leg, oldest first, (4, k, 8).
        toes: Bits of the closed contacts of each leg, (4,).

    Args:
        plant: The compiled world.
        robot: Name of the robot in it.
        cfg: How bad they are.
        seed: Of their noise.
    """

    def __init__(self, plant: Plant, robot: str, cfg: SensorCfg, seed: int) -> None:
        bank = plant.banks.senses.sensors
        names = [_names(leg) for leg in range(config.NUM_LEGS)]
        self._owners = np.array(
            [[plant.sensors[f"{robot}/{name}"] for name in row] for row in names],
            dtype=np.int64,
        )
        self._rows = np.ascontiguousarray(bank.ints[self._owners, FIRST])
        self._ring, self._faults = bank.ring, bank.fault
        self._command = plant.banks.motors.command
        self._periods, self._seed = peak_periods(seed), seed
        self._settings = np.array(
            [
                config.ADC_SAMPLE_PERIOD,
                cfg.noise,
                PEAK_SHARE if cfg.has_peaks else 0.0,
                PEAK_DUTY * _FULL,
                COUNTS_PER_AMPERE,
                CURRENT_TOP,
            ]
        )
        shape = (config.NUM_LEGS, cfg.conversions, NUM_CHANNELS)
        self.adc: IntArray = np.zeros(shape, dtype=np.int64)
        self.toes: IntArray = np.zeros(config.NUM_LEGS, dtype=np.int64)

    def convert(self, tick: int, step: float) -> None:
        """Convert what the sensors saw until a tick.

        Args:
            tick: Number of ticks done.
            step: Length of a tick [s].
        """
        convert(
            self._ring,
            self._faults,
            self._rows,
            self._owners,
            self._command,
            self._periods,
            self._settings,
            self._seed,
            tick,
            step,
            self.adc,
            self.toes,
        )


def _names(leg: int) -> list[str]:
    """Return the sensors of a leg: four angles, four currents, five contacts."""
    actors = range(config.NUM_ACTORS)
    return [
        *(angle_sensor(leg, actor) for actor in actors),
        *(current_sensor(leg, actor) for actor in actors),
        *(toe_sensor(leg, toe) for toe in range(_TOES)),
    ]
