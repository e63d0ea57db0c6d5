"""What a word that should be a directive may have been meant to be."""

from __future__ import annotations

import re
from typing import NamedTuple

from gelenk.robots.armbot.environment import grammar
from gelenk.robots.armbot.environment.grammar import Directive
from gelenk.robots.armbot.environment.problems import Speller, quote
from gelenk.robots.armbot.environment.statement import Statement
from gelenk.robots.armbot.environment.tokens import Token

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
