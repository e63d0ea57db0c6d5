"""EX-22: what play asks of a computer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from experiments.figures import ComparedFigure
from experiments.piggy.planner import shared_tables
from gelenk.robots.piggy.session import PlayCfg, PlaySession
from gelenk.robots.piggy.throwers import draw_throw

CORES, MEMORY = 4.0, 466.0  # of the thesis's computer; [MB] that were used there


THESIS = {  # table 5.2: share of one core, both instances together
    "images (drawn here, grabbed there)": "0.10",
    "circles and tracks": "1.60 and 1.18",
    "planning": "variable",
    "motion control": "negligible",
    "the simulated place": "",
}


class Meter:
    """Adds up the processor time of functions, all threads, without what they call.

    Time of one that calls another counts for the inner one.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._inner = [0.0]

    def watch(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time added to a name."""

        def timed(*words: Any, **options: Any) -> Any:
            start = time.process_time()
            self._inner.append(0.0)
            try:
                return function(*words, **options)
            finally:
                whole = time.process_time() - start
                own = whole - self._inner.pop()
                self._inner[-1] += whole
                self.seconds[name] = self.seconds.get(name, 0.0) + own

        return timed


def load(throws: int = 4) -> list[ComparedFigure]:
    """EX-22: processor and memory of a session with passes.

    The simulated place is drawn by the same process: both figures include it.
    """
    cfg = PlayCfg(mode="pass", drive="tight")
    rng = np.random.default_rng(22)
    with PlaySession(cfg, tables=shared_tables()) as session:
        session.start()
        meter = watched(session)
        begin, busy = session.now, time.process_time()
        for _ in range(throws):
            session.play(draw_throw(rng))
        simulated = session.now - begin
        cores = (time.process_time() - busy) / simulated
        memory = _resident() / 1e6
    return [
        ComparedFigure(
            experiment="EX-22",
            quantity="processor cores busy in real time, world and images included",
            value=cores,
            thesis="2.88 of 4",
            accepted=(0.0, CORES),
        ),
        *(
            ComparedFigure(
                experiment="EX-22",
                quantity=f"of these, {name}",
                value=meter.seconds.get(name, 0.0) / simulated,
                thesis=printed,
            )
            for name, printed in THESIS.items()
        ),
        ComparedFigure(
            experiment="EX-22",
            quantity="memory, world, images and tables included",
            value=memory,
            unit="MB",
            thesis=f"{MEMORY:.0f}",
            note="Python with its libraries takes about 250 MB before anything is done",
        ),
    ]


def watched(session: PlaySession) -> Meter:
    """Return a meter of the parts of a session from now on."""
    meter = Meter()
    parts: tuple[tuple[str, Any, str], ...] = (
        ("images (drawn here, grabbed there)", session.world, "images"),
        ("circles and tracks", session.player.tracker, "step"),
        ("planning", session.player, "tactic"),
        ("motion control", session.player.control, "step"),
        ("the simulated place", session, "_pass_time"),
    )
    for name, owner, function in parts:
        setattr(owner, function, meter.watch(name, getattr(owner, function)))
    return meter


def _resident() -> float:
    """Return the memory that this process holds now [B]."""
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


EXPERIMENTS: Mapping[str, Callable[[], list[ComparedFigure]]] = MappingProxyType(
    {"EX-22": load}
)
