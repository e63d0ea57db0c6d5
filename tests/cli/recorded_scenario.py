"""A small scenario whose recordings the tests of `gelenk replay` make and repeat."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gelenk.runtime.bus import Bus
from gelenk.runtime.message_faults import MessageFaults
from gelenk.runtime.scenario import Outcome, scenario
from gelenk.sim.faults import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkConfig:
    steps: int = 150
    width: float = 0.1
    loss: float = 0.25
    stop_at: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    x: float = field(metadata={"unit": "m"})
    label: str = "walker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    impulse: tuple[float, float, float] = field(metadata={"unit": "N s"})


@scenario("walk", config=WalkConfig)
def walk(config: WalkConfig, seed: int, recorder: object) -> Outcome:
    """A random walk between two walls, with a lossy line."""
    rng = np.random.default_rng(seed)
    faults = [
        Fault(
            kind="message_lost", target="walker/position", start=0.0, amount=config.loss
        )
    ]
    bus = Bus(
        {"walker/position": Position, "impacts": Impact},
        faults=MessageFaults(faults, seed),
    )
    if recorder is not None:
        recorder.attach(bus)  # type: ignore[attr-defined]
    x = 0.0
    for tick in range(config.steps):
        bus.advance(tick * 10_000_000)
        x += float(rng.normal(0.0, config.width))
        if abs(x) > 0.5:
            x = float(np.clip(x, -0.5, 0.5))
            bus.publish("impacts", Impact(impulse=(-x, 0.0, 0.0)))
        bus.publish("walker/position", Position(x=x), sender="walker")
        if tick == config.stop_at:
            raise RuntimeError("the walker fell")
    return Outcome(ok=True, figures={"x": x})
