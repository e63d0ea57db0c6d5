"""Words, tokens and problems of a motion file."""

from __future__ import annotations

import bisect
import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from gelenk.errors import FileFormatError
from gelenk.robots.nao.joints import BODY_JOINTS


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file, counted from 1; 0 where it stands nowhere."""

    line: int = 0
    column: int = 0


NOWHERE = Place()


JOINTS = frozenset(BODY_JOINTS)
NUM_JOINTS = len(BODY_JOINTS)
LINE_WORDS = ("label", "transition", "hardness")
KEYWORDS = frozenset((*LINE_WORDS, "milestone", *BODY_JOINTS))
ENTRY = "motions"
ENTRY_LABEL = "start"

MAX_BYTES = 256 * 1024  # of a file; the calibration has some ten thousand
MAX_TRANSITIONS = 500  # of a file, mirrored ones included
MAX_LINES = 20_000  # of a file, mirrored ones included
MAX_ANGLE = 360.0  # [deg] that a number may be away from 0
MAX_DURATION_MS = 600_000
MAX_SPEED = 10_000  # [deg/s]

TOKEN = re.compile(
    r"(?P<word>[A-Za-z][A-Za-z0-9]*)"
    r"|(?P<number>[+-]?[0-9]+(?:\.[0-9]*)?)"
    r"|(?P<sign>[(){},|*#])"
)
BLANK = re.compile(r"(?:\s|//[^\n]*)+")
# After a number these need a blank, or it is a slip such as 1.2.3 or 10ms.
GLUED = re.compile(r"[A-Za-z0-9_.]+")
ODD = re.compile(r"[^\s(){},|*#/]+|/")


class Token(NamedTuple):
    """A piece of the text.

    Attributes:
        kind: "odd" is what no rule allows; "end" is the end of the file, with no text.
        text: As written.
        place: Of its first character.
        is_first: Whether only blanks stand before it in its line.
    """

    kind: Literal["word", "number", "sign", "odd", "end"]
    text: str
    place: Place
    is_first: bool


def cut(text: str) -> list[Token]:
    r"""Return the tokens of a text; the last one is the end.

    Lines may end in "\n", "\r\n" or "\r"; tabs count as one column.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(offset: int) -> Place:
        line = bisect.bisect_right(line_starts, offset)
        return Place(line, offset - line_starts[line - 1] + 1)

    tokens: list[Token] = []
    at, last_line = 0, 0
    while True:
        blank = BLANK.match(text, at)
        at = at if blank is None else blank.end()
        here = place(at)
        is_first, last_line = here.line != last_line, here.line
        if at == len(text):
            tokens.append(Token("end", "", here, True))
            return tokens
        kind, piece = _next(text, at)
        tokens.append(Token(kind, piece, here, is_first))  # type: ignore[arg-type]
        at += len(piece)


def _next(text: str, at: int) -> tuple[str, str]:
    match = TOKEN.match(text, at)
    if match is None:
        odd = ODD.match(text, at)
        return "odd", odd[0] if odd else text[at]
    kind = match.lastgroup or "odd"
    if kind != "sign":
        # `LHipRoll_` and `10ms` are one slip each, not two tokens.
        glued = GLUED.match(text, match.end())
        if glued is not None:
            return "odd", match[0] + glued[0]
    return kind, match[0]


MAX_PROBLEMS = 100  # more are counted, not listed
MAX_LOOKUPS = 20  # of near words in one file; each one costs time
MAX_QUOTED = 40  # characters of the file that a message repeats
MAX_CANDIDATES = 500  # words among which a near one is looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One mistake: where it is, and what was expected, what came, what to do.

    Attributes:
        file: Path as the user gave it.
        place: Line 0 if it is about the file as a whole.
        text: The message.
        severity: A "warning" does not keep the file from being played.
    """

    file: str
    place: Place
    text: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        where = self.file
        if self.place.line:
            where += f":{self.place.line}:{self.place.column}"
        warning = "warning: " if self.severity == "warning" else ""
        return f"{where}: {warning}{self.text}"


class MotionFileError(FileFormatError):
    """A motion file cannot be played.

    Attributes:
        problems: Its errors in the order of the file.
        num_more: How many were found beyond the listed ones.
    """

    def __init__(self, problems: Iterable[Problem], *, num_more: int = 0) -> None:
        self.problems, self.num_more = tuple(problems), num_more
        first = self.problems[0]
        super().__init__(first.file, first.text, line=first.place.line or None)
        lines = [str(problem) for problem in self.problems]
        if num_more:
            lines.append(f"... and {num_more} more problems")
        self.args = ("\n".join(lines),)


class ProblemList:
    """Collects the problems of one file; keeps the first ones and counts the rest."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.num_more = 0
        self._problems: list[Problem] = []
        self._lookups_left = MAX_LOOKUPS

    def add(self, place: Place, text: str) -> None:
        """Note an error; `text` is lower case and has no full stop."""
        self._note(Problem(file=self.file, place=place, text=text))

    def warn(self, place: Place, text: str) -> None:
        """Note something that is odd but can be played."""
        self._note(Problem(file=self.file, place=place, text=text, severity="warning"))

    def _note(self, problem: Problem) -> None:
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.append(problem)
        else:
            self.num_more += 1

    def sorted(self) -> list[Problem]:
        """Return errors and warnings in the order of the file."""
        return sorted(self._problems, key=lambda p: (p.place.line, p.place.column))

    @property
    def has_errors(self) -> bool:
        return any(problem.severity == "error" for problem in self._problems)

    def raise_if_any(self) -> None:
        """Raise MotionFileError if there is an error."""
        errors = [p for p in self.sorted() if p.severity == "error"]
        if errors:
            raise MotionFileError(errors, num_more=self.num_more)

    def did_you_mean(self, word: str, words: Iterable[str]) -> str:
        """Return "; did you mean X?" or nothing; after many lookups nothing."""
        candidates = list(words)[:MAX_CANDIDATES]
        if self._lookups_left == 0 or len(word) > MAX_QUOTED:
            return ""
        self._lookups_left -= 1
        folded = {candidate.lower(): candidate for candidate in candidates}
        close = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=0.7)
        return f"; did you mean {folded[close[0]]}?" if close else ""


def quote(text: str) -> str:
    """Return a piece of the file as a message repeats it, cut if it is long."""
    short = text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 3] + "..."
    return f"`{short}`"
