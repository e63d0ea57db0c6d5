"""AN-04 to AN-14: the chain of times, and how long a `stop` takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from experiments.amee.stop_latency import measure_stop_latency
from experiments.figures import ComparedFigure
from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.leg import Bench, BenchCfg
from gelenk.robots.amee.timing import (
    ETHERNET_ONE_WAY,
    ISR_CHANNELS,
    ISR_PERIOD,
    ISR_TIME,
    LOOP_PASS,
    USART_BYTE,
    McuTiming,
    sync_time,
)
from gelenk.robots.amee.wire import Command, Report, Request, encode

_FLAT = -0.63
_STEP = (0.06, _FLAT, 0.0, -0.06, _FLAT, 0.0)


def interrupt(full: bool = False) -> list[ComparedFigure]:
    """AN-04, AN-08: the converter's interrupt and a byte on the serial link."""
    del full
    refresh = 1e6 * ISR_PERIOD * ISR_CHANNELS
    return [
        _printed("AN-04", "refresh of a channel", refresh, "us", 55.2),
        _printed("AN-04", "interrupt's share", 100 * ISR_TIME / ISR_PERIOD, "%", 26.7),
        _settling(),
        _printed("AN-08", "one byte on the serial link", 1e6 * USART_BYTE, "us", 69.4),
    ]


def _settling() -> ComparedFigure:
    """How many conversions the average needs after a jump of the angle."""
    bench = Bench(LegCfg(filter="average"), BenchCfg(conversions=1, noise=0))
    bench.run(0.1)
    bench.q[2] += 0.2
    wanted = bench.cfg.sensors[2].counts_from_angle(bench.q[2])
    passes = 0
    while bench.computer.io.angles[2] != wanted and passes < 100:
        bench.step()
        passes += 1
    return ComparedFigure(
        experiment="AN-04",
        quantity="conversions until a jump has settled in the average",
        value=passes,
        thesis="about 10",
        accepted=(8, 12),
    )


def passes_of_a_step(full: bool = False) -> list[ComparedFigure]:
    """AN-05, AN-06, AN-09, AN-12, AN-14: passes of a whole step, in modelled time."""
    timing = McuTiming()
    cfg = LegCfg(pass_period=LOOP_PASS, min_step=0.003 if full else 0.006)
    bench = Bench(cfg, BenchCfg(conversions=1), ground=lambda x, z, t: _FLAT)
    while bench.now < 0.08:
        _pass(bench, timing)
    begin, longest, most = bench.now, [0.0, 0.0], 0
    bench.command(Command.DO_STEP, *_STEP)
    frames = len(encode(Request(Command.DO_STEP, _STEP)).packets)
    taken = first_drive = 0.0
    count, is_over = 0, False
    while not is_over and bench.now < begin + 30.0:
        said, duration = _pass(bench, timing)
        count += 1
        most = max(most, bench.computer.work.solved)
        solved = min(bench.computer.work.solved, 1)
        longest[solved] = max(longest[solved], duration)
        if count == frames:
            taken = bench.now - begin
        if not first_drive and any(bench.speeds):
            first_drive = bench.now - begin
        is_over = Report.READY in said or Report.ERROR in said
        if Report.SYNC in said:
            bench.command(Command.NEXT)
    chain = first_drive + ETHERNET_ONE_WAY
    return [
        _bound("AN-05", "longest pass without inverse kinematics", longest[0], 633.98),
        _bound("AN-06", "longest pass with it", longest[1], 1332.8),
        _bound("AN-09", "DoStep taken over, one packet per pass", taken, 8241.7),
        _bound("AN-12", "DoStep until the first drive turns", chain, 8575.0 + 1332.8,
               note="printed 8575 us; the pass that computes the first point is added",
               thesis="8575"),
        ComparedFigure(
            experiment="AN-14",
            quantity="most solutions of the inverse kinematics in one pass",
            value=most,
            thesis="every other function ends within one pass",
            accepted=(0, 1),
        ),
    ]  # fmt: skip


def _pass(bench: Bench, timing: McuTiming) -> tuple[list[Report], float]:
    """Run one pass at one packet each way; return reports and its duration [s]."""
    outbox = bench.mcu.pass_once(bench.now, bench.gateway.packets_for_leg(1))
    duration = timing.duration(bench.computer.work)
    bench.advance(duration)
    said = bench.gateway.receive_packets(outbox)
    return [message.report for message in said], duration


def sync(full: bool = False) -> list[ComparedFigure]:
    """AN-07, AN-11: a message one way, and a synchronised via step."""
    del full
    return [
        _printed(
            "AN-07", "message one way, at most", 1e6 * ETHERNET_ONE_WAY, "us", 334
        ),
        _printed("AN-11", "one via step", 1e6 * sync_time(McuTiming()), "us", 1935.6),
    ]


def stop(full: bool = False) -> list[ComparedFigure]:
    """AN-10: `stop` until the drives have no current, under 1000 messages a second."""
    count = 10_000 if full else 500
    found = measure_stop_latency(count, np.random.default_rng(10))
    note = f"{count} times at random, {1e6 * np.median(found.times):.0f} us in the mean"
    return [
        ComparedFigure(
            experiment="AN-10",
            quantity="stop until drives are without current, longest",
            value=1e6 * float(found.times.max()),
            unit="us",
            thesis="967.8, at most 1666.8",
            accepted=(0.0, 1666.8),
            note=note,
        )
    ]


def start_up(full: bool = False) -> list[ComparedFigure]:
    """AN-13: messages are ignored until the average is full."""
    del full
    bench = Bench()
    while not bench.computer.is_ready and bench.now < 1.0:
        bench.command(Command.MOVE_POINT, 0.0, -0.5, 0.0)
        bench.step()
    ready = bench.now
    return [
        ComparedFigure(
            experiment="AN-13",
            quantity="start-up",
            value=1e3 * ready,
            unit="ms",
            thesis="50",
            accepted=(50.0, 55.0),
        )
    ]


def _printed(
    number: str, quantity: str, value: float, unit: str, printed: float
) -> ComparedFigure:
    slack = 2e-3 * printed
    return ComparedFigure(
        experiment=number,
        quantity=quantity,
        value=value,
        unit=unit,
        thesis=f"{printed}",
        accepted=(printed - slack, printed + slack),
    )


def _bound(
    number: str,
    quantity: str,
    seconds: float,
    most: float,
    *,
    note: str = "",
    thesis: str = "",
) -> ComparedFigure:
    return ComparedFigure(
        experiment=number,
        quantity=quantity,
        value=1e6 * seconds,
        unit="us",
        thesis=thesis or f"at most {most:g}",
        accepted=(1.0, most + 0.1),
        note=note,
    )


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType(
        {
            "AN-04, AN-08": (interrupt,),
            "AN-05, AN-06, AN-09, AN-12, AN-14": (passes_of_a_step,),
            "AN-07, AN-11": (sync,),
            "AN-10": (stop,),
            "AN-13": (start_up,),
        }
    )
)
