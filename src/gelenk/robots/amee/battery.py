"""The lead battery: what the drives draw, how its voltage gives way, what is left.

Bridges switch: a drive with pulse width u and winding current i draws u * i. What
braking drives give back is lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.sim.motors.bank import CURRENT, SUPPLY
from gelenk.typing import FloatArray

COMPUTING_POWER = 80.0  # [W], T 2.4.2: three boards and what their converters lose

# Places in the account of a battery.
CHARGE, ENERGY, CURRENT_NOW, VOLTAGE = range(4)  # [C], [J], [A], [V]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatteryCfg:
    """A Panasonic LC1224P and its cables.

    Attributes:
        capacity: [C], T: 24 Ah.
        full, empty: Voltage without load at the ends of its charge [V], A.
        resistance: Of battery and cables [Ohm], A.
    """

    capacity: float = 24.0 * 3600.0
    full: float = 12.7
    empty: float = 11.6
    resistance: float = 0.015

    def __post_init__(self) -> None:
        if not (self.capacity > 0.0 and self.full >= self.empty > 0.0):
            raise ConfigError(
                "a battery needs a capacity above 0 C and full >= empty > 0 V, got "
                f"{self.capacity} C, {self.full} V and {self.empty} V"
            )
        if self.resistance < 0.0:
            raise ConfigError(f"`resistance` must be >= 0, got {self.resistance} Ohm")

    def constants(self) -> FloatArray:
        """Return what `drain` takes, (4,)."""
        return np.array([self.capacity, self.full, self.empty, self.resistance])

    def account(self) -> FloatArray:
        """Return the account of a full battery, (4,)."""
        return np.array([0.0, 0.0, 0.0, self.full])


def run_time(power: float, cfg: BatteryCfg | None = None) -> float:
    """Return how long a battery lasts [s].

    Args:
        power: Mean of all that it feeds [W], computing included.
        cfg: The battery.
    """
    cfg = cfg or BatteryCfg()
    return cfg.capacity * 0.5 * (cfg.full + cfg.empty) / power


@kernel
def drain(
    command: FloatArray,
    state: FloatArray,
    constants: FloatArray,
    account: FloatArray,
    sag: float,
    h: float,
) -> None:
    """Take what the drives drew in a tick; set their voltage for the next one.

    Args:
        command: Pulse widths -255..255 in the first column, (n, 2).
        state: Of the motors, (n, columns); their supply is written.
        constants: See `BatteryCfg.constants`.
        account: Of the battery, (4,), written.
        sag: What a fault takes from the voltage [V].
        h: Length of the tick [s].
    """
    drawn = 0.0
    for i in range(command.shape[0]):
        drawn += max(command[i, 0] / 255.0 * state[i, CURRENT], 0.0)
    capacity, full, empty, resistance = constants
    account[0] += h * drawn
    account[1] += h * drawn * account[3]
    share = min(account[0] / capacity, 1.0)
    voltage = max(full - share * (full - empty) - resistance * drawn - sag, 0.0)
    account[2], account[3] = drawn, voltage
    for i in range(command.shape[0]):
        state[i, SUPPLY] = voltage
