"""Recordings of a small, fixed run, for the tests that read them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gelenk.runtime.bus import Bus
from gelenk.runtime.recorder import Recorder
from runtime.sample_messages import Count, JointState, Pose, Speed

TICK = 10_000_000  # [ns]
TOPICS = {"arm/joints": JointState, "speed": Speed, "pose": Pose, "never": Count}


def joints_at(tick: int) -> JointState:
    phase = 0.1 * tick + np.arange(3.0)
    return JointState(q=np.sin(phase), qd=np.cos(phase), is_valid=tick % 7 != 0)


def play_run(bus: Bus, ticks: int) -> None:
    """Publish joints in every tick, a speed in every second, a pose in every tenth."""
    for tick in range(ticks):
        bus.advance(tick * TICK)
        bus.publish("arm/joints", joints_at(tick), sender="arm")
        if tick % 2 == 0:
            bus.publish("speed", Speed(value=0.1 * tick if tick % 8 else np.nan))
        if tick % 10 == 0:
            bus.publish("pose", Pose(T_world_tool=np.eye(4) * tick))


def record_run(path: Path, ticks: int = 250, **metadata: object) -> Path:
    """Record `play_run` and return the file."""
    bus = Bus(TOPICS)
    with Recorder(path, {"seed": 7, **metadata}) as recorder:
        recorder.attach(bus)
        play_run(bus, ticks)
    return path
