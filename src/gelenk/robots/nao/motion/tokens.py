"""Cuts a motion file into tokens, without its comments, and knows their places."""

from __future__ import annotations

import bisect
import re
from typing import Literal, NamedTuple

from gelenk.robots.nao.motion import grammar
from gelenk.robots.nao.motion.motions import Place


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
        blank = grammar.BLANK.match(text, at)
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
    match = grammar.TOKEN.match(text, at)
    if match is None:
        odd = grammar.ODD.match(text, at)
        return "odd", odd[0] if odd else text[at]
    kind = match.lastgroup or "odd"
    if kind != "sign":
        # `LHipRoll_` and `10ms` are one slip each, not two tokens.
        glued = grammar.GLUED.match(text, match.end())
        if glued is not None:
            return "odd", match[0] + glued[0]
    return kind, match[0]
