"""Sensors of AMEE's leg computers, and their converters wired to a compiled world.

The world samples what is really there once a tick: wiper positions before noise,
winding currents, closed contacts. `convert` makes of it what the converters of the
legs deliver: ten-bit numbers, one per channel every 55.2 us, with the noise of a count
and, while a drive runs slowly, the peaks that its pulses couple in. Converters are
ratiometric: the battery has no part in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.robots.amee import config
from gelenk.robots.amee import robot as amee
from gelenk.robots.amee.drives import joint_name
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.noise import random_bits, stream_id, uniform
from gelenk.sim.sensors.channels import FIRST
from gelenk.sim.sensors.descriptions import (
    Imu,
    MotorCurrent,
    Potentiometer,
    Sensor,
    SensorModel,
    TouchSwitch,
)
from gelenk.typing import FloatArray, IntArray

NUM_CHANNELS = 8
OPEN_WIPER = 1.0  # share of the range that a lost magnet reads; T: the upper end
NOISE = 1.0  # [counts], half width, A
PEAK_SHARE = 0.10  # T: every 15th to 20th sample is 10 % too high ...
PEAK_PERIODS = (15, 20)  # ... T
PEAK_DUTY = 0.30  # ... T: below this share of the voltage
TOE_RELEASE = 8.0  # [N], A: what the rubber needs to open the button again
TOE_CHATTER = 0.003  # [s], A
COUNTS_PER_AMPERE = config.ADC_MAX / (config.ADC_REFERENCE * config.CURRENT_PER_VOLT)
CURRENT_TOP = config.CURRENT_SENSE_MAX / config.ADC_REFERENCE * config.ADC_MAX

_HALF_WORD = float(1 << 15)


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorCfg:
    """How badly the legs are told where they are.

    Attributes:
        lines: True line of each angle sensor, by leg and actor; None: what the legs'
            own settings say.
        noise: Half width of the converters' noise [counts].
        has_peaks: Whether slow drives disturb the angles.
        conversions: Newest conversions that a leg is given per tick; its average is
            over ten.
        has_centre_contact: Whether a fifth button sits amid each foot.
    """

    lines: tuple[tuple[config.SensorLine, ...], ...] | None = None
    noise: float = NOISE
    has_peaks: bool = True
    conversions: int = 10
    has_centre_contact: bool = False

    def __post_init__(self) -> None:
        if self.conversions < 1:
            raise ConfigError(
                f"`conversions` must be at least 1, got {self.conversions}"
            )
        if not 0.0 <= self.noise < 100.0:
            raise ConfigError(f"`noise` must lie in [0, 100) counts, got {self.noise}")

    def line(self, leg: int, actor: int) -> config.SensorLine:
        """Return the true line of a sensor."""
        if self.lines is not None:
            return self.lines[leg][actor]
        return config.LegCfg().sensors[actor]


def angle_sensor(leg: int, actor: int) -> str:
    """Return the name of the potentiometer of an actor 0..3 of a leg 0..3."""
    return f"{joint_name(leg, actor)}_angle"


def current_sensor(leg: int, actor: int) -> str:
    """Return the name of the current sensor of an actor 0..3 of a leg 0..3."""
    return f"{joint_name(leg, actor)}_current"


def toe_sensor(leg: int, toe: int) -> str:
    """Return the name of toe 0..3 of a leg 0..3, or of its centre contact, 4."""
    return f"toe_{leg + 1}_{amee.TOES[toe] if toe < len(amee.TOES) else 'centre'}"


def leg_sensors(cfg: SensorCfg) -> dict[str, Sensor]:
    """Return the sensors of all legs and of the torso by name."""
    found: dict[str, Sensor] = {}
    for leg in range(config.NUM_LEGS):
        for actor in range(config.NUM_ACTORS):
            line = cfg.line(leg, actor)
            joint = joint_name(leg, actor)
            found[angle_sensor(leg, actor)] = Potentiometer(
                joint=joint,
                low=line.angle_from_counts(0.0),
                high=line.angle_from_counts(config.ADC_MAX),
                open_share=OPEN_WIPER,
            )
            found[current_sensor(leg, actor)] = MotorCurrent(joints=(joint,))
        links = [f"toe_{leg + 1}_{toe}" for toe in amee.TOES]
        for toe, link in enumerate([*links, f"foot_{leg + 1}"]):
            found[toe_sensor(leg, toe)] = TouchSwitch(
                links=(link,),
                threshold=config.TOE_TRIGGER_FORCE,
                release=TOE_RELEASE,
                chatter=TOE_CHATTER,
            )
    # The legs have none; whoever coordinates them must feel how the torso lies.
    found["imu"] = Imu(
        link="torso",
        accelerometer=SensorModel(rate=100.0, noise=0.03, bias_spread=0.05),
        gyroscope=SensorModel(rate=100.0, noise=0.003, bias_spread=0.005),
    )
    return found


def peak_periods(seed: int) -> FloatArray:
    """Return after how many samples each angle channel peaks, (16,)."""
    low, high = PEAK_PERIODS
    draws = [uniform(seed, stream_id("amee", "peaks", i), 0) for i in range(16)]
    return low + np.floor(np.array(draws) * (high - low + 1))


@kernel
def convert(
    ring: FloatArray,
    faults: IntArray,
    rows: IntArray,
    owners: IntArray,
    command: FloatArray,
    periods: FloatArray,
    settings: FloatArray,
    seed: int,
    tick: int,
    h: float,
    adc: IntArray,
    toes: IntArray,
) -> None:
    """Write the newest conversions and contacts of all legs.

    Args:
        ring: Samples of the sensors' channels, (m, depth); angles in counts.
        faults: Bits of the sensors' faults, (n,); odd: frozen.
        rows: Channels of angles, currents and toes by leg, (4, 13).
        owners: Sensors that they belong to, (4, 13).
        command: Pulse widths of the drives, (16, 2).
        periods: Of the peaks [samples], (16,).
        settings: Sample period [s], half width of noise [counts], share of the peaks
            [1], pulse width below which there are peaks, counts per ampere, highest
            count of a current, (6,).
        seed: Of the world.
        tick: Number of ticks done.
        h: Length of a tick [s].
        adc: Conversions, oldest first, (4, k, 8), written.
        toes: Bits of the closed contacts, (4,), written.
    """
    period, noise, peak, slow, per_ampere, top = settings
    slot = tick % ring.shape[1]
    old = (tick - 1) % ring.shape[1] if tick > 0 else slot
    count = adc.shape[1]
    newest = int(tick * h / period)
    for leg in range(adc.shape[0]):
        for j in range(count):
            age = count - 1 - j
            index = newest - age
            share = max(1.0 - age * period / h, 0.0)
            words = random_bits(seed, leg, max(index, 0))
            for channel in range(8):
                value = ring[rows[leg, channel], slot]
                is_frozen = faults[owners[leg, channel]] & 1 != 0
                if not is_frozen:
                    before = ring[rows[leg, channel], old]
                    value = before + share * (value - before)
                high = 1023.0
                if channel < 4:
                    motor = 4 * leg + channel
                    pulse = abs(command[motor, 0])
                    if (
                        0.0 < pulse < slow
                        and index % int(periods[motor]) == 0
                        and not is_frozen
                    ):
                        value *= 1.0 + peak
                else:
                    value, high = value * per_ampere, top
                if not is_frozen:
                    word = words[channel // 4] >> np.uint64(16 * (channel % 4))
                    value += noise * (
                        float(word & np.uint64(0xFFFF)) / _HALF_WORD - 1.0
                    )
                value = min(max(value, 0.0), high)
                adc[leg, j, channel] = int(np.floor(value + 0.5))
        bits = 0
        for toe in range(5):
            if ring[rows[leg, 8 + toe], slot] > 0.5:
                bits |= 1 << toe
        toes[leg] = bits


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

    def __init__(
        self, plant: CompiledWorld, robot: str, cfg: SensorCfg, seed: int
    ) -> None:
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
