"""One leg in this process, spoken to as over the bus: text in, text out.

The same texts, the same bus guardian and the same packets as with legs that are
processes of their own; one pass of the leg's loop for each call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import numpy as np

from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.leg.hardware import LegHardware
from gelenk.robots.amee.leg.mcu import LegMcu
from gelenk.robots.amee.wire import (
    Gateway,
    Message,
    Request,
    format_message,
    format_request,
    parse_message,
)

LinkFaultKind: TypeAlias = Literal["killed", "hung", "messages_lost", "babble"]

# What a babbling node says: unknown, cut off, out of range, no text at all.
RUBBISH = (
    b"GET /Explode:1 HTTP/1.1\r\n\r\n",
    b"GET /Move2Point:0:-400 HTTP/1.1\r\n\r\n",
    b"GET /Move2Point:NaN:inf:0 HTTP/1.1\r\n\r\n",
    b"\x00\xff\xfe\x01" * 40,
    b"GET /" + b"A" * 600,
    b"GET /speed:300 HTTP/1.1\r\n\r\n",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFault:
    """What happens to a leg's computer or its bus.

    Attributes:
        kind: `killed`: neither texts nor passes any more. `hung`: its loop stands
            still until its watchdog bites. `messages_lost`: some texts vanish.
            `babble`: somebody on the bus sends it rubbish all the time.
        leg: Index 0..3.
        start: When [s].
        share: Of the messages that are lost.
        rate: Of rubbish texts [1/s].
    """

    kind: LinkFaultKind
    leg: int
    start: float
    share: float = 0.05
    rate: float = 1000.0


class LegLink(Protocol):
    """A leg as a main controller sees it, wherever its computers are."""

    def send(self, request: Request) -> bool:
        """Put a command on the bus; return whether somebody was there to take it."""
        ...

    def pass_once(self, now: float) -> Sequence[Message]:
        """Let the leg's loop run once; return what it has put on the bus."""
        ...

    def add(self, fault: LinkFault) -> None:
        """Let something happen that was not on the plan; may start at once."""
        ...

    def close(self) -> None:
        """End whatever the leg runs in."""
        ...


class LocalLeg:
    """A leg's two computers and the wire between.

    Attributes:
        mcu: The leg's computer and its chip.
        gateway: The Ethernet computer.
        is_dead: Set from outside: nobody at home, neither texts nor passes.
    """

    __slots__ = (
        "_babble",
        "_faults",
        "_lost_share",
        "_rng",
        "gateway",
        "is_dead",
        "mcu",
    )

    def __init__(
        self,
        cfg: LegCfg,
        hardware: LegHardware,
        faults: Sequence[LinkFault] = (),
        seed: int = 0,
    ) -> None:
        self.mcu = LegMcu(cfg, hardware)
        self.gateway = Gateway(cfg.wire.scale)
        self.is_dead = False
        self._faults = list(faults)
        self._lost_share = self._babble = 0.0
        self._rng = np.random.default_rng([seed, cfg.number])

    def add(self, fault: LinkFault) -> None:
        """Let something happen that was not on the plan; may start at once."""
        self._faults.append(fault)

    def send(self, request: Request) -> bool:
        """Put a command on the bus; return whether somebody was there to take it."""
        if not self.is_dead and not self._loses():
            self.gateway.receive_text(format_request(request))
        return not self.is_dead

    def pass_once(self, now: float) -> Sequence[Message]:
        """Let the leg's loop run once; return what it has put on the bus."""
        if self._faults:
            self._strike(now)
        if self.is_dead:
            return ()
        if self._babble:
            self._hear_rubbish()
        room = self.mcu.computer.room
        packets = self.mcu.pass_once(now, self.gateway.packets_for_leg(room))
        reports: list[Message] = []
        complaint = self.gateway.complaint()
        if complaint is not None:
            reports.append(complaint)
        if not packets:
            return reports
        for report in self.gateway.receive_packets(packets):
            message = parse_message(format_message(report))
            if isinstance(message, Message) and not self._loses():
                reports.append(message)
        return reports

    def close(self) -> None:
        """Do nothing: the leg ends with this process."""

    def _loses(self) -> bool:
        return self._lost_share > 0.0 and self._rng.random() < self._lost_share

    def _strike(self, now: float) -> None:
        """Let happen what is due."""
        for fault in [fault for fault in self._faults if fault.start <= now]:
            self._faults.remove(fault)
            if fault.kind == "killed":
                self.is_dead = True
            elif fault.kind == "hung":
                self.mcu.is_hung = True
            elif fault.kind == "babble":
                self._babble = fault.rate * self.mcu.computer.cfg.pass_period
            else:
                self._lost_share = fault.share

    def _hear_rubbish(self) -> None:
        for _ in range(int(self._rng.poisson(self._babble))):
            self.gateway.receive_text(RUBBISH[int(self._rng.integers(len(RUBBISH)))])
