"""The leg computer, a process of its own: the super-loop, and nothing else.

In step with a simulated world it passes once for each reading of its pins. On a stand
it runs by the clock, joints included.
"""

from __future__ import annotations

import select
import signal
import socket
import time
from dataclasses import dataclass, field
from typing import Any

from gelenk.robots.amee.bus import children, pins
from gelenk.robots.amee.bus.pins import Kind, RemotePins
from gelenk.robots.amee.bus.serial import LegEnd, SerialLink
from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.leg import Bench, BenchCfg, LegMcu
from gelenk.robots.amee.wire.table import Command

_MOST_BEHIND = 0.1  # [s], a stand that is later than this lets the time go


@dataclass(frozen=True, slots=True, kw_only=True)
class StandCfg:
    """A stand with joints and a ground.

    Attributes:
        ground: Height of the ground in the leg's frame [m]; None: no ground.
        bench: Of the joints.
    """

    ground: float | None = -0.63
    bench: BenchCfg = field(default_factory=BenchCfg)


@dataclass(frozen=True, slots=True, kw_only=True)
class LegSetup:
    """What the process is told at its start.

    Attributes:
        leg: Settings of the leg.
        stand: Joints of its own, driven by the clock; None: pins come from a world.
    """

    leg: LegCfg
    stand: StandCfg | None = None


def main(parent_fd: int, serial_fd: int) -> None:
    """Run the process until the parent has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides about the end
    link = SerialLink(socket.socket(fileno=serial_fd))
    with socket.socket(fileno=parent_fd) as parent:
        try:
            setup: LegSetup = children.receive_setup(parent)
            if setup.stand is None:
                _serve_world(setup, parent, LegEnd(link, in_step=True))
            else:
                _serve_clock(setup, parent, LegEnd(link, in_step=False))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return
        finally:
            link.close()


def _serve_world(setup: LegSetup, parent: socket.socket, serial: LegEnd) -> None:
    """Pass once for each reading."""
    hardware = RemotePins()
    mcu = LegMcu(setup.leg, hardware)
    _warm_up(setup.leg)
    pins.send(parent, Kind.READY)
    while True:
        kind, payload = pins.receive(parent)
        if kind == Kind.PASS:
            hardware.take(payload)
            frames = serial.take(mcu.computer.room)
            reports = serial.give(mcu.pass_once(hardware.now, frames))
            pins.send(parent, Kind.DRIVE, hardware.pack_driving(reports))
        else:
            _handle(kind, parent, mcu, {})


def _serve_clock(setup: LegSetup, parent: socket.socket, serial: LegEnd) -> None:
    """Pass as fast as the leg's computer would, joints after it."""
    stand, period = setup.stand, setup.leg.pass_period
    assert stand is not None
    height = stand.ground
    ground = None if height is None else (lambda x, z, t: height)
    bench = Bench(setup.leg, stand.bench, ground=ground)
    _warm_up(setup.leg)
    while not bench.computer.is_ready:
        bench.step()
    pins.send(parent, Kind.READY)
    begin = time.monotonic() - bench.now
    while True:
        frames = serial.take(bench.computer.room)
        serial.give(bench.mcu.pass_once(bench.now, frames))
        bench.advance(period)
        ahead = begin + bench.now - time.monotonic()
        if ahead < -_MOST_BEHIND:
            begin -= ahead
        if select.select([parent], [], [], max(0.0, ahead))[0]:
            kind, _ = pins.receive(parent)
            facts = {"foot": bench.foot(), "angles": bench.q, "toes": bench.read_toes()}
            _handle(kind, parent, bench.mcu, facts)


def _warm_up(cfg: LegCfg) -> None:
    """Load what is compiled, so that no pass takes longer than it should."""
    bench = Bench(cfg, BenchCfg(conversions=1))
    bench.run(2.0 * cfg.watchdog.start_up)
    bench.command(Command.MOVE_POINT, 0.0, -0.6, 0.0)
    bench.run(0.05)


def _handle(
    kind: Kind, parent: socket.socket, mcu: LegMcu, facts: dict[str, Any]
) -> None:
    """Do what the parent wants beside passes."""
    if kind == Kind.HANG:
        mcu.is_hung = True
    elif kind == Kind.ASK:
        computer = mcu.computer
        facts |= {
            "states": computer.states(),
            "journal": list(computer.journal)[-20:],
            "restarts": mcu.restarts,
        }
        pins.send(parent, Kind.TELL, pins.pack_facts(facts))
