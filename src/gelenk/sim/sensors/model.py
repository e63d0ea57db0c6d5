"""What all sensors have in common: timing and errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gelenk.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorModel:
    """What stands between a quantity and its reading.

    reading = quantised(saturated(scale * value + bias + walk + noise)).

    Attributes:
        rate: Samples per second [Hz]; None: one per tick.
        latency: From the sample to the moment it can be read [s].
        noise: Standard deviation of each sample, white [unit of the sensor].
        bias: Constant error [unit].
        quantisation: Step of the reading [unit]; 0: continuous.
        drop_out: Probability that a sample is lost.
        saturation: Lowest and highest reading [unit].
        bias_spread: Standard deviation of a further bias, drawn once per channel.
        scale_spread: Standard deviation of the scale error, drawn once per channel.
        random_walk: Growth of a wandering bias [unit / sqrt(s)].
    """

    rate: float | None = None
    latency: float = 0.0
    noise: float = 0.0
    bias: float = 0.0
    quantisation: float = 0.0
    drop_out: float = 0.0
    saturation: tuple[float, float] = (-math.inf, math.inf)
    bias_spread: float = 0.0
    scale_spread: float = 0.0
    random_walk: float = 0.0

    def __post_init__(self) -> None:
        if self.rate is not None and not (math.isfinite(self.rate) and self.rate > 0):
            raise ConfigError(
                f"`rate` must be positive [Hz], or None for one sample per tick, "
                f"got {self.rate}"
            )
        names = ("latency", "noise", "quantisation", "bias_spread", "scale_spread")
        for name in (*names, "random_walk"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0.0):
                raise ConfigError(f"`{name}` must be at least 0, got {value}")
        if not math.isfinite(self.bias):
            raise ConfigError(f"`bias` must be finite, got {self.bias}")
        if not 0.0 <= self.drop_out <= 1.0:
            raise ConfigError(f"`drop_out` must lie in [0, 1], got {self.drop_out}")
        low, high = self.saturation
        if not low < high:
            raise ConfigError(f"`saturation` must rise, got {self.saturation}")


def check_same_timing(owner: object, one: SensorModel, other: SensorModel) -> None:
    """Refuse two halves of one sensor that are not read together."""
    for name in ("rate", "latency", "drop_out"):
        pair = getattr(one, name), getattr(other, name)
        if pair[0] != pair[1]:
            raise ConfigError(
                f"`{name}` of both halves of an {type(owner).__name__} must be the "
                f"same, for they share one reading; got {pair[0]} and {pair[1]}"
            )
