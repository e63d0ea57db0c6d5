"""AMEE as a whole: faults, processes, and what a simulated second costs."""

from __future__ import annotations

import time

from gelenk.robots.amee.session import Session, WalkCfg
from gelenk.testing.bench.harness import Row, Settings


def simulation_speed(settings: Settings) -> Row:
    """Walk with legs in this process; compare simulated with processor time."""
    simulated, spent = 0.0, 0.0
    rates: list[str] = []
    for gait in ("save", "crawl", "fast"):
        session = Session(WalkCfg(gait=gait, distance=10.0, seed=settings.seed))
        try:
            while session.world.time < 2.0:
                session.tick()
            begin, start = time.process_time(), session.world.time
            while session.world.time < start + settings.pick(20, 4):
                session.tick()
            took, way = time.process_time() - begin, session.world.time - start
        finally:
            session.close()
        simulated, spent = simulated + way, spent + took
        rates.append(f"{gait} {way / took:.1f}")
    return Row(
        name="simulation_speed",
        value=simulated / spent,
        unit="times real time",
        target=5.0,
        direction=">=",
        note=f"one core, processor time: {', '.join(rates)}",
    )
