"""Problems of an environment file: each with its place, all in one error."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from gelenk.errors import GelenkError
from gelenk.robots.armbot.environment.description import Place

MAX_PROBLEMS = 100  # more are counted, not listed
MAX_LOOKUPS = 200  # of near words in one file; each one costs time
MAX_QUOTED = 40  # characters of the file that a message repeats
MAX_CANDIDATES = 500  # words among which a near one is looked for


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where it is, and what was expected, what came, what to do."""

    place: Place
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


class EnvironmentFileError(GelenkError, ValueError):
    """An environment file cannot be read.

    Attributes:
        problems: In the order of the file.
        num_more: How many were found beyond the listed ones.
    """

    def __init__(self, problems: Iterable[Problem], *, num_more: int = 0) -> None:
        self.problems, self.num_more = tuple(problems), num_more
        lines = [str(problem) for problem in self.problems]
        if num_more:
            lines.append(f"... and {num_more} more problems")
        super().__init__("\n".join(lines))


class ProblemList:
    """Collects the problems of one file; keeps the first ones and counts the rest."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.num_more = 0

    def add(self, place: Place, text: str) -> None:
        """Note a problem; `text` is lower case and has no full stop."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(place, text))
        else:
            self.num_more += 1

    def raise_if_any(self) -> None:
        """Raise EnvironmentFileError if there is a problem."""
        if self.problems:
            order = sorted(self.problems, key=lambda p: (p.place.line, p.place.column))
            raise EnvironmentFileError(order, num_more=self.num_more)


class Speller:
    """Finds near words, but not for ever: a file of nonsense must not take minutes."""

    def __init__(self) -> None:
        self._left = MAX_LOOKUPS
        self._known: dict[tuple[str, int], str | None] = {}

    def nearest(self, word: str, words: tuple[str, ...]) -> str | None:
        """Return the word that `word` may have been meant to be, or None."""
        key = (word, hash(words))
        if key in self._known:
            return self._known[key]
        if self._left == 0 or len(word) > MAX_QUOTED or len(words) > MAX_CANDIDATES:
            return None
        self._left -= 1
        close = difflib.get_close_matches(word, words, n=1, cutoff=0.7)
        self._known[key] = close[0] if close else None
        return self._known[key]


def quote(text: str) -> str:
    """Return a piece of the file as a message repeats it, cut if it is long."""
    short = text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 3] + "..."
    return f"`{short}`"


def counted(count: int, noun: str) -> str:
    """Return "1 parameter" or "2 parameters"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def one_of(words: Iterable[str]) -> str:
    """Return "A, B or C".

    Example:
        >>> one_of(["RECT", "CIRCLE", "POLY"])
        'RECT, CIRCLE or POLY'
    """
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
