"""One leg in this process, spoken to as over the bus: text in, text out.

The same texts, the same bus guardian and the same packets as with legs that are
processes of their own; one pass of the leg's loop for each call.
"""

from __future__ import annotations

from collections.abc import Sequence

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


class LocalLeg:
    """A leg's two computers and the wire between.

    Args:
        cfg: Settings of the leg.
        hardware: Its pins.

    Attributes:
        mcu: The leg's computer and its chip.
        gateway: The Ethernet computer.
        is_dead: Set from outside: nobody at home, neither texts nor passes.
    """

    __slots__ = ("gateway", "is_dead", "mcu")

    def __init__(self, cfg: LegCfg, hardware: LegHardware) -> None:
        self.mcu = LegMcu(cfg, hardware)
        self.gateway = Gateway(cfg.wire.scale)
        self.is_dead = False

    def send(self, request: Request) -> None:
        """Put a command on the bus."""
        if not self.is_dead:
            self.gateway.receive_text(format_request(request))

    def pass_once(self, now: float) -> Sequence[Message]:
        """Let the leg's loop run once; return what it has put on the bus."""
        if self.is_dead:
            return ()
        room = self.mcu.computer.room
        packets = self.mcu.pass_once(now, self.gateway.packets_for_leg(room))
        if not packets:
            return ()
        reports: list[Message] = []
        for report in self.gateway.receive_packets(packets):
            message = parse_message(format_message(report))
            if isinstance(message, Message):
                reports.append(message)
        return reports
