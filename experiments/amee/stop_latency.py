"""How long a `stop` takes on the modelled chip, whatever else is on the bus.

A discrete-event model: the leg computer really runs, each pass takes the time that the
timing model gives to its work, and packets arrive when the Ethernet computer has
handed them over.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.leg.bench import Bench, BenchCfg
from gelenk.robots.amee.timing import ETHERNET_ONE_WAY, LOOP_PASS, USART_BYTE, McuTiming
from gelenk.robots.amee.wire.packets import HEADER_BIT
from gelenk.robots.amee.wire.table import Command, Report, Request
from gelenk.typing import FloatArray

_FLOOD = (
    Request(Command.MOVE_POINT, (0.05, -0.60, 0.0)),
    Request(Command.LINE, (0.05, -0.60, 0.0, -0.05, -0.60, 0.0)),
    Request(Command.DO_STEP, (0.05, -0.60, 0.0, -0.05, -0.60, 0.0)),
    Request(Command.SPEED, (180.0,)),
    Request(Command.NEXT),
)
# Fastest way of a message through switch and filter [s], A; the slowest is T.
_ETHERNET_BEST = 150e-6
# [s], A: ComCtrl runs first in a pass; reading a packet and writing four bridges.
_STOP_WORK = 27e-6
_BETWEEN_STOPS = (0.005, 0.040)  # [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class StopLatency:
    """Times from sending `stop` to drives without current.

    Attributes:
        times: [s], shape (n,).
        passes: Durations of all passes of the loop [s], shape (m,).
        bound: What must never be exceeded [s].
    """

    times: FloatArray
    passes: FloatArray
    bound: float


def measure_stop_latency(
    num_stops: int,
    rng: np.random.Generator,
    *,
    timing: McuTiming | None = None,
    messages_per_second: float = 1000.0,
) -> StopLatency:
    """Send `stop` at random times into a leg that is flooded with other commands.

    Args:
        num_stops: How often.
        rng: Of arrival times and kinds of messages.
        timing: Of the chip.
        messages_per_second: Rate of other commands.
    """
    timing = timing or McuTiming()
    cfg = LegCfg(pass_period=LOOP_PASS, number=1)
    bench = Bench(cfg, BenchCfg(conversions=1, noise=0))
    bench.run(0.08)
    # Sent commands on their way: arrival at the gateway, running number, command.
    on_way: list[tuple[float, int, Request]] = []
    times: list[float] = []
    passes: list[float] = []
    sent = 0
    next_message = bench.now
    stop_sent = -1.0
    next_stop = bench.now + float(rng.uniform(*_BETWEEN_STOPS))
    while len(times) < num_stops:
        if stop_sent < 0.0 and bench.now >= next_stop:
            stop_sent = next_stop
            arrival = stop_sent + float(rng.uniform(_ETHERNET_BEST, ETHERNET_ONE_WAY))
            heapq.heappush(on_way, (arrival - USART_BYTE, sent, Request(Command.STOP)))
            sent += 1
        while next_message <= bench.now:
            way = float(rng.uniform(_ETHERNET_BEST, ETHERNET_ONE_WAY)) - USART_BYTE
            kind = _FLOOD[int(rng.integers(len(_FLOOD)))]
            heapq.heappush(on_way, (next_message + way, sent, kind))
            sent += 1
            next_message += float(rng.exponential(1.0 / messages_per_second))
        while on_way and on_way[0][0] + USART_BYTE <= bench.now:
            bench.gateway.receive(heapq.heappop(on_way)[2])
        inbox = bench.gateway.packets_for_leg(1)
        outbox = bench.mcu.pass_once(bench.now, inbox)
        for message in bench.gateway.receive_packets(outbox):
            if message.report == Report.SYNC:
                bench.gateway.receive(Request(Command.NEXT))
        duration = timing.duration(bench.computer.work)
        passes.append(duration)
        bench.advance(duration)
        is_stop = bool(inbox) and inbox[0] == HEADER_BIT | Command.STOP
        if is_stop and not any(bench.speeds):
            times.append(bench.now - duration + _STOP_WORK - stop_sent)
            stop_sent = -1.0
            next_stop = bench.now + float(rng.uniform(*_BETWEEN_STOPS))
    return StopLatency(
        times=np.array(times),
        passes=np.array(passes),
        bound=ETHERNET_ONE_WAY + timing.longest_pass_ik,
    )
