"""Time functions against each other, fairly, in one process.

Machines drift: other load, clock rates, heat. So competitors take turns in short
blocks, with another one first in each round, and are compared by the quotients
within the rounds.
"""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

Call = Callable[[], object]

BLOCK = 3e-4  # [s], well above the grain of the clock, well below a scheduler slice
MAX_CALLS = 1_000_000  # of one block, for calls that cost nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Time per call of some competitors.

    Attributes:
        samples: For each competitor its time per call [s], one entry per round.
        calls: Number of calls that each sample is the mean of.
    """

    samples: Mapping[str, tuple[float, ...]]
    calls: Mapping[str, int]

    def median(self, name: str) -> float:
        """Return the median time per call [s]."""
        return median(self.samples[name])

    def microseconds(self) -> dict[str, float]:
        """Return the median time per call [us] of every competitor."""
        return {name: 1e6 * self.median(name) for name in self.samples}

    def ratio(self, name: str, other: str) -> float:
        """Return the median over the rounds of time(name) / time(other)."""
        pairs = zip(self.samples[name], self.samples[other], strict=True)
        return median(a / b for a, b in pairs)


def interleaved(
    calls: Mapping[str, Call],
    *,
    rounds: int = 300,
    block: float = BLOCK,
    warmup: int = 3,
) -> Timings:
    """Return the times of several calls that take turns.

    Args:
        calls: Competitors by name; each is a function without arguments.
        rounds: Number of blocks that each of them gets.
        block: Wanted duration of a block [s]; a longer call makes a block of its own.
        warmup: Calls before anything is timed (compilation, caches).
    """
    if rounds < 1:
        raise ValueError(f"`rounds` must be at least 1, got {rounds}")
    numbers = {name: _warm_up(call, warmup, block) for name, call in calls.items()}
    samples: dict[str, list[float]] = {name: [] for name in calls}
    names = list(calls)
    with without_garbage_collection():
        for k in range(rounds):
            first = k % len(names) if names else 0
            for name in names[first:] + names[:first]:
                samples[name].append(_time_block(calls[name], numbers[name]))
    return Timings(
        samples={name: tuple(values) for name, values in samples.items()},
        calls=numbers,
    )


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Collect now, and not again before the end of the block."""
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _warm_up(call: Call, warmup: int, block: float) -> int:
    """Return how many calls fill a block, after some calls that do not count."""
    for _ in range(warmup):
        call()
    number = 1
    while True:
        spent = _time_block(call, number) * number
        if spent >= block / 4.0 or number >= MAX_CALLS:
            return max(1, min(MAX_CALLS, round(number * block / max(spent, 1e-9))))
        number *= 4


def _time_block(call: Call, number: int) -> float:
    """Return the mean time [s] of `number` calls."""
    repeat = itertools.repeat(None, number)
    start = time.perf_counter_ns()
    for _ in repeat:
        call()
    return (time.perf_counter_ns() - start) * 1e-9 / number
