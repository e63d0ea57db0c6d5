"""ComCtrl: packets in, packets out, a few at a time, and `stop` before all else."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from gelenk.robots.amee.config import WireCfg
from gelenk.robots.amee.wire.packets import HEADER_BIT, decode_values, encode
from gelenk.robots.amee.wire.table import (
    COMMANDS,
    REPORTS,
    Command,
    Header,
    Message,
    Report,
    Request,
)

PointSource = Callable[[], tuple[float, ...]]


class ComCtrl:
    """Input and output automata of the serial link.

    Args:
        cfg: Link settings.
        found: Gives the point that `Found` reports; data are taken when sent.
        measured: Gives the point that `stands` reports; None: that of `found`.

    Attributes:
        newest: Command that has arrived completely and was not taken.
        stop_seen: Whether `stop` came in this pass.
        next_seen: Whether `next` came in this pass.
        dropped: Packets that fitted nowhere, and messages cut short.
        lost: Reports that found the ring buffer full.
        received: Whether a packet came in this pass.
        sent: Whether a packet left in this pass.
    """

    __slots__ = (
        "_cfg",
        "_data",
        "_found",
        "_header",
        "_last_packet",
        "_measured",
        "_outgoing",
        "_ring",
        "dropped",
        "lost",
        "newest",
        "next_seen",
        "received",
        "sent",
        "stop_seen",
    )

    def __init__(
        self, cfg: WireCfg, found: PointSource, measured: PointSource | None = None
    ) -> None:
        self._cfg, self._found, self._measured = cfg, found, measured or found
        self._outgoing: deque[int] = deque()
        self._ring: deque[tuple[Report, int]] = deque()
        self.dropped = self.lost = 0
        self.clear()

    def clear(self) -> None:
        """Forget everything that came in; what goes out stays."""
        self._header: Header | None = None
        self._data: list[int] = []
        self._last_packet = 0.0
        self.newest: Request | None = None
        self.stop_seen = self.next_seen = self.received = self.sent = False

    def receive(self, now: float, packets: Sequence[int]) -> None:
        """Take the packets of one pass."""
        self.stop_seen = self.next_seen = False
        self.received = bool(packets)
        if not packets and self._header is None:
            return
        late = now - self._last_packet > self._cfg.timeout
        if self._header is not None and late:
            self._header = None
            self.dropped += 1
        for packet in packets:
            self._last_packet = now
            if packet & HEADER_BIT:
                self._take_header(packet & 0xFF)
            elif self._header is None:
                self.dropped += 1
            else:
                self._data.append(packet & 0xFF)
                if len(self._data) >= self._header.packets:
                    self._complete(self._header)

    def _take_header(self, index: int) -> None:
        if index == Command.STOP:
            self._header = None
            self.newest = None
            self.stop_seen = True
        elif index == Command.NEXT:
            self.next_seen = True
        elif index == Command.IDLE or index >= len(COMMANDS):
            self.dropped += index >= len(COMMANDS)
        else:
            self.dropped += self._header is not None
            self._header = COMMANDS[index]
            self._data = []
            if self._header.packets == 0:
                self._complete(self._header)

    def _complete(self, header: Header) -> None:
        values = decode_values(header, self._data, self._cfg.scale)
        self.newest = Request(Command(header.index), values)
        self._header = None

    def send(self, report: Report, value: int = 0) -> None:
        """Queue a report; the ring buffer holds four."""
        if len(self._ring) >= self._cfg.ring:
            self.lost += 1
            return
        self._ring.append((report, value))

    def transmit(self, room: int) -> list[int]:
        """Return the packets that leave in this pass, at most `room`."""
        packets: list[int] = []
        self.sent = False
        if not self._outgoing and not self._ring:
            return packets
        while len(packets) < room:
            if not self._outgoing:
                if not self._ring:
                    break
                self._load(*self._ring.popleft())
            packets.append(self._outgoing.popleft())
        self.sent = bool(packets)
        return packets

    def _load(self, report: Report, value: int) -> None:
        values: tuple[float, ...] = ()
        kind = REPORTS[report].kind
        if kind == "byte":
            values = (float(value),)
        elif kind == "point":
            values = self._found() if report == Report.FOUND else self._measured()
        self._outgoing.extend(encode(Message(report, values), self._cfg.scale).packets)
