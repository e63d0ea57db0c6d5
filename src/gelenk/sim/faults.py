"""Faults: what breaks, where, when, for how long and how badly.

A fault is plain data. Motor and sensor faults act inside the simulated world
(`gelenk.sim.fault_bank`); message and process faults act in the runtime.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError

FaultKind: TypeAlias = Literal[
    "motor_dead",
    "joint_locked",
    "joint_limp",
    "sensor_frozen",
    "sensor_biased",
    "sensor_noisy",
    "message_lost",
    "message_delayed",
    "message_doubled",
    "process_killed",
    "power_gone",
]
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)

_PROBABILITIES = ("message_lost", "message_doubled")
_NEED_AMOUNT = ("sensor_biased", "sensor_noisy", "message_delayed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault on the schedule of a run.

    Attributes:
        kind: Kind of the fault.
        target: Name of a joint "arm/joint_1", a sensor "arm/encoders", a topic, a
            controller, or a robot (`power_gone`).
        start: Simulated time at which it begins [s].
        duration: Duration [s]; infinite if nobody repairs it.
        amount: Bias or noise standard deviation [unit of the sensor], delay [s], or
            probability per message; 0 means "always" for a probability.

    Example:
        >>> from gelenk.sim import Fault
        >>> fault = Fault(kind="power_gone", target="arm", start=2.0, duration=1.0)
        >>> fault.is_active(2.5), fault.end
        (True, 3.0)
    """

    kind: FaultKind
    target: str
    start: float
    duration: float = math.inf
    amount: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in FAULT_KINDS:
            raise NameNotFoundError("fault kind", self.kind, FAULT_KINDS)
        if not self.target:
            raise ConfigError(f"`target` of a {self.kind} fault must name something")
        if not (math.isfinite(self.start) and self.start >= 0.0):
            raise self._error("start", "a time of at least 0 s", self.start)
        if not self.duration > 0.0:
            raise self._error("duration", "more than 0 s", self.duration)
        if not math.isfinite(self.amount):
            raise self._error("amount", "a finite number", self.amount)
        if self.amount < 0.0 and self.kind != "sensor_biased":
            raise self._error("amount", "at least 0", self.amount)
        if self.amount > 1.0 and self.kind in _PROBABILITIES:
            raise self._error("amount", "a probability, 0 to 1", self.amount)
        if self.amount == 0.0 and self.kind in _NEED_AMOUNT:
            raise self._error("amount", "something other than 0", self.amount)

    def _error(self, name: str, expected: str, value: float) -> ConfigError:
        return ConfigError(
            f"`{name}` of the {self.kind} fault on {self.target!r} must be {expected}, "
            f"got {value}"
        )

    @property
    def end(self) -> float:
        """First moment at which the fault no longer acts [s]."""
        return self.start + self.duration

    def is_active(self, time: float) -> bool:
        """Whether the fault acts at a simulated time [s]."""
        return self.start <= time < self.end


def random_faults(
    rng: np.random.Generator,
    targets_by_kind: Mapping[FaultKind, Sequence[str]],
    rate: float,
    until: float,
    *,
    mean_duration: float = math.inf,
    amounts: Mapping[FaultKind, float] | None = None,
) -> tuple[Fault, ...]:
    """Return faults that strike independently of each other, in order of time.

    Starts are a Poisson process; every (kind, target) pair is equally likely;
    durations are exponential.

    Args:
        rng: Source of randomness.
        targets_by_kind: Names of possible targets by kind of fault.
        rate: Mean number of faults per second, all pairs together [1/s].
        until: No fault starts at or after this time [s].
        mean_duration: Mean duration [s]; infinite: nothing recovers.
        amounts: `Fault.amount` by kind; kinds left out get 0.

    Raises:
        ConfigError: If the rate or the time is negative or not finite, or a kind
            needs an amount and has none.
        NameNotFoundError: If a kind does not exist.

    Example:
        >>> import numpy as np
        >>> from gelenk.sim import random_faults
        >>> kinds = {"motor_dead": ["arm/joint_1"]}
        >>> faults = random_faults(np.random.default_rng(0), kinds, 0.5, 60.0)
        >>> all(fault.start < 60.0 for fault in faults)
        True
    """
    for name, value in (("rate", rate), ("until", until)):
        if not (math.isfinite(value) and value >= 0.0):
            raise ConfigError(f"`{name}` must be finite and at least 0, got {value}")
    if not mean_duration > 0.0:
        raise ConfigError(f"`mean_duration` must exceed 0 s, got {mean_duration}")
    strengths = dict(amounts or {})
    pairs = [
        # Built here once, so that a mistake shows even if no fault is drawn.
        Fault(kind=kind, target=target, start=0.0, amount=strengths.get(kind, 0.0))
        for kind, targets in targets_by_kind.items()
        for target in targets
    ]
    if not pairs:
        return ()
    starts = np.sort(rng.uniform(0.0, until, size=rng.poisson(rate * until)))
    faults: list[Fault] = []
    for start in starts:
        pair = pairs[rng.integers(len(pairs))]
        duration = math.inf
        if math.isfinite(mean_duration):
            # One draw in 2^53 is exactly 0, and a fault must last.
            duration = float(rng.exponential(mean_duration)) or mean_duration
        faults.append(
            Fault(
                kind=pair.kind,
                target=pair.target,
                start=float(start),
                duration=duration,
                amount=pair.amount,
            )
        )
    return tuple(faults)
