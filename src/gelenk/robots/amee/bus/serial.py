"""The serial link between the two computers of a leg, as records of two bytes.

A record is a 9-bit frame (first byte its ninth bit), or a handshake line: how many
frames the leg has room for, and in lock-step who has finished. Nothing here blocks for
longer than it is told to; a stuck other end costs records, never time.
"""

from __future__ import annotations

import contextlib
import select
import socket
import time
from collections import deque
from collections.abc import Iterable, Sequence

from gelenk.robots.amee.wire.packets import bytes_from_packets

ROOM, DONE = 2, 3  # first bytes that are no frame
_MOST_UNSENT = 4096  # bytes; what a stuck other end does not take is lost
_LOCKSTEP_WAIT = 5.0  # [s] of wall time


class SerialLink:
    """One end of the link.

    Args:
        sock: A stream; made non-blocking.

    Attributes:
        is_open: Whether the other end is there.
        lost: Records that the other end did not take.
    """

    __slots__ = ("_rest", "_sock", "_unsent", "is_open", "lost")

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._rest = b""
        self._unsent = bytearray()
        self.is_open = True
        self.lost = 0

    def fileno(self) -> int:
        """Return the number of the socket."""
        return self._sock.fileno()

    def send_frames(self, frames: Sequence[int]) -> None:
        """Send 9-bit frames."""
        self._send(bytes_from_packets(frames))

    def send_line(self, line: int, value: int) -> None:
        """Send `ROOM` or `DONE` with a number 0..255."""
        self._send(bytes((line, min(value, 255))))

    def receive(self) -> list[tuple[int, int]]:
        """Return records that have arrived."""
        try:
            data = self._sock.recv(4096)
        except (BlockingIOError, InterruptedError):
            return []
        except OSError:
            data = b""
        if not data:
            self.is_open = False
            return []
        data = self._rest + data
        even = len(data) & ~1
        self._rest = data[even:]
        return list(zip(data[0:even:2], data[1:even:2], strict=True))

    def _send(self, data: bytes) -> None:
        if not self.is_open:
            return
        if len(self._unsent) + len(data) > _MOST_UNSENT:
            self.lost += len(data) // 2
            return
        self._unsent += data
        self.flush()

    def flush(self) -> None:
        """Send what could not be sent before."""
        while self._unsent and self.is_open:
            try:
                del self._unsent[: self._sock.send(self._unsent)]
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                self.is_open = False

    def close(self) -> None:
        """Close the socket."""
        self.is_open = False
        with contextlib.suppress(OSError):
            self._sock.close()


class LegEnd:
    """The leg's side: takes no more frames than it has room for.

    Args:
        link: To the Ethernet computer.
        in_step: Whether each exchange waits for its answer.
    """

    __slots__ = ("_credit", "_frames", "_in_step", "_link")

    def __init__(self, link: SerialLink, *, in_step: bool) -> None:
        self._link, self._in_step = link, in_step
        self._frames: deque[int] = deque()
        self._credit = 0

    def take(self, room: int) -> list[int]:
        """Return frames for one pass, at most `room`."""
        wanted = room - self._credit - len(self._frames)
        if self._in_step:
            self._link.send_line(ROOM, room)
            self._wait(ROOM)
        else:
            if wanted > 0:
                self._link.send_line(ROOM, wanted)
                self._credit += wanted
            self._sort(self._link.receive())
            self._link.flush()
        count = min(room, len(self._frames))
        return [self._frames.popleft() for _ in range(count)]

    def give(self, frames: Sequence[int]) -> int:
        """Send what a pass has put out; return the reports that it completed.

        Out of step nobody waits, and the number is 0.
        """
        if not frames:
            return 0
        self._link.send_frames(frames)
        if not self._in_step:
            return 0
        self._link.send_line(DONE, 0)
        return self._wait(DONE)

    def _wait(self, line: int) -> int:
        """Wait for a handshake line; return its number, 0 if none comes."""
        end = time.monotonic() + _LOCKSTEP_WAIT
        while self._link.is_open and time.monotonic() < end:
            select.select([self._link], [], [], _LOCKSTEP_WAIT)
            number = self._sort(self._link.receive()).get(line)
            if number is not None:
                return number
        return 0

    def _sort(self, records: Iterable[tuple[int, int]]) -> dict[int, int]:
        """Put frames in line; return the handshake lines."""
        lines: dict[int, int] = {}
        for high, low in records:
            if high >= ROOM:
                lines[high] = low
            else:
                self._frames.append(high << 8 | low)
                self._credit = max(0, self._credit - 1)
        return lines
