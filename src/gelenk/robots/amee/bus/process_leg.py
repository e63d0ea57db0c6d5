"""A leg that is two processes: its Ethernet computer and its leg computer.

To a main controller it is what a leg in this process is: orders go in as texts, a pass
of its loop puts reports on the bus. Time waits for both processes, so that the same
orders at the same times give the same pass for pass, bit by bit.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from gelenk.closing import Closing
from gelenk.errors import ConfigError
from gelenk.robots.amee.bus import pins
from gelenk.robots.amee.bus.children import (
    START_TIMEOUT,
    end_child,
    receive_setup,
    send_setup,
    start_child,
)
from gelenk.robots.amee.bus.client import Caller, ReportInbox
from gelenk.robots.amee.bus.ethernet import EthernetCfg
from gelenk.robots.amee.bus.leg_process import LegSetup, StandCfg
from gelenk.robots.amee.bus.pins import Kind
from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.coordinator.link import LinkFault
from gelenk.robots.amee.leg.hardware import LegHardware
from gelenk.robots.amee.wire.table import Message, Request

ANSWER_TIMEOUT = 10.0  # [s] of wall time


class LegProcesses:
    """The two processes of a leg and the sockets to them.

    Args:
        cfg: Settings of the leg.
        port: Where the Ethernet computer listens; 0: any that is free.
        stand: Joints of the leg's own; None: pins come from a world.

    Attributes:
        ethernet: Process of the Ethernet computer.
        leg: Process of the leg computer.
        pins: Socket to the leg computer.
        inbox: What the leg reports.
    """

    def __init__(self, cfg: LegCfg, port: int, stand: StandCfg | None = None) -> None:
        self.inbox = ReportInbox()
        lifeline, their_lifeline = socket.socketpair()
        serial, their_serial = socket.socketpair()
        self.pins, their_pins = socket.socketpair()
        self._lifeline = lifeline
        self._port = 0
        self._is_ready = False
        for sock in (lifeline, self.pins):
            sock.settimeout(START_TIMEOUT)
        self.ethernet = start_child("ethernet", (their_lifeline, serial))
        self.leg = start_child("leg_process", (their_pins, their_serial))
        self._end = weakref.finalize(
            self, _end, (lifeline, self.pins), (self.ethernet, self.leg), self.inbox
        )
        self._wanted = port
        send_setup(
            lifeline,
            EthernetCfg(
                port=port,
                reports_to=self.inbox.port,
                scale=cfg.wire.scale,
                in_step=stand is None,
            ),
        )
        send_setup(self.pins, LegSetup(leg=cfg, stand=stand))

    @property
    def port(self) -> int:
        """Where the Ethernet computer listens.

        Raises:
            ConfigError: If the wanted port is not to be had.
        """
        if not self._port:
            try:
                answer = receive_setup(self._lifeline)
            except (EOFError, TimeoutError) as error:
                raise ConfigError(
                    "the Ethernet computer's process did not start; what it wrote to "
                    "stderr says why"
                ) from error
            if isinstance(answer, int):
                raise ConfigError(
                    f"port {self._wanted} cannot be opened ({os.strerror(answer)}); "
                    "choose another one, or 0 for any that is free"
                )
            self._port = answer[0]
        return self._port

    def wait_ready(self) -> None:
        """Wait until both processes work.

        Raises:
            ConfigError: If one cannot start.
        """
        if self._is_ready:
            return
        assert self.port
        try:
            pins.receive(self.pins)
        except (EOFError, TimeoutError) as error:
            raise ConfigError(
                "the leg computer's process did not start; what it wrote to stderr "
                "says why"
            ) from error
        self.pins.settimeout(ANSWER_TIMEOUT)
        self._is_ready = True

    def ask(self) -> dict[str, Any]:
        """Return states and journal of the leg computer, for the eye.

        Raises:
            EOFError: If its process has gone.
            TimeoutError: If it does not answer.
        """
        self.wait_ready()
        pins.send(self.pins, Kind.ASK)
        return pins.unpack_facts(pins.receive(self.pins)[1])

    def close(self) -> None:
        """End both processes and free all sockets; more than once does no harm."""
        self._end()


class ProcessLeg(Closing):
    """A leg in two processes, in step with a world in this one.

    Args:
        cfg: Settings of the leg.
        hardware: Its pins.
        port: Where its Ethernet computer listens; 0: any that is free.
        faults: Of this leg.
        seed: Of what is lost.

    Attributes:
        obituary: How it died; empty while it lives.
    """

    def __init__(
        self,
        cfg: LegCfg,
        hardware: LegHardware,
        port: int = 0,
        *,
        faults: Sequence[LinkFault] = (),
        seed: int = 0,
    ) -> None:
        self._hardware = hardware
        self._faults: list[LinkFault] = []
        for fault in faults:
            self.add(fault)
        self._lost_share = 0.0
        self._rng = np.random.default_rng([seed, cfg.number])  # as legs here lose
        self.processes = LegProcesses(cfg, port)
        self._caller: Caller | None = None
        self.obituary = ""

    @property
    def port(self) -> int:
        """Where its Ethernet computer listens."""
        return self.processes.port

    @property
    def is_dead(self) -> bool:
        """Whether nobody is at home: neither texts nor passes."""
        return bool(self.obituary)

    def send(self, request: Request) -> bool:
        """Put a command on the bus; return whether somebody was there to take it."""
        if self.is_dead or self._loses():
            return not self.is_dead
        if self._caller is None:
            self._caller = Caller(self.port)
        try:
            self._caller.call(request)
        except OSError as error:
            self._die(f"its Ethernet computer does not answer ({error})")
        return not self.is_dead

    def pass_once(self, now: float) -> Sequence[Message]:
        """Let the leg's loop run once; return what it has put on the bus."""
        if self._faults:
            self._strike(now)
        if self.is_dead:
            return ()
        processes = self.processes
        processes.wait_ready()
        try:
            reading = pins.pack_reading(now, self._hardware)
            pins.send(processes.pins, Kind.PASS, reading)
            kind, payload = pins.receive(processes.pins)
            assert kind == Kind.DRIVE
            reports = pins.apply_driving(payload, self._hardware)
            taken = processes.inbox.take(reports) if reports else ()
            return [message for message in taken if not self._loses()]
        except (EOFError, OSError) as error:
            self._die(f"its leg computer does not answer ({error})")
            return ()

    def add(self, fault: LinkFault) -> None:
        """Let something happen that was not on the plan; may start at once.

        Raises:
            ConfigError: If it cannot happen to a process.
        """
        if fault.kind == "babble":
            raise ConfigError(
                "a leg that is a process of its own listens on a real port: babble "
                "there, or let the legs run in this process"
            )
        self._faults.append(fault)

    def _loses(self) -> bool:
        return self._lost_share > 0.0 and self._rng.random() < self._lost_share

    def _strike(self, now: float) -> None:
        """Let happen what is due."""
        for fault in [fault for fault in self._faults if fault.start <= now]:
            self._faults.remove(fault)
            if fault.kind == "killed":
                self.kill()
            elif fault.kind == "hung":
                self.hang()
            else:
                self._lost_share = fault.share

    def hang(self) -> None:
        """Let the leg's loop stand still, until its hardware watchdog restarts it."""
        if not self.is_dead:
            self.processes.wait_ready()
            pins.send(self.processes.pins, Kind.HANG)

    def ask(self) -> dict[str, Any]:
        """Return states and journal of the leg computer, for the eye."""
        return {} if self.is_dead else self.processes.ask()

    def kill(self) -> None:
        """Kill the leg computer's process without warning, as a fault would."""
        os.kill(self.processes.leg.pid, signal.SIGKILL)
        self._die("its process was killed")

    def close(self) -> None:
        """End the processes and free all sockets."""
        if self._caller is not None:
            self._caller.close()
        self.processes.close()

    def _die(self, how: str) -> None:
        self.obituary = how
        self.close()


def _end(
    sockets: Sequence[socket.socket],
    processes: Sequence[subprocess.Popen[bytes]],
    inbox: ReportInbox,
) -> None:
    """Close all sockets, which ends both processes, and wait for that."""
    for sock in sockets:
        sock.close()
    inbox.close()
    for process in processes:
        end_child(process)
