"""Requests out of a stream of bytes from a network that may send anything."""

from __future__ import annotations

import re

MAX_HEAD = 4096  # bytes of a request with all its lines, browsers' included
_IS_HTTP = re.compile(rb" HTTP/1\.[01]\s*\Z")
_LENGTH = re.compile(rb"(?im)^content-length:[ \t]*(\d{1,9})[ \t]*\r?$")
_CLOSE = re.compile(rb"(?im)^connection:[ \t]*close[ \t]*\r?$")


class TextInbox:
    """Cuts a stream into request lines: HTTP with headers, or bare words on a line.

    Attributes:
        is_broken: Whether the stream is beyond repair: too long a text.
        wants_close: Whether the sender asked to close after the answer.
    """

    __slots__ = ("_buffer", "_skip", "is_broken", "wants_close")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._skip = 0
        self.is_broken = self.wants_close = False

    @property
    def is_waiting(self) -> bool:
        """Whether a text has begun and not ended."""
        return bool(self._buffer) or self._skip > 0

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes; return the request lines that they complete."""
        self._buffer += data
        lines: list[bytes] = []
        while not self.is_broken:
            skipped = min(self._skip, len(self._buffer))
            del self._buffer[:skipped]
            self._skip -= skipped
            end = self._buffer.find(b"\n")
            if end < 0 or self._skip:
                break
            line = bytes(self._buffer[:end]).rstrip(b"\r")
            if not line:
                del self._buffer[: end + 1]
            elif _IS_HTTP.search(line):
                if not self._take_head():
                    break
                lines.append(line)
            else:
                del self._buffer[: end + 1]
                lines.append(line)
        if len(self._buffer) > MAX_HEAD:
            self.is_broken = True
        return lines

    def finish(self) -> list[bytes]:
        """Return what stands in the last line when the sender has ended it so."""
        rest = bytes(self._buffer).strip()
        self._buffer.clear()
        is_words = rest and b"\n" not in rest and not self._skip
        return [rest] if is_words and len(rest) <= MAX_HEAD else []

    def _take_head(self) -> bool:
        """Remove a whole head, and the body that follows; False if it is not there."""
        found = re.search(rb"\r?\n\r?\n", self._buffer)
        if found is None:
            return False
        head = bytes(self._buffer[: found.end()])
        del self._buffer[: found.end()]
        length = _LENGTH.search(head)
        self._skip = int(length[1]) if length else 0
        if self._skip > MAX_HEAD:
            self.is_broken = True
        self.wants_close = _CLOSE.search(head) is not None or b"HTTP/1.0" in head
        return True
