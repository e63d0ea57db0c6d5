"""Reader of text files that people write; errors name line and column."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_BREAK = re.compile(r"\r\n|\r|\n")


class TextFileError(Exception):
    """A file is no text; formats turn it into an error of their own.

    Attributes:
        problem: Message with what was expected, what came, what to do.
        line, column: Place, counted from 1; 0 if it is about the whole file.
    """

    def __init__(self, problem: str, line: int = 0, column: int = 0) -> None:
        super().__init__(problem)
        self.problem, self.line, self.column = problem, line, column


def read_text(path: str | Path, *, max_bytes: int, what: str) -> str:
    """Return the text of a UTF-8 file, a byte order mark included.

    Args:
        path: Path of the file.
        max_bytes: Largest size [byte]; longer files are refused unread.
        what: Kind of the file, with an article: "a motion file".

    Raises:
        TextFileError: If there is no such file, or it is no text.
    """
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(max_bytes + 1)
    except FileNotFoundError:
        problem = f"expected a file, got none{_near_files(Path(path))}"
        raise TextFileError(problem) from None
    except IsADirectoryError:
        raise TextFileError("expected a file, got a folder") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        raise TextFileError(f"expected a readable file, got {error}") from None
    if len(data) > max_bytes:
        raise TextFileError(
            f"expected at most {max_bytes} bytes, got more; is it {what}?"
        )
    return decode(data)


def decode(data: bytes) -> str:
    """Return UTF-8 bytes as text.

    Raises:
        TextFileError: With the place of the first byte that is not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        raise TextFileError(
            f"expected UTF-8 text, got the byte {data[error.start]:#04x}; save the "
            "file as UTF-8",
            *_place_after(before),
        ) from None


def plain_text(text: str, *, what: str) -> str:
    """Return a text without its byte order mark.

    Args:
        text: Text that was read.
        what: Kind of the file, with an article.

    Raises:
        TextFileError: With the place of the first control character.
    """
    text = text.removeprefix("\ufeff")
    control = _CONTROL.search(text)
    if control is not None:
        raise TextFileError(
            f"expected text, got the control character {ord(control[0]):#04x}; is it "
            f"{what}?",
            *_place_after(text[: control.start()]),
        )
    return text


def _place_after(before: str) -> tuple[int, int]:
    """Return line and column of what follows a text."""
    lines = _BREAK.split(before)
    return len(lines), len(lines[-1]) + 1


def _near_files(path: Path) -> str:
    try:
        names = [p.name for p in path.parent.iterdir() if p.is_file()]
    except (OSError, ValueError):
        return f"; the folder {path.parent} does not exist or cannot be read"
    close = difflib.get_close_matches(path.name, names, n=1)
    return f"; did you mean {path.parent / close[0]}?" if close else ""
