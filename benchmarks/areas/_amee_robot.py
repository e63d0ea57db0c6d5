"""AMEE as a whole: faults, processes, and what a simulated second costs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.harness import Row, Settings
from gelenk.robots.amee.lottery import Draw, lottery
from gelenk.robots.amee.session import Session, WalkCfg


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


def processes_equal(settings: Settings) -> Row:
    """Walk the same steps with legs in this process and with legs as processes."""
    seconds = settings.pick(20, 3)
    here, log_here = _trajectory(settings.seed, seconds, processes=False)
    there, log_there = _trajectory(settings.seed, seconds, processes=True)
    differing = sum(a != b for a, b in zip(here, there, strict=True))
    return Row(
        name="processes_differ",
        value=float(differing + (log_here != log_there)),
        unit="moments",
        target=0.0,
        note=f"whole robot, {seconds} s of Save Walk, eight processes: the state's "
        f"bits every 0.1 s ({len(here)} moments) and the log",
    )


def _trajectory(
    seed: int, seconds: float, *, processes: bool
) -> tuple[list[str], list[str]]:
    """Return hashes of the world's state along a walk, and what was decided."""
    session = Session(WalkCfg(distance=10.0, seed=seed, processes=processes))
    hashes: list[str] = []
    try:
        while session.world.time < seconds:
            session.tick()
            if session.world.world.tick % 50 == 0:
                hashes.append(session.world.world.state_hash())
        return hashes, [str(entry) for entry in session.desk.journal.entries]
    finally:
        session.close()


def faults(settings: Settings) -> Iterator[Row]:
    """Let one random thing break in a short walk; judge falls and diagnoses."""
    count = settings.pick(500, 6)
    draws: list[Draw] = []
    for k in range(count):
        settings.tell(f"fault {k + 1} of {count}")
        draws.append(lottery(settings.seed + k))
    fallen = [d for d in draws if d.ending == "fell"]
    unnamed = [d for d in draws if not d.is_named]
    yield Row(
        name="fault_falls",
        value=100.0 * len(fallen) / count,
        unit="%",
        target=3.0,
        note=f"{count} runs, one random fault each; fell: {_words(fallen)}",
    )
    yield Row(
        name="fault_named",
        value=100.0 * (1.0 - len(unnamed) / count),
        unit="%",
        target=90.0,
        direction=">=",
        note=f"kind and leg; the joint, too: {sum(d.is_placed for d in draws)} of "
        f"{count}; not named: {_words(unnamed)}",
    )


def _words(draws: Sequence[Draw]) -> str:
    counts = Counter(draw.fault.kind for draw in draws)
    return ", ".join(f"{kind} {n}" for kind, n in counts.most_common()) or "none"
