"""Problems of a motion file: each with its place, all in one error."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gelenk.errors import FileFormatError
from gelenk.robots.nao.motion.motions import Place

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
    """Collects the problems of one file; keeps the first ones and counts the rest.

    Args:
        file: Its name in messages.
    """

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
