"""Terminal of a console, with a live last line that is edited key by key.

On a terminal keys are read one by one; lines of output scroll by above the line that
shows the status and what is being typed. Elsewhere lines are read and written as they
are.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import queue
import select
import shutil
import sys
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self, TextIO

_ESCAPE = "\x1b"
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}


class LineEditor:
    """Takes characters as a terminal sends them and gives whole lines back.

    Attributes:
        text: What has been typed of the line.
        cursor: Where the next character goes.
    """

    def __init__(self) -> None:
        self.text, self.cursor = "", 0
        self._history: list[str] = []
        self._chosen = 0
        self._sequence = ""

    def feed(self, char: str) -> str | None:
        """Take a character; return the line if it is complete.

        Raises:
            EOFError: For the end of the input (Ctrl-D on an empty line).
        """
        if self._sequence:
            return self._continue_sequence(char)
        match char:
            case "\r" | "\n":
                return self._complete()
            case "\x7f" | "\b":
                self._delete(self.cursor - 1)
            case "\x01":
                self.cursor = 0
            case "\x05":
                self.cursor = len(self.text)
            case "\x15":
                self.text, self.cursor = self.text[self.cursor :], 0
            case "\x04":
                if not self.text:
                    raise EOFError
                self._delete(self.cursor)
            case "\x1b":
                self._sequence = char
            case _ if char.isprintable():
                self.text = self.text[: self.cursor] + char + self.text[self.cursor :]
                self.cursor += len(char)
            case _:
                pass
        return None

    def _complete(self) -> str:
        line, self.text, self.cursor = self.text, "", 0
        if line.strip() and self._history[-1:] != [line]:
            self._history.append(line)
        self._chosen = len(self._history)
        return line

    def _delete(self, index: int) -> None:
        if 0 <= index < len(self.text):
            self.text = self.text[:index] + self.text[index + 1 :]
            self.cursor = index

    def _continue_sequence(self, char: str) -> None:
        """Take a part of what an arrow key sends; unknown sequences are swallowed."""
        self._sequence += char
        if self._sequence in (_ESCAPE + "[", _ESCAPE + "O"):
            return
        if self._sequence[1] in "[O" and not char.isalpha() and char != "~":
            return  # digits and semicolons: there is more to come
        key = _ARROWS.get(char, "") if self._sequence[1] in "[O" else ""
        if self._sequence == _ESCAPE + "[3~":
            self._delete(self.cursor)
        self._sequence = ""
        match key:
            case "up":
                self._choose(self._chosen - 1)
            case "down":
                self._choose(self._chosen + 1)
            case "left":
                self.cursor = max(self.cursor - 1, 0)
            case "right":
                self.cursor = min(self.cursor + 1, len(self.text))
            case "home":
                self.cursor = 0
            case "end":
                self.cursor = len(self.text)
            case _:
                pass

    def _choose(self, index: int) -> None:
        if not 0 <= index <= len(self._history):
            return
        self._chosen = index
        self.text = self._history[index] if index < len(self._history) else ""
        self.cursor = len(self.text)


_LOOK = 0.1  # [s] between two looks whether reading shall end


class Terminal:
    """Lines in and out, from any thread.

    Attributes:
        is_live: Whether there is a live last line.
        lines: Lines that were read, in their order; None: there will be no more.
    """

    def __init__(self, source: TextIO, target: TextIO) -> None:
        self._source, self._target = source, target
        self.is_live = is_terminal(source) and is_terminal(target)
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._lock = threading.RLock()
        self._editor = LineEditor()
        self._status, self._prompt = "", "> "
        self._is_over = threading.Event()
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        read = self._read_keys if self.is_live else self._read_lines
        if self.is_live:
            self._stack.enter_context(_key_by_key(self._source))
        self._thread = threading.Thread(target=read, name="typed lines", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_over.set()
        if self.is_live:
            self._thread.join()  # a file may block for ever, keys do not
            self._put("\r\x1b[K")
        self._stack.close()

    def print(self, text: str) -> None:
        """Write lines; on a terminal above the live line."""
        with self._lock:
            if self.is_live:
                self._put("\r\x1b[K" + text.replace("\n", "\r\n") + "\r\n")
                self._draw()
            else:
                self._put(text + "\n")

    def show_status(self, status: str, prompt: str) -> None:
        """Renew the live line; elsewhere nothing is shown."""
        if self.is_live:
            with self._lock:
                self._status, self._prompt = status, prompt
                self._draw()

    def _draw(self) -> None:
        """Draw status, prompt and what is typed into one row."""
        width = max(shutil.get_terminal_size().columns - 1, 10)
        status = self._status[: max(width - len(self._prompt) - 12, 0)]
        head = f"{status} {self._prompt}" if status else self._prompt
        head = head[: width - 1]
        room = width - len(head)
        start = max(self._editor.cursor - room, 0)
        typed = self._editor.text[start : start + room]
        column = len(head) + self._editor.cursor - start
        dim = f"\x1b[2m{head[: len(status)]}\x1b[0m{head[len(status) :]}"
        self._put(f"\r\x1b[K{dim}{typed}\r\x1b[{column}C")

    def _put(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody reads any more
            self._target.write(text)
            self._target.flush()

    def _read_lines(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in self._source:
                if self._is_over.is_set():
                    return
                self.lines.put(line)
        self.lines.put(None)

    def _read_keys(self) -> None:
        fd = self._source.fileno()
        decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        while not self._is_over.is_set():
            if not select.select([fd], [], [], _LOOK)[0]:
                continue
            data = os.read(fd, 1024)
            if not data:
                break
            try:
                for char in decode(data):
                    self._take(char)
            except EOFError:
                break
        self.lines.put(None)

    def _take(self, char: str) -> None:
        with self._lock:
            line = self._editor.feed(char)
            if line is not None:
                self._put(f"\r\x1b[K{self._prompt}{line}\r\n")
                self.lines.put(line)
            self._draw()


def is_terminal(stream: Any) -> bool:
    """Return whether escape sequences and single keys make sense on a stream."""
    try:
        return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"
    except (AttributeError, ValueError):
        return False


@contextlib.contextmanager
def _key_by_key(source: TextIO) -> Iterator[None]:
    """Let a terminal send keys at once and not echo them; Ctrl-C stays what it is."""
    if sys.platform == "win32":
        yield
        return
    import termios

    fd = source.fileno()
    before = termios.tcgetattr(fd)
    settings = termios.tcgetattr(fd)
    settings[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(fd, termios.TCSADRAIN, settings)
    try:
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
