"""The main controller's side of the bus: it calls legs, and legs call it."""

from __future__ import annotations

import contextlib
import re
import socket

from gelenk.robots.amee.bus.http import TextInbox
from gelenk.robots.amee.wire.table import Message, Request
from gelenk.robots.amee.wire.text import format_request, format_response, parse_message

TIMEOUT = 10.0  # [s] of wall time
_MAX_ANSWER = 1 << 14  # bytes
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")
_LENGTH = re.compile(rb"(?im)^content-length: *(\d{1,6})\r?$")
_THANKS = format_response(200, "ok").encode()


class Caller:
    """A kept connection to a leg, made anew once when it has broken.

    Args:
        port: Of the leg's Ethernet computer.
        timeout: Longest wait for an answer [s].
    """

    def __init__(self, port: int, timeout: float = TIMEOUT) -> None:
        self._port, self._timeout = port, timeout
        self._sock: socket.socket | None = None

    def call(self, request: Request) -> tuple[int, str]:
        """Send a command; return status and text of the answer.

        Raises:
            OSError: If nobody answers.
        """
        return self.call_text(format_request(request, f"localhost:{self._port}"))

    def call_text(self, text: str) -> tuple[int, str]:
        """Send a text; return status and text of the answer.

        Raises:
            OSError: If nobody answers.
        """
        for attempt in range(2):
            try:
                if self._sock is None:
                    self._sock = socket.create_connection(
                        ("127.0.0.1", self._port), self._timeout
                    )
                    self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._sock.sendall(text.encode())
                return self._answer(self._sock)
            except TimeoutError:
                self.close()
                raise
            except OSError:
                self.close()
                if attempt:
                    raise
        raise AssertionError

    def close(self) -> None:
        """Close the connection."""
        if self._sock is not None:
            self._sock.close()
            self._sock = None

    @staticmethod
    def _answer(sock: socket.socket) -> tuple[int, str]:
        data = bytearray()
        while len(data) < _MAX_ANSWER:
            head = data.find(b"\r\n\r\n")
            if head >= 0:
                status = _STATUS.match(data)
                length = _LENGTH.search(data[:head])
                if status is None or length is None:
                    break
                end = head + 4 + int(length[1])
                if len(data) >= end:
                    text = data[head + 4 : end].decode("utf-8", "replace")
                    return int(status[1]), text.rstrip("\n")
            more = sock.recv(4096)
            if not more:
                raise ConnectionResetError("the leg closed the connection")
            data += more
        raise ConnectionAbortedError("the leg's answer is no HTTP")


class ReportInbox:
    """Where one leg delivers its reports.

    Attributes:
        port: On this machine.
        refused: Texts that were no report.
    """

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0), backlog=4)
        self._server.settimeout(TIMEOUT)
        self.port: int = self._server.getsockname()[1]
        self._sock: socket.socket | None = None
        self._texts = TextInbox()
        self._reports: list[Message] = []
        self.refused = 0

    def take(self, count: int, timeout: float = TIMEOUT) -> list[Message]:
        """Return so many reports, or fewer if the leg falls silent before.

        Args:
            count: How many to wait for.
            timeout: Longest wait for more bytes [s].
        """
        while len(self._reports) < count:
            if not self._receive(timeout):
                break
        taken, self._reports = self._reports[:count], self._reports[count:]
        return taken

    def _receive(self, timeout: float) -> bool:
        """Read once; return whether something came or another caller may."""
        try:
            if self._sock is None:
                self._server.settimeout(timeout)
                self._sock, _ = self._server.accept()
                self._texts = TextInbox()
            self._sock.settimeout(timeout)
            data = self._sock.recv(4096)
        except TimeoutError:
            return False
        except OSError:
            data = b""
        lines = self._texts.feed(data)
        if not data or self._texts.is_broken:
            self._hang_up()
        for line in lines:
            message = parse_message(line)
            if isinstance(message, Message):
                self._reports.append(message)
            else:
                self.refused += 1
            if self._sock is not None:
                with contextlib.suppress(OSError):
                    self._sock.sendall(_THANKS)
        return self._server.fileno() >= 0

    def _hang_up(self) -> None:
        if self._sock is not None:
            self._sock.close()
            self._sock = None

    def close(self) -> None:
        """Close all sockets."""
        self._hang_up()
        self._server.close()
