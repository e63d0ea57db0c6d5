"""Cuts an environment file into words, without its comments, and knows their places."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass

from gelenk.robots.armbot.environment.description import Place

_BLANK = re.compile(r"\s+")
_WORD = re.compile(r"(?:(?!//|/\*)\S)+")
_LINE_STOP = re.compile(r"\n|/\*|//")


@dataclass(frozen=True, slots=True)
class Token:
    """A word without blanks.

    Attributes:
        text: As written.
        offset: Of its first character in the text.
        is_first: Whether nothing but blanks and comments stand before it in its line.
    """

    text: str
    offset: int
    is_first: bool


@dataclass(frozen=True, slots=True)
class Line:
    """The rest of a line, comments taken out, ends trimmed.

    Attributes:
        text: May be empty.
        offset: Of its first character in the file.
        is_whole: Whether it is one piece of the file, so that offsets into `text` are
            offsets into the file.
    """

    text: str
    offset: int
    is_whole: bool


class Scanner:
    r"""Reads a text word by word, or to the end of the line where the grammar says so.

    Lines may end in "\n", "\r\n" or "\r"; tabs count as one column.

    Attributes:
        open_comment: Offset of a `/*` that nobody closes, or None; nothing is read
            behind it.
    """

    def __init__(self, text: str, file: str) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.file = file
        self.open_comment: int | None = None
        self._at = 0
        self._next: Token | None = None
        self._is_fresh_line = True
        self._line_starts = [0]
        self._line_starts += [m.end() for m in re.finditer(r"\n", self.text)]

    def place(self, offset: int) -> Place:
        """Return line and column of an offset, counted from 1."""
        line = bisect.bisect_right(self._line_starts, offset)
        return Place(self.file, line, offset - self._line_starts[line - 1] + 1)

    def peek(self) -> Token | None:
        """Return the next word and leave it there; None at the end of the file."""
        if self._next is None:
            self._skip()
            match = _WORD.match(self.text, self._at)
            if match is not None:
                self._next = Token(match[0], match.start(), self._is_fresh_line)
        return self._next

    def take(self) -> Token | None:
        """Return the next word and move on; None at the end of the file."""
        token = self.peek()
        if token is not None:
            self._at = token.offset + len(token.text)
            self._is_fresh_line = False
            self._next = None
        return token

    def take_line(self) -> Line:
        """Return what stands between the last taken word and the end of its line.

        Here `//` begins a comment only at the start or after a blank. A `/* */` is
        taken out; if it runs over several lines, the value ends where its last one
        does.
        """
        first = start = at = self._at
        pieces: list[tuple[int, str]] = []
        while True:
            stop = _LINE_STOP.search(self.text, at)
            end = self._at = len(self.text) if stop is None else stop.start()
            if stop is None or stop[0] == "\n":
                break
            if stop[0] == "/*":
                pieces.append((start, self.text[start:end]))
                self._skip_block_comment()
                start = at = self._at
            elif end == start or self.text[end - 1].isspace():
                newline = self.text.find("\n", end)
                self._at = len(self.text) if newline < 0 else newline
                break
            else:
                at = stop.end()
        pieces.append((start, self.text[start:end]))
        filled = [(offset, text) for offset, text in pieces if text.strip()]
        if not filled:
            return Line("", first, True)
        offset, text = filled[0]
        offset += len(text) - len(text.lstrip())
        value = " ".join(text for _, text in pieces).strip()
        return Line(value, offset, len(filled) == 1)

    def _skip(self) -> None:
        """Move over blanks and comments."""
        while True:
            start = self._at
            blank = _BLANK.match(self.text, self._at)
            if blank is not None:
                self._at = blank.end()
                self._is_fresh_line |= "\n" in blank[0]
            if self.text.startswith("//", self._at):
                newline = self.text.find("\n", self._at)
                self._at = len(self.text) if newline < 0 else newline
            elif self.text.startswith("/*", self._at):
                self._skip_block_comment()
            if self._at == start:
                return

    def _skip_block_comment(self) -> None:
        end = self.text.find("*/", self._at + 2)
        if end < 0:
            self.open_comment = self._at
            end = len(self.text)
        self._is_fresh_line |= "\n" in self.text[self._at : end]
        self._at = min(end + 2, len(self.text))
