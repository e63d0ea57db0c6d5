"""Connections of the Ethernet computer: whoever talks to a leg, and how badly.

Every buffer has a limit and every wait an end: a visitor that sends half a text, never
reads its answers, or only holds the line, loses its connection and nobody else's.
"""

from __future__ import annotations

import contextlib
import socket
import time

from gelenk.robots.amee.bus.http import TextInbox

MAX_VISITORS = 16
_BITE = 1024  # bytes of one visitor at a time, so that others get their turn
_MOST_UNREAD = 1 << 16  # bytes of answers that a visitor may leave unread
_PATIENCE = 2.0  # [s], for the rest of a text that has begun


class Visitor:
    """One accepted connection.

    Args:
        sock: The connection; made non-blocking.

    Attributes:
        listens: Whether it wants the leg's reports.
        is_open: Whether it is still there.
        active: When it last said something [s].
    """

    __slots__ = (
        "_begun",
        "_has_ended",
        "_inbox",
        "_sock",
        "_unsent",
        "active",
        "is_open",
        "listens",
    )

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sock = sock
        self._inbox = TextInbox()
        self._unsent = bytearray()
        self._begun = 0.0
        self._has_ended = False
        self.active = time.monotonic()
        self.listens = False
        self.is_open = True

    def fileno(self) -> int:
        """Return the number of the socket."""
        return self._sock.fileno()

    @property
    def has_unsent(self) -> bool:
        """Whether answers wait to be read."""
        return bool(self._unsent)

    @property
    def is_leaving(self) -> bool:
        """Whether it says nothing more and wants no more than its answers."""
        wants_close = self._inbox.wants_close and not self.listens
        return self._has_ended or wants_close or self._inbox.is_broken

    def read(self) -> list[bytes]:
        """Return request lines that have arrived."""
        try:
            data = self._sock.recv(_BITE)
        except (BlockingIOError, InterruptedError):
            return []
        except OSError:
            self.close()
            return []
        self.active = time.monotonic()
        if not data:
            self._has_ended = True
            return self._inbox.finish()
        was_waiting = self._inbox.is_waiting
        lines = self._inbox.feed(data)
        if not was_waiting or lines:
            self._begun = self.active
        return lines

    @property
    def is_broken(self) -> bool:
        """Whether what it sends cannot be cut into texts any more."""
        return self._inbox.is_broken

    def write(self, text: str) -> None:
        """Send an answer; one who never reads is dropped."""
        if len(self._unsent) > _MOST_UNREAD:
            self.close()
            return
        self._unsent += text.encode()
        self.flush()

    def flush(self) -> None:
        """Send what could not be sent before; leave when all is said."""
        while self._unsent and self.is_open:
            try:
                del self._unsent[: self._sock.send(self._unsent)]
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                self.close()
        if self.is_leaving and not self._unsent:
            self.close()

    def has_stalled(self, now: float) -> bool:
        """Return whether the rest of a text, or of a farewell, is overdue."""
        if self.is_leaving:
            return now - self.active > _PATIENCE
        return self._inbox.is_waiting and now - self._begun > _PATIENCE

    def close(self) -> None:
        """Close the connection."""
        self.is_open = False
        with contextlib.suppress(OSError):
            self._sock.close()


class Reporter:
    """The leg's own connection to the main controller, made anew when it breaks.

    Args:
        port: Where the main controller listens on this machine; 0: nowhere.

    Attributes:
        lost: Reports that could not be delivered.
    """

    __slots__ = ("_port", "_retry", "_sock", "lost")

    def __init__(self, port: int) -> None:
        self._port = port
        self._sock: socket.socket | None = None
        self._retry = 0.0
        self.lost = 0
        self._connect()

    def report(self, text: str) -> bool:
        """Deliver a report; return whether it is on its way."""
        if self._sock is None:
            self._connect()
        for _ in range(2):  # a connection that has just broken is made anew once
            if self._sock is None:
                break
            try:
                self._drop_answers()
                self._sock.sendall(text.encode())
                return True
            except OSError:
                self.close()
                self._retry = 0.0
                self._connect()
        self.lost += self._port > 0
        return False

    def close(self) -> None:
        """Close the connection."""
        if self._sock is not None:
            self._sock.close()
            self._sock = None

    def _connect(self) -> None:
        now = time.monotonic()
        if not self._port or now < self._retry:
            return
        self._retry = now + 0.5
        try:
            self._sock = socket.create_connection(("127.0.0.1", self._port), 1.0)
            self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            self._sock = None

    def _drop_answers(self) -> None:
        """Read what the main controller answered; an end of it is an error."""
        assert self._sock is not None
        self._sock.setblocking(False)
        try:
            while data := self._sock.recv(4096):
                del data
            raise ConnectionResetError
        except (BlockingIOError, InterruptedError):
            pass
        finally:
            self._sock.settimeout(1.0)
