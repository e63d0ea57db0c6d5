"""Words of an environment file: tokens, words of a directive, and near spellings."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gelenk.robots.armbot.environment import grammar
from gelenk.robots.armbot.environment.description import Place
from gelenk.robots.armbot.environment.expression import Variable
from gelenk.robots.armbot.environment.grammar import Directive, Param
from gelenk.robots.armbot.environment.problems import Speller, quote

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


@dataclass(slots=True, kw_only=True)
class PlanWords:
    """A plan as read: its keyword, its parameters, and the corners of a POLY."""

    word: str
    place: Place
    values: dict[str, Any] = field(default_factory=dict)
    points: list[tuple[float, float]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Statement:
    """A directive with its values, in SI units.

    Attributes:
        directive: Row of the table.
        number: Digit of the robot, None if the keyword has none.
        place: Of the keyword.
        values: By name of the parameter; classes and line texts as `Given`.
        plan: For those that have one.
        is_ok: False if a problem with it has been noted; values may be missing then.
    """

    directive: Directive
    number: int | None
    place: Place
    values: dict[str, Any] = field(default_factory=dict)
    plan: PlanWords | None = None
    is_ok: bool = True


_ALL_WORDS = (*grammar.WORDS, *grammar.ENDS, *grammar.PLANS)
_LETTERS = re.compile(r"[A-Za-z]{3,20}[0-9]{0,2}")


class Guess(NamedTuple):
    """The directive that a word is or may be, its digit, and what is wrong with it."""

    directive: Directive | None
    number: int | None
    problem: str


def guess_directive(token: Token, last: Statement | None, speller: Speller) -> Guess:
    """Return the directive that a word stands for.

    Args:
        token: Where a directive is expected.
        last: What stands before it.
        speller: Looks for near words.
    """
    word = token.text
    if word in grammar.KEYWORDS:
        return Guess(*grammar.KEYWORDS[word], "")
    got = f"expected a directive, got {quote(word)}"
    if word in grammar.PLANS:
        owners = ", ".join(d.word for d in grammar.DIRECTIVES if word in d.plans)
        return Guess(None, None, f"{got}; {word} stands only inside {owners}")
    if word in grammar.ENDS:
        owner = grammar.ENDS[word].word
        return Guess(None, None, f"{got} without a {owner} before it")
    if word.startswith("*/"):
        return Guess(
            None, None, f"{got} without a `/*` before it; comments do not nest"
        )
    if word.upper() in grammar.KEYWORDS:
        directive, number = grammar.KEYWORDS[word.upper()]
        return Guess(
            directive, number, f"{got}; directives are upper-case: {word.upper()}"
        )
    letters = word.rstrip("0123456789")
    if letters != word and letters.upper() in grammar.KEYWORDS:
        directive, _ = grammar.KEYWORDS[letters.upper()]
        remedy = f"{directive.word} has no number"
        if directive.is_numbered:
            remedy = "robots have the numbers 0 to 9"
        return Guess(directive, None, f"{got}; {remedy}")
    near = nearest_word(word, speller)
    if near is not None and near not in grammar.KEYWORDS:
        return Guess(None, None, f"{got}; did you mean {near}?")
    if near is not None:
        directive, _ = grammar.KEYWORDS[near]
        return Guess(directive, _digit(word), f"{got}; did you mean {near}?")
    if last is not None and not token.is_first and last.is_ok:
        title, count = last.directive.title, len(last.directive.params)
        remedy = f"{title} before it has all its parameters ({count})"
        if last.directive.is_numbered and last.number is None:
            remedy += f"; a robot's number is glued to the keyword, as in {title}1"
        return Guess(None, None, f"{got}; {remedy}")
    return Guess(None, None, got)


def is_like_keyword(word: str, speller: Speller) -> bool:
    """Return whether a word at the beginning of a line looks like a directive."""
    if word.upper() in grammar.KEYWORDS:
        return True
    return nearest_word(word, speller) in grammar.KEYWORDS


def nearest_word(word: str, speller: Speller) -> str | None:
    """Return the word of the grammar that may be meant: directive, plan or end."""
    if not _LETTERS.fullmatch(word):
        return None
    return speller.nearest(word.rstrip("0123456789").upper(), _ALL_WORDS)


def _digit(word: str) -> int | None:
    return int(word[-1]) if word[-1].isdecimal() else None


class Words:
    """The words of a file, taken in groups that end before keywords.

    Attributes:
        scanner: Where they come from.
        variables: Names defined so far; none of them is a keyword.
        speller: Recognises misspelt keywords.
    """

    def __init__(
        self, scanner: Scanner, variables: Mapping[str, Variable], speller: Speller
    ) -> None:
        self.scanner, self.variables, self.speller = scanner, variables, speller

    def collect(self, params: Sequence[Param] | None) -> list[Token]:
        """Take the words of the given parameters, or all up to the next keyword."""
        tokens: list[Token] = []
        while params is None or len(tokens) < len(params):
            token = self.scanner.peek()
            if token is None:
                break
            # A text may look like a keyword, unless it begins a line as keywords do.
            form = "" if params is None else params[len(tokens)].kind.form
            is_text = form in ("word", "label", "name")
            if self.is_stop(token) and (token.is_first or not is_text):
                break
            if params is None and self.is_end(token):
                break
            tokens.append(token)
            self.scanner.take()
        return tokens

    def is_stop(self, token: Token) -> bool:
        """Return whether a word is a keyword, or seems to be meant as one."""
        if token.text in grammar.KEYWORDS or token.text in grammar.PLANS:
            return True
        if token.text in self.variables:
            return False
        if token.text in grammar.ENDS:
            return True
        return token.is_first and (
            self.is_end(token) or is_like_keyword(token.text, self.speller)
        )

    def is_end(self, token: Token) -> bool:
        """Return whether a word closes a plan, or seems to be meant to."""
        if token.text in grammar.KEYWORDS or token.text in self.variables:
            return False
        if token.text.upper().startswith("END"):
            return True
        return token.is_first and (
            nearest_word(token.text, self.speller) in grammar.ENDS
        )

    def skip(self, *, to_new_line: bool = False) -> list[Token]:
        """Move to the next directive and return the words that were left out.

        Args:
            to_new_line: Stop also where a line begins with an upper-case word: that is
                another mistake.
        """
        skipped: list[Token] = []
        while (token := self.scanner.peek()) is not None:
            is_inner = token.text in grammar.PLANS or self.is_end(token)
            if self.is_stop(token) and not is_inner:
                break
            if to_new_line and not is_inner and token.is_first and token.text.isupper():
                break
            self.scanner.take()
            skipped.append(token)
        return skipped

    def skip_to_end(self) -> None:
        """Move behind the keyword that closes a plan, or to the next directive."""
        while (token := self.scanner.peek()) is not None:
            is_plan = token.text in grammar.PLANS
            if self.is_stop(token) and not is_plan and not self.is_end(token):
                return
            self.scanner.take()
            if self.is_end(token):
                return
