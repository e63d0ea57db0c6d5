"""A busy hall: how much faster than real time on one core, and is anything lost?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.runtime.scenarios.hall import HallCfg, Watcher, build_hall, make_run

BLOCK = 5.0  # [s] simulated, between two looks at clock and memory
SETTLE = 5.0  # [s] simulated, in which things land and buffers grow
HOUR = 3600.0


def busy_hall(settings: Settings) -> Iterator[Row]:
    """Run the hall in one thread; count triggers, time and memory."""
    seconds = float(settings.pick(300, 15))
    config = HallCfg(seconds=seconds)
    factors: list[float] = []
    with build_hall(config, settings.seed) as world:
        watcher = Watcher(config, world)
        with make_run(config, world, watcher) as run:
            run.run(SETTLE)
            memory = [_resident()]
            while run.time < seconds:
                start = time.process_time()
                run.run(BLOCK)
                factors.append(BLOCK / (time.process_time() - start))
                world.impacts()  # unread, the last 10,000 would be kept
                memory.append(_resident())
            sent, barriers = watcher.sent.total(), watcher.sent["barrier"]
            received = sum(getattr(host, "value")[0] for host in run.executors)  # noqa: B009
    lost = (sent - received) + abs(watcher.passages - barriers)
    yield Row(
        name="hall_speed",
        value=float(np.median(factors)),
        unit="x real time",
        target=1.0,
        direction=">=",
        note=f"{config.robots} robots, 5 conveyors, {config.things} balls and boxes in "
        f"motion, {4 * config.barriers + config.circles} zones, step "
        f"{1e3 * config.step:g} ms; CPU time of one thread, median of {len(factors)} "
        f"blocks, slowest {min(factors):.2f}",
    )
    yield Row(
        name="hall_triggers_lost",
        value=float(lost),
        unit="triggers",
        target=0.0,
        note=f"{sent} triggers and {watcher.passages} passages, counted twice, in "
        f"{seconds:g} s; an hour: gelenk run hall --set seconds=3600",
    )
    hours = (len(memory) - 1) * BLOCK / HOUR
    yield Row(
        name="hall_memory_growth",
        value=(memory[-1] - memory[len(memory) // 2]) / (0.5 * hours),
        unit="MB per simulated hour",
        note=f"second half of the run; {memory[-1]:.0f} MB resident",
    )


def _resident() -> float:
    """Return the memory that this process holds [MB]; 0 where that is unknown."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    found = [line.split()[1] for line in lines if line.startswith("VmRSS")]
    return float(found[0]) / 1024.0 if found else 0.0
