"""The Ethernet computer of a leg, a process of its own: text in, frames out.

It speaks HTTP text with whoever connects, lets known messages through, and hands the
leg one frame after the other as the leg has room. What the leg reports goes to the
main controller, and to everybody who listens.
"""

from __future__ import annotations

import errno
import selectors
import signal
import socket
import time
from dataclasses import dataclass
from typing import Literal

from gelenk.robots.amee.bus import children
from gelenk.robots.amee.bus.serial import DONE, ROOM, SerialLink
from gelenk.robots.amee.bus.visitors import MAX_VISITORS, Reporter, Visitor
from gelenk.robots.amee.config import BUS_PORT
from gelenk.robots.amee.wire.gateway import Gateway
from gelenk.robots.amee.wire.table import COMMANDS, Message, WireProblem
from gelenk.robots.amee.wire.text import format_message, format_response, format_words

_SWEEP = 0.5  # [s], how often overdue visitors are looked for
_STREAM = (
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Cache-Control: no-store\r\nConnection: close\r\n\r\n"
)
_UNITS = {"point": "mm", "angle": "rad", "byte": "0..255", "none": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class EthernetCfg:
    """What the process is told at its start.

    Attributes:
        port: Where it listens on this machine; 0: any that is free.
        reports_to: Port of the main controller; 0: none.
        scale: Of values on the serial link.
        in_step: Whether the leg waits for answers to its handshakes.
    """

    port: int = BUS_PORT
    reports_to: int = 0
    scale: Literal["corrected", "thesis"] = "corrected"
    in_step: bool = False


class EthernetComputer:
    """Filter, flow control and all connections of one leg.

    Args:
        cfg: Settings.
        server: Listening socket.
        leg: Serial link to the leg.
        lifeline: Socket whose end means that the parent has gone.
    """

    def __init__(
        self,
        cfg: EthernetCfg,
        server: socket.socket,
        leg: SerialLink,
        lifeline: socket.socket,
    ) -> None:
        self._cfg, self._server, self._leg = cfg, server, leg
        self._gateway = Gateway(cfg.scale)
        self._reporter = Reporter(cfg.reports_to)
        self._visitors: list[Visitor] = []
        self._credit = 0
        self._reports = self._fresh = 0
        self._is_over = False
        self._next_sweep = 0.0
        self._selector = selectors.DefaultSelector()
        for source, handler in (
            (server, self._accept),
            (leg, self._hear_leg),
            (lifeline, self._leave),
        ):
            self._selector.register(source, selectors.EVENT_READ, handler)
        server.setblocking(False)

    def run(self) -> None:
        """Work until the parent has gone."""
        while not self._is_over:
            for key, _ in self._selector.select(_SWEEP):
                if isinstance(key.data, Visitor):
                    self._serve(key.data)
                else:
                    key.data()
            now = time.monotonic()
            if now >= self._next_sweep:
                self._next_sweep = now + _SWEEP
                for visitor in [v for v in self._visitors if v.has_stalled(now)]:
                    self._dismiss(visitor)
        for visitor in list(self._visitors):
            self._dismiss(visitor)
        self._reporter.close()
        self._selector.close()

    def _leave(self) -> None:
        self._is_over = True

    def _accept(self) -> None:
        try:
            sock, _ = self._server.accept()
        except OSError:
            return
        if len(self._visitors) >= MAX_VISITORS:  # whoever was silent longest makes room
            self._dismiss(min(self._visitors, key=lambda visitor: visitor.active))
        visitor = Visitor(sock)
        self._visitors.append(visitor)
        self._selector.register(visitor, selectors.EVENT_READ, visitor)

    def _dismiss(self, visitor: Visitor) -> None:
        if visitor in self._visitors:
            self._visitors.remove(visitor)
            # A closed socket has no number any more: it is found by its entry.
            for key in list(self._selector.get_map().values()):
                if key.data is visitor:
                    self._selector.unregister(key.fd)
        visitor.close()

    def _serve(self, visitor: Visitor) -> None:
        """Read a bite of one visitor and answer; then see what the leg may have."""
        if visitor not in self._visitors:
            return
        if visitor.has_unsent:
            visitor.flush()
        if visitor.is_open and not visitor.is_leaving:
            for line in visitor.read():
                self._answer(visitor, line)
            if visitor.is_broken:
                visitor.write(format_response(400, "a text without end"))
            visitor.flush()
        self._feed_leg()
        self._tidy(visitor)

    def _tidy(self, visitor: Visitor) -> None:
        """Let go of a visitor that has left; wake up when a slow one can read on."""
        if not visitor.is_open:
            self._dismiss(visitor)
            return
        events = 0 if visitor.is_leaving else selectors.EVENT_READ
        if visitor.has_unsent:
            events |= selectors.EVENT_WRITE
        self._selector.modify(visitor, events, visitor)

    def _answer(self, visitor: Visitor, line: bytes) -> None:
        words = line.removeprefix(b"GET ").split(b" ", maxsplit=1)[0].lstrip(b"/")
        if line.startswith(b"GET /") and words in (b"", b"help"):
            visitor.write(format_response(200, help_text()))
        elif words == b"listen":
            visitor.listens = True
            visitor.write(_STREAM)
        elif words == b"counts":
            visitor.write(format_response(200, self._counts()))
        else:
            found = self._gateway.receive_text(line)
            if isinstance(found, WireProblem):
                visitor.write(format_response(400, str(found)))
                complaint = self._gateway.complaint()
                if complaint is not None:
                    self._tell(complaint)
            elif not self._leg.is_open:
                visitor.write(format_response(503, "the leg computer is gone"))
            else:
                visitor.write(format_response(200, format_words(found)))

    def _counts(self) -> str:
        gateway = self._gateway
        return (
            f"refused {gateway.refused}\noverwritten {gateway.overwritten}\n"
            f"broken {gateway.broken}\nreports {self._reports}\n"
            f"lost {self._reporter.lost + self._leg.lost}\n"
            f"visitors {len(self._visitors)}"
        )

    def _feed_leg(self) -> None:
        """Send the leg what it has room for."""
        if self._credit and not self._cfg.in_step:
            frames = self._gateway.packets_for_leg(self._credit)
            self._credit -= len(frames)
            self._leg.send_frames(frames)
        self._leg.flush()

    def _hear_leg(self) -> None:
        """Take records of the leg."""
        for high, low in self._leg.receive():
            if high == ROOM and self._cfg.in_step:
                frames = self._gateway.packets_for_leg(low)
                self._leg.send_frames(frames)
                self._leg.send_line(ROOM, len(frames))
            elif high == ROOM:
                self._credit += low
            elif high == DONE:
                self._leg.send_line(DONE, self._fresh)
                self._fresh = 0
            else:
                self._report(high << 8 | low)
        self._feed_leg()
        if not self._leg.is_open:
            self._selector.unregister(self._leg)
            self._leg.close()

    def _report(self, frame: int) -> None:
        for message in self._gateway.receive_packets((frame,)):
            self._tell(message)

    def _tell(self, message: Message) -> None:
        self._reports += 1
        self._fresh += self._reporter.report(format_message(message))
        for visitor in [v for v in self._visitors if v.listens]:
            visitor.write(format_words(message) + "\n")
            self._tidy(visitor)


def help_text() -> str:
    """Return what one can say to a leg."""
    lines = ["One leg of AMEE. Say one of these, as /Header:value:value..."]
    for row in COMMANDS:
        number = f"{row.count} value{'s' * (row.count > 1)}"
        values = f"{number}, {_UNITS[row.kind]}" if row.count else ""
        lines.append(f"  /{row.name:<18}{values}".rstrip())
    lines += ["  /listen             what the leg reports, as it comes"]
    lines += ["  /counts             what its filter has seen"]
    return "\n".join(lines)


def open_server(port: int) -> socket.socket:
    """Return a listening socket on this machine.

    Raises:
        OSError: If the port is taken.
    """
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind(("127.0.0.1", port))
        server.listen(MAX_VISITORS)
    except OSError:
        server.close()
        raise
    return server


def main(lifeline_fd: int, leg_fd: int) -> None:
    """Run the process: say on which port it listens, then work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides about the end
    with socket.socket(fileno=lifeline_fd) as lifeline:
        try:
            cfg: EthernetCfg = children.receive_setup(lifeline)
        except EOFError:
            return
        try:
            server = open_server(cfg.port)
        except OSError as error:
            children.send_setup(lifeline, error.errno or errno.EADDRINUSE)
            return
        with server:
            children.send_setup(lifeline, (server.getsockname()[1],))
            leg = SerialLink(socket.socket(fileno=leg_fd))
            EthernetComputer(cfg, server, leg, lifeline).run()
