"""Several mistakes of one request, told in one go."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from gelenk.errors import ConfigError


class ProblemsError(ConfigError):
    """A request with at least one mistake.

    Attributes:
        problems: One text each: the place, what was expected, what came, what to do.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        lines = list(self.problems)
        if len(lines) > 1:
            lines = [f"{len(lines)} problems", *lines]
        super().__init__("\n  ".join(lines))


def close_match(text: str, candidates: Iterable[str], *, or_list: str = "") -> str:
    """Return "; did you mean ...?", else `or_list` if nothing comes close.

    Example:
        >>> close_match("-hedless", ["--headless", "-e"])
        "; did you mean '--headless'?"
    """
    close = difflib.get_close_matches(text, list(candidates), n=1, cutoff=0.65)
    return f"; did you mean {close[0]!r}?" if close else or_list
