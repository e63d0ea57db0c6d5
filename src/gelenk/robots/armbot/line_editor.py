"""`LineEditor`: one line of typed text, key by key, with a history."""

from __future__ import annotations

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
