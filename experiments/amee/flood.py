"""AN-25, AN-36: floods of messages, and a loop that stands still."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from experiments.figures import ComparedFigure
from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.coordinator.link import RUBBISH
from gelenk.robots.amee.leg import Bench
from gelenk.robots.amee.wire import Command, ErrorCode, Message, Report

RATE = 1000.0  # messages per second, T


def flood(full: bool = False) -> list[ComparedFigure]:
    """AN-25: 1000 messages a second, half of them rubbish, for 30 min.

    The leg works all the time: whatever comes through the filter is done, and every
    few seconds it is stopped and sent to a point, where it must arrive.
    """
    minutes = 30.0 if full else 0.5
    rng = np.random.default_rng(25)
    bench = Bench(LegCfg(), ground=lambda x, z, t: -0.63)
    bench.run(0.1)
    period = bench.cfg.pass_period
    arrived = asked = sent = errors = 0
    memory: list[int] = []
    while bench.now < 60.0 * minutes:
        sent += _babble(bench, rng, 2.0)
        bench.command(Command.STOP)
        bench.run(20 * period)
        asked += 1
        x, y = rng.uniform(-0.08, 0.08), rng.uniform(-0.58, -0.45)
        bench.command(Command.MOVE_POINT, x, y, 0.0)
        said = bench.run_until(Report.READY, 5.0)
        errors += any(m.report in (Report.ERROR, Report.SENSOR_FAULT) for m in said)
        arrived += float(np.hypot(bench.foot()[0] - x, bench.foot()[1] - y)) < 0.015
        bench.messages.clear()
        if asked % 3 == 1:
            gc.collect()
            memory.append(sys.getallocatedblocks())
    late = memory[len(memory) // 2 :]
    grown = late[-1] - late[0]
    note = (
        f"{sent} messages, {bench.gateway.refused} refused, {minutes:g} min simulated"
    )
    return [
        ComparedFigure(
            experiment="AN-25",
            quantity="share of moves done amid a flood",
            value=arrived / asked,
            thesis="1000 messages/s for 30 min passed",
            accepted=(1.0, 1.0),
            note=note,
        ),
        ComparedFigure(
            experiment="AN-25",
            quantity="errors and restarts in it",
            value=errors + bench.mcu.restarts,
            accepted=(0, 0),
        ),
        ComparedFigure(
            experiment="AN-25",
            quantity="memory grown in its second half",
            value=grown,
            unit="blocks of Python's memory",
            accepted=(-np.inf, 2000.0),
        ),
    ]


def _babble(bench: Bench, rng: np.random.Generator, seconds: float) -> int:
    """Let many nodes talk at once; return how many messages they sent."""
    per_pass = RATE * bench.cfg.pass_period
    passes = round(seconds / bench.cfg.pass_period)
    numbers = rng.poisson(per_pass, passes)
    for number in numbers.tolist():
        for _ in range(number):
            if rng.random() < 0.5:
                text = RUBBISH[int(rng.integers(len(RUBBISH)))]
            else:
                height = rng.uniform(-620.0, -420.0)
                text = f"GET /Move2Point:0:{height:.1f}:0 HTTP/1.1\r\n\r\n".encode()
            bench.gateway.receive_text(text)
        bench.step()
    return int(numbers.sum())


def hung_loop(full: bool = False) -> list[ComparedFigure]:
    """AN-36: a loop that stands still is restarted without current, and says so."""
    times: list[float] = []
    runs = 10 if full else 3
    for run in range(runs):
        bench = Bench()
        bench.run(0.1)
        bench.command(Command.MOVE_POINT, 0.0, -0.45, 0.0)
        bench.run(0.2 + 0.05 * run)
        begin = bench.now
        bench.mcu.is_hung = True
        wanted = Message(Report.ERROR, (float(ErrorCode.WATCHDOG_RESET),))
        if wanted in bench.run_until(Report.ERROR, 3.0) and not any(bench.speeds):
            times.append(bench.now - begin)
    return [
        ComparedFigure(
            experiment="AN-36",
            quantity="hung loops restarted, without current and reported",
            value=len(times) / runs,
            thesis="provoked errors were compensated",
            accepted=(1.0, 1.0),
            note=f"after {max(times, default=np.nan):.2f} s at most",
        )
    ]


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType({"AN-25": (flood,), "AN-36": (hung_loop,)})
)
