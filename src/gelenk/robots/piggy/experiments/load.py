"""EX-22: what play asks of a computer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from gelenk.robots.piggy.experiments.planner import shared_tables
from gelenk.robots.piggy.session import PlayCfg, PlaySession
from gelenk.robots.piggy.throwers import draw_throw
from gelenk.runtime.figures import Figure

CORES, MEMORY = 4.0, 466.0  # of the thesis's computer; [MB] that were used there


def load(throws: int = 4) -> list[Figure]:
    """EX-22: processor and memory of a session with passes.

    The simulated place is drawn by the same process: both figures include it.
    """
    cfg = PlayCfg(mode="pass", drive="tight")
    rng = np.random.default_rng(22)
    with PlaySession(cfg, tables=shared_tables()) as session:
        session.start()
        begin, busy = session.now, time.process_time()
        for _ in range(throws):
            session.play(draw_throw(rng))
        cores = (time.process_time() - busy) / (session.now - begin)
        memory = _resident() / 1e6
    return [
        Figure(
            experiment="EX-22",
            quantity="processor cores busy in real time, world and images included",
            value=cores,
            thesis="2.88 of 4",
            accepted=(0.0, CORES),
        ),
        Figure(
            experiment="EX-22",
            quantity="memory, world, images and tables included",
            value=memory,
            unit="MB",
            thesis=f"{MEMORY:.0f}",
            note="Python with its libraries takes about 250 MB before anything is done",
        ),
    ]


def _resident() -> float:
    """Return the memory that this process holds now [B]."""
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


EXPERIMENTS: Mapping[str, Callable[[], list[Figure]]] = MappingProxyType(
    {"EX-22": load}
)
