"""Runs of one AMEE leg on its stand, for tests."""

from __future__ import annotations

import math
from collections.abc import Callable

from experiments.amee.stand import ENDS
from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.leg import Bench, BenchCfg
from gelenk.robots.amee.wire import Command, Message, Report

FLAT = -0.63
BEGIN, END = (0.06, FLAT, 0.0), (-0.06, FLAT, 0.0)


def flat(x: float, z: float, time: float) -> float:
    """Ground at the height of the stance."""
    return FLAT


def make_bench(cfg: LegCfg | None = None, **options) -> Bench:
    """A bench whose computer has started."""
    bench = Bench(cfg, **options)
    bench.run(0.06)
    return bench


def noiseless(**options) -> BenchCfg:
    return BenchCfg(noise=0, **options)


def drive(
    bench: Bench,
    command: Command,
    *values: float,
    seconds: float = 30.0,
    release: bool = True,
    each_pass: Callable[[], None] | None = None,
) -> list[Message]:
    """Give a command, release every sync, and return all reports up to the last."""
    said: list[Message] = []
    bench.command(command, *values)
    for _ in range(round(seconds / bench.cfg.pass_period)):
        new = bench.step()
        said += new
        if each_pass is not None:
            each_pass()
        for message in new:
            if message.report == Report.SYNC and release:
                bench.command(Command.NEXT)
        if any(message.report in ENDS for message in new):
            break
    return said


def kinds(messages: list[Message]) -> list[Report]:
    """Headers without the syncs."""
    return [m.report for m in messages if m.report != Report.SYNC]


def foot_error(bench: Bench, wanted: tuple[float, float, float]) -> float:
    return math.dist(bench.foot(), wanted)
