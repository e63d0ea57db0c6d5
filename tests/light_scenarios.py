"""Scenarios that need only NumPy, and some that go wrong, for tests of campaigns."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowCfg:
    """A stone thrown on flat ground.

    Attributes:
        speed: Mean speed of the throw [m/s].
        spread: Standard deviation of the speed [m/s].
        least: Distance that counts as success [m].
        work: Time that a trial keeps the processor busy [s].
    """

    speed: float = setting(10.0, unit="m/s", minimum=0.0)
    spread: float = setting(1.0, unit="m/s", minimum=0.0)
    least: float = setting(0.0, unit="m")
    work: float = setting(0.0, unit="s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """Where the stone came down [m]."""

    distance: float


@scenario(
    "throw",
    config=ThrowCfg,
    figures={"distance": Figure(unit="m", worst="smallest")},
)
def throw(config: ThrowCfg, seed: int, recorder: Any) -> Outcome:
    """Throw a stone at 45 degrees."""
    rng = np.random.default_rng(seed)
    speed = rng.normal(config.speed, config.spread)
    distance = speed**2 / 9.81
    end = time.process_time() + config.work
    while time.process_time() < end:
        pass
    if recorder is not None:
        recorder.write("landing", Landing(distance=distance), 1_000_000_000)
    is_far = distance >= config.least
    reason = "" if is_far else f"{distance:.1f} m is not far enough"
    return Outcome(ok=bool(is_far), figures={"distance": distance}, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class TroubleCfg:
    """What goes wrong, and when.

    Attributes:
        kind: What a bad seed does.
        every: Seeds that this number divides are bad.
        folder: Where a trial leaves a mark for each start, if anywhere.
        once: Whether a bad seed is bad only at its first start.
        work: Time that a trial sleeps [s].
    """

    kind: str = "none"
    every: int = 5
    folder: str = ""
    once: bool = False
    work: float = 0.0


@scenario("trouble", config=TroubleCfg)
def trouble(config: TroubleCfg, seed: int, recorder: Any) -> Outcome:
    """Go wrong in a chosen way at every n-th seed."""
    starts = 1
    if config.folder:
        mark = Path(config.folder) / str(seed)
        with mark.open("a") as stream:
            stream.write(f"{os.getpid()}\n")
        starts = len(mark.read_text().split())
    time.sleep(config.work)
    is_bad = seed % config.every == 0 and (starts == 1 or not config.once)
    if is_bad and config.kind == "raise":
        raise ValueError(f"seed {seed} is bad")
    if is_bad and config.kind == "exit":
        os._exit(3)
    if is_bad and config.kind in ("SIGSEGV", "SIGKILL"):
        os.kill(os.getpid(), signal.Signals[config.kind])
    if is_bad and config.kind == "hang":
        time.sleep(1000.0)
    if is_bad and config.kind == "print":
        print("trials may print")  # noqa: T201
    return Outcome(ok=True, figures={"seed": float(seed), "root": seed**0.5})


@scenario("forgets")
def forgets(config: object, seed: int, recorder: Any) -> Outcome:
    """Start a process and forget it."""
    process = subprocess.Popen(["sleep", "1000"])
    process.returncode = 0  # nobody will wait for it
    return Outcome(ok=True, figures={"pid": float(process.pid)})


def plain() -> None:
    """Not a scenario."""
