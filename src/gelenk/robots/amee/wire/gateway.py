"""The Ethernet computer of a leg: a bus guardian between text and packets.

It lets known messages through and nothing else, so that a babbling node on the bus
cannot disturb the leg. The leg's readiness sets the pace: packets leave only when the
leg has room. While one message is on its way only `stop` and `next` are served; of
others the newest waits, and older ones that wait are overwritten.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from gelenk.robots.amee.wire.packets import (
    HEADER_BIT,
    Scale,
    decode_message,
    encode,
)
from gelenk.robots.amee.wire.table import (
    REPORTS,
    Command,
    ErrorCode,
    Message,
    Report,
    Request,
    WireProblem,
)
from gelenk.robots.amee.wire.text import parse_request

COMPLAIN_AFTER = 200  # texts that were no message, A
COMPLAINT = Message(Report.ERROR, (float(ErrorCode.REFUSED),))


class Gateway:
    """Filter and flow control of one leg, without sockets.

    Args:
        scale: Of 16-bit values.

    Attributes:
        refused: Texts that were no message.
        overwritten: Messages that a newer one replaced before they were sent.
        broken: Reports of the leg that made no sense.
    """

    __slots__ = (
        "_complained",
        "_incoming",
        "_scale",
        "_sending",
        "_urgent",
        "_waiting",
        "broken",
        "overwritten",
        "refused",
    )

    def __init__(self, scale: Scale = "corrected") -> None:
        self._scale: Scale = scale
        self._sending: deque[int] = deque()
        self._urgent: deque[int] = deque()
        self._waiting: Request | None = None
        self._incoming: list[int] = []
        self._complained = 0
        self.refused = 0
        self.overwritten = 0
        self.broken = 0

    def receive_text(self, raw: bytes | str) -> Request | WireProblem:
        """Take one text from the bus; return what it was understood as."""
        request = parse_request(raw)
        if isinstance(request, WireProblem):
            self.refused += 1
            return request
        self.receive(request)
        return request

    def complaint(self) -> Message | None:
        """Return a report if too many texts were refused since the last one."""
        if self.refused - self._complained < COMPLAIN_AFTER:
            return None
        self._complained = self.refused
        return COMPLAINT

    def receive(self, request: Request) -> None:
        """Take one command that has passed the whitelist."""
        if request.command == Command.STOP:
            self._sending.clear()
            self._urgent.clear()
            self._waiting = None
            self._urgent.append(HEADER_BIT | Command.STOP)
        elif request.command == Command.NEXT:
            # Two releases that meet before the leg has seen one are one release.
            if not self._urgent or self._urgent[-1] != HEADER_BIT | Command.NEXT:
                self._urgent.append(HEADER_BIT | Command.NEXT)
        elif request.command != Command.IDLE:
            self.overwritten += self._waiting is not None
            self._waiting = request

    def packets_for_leg(self, room: int) -> list[int]:
        """Return the next packets, at most as many as the leg has room for."""
        packets: list[int] = []
        while len(packets) < room:
            if self._urgent:
                packets.append(self._urgent.popleft())
            elif self._sending:
                packets.append(self._sending.popleft())
            elif self._waiting is not None:
                self._sending.extend(encode(self._waiting, self._scale).packets)
                self._waiting = None
            else:
                break
        return packets

    def receive_packets(self, packets: Sequence[int]) -> list[Message]:
        """Take packets from the leg; return the reports they complete."""
        reports: list[Message] = []
        for packet in packets:
            if packet & HEADER_BIT:
                self.broken += bool(self._incoming)
                self._incoming.clear()
            elif not self._incoming:
                self.broken += 1
                continue
            self._incoming.append(packet)
            index = self._incoming[0] & 0xFF
            if index >= len(REPORTS):
                self.broken += 1
                self._incoming.clear()
            elif len(self._incoming) > REPORTS[index].packets:
                message = decode_message(self._incoming, self._scale)
                if isinstance(message, Message):
                    reports.append(message)
                self._incoming.clear()
        return reports
